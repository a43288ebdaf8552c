//! Common parts of the functions for C programs.
#![allow(unsafe_code, reason = "pointers of C programs")]

use std::collections::VecDeque;
use std::ffi::c_int;
use std::sync::{Mutex, PoisonError};

use libc::{SEEK_CUR, SEEK_SET};
use linkstream_c_border::{Failure, KeptStream, Stream, guard};

use crate::code::{ERR_PARAM, ERR_SEEK, Refused, code};
use crate::seek::Whence;

/// Runs a call that returns a code.
pub(crate) fn coded(call: impl FnOnce() -> Result<(), Refused>) -> c_int {
    guard(ERR_PARAM, || code(call()))
}

/// Runs a call that returns a value, and `otherwise` after an error.
pub(crate) fn valued<T: Copy>(otherwise: T, call: impl FnOnce() -> Result<T, Refused>) -> T {
    guard(otherwise, || {
        call().unwrap_or_else(|refused| {
            code(Err(refused));
            otherwise
        })
    })
}

/// A result of the list of handles.
pub(crate) fn found<T>(result: Result<T, Failure>) -> Result<T, Refused> {
    result.map_err(|failure| Refused::new(ERR_PARAM, failure))
}

/// Checks that there is memory for another handle. LIME has no code for the lack of it; nothing else allocates memory.
pub(crate) fn memory_left() -> Result<(), Refused> {
    linkstream_memory::check().map_err(|short| Refused::usage(&short.to_string()))
}

/// The stream of a handle.
///
/// # Safety
/// It is null, or the program has not closed it, and nothing else uses it during the call.
pub(crate) unsafe fn stream(kept: &mut KeptStream) -> Result<Stream<'_>, Refused> {
    // SAFETY: as this function requires.
    unsafe { kept.lend() }.ok_or_else(|| Refused::usage("the stream is a null pointer"))
}

/// A number that the program has passed by its address.
///
/// # Safety
/// The pointer is null, or points to a number that nothing else uses during the call.
pub(crate) unsafe fn number<'n>(pointer: *mut u64) -> Result<&'n mut u64, Refused> {
    if !pointer.is_aligned() {
        return Err(Refused::usage("the pointer to the number of bytes points to no number"));
    }
    // SAFETY: the pointer is aligned; the program promises the rest.
    unsafe { pointer.as_mut() }.ok_or_else(|| Refused::usage("the pointer to the number of bytes is null"))
}

/// A copy of the bytes of a state, which is in a structure of the program.
///
/// # Safety
/// `structure` points to a complete structure of the program; the state begins at `offset` in it.
pub(crate) unsafe fn copied<T, const N: usize>(structure: *const T, offset: usize) -> [u8; N] {
    // SAFETY: the offset is inside the structure.
    let bytes = unsafe { structure.cast::<u8>().add(offset) };
    // SAFETY: the structure is complete, and bytes can be anywhere.
    unsafe { bytes.cast::<[u8; N]>().read_unaligned() }
}

/// The meaning of `whence`.
pub(crate) fn whence(whence: c_int) -> Result<Whence, Refused> {
    match whence {
        SEEK_SET => Ok(Whence::Start),
        SEEK_CUR => Ok(Whence::Current),
        _ => {
            let message = "whence is neither SEEK_SET nor SEEK_CUR";
            Err(Refused::new(ERR_SEEK, Failure::usage(message)))
        }
    }
}

/// Destroyed handles. The memory of the last ones is kept for a while: a program that passes one of them as the source
/// of a state gets an error.
#[derive(Debug)]
pub(crate) struct Destroyed<T> {
    last: Mutex<VecDeque<Kept<T>>>,
}

#[derive(Debug)]
#[expect(dead_code, reason = "the memory is kept, not its content")]
struct Kept<T>(Box<T>);

// SAFETY: what a destroyed handle has pointed to is not used any more; only its memory is freed.
unsafe impl<T> Send for Kept<T> {}

impl<T> Destroyed<T> {
    const NUMBER: usize = 64;

    pub(crate) const fn new() -> Self {
        Self { last: Mutex::new(VecDeque::new()) }
    }

    pub(crate) fn keep(&self, handle: Box<T>) {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        last.push_back(Kept(handle));
        if last.len() > Self::NUMBER {
            last.pop_front();
        }
    }
}
