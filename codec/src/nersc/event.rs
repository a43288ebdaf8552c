//! The events of the decoder.

use core::fmt;

use super::error::ErrorKind;
use super::header::Header;
use super::sums::DataSum;
use crate::error::Error;

/// The events of a [`Decoder`](super::Decoder).
///
/// # Example
/// ```
/// # fn main() -> Result<(), Box<dyn core::error::Error>> {
/// use linkstream::nersc::{Decoder, Event};
/// use linkstream::{Mode, drive, finish};
/// # let file = linkstream_example::file();
///
/// let mut decoder = Decoder::new(Mode::Strict);
/// let (mut lines, mut bytes, mut verdict) = (0, 0, None);
/// drive(&mut decoder, &file, |event, data, _| match event {
///     Event::Line => lines += 1,
///     Event::Data => bytes += data.len(),
///     Event::Verdict(found) => verdict = Some(found.is_match()),
///     _ => {}
/// })?;
/// finish(&mut decoder, |_, _, _| {})?;
/// assert_eq!((lines, bytes, verdict), (9, 192, Some(true)));
/// # Ok(())
/// # }
/// # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example_nersc.rs")); }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Event {
    /// A line of the header between the first and the last; [`Decoder::line`](super::Decoder::line) has it until the
    /// next step.
    Line,
    /// The header is complete. The data follow.
    Header(Header),
    /// The bytes consumed by this step are data: for each site, x fastest, the links in the directions x, y, z, t.
    Data,
    /// The data are complete; the file should end here.
    Verdict(Verdict),
    /// A broken rule that the [`Mode`](crate::Mode) does not refuse, or a remark. Reading continues.
    Finding(Error<ErrorKind>),
}

/// The result of comparing the checksum of the data with that of the header. The checksum is a sum of words: it does not
/// change if blocks of the data are exchanged. An archive that names no byte order has that in which the sum is right:
/// [`DataSum::order`] of [`Verdict::Match`](crate::Verdict::Match).
///
/// # Example
/// ```
/// use linkstream::lattice::ByteOrder;
/// use linkstream::nersc::{DataSum, Verdict, WordSums};
///
/// let mut sums = WordSums::default();
/// sums.feed(&[0, 0, 0, 3]);
/// let verdict = Verdict::Match { stored: 3, computed: DataSum::new(sums, ByteOrder::Big) };
/// assert_eq!(verdict.require_match()?.order, ByteOrder::Big);
/// # Ok::<(), linkstream::nersc::Unverified>(())
/// ```
pub type Verdict = crate::Verdict<u32, DataSum>;

/// The checksum of the data was not verified.
///
/// # Example
/// ```
/// use linkstream::nersc::Verdict;
///
/// let error = Verdict::Unchecked.require_not_refuted().err().ok_or("the data were skipped")?;
/// assert_eq!(error.to_string(), "data were skipped, so their checksum was not computed");
/// # Ok::<(), &str>(())
/// ```
pub type Unverified = crate::Unverified<u32, DataSum>;

impl fmt::Display for Unverified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.verdict {
            Verdict::Mismatch { .. } => {
                "checksum mismatch: the header contains another one, for either byte order"
            }
            Verdict::Absent { .. } => "the header has no valid checksum",
            Verdict::Unchecked => "data were skipped, so their checksum was not computed",
            Verdict::Match { .. } => "the checksum of the data matches the stored one",
        })
    }
}

/// An [`Event`] without its contents, which the decoder has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Signal {
    Line,
    Header,
    Data,
    Verdict,
    Finding,
}
