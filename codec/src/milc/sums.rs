//! The checksums of a file (exclusive ors of rotated words), the result of comparing them, and the check that a site
//! list names each site once.

use core::fmt;

use crate::counter::minus;
use crate::lattice::ByteOrder;
use crate::state::saved;

/// The two sums that a file has: the exclusive or of all words of the data as integers, word number `i` rotated left by
/// `i` mod 29, and by `i` mod 31. These are not SciDAC's sums, which are made of the CRC of each site.
///
/// # Example
/// ```
/// use linkstream::milc::Sums;
///
/// let sums = Sums { sum29: 0x2a, sum31: 0x4fde_d841 };
/// assert_eq!(sums.to_string(), "sum29 2a sum31 4fded841");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Sums {
    /// Rotated by the number of the word mod 29.
    pub sum29: u32,
    /// Rotated by the number of the word mod 31.
    pub sum31: u32,
}

saved!(struct Sums { sum29, sum31 });

impl fmt::Display for Sums {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "sum29 {:x} sum31 {:x}", self.sum29, self.sum31)
    }
}

/// Result of comparing the checksums of the data with the stored ones. Every MILC file stores them, so data that were
/// read are either OK or wrong. The sums do not change if two words are exchanged whose distance is a multiple of 899
/// words (29 times 31).
///
/// # Example
/// ```
/// use linkstream::milc::{Sums, Verdict};
///
/// let [stored, computed] = [Sums { sum29: 1, sum31: 2 }, Sums { sum29: 1, sum31: 3 }];
/// assert!(Verdict::Mismatch { stored, computed }.require_match().is_err());
/// ```
pub type Verdict = crate::Verdict<Sums>;

/// The checksums of the data were not verified.
///
/// # Example
/// ```
/// use linkstream::milc::Verdict;
///
/// let error = Verdict::Unchecked.require_match().err().ok_or("the data were skipped")?;
/// assert_eq!(error.to_string(), "data were skipped, so their checksums were not computed");
/// # Ok::<(), &str>(())
/// ```
pub type Unverified = crate::Unverified<Sums>;

impl fmt::Display for Unverified {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.verdict {
            Verdict::Mismatch { .. } => "checksum mismatch: the file contains other checksums",
            Verdict::Absent { .. } => "the file has no checksums",
            Verdict::Unchecked => "data were skipped, so their checksums were not computed",
            Verdict::Match { .. } => "the checksums of the data match the stored ones",
        })
    }
}

/// Computes [`Sums`] from data in chunks of any size.
///
/// # Example
/// ```
/// use linkstream::lattice::ByteOrder;
/// use linkstream::milc::{Sums, Summing};
///
/// let mut summing = Summing::new(ByteOrder::Big);
/// // Data may be cut anywhere.
/// summing.feed(b"\0\0\0\x01\0");
/// summing.feed(b"\0\0\x01");
/// assert_eq!(summing.sums(), Sums { sum29: 3, sum31: 3 });
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Summing {
    order: ByteOrder,
    sums: Sums,
    word: [u8; 4],
    /// Number of bytes in `word`.
    filled: u8,
    mod_29: u8,
    mod_31: u8,
}

saved!(struct Summing { order, sums, word, filled, mod_29, mod_31 });

impl Summing {
    /// Begins the sums of data in this byte order, from their first byte.
    #[must_use]
    pub const fn new(order: ByteOrder) -> Self {
        Self { order, sums: Sums { sum29: 0, sum31: 0 }, word: [0; 4], filled: 0, mod_29: 0, mod_31: 0 }
    }

    /// The next bytes of the data.
    pub fn feed(&mut self, bytes: &[u8]) {
        let missing = minus(4, u64::from(self.filled)) as usize & 3;
        let (front, rest) = bytes.split_at_checked(missing).unwrap_or((bytes, &[]));
        let (words, back) = rest.as_chunks::<4>();
        self.pieces(front);
        for word in words {
            self.word(*word);
        }
        self.pieces(back);
    }

    /// The sums of the complete words so far.
    #[must_use]
    pub const fn sums(&self) -> Sums {
        self.sums
    }

