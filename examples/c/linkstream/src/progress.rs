//! Progress of calls, and their cancellation.
#![allow(unsafe_code, reason = "a function of the caller is called")]

use std::ffi::c_void;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use crate::answer::Refused;
use crate::cancelled::Cancelled;

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

/// Counts the bytes that a call has read, and stops its sources if it is cancelled.
#[derive(Debug, Default)]
pub struct Meter {
    done: AtomicU64,
    is_cancelled: AtomicBool,
}

impl Meter {
    /// Counts bytes.
    ///
    /// # Errors
    /// The call is cancelled.
    pub fn add(&self, bytes: u64) -> Result<(), Cancelled> {
        if self.is_cancelled.load(Ordering::Relaxed) {
            return Err(Cancelled);
        }
        self.done.fetch_add(bytes, Ordering::Relaxed);
        Ok(())
    }

    /// Runs `work`, whose sources count their bytes with this meter. If there is a function to report to, the work is
    /// done by another thread, because only the thread of the caller calls the function.
    ///
    /// # Errors
    /// The error of the work, or the caller cancels it.
    pub fn run<T: Send>(
        &self,
        progress: &Progress,
        total: u64,
        work: impl FnOnce() -> Result<T, Refused> + Send,
    ) -> Result<T, Refused> {
        self.done.store(0, Ordering::Relaxed);
        self.is_cancelled.store(false, Ordering::Relaxed);
        if progress.function.is_none() {
            return work();
        }
        progress.report(0, total)?;
        let (to, from) = channel::<()>();
        thread::scope(|scope| {
            let work = move || {
                let result = work();
                drop(to);
                result
            };
            let worker = thread::Builder::new().spawn_scoped(scope, work)?;
            // Nothing is sent: the end of the work closes the channel, also by a panic.
            let mut reported = Ok(());
            while let Err(RecvTimeoutError::Timeout) = from.recv_timeout(INTERVAL) {
                reported = reported.and_then(|()| progress.report(self.done.load(Ordering::Relaxed), total));
                self.is_cancelled.store(reported.is_err(), Ordering::Relaxed);
            }
            let result = worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
            // The meter must not stop what is read later.
            self.is_cancelled.store(false, Ordering::Relaxed);
            reported?;
            let value = result?;
            progress.report(total, total)?;
            Ok(value)
        })
    }
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
        let run = Meter::default().run(&progress, 10, || -> Result<(), Refused> { panic!("begun") });
        assert_eq!(run.unwrap_err().code, CANCELLED);
    }
}
