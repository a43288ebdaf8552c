//! The sites that were read from all volumes, and the sums over their ranks that show whether each site of a field has
//! come once.
//!
//! The sums are modulo 2^128 and the count saturates, so they do not depend on the order of the sites.

use crate::counter::Counter as _;
use crate::field::{Field, Verdict};
use crate::lattice::{Checksum, Extents, Region};
use crate::scidac::StoredChecksum;
use crate::state::saved;

/// The sites of a field that were read from one volume: their number, their checksum and sums over their ranks. A
/// [`Tally`] uses the sums to check that each site has come once.
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
        Self { all: RankSums::of(&field.region, &field.extents), read: SitesRead::default() }
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

    /// True if the volumes have each site of the field once, as far as number, sum and sum of squares of the ranks
    /// show.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.read.ranks == self.all
    }

    /// The result of comparing the checksum with the one that the first volume stores. If the volumes are not
    /// [complete](Self::is_complete), it is [`Verdict::Mismatch`](crate::Verdict::Mismatch), or
    /// [`Verdict::Unchecked`](crate::Verdict::Unchecked) if the checksum agrees.
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

/// Number of ranks, their sum, and the sum of their squares, modulo 2^128. If a rank is missing and another one is
/// repeated, at least one of the three differs from the values of the whole set. Ranks that are chosen on purpose can
/// have equal values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub(crate) struct RankSums {
    pub(super) count: u64,
    ranks: u128,
    squares: u128,
}

saved!(struct RankSums { count, ranks, squares });

impl RankSums {
    pub(super) const NONE: Self = Self { count: 0, ranks: 0, squares: 0 };

    /// The sums over all sites of a region; global data have rank 0.
    pub(super) fn of(region: &Region, extents: &Extents) -> Self {
        let mut sums = Self { count: 1, ..Self::default() };
        if *region == Region::Global {
            return sums;
        }
        let mut stride = 1_u128;
        for (dimension, extent) in extents.as_slice().iter().enumerate() {
            let (lower, beyond) = match region {
                Region::Hypercube(cube) => {
                    let at = |corner: &[u32]| corner.get(dimension).map_or(0, |value| u128::from(*value));
                    (at(cube.lower().as_slice()), at(cube.upper().as_slice()).plus(1))
                }
                _ => (0, u128::from(*extent)),
            };
            sums.extend(stride, lower, beyond);
            stride = stride.wrapping_mul(u128::from(*extent));
        }
        sums
    }

    /// Adds a dimension: combines each rank with each coordinate from `lower` to `beyond - 1`.
    fn extend(&mut self, stride: u128, lower: u128, beyond: u128) {
        let length = beyond.wrapping_sub(lower);
        let sum = triangle(beyond).wrapping_sub(triangle(lower)).wrapping_mul(stride);
        let squares = sum_of_squares(beyond).wrapping_sub(sum_of_squares(lower));
        let squares = squares.wrapping_mul(stride).wrapping_mul(stride);
        let count = u128::from(self.count);
        // The square of a sum: a^2 + 2ab + b^2.
        self.squares = (self.squares.wrapping_mul(length))
            .wrapping_add(self.ranks.wrapping_mul(sum).wrapping_mul(2))
            .wrapping_add(squares.wrapping_mul(count));
        self.ranks = self.ranks.wrapping_mul(length).wrapping_add(sum.wrapping_mul(count));
        // No overflow: regions are never larger than the lattice, whose number of sites fits in 64 bits.
        self.count = u64::try_from(count.wrapping_mul(length)).unwrap_or(u64::MAX);
    }

    pub(crate) fn take(&mut self, rank: u64) {
        self.count = self.count.saturating_add(1);
        self.ranks = self.ranks.wrapping_add(u128::from(rank));
        self.squares = self.squares.wrapping_add(u128::from(rank).times(u128::from(rank)));
    }

    pub(super) const fn combine(self, other: Self) -> Self {
        Self {
            count: self.count.saturating_add(other.count),
            ranks: self.ranks.wrapping_add(other.ranks),
            squares: self.squares.wrapping_add(other.squares),
        }
    }
}

/// The sum of 0 to `n - 1`, where `n` is at most 2^64.
const fn triangle(n: u128) -> u128 {
    // Below 2^128, so the division comes after the whole product.
    n.wrapping_mul(n.saturating_sub(1)) / 2
}

/// The sum of the squares of 0 to `n - 1`, modulo 2^128: n (n - 1) (2n - 1) / 6.
fn sum_of_squares(n: u128) -> u128 {
    let less = n.saturating_sub(1);
    let mut factors = [n, less, n.wrapping_add(less)];
    // One of the first two is even, and one of the three a multiple of 3.
    for divisor in [2_u128, 3] {
        if let Some(factor) = factors.iter_mut().find(|factor| factor.is_multiple_of(divisor)) {
            *factor = factor.checked_div(divisor).unwrap_or(0);
        }
    }
    factors.into_iter().fold(1, u128::wrapping_mul)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lattice::{Coordinates, Hypercube};

    #[test]
    fn sums_of_squares() {
        let mut sum = 0_u128;
        for n in 1..200_u128 {
            sum += (n - 1) * (n - 1);
            assert_eq!((sum_of_squares(n), sum_of_squares(0)), (sum, 0), "{n}");
        }
    }

    #[test]
    fn the_sums_of_a_region_are_those_of_its_ranks() {
        let extents = Extents::new(&[3, 4, 2, 5]).expect("legal");
        let corner = |values| Coordinates::new(values).expect("4 dimensions");
        let cube = Hypercube::new(corner(&[1, 0, 1, 2]), corner(&[2, 2, 1, 4]), &extents).expect("inside");
        let mut sums = [RankSums::default(); 3];
        for rank in 0..extents.sites() {
            sums[0].take(rank);
            if cube.contains(&extents.coordinates(rank).expect("inside")) {
                sums[1].take(rank);
            }
        }
        sums[2].take(0);
        let regions = [Region::Lattice, Region::Hypercube(cube), Region::Global];
        assert_eq!(regions.map(|region| RankSums::of(&region, &extents)), sums);
        // The largest lattice.
        let all = RankSums::of(&Region::Lattice, &Extents::new(&[u32::MAX, u32::MAX]).expect("legal"));
        let n = u128::from(u32::MAX) * u128::from(u32::MAX);
        assert_eq!((u128::from(all.count), all.ranks, all.squares), (n, n * (n - 1) / 2, sum_of_squares(n)));
    }
}
