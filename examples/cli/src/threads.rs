//! The number of threads that the program uses.

use std::num::NonZeroUsize;
use std::thread::available_parallelism;

use linkstream_report::parallel;

use crate::{color, complain};

/// Parses a number of threads.
pub fn at_least_one(text: &str) -> Result<NonZeroUsize, String> {
    text.parse().map_err(|_| "must be a number from 1".to_owned())
}

/// Sets the number of threads, which are started when they are needed: one for each core unless fewer are `wanted`, and
/// no more than there are pieces of `work`. Call this before any thread is started.
pub fn limit(wanted: Option<NonZeroUsize>, work: u64) {
    let cores = available_parallelism().unwrap_or(NonZeroUsize::MIN);
    if let Some(wanted) = wanted.filter(|wanted| *wanted > cores) {
        let message = format!(
            "--threads {wanted}: no more threads are used than there are cores ({cores}) and pieces of work"
        );
        complain::message(format_args!("{} {message}", color::warning("linkstream:")));
    }
    let work = usize::try_from(work).ok().and_then(NonZeroUsize::new).unwrap_or(NonZeroUsize::MIN);
    parallel::limit(wanted.unwrap_or(cores).min(cores).min(work));
}
