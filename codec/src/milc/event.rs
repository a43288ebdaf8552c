//! The events of the decoder.

use core::fmt;

use super::error::ErrorKind;
use super::header::Header;
use super::sums::Sums;
use crate::error::Error;

/// The events of a [`Decoder`](super::Decoder).
///
/// # Example
/// ```
/// # fn main() -> Result<(), Box<dyn core::error::Error>> {
/// use linkstream::milc::{Decoder, Event};
/// use linkstream::{Mode, drive, finish};
/// # let file = linkstream_example::file();
///
/// let mut decoder = Decoder::new(Mode::Strict);
/// let (mut bytes, mut verdict) = (0, None);
/// drive(&mut decoder, &file, |event, data, _| match event {
///     Event::Data => bytes += data.len(),
///     Event::Verdict(found) => verdict = Some(found.is_match()),
///     _ => {}
/// })?;
/// finish(&mut decoder, |_, _, _| {})?;
/// assert_eq!((bytes, verdict), (288, Some(true)));
/// # Ok(())
/// # }
/// # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example_milc.rs")); }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Event {
    /// Extents and byte order are known.
    Header(Header),
    /// The bytes consumed by this step belong to the site list, which contains the rank (x fastest, 32 bits) of each
    /// site in the order of the data.
    SiteList,
    /// The stored checksums. The data follow.
    Stored(Sums),
    /// The bytes consumed by this step are data: for each site the links in the directions x, y, z, t.
    Data,
    /// The data are complete; the file should end here.
    Verdict(Verdict),
    /// A broken rule that the [`Mode`](crate::Mode) does not refuse, or a remark. Reading continues.
    Finding(Error<ErrorKind>),
}

/// The result of comparing the checksums of the data with the stored ones. Every MILC file stores them, so that data that
/// were read are either verified or refuted. They do not show an exchange of words whose distance is a multiple of 29
/// times 31 words.
///
/// # Example
/// ```
/// use linkstream::milc::{Sums, Verdict};
///
/// let [stored, computed] = [Sums { sum29: 1, sum31: 2 }, Sums { sum29: 1, sum31: 3 }];
/// assert!(Verdict::Mismatch { stored, computed }.require_match().is_err());
/// ```
pub type Verdict = crate::Verdict<Sums>;

/// The checksums of the data were not verified.
///
/// # Example
/// ```
/// use linkstream::milc::Verdict;
///
/// let error = Verdict::Unchecked.require_match().err().ok_or("the data were skipped")?;
/// assert_eq!(error.to_string(), "data were skipped, so their checksums were not computed");
/// # Ok::<(), &str>(())
/// ```
pub type Unverified = crate::Unverified<Sums>;

impl fmt::Display for Unverified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.verdict {
            Verdict::Mismatch { .. } => "checksum mismatch: the file contains other checksums",
            Verdict::Absent { .. } => "the file has no checksums",
            Verdict::Unchecked => "data were skipped, so their checksums were not computed",
            Verdict::Match { .. } => "the checksums of the data match the stored ones",
        })
    }
}

/// An [`Event`] without its contents, which the decoder has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Signal {
    Header,
    SiteList,
    Stored,
    Data,
    Verdict,
    Finding,
}
