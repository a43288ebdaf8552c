//! Arguments of C programs, and handles that all ranks use together.
#![allow(unsafe_code, reason = "the C interface")]

use std::cell::Cell;
use std::ffi::{c_char, c_int};
use std::path::PathBuf;

use linkstream_c_border::{Handles, guard, guarded};
use linkstream_c_ranks::Ranks;
use linkstream_memory as memory;
use linkstream_parallel::Arguments;

use crate::calls_string::text;
use crate::code::{EOF, Refused, SUCCESS, of_unwound};
use crate::filename;
use crate::memory::store;
use crate::stop::{Stop, enter, enter_with, is_other_call};
use crate::string::{QioString, borrow};
use crate::verbosity;
use crate::world;

thread_local! {
    /// Number of functions of the program that are running.
    static CALLBACKS: Cell<u32> = const { Cell::new(0) };
}

/// Marks that a function of the program is running, which must not wait for other ranks.
#[derive(Debug)]
pub struct InCallback;

impl InCallback {
    /// Begins.
    #[must_use]
    pub fn begin() -> Self {
        CALLBACKS.set(CALLBACKS.get() + 1);
        Self
    }
}

impl Drop for InCallback {
    fn drop(&mut self) {
        CALLBACKS.set(CALLBACKS.get() - 1);
    }
}

/// A value that all ranks have.
pub trait Collective {
    /// The ranks.
    fn ranks(&self) -> Ranks;

    /// Adds what each rank has set by itself since the last call, and must be the same on all ranks.
    fn settings(&self, arguments: Arguments) -> Arguments;
}

/// Collective: runs a call with a handle. If it is wrong on one rank, all ranks get the error.
///
/// # Errors
/// There is no such handle on some rank, or the call failed.
pub fn collective<T: Collective, R>(
    name: &'static str,
    handles: &Handles<T>,
    handle: *mut T,
    call: impl FnOnce(&mut T) -> Result<R, Stop>,
) -> Result<R, Stop> {
    let outcome = handles.with(handle, |value| {
        enter_with(&value.ranks(), value.settings(Arguments::new(name)), Ok(()))?;
        call(value)
    });
    outcome.unwrap_or_else(|failure| refuse(name, Stop::from(Refused::from(failure))))
}

/// Collective: ends a handle. It stays if another rank makes another call.
///
/// # Errors
/// There is no such handle on some rank, or another rank makes another call.
pub fn collective_close<T: Collective>(
    name: &'static str,
    handles: &Handles<T>,
    handle: *mut T,
) -> Result<Box<T>, Stop> {
    match handles.with(handle, |value| enter(&value.ranks(), name, Ok(()))) {
        Ok(Err(stop)) if is_other_call(&stop) => Err(stop),
        Ok(entered) => {
            let value = handles.close(handle).map_err(|failure| Stop::from(Refused::from(failure)))?;
            entered.map(|()| value)
        }
        Err(failure) => refuse(name, Stop::from(Refused::from(failure))),
    }
}

/// Collective: the other ranks may have entered the call with handles that exist.
fn refuse<R>(name: &'static str, stop: Stop) -> Result<R, Stop> {
    if CALLBACKS.get() > 0 {
        // The ranks are in another call.
        return Err(stop);
    }
    let comm = world::ranks()?;
    enter(&comm, name, Err(stop))
}

/// Keeps the description of an error, prints it if the program wants that, and returns its code.
fn report(name: &str, stop: Stop) -> c_int {
    verbosity::say(verbosity::LOW, || format!("{name}: {}", stop.fault));
    Refused::from(stop).keep()
}

/// Runs a call that returns a code.
pub fn coded(name: &str, call: impl FnOnce() -> Result<(), Stop>) -> c_int {
    guarded(|| call().map_or_else(|stop| report(name, stop), |()| SUCCESS)).unwrap_or_else(of_unwound)
}

/// Runs a call that returns a code, and false at the end of the file.
pub fn coded_or_end(name: &str, call: impl FnOnce() -> Result<bool, Stop>) -> c_int {
    let code = guarded(|| match call() {
        Ok(true) => SUCCESS,
        Ok(false) => EOF,
        Err(stop) => report(name, stop),
    });
    code.unwrap_or_else(of_unwound)
}

/// Runs a call that returns a value, or `otherwise` after an error.
pub fn valued<T: Copy>(name: &str, otherwise: T, call: impl FnOnce() -> Result<T, Stop>) -> T {
    guard(otherwise, || {
        call().unwrap_or_else(|stop| {
            report(name, stop);
            otherwise
        })
    })
}

/// Runs a call that returns a value and passes its code, if there is a place for it.
///
/// # Safety
/// The place is null or valid.
pub unsafe fn valued_with_status<T: Copy>(
    name: &str,
    otherwise: T,
    status: *mut c_int,
    call: impl FnOnce() -> Result<Option<T>, Stop>,
) -> T {
    let answer = guarded(|| match call() {
        Ok(Some(value)) => (value, SUCCESS),
        Ok(None) => (otherwise, EOF),
        Err(stop) => (otherwise, report(name, stop)),
    });
    let (value, code) = answer.unwrap_or_else(|unwound| (otherwise, of_unwound(unwound)));
    // SAFETY: as this function requires.
    unsafe { store(status, code) };
    value
}

/// A file name of the program.
///
/// # Errors
/// It is missing, empty or too long.
///
/// # Safety
/// The pointer is null or a text.
pub unsafe fn path(name: *const c_char) -> Result<PathBuf, Stop> {
    use std::os::unix::ffi::OsStrExt as _;
    // SAFETY: as this function requires.
    let name = unsafe { text(name) }.ok_or_else(|| Stop::usage("the file name is a null pointer"))?;
    Ok(std::ffi::OsStr::from_bytes(filename::checked(name)?).into())
}

/// A text of the program; a null pointer is an empty text.
///
/// # Errors
/// The pointer is no string.
///
/// # Safety
/// The pointer is null or a string.
pub unsafe fn optional(string: *mut QioString) -> Result<Vec<u8>, Stop> {
    if string.is_null() {
        return Ok(Vec::new());
    }
    // SAFETY: as this function requires.
    let string = unsafe { borrow(string) }?;
    Ok(memory::copied(crate::walk::trimmed(string.bytes()))?)
}

/// Passes a text to the program, if it wants it.
///
/// # Errors
/// The pointer is no string, or there is no memory.
///
/// # Safety
/// The pointer is null or a string.
pub unsafe fn pass(string: *mut QioString, text: &[u8]) -> Result<(), Stop> {
    if string.is_null() {
        return Ok(());
    }
    // SAFETY: as this function requires.
    Ok(unsafe { borrow(string) }?.set(text)?)
}
