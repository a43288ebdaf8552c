//! Insisting on a checksum that matches.

use core::fmt;

use super::read::event::Verdict;
use crate::lattice::Checksum;

/// Data are not proved to be those that were written; see [`Verdict::require_match`].
///
/// # Example
/// ```
/// use linkstream::field::Verdict;
///
/// let error = Verdict::Absent.require_match().err().ok_or("no checksum is stored")?;
/// assert_eq!(error.verdict, Verdict::Absent);
/// assert_eq!(error.to_string(), "no checksum is stored with the data");
/// # Ok::<(), &str>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Unverified {
    /// What became of the checksum instead.
    pub verdict: Verdict,
}

impl Verdict {
    /// The checksum, if it matches the one stored; an error for all other verdicts, also where none is stored.
    ///
    /// ```
    /// use linkstream::field::{Unverified, Verdict};
    ///
    /// assert_eq!(Verdict::Absent.require_match(), Err(Unverified { verdict: Verdict::Absent }));
    /// ```
    ///
    /// # Errors
    /// The verdict is not [`Verdict::Match`].
    pub const fn require_match(self) -> Result<Checksum, Unverified> {
        match self {
            Self::Match(checksum) => Ok(checksum),
            verdict => Err(Unverified { verdict }),
        }
    }
}

impl fmt::Display for Unverified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.verdict {
            Verdict::Mismatch(stored) => {
                write!(f, "the checksum of the data differs from that stored, {stored}")
            }
            Verdict::Absent => f.write_str("no checksum is stored with the data"),
            Verdict::Unchecked => f.write_str("data were skipped, so that their checksum was not computed"),
            Verdict::Match(checksum) => write!(f, "the checksum of the data is that stored, {checksum}"),
        }
    }
}

impl core::error::Error for Unverified {}
