//! The files that a command processes: named on the command line, in a list, or found in directories.

use std::collections::HashSet;
use std::ffi::OsStr;
use std::fs::{DirEntry, Metadata};
use std::io::Read;
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use linkstream_access::isolated::isolated;
use linkstream_access::set::{Listed, Meaning, Meanings, alone, numbered};

use crate::ensemble::Which;
use crate::failure::wrong_arguments;
use crate::human::shown_path;
use crate::lists;
use crate::system::{File, entries, link_metadata, metadata};
use crate::volumes::{Layout, volumes_of};

/// Files in the order of the reports.
#[derive(Debug, Default)]
pub struct Files {
    pub list: Vec<Candidate>,
    /// Entries in directories that are neither files nor directories, and why each is skipped.
    pub skipped: Vec<(PathBuf, &'static str)>,
}

/// A file to be read.
#[derive(Debug)]
pub struct Candidate {
    pub path: PathBuf,
    /// True if it was found in a directory, as opposed to named.
    pub is_found: bool,
    /// Its size; 0 if unknown.
    pub bytes: u64,
    /// Why it cannot be read, if that is already known.
    pub failure: Option<std::io::Error>,
    /// Its role in QIO's file sets.
    pub volumes: Volumes,
}

/// The role of a file in QIO's file sets.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub enum Volumes {
    /// Not a volume.
    #[default]
    None,
    /// A volume that is read on its own.
    Alone,
    /// One volume of a set, or the name of the set, with number and path of each existing volume.
    Set(Listed),
}

impl Candidate {
    /// Template for the volumes of a set that are read on their own although only the set was named.
    fn alone() -> Self {
        Self { path: PathBuf::new(), is_found: false, bytes: 0, failure: None, volumes: Volumes::Alone }
    }

    /// A readable file with the same path.
    fn as_volumes(&self, volumes: Volumes) -> Self {
        Self { path: self.path.clone(), is_found: self.is_found, bytes: self.bytes, failure: None, volumes }
    }

    /// The set of this name with these volumes.
    fn as_set(&self, volumes: Listed) -> Self {
        let bytes = volumes.iter().map(|(_, path)| length(path)).sum();
        Self { bytes, ..self.as_volumes(Volumes::Set(volumes)) }
    }

    /// The set of this name, whose volumes are in the directories of a table.
    fn in_table(self, layout: &Layout) -> Self {
        match volumes_of(&self.path, layout) {
            Ok(Some(volumes)) => self.as_set(volumes),
            Ok(None) => self,
            Err(error) => {
                let failure = std::io::Error::new(std::io::ErrorKind::NotFound, format!("{error:#}"));
                Self { failure: Some(failure), ..self }
            }
        }
    }
}

impl Files {
    /// Collects the named files and the files in a list, whose names end in this byte. A directory means all files in it,
    /// in the order of their names.
    /// Entries of directories are left out as `which` says.
    pub fn gather(named: &[PathBuf], list: Option<(&Path, u8)>, which: &Which) -> anyhow::Result<Self> {
        let mut files = Self::default();
        named.iter().for_each(|path| files.add(path, which));
        if let Some((list, end)) = list {
            let name = || shown_path(list);
            listed(list, end).with_context(name)?.iter().for_each(|path| files.add(path, which));
        }
        // It can be read once.
        let is_stdin = |path: &Path| path == Path::new("-");
        let uses = files.list.iter().filter(|file| is_stdin(&file.path)).count();
        if uses + usize::from(list.is_some_and(|(list, _)| is_stdin(list))) > 1 {
            wrong_arguments!("standard input (-) is named twice");
        }
        Ok(files)
    }

    /// Combines the volumes of each set into one entry at the position of the first, or, if `is_alone`, marks each
    /// volume as one to be read on its own. A name without a file denotes a set if volumes of it exist. If `layout` is
    /// a table of directories, every name given denotes a set.
    pub fn group(&mut self, is_alone: bool, layout: &Layout) {
        let (mut meanings, mut seen) = (Meanings::default(), HashSet::new());
        let mut list = Vec::new();
        for mut file in std::mem::take(&mut self.list) {
            if file.path == Path::new("-") || file.failure.is_some() {
                list.push(file);
                continue;
            }
            if !file.is_found && matches!(layout, Layout::Table(_)) {
                list.push(file.in_table(layout));
                continue;
            }
            let meaning = isolated(|| meanings.of(&file.path));
            let grouped =
                meaning.unwrap_or_else(|error| Err(std::io::Error::other(error))).and_then(|meaning| {
                    Ok(match meaning {
                        Meaning::File => vec![file.as_volumes(Volumes::None)],
                        Meaning::Volume | Meaning::Set(_)
                            if is_alone && metadata(&file.path).is_ok_and(|about| about.is_file()) =>
                        {
                            vec![file.as_volumes(Volumes::Alone)]
                        }
                        Meaning::Volume => vec![file.as_volumes(Volumes::Set(alone(&file.path)))],
                        Meaning::Set(set) if is_alone => {
                            let volume = |(_, path): (u64, PathBuf)| Candidate {
                                bytes: length(&path),
                                path,
                                ..Candidate::alone()
                            };
                            set.volumes()?.into_iter().map(volume).collect()
                        }
                        Meaning::Set(set) if seen.insert(set.clone()) => {
                            vec![Candidate { path: set.path(), ..file.as_set(numbered(&set)?) }]
                        }
                        // The set of this volume is in the list already.
                        Meaning::Set(_) => Vec::new(),
                    })
                });
            match grouped {
                Ok(grouped) => list.extend(grouped),
                Err(error) => {
                    file.failure = Some(error);
                    list.push(file);
                }
            }
        }
        self.list = list;
    }

