//! How much of its data a call has delivered, so that a call that was interrupted is not taken for a complete one.

use super::error::ReadError;

/// What the current call has put into the slice of the caller, or passed to the callback, in bytes or in numbers. It
/// is counted until the call is complete. A call that fails because of the source, or whose future is dropped, leaves
/// it as it is. What it has delivered is elsewhere, so the next call is refused until the caller asks how much it was.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Delivery {
    pub(super) done: usize,
}

impl Delivery {
    pub(super) const NONE: Self = Self { done: 0 };

    /// Refuses a call after one that was interrupted.
    pub(super) const fn begin<E, K>(self) -> Result<(), ReadError<E, K>> {
        if self.done == 0 { Ok(()) } else { Err(ReadError::Interrupted { done: self.done as u64 }) }
    }

    /// Counts what has just been delivered. Callbacks can be passed more than memory can address.
    pub(super) const fn add(&mut self, n: usize) {
        self.done = self.done.saturating_add(n);
    }

    /// The call is complete, or its data are given up. Returns how much was delivered.
    pub(super) const fn end(&mut self) -> usize {
        core::mem::replace(&mut self.done, 0)
    }
}
