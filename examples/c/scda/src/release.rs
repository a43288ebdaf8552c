//! The end of the program's ranks.
#![allow(unsafe_code, reason = "a function of the caller is called")]

use std::ffi::{c_int, c_void};

/// Function of a program that frees the context of its ranks.
pub(crate) type Free = unsafe extern "C" fn(*mut c_void, c_int);

/// The function and its context. The function is called once, at the latest when this value is dropped.
#[derive(Debug)]
pub(crate) struct Release(Option<(Free, *mut c_void)>);

impl Release {
    /// Nothing to free.
    pub const NOTHING: Self = Self(None);

    /// The function for a context.
    ///
    /// # Safety
    /// The function can be called with the context, once.
    pub const unsafe fn new(free: Free, context: *mut c_void) -> Self {
        Self(Some((free, context)))
    }

    /// Calls the function. `usable` is false if the ranks cannot communicate any more.
    pub fn call(mut self, usable: bool) {
        self.once(usable);
    }

    fn once(&mut self, usable: bool) {
        if let Some((free, context)) = self.0.take() {
            // SAFETY: as the creator of this value has promised; it is the only call.
            unsafe { free(context, usable.into()) };
        }
    }
}

impl Drop for Release {
    fn drop(&mut self) {
        // A call has ended by a defect: the other ranks do not know.
        self.once(false);
    }
}
