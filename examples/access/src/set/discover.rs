//! Decides whether a path given by the user is a file, a volume, or a set. A file whose content shows that it is not a
//! volume is never taken for one because of its name.

use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};

use super::layout::{Layout, LayoutError};
use super::names::{SetName, volume_number};
use super::recognise::{FIRST, is_volume};
use crate::source::fill_most;
use crate::sources::FileSource;
use crate::system::{if_there, metadata};
use crate::text::shown_path;

/// Meaning of a path.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Meaning {
    /// A file, or anything that cannot be read.
    File,
    /// A volume without the name of one, or one whose other volumes do not exist.
    Volume,
    /// A set, or one of its volumes.
    Set(SetName),
}

/// Classifies paths, with a cache of the sets examined.
#[derive(Debug, Default)]
pub struct Meanings {
    known: HashMap<SetName, bool>,
}

impl Meanings {
    /// Returns the meaning of the path.
    ///
    /// # Errors
    /// The file, or another volume of its set, cannot be read.
    pub fn of(&mut self, path: &Path) -> io::Result<Meaning> {
        let Some(about) = if_there(metadata(path))? else { return Self::of_name(path) };
        if !about.is_file() {
            return Ok(Meaning::File);
        }
        let by_content = contents(path)?;
        if by_content == Some(false) {
            return Ok(Meaning::File);
        }
        match SetName::of_volume(path) {
            Some(set) if by_content == Some(true) || self.is_there(&set)? => Ok(Meaning::Set(set)),
            _ if by_content == Some(true) => Ok(Meaning::Volume),
            _ => Ok(Meaning::File),
        }
    }

    /// Classifies a name that no file has.
    fn of_name(path: &Path) -> io::Result<Meaning> {
        Ok(set_called(path)?.map_or(Meaning::File, Meaning::Set))
    }

    /// Returns whether at least one of the files with the names of its volumes is a volume.
    fn is_there(&mut self, set: &SetName) -> io::Result<bool> {
        if let Some(known) = self.known.get(set) {
            return Ok(*known);
        }
        let is_there = has(set, |content| content == Some(true))?;
        self.known.insert(set.clone(), is_there);
        Ok(is_there)
    }
}

/// The set of this name, even if there is also a file of this name.
///
/// # Errors
/// Its volumes cannot be read.
pub fn set_called(path: &Path) -> io::Result<Option<SetName>> {
    for set in SetName::called(path) {
        // All of its volumes can be damaged.
        if has(&set, |content| content != Some(false))? {
            return Ok(Some(set));
        }
    }
    Ok(None)
}

/// Returns whether `is_such` holds for the content of at least one of the files with the names of its volumes.
fn has(set: &SetName, is_such: impl Fn(Option<bool>) -> bool) -> io::Result<bool> {
    for (_, path) in set.volumes()? {
        if is_such(contents(&path)?) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// True if the first bytes of a file show that it is a volume, false if they show that it is not one; `None` if they
/// show neither.
fn contents(path: &Path) -> io::Result<Option<bool>> {
    let mut first = [0; FIRST];
    let n = fill_most(&FileSource::open(path)?, 0, &mut first)?;
    Ok(is_volume(first.get(..n).unwrap_or_default()))
}

/// Numbers and paths of the volumes of a set.
///
/// # Errors
/// The directory of the set cannot be read.
pub fn numbered(set: &SetName) -> io::Result<Listed> {
    Ok(set.volumes()?.into_iter().map(|(number, path)| (Some(number), path)).collect())
}

/// Number and path of each volume.
pub type Listed = Vec<(Option<u64>, PathBuf)>;

/// The volumes of the set that `path` is the name or a volume of; `None` if it is a file.
///
/// # Errors
/// The files cannot be read.
pub fn volumes_of(path: &Path) -> io::Result<Option<Listed>> {
    Ok(match Meanings::default().of(path)? {
        Meaning::File => None,
        Meaning::Volume => Some(alone(path)),
        Meaning::Set(set) => Some(numbered(&set)?),
    })
}

/// Like [`volumes_of`], for a set whose volumes are where `layout` says. With a table of directories, `path` is the
/// name of the set, and is never a file.
///
/// # Errors
/// The files cannot be read, or no directory of the table has a volume of that name.
pub fn volumes_in(path: &Path, layout: &Layout) -> Result<Option<Listed>, FolderError> {
    let Layout::Table(folders) = layout else { return Ok(volumes_of(path)?) };
    let mut volumes = Vec::new();
    for number in folders.keys() {
        let path = layout.path(path, *number)?;
        // Only the first node of an I/O family has a volume.
        match path.try_exists() {
            Ok(true) => volumes.push((Some(*number), path)),
            Ok(false) => {}
            Err(error) => return Err(FolderError::Volume { path, error }),
        }
    }
    if volumes.is_empty() { Err(FolderError::NoVolume) } else { Ok(Some(volumes)) }
}

/// Reason why the volumes of a file set were not found.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FolderError {
    /// The files cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The set has no name.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// It is unknown whether a volume exists.
    #[error("{}: {error}", shown_path(path))]
    Volume { path: PathBuf, error: io::Error },
    /// There is none.
    #[error("none of the paths in the table has a volume of that name")]
    NoVolume,
}

/// A volume on its own.
pub fn alone(path: &Path) -> Listed {
    vec![(volume_number(path), path.to_owned())]
}
