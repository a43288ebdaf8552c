//! Selects the data records to be written, from those found and the options.

use anyhow::Context as _;
use linkstream::ildg::Format;
use linkstream::lattice::Extents;
use linkstream::scidac::PrivateFile;

use super::document::{NO_TEXT, NOT_SCIDAC_FILE};
use super::fault::Fault;
use super::found::{Found, FoundField};
use super::job::{Job, job};
use super::messages::warn;
use super::names::judge;
use super::wish::{Target, Wish};
use crate::failure::failed;
use crate::human::{counted, one_line};

/// The data records to be written, in the order of the file.
#[derive(Debug)]
pub struct Plan {
    pub file: Option<(PrivateFile, Vec<u8>)>,
    pub jobs: Vec<Job>,
}

pub fn choose(found: &Found, wish: &Wish) -> anyhow::Result<Plan> {
    let chosen = chosen(found, wish)?;
    let mut jobs = Vec::new();
    for (index, field) in &chosen {
        let number = format!("data record {index} at {}", field.place);
        jobs.push(job(*index, field, wish).context(number)?);
    }
    if wish.update.is_some() && jobs.len() > 1 {
        anyhow::bail!("an update number is that of one field; choose it with --field");
    }
    updates_tell_apart(&jobs)?;
    match jobs.iter_mut().find(|job| job.planned.format.is_some()) {
        Some(job) => job.planned.lfn = lfn(found, &chosen, wish)?,
        None if wish.lfn.is_some() => anyhow::bail!("only ILDG files have a logical file name"),
        None => {
            for name in found.names.as_slice() {
                warn(&format!(
                    "the logical file name {} is left out: only ILDG files have one",
                    one_line(name)
                ));
            }
        }
    }
    let mut file = None;
    if jobs.iter().any(|job| job.planned.scidac.is_some()) {
        let extents = one_lattice(chosen.iter().map(|(_, field)| field.field.extents))?;
        let given = wish.file_xml.as_ref().map(|text| text.clone().into_bytes());
        let none = if wish.as_set { NOT_SCIDAC_FILE } else { NO_TEXT };
        let text = given.or(found.file_xml.clone()).unwrap_or(none.as_bytes().to_vec());
        file = Some((private_file(found, &extents), text));
    }
    Ok(Plan { file, jobs })
}

/// The private file XML. A document of version 1.0 keeps its version.
fn private_file(found: &Found, extents: &Extents) -> PrivateFile {
    let own = found.private_file.as_ref();
    let old = own.filter(|own| own.version() == "1.0" && own.extents() == Some(*extents));
    old.cloned().unwrap_or_else(|| PrivateFile::new(extents))
}

/// The logical file name of the new file. If there are several, the name in the message of the only selected data
/// record is used.
fn lfn(found: &Found, chosen: &[(usize, &FoundField)], wish: &Wish) -> anyhow::Result<Option<String>> {
    if wish.lfn.is_some() {
        return Ok(wish.lfn.clone());
    }
    let names = match chosen {
        [(_, field)] if !field.names.as_slice().is_empty() => &field.names,
        _ => &found.names,
    };
    match names.as_slice() {
        [] => Ok(None),
        [name] => match judge(name) {
            Ok(()) => Ok(Some(name.clone())),
            Err(why) => Err(failed(Fault::Name { name: name.clone(), why })),
        },
        [one, other, ..] => Err(failed(Fault::NamesDiffer { one: one.clone(), other: other.clone() })),
    }
}

/// The data records selected for writing.
fn chosen<'f>(found: &'f Found, wish: &Wish) -> anyhow::Result<Vec<(usize, &'f FoundField)>> {
    let count = || counted(found.fields.len(), "data record", "data records");
    if let Some(number) = wish.field {
        let field = found.fields.get(number).with_context(|| {
            let are = if found.fields.len() == 1 { "is" } else { "are" };
            format!("there {are} {}, counted from 0, so no {number}", count())
        })?;
        return Ok(vec![(number, field)]);
    }
    let wanted = |field: &FoundField| {
        let scidac = field.record.is_some() && wish.target != Some(Target::Ildg);
        field.is_gauge_field() || scidac
    };
    let chosen: Vec<_> = found.fields.iter().enumerate().filter(|(_, field)| wanted(field)).collect();
    if found.fields.is_empty() {
        anyhow::bail!("there is no gauge field: the file has no data record at all");
    }
    if chosen.is_empty() {
        anyhow::bail!("there is no gauge field among {}", count());
    }
    if wish.one && chosen.len() > 1 {
        let numbers: Vec<_> = chosen.iter().map(|(index, _)| index.to_string()).collect();
        anyhow::bail!("there are {} fields; choose one with --field: {}", chosen.len(), numbers.join(", "));
    }
    let left_out = found.fields.len() - chosen.len();
    if left_out > 0 {
        warn(&format!(
            "{} left out: no gauge fields",
            counted(left_out, "data record is", "data records are")
        ));
    }
    Ok(chosen)
}

/// Checks that update numbers distinguish fields of the same kind (ILDG 1.2, section 2.2). Fields with SciDAC documents
/// may have none, since QIO writes no update numbers. The encoder would report a clash only at the second field, after
/// a first that can be large.
fn updates_tell_apart(jobs: &[Job]) -> anyhow::Result<()> {
    let kind = |job: &Job| job.planned.format.as_ref().map(Format::kind);
    for (before, job) in jobs.iter().enumerate() {
        let Some(present) = kind(job) else { continue };
        let update = job.planned.update.as_ref();
        let clash = |other: &Job| {
            let theirs = other.planned.update.as_ref();
            let missing = update.is_none() || theirs.is_none();
            let needed = job.planned.scidac.is_none();
            kind(other) == Some(present) && (missing && needed || !missing && theirs == update)
        };
        if jobs.iter().take(before).any(clash) {
            anyhow::bail!(
                "several fields are {present}, and their update numbers do not distinguish them; choose one with --field"
            );
        }
    }
    Ok(())
}

fn one_lattice(mut each: impl Iterator<Item = Extents>) -> anyhow::Result<Extents> {
    let first = each.next().context("there is no data record")?;
    match each.find(|extents| *extents != first) {
        None => Ok(first),
        Some(other) => anyhow::bail!(
            "a SciDAC file has one lattice, but the fields have {first} and {other}; choose one with --field"
        ),
    }
}
