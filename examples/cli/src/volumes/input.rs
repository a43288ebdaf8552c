//! The input of a conversion: a file, an archive, or a file set read as one file.

use std::borrow::Borrow;
use std::fmt::Display;
use std::io::{self, Seek as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use indicatif::ProgressBar;
use linkstream_access as access;
use linkstream_access::set::{
    self, FolderError, Layout, Listed, SetAsFile, VolumeSource, numbered, set_called,
};
use linkstream_access::source::Source;

use super::open_files::allow_open_files;
use crate::archive::{Origin, as_lime};
use crate::failure::{Failure, failed, input_name, of_input};
use crate::fields::warn;
use crate::human::shown_path;
use crate::judged::{LENIENT, Permission, Trust, WITH_SLICE_SUMS, admitted_fields, judged_set, report_on};
use crate::own_input;
use crate::source::{FileParts, Rereadable, bar, open, rereadable};
use crate::system::File;

/// Calls `work` with the file `input`, or with the set of that name. `layout` gives the directories of its volumes. The
/// second argument is the origin of the data. Damaged input is refused unless `permission` allows it.
pub fn with_source<T>(
    input: &Path,
    layout: &Layout,
    permission: Permission,
    work: impl FnOnce(&mut dyn Rereadable, &Origin) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    with_opened(input, layout, permission, &|warning| warn(warning), work)
}

/// Like [`with_source`], with warnings passed to `say`.
pub fn with_opened<T>(
    input: &Path,
    layout: &Layout,
    permission: Permission,
    say: &dyn Fn(&dyn Display),
    work: impl FnOnce(&mut dyn Rereadable, &Origin) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let Some(volumes) = volumes_of(input, layout)? else {
        let file = rereadable(input)?;
        let report = report_on(&file, input, &LENIENT)?;
        let (trust, part) = admitted_fields(&report, &file, input, permission)?;
        let mut imported = as_lime(file, report, trust, part)?;
        imported.warnings.iter().for_each(|warning| say(warning));
        imported.rewind().map_err(Failure::Input)?;
        let origin = std::mem::take(&mut imported.origin);
        if origin.surplus > 0 {
            own_input::left_out("the bytes after its last link are left out".to_owned());
        }
        return work(&mut imported, &origin);
    };
    let trust = judged_set(input, &volumes, permission, &LENIENT)?;
    let _allowed = allow_open_files(volumes.len() as u64)?;
    let files = open_all(&volumes)?;
    // Hidden, because the bar of the source shows the progress.
    let parts: Vec<_> = files
        .iter()
        .zip(&volumes)
        .map(|(file, (_, path))| NamedParts::new(FileParts::new(file, &ProgressBar::hidden()), path))
        .collect();
    let mut source =
        SetAsFile::open(&sources(&volumes, &parts)).map_err(|error| failed(Failure::of_source(error)))?;
    source.warnings().for_each(|message| say(&message));
    work(&mut source, &Origin { trust, ..Origin::default() })
}

/// Opens the volumes of the set `input` for reading its fields, if they are not damaged or `permission` allows it.
pub fn with_fields_of_set<T>(
    input: &Path,
    volumes: &Listed,
    permission: Permission,
    work: impl FnOnce(&access::File, &Trust) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let trust = judged_set(input, volumes, permission, &WITH_SLICE_SUMS)?;
    let _allowed = allow_open_files(volumes.len() as u64)?;
    let files = open_all(volumes)?;
    let lengths = files.iter().map(|file| file.metadata().map(|about| about.len()));
    let bar = bar(Some(lengths.sum::<io::Result<u64>>().map_err(Failure::Input)?));
    let parts = files.into_iter().zip(volumes);
    let sources: Vec<_> = parts
        .map(|(file, (number, path))| VolumeSource {
            name: path.display().to_string(),
            number: *number,
            source: Arc::new(NamedParts::new(FileParts::new(file, &bar), path)) as _,
        })
        .collect();
    let open = match trust.damage {
        None => access::File::open_set,
        Some(_) => access::File::open_damaged_set,
    };
    let set = open(&sources).map_err(failed)?;
    set.volume_warnings().for_each(|message| warn(&message));
    work(&set, &trust)
}

/// True if `input` is a set, as opposed to a file.
pub fn is_set(input: &Path, layout: &Layout) -> anyhow::Result<bool> {
    Ok(volumes_of(input, layout).map_err(|error| of_input(error, input))?.is_some())
}

/// The volumes of the set that `input` names; `None` if it names a file.
pub fn volumes_of(input: &Path, layout: &Layout) -> anyhow::Result<Option<Listed>> {
    if input == Path::new("-") {
        return Ok(None);
    }
    set::volumes_in(input, layout).map_err(|error| match error {
        FolderError::Io(error) => Failure::Input(error).into(),
        other => other.into(),
    })
}

/// The volumes of a set, even if a file has the name `input`.
pub fn set_of(input: &Path, layout: &Layout) -> anyhow::Result<Listed> {
    if let Some(volumes) = volumes_of(input, layout).map_err(|error| of_input(error, input))? {
        return Ok(volumes);
    }
    let set = set_called(input).map_err(Failure::Input)?;
    let set = set.with_context(|| {
        let name = input_name(input);
        if input.exists() {
            format!("{name} is not a file set: there are no volumes {name}.vol* or vol*/{name}")
        } else {
            format!("{name}: no such file, and no volumes {name}.vol* or vol*/{name}")
        }
    })?;
    Ok(numbered(&set).map_err(Failure::Input)?)
}

/// Opens all volumes.
pub fn open_all(volumes: &[(Option<u64>, PathBuf)]) -> anyhow::Result<Vec<File>> {
    let open = |(_, path): &(Option<u64>, PathBuf)| open(path).with_context(|| shown_path(path));
    volumes.iter().map(open).collect()
}

/// The volumes as sources, with their names and numbers.
pub fn sources<'s, F: Borrow<File> + Sync + Send>(
    volumes: &[(Option<u64>, PathBuf)],
    parts: &'s [NamedParts<F>],
) -> Vec<VolumeSource<'s, io::Error>> {
    let named = volumes.iter().zip(parts);
    let source = |((number, path), parts): (&(Option<u64>, PathBuf), &'s NamedParts<F>)| VolumeSource {
        name: path.display().to_string(),
        number: *number,
        source: Arc::new(parts),
    };
    named.map(source).collect()
}

