//! Counts the clock ticks of the parts of the node, for the command `figures`.

use core::cell::Cell;

/// A clock that the board provides.
pub trait Clock {
    /// Ticks of the processor's clock since the start.
    fn ticks(&self) -> u64;

    /// Milliseconds since the start.
    fn milliseconds(&self) -> u64;

    /// Bytes of statics, and of the largest stack so far.
    fn memory(&self) -> (u32, u32);
}

/// Ticks that the parts of the node have taken.
#[derive(Debug, Default)]
pub struct Meter {
    pub network: Cell<u64>,
    /// Writing to the card, and reading from it.
    pub written: Cell<u64>,
    pub read: Cell<u64>,
    pub codec: Cell<u64>,
    pub digest: Cell<u64>,
    /// Attempts of the card that had to be repeated.
    pub retried: Cell<u64>,
    pub idle: Cell<u64>,
    /// Bytes of files that were received.
    pub bytes: Cell<u64>,
}

/// Runs `work` and adds its ticks to `part`.
pub fn measured<R>(clock: &impl Clock, part: &Cell<u64>, work: impl FnOnce() -> R) -> R {
    let before = clock.ticks();
    let result = work();
    part.set(part.get().wrapping_add(clock.ticks().saturating_sub(before)));
    result
}
