//! The number of sites and the checksum of a field over all volumes.

use super::rank_sums::RankSums;
use crate::field::{Field, Verdict};
use crate::lattice::Checksum;
use crate::scidac::StoredChecksum;

/// The sites of a field that were read from one volume: their number, their checksum and sums over their ranks, from
/// which a [`Tally`] sees whether each site has come once.
///
/// ```
/// use linkstream::lattice::Checksum;
/// use linkstream::volume::SitesRead;
///
/// let mut read = SitesRead::default();
/// read.take(5, b"data");
/// let mut checksum = Checksum::default();
/// checksum.add(5, b"data");
/// assert_eq!((read.sites(), read.checksum()), (1, checksum));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[must_use = "the data are not verified until the sites of all volumes are in a `Tally`, which returns the verdict"]
pub struct SitesRead {
    pub(crate) ranks: RankSums,
    pub(crate) checksum: Checksum,
}

impl SitesRead {
    /// Adds a site: its rank, and all of its data.
    pub fn take(&mut self, rank: u64, bytes: &[u8]) {
        self.ranks.take(rank);
        self.checksum.add(rank, bytes);
    }

    /// Adds sites that were read elsewhere.
    ///
    /// ```
    /// use linkstream::volume::SitesRead;
    ///
    /// let (mut first, mut second) = (SitesRead::default(), SitesRead::default());
    /// first.take(5, b"data");
    /// second.take(2, b"more");
    /// assert_eq!(first.combine(second).sites(), 2);
    /// ```
    pub const fn combine(self, other: Self) -> Self {
        Self { ranks: self.ranks.combine(other.ranks), checksum: self.checksum.combine(other.checksum) }
    }

    /// Number of sites.
    #[must_use]
    pub const fn sites(&self) -> u64 {
        self.ranks.count
    }

    /// The checksum of the sites.
    #[must_use]
    pub const fn checksum(&self) -> Checksum {
        self.checksum
    }
}

/// Combines the parts of a field in all volumes, in any order.
///
/// ```
/// use linkstream::field::FieldDocuments;
/// use linkstream::lattice::{Extents, Precision};
/// use linkstream::scidac::{PrivateRecord, StoredChecksum};
/// use linkstream::volume::{SitesRead, Tally};
///
/// let lattice = Extents::new(&[4, 2])?;
/// let field = FieldDocuments::scidac(PrivateRecord::real_field(Precision::F32)).layout(&lattice)?;
/// let (mut first, mut second) = (SitesRead::default(), SitesRead::default());
/// [0, 1, 4, 5, 6].into_iter().for_each(|rank| first.take(rank, &[0; 4]));
/// [2, 3, 7].into_iter().for_each(|rank| second.take(rank, &[1; 4]));
/// let stored = StoredChecksum::new(first.combine(second).checksum());
///
/// let mut tally = Tally::new(&field);
/// tally.add(first);
/// assert!(!tally.is_complete() && !tally.verdict(&stored).is_match());
/// tally.add(second);
/// assert!(tally.is_complete());
/// assert!(tally.verdict(&stored).is_match());
/// // A volume that is added twice is one too many.
/// tally.add(second);
/// assert!(!tally.is_complete() && !tally.verdict(&stored).is_match());
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Tally {
    /// All sites of the field.
    all: RankSums,
    read: SitesRead,
}

impl Tally {
    /// A tally of this field, without any volumes.
    #[must_use]
    pub fn new(field: &Field) -> Self {
        Self { all: RankSums::of_field(field), read: SitesRead::default() }
    }

    /// Adds the sites of a volume.
    pub const fn add(&mut self, read: SitesRead) {
        self.read = self.read.combine(read);
    }

    /// The checksum of all volumes.
    #[must_use]
    pub const fn checksum(&self) -> Checksum {
        self.read.checksum
    }

    /// Whether the volumes have each site of the field once: as many sites, with the same sum of ranks and of their
    /// squares.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.read.ranks == self.all
    }

    /// The result of comparing the checksum with the one that the first volume stores. Unless the volumes are
    /// [complete](Self::is_complete), it is
    /// [`Verdict::Mismatch`](crate::Verdict::Mismatch), or [`Verdict::Unchecked`](crate::Verdict::Unchecked) if the checksum agrees.
    pub fn verdict(&self, stored: &StoredChecksum) -> Verdict {
        let computed = self.read.checksum;
        let is_whole = stored.checksum().is_some();
        let suma = stored.suma().unwrap_or(computed.suma);
        let sumb = stored.sumb().unwrap_or(computed.sumb);
        let stored = Checksum { suma, sumb };
        if stored != computed {
            Verdict::Mismatch { stored, computed }
        } else if !self.is_complete() {
            Verdict::Unchecked
        } else if is_whole {
            Verdict::Match { stored, computed }
        } else {
            Verdict::Absent { computed }
        }
    }
}
