//! Buffers that a program lends to the codec. They are in static memory, so that they take no space on the stack.

use core::cell::UnsafeCell;
use core::sync::atomic::{AtomicBool, Ordering};

/// A value in static memory that is handed out once.
pub struct Buffers<T> {
    value: UnsafeCell<T>,
    lent: AtomicBool,
}

// SAFETY: `take` returns the only reference to the value, and only once; there is one core, and interrupts do not call
// `take`.
unsafe impl<T> Sync for Buffers<T> {}

impl<T> Buffers<T> {
    /// Buffers with this initial value.
    pub const fn new(value: T) -> Self {
        Self { value: UnsafeCell::new(value), lent: AtomicBool::new(false) }
    }

    /// Returns the buffers at the first call, `None` after that.
    #[allow(clippy::mut_from_ref, reason = "the reference is returned only once")]
    pub fn take(&'static self) -> Option<&'static mut T> {
        // A load and a store, because a Cortex-M0 has no atomic swap; interrupts do not call this function.
        if self.lent.load(Ordering::Relaxed) {
            return None;
        }
        self.lent.store(true, Ordering::Relaxed);
        // SAFETY: this line is reached only once, because of `lent`.
        Some(unsafe { &mut *self.value.get() })
    }
}
