//! The end of the interpreter. A thread that runs code of Python then is ended in the middle of it, and the program with
//! it. So Python waits for the threads of this module, which begin nothing new.

use std::cell::Cell;
use std::io;
use std::marker::PhantomData;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::{self, ThreadId};
use std::time::Duration;

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// Number of calls and threads that use the interpreter, or will.
static WORKING: AtomicUsize = AtomicUsize::new(0);
thread_local! {
    /// Number of calls of this thread.
    static OWN: Cell<usize> = const { Cell::new(0) };
}
/// The thread that ends the interpreter. It may still call functions of this module.
static ENDING: OnceLock<ThreadId> = OnceLock::new();
/// Polling interval of the counter.
const INTERVAL: Duration = Duration::from_millis(2);

const MESSAGE: &str = "the interpreter is ending";

/// Guard for work that must finish before the interpreter exits. It ends in the thread that began it.
#[derive(Debug)]
pub struct Working(PhantomData<*const ()>);

impl Working {
    /// Begins work in this thread.
    ///
    /// # Errors
    /// Another thread is ending the interpreter.
    pub fn begin() -> PyResult<Self> {
        Self::unless(|| ENDING.get().is_some_and(|thread| *thread != thread::current().id()))
    }

    /// Begins work of a thread whose result no caller awaits.
    ///
    /// # Errors
    /// The interpreter is ending.
    pub fn begin_alone() -> PyResult<Self> {
        Self::unless(|| ENDING.get().is_some())
    }

    fn unless(is_refused: impl Fn() -> bool) -> PyResult<Self> {
        WORKING.fetch_add(1, Ordering::SeqCst);
        OWN.set(OWN.get().saturating_add(1));
        // Dropped if it is refused. Whoever ends the interpreter looks at the number after this one is set.
        let working = Self(PhantomData);
        if is_refused() { Err(PyRuntimeError::new_err(MESSAGE)) } else { Ok(working) }
    }
}

impl Drop for Working {
    fn drop(&mut self) {
        WORKING.fetch_sub(1, Ordering::SeqCst);
        OWN.set(OWN.get().saturating_sub(1));
    }
}

/// Cancels the work of this thread if another one is ending the interpreter.
///
/// # Errors
/// It is ending.
pub fn check() -> PyResult<()> {
    Working::begin().map(drop)
}

/// Runs code with the interpreter.
///
/// # Errors
/// Errors of the code; there is no interpreter any more.
pub fn attached<T>(work: impl FnOnce(Python<'_>) -> io::Result<T>) -> io::Result<T> {
    Python::try_attach(work).unwrap_or_else(|| Err(io::Error::other(MESSAGE)))
}

/// Waits for the work of other threads, which ends early. Called when the interpreter ends, and Ctrl-C ends the waiting.
#[pyfunction]
pub fn end_work(py: Python<'_>) -> PyResult<()> {
    ENDING.get_or_init(|| thread::current().id());
    while WORKING.load(Ordering::SeqCst) > 0 {
        py.check_signals()?;
        py.detach(|| thread::sleep(INTERVAL));
    }
    Ok(())
}

/// Forgets the work of other threads, which do not exist in a forked process.
#[pyfunction]
pub fn forget_work() {
    // The thread that forks goes on, and may be inside of a call that ends later.
    WORKING.store(OWN.get(), Ordering::SeqCst);
}