    /// Total size of all files.
    pub fn bytes(&self) -> u64 {
        self.list.iter().fold(0, |all, file| all.saturating_add(file.bytes))
    }

    /// Number of pieces of the files that threads can process at the same time. A source of unknown size can have any
    /// number.
    pub fn pieces(&self) -> u64 {
        const PIECE: u64 = 1 << 20;
        let of = |file: &Candidate| if file.bytes == 0 { u64::MAX } else { file.bytes.div_ceil(PIECE) };
        self.list.iter().map(of).fold(0, u64::saturating_add)
    }

    fn add(&mut self, path: &Path, which: &Which) {
        let about = metadata(path).ok().filter(|_| path != Path::new("-"));
        if about.as_ref().is_some_and(Metadata::is_dir) {
            self.add_folder(path, path, which);
            return;
        }
        let bytes = about.filter(Metadata::is_file).map_or(0, |about| about.len());
        self.push(path, false, bytes, None);
    }

    /// Adds all files in a directory and in the directories in it, in the order of their names. `root` is the directory that
    /// was named.
    fn add_folder(&mut self, folder: &Path, root: &Path, which: &Which) {
        let mut found = match entries(folder) {
            Ok(found) => found,
            Err(error) => return self.push(folder, true, 0, Some(error)),
        };
        found.sort_by_key(DirEntry::file_name);
        for entry in found {
            let path = entry.path();
            let parts = path.strip_prefix(root).unwrap_or(&path).iter();
            if which.excludes(parts.collect::<Vec<_>>().join(OsStr::new("/")).as_encoded_bytes()) {
                continue;
            }
            match link_metadata(&path) {
                Ok(about) if about.is_dir() => self.add_folder(&path, root, which),
                Ok(about) => self.add_found(&path, about, which),
                Err(error) => self.push(&path, true, 0, Some(error)),
            }
        }
    }

    /// Links to files count as files. Links to directories are not followed, since they could lead anywhere.
    fn add_found(&mut self, path: &Path, about: Metadata, which: &Which) {
        let is_link = about.is_symlink();
        match if is_link { metadata(path) } else { Ok(about) } {
            Ok(about) if about.is_file() => {
                if !which.is_too_young(&about) {
                    self.push(path, true, about.len(), None);
                }
            }
            Ok(about) if about.is_dir() => {
                self.skipped.push((path.to_owned(), "a link to a directory, which is not followed"));
            }
            Ok(_) => self.skipped.push((path.to_owned(), "a device, a pipe or a socket")),
            Err(error) => self.push(path, true, 0, Some(error)),
        }
    }

    fn push(&mut self, path: &Path, is_found: bool, bytes: u64, failure: Option<std::io::Error>) {
        self.list.push(Candidate { path: path.to_owned(), is_found, bytes, failure, volumes: Volumes::None });
    }
}

/// The size of a file; 0 if unknown.
fn length(path: &Path) -> u64 {
    metadata(path).map_or(0, |about| about.len())
}

/// The names in a list, which end in this byte. The list `-` is standard input.
fn listed(list: &Path, end: u8) -> std::io::Result<Vec<PathBuf>> {
    let source: Box<dyn Read> =
        if list == Path::new("-") { Box::new(std::io::stdin().lock()) } else { Box::new(File::open(list)?) };
    let mut names = Vec::new();
    for line in lists::read(source, end)?.split(|byte| *byte == end) {
        let line = if end == b'\n' { line.strip_suffix(b"\r").unwrap_or(line) } else { line };
        if !line.is_empty() {
            names.push(name(line)?);
        }
    }
    Ok(names)
}

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere names are text")]
fn name(line: &[u8]) -> std::io::Result<PathBuf> {
    use std::os::unix::ffi::OsStrExt as _;
    Ok(OsStr::from_bytes(line).into())
}

#[cfg(not(unix))]
fn name(line: &[u8]) -> std::io::Result<PathBuf> {
    let name = std::str::from_utf8(line)
        .map_err(|error| std::io::Error::new(std::io::ErrorKind::InvalidData, error))?;
    Ok(name.into())
}
