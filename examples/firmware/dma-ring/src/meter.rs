//! Counts of the node: instructions by part, messages, and where the bytes were that the decoder took.

use core::cell::Cell;

/// Measurements of the board.
pub trait Board {
    /// Instructions executed since the start.
    fn instructions(&self) -> u64;

    /// True if the bytes are in the controller's buffers for received frames.
    fn is_received(&self, bytes: &[u8]) -> bool;

    /// Number of times that the controller had no free buffer, since the start.
    fn times_full(&self) -> u32;

    /// Bytes of statics, and of the largest stack so far.
    fn memory(&self) -> (usize, usize);
}

/// Instructions spent on frames.
#[derive(Debug, Default)]
pub struct Parts {
    /// From the look into the ring until the descriptor is returned and the bytes are decoded.
    pub all: Cell<u64>,
    /// The headers, and the checksums of IPv4 and UDP.
    pub headers: Cell<u64>,
    pub copy: Cell<u64>,
    pub codec: Cell<u64>,
}

/// Counts since the first message of a file.
#[derive(Debug, Default)]
pub struct Meter {
    /// The frame that is being taken. At its end, its counts are added to the counts of the file.
    pub frame: Parts,
    pub file: Parts,
    /// Instructions of the answers, except for reports.
    pub answers: Cell<u64>,
    /// Bytes that were pushed to the decoder from the memory of received frames, and from other memory.
    pub in_place: Cell<u64>,
    pub copied: Cell<u64>,
    /// Messages that were received again, and that were too early.
    pub doubled: Cell<u64>,
    pub early: Cell<u64>,
}

impl Meter {
    /// Begins a file.
    pub fn clear(&self) {
        let Self {
            frame: _,
            file: Parts { all, headers, copy, codec },
            answers,
            in_place,
            copied,
            doubled,
            early,
        } = self;
        for count in [all, headers, copy, codec, answers, in_place, copied, doubled, early] {
            count.set(0);
        }
    }

    /// Ends a frame.
    pub fn end_frame(&self) {
        let (Parts { all, headers, copy, codec }, file) = (&self.frame, &self.file);
        for (of, to) in [(all, &file.all), (headers, &file.headers), (copy, &file.copy), (codec, &file.codec)]
        {
            add(to, of.take());
        }
    }
}

pub fn add(count: &Cell<u64>, n: u64) {
    count.set(count.get().wrapping_add(n));
}

/// Runs `work` and adds its instructions to `part`.
pub fn measured<R>(board: &impl Board, part: &Cell<u64>, work: impl FnOnce() -> R) -> R {
    let before = board.instructions();
    let result = work();
    add(part, board.instructions().wrapping_sub(before));
    result
}
