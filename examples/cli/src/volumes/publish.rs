//! New volumes: all of them get their names when they are complete and verified, or none does.

use std::fs::File;
use std::io::{ErrorKind, Write as _};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use linkstream_report::findings::Level;
use linkstream_report::options::Options;
use linkstream_report::report::{Body, Report};
use linkstream_report::volumes::survey;

use super::input::sources;
use super::layout::Layout;
use super::names::SetName;
use crate::failure::{Failure, failed, output_name};
use crate::human::{counted, one_line};
use crate::output::{Output, keep_all};
use crate::source::{FileParts, bar};

/// A volume that has no name yet.
pub struct NewVolume {
    pub number: u64,
    pub path: PathBuf,
    pub out: Output,
}

/// Where new volumes will be.
pub struct NewVolumes {
    name: PathBuf,
    layout: Layout,
    force: bool,
    /// Folders that were made for them; removed unless the volumes are kept.
    folders: Vec<PathBuf>,
}

impl NewVolumes {
    /// Volumes of the set `name`.
    pub const fn new(name: PathBuf, layout: Layout, force: bool) -> Self {
        Self { name, layout, force, folders: Vec::new() }
    }

    /// Opens the volumes with these numbers, as many as [`allow_open_files`](super::open_files::allow_open_files) has allowed. Volumes of other numbers must not be there: they would be taken for part of the
    /// new set.
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
                let made = self.make_folder(folder).map_err(Failure::Output);
                made.with_context(|| one_line(&folder.display().to_string()))?;
            }
            let out = Output::create(&path, self.force)?;
            outputs.push((path, out));
        }
        Ok(outputs)
    }

    /// The volumes of sets of this name that exist, whether or not there is a file of this name, too.
    fn there(&self) -> anyhow::Result<Vec<PathBuf>> {
        let mut there = Vec::new();
        if let Layout::Table(folders) = &self.layout {
            for number in folders.keys() {
                let path = self.layout.path(&self.name, *number)?;
                if path.try_exists().map_err(Failure::Output)? {
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

    /// Makes a folder and those above it, as `create_dir_all` does, and remembers which.
    fn make_folder(&mut self, folder: &Path) -> std::io::Result<()> {
        let made = match std::fs::create_dir(folder) {
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let above = folder.parent().filter(|above| !above.as_os_str().is_empty());
                self.make_folder(above.ok_or(error)?)?;
                std::fs::create_dir(folder)
            }
            made => made,
        };
        match made {
            Ok(()) => self.folders.push(folder.to_owned()),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// Gives complete and verified volumes their names.
    pub fn keep(mut self, volumes: Vec<NewVolume>) -> anyhow::Result<()> {
        let count = counted(volumes.len(), "volume", "volumes");
        keep_all(volumes.into_iter().map(|volume| volume.out).collect())?;
        self.folders.clear();
        let _ = writeln!(std::io::stderr(), "wrote {count} of {}", output_name(&self.name));
        Ok(())
    }
}

impl Drop for NewVolumes {
    fn drop(&mut self) {
        for folder in self.folders.iter().rev() {
            // One that is not empty is in use by others.
            let _ = std::fs::remove_dir(folder);
        }
    }
}

/// What `check` finds in the volumes as a set; an error if they have one.
pub fn verified(volumes: &[NewVolume]) -> anyhow::Result<Report> {
    let options = Options {
        read_data: true,
        observables: false,
        slices: false,
        lenient: true,
        require_checksum: false,
    };
    let names: Vec<(u64, PathBuf)> =
        volumes.iter().map(|volume| (volume.number, volume.path.clone())).collect();
    let mut bytes = 0;
    for volume in volumes {
        bytes += volume.out.file().metadata().map_err(Failure::Output)?.len();
    }
    let bar = bar(Some(bytes));
    let parts: Vec<FileParts<&File>> =
        volumes.iter().map(|volume| FileParts::new(volume.out.file(), &bar)).collect();
    let report = survey(&sources(&names, &parts), "", false, &options).map_err(failed)?;
    match report.findings.as_slice().iter().find(|found| found.severity == Level::Error) {
        Some(found) => Err(Failure::invalid(&found.message).into()),
        None => Ok(report),
    }
}

/// The checksums of the fields in a report, each of which must have all its sites.
pub fn checksums(report: &Report) -> Vec<Option<linkstream::lattice::Checksum>> {
    match &report.body {
        Body::Lime(contents) => contents.fields.iter().map(|field| field.checksum).collect(),
        _ => Vec::new(),
    }
}

/// Not an error of the source, whatever is reported about the copy.
pub fn disk(error: anyhow::Error) -> anyhow::Error {
    let said = std::io::Error::other(format!("the written volumes do not read back as expected: {error:#}"));
    Failure::Output(said).into()
}
