//! Progress of work that reads sources, and its cancellation.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;
use std::{error, fmt, io, panic, thread};

use crate::error::Error;
use crate::source::Source;

/// Counts the bytes that some work has read, and stops its sources if it is cancelled.
///
/// ```
/// use std::sync::Arc;
/// use std::time::Duration;
///
/// use linkstream_access::meter::{Meter, Metered};
/// use linkstream_access::{Error, File};
///
/// # let bytes = include_bytes!("../../su3-4x4x4x8.lime").to_vec();
/// let meter = Arc::<Meter>::default();
/// let file = File::open(Arc::new(Metered::new(bytes, meter.clone())))?;
/// let field = file.field(0)?;
/// let total = field.layout().data_length().unwrap_or(0);
/// let mut last = 0;
/// let work = || field.verify();
/// let verdict = meter.run(total, Duration::from_millis(20), work, |done, _| {
///     last = done;
///     Ok::<(), Error>(())
/// })?;
/// assert!(verdict.is_verified());
/// assert_eq!(last, total);
/// # Ok::<(), Error>(())
/// ```
#[derive(Debug, Default)]
pub struct Meter {
    done: AtomicU64,
    is_cancelled: AtomicBool,
}

impl Meter {
    /// Counts bytes that are done without a [`Metered`] source, for instance written.
    ///
    /// # Errors
    /// The work is cancelled.
    pub fn add(&self, bytes: u64) -> Result<(), Cancelled> {
        if self.is_cancelled.load(Ordering::Relaxed) {
            return Err(Cancelled);
        }
        self.done.fetch_add(bytes, Ordering::Relaxed);
        Ok(())
    }

    /// Cancels work that [`run`](Self::run) has not begun: its sources stop from now on.
    pub fn cancel(&self) {
        self.is_cancelled.store(true, Ordering::Relaxed);
    }

    /// Runs `work` on another thread, whose sources count their bytes with this meter. Meanwhile, this thread calls
    /// `report` with the number of bytes that have been read and with `total`: at the beginning, after each `interval`,
    /// and at the end. The first number is never larger than the second. An error of `report` cancels the work.
    ///
    /// # Errors
    /// The error of `report`, or of the work; no thread can be started.
    pub fn run<T: Send, E: Send + From<io::Error>>(
        &self,
        total: u64,
        interval: Duration,
        work: impl FnOnce() -> Result<T, E> + Send,
        mut report: impl FnMut(u64, u64) -> Result<(), E>,
    ) -> Result<T, E> {
        self.done.store(0, Ordering::Relaxed);
        self.is_cancelled.store(false, Ordering::Relaxed);
        report(0, total)?;
        linkstream_memory::afford_thread().map_err(io::Error::from)?;
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
            while let Err(RecvTimeoutError::Timeout) = from.recv_timeout(interval) {
                let done = self.done.load(Ordering::Relaxed).min(total);
                reported = reported.and_then(|()| report(done, total));
                self.is_cancelled.store(reported.is_err(), Ordering::Relaxed);
            }
            let joined = worker.join();
            // The meter must not stop what is read later, not even if the caller catches a panic.
            self.is_cancelled.store(false, Ordering::Relaxed);
            let result = joined.unwrap_or_else(|panic| panic::resume_unwind(panic));
            reported?;
            let value = result?;
            report(total, total)?;
            Ok(value)
        })
    }
}

/// A source that counts the bytes that are read, and stops if the work is cancelled.
#[derive(Debug)]
pub struct Metered<S> {
    source: S,
    meter: Arc<Meter>,
}

impl<S> Metered<S> {
    /// Counts with this meter.
    pub const fn new(source: S, meter: Arc<Meter>) -> Self {
        Self { source, meter }
    }
}

impl<S: Source<Error = io::Error>> Source for Metered<S> {
    type Error = io::Error;

    fn length(&self) -> io::Result<u64> {
        self.source.length()
    }

