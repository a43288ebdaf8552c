//! The checksum of an archive: the sum of its 32-bit words.

use crate::lattice::ByteOrder;
use crate::state::saved;

/// The sum modulo 2^32 of the stored 32-bit words as integers, in both byte orders at once; a number of 64 bits is two
/// words. An archive that names no byte order has that in which the sum is right.
///
/// # Example
/// ```
/// use linkstream::lattice::ByteOrder;
/// use linkstream::nersc::WordSums;
///
/// let mut sums = WordSums::default();
/// // Data may be cut anywhere.
/// sums.feed(b"\0\0\0\x01\0");
/// sums.feed(b"\0\0\x02");
/// assert_eq!((sums.of(ByteOrder::Big), sums.of(ByteOrder::Little)), (3, 3 << 24));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct WordSums {
    big: u32,
    little: u32,
    /// Bytes of the word that is incomplete.
    phase: u8,
}

saved!(struct WordSums { big, little, phase });

impl WordSums {
    pub(super) const fn new() -> Self {
        Self { big: 0, little: 0, phase: 0 }
    }

    /// The next bytes of the data.
    pub fn feed(&mut self, bytes: &[u8]) {
        let missing = usize::from(4_u8.wrapping_sub(self.phase) & 3);
        let (front, rest) = bytes.split_at_checked(missing).unwrap_or((bytes, &[]));
        let (words, back) = rest.as_chunks::<4>();
        self.pieces(front);
        for word in words {
            self.big = self.big.wrapping_add(u32::from_be_bytes(*word));
            self.little = self.little.wrapping_add(u32::from_le_bytes(*word));
        }
        self.pieces(back);
    }

    /// The sum in this byte order.
    #[must_use]
    pub const fn of(&self, order: ByteOrder) -> u32 {
        match order {
            ByteOrder::Big => self.big,
            ByteOrder::Little => self.little,
        }
    }

    /// Bytes of words that are cut.
    fn pieces(&mut self, bytes: &[u8]) {
        for byte in bytes {
            let up = u32::from(self.phase).wrapping_mul(8);
            self.little = self.little.wrapping_add(u32::from(*byte).wrapping_shl(up));
            self.big = self.big.wrapping_add(u32::from(*byte).wrapping_shl(24_u32.wrapping_sub(up)));
            self.phase = self.phase.wrapping_add(1) & 3;
        }
    }

    pub(super) const fn is_consistent(&self, bytes: u64) -> bool {
        self.phase as u64 == bytes & 3
    }
}

/// The sum of all data, and the byte order in which it is compared with that of the header: the one in which both are
/// equal; else the one that the header names; else big-endian.
///
/// # Example
/// ```
/// use linkstream::lattice::ByteOrder;
/// use linkstream::nersc::{DataSum, WordSums};
///
/// let mut sums = WordSums::default();
/// sums.feed(&[0, 0, 0, 3]);
/// assert_eq!(DataSum::new(sums, ByteOrder::Big).value(), 3);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct DataSum {
    /// The sums in both byte orders.
    pub sums: WordSums,
    /// The byte order.
    pub order: ByteOrder,
}

impl DataSum {
    /// The sum in this byte order.
    #[must_use]
    pub const fn new(sums: WordSums, order: ByteOrder) -> Self {
        Self { sums, order }
    }

    /// The sum modulo 2^32.
    #[must_use]
    pub const fn value(&self) -> u32 {
        self.sums.of(self.order)
    }
}
