//! Work without the interpreter: other threads of Python run meanwhile, Ctrl-C ends it, and its progress is reported.

use std::time::Duration;

use linkstream_access::meter::Meter;
use pyo3::prelude::*;

use crate::error::ended;
use crate::exit::{self, Working};
use crate::held;

/// Work on fewer bytes ends before anyone would press Ctrl-C. A thread would cost more.
const SHORT: u64 = 1 << 20;
/// Time between two looks at signals.
const INTERVAL: Duration = Duration::from_millis(20);

/// Runs `work`, which reads about `total` bytes from sources that this meter counts. `progress` is called with the
/// number of bytes that have been read and with their total number.
///
/// # Errors
/// The error of the work; `KeyboardInterrupt`, or the exception of `progress`.
pub fn run<T: Send>(
    py: Python<'_>,
    meter: &Meter,
    total: u64,
    progress: Option<&Bound<'_, PyAny>>,
    work: impl FnOnce() -> PyResult<T> + Send,
) -> PyResult<T> {
    let _working = Working::begin()?;
    let work = || isolated(work);
    if total < SHORT && progress.is_none() {
        return py.detach(work);
    }
    let progress = progress.map(|function| function.clone().unbind());
    let work = held::passed_on(work);
    py.detach(|| {
        meter.run(total, INTERVAL, work, |done, total| {
            let reported = exit::attached(|py| {
                py.check_signals()?;
                exit::check()?;
                Ok(progress
                    .as_ref()
                    .map_or(Ok(()), |function| function.call1(py, (done, total)).map(drop))?)
            });
            Ok(reported?)
        })
    })
}

/// Runs short work, which may read sources, without the interpreter.
///
/// # Errors
/// The error of the work.
pub fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> PyResult<T> + Send) -> PyResult<T> {
    let _working = Working::begin()?;
    py.detach(|| isolated(work))
}

/// Runs work on a file. If it panics, the exception is an `InternalError`: `PanicException` of PyO3, which is no
/// `Exception`, would end the program. Without enough memory, it is a `MemoryError`.
fn isolated<T>(work: impl FnOnce() -> PyResult<T>) -> PyResult<T> {
    linkstream_access::isolated::isolated(work).unwrap_or_else(|error| Err(ended(&error)))
}

/// Waits until `ready` returns a value: it looks for at most the interval that it is passed. Ctrl-C ends the waiting.
///
/// # Errors
/// `KeyboardInterrupt`.
pub fn wait<T: Send>(py: Python<'_>, ready: impl Fn(Duration) -> Option<T> + Sync) -> PyResult<T> {
    let _working = Working::begin()?;
    loop {
        if let Some(value) = py.detach(|| ready(INTERVAL)) {
            return Ok(value);
        }
        py.check_signals()?;
        exit::check()?;
    }
}
