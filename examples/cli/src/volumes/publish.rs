//! New volumes: once all of them are complete and verified, all get their names; otherwise none does.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use linkstream_access::set::{Layout, Listed};
use linkstream_access::write::{NewSet, NewVolume};
use linkstream_report::findings::Level;
use linkstream_report::options::Options;
use linkstream_report::report::{Body, Report};
use linkstream_report::volumes::survey;

use super::input::{NamedParts, sources};
use super::open_files::{Allowed, allow_open_files};
use crate::complain::done;
use crate::failure::{Failure, failed, output_name, wrong_arguments};
use crate::fields::made;
use crate::human::counted;
use crate::own_input;
use crate::signals::incomplete;
use crate::source::{FileParts, bar};
use crate::system::File;

/// A new set called `name`, which a signal that ends the program removes until it is kept.
pub fn new_set(name: &Path, layout: &Layout, force: bool) -> anyhow::Result<NewSet> {
    let incomplete = incomplete().map_err(Failure::Output)?;
    Ok(NewSet::new(name.to_owned(), layout.clone(), force, incomplete))
}

/// Allows `volumes` open files for the volumes of a new set.
pub fn room_for(new: &NewSet, volumes: u64) -> anyhow::Result<Allowed> {
    let allowed = allow_open_files(volumes)?;
    if new.name() == Path::new("-") {
        wrong_arguments!("a file set cannot be written to standard output");
    }
    Ok(allowed)
}

/// Fails if a volume of a new set is a file that is read. There can be fewer volumes than `numbers`.
pub fn not_read(name: &Path, layout: &Layout, numbers: impl Iterator<Item = u64>) -> anyhow::Result<()> {
    // A volume that has no directory in a table is reported where it is created.
    for path in numbers.filter_map(|number| layout.path(name, number).ok()) {
        own_input::not_read(&path).with_context(|| output_name(&path))?;
    }
    Ok(())
}

/// Gives complete and verified volumes their names, and prints the name of the set.
pub fn keep(new: NewSet, volumes: Vec<NewVolume>) -> anyhow::Result<()> {
    let (count, name) = (counted(volumes.len(), "volume", "volumes"), output_name(new.name()));
    new.keep(volumes).map_err(made)?;
    done(format_args!("wrote {count} of {name}"));
    Ok(())
}

/// The report of `check` on the volumes as a set, or of `check --lenient` if `lenient`. Messages name the volumes as
/// `names` does.
pub fn reported(
    volumes: &[NewVolume],
    names: &[(Option<u64>, PathBuf)],
    lenient: bool,
    observables: bool,
) -> anyhow::Result<Report> {
    let options = Options {
        read_data: true,
        observables,
        polyakov_loop: false,
        slices: false,
        slice_sums: false,
        lenient,
        require_checksum: false,
        receiver: None,
    };
    let mut bytes = 0;
    for volume in volumes {
        bytes += volume.file.file().metadata().map_err(Failure::Output)?.len();
    }
    let bar = bar(Some(bytes));
    let parts: Vec<NamedParts<&File>> = volumes
        .iter()
        .map(|volume| NamedParts::new(FileParts::new(volume.file.file(), &bar), volume.file.path()))
        .collect();
    survey(&sources(names, &parts), "", false, &options).map_err(failed)
}

/// Number and path of each volume.
pub fn names(volumes: &[NewVolume]) -> Listed {
    volumes.iter().map(|volume| (Some(volume.number), volume.file.path().to_owned())).collect()
}

/// Runs `check --lenient` on new volumes as a set, without observables. Fails if it reports an error.
pub fn verified(volumes: &[NewVolume]) -> anyhow::Result<Report> {
    let report = reported(volumes, &names(volumes), true, false)?;
    match report.findings.as_slice().iter().find(|found| found.severity == Level::Error) {
        Some(found) => Err(Failure::invalid(&found.message).into()),
        None => Ok(report),
    }
}

/// The checksums of the fields in a report. Every field must have all of its sites.
pub fn checksums(report: &Report) -> Vec<Option<linkstream::lattice::Checksum>> {
    match &report.body {
        Body::Lime(contents) => contents.fields.iter().map(|field| field.checksum).collect(),
        _ => Vec::new(),
    }
}

/// An error of the output, whatever the check of the copy reports: the source is not at fault.
pub fn disk(error: anyhow::Error) -> anyhow::Error {
    let said = std::io::Error::other(format!("the written volumes do not read back as expected: {error:#}"));
    Failure::Output(said).into()
}
