//! Ranks of the sites of a volume: the entries of its site list and their width, and the sums over ranks that
//! show whether all volumes together have each site of a field once.
//!
//! # Invariants
//! | value | holds | changes |
//! |---|---|---|
//! | `WidthProbe::bytes` | bytes of the list so far | with each byte |
//! | `WidthProbe::word` | the last 4 bytes, big-endian | with each byte |
//! | `WidthProbe::largest` | largest of the words 0, 2, 4 and so on | where the fourth of each 8 bytes comes |
//! | `RankSums` | count, sum and sum of squares of ranks. The sums are modulo 2^128, the count saturates | with each site, in any order |

use crate::counter::Counter as _;
use crate::field::{Field, Verdict};
use crate::lattice::{Checksum, Extents, Region};
use crate::scidac::StoredChecksum;
use crate::state::saved;

/// The width of a rank in a site list. The file does not state it: QIO 2 writes 32 bits; QIO 3 writes 64 bits if a
/// rank of the volume needs them.
///
/// ```
/// use linkstream::volume::EntryWidth;
///
/// // The length of the list and the number of sites in the data determine the width.
/// assert_eq!(EntryWidth::of(64, 16), Some(EntryWidth::Bits32));
/// assert_eq!(EntryWidth::of(128, 16), Some(EntryWidth::Bits64));
/// assert_eq!(EntryWidth::of(100, 16), None);
/// assert_eq!(EntryWidth::Bits64.size(), 8);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum EntryWidth {
    /// Unsigned, 4 bytes, big-endian.
    Bits32,
    /// Signed, 8 bytes, big-endian.
    Bits64,
}

saved!(enum EntryWidth: Bits32, Bits64);

impl EntryWidth {
    /// The width in a list of `length` bytes that has this number of sites; `None` if no width fits.
    #[must_use]
    pub fn of(length: u64, sites: u64) -> Option<Self> {
        [Self::Bits32, Self::Bits64]
            .into_iter()
            .find(|width| sites.checked_mul(width.size() as u64) == Some(length))
    }

    /// The width that QIO chooses for a volume with this largest rank.
    pub(super) const fn for_rank(largest: u64) -> Self {
        if largest > u32::MAX as u64 { Self::Bits64 } else { Self::Bits32 }
    }

    /// Length of an entry in bytes.
    #[must_use]
    pub const fn size(self) -> usize {
        match self {
            Self::Bits32 => 4,
            Self::Bits64 => 8,
        }
    }

    /// The rank in an entry; `None` if the number of bytes is not [`size`](Self::size).
    pub(crate) fn rank(self, bytes: &[u8]) -> Option<u64> {
        match self {
            Self::Bits32 => Some(u64::from(u32::from_be_bytes(bytes.try_into().ok()?))),
            Self::Bits64 => Some(u64::from_be_bytes(bytes.try_into().ok()?)),
        }
    }
}

/// An entry of a site list, as the bytes of the file.
///
/// ```
/// use linkstream::volume::{Entry, EntryWidth};
///
/// let entry = Entry::new(7, EntryWidth::Bits32).ok_or("too large")?;
/// assert_eq!(entry.as_bytes(), [0, 0, 0, 7]);
/// assert!(Entry::new(1 << 32, EntryWidth::Bits32).is_none());
/// # Ok::<(), &str>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Entry {
    bytes: [u8; 8],
    width: EntryWidth,
}

impl Entry {
    /// The entry of the site with this rank; `None` if the rank does not fit.
    #[must_use]
    pub fn new(rank: u64, width: EntryWidth) -> Option<Self> {
        let fits = width == EntryWidth::Bits64 || rank <= u64::from(u32::MAX);
        fits.then_some(Self { bytes: rank.to_be_bytes(), width })
    }

    /// The bytes of the entry: a big-endian number.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        crate::bytes::suffix(&self.bytes, 8_usize.minus(self.width.size()))
    }
}

/// Determines the width of the entries while the list is read, for lists without data that would show the number of
/// sites.
///
/// All ranks of a list are different. If the list has 32-bit entries, the words at even places are therefore different,
/// too. If there are more of these words than values from 0 to the largest of them, some must be equal: then they are
/// the upper halves of 64-bit ranks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct WidthProbe {
    word: u32,
    /// Number of bytes taken.
    bytes: u64,
    /// The largest of the words at even places.
    largest: u32,
}

saved!(struct WidthProbe { word, bytes, largest });

impl WidthProbe {
    pub(super) const START: Self = Self { word: 0, bytes: 0, largest: 0 };

    pub(super) fn take(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.word = (self.word << 8) | u32::from(*byte);
            self.bytes.increase(1);
            // The word is at an even place: all of an entry, or the upper half of one.
            if self.bytes % 8 == 4 {
                self.largest = self.largest.max(self.word);
            }
        }
    }

    /// Number of bytes taken.
    pub(super) const fn length(&self) -> u64 {
        self.bytes
    }

    pub(super) const fn width(&self) -> EntryWidth {
        let pairs = self.bytes / 8;
        // More words than values from 0 to the largest.
        if self.bytes.is_multiple_of(8) && pairs.saturating_sub(1) > self.largest as u64 {
            EntryWidth::Bits64
        } else {
            EntryWidth::Bits32
        }
    }
}

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

    /// The sums over all sites of a field.
    pub(super) fn of_field(field: &Field) -> Self {
        Self::of(&field.region, &field.extents)
    }

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
    use std::vec::Vec;

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

    fn probed(words: &[u32]) -> EntryWidth {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_be_bytes()).collect();
        let mut probe = WidthProbe::START;
        bytes.chunks(3).for_each(|piece| probe.take(piece));
        probe.width()
    }

    #[test]
    fn the_width_is_seen_in_the_words() {
        // 0, 1 as 64 bits, and as 32 bits with two more.
        assert_eq!(probed(&[0, 0, 0, 1]), EntryWidth::Bits64);
        assert_eq!(probed(&[0, 1, 2, 3]), EntryWidth::Bits32);
        // Ranks beyond 32 bits.
        assert_eq!(probed(&[1, 0, 1, 5, 0, 7]), EntryWidth::Bits64);
        // An odd number of words, and one word pair that can be either.
        assert_eq!(probed(&[0, 0, 0]), EntryWidth::Bits32);
        assert_eq!(probed(&[3, 0]), EntryWidth::Bits32);
    }
}
