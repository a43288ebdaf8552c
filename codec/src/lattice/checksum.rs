//! The SciDAC checksum. It depends neither on the order of the sites nor on their distribution over processes.
//!
//! For each site, let `c` be the CRC-32 of its bytes in the file. `suma` is the exclusive or of all `c` rotated left by
//! (rank mod 29) bits, `sumb` of all `c` rotated left by (rank mod 31) bits. Also for hypercubes, the rank is the rank
//! in the full lattice. Global data are one "site" of rank 0. QIO 2.3 (section 2.1.1) requires a checksum without
//! defining it; the algorithm is the one of QIO's source, and has been compared with QIO on every fixture.
//!
//! # Invariants
//! | value | holds | changes |
//! |---|---|---|
//! | `Residues` | `rank % 29 < 29` and `rank % 31 < 31`: shifts of a word of 32 bits | with the rank |
//! | `SiteSum::crc` | CRC-32 of the bytes of the current site so far; 0 between two sites, as for no bytes | with each piece |
//! | `SiteSum::sum` | sums over all sites that are closed | where a site is closed, and where the sums over other sites are added |

use core::fmt;

use crate::counter::{plus_u8, plus_u32, times_u32};
use crate::crc::crc32;
use crate::state::saved;

/// The two sums over a set of sites: the SciDAC checksum of [`scidac`](crate::scidac#checksum).
///
/// ```
/// use linkstream::lattice::Checksum;
///
/// let mut first = Checksum::default();
/// first.add(0, b"site 0");
/// let mut second = Checksum::default();
/// second.add(1, b"site 1");
///
/// let mut both = Checksum::default();
/// both.add(1, b"site 1");
/// both.add(0, b"site 0");
/// assert_eq!(first.combine(second), both);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Checksum {
    /// The sum whose terms are rotated by rank mod 29.
    pub suma: u32,
    /// The sum whose terms are rotated by rank mod 31.
    pub sumb: u32,
}

saved!(struct Checksum { suma, sumb });

impl Checksum {
    /// Adds the site of this rank in the full lattice; `site` is all its bytes as stored in the file.
    pub fn add(&mut self, rank: u64, site: &[u8]) {
        self.fold(Residues::of(rank), crc32(0, site));
    }

    /// Adds the site whose rank has these residues, which [`SiteOrder::residues`](super::SiteOrder::residues) knows
    /// without a division.
    #[inline]
    pub fn add_at(&mut self, residues: Residues, site: &[u8]) {
        self.fold(residues, crc32(0, site));
    }

    /// The checksum of two disjoint sets of sites together.
    #[must_use]
    pub const fn combine(self, other: Self) -> Self {
        Self { suma: self.suma ^ other.suma, sumb: self.sumb ^ other.sumb }
    }

    #[inline]
    pub(crate) const fn fold(&mut self, residues: Residues, crc: u32) {
        self.suma ^= crc.rotate_left(residues.mod_29 as u32);
        self.sumb ^= crc.rotate_left(residues.mod_31 as u32);
    }
}

/// In hexadecimal, with all 8 digits: `suma 0000002a sumb 4fded841`.
impl fmt::Display for Checksum {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "suma {:08x} sumb {:08x}", self.suma, self.sumb)
    }
}

/// A rank modulo 29 and 31. Kept up to date from site to site, because a division per site is slow on small
/// processors.
///
/// # Example
/// ```
/// use linkstream::lattice::{Extents, Region, Residues, SiteOrder};
///
/// let sites = SiteOrder::at(Extents::new(&[8, 8])?, Region::Lattice, 33);
/// assert_eq!(sites.residues(), Residues::of(33));
/// assert_eq!((sites.residues().mod_29, sites.residues().mod_31), (4, 2));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Residues {
    /// The rank modulo 29.
    pub mod_29: u8,
    /// The rank modulo 31.
    pub mod_31: u8,
}

impl Residues {
    /// The residues of a rank.
    #[must_use]
    pub const fn of(rank: u64) -> Self {
        // By halves, with 2^32 mod 29 = 16 and 2^32 mod 31 = 4: small processors have no instruction for a division of
        // 64 bits, and the function that replaces it is large. The largest sum is 28 * 16 + 28.
        let (high, low) = ((rank >> 32) as u32, rank as u32);
        let mod_29 = plus_u32(times_u32(high % 29, 16), low % 29) % 29;
        let mod_31 = plus_u32(times_u32(high % 31, 4), low % 31) % 31;
        Self { mod_29: mod_29 as u8, mod_31: mod_31 as u8 }
    }

    /// The residues of the next rank.
    #[inline]
    pub(crate) const fn next(self) -> Self {
        const fn up(residue: u8, modulus: u8) -> u8 {
            let next = plus_u8(residue, 1);
            if next >= modulus { 0 } else { next }
        }
        Self { mod_29: up(self.mod_29, 29), mod_31: up(self.mod_31, 31) }
    }
}

/// A [`Checksum`] of sites whose bytes arrive in pieces.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct SiteSum {
    crc: u32,
    sum: Checksum,
}

saved!(struct SiteSum { crc, sum });

impl SiteSum {
    /// Adds bytes of the current site.
    pub(crate) fn piece(&mut self, bytes: &[u8]) {
        self.crc = crc32(self.crc, bytes);
    }

    /// Adds the current site to the sums.
    pub(crate) const fn close(&mut self, residues: Residues) {
        self.sum.fold(residues, self.crc);
        self.crc = 0;
    }

    /// Adds the checksum of sites that were processed elsewhere.
    pub(crate) const fn combine(&mut self, others: Checksum) {
        self.sum = self.sum.combine(others);
    }

    pub(crate) const fn sum(&self) -> Checksum {
        self.sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_of_residues_equal_divisions() {
        let mut residues = Residues::of(0);
        for rank in 0..2000 {
            assert_eq!(residues, Residues::of(rank));
            residues = residues.next();
        }
    }

    #[test]
    fn residues_of_large_ranks_equal_divisions() {
        for start in [1 << 32, 1 << 33, 29 << 32, 31 << 40, u64::MAX - 100] {
            for rank in start - 50..start + 50 {
                let residues = Residues::of(rank);
                let expected = (rank % 29, rank % 31);
                assert_eq!((residues.mod_29.into(), residues.mod_31.into()), expected, "{rank}");
            }
        }
    }

    #[test]
    fn pieces_of_a_site_sum_like_the_whole_site() {
        let mut pieces = SiteSum::default();
        pieces.piece(b"abc");
        pieces.piece(b"def");
        pieces.close(Residues::of(40));
        let mut whole = Checksum::default();
        whole.add(40, b"abcdef");
        assert_eq!(pieces.sum(), whole);
    }
}
