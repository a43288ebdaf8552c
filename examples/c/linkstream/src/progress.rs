//! Progress of calls, and their cancellation.
#![allow(unsafe_code, reason = "a function of the caller is called")]

use std::ffi::c_void;
use std::time::Duration;

use linkstream_access::meter::{Cancelled, Meter};

use crate::answer::Refused;

/// A function of the caller: `linkstream_progress` in C.
pub type Function = unsafe extern "C" fn(context: *mut c_void, done: u64, total: u64) -> i32;

/// Time between two calls of the function.
const INTERVAL: Duration = Duration::from_millis(20);

/// The function of the caller and its first argument; without a function, nothing is reported.
#[derive(Debug, Clone, Copy)]
pub struct Progress {
    function: Option<Function>,
    context: *mut c_void,
}

impl Progress {
    /// Reports to this function.
    ///
    /// # Safety
    /// The function does what `linkstream.h` says, for as long as this value is used.
    #[must_use]
    pub unsafe fn new(function: Option<Function>, context: *mut c_void) -> Self {
        Self { function, context }
    }

    /// Reports how much is done.
    ///
    /// # Errors
    /// The caller cancels the work.
    pub fn report(&self, done: u64, total: u64) -> Result<(), Cancelled> {
        // SAFETY: as `new` requires.
        match self.function.map(|function| unsafe { function(self.context, done.min(total), total) }) {
            None | Some(0) => Ok(()),
            Some(_) => Err(Cancelled),
        }
    }
}

/// Runs `work`, whose sources count their bytes with this meter. If there is a function to report to, the work is done by
/// another thread, because only the thread of the caller calls the function.
///
/// # Errors
/// The error of the work, or the caller cancels it.
pub fn run<T: Send>(
    meter: &Meter,
    progress: &Progress,
    total: u64,
    work: impl FnOnce() -> Result<T, Refused> + Send,
) -> Result<T, Refused> {
    if progress.function.is_none() {
        return work();
    }
    meter.run(total, INTERVAL, work, |done, total| Ok(progress.report(done, total)?))
}

#[cfg(test)]
mod tests {
    use std::ptr;

    use super::*;
    use crate::answer::CANCELLED;

    unsafe extern "C" fn cancel(_: *mut c_void, _: u64, _: u64) -> i32 {
        1
    }

    #[test]
    fn work_is_not_begun_if_the_caller_cancels_at_once() {
        // SAFETY: the function accepts anything.
        let progress = unsafe { Progress::new(Some(cancel), ptr::null_mut()) };
        let run = run(&Meter::default(), &progress, 10, || -> Result<(), Refused> { panic!("begun") });
        assert_eq!(run.unwrap_err().code, CANCELLED);
    }
}
