//! The calls of `qio.h` that set the ranks.
#![allow(unsafe_code, reason = "the C interface")]

use std::ffi::c_int;

use linkstream_c_ranks::{Callbacks, Ranks};

use crate::border::coded;
use crate::stop::Stop;
use crate::world::{self, Provider};

/// Sets the ranks of files that are opened from now on; a null pointer returns to the ranks that the program provides.
///
/// # Safety
/// The pointer is null, or the structure and its functions are valid as long as such files are open.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linkstream_set_world(comm: *const Callbacks) -> c_int {
    coded("linkstream_set_world", || {
        if comm.is_null() {
            world::forget();
            return Ok(());
        }
        // SAFETY: as this function requires.
        let ranks = unsafe { Ranks::new(comm) }.map_err(|error| Stop::usage(error.message))?;
        world::give(ranks);
        Ok(())
    })
}

/// Sets the function that provides the ranks unless the program has set them.
///
/// # Safety
/// The function returns null, or what [`linkstream_set_world`] takes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linkstream_set_world_provider(provider: Option<Provider>) {
    coded("linkstream_set_world_provider", || {
        world::provide(provider);
        Ok(())
    });
}