/// A file whose errors contain its name.
#[derive(Debug)]
pub struct NamedParts<F> {
    parts: FileParts<F>,
    name: String,
}

impl<F> NamedParts<F> {
    pub fn new(parts: FileParts<F>, path: &Path) -> Self {
        Self { parts, name: shown_path(path) }
    }

    fn named(&self, error: io::Error) -> io::Error {
        io::Error::new(error.kind(), format!("{}: {error}", self.name))
    }
}

impl<F: Borrow<File> + Sync + Send> Source for NamedParts<F> {
    type Error = io::Error;

    fn length(&self) -> io::Result<u64> {
        self.parts.length().map_err(|error| self.named(error))
    }

    fn worthwhile(&self) -> u64 {
        self.parts.worthwhile()
    }

    fn identity(&self) -> Option<(u64, u64)> {
        self.parts.identity()
    }

    fn places(&self) -> u64 {
        self.parts.places()
    }

    fn read_at(&self, offset: u64, out: &mut [u8]) -> io::Result<usize> {
        self.parts.read_at(offset, out).map_err(|error| self.named(error))
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn errors_of_a_volume_name_it() {
        // A directory can be opened, but not be read.
        let folder = File::open(".").expect("the current folder");
        let parts = NamedParts::new(FileParts::new(folder, &ProgressBar::hidden()), Path::new("lat.vol0001"));
        let error = parts.read_at(0, &mut [0; 8]).expect_err("a folder");
        assert!(error.to_string().starts_with("lat.vol0001: "), "{error}");
    }
}
