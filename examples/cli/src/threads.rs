//! How many threads the program works with.

use std::num::NonZeroUsize;

/// At most this many; without a limit as many as there are cores. Nothing has been started yet.
pub fn limit(threads: Option<NonZeroUsize>) -> anyhow::Result<()> {
    let Some(threads) = threads else { return Ok(()) };
    Ok(rayon::ThreadPoolBuilder::new().num_threads(threads.get()).build_global()?)
}
