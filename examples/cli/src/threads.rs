//! The number of threads that the program uses.

use std::num::NonZeroUsize;

/// Limits the number of threads; without a limit there are as many as cores. Call this before any thread is started.
pub fn limit(threads: Option<NonZeroUsize>) -> anyhow::Result<()> {
    let Some(threads) = threads else { return Ok(()) };
    Ok(rayon::ThreadPoolBuilder::new().num_threads(threads.get()).build_global()?)
}
