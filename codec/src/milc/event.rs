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
#[must_use = "data without matching checksums are not verified: use `require_match`"]
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

    /// Returns the checksums if they equal the stored ones, and an error for all other verdicts. Every MILC file stores
    /// them, so that data that were read are either verified or refuted. They do not show an
    /// exchange of words whose distance is a multiple of 29 times 31 words.
    ///
    /// ```
    /// use linkstream::milc::{Sums, Verdict};
    ///
    /// let sums = Sums { sum29: 1, sum31: 2 };
    /// assert_eq!(Verdict::Match(sums).require_match()?, sums);
    /// assert!(Verdict::Mismatch(sums).require_match().is_err());
    /// # Ok::<(), linkstream::milc::Unverified>(())
    /// ```
    ///
    /// # Errors
    /// The verdict is not [`Verdict::Match`].
    pub const fn require_match(self) -> Result<Sums, Unverified> {
        match self {
            Self::Match(sums) => Ok(sums),
            verdict => Err(Unverified { verdict }),
        }
    }
}

/// The checksums of the data were not verified; returned by [`Verdict::require_match`].
///
/// ```
/// use linkstream::milc::Verdict;
///
/// let error = Verdict::Unchecked.require_match().err().ok_or("the data were skipped")?;
/// assert_eq!(error.to_string(), "data were skipped, so their checksums were not computed");
/// # Ok::<(), &str>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct Unverified {
    /// The verdict that was found instead of [`Verdict::Match`].
    pub verdict: Verdict,
}

impl fmt::Display for Unverified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.verdict {
            Verdict::Mismatch(_) => "checksum mismatch: the file contains other checksums",
            Verdict::Unchecked => "data were skipped, so their checksums were not computed",
            Verdict::Match(_) => "the checksums of the data match the stored ones",
        })
    }
}

impl core::error::Error for Unverified {}

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