    #[inline]
    fn word(&mut self, word: [u8; 4]) {
        let word = self.order.u32(word);
        self.sums.sum29 ^= word.rotate_left(u32::from(self.mod_29));
        self.sums.sum31 ^= word.rotate_left(u32::from(self.mod_31));
        // Counting the residues saves two divisions for each word.
        let next = |residue: u8, modulus: u8| if residue >= modulus { 0 } else { residue.wrapping_add(1) };
        (self.mod_29, self.mod_31) = (next(self.mod_29, 28), next(self.mod_31, 30));
    }

    /// Takes bytes of incomplete words.
    fn pieces(&mut self, bytes: &[u8]) {
        for byte in bytes {
            if let Some(place) = self.word.get_mut(usize::from(self.filled)) {
                *place = *byte;
            }
            self.filled = self.filled.wrapping_add(1) & 3;
            if self.filled == 0 {
                self.word(self.word);
            }
        }
    }

    pub(super) const fn is_consistent(&self, order: ByteOrder, bytes: u64) -> bool {
        let words = bytes >> 2;
        let same_order = matches!(
            (self.order, order),
            (ByteOrder::Big, ByteOrder::Big) | (ByteOrder::Little, ByteOrder::Little)
        );
        same_order
            && self.filled as u64 == bytes & 3
            && self.mod_29 as u64 == words % 29
            && self.mod_31 as u64 == words % 31
    }
}

/// Sums over the site list, to check it without storing it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SiteList {
    /// Sums of the ranks and of their squares, modulo 2^64. They are compared with the sums of 0, 1, 2, …. A list in
    /// which one site is named in place of another never has the same sums; a list with several such mistakes can.
    sum: u64,
    squares: u64,
    word: [u8; 4],
}

saved!(struct SiteList { sum, squares, word });

/// The number whose product with 3 is 1, modulo 2^64.
const INVERSE_OF_3: u64 = 0xaaaa_aaaa_aaaa_aaab;

impl SiteList {
    pub(super) const fn new() -> Self {
        Self { sum: 0, squares: 0, word: [0; 4] }
    }

    /// Takes the byte at `place` of the list. Returns the word that it completes.
    pub(super) fn byte(&mut self, place: u64, byte: u8) -> Option<[u8; 4]> {
        let index = (place & 3) as usize;
        *self.word.get_mut(index)? = byte;
        (index == 3).then_some(self.word)
    }

    /// Adds the rank of the next site.
    pub(super) fn add(&mut self, rank: u32) {
        let rank = u64::from(rank);
        self.sum = self.sum.wrapping_add(rank);
        self.squares = self.squares.wrapping_add(rank.wrapping_mul(rank));
    }

    /// True if the sums are equal to the sums of a list that names each of `sites` sites once.
    pub(super) fn is_complete(&self, sites: u64) -> bool {
        // Ranks of 32 bits cannot name more sites.
        if sites > 1 << 32 {
            return false;
        }
        // The sums over 0 to n - 1 are n (n - 1) / 2 and n (n - 1) (2 n - 1) / 6. The product in the first one has 64 bits.
        let pairs = sites.wrapping_mul(sites.saturating_sub(1)) / 2;
        // The second one is needed modulo 2^64 only, where a multiple of 3 is divided by a multiplication. A division of
        // 128 bits would take 1.3 kB of flash.
        let thrice = pairs.wrapping_mul(sites.wrapping_mul(2).wrapping_sub(1));
        (self.sum, self.squares) == (pairs, thrice.wrapping_mul(INVERSE_OF_3))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_of_complete_lists() {
        let mut list = SiteList::new();
        for n in 0..1000 {
            assert!(list.is_complete(n.into()), "{n}");
            list.add(n);
        }
        for n in [1 << 31, (1 << 32) - 1, 1_u128 << 32] {
            let [sum, squares] = [n * (n - 1) / 2, n * (n - 1) * (2 * n - 1) / 6].map(|sum| sum as u64);
            assert!(SiteList { sum, squares, ..SiteList::new() }.is_complete(n as u64), "{n}");
            assert!(!SiteList { sum, squares: squares ^ 1, ..SiteList::new() }.is_complete(n as u64), "{n}");
        }
    }
}
