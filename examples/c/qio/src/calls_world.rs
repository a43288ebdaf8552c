//! The calls of `qio.h` that set the ranks.
#![allow(unsafe_code, reason = "the C interface")]

use std::ffi::{c_char, c_int};

use linkstream_c_ranks::{Callbacks, Ranks};

use crate::border::coded;
use crate::stop::Stop;
use crate::world;

/// Sets the ranks of files that are opened from now on; a null pointer returns to the world of the program.
///
/// # Safety
/// The pointer is null, or the structure and its functions are valid as long as such files are open.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linkstream_set_world(comm: *const Callbacks) -> c_int {
    coded("linkstream_set_world", || {
        if comm.is_null() {
            world::give(None);
            return Ok(());
        }
        // SAFETY: as this function requires.
        let ranks = unsafe { Ranks::new(comm) }.map_err(|error| Stop::usage(error.message))?;
        world::give(Some(ranks));
        Ok(())
    })
}

/// Sends bytes of rank `fromnode` to rank `tonode`.
///
/// # Safety
/// There are `size` bytes at `buf`, or it is null.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn DML_route_bytes(
    buf: *mut c_char,
    size: usize,
    fromnode: c_int,
    tonode: c_int,
) -> c_int {
    coded("DML_route_bytes", || {
        if buf.is_null() && size > 0 {
            return Err(Stop::usage("buf is a null pointer"));
        }
        // SAFETY: as this function requires.
        unsafe { world::route(buf, size, fromnode, tonode) }
    })
}
