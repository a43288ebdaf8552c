//! New volumes: once all of them are complete and verified, all get their names; otherwise none does.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use linkstream_access::set::{Listed, SetName};
use linkstream_access::write::NewFolders;
use linkstream_report::findings::Level;
use linkstream_report::options::Options;
use linkstream_report::report::{Body, Report};
use linkstream_report::volumes::survey;

use super::input::{NamedParts, sources};
use super::layout::Layout;
use crate::failure::{Failure, failed, output_name};
use crate::human::{counted, shown_path};
use crate::output::{Output, keep_all};
use crate::signals::new_folders;
use crate::source::{FileParts, bar};
use crate::system::{File, exists};

/// A volume that has no name yet.
pub struct NewVolume {
    pub number: u64,
    pub path: PathBuf,
    pub out: Output,
}

/// The destination of new volumes.
pub struct NewVolumes {
    name: PathBuf,
    layout: Layout,
    force: bool,
    folders: NewFolders,
}

impl NewVolumes {
    /// The volumes of a new set called `name`.
    pub fn new(name: PathBuf, layout: Layout, force: bool) -> Self {
        Self { name, layout, force, folders: new_folders() }
    }

    /// Opens the volumes with these numbers, for which [`allow_open_files`](super::open_files::allow_open_files) must
    /// have been called. Volumes with other numbers must not exist, because they would be taken for part of the new
    /// set.
    pub fn create(&mut self, numbers: &[u64]) -> anyhow::Result<Vec<(PathBuf, Output)>> {
        if self.name == Path::new("-") {
            anyhow::bail!("a set of volumes cannot be written to standard output");
        }
        let mut paths = Vec::new();
        for number in numbers {
            paths.push(self.layout.path(&self.name, *number)?);
        }
        if let Some(other) = self.there()?.iter().find(|path| !paths.contains(path)) {
            anyhow::bail!(
                "{} is a volume of another set of that name; remove that set first",
                output_name(other)
            );
        }
        let mut outputs = Vec::new();
        for path in paths {
            let own = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            if let Some(folder) = own.filter(|_| !matches!(self.layout, Layout::Same)) {
                let made = self.folders.make(folder).map_err(Failure::Output);
                made.with_context(|| shown_path(folder))?;
            }
            let out = Output::create(&path, self.force)?;
            outputs.push((path, out));
        }
        Ok(outputs)
    }

    /// The existing volumes of sets of this name, even if there is also a file of this name.
    fn there(&self) -> anyhow::Result<Vec<PathBuf>> {
        let mut there = Vec::new();
        if let Layout::Table(folders) = &self.layout {
            for number in folders.keys() {
                let path = self.layout.path(&self.name, *number)?;
                if exists(&path).map_err(Failure::Output)? {
                    there.push(path);
                }
            }
        } else {
            for set in SetName::called(&self.name) {
                there.extend(set.volumes().map_err(Failure::Output)?.into_iter().map(|(_, path)| path));
            }
        }
        Ok(there)
    }

    /// Gives complete and verified volumes their names.
    pub fn keep(self, volumes: Vec<NewVolume>) -> anyhow::Result<()> {
        let count = counted(volumes.len(), "volume", "volumes");
        keep_all(volumes.into_iter().map(|volume| volume.out).collect())?;
        self.folders.keep();
        let _ = writeln!(std::io::stderr(), "wrote {count} of {}", output_name(&self.name));
        Ok(())
    }
}

/// The report of `check` on the volumes as a set, or of `check --lenient` if `lenient`. Messages name the volumes as
/// `names` does.
pub fn reported(
    volumes: &[NewVolume],
    names: &[(Option<u64>, PathBuf)],
    lenient: bool,
    observables: bool,
) -> anyhow::Result<Report> {
    let options = Options { read_data: true, observables, slices: false, lenient, require_checksum: false };
    let mut bytes = 0;
    for volume in volumes {
        bytes += volume.out.file().metadata().map_err(Failure::Output)?.len();
    }
    let bar = bar(Some(bytes));
    let parts: Vec<NamedParts<&File>> = volumes
        .iter()
        .map(|volume| NamedParts::new(FileParts::new(volume.out.file(), &bar), &volume.path))
        .collect();
    survey(&sources(names, &parts), "", false, &options).map_err(failed)
}

/// Number and path of each volume.
pub fn names(volumes: &[NewVolume]) -> Listed {
    volumes.iter().map(|volume| (Some(volume.number), volume.path.clone())).collect()
}

/// Runs `check --lenient` on new volumes as a set, without figures. Fails if it reports an error.
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