    fn worthwhile(&self) -> u64 {
        self.source.worthwhile()
    }

    fn identity(&self) -> Option<(u64, u64)> {
        self.source.identity()
    }

    fn places(&self) -> u64 {
        self.source.places()
    }

    fn is_changed(&self) -> io::Result<bool> {
        self.source.is_changed()
    }

    fn read_at(&self, offset: u64, out: &mut [u8]) -> io::Result<usize> {
        self.meter.add(0)?;
        let n = self.source.read_at(offset, out)?;
        self.meter.add(n as u64)?;
        Ok(n)
    }
}

/// Reason why a source stops: the work is cancelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cancelled;

impl Cancelled {
    /// True if this is the reason of an error, or of one that it contains.
    #[must_use]
    pub fn is(error: &io::Error) -> bool {
        let mut cause: Option<&(dyn error::Error + 'static)> =
            error.get_ref().map(|inner| inner as &(dyn error::Error + 'static));
        while let Some(error) = cause {
            if error.is::<Self>() || error.downcast_ref::<io::Error>().is_some_and(Self::is) {
                return true;
            }
            cause = error.source();
        }
        false
    }
}

impl fmt::Display for Cancelled {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the progress function has cancelled the call")
    }
}

impl error::Error for Cancelled {}

impl From<Cancelled> for io::Error {
    fn from(cancelled: Cancelled) -> Self {
        // Not `Interrupted`: reading would be tried again.
        Self::other(cancelled)
    }
}

impl From<Cancelled> for Error {
    fn from(cancelled: Cancelled) -> Self {
        Self::Io(cancelled.into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const INTERVAL: Duration = Duration::from_millis(1);

    #[test]
    fn a_cancelled_error_is_recognised_wherever_it_is() {
        let inner = io::Error::from(Cancelled);
        assert!(Cancelled::is(&inner));
        assert!(Cancelled::is(&io::Error::other(inner)));
        assert!(!Cancelled::is(&io::Error::other("something else")));
    }

    #[test]
    fn work_is_not_begun_if_it_is_cancelled_at_once() {
        let work = || -> io::Result<()> { panic!("begun") };
        let run = Meter::default().run(10, INTERVAL, work, |_, _| Err(io::ErrorKind::TimedOut.into()));
        assert_eq!(run.unwrap_err().kind(), io::ErrorKind::TimedOut);
    }

    #[test]
    fn cancelled_work_ends_with_the_error_of_the_report_and_the_source_can_be_read_again() {
        let meter = Arc::<Meter>::default();
        let source = Metered::new(vec![7; 100], meter.clone());
        let mut byte = [0];
        let work = || -> io::Result<()> {
            loop {
                source.read_at(3, &mut byte)?;
            }
        };
        let report = |done, total| {
            assert!(done <= total && total == 50);
            if done > 0 { Err(io::ErrorKind::TimedOut.into()) } else { Ok(()) }
        };
        assert_eq!(meter.run(50, INTERVAL, work, report).unwrap_err().kind(), io::ErrorKind::TimedOut);
        let mut rest = [0; 4];
        assert_eq!(source.read_at(98, &mut rest).expect("the source works"), 2);
    }

    #[test]
    fn the_source_can_be_read_after_a_panic_of_cancelled_work() {
        let meter = Arc::<Meter>::default();
        let source = Metered::new(vec![7; 100], meter.clone());
        let work = || -> io::Result<()> {
            let mut byte = [0];
            while source.read_at(3, &mut byte).is_ok() {}
            panic!("cancelled");
        };
        let report = |done, _| if done > 0 { Err(io::ErrorKind::TimedOut.into()) } else { Ok(()) };
        let run = panic::AssertUnwindSafe(|| meter.run(50, INTERVAL, work, report));
        assert!(panic::catch_unwind(run).is_err());
        assert_eq!(source.read_at(98, &mut [0; 4]).expect("the source works"), 2);
    }
}
