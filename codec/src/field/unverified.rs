//! Requiring a matching checksum.

use core::fmt;

use super::read::event::Verdict;
use crate::lattice::Checksum;

/// The checksum of the data was not verified; returned by [`Verdict::require_match`], and by
/// [`Verdict::require_not_refuted`] except for data without a stored checksum.
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
#[non_exhaustive]
pub struct Unverified {
    /// The verdict that was found instead of [`Verdict::Match`].
    pub verdict: Verdict,
}

impl Verdict {
    /// Returns the checksum if it matches the stored one, and an error for all other verdicts, also if none is
    /// stored.
    ///
    /// ```
    /// use linkstream::field::Verdict;
    /// use linkstream::lattice::Checksum;
    ///
    /// let checksum = Checksum { suma: 1, sumb: 2 };
    /// assert_eq!(Verdict::Match(checksum).require_match()?, checksum);
    /// assert!(Verdict::Mismatch(checksum).require_match().is_err());
    /// # Ok::<(), linkstream::field::Unverified>(())
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

    /// Returns the checksum if it matches the stored one, and `None` if none is stored: nothing shows then that the
    /// data are damaged, and nothing shows that they are not. ILDG 1.2 defines no checksum, so that its files have one
    /// only if SciDAC programs have written them.
    ///
    /// ```
    /// use linkstream::field::Verdict;
    /// use linkstream::lattice::Checksum;
    ///
    /// let checksum = Checksum { suma: 1, sumb: 2 };
    /// assert_eq!(Verdict::Match(checksum).require_not_refuted()?, Some(checksum));
    /// assert_eq!(Verdict::Absent.require_not_refuted()?, None);
    /// assert!(Verdict::Mismatch(checksum).require_not_refuted().is_err());
    /// assert!(Verdict::Unchecked.require_not_refuted().is_err());
    /// # Ok::<(), linkstream::field::Unverified>(())
    /// ```
    ///
    /// # Errors
    /// The verdict is [`Verdict::Mismatch`], or [`Verdict::Unchecked`]: a checksum may be stored, but the data were
    /// skipped.
    pub const fn require_not_refuted(self) -> Result<Option<Checksum>, Unverified> {
        match self {
            Self::Match(checksum) => Ok(Some(checksum)),
            Self::Absent => Ok(None),
            verdict => Err(Unverified { verdict }),
        }
    }
}

impl fmt::Display for Unverified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.verdict {
            Verdict::Mismatch(stored) => {
                write!(f, "checksum mismatch: the file contains {stored}")
            }
            Verdict::Absent => f.write_str("no checksum is stored with the data"),
            Verdict::Unchecked => f.write_str(
                "data were skipped or are missing, so the checksum of all of them was not computed",
            ),
            Verdict::Match(checksum) => {
                write!(f, "the checksum of the data matches the stored one, {checksum}")
            }
        }
    }
}

impl core::error::Error for Unverified {}
