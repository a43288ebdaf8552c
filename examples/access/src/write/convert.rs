//! Conversion of a source to one LIME file.

use std::io::{Read, Seek, Write};

use super::document::SCRATCH;
use super::error::Error;
use super::found::{Found, find};
use super::input::{Rereadable, Trust};
use super::lattice_info::Measuring;
use super::observer::Observer;
use super::plan::Plan;
use super::provenance::note_at_end;
use super::read_back::read_back;
use super::sink::FileSink;
use super::wish::{Target, Wish};

/// Writes the requested file into `out`, which is empty, and reads it back. Returns the contents of the source.
///
/// # Errors
/// The source breaks a rule, notes that its data were damaged although `trust` does not, or cannot be written as
/// requested; or the output cannot be written. The contents of `out` are then useless.
pub fn convert(
    source: &mut dyn Rereadable,
    trust: &Trust,
    wish: &Wish,
    out: &mut (impl Read + Write + Seek),
    observer: &mut dyn Observer,
) -> Result<Found, Error> {
    let found = find(source, trust.mode(), observer)?;
    let plan = Plan::new(&found, wish, trust, observer)?;
    let mut scratch = [0; SCRATCH];
    let mut sink = FileSink::new(&mut *out, &mut scratch);
    let mut measuring = Measuring::new(&mut sink);
    let sums = plan.write_to(source, &mut measuring, observer)?;
    let texts = measuring.into_texts();
    drop(sink);
    texts.fill(out)?;
    let keeps_no_text = wish.target.is_none() && found.fields.iter().all(|field| field.record.is_none());
    if let Some(damage) = &trust.damage
        && (wish.target == Some(Target::Ildg) || keeps_no_text)
    {
        note_at_end(out, &damage.note())?;
    }
    read_back(out, &sums, trust.damage.is_none(), observer)?;
    Ok(found)
}
