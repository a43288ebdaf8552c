//! The checksums of a file: exclusive ors of its words, each rotated by its place.

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

impl core::fmt::Display for Sums {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "sum29 {:x} sum31 {:x}", self.sum29, self.sum31)
    }
}

/// Sums under way.
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
    /// Bytes of `word` that are there.
    filled: u8,
    mod_29: u8,
    mod_31: u8,
}

saved!(struct Summing { order, sums, word, filled, mod_29, mod_31 });

impl Summing {
    /// For data in this byte order, from their first byte.
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

    /// The sums of the whole words so far.
    #[must_use]
    pub const fn sums(&self) -> Sums {
        self.sums
    }

    #[inline]
    fn word(&mut self, word: [u8; 4]) {
        let word = self.order.u32(word);
        self.sums.sum29 ^= word.rotate_left(u32::from(self.mod_29));
        self.sums.sum31 ^= word.rotate_left(u32::from(self.mod_31));
        let next = |residue: u8, modulus: u8| if residue >= modulus { 0 } else { residue.wrapping_add(1) };
        (self.mod_29, self.mod_31) = (next(self.mod_29, 28), next(self.mod_31, 30));
    }

    /// Bytes of words that are cut.
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
