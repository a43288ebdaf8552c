//! Whether a site list names each site once, as far as bounded memory can say.

use crate::state::saved;

/// The list so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct SiteList {
    /// Modulo 2^64: of the ranks, and of their squares. A list that names all sites once has these of 0, 1, 2, …; one
    /// that names another site in place of a single one never has.
    sum: u64,
    squares: u64,
    word: [u8; 4],
}

saved!(struct SiteList { sum, squares, word });

impl SiteList {
    pub(super) const fn new() -> Self {
        Self { sum: 0, squares: 0, word: [0; 4] }
    }

    /// A byte at `place` of the list; the word that it completes.
    pub(super) fn byte(&mut self, place: u64, byte: u8) -> Option<[u8; 4]> {
        let index = (place & 3) as usize;
        *self.word.get_mut(index)? = byte;
        (index == 3).then_some(self.word)
    }

    /// The rank of the next site.
    pub(super) fn add(&mut self, rank: u32) {
        let rank = u64::from(rank);
        self.sum = self.sum.wrapping_add(rank);
        self.squares = self.squares.wrapping_add(rank.wrapping_mul(rank));
    }

    /// Whether the list can be one of `sites` sites, each named once.
    pub(super) fn is_complete(&self, sites: u64) -> bool {
        // No list of 32-bit ranks names more sites once each.
        if sites > 1 << 32 {
            return false;
        }
        // Of 0 to n - 1: n (n - 1) / 2, and n (n - 1) (2 n - 1) / 6.
        let n = u128::from(sites);
        let pairs = n.wrapping_mul(n.wrapping_sub(1)) / 2;
        let squares = pairs.wrapping_mul(n.wrapping_mul(2).wrapping_sub(1)) / 3;
        (self.sum, self.squares) == (pairs as u64, squares as u64)
    }
}
