//! The buffers a program lends to the codec, in static memory, so that the stack stays for calls.

use core::cell::UnsafeCell;
use core::sync::atomic::{AtomicBool, Ordering};

/// A value in static memory that is handed out once.
pub struct Buffers<T> {
    value: UnsafeCell<T>,
    lent: AtomicBool,
}

// SAFETY: `take` lends the value once, and there is one core: whoever has it is where it was taken.
unsafe impl<T> Sync for Buffers<T> {}

impl<T> Buffers<T> {
    /// With what is in them at first.
    pub const fn new(value: T) -> Self {
        Self { value: UnsafeCell::new(value), lent: AtomicBool::new(false) }
    }

    /// The buffers; `None` the second time.
    #[allow(clippy::mut_from_ref, reason = "it is given once")]
    pub fn take(&'static self) -> Option<&'static mut T> {
        // Load and store, for a Cortex-M0 has nothing that does both at once; nothing here is taken by interrupts.
        if self.lent.load(Ordering::Relaxed) {
            return None;
        }
        self.lent.store(true, Ordering::Relaxed);
        // SAFETY: this line is reached once.
        Some(unsafe { &mut *self.value.get() })
    }
}
