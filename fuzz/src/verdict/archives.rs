//! Archives of NERSC and MILC: reports on them, and reading of their links.

use super::{access, report, seeds};

/// Checks the reports on this file, and opening and reading it.
pub fn check(file: &[u8]) {
    report::check(file);
    access::check(file);
}

/// The seeds of the decoders of archives, and archives of the fixtures.
pub fn seeds() -> Vec<(String, Vec<u8>)> {
    let named = |format: &str, seeds: Vec<(String, Vec<u8>)>| {
        seeds.into_iter().map(|(name, file)| (format!("{format}-{name}"), file)).collect::<Vec<_>>()
    };
    [
        named("nersc", crate::nersc::seeds()),
        named("milc", crate::milc::seeds()),
        seeds::fixtures(seeds::ARCHIVES),
    ]
    .concat()
}
