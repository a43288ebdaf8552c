//! The ranks of the process, which all files use that are opened.
#![allow(unsafe_code, reason = "structures and functions of the program, and the C code in the folder mpi")]

use std::ffi::{CStr, c_char, c_int};
use std::sync::{Mutex, MutexGuard, PoisonError};

use linkstream_c_ranks::{Callbacks, Ranks};

use crate::stop::Stop;

/// Ranks that the program has set.
struct Given(Option<Ranks>);

// SAFETY: the structure of the program is used by the thread that makes a call of QIO, as `qio.h` says.
unsafe impl Send for Given {}

static GIVEN: Mutex<Given> = Mutex::new(Given(None));

fn given() -> MutexGuard<'static, Given> {
    GIVEN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sets the ranks of all files that are opened from now on, or returns to the ranks of the program.
pub fn give(ranks: Option<Ranks>) {
    given().0 = ranks;
}

/// `LINKSTREAM_PROGRAM_MESSAGE` of `program.h`.
const MESSAGE: usize = 1536;

unsafe extern "C" {
    fn linkstream_program_world(world: *mut Callbacks, message: *mut c_char) -> c_int;
    fn linkstream_program_route(
        buf: *mut c_char,
        size: usize,
        from: c_int,
        to: c_int,
        message: *mut c_char,
    ) -> c_int;
}

/// Calls a function with room for a message, which becomes an error unless the code is 0 or 1.
fn called(function: impl FnOnce(*mut c_char) -> c_int) -> Result<c_int, Stop> {
    let mut message = [0_u8; MESSAGE];
    match function(message.as_mut_ptr().cast()) {
        code @ (0 | 1) => Ok(code),
        _ => {
            let text = CStr::from_bytes_until_nul(&message).unwrap_or_default().to_string_lossy();
            Err(Stop::usage(format!("the ranks of the program: {}", text.trim())))
        }
    }
}

/// The ranks: set by the program, found in its MPI library, or a single one.
///
/// # Errors
/// The MPI library is not known, or has reported an error.
pub fn ranks() -> Result<Ranks, Stop> {
    if let Some(ranks) = given().0 {
        return Ok(ranks);
    }
    let mut callbacks = Callbacks::default();
    // SAFETY: the structure is valid, and there is room for a message.
    called(|message| unsafe { linkstream_program_world(&raw mut callbacks, message) })?;
    if callbacks.struct_size == 0 {
        return Ok(Ranks::SINGLE);
    }
    // SAFETY: the functions of the structure work until the program finalises MPI.
    let ranks = unsafe { Ranks::new(&raw const callbacks) };
    ranks.map_err(|error| Stop::usage(error.message))
}

/// Sends bytes of one rank to another one with the MPI library of the program. Without one, this is the only rank.
///
/// # Errors
/// There are no such ranks, or MPI has reported an error.
///
/// # Safety
/// There are `size` bytes at `buf`.
pub unsafe fn route(buf: *mut c_char, size: usize, from: c_int, to: c_int) -> Result<(), Stop> {
    // SAFETY: as this function requires, and there is room for a message.
    match called(|message| unsafe { linkstream_program_route(buf, size, from, to, message) })? {
        1 if (from, to) != (0, 0) => Err(Stop::usage(format!(
            "from rank {from} to rank {to}, but there is one rank: MPI is not in use"
        ))),
        _ => Ok(()),
    }
}
