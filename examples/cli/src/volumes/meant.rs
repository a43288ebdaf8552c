//! What a path given by the user means: a file, a volume, or a set. A name makes nothing a volume whose bytes show that
//! it is something else.

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use linkstream_report::volumes::{FIRST, is_volume};

use super::names::{SetName, volume_number};
use crate::source::filled;
use crate::there::if_there;

/// What a path means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Meaning {
    /// A file, or something that cannot be read.
    File,
    /// A volume that does not have the name of one, or of which the other volumes are not there.
    Volume,
    /// A set, or one of its volumes.
    Set(SetName),
}

/// Finds out what paths mean; sets are looked at once.
#[derive(Debug, Default)]
pub struct Meanings {
    known: HashMap<SetName, bool>,
}

impl Meanings {
    pub fn of(&mut self, path: &Path) -> io::Result<Meaning> {
        let Some(about) = if_there(path.metadata())? else { return Self::of_name(path) };
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

    /// Of a name that nothing has.
    fn of_name(path: &Path) -> io::Result<Meaning> {
        Ok(set_called(path)?.map_or(Meaning::File, Meaning::Set))
    }

    /// Whether one of the files with the names of its volumes is a volume.
    fn is_there(&mut self, set: &SetName) -> io::Result<bool> {
        if let Some(known) = self.known.get(set) {
            return Ok(*known);
        }
        let is_there = has(set, |content| content == Some(true))?;
        self.known.insert(set.clone(), is_there);
        Ok(is_there)
    }
}

/// The set of this name, whether or not there is a file of that name, too.
pub fn set_called(path: &Path) -> io::Result<Option<SetName>> {
    for set in SetName::called(path) {
        // All of them can be damaged.
        if has(&set, |content| content != Some(false))? {
            return Ok(Some(set));
        }
    }
    Ok(None)
}

/// Whether the content of one of the files with the names of its volumes is such.
fn has(set: &SetName, is_such: impl Fn(Option<bool>) -> bool) -> io::Result<bool> {
    for (_, path) in set.volumes()? {
        if is_such(contents(&path)?) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether the first bytes of a file show that it is a volume, or that it is none.
fn contents(path: &Path) -> io::Result<Option<bool>> {
    let mut first = [0; FIRST];
    let n = filled(&mut File::open(path)?, &mut first)?;
    Ok(is_volume(&first[..n]))
}

/// Numbers and paths of the volumes of a set, as far as names have numbers.
pub fn numbered(set: &SetName) -> io::Result<Vec<(Option<u64>, PathBuf)>> {
    Ok(set.volumes()?.into_iter().map(|(number, path)| (Some(number), path)).collect())
}

/// A volume by itself.
pub fn alone(path: &Path) -> Vec<(Option<u64>, PathBuf)> {
    vec![(volume_number(path), path.to_owned())]
}
