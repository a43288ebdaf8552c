//! File names in QIO's sets: `NAME.volNNNN`, or `volNNNN/NAME` in neighbouring directories.

use std::ffi::{OsStr, OsString};
use std::io;
use std::path::{Path, PathBuf};

use crate::system::{entries, if_there, metadata};

/// The name of a set.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct SetName {
    /// The directory that contains its volumes or their directories.
    folder: PathBuf,
    /// The name without a volume number.
    name: OsString,
    /// True if each volume is in a directory of its own.
    in_folders: bool,
}

/// The number in `volNNNN`, which has four digits, or more for larger numbers.
fn number(name: &OsStr) -> Option<u64> {
    let name = name.to_str()?;
    let number = name.strip_prefix("vol")?.parse().ok()?;
    Some(number).filter(|number| numbered(*number) == name)
}

fn numbered(number: u64) -> String {
    format!("vol{number:04}")
}

/// Name and number in `NAME.volNNNN`. The name need not be UTF-8.
fn name_and_number(file: &OsStr) -> Option<(&OsStr, u64)> {
    let file = Path::new(file);
    Some((file.file_stem()?, number(file.extension()?)?))
}

/// The file name of a volume in the directory of all volumes.
#[must_use]
pub fn volume_name(name: &OsStr, number: u64) -> OsString {
    let mut file = name.to_owned();
    file.push(".");
    file.push(numbered(number));
    file
}

/// The name of a volume's own directory.
#[must_use]
pub fn volume_folder(number: u64) -> String {
    numbered(number)
}

impl SetName {
    /// The set that `path` is a volume of, checked by its name.
    #[must_use]
    pub fn of_volume(path: &Path) -> Option<Self> {
        let folder = path.parent()?;
        let file = path.file_name()?;
        if let Some((name, _)) = name_and_number(file) {
            return Some(Self { folder: folder.to_owned(), name: name.to_owned(), in_folders: false });
        }
        // The path of a file in the current directory does not contain the name of that directory.
        let named = match folder.file_name() {
            Some(_) => folder.to_owned(),
            None => std::path::absolute(path).ok()?.parent()?.to_owned(),
        };
        named.file_name().and_then(number)?;
        Some(Self { folder: named.parent()?.to_owned(), name: file.to_owned(), in_folders: true })
    }

    /// The possible sets with this name.
    #[must_use]
    pub fn called(path: &Path) -> [Self; 2] {
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        let name = path.file_name().unwrap_or_default().to_owned();
        [false, true].map(|in_folders| Self { folder: folder.clone(), name: name.clone(), in_folders })
    }

    /// The path of the set, as passed to QIO's programs.
    #[must_use]
    pub fn path(&self) -> PathBuf {
        self.folder.join(&self.name)
    }

    /// The existing files with the names of its volumes, in the order of their numbers.
    ///
    /// # Errors
    /// The directory cannot be read.
    pub fn volumes(&self) -> io::Result<Vec<(u64, PathBuf)>> {
        let folder = if self.folder.as_os_str().is_empty() { Path::new(".") } else { &self.folder };
        let mut found = Vec::new();
        for entry in if_there(entries(folder))?.into_iter().flatten() {
            let entry_name = entry.file_name();
            let path = self.folder.join(&entry_name);
            let (number, path) = if self.in_folders {
                (number(&entry_name), path.join(&self.name))
            } else {
                let own = name_and_number(&entry_name).filter(|(name, _)| *name == self.name);
                (own.map(|(_, number)| number), path)
            };
            let Some(number) = number else { continue };
            if if_there(metadata(&path))?.is_some_and(|about| about.is_file()) {
                found.push((number, path));
            }
        }
        found.sort();
        Ok(found)
    }
}

/// The number in the name of a volume.
#[must_use]
pub fn volume_number(path: &Path) -> Option<u64> {
    let of_file = name_and_number(path.file_name()?).map(|(_, number)| number);
    of_file.or_else(|| number(path.parent()?.file_name()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_volumes() {
        let set = |path: &str| SetName::of_volume(Path::new(path)).map(|set| (set.path(), set.in_folders));
        assert_eq!(set("a/lat.vol0000"), Some(("a/lat".into(), false)));
        assert_eq!(set("lat.lime.vol12345"), Some(("lat.lime".into(), false)));
        assert_eq!(set("a/vol0003/lat"), Some(("a/lat".into(), true)));
        for path in
            ["lat", "lat.vol12", "lat.volume", "vol0001", "a/volx000/lat", "lat.vol00001", "lat.vol+001"]
        {
            assert_eq!(set(path), None, "{path}");
        }
        assert_eq!(
            [volume_number(Path::new("a.vol0012")), volume_number(Path::new("vol0007/a"))],
            [Some(12), Some(7)]
        );
    }
}
