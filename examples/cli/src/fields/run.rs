//! Converts a file: collects, plans, copies and reads back, and only then gives the output its name.

use std::path::Path;

use linkstream::lattice::Checksum;

use super::choose::choose;
use super::copy::copy;
use super::document::SCRATCH;
use super::fault::placed;
use super::found::{Found, find};
use super::messages::warn;
use super::provenance::{note_at_end, qualify};
use super::read_back::read_back;
use super::sink::{FieldSink, FileSink};
use super::wish::{Target, Wish};
use crate::failure::{not_possible, of_input};
use crate::human::one_line;
use crate::judged::{Permission, Trust};
use crate::output::whole;
use crate::source::Rereadable;
use crate::system::File;
use crate::volumes::{Layout, with_source};

/// Converts `input` to `out`; on an error, nothing is written. `layout` gives the folders of the volumes if `input` is
/// a set.
pub fn run(
    input: &Path,
    layout: &Layout,
    permission: Permission,
    out: &Path,
    force: bool,
    wish: &Wish,
) -> anyhow::Result<()> {
    written_to(input, out, force, |file| {
        with_source(input, layout, permission, |source, origin| {
            origin.warn_of_lost(wish);
            make(source, &origin.trust, wish, file).map(|_| ())
        })
    })
}

/// Writes the requested output and reads it back. Returns what was found in the source.
pub fn make(source: &mut dyn Rereadable, trust: &Trust, wish: &Wish, out: &File) -> anyhow::Result<Found> {
    let mut scratch = [0; SCRATCH];
    let mut sink = FileSink::new(out, &mut scratch);
    let (found, sums) = write(source, trust, wish, &mut sink)?;
    drop(sink);
    let keeps_no_text = wish.target.is_none() && found.fields.iter().all(|field| field.record.is_none());
    if let Some(damage) = &trust.damage
        && (wish.target == Some(Target::Ildg) || keeps_no_text)
    {
        note_at_end(out, &damage.note())?;
    }
    read_back(out, &sums, trust.damage.is_none())?;
    Ok(found)
}

/// Writes the requested output. Returns what was found in the source, and the checksum of each data record.
pub fn write(
    source: &mut dyn Rereadable,
    trust: &Trust,
    wish: &Wish,
    sink: &mut dyn FieldSink,
) -> anyhow::Result<(Found, Vec<Checksum>)> {
    let mode = trust.mode();
    let found = find(source, mode)?;
    let mut plan = choose(&found, wish).map_err(not_possible)?;
    qualify(&mut plan, trust);
    if !found.others.is_empty() {
        let types: Vec<_> = found.others.iter().map(|name| one_line(name)).collect();
        warn(&format!("records of these types are left out: {}", types.join(", ")));
    }
    let copied = copy(source, &plan, mode, sink);
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
