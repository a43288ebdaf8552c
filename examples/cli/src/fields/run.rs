//! Converts a file: collects, plans, copies and reads back, and only then gives the output its name.

use std::path::Path;

use linkstream::lattice::Checksum;

use super::choose::choose;
use super::copy::copy;
use super::document::SCRATCH;
use super::fault::placed;
use super::found::{Found, find};
use super::messages::warn;
use super::read_back::read_back;
use super::sink::{FieldSink, FileSink};
use super::wish::Wish;
use crate::failure::{not_possible, of_input};
use crate::human::one_line;
use crate::output::whole;
use crate::source::Rereadable;
use crate::system::File;
use crate::volumes::{Layout, with_source};

/// Converts `input` to `out`; on an error, nothing is written. `layout` gives the folders of the volumes if `input` is
/// a set.
pub fn run(input: &Path, layout: &Layout, out: &Path, force: bool, wish: &Wish) -> anyhow::Result<()> {
    written_to(input, out, force, |file| {
        with_source(input, layout, |source, origin| {
            origin.warn_of_lost(wish);
            make(source, wish, file).map(|_| ())
        })
    })
}

/// Writes the requested output and reads it back. Returns what was found in the source.
pub fn make(source: &mut dyn Rereadable, wish: &Wish, out: &File) -> anyhow::Result<Found> {
    let mut scratch = [0; SCRATCH];
    let mut sink = FileSink::new(out, &mut scratch);
    let (found, sums) = write(source, wish, &mut sink)?;
    drop(sink);
    read_back(out, &sums)?;
    Ok(found)
}

/// Writes the requested output. Returns what was found in the source, and the checksum of each data record.
pub fn write(
    source: &mut dyn Rereadable,
    wish: &Wish,
    sink: &mut dyn FieldSink,
) -> anyhow::Result<(Found, Vec<Checksum>)> {
    let found = find(source)?;
    let plan = choose(&found, wish).map_err(not_possible)?;
    if !found.others.is_empty() {
        let types: Vec<_> = found.others.iter().map(|name| one_line(name)).collect();
        warn(&format!("records of these types are left out: {}", types.join(", ")));
    }
    let copied = copy(source, &plan, sink);
    let sums = copied.map_err(|error| placed(error, source))?;
    Ok((found, sums))
}

/// Writes a file completely or not at all. Errors name the file that they concern.
pub fn written_to(
    input: &Path,
    out: &Path,
    force: bool,
    write: impl FnOnce(&File) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    whole(out, force, |file| write(file).map_err(|error| of_input(error, input)))
}
