//! Which files a command is about: those that are named, those of a list, and those in folders.

use std::collections::HashSet;
use std::fs::File;
use std::io::{BufRead as _, BufReader, Read};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use linkstream_report::report::{Body, Report};
use walkdir::{DirEntry, WalkDir};

use crate::human::one_line;
use crate::volumes::{Layout, Listed, Meaning, Meanings, alone, numbered, volumes_of};

/// Endings of names of files that are never unrelated: what such a file begins with may be damage.
const ENDINGS: [&str; 6] = ["lime", "ildg", "scidac", "scda", "inebin", "nersc"];

/// The files, in the order in which they are reported.
#[derive(Debug, Default)]
pub struct Files {
    pub list: Vec<Candidate>,
    /// What was found in folders and is neither a file nor a folder.
    pub skipped: usize,
}

/// A file to be read.
#[derive(Debug)]
pub struct Candidate {
    pub path: PathBuf,
    /// It was found in a folder, not named.
    pub is_found: bool,
    /// Its size, 0 where that is not known.
    pub bytes: u64,
    /// Why it cannot be read, where that is known already.
    pub failure: Option<std::io::Error>,
    /// The files of a set of volumes, or one volume that is to be read by itself; none for other files.
    pub volumes: Volumes,
}

/// What a file is to QIO's file sets.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub enum Volumes {
    /// Nothing.
    #[default]
    None,
    /// A volume that is read alone.
    Alone,
    /// One volume of a set, or the name of the set: number and path of each volume that is there.
    Set(Listed),
}

impl Candidate {
    /// A volume that was not named itself, and is read by itself.
    fn alone() -> Self {
        Self { path: PathBuf::new(), is_found: false, bytes: 0, failure: None, volumes: Volumes::Alone }
    }

    /// The same path, which can be read.
    fn as_volumes(&self, volumes: Volumes) -> Self {
        Self { path: self.path.clone(), is_found: self.is_found, bytes: self.bytes, failure: None, volumes }
    }

    /// The set of that name with these volumes.
    fn as_set(&self, volumes: Listed) -> Self {
        let bytes = volumes.iter().map(|(_, path)| length(path)).sum();
        Self { bytes, ..self.as_volumes(Volumes::Set(volumes)) }
    }

    /// The set of that name whose volumes are where a table says.
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

    /// Whether a file that was found in a folder is none that anybody asked about. A file that is empty or has the name
    /// of such a file is damaged rather than unrelated, but for an empty one that is hidden.
    pub fn is_unrelated(&self, report: &Report) -> bool {
        let is_hidden =
            || self.path.file_name().is_some_and(|name| name.as_encoded_bytes().starts_with(b"."));
        let has_ending = || {
            let ending = self.path.extension();
            ENDINGS.iter().any(|known| ending.is_some_and(|ending| ending.eq_ignore_ascii_case(known)))
        };
        let is_damaged = has_ending() || report.bytes == 0 && !is_hidden();
        self.is_found && matches!(report.body, Body::Unknown) && !is_damaged
    }
}

impl Files {
    /// The files that are named and those of a list; of folders every file in them, in the order of their names.
    pub fn gather(named: &[PathBuf], list: Option<&Path>) -> anyhow::Result<Self> {
        let mut files = Self::default();
        named.iter().for_each(|path| files.add(path));
        if let Some(list) = list {
            let name = || one_line(&list.display().to_string());
            listed(list).with_context(name)?.iter().for_each(|path| files.add(path));
        }
        Ok(files)
    }

    /// Puts the volumes of each set together, in the place of the first of them, or with `is_alone` marks each as one
    /// to be read by itself. A name without a file is that of a set, if volumes of it are there. With a table of
    /// folders as `layout` every name that was given is that of a set.
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
            let grouped = meanings.of(&file.path).and_then(|meaning| {
                Ok(match meaning {
                    Meaning::File => vec![file.as_volumes(Volumes::None)],
                    Meaning::Volume | Meaning::Set(_) if is_alone && file.path.is_file() => {
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
                    // A volume of a set that is in the list already.
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

    /// Sizes of all files.
    pub fn bytes(&self) -> u64 {
        self.list.iter().fold(0, |all, file| all.saturating_add(file.bytes))
    }

    fn add(&mut self, path: &Path) {
        let about = path.metadata().ok().filter(|_| path != Path::new("-"));
        if !about.as_ref().is_some_and(std::fs::Metadata::is_dir) {
            let bytes = about.filter(std::fs::Metadata::is_file).map_or(0, |about| about.len());
            let path = path.to_owned();
            self.list.push(Candidate { path, is_found: false, bytes, failure: None, volumes: Volumes::None });
            return;
        }
        for entry in WalkDir::new(path).sort_by_file_name() {
            match entry {
                Ok(entry) => self.found(&entry),
                Err(error) => {
                    let path = error.path().unwrap_or(path).to_owned();
                    let failure = error.into_io_error();
                    self.list.push(Candidate {
                        path,
                        is_found: true,
                        bytes: 0,
                        failure,
                        volumes: Volumes::None,
                    });
                }
            }
        }
    }

    /// Links to files count as files, links to folders are not followed: they could lead anywhere.
    fn found(&mut self, entry: &DirEntry) {
        if entry.file_type().is_dir() {
            return;
        }
        let (bytes, failure) = match entry.path().metadata() {
            Ok(about) if about.is_file() => (about.len(), None),
            Ok(_) => {
                self.skipped += 1;
                return;
            }
            Err(error) => (0, Some(error)),
        };
        self.list.push(Candidate {
            path: entry.path().to_owned(),
            is_found: true,
            bytes,
            failure,
            volumes: Volumes::None,
        });
    }
}

/// The size of a file, 0 where that is not known.
fn length(path: &Path) -> u64 {
    path.metadata().map_or(0, |about| about.len())
}

/// The names in a list, one a line; `-` is standard input.
fn listed(list: &Path) -> std::io::Result<Vec<PathBuf>> {
    let source: Box<dyn Read> =
        if list == Path::new("-") { Box::new(std::io::stdin().lock()) } else { Box::new(File::open(list)?) };
    let mut names = Vec::new();
    for line in BufReader::new(source).split(b'\n') {
        let line = line?;
        let line = line.strip_suffix(b"\r").unwrap_or(&line);
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
    Ok(std::ffi::OsStr::from_bytes(line).into())
}

#[cfg(not(unix))]
fn name(line: &[u8]) -> std::io::Result<PathBuf> {
    let name = std::str::from_utf8(line)
        .map_err(|error| std::io::Error::new(std::io::ErrorKind::InvalidData, error))?;
    Ok(name.into())
}
