//! The number of sites and the checksum of a field over all volumes.

use crate::field::{Field, Verdict};
use crate::lattice::Checksum;
use crate::scidac::StoredChecksum;

/// The sites of a field that were read from one volume.
///
/// ```
/// use linkstream::lattice::Checksum;
/// use linkstream::volume::SitesRead;
///
/// let read = SitesRead { sites: 5, checksum: Checksum { suma: 1, sumb: 2 } };
/// assert_eq!(read.sites, 5);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[must_use = "the data are not verified until the sites of all volumes are in a `Tally`, which returns the verdict"]
pub struct SitesRead {
    /// Their number.
    pub sites: u64,
    /// Their checksum.
    pub checksum: Checksum,
}

/// Combines the parts of a field in all volumes, in any order.
///
/// ```
/// use linkstream::field::{FieldDocuments, Verdict};
/// use linkstream::lattice::{Checksum, Extents, Precision};
/// use linkstream::scidac::{PrivateRecord, StoredChecksum};
/// use linkstream::volume::Tally;
///
/// let lattice = Extents::new(&[4, 2])?;
/// let field = FieldDocuments::scidac(PrivateRecord::real_field(Precision::F32)).layout(&lattice)?;
/// let [first, second] = [Checksum { suma: 1, sumb: 2 }, Checksum { suma: 4, sumb: 8 }];
/// let mut tally = Tally::new(&field);
/// tally.add(5, first);
/// assert!(!tally.is_complete());
/// tally.add(3, second);
/// assert!(tally.is_complete());
/// let stored = StoredChecksum::new(Checksum { suma: 5, sumb: 10 });
/// assert_eq!(tally.verdict(&stored), Verdict::Match(tally.checksum()));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Tally {
    all: u64,
    sites: u64,
    checksum: Checksum,
}

impl Tally {
    /// A tally of this field, without any volumes.
    #[must_use]
    pub fn new(field: &Field) -> Self {
        Self { all: field.sites(), sites: 0, checksum: Checksum::default() }
    }

    /// Adds a volume that has this number of sites of the field, with this checksum.
    pub const fn add(&mut self, sites: u64, checksum: Checksum) {
        self.sites = self.sites.saturating_add(sites);
        self.checksum = self.checksum.combine(checksum);
    }

    /// The checksum of all volumes.
    #[must_use]
    pub const fn checksum(&self) -> Checksum {
        self.checksum
    }

    /// Whether the volumes have as many sites as the field.
    #[must_use]
    pub const fn is_complete(&self) -> bool {
        self.sites == self.all
    }

    /// The result of comparing the checksum with the one that the first volume stores.
    pub fn verdict(&self, stored: &StoredChecksum) -> Verdict {
        let suma = stored.suma().unwrap_or(self.checksum.suma);
        let sumb = stored.sumb().unwrap_or(self.checksum.sumb);
        let completed = Checksum { suma, sumb };
        if completed != self.checksum {
            Verdict::Mismatch(completed)
        } else if stored.checksum().is_some() {
            Verdict::Match(completed)
        } else {
            Verdict::Absent
        }
    }
}
