//! The events of the decoder.

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

/// The result of comparing the checksums of the data with the stored ones.
///
/// # Example
/// ```
/// use linkstream::milc::{Sums, Verdict};
///
/// let sums = Sums { sum29: 1, sum31: 2 };
/// assert!(Verdict::Match(sums).is_match() && !Verdict::Mismatch(sums).is_match());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Verdict {
    /// Both checksums are equal.
    Match(Sums),
    /// At least one checksum differs; these are the ones of the data.
    Mismatch(Sums),
    /// Data were skipped, so their checksums are not known.
    Unchecked,
}

impl Verdict {
    /// Whether both checksums were computed and equal the stored ones.
    #[must_use]
    pub const fn is_match(&self) -> bool {
        matches!(self, Self::Match(_))
    }
}

/// An [`Event`] without its contents, which the decoder has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Signal {
    Header,
    SiteList,
    Stored,
    Data,
    Verdict,
    Finding,
}
