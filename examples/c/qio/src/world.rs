//! The ranks of the process, which all files use that are opened.
#![allow(unsafe_code, reason = "structures and functions of the program")]

use std::sync::{Mutex, PoisonError};

use linkstream_c_ranks::{Callbacks, Ranks};

use crate::stop::Stop;

/// A function of the program that returns the structure with its functions; null for a single rank.
pub type Provider = unsafe extern "C" fn() -> *const Callbacks;

/// Source of the ranks.
#[derive(Debug, Clone, Copy)]
enum World {
    /// A single rank, unless a program with MPI provides more.
    Provided(Option<Provider>),
    Given(Ranks),
}

// SAFETY: the structure of the program is used by the thread that makes a call of QIO, as `linkstream_qio.h` says.
unsafe impl Send for World {}

static WORLD: Mutex<World> = Mutex::new(World::Provided(None));

/// Sets the ranks of all files that are opened from now on.
pub fn give(ranks: Ranks) {
    *WORLD.lock().unwrap_or_else(PoisonError::into_inner) = World::Given(ranks);
}

/// Sets the function that provides the ranks, unless the program has set them itself.
pub fn provide(provider: Option<Provider>) {
    let mut world = WORLD.lock().unwrap_or_else(PoisonError::into_inner);
    if let World::Provided(present) = &mut *world {
        *present = provider.or(*present);
    }
}

/// Returns to the function that provides the ranks; without one, to a single rank.
pub fn forget(provider: Option<Provider>) {
    *WORLD.lock().unwrap_or_else(PoisonError::into_inner) = World::Provided(provider);
}

/// The ranks.
///
/// # Errors
/// The structure that the program provides is wrong.
pub fn ranks() -> Result<Ranks, Stop> {
    let world = *WORLD.lock().unwrap_or_else(PoisonError::into_inner);
    match world {
        World::Given(ranks) => Ok(ranks),
        World::Provided(None) => Ok(Ranks::SINGLE),
        World::Provided(Some(provider)) => {
            // SAFETY: the program promises that the function works.
            let callbacks = unsafe { provider() };
            // SAFETY: the program promises that the structure is valid as long as files are open.
            let ranks = unsafe { Ranks::new(callbacks) };
            ranks.map_err(|error| Stop::usage(error.message))
        }
    }
}
