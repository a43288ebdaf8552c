//! The result of comparing checksums, for all formats that store one.

use core::fmt;

/// The result of comparing the checksum of data with the stored one. There are no others: a `match` needs no `_`, which
/// would check a result that its author did not know. `Stored` is the type of the stored checksum,
/// `Computed` the type of the computed one. Each format has its own verdict: [`field::Verdict`](crate::field::Verdict),
/// [`nersc::Verdict`](crate::nersc::Verdict), [`milc::Verdict`](crate::milc::Verdict).
///
/// # Example
/// ```
/// use linkstream::Verdict;
/// use linkstream::lattice::Checksum;
///
/// let [computed, stored] = [Checksum { suma: 1, sumb: 2 }, Checksum { suma: 1, sumb: 3 }];
/// let verdict: Verdict<Checksum> = Verdict::Mismatch { stored, computed };
/// assert!(!verdict.is_match() && verdict.require_match().is_err() && verdict.require_not_refuted().is_err());
/// // Without a stored checksum the data are neither confirmed nor refuted.
/// let verdict: Verdict<Checksum> = Verdict::Absent { computed };
/// assert!(!verdict.is_match() && verdict.require_match().is_err());
/// assert_eq!(verdict.require_not_refuted()?, None);
/// # Ok::<(), linkstream::Unverified<Checksum>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[must_use = "data without a matching checksum are not verified: use `require_match` or `require_not_refuted`"]
pub enum Verdict<Stored, Computed = Stored> {
    /// The checksums are equal.
    Match {
        /// The checksum that the file stores.
        stored: Stored,
        /// The checksum of the data.
        computed: Computed,
    },
    /// The checksums differ.
    Mismatch {
        /// The checksum that the file stores.
        stored: Stored,
        /// The checksum of the data.
        computed: Computed,
    },
    /// The file stores no checksum, or only a part of one, and the data agree with that part.
    Absent {
        /// The checksum of the data.
        computed: Computed,
    },
    /// The checksum of all data is not known: data were skipped, or the volumes of a file set do not have each site
    /// exactly once.
    Unchecked,
}

impl<Stored: Copy, Computed: Copy> Verdict<Stored, Computed> {
    /// True if the checksum was computed and equals the stored one.
    #[must_use]
    pub const fn is_match(&self) -> bool {
        matches!(self, Self::Match { .. })
    }

    /// True if the data were read, but no complete checksum is stored for comparison.
    #[must_use]
    pub const fn is_absent(&self) -> bool {
        matches!(self, Self::Absent { .. })
    }

    /// Returns the checksum of the data if it equals the stored one, and an error for all other verdicts, including
    /// [`Verdict::Absent`].
    ///
    /// # Errors
    /// The verdict is not [`Verdict::Match`].
    pub const fn require_match(self) -> Result<Computed, Unverified<Stored, Computed>> {
        match self {
            Self::Match { computed, .. } => Ok(computed),
            verdict => Err(Unverified { verdict }),
        }
    }

    /// Returns the checksum of the data if it equals the stored one, and `None` if none is stored: then nothing shows
    /// that the data are damaged, and nothing shows that they are not. ILDG 1.2 defines no checksum; its files have one
    /// only if the program that wrote them added a `scidac-checksum`.
    ///
    /// # Errors
    /// The verdict is [`Verdict::Mismatch`], or [`Verdict::Unchecked`]: a checksum may be stored, but the data were
    /// skipped.
    pub const fn require_not_refuted(self) -> Result<Option<Computed>, Unverified<Stored, Computed>> {
        match self {
            Self::Match { computed, .. } => Ok(Some(computed)),
            Self::Absent { .. } => Ok(None),
            verdict => Err(Unverified { verdict }),
        }
    }
}

/// The checksum of the data was not verified; returned by [`Verdict::require_match`], and by
/// [`Verdict::require_not_refuted`] except for data without a stored checksum.
///
/// # Example
/// ```
/// use linkstream::field::Verdict;
///
/// let error = Verdict::Unchecked.require_match().err().ok_or("the data were skipped")?;
/// assert_eq!(error.verdict, Verdict::Unchecked);
/// assert!(error.to_string().starts_with("data were skipped"));
/// # Ok::<(), &str>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct Unverified<Stored, Computed = Stored> {
    /// The verdict that was found instead of [`Verdict::Match`].
    pub verdict: Verdict<Stored, Computed>,
}

impl<Stored: fmt::Debug, Computed: fmt::Debug> core::error::Error for Unverified<Stored, Computed> where
    Self: fmt::Display
{
}
