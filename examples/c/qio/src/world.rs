//! The ranks of the process, which all files use that are opened.
#![allow(unsafe_code, reason = "structures and functions of the program")]

use std::sync::{Mutex, MutexGuard, PoisonError};

use linkstream_c_ranks::{Callbacks, Ranks};

use crate::stop::Stop;

/// A function of the program that returns the structure with its functions; null for a single rank.
pub type Provider = unsafe extern "C" fn() -> *const Callbacks;

/// Source of the ranks.
#[derive(Debug, Clone, Copy)]
struct World {
    /// Ranks that the program has set.
    given: Option<Ranks>,
    /// The function of a program with MPI.
    provider: Option<Provider>,
}

// SAFETY: the structure of the program is used by the thread that makes a call of QIO, as `qio.h` says.
unsafe impl Send for World {}

static WORLD: Mutex<World> = Mutex::new(World { given: None, provider: None });

fn world() -> MutexGuard<'static, World> {
    WORLD.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Sets the ranks of all files that are opened from now on.
pub fn give(ranks: Ranks) {
    world().given = Some(ranks);
}

/// Returns to the ranks that the program provides.
pub fn forget() {
    world().given = None;
}

/// Sets the function that provides the ranks.
pub fn provide(provider: Option<Provider>) {
    world().provider = provider;
}

/// The ranks.
///
/// # Errors
/// The structure that the program provides is wrong.
pub fn ranks() -> Result<Ranks, Stop> {
    let World { given, provider } = *world();
    if let Some(ranks) = given {
        return Ok(ranks);
    }
    let Some(provider) = provider else { return Ok(Ranks::SINGLE) };
    // SAFETY: the program promises that the function works.
    let callbacks = unsafe { provider() };
    // SAFETY: the program promises that the structure is valid as long as files are open.
    let ranks = unsafe { Ranks::new(callbacks) };
    ranks.map_err(|error| Stop::usage(error.message))
}
