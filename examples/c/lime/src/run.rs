//! Data that a program reads or writes in order, in small pieces: what a piece changes, without anything else.

use crate::state::{self, LEN};

/// Part of the data of a record from the current position on. A decoder or a writer learns afterwards how much of it has
/// been read or written.
#[derive(Debug, Clone, Copy, Default)]
pub struct Run {
    /// Offset of the next byte in the file.
    pub at: u64,
    /// Position of the next byte in the data.
    pub place: u64,
    /// Number of bytes that can follow; 0 if nothing is known.
    pub left: u64,
    /// Number of bytes that have been read or written.
    pub done: u64,
}

impl Run {
    /// Passes a piece, and shows it in a saved state.
    #[inline]
    pub fn pass(&mut self, length: u64, state: &mut [u8; LEN]) {
        self.at += length;
        self.place += length;
        self.left -= length;
        self.done += length;
        state::change_place(state, self.place);
    }
}
