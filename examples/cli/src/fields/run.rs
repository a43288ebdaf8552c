//! Converts a file, and only then gives the output its name.

use std::path::Path;

use linkstream_access::write::{self, Found, Observer as _, Rereadable, Rows, Target, Trust, Wish};

use super::errors::converted;
use super::terminal::{Terminal, warn};
use crate::failure::{of_input, wrong_arguments};
use crate::judged::{Asked, Permission, not_wrong};
use crate::output::whole;
use crate::system::File;
use crate::volumes::{Layout, with_source};

/// Converts `input` to `out`; on an error, nothing is written. `layout` gives the directories of the volumes if `input`
/// is a set.
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
            make(source, &origin.trust, wish, file)?;
            Ok(asked(wish, &origin.trust))
        })
    })
}

/// Writes the requested output and reads it back. Returns what was found in the source.
pub fn make(
    source: &mut dyn Rereadable,
    trust: &Trust,
    wish: &Wish,
    mut out: &File,
) -> anyhow::Result<Found> {
    let found = write::convert(source, trust, wish, &mut out, &mut Terminal).map_err(converted)?;
    if wish.target == Some(Target::Ildg) {
        let update = wish.update.clone().or_else(|| found.update());
        let texts = found.texts_without_documents(update.as_deref());
        texts.into_iter().for_each(|text| Terminal.warn(text));
    }
    Ok(found)
}

/// Rules for the judgement on a file that was converted like this; `None` if the input is damaged: the copy says so in a text,
/// and `check` calls it wrong.
pub fn asked(wish: &Wish, trust: &Trust) -> Option<Asked> {
    let copies = wish.file_xml.is_none() && wish.record_xml.is_none();
    Some(Asked { copies, ..Asked::default() }).filter(|_| trust.damage.is_none())
}

/// Warns about options for gauge fields if there is none among the requested fields: a script can convert files of
/// several kinds with the same options.
pub fn warn_of_no_effect(found: &Found, wish: &Wish) {
    let mut chosen =
        found.fields.iter().enumerate().filter(|(index, _)| wish.field.is_none_or(|one| one == *index));
    if chosen.any(|(_, field)| field.is_gauge_field()) {
        return;
    }
    for (option, is_given) in [("--rows", wish.rows.is_some()), ("--kind", wish.kind.is_some())] {
        if is_given {
            warn(&format!("{option} has no effect: there is no gauge field"));
        }
    }
}

/// Fails if a tolerance is given but no rows are to be omitted.
pub fn check_tolerance(tolerance: Option<f64>, rows: Option<Rows>) -> anyhow::Result<()> {
    if tolerance.is_some() && matches!(rows, None | Some(Rows::Full)) {
        wrong_arguments!("--tolerance is for omitted rows: --rows reduced");
    }
    Ok(())
}

/// Writes a file completely or not at all. `write` returns how the file is to be checked before it gets its name; `None`
/// if it is not. Errors name the file that they concern.
pub fn written_to(
    input: &Path,
    out: &Path,
    force: bool,
    write: impl FnOnce(&File) -> anyhow::Result<Option<Asked>>,
) -> anyhow::Result<()> {
    whole(out, force, |file| match write(file).map_err(|error| of_input(error, input))? {
        Some(asked) => not_wrong(file, out, asked),
        None => Ok(()),
    })
}
