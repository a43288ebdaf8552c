//! The entries of a site list: ranks of the sites of a volume, in one of two widths.
//!
//! # Invariants of a probe
//! | field | holds | changes |
//! |---|---|---|
//! | `bytes` | number of bytes of the list so far | with each byte |
//! | `word` | the last 4 bytes, big-endian | with each byte |
//! | `largest` | largest of the words 0, 2, 4 and so on | where the fourth of each 8 bytes comes |

use crate::counter::Counter as _;
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

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
