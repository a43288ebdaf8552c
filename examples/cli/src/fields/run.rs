//! From one file to another: looked through, planned, copied, read again, and only then given its name.

use std::fs::File;
use std::path::Path;

use super::choose::choose;
use super::copy::copy;
use super::found::{Found, find};
use super::messages::warn;
use super::read_back::read_back;
use super::wish::Wish;
use crate::archive::as_lime;
use crate::failure::of_input;
use crate::human::one_line;
use crate::output::whole;
use crate::source::rereadable;

/// Makes `out` of `input`, or nothing.
pub fn run(input: &Path, out: &Path, force: bool, wish: &Wish) -> anyhow::Result<()> {
    written_to(input, out, force, |file| make(&as_lime(rereadable(input)?)?, wish, file).map(|_| ()))
}

/// Writes what is wished for and reads it again. Gives what was found in the source.
pub fn make(source: &File, wish: &Wish, out: &File) -> anyhow::Result<Found> {
    let found = find(source)?;
    let plan = choose(&found, wish)?;
    if !found.others.is_empty() {
        let types: Vec<_> = found.others.iter().map(|name| one_line(name)).collect();
        warn(&format!("records of these types are left out: {}", types.join(", ")));
    }
    let sums = copy(source, &plan, out)?;
    read_back(out, &sums)?;
    Ok(found)
}

/// Writes a file completely or not at all; errors name the file they concern.
pub fn written_to(
    input: &Path,
    out: &Path,
    force: bool,
    write: impl FnOnce(&File) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    whole(out, force, |file| write(file).map_err(|error| of_input(error, input)))
}
