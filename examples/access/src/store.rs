//! The files of a store: all that are in a directory and in the directories in it, by their names relative to it.

use std::fs::Metadata;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::system::{entries, link_metadata, metadata};

/// Properties of a file that the system knows without reading it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stat {
    pub size: u64,
    /// Time of the last modification.
    pub modified: Option<SystemTime>,
    /// Time of the last change of the file or of what the system knows about it, which programs cannot set (`ctime`).
    pub changed: Option<SystemTime>,
    /// Device and number of the file.
    pub identity: Option<(u64, u64)>,
}

impl Stat {
    /// The properties of the file that a path leads to; links are followed.
    ///
    /// # Errors
    /// Errors of the system.
    pub fn of(path: &Path) -> io::Result<Self> {
        metadata(path).map(|about| Self::from(&about))
    }
}

impl From<&Metadata> for Stat {
    fn from(about: &Metadata) -> Self {
        #[cfg(unix)]
        let (changed, identity) = {
            use std::os::unix::fs::MetadataExt as _;
            use std::time::{Duration, UNIX_EPOCH};

            let seconds = u64::try_from(about.ctime()).ok().map(Duration::from_secs);
            let nanos = u32::try_from(about.ctime_nsec()).unwrap_or_default();
            let since = seconds.and_then(|since| since.checked_add(Duration::from_nanos(nanos.into())));
            (since.and_then(|since| UNIX_EPOCH.checked_add(since)), Some((about.dev(), about.ino())))
        };
        #[cfg(not(unix))]
        let (changed, identity) = (None, None);
        Self { size: about.len(), modified: about.modified().ok(), changed, identity }
    }
}

/// A file of a store.
#[derive(Debug, Clone)]
pub struct Found {
    /// Its path in the store, with `/` between the parts. It need not be UTF-8.
    pub name: Vec<u8>,
    pub path: PathBuf,
    pub stat: Stat,
}

/// Everything that was found in a store.
#[derive(Debug, Default)]
pub struct Walk {
    /// In ascending order of the bytes of their names.
    pub files: Vec<Found>,
    /// Entries that are no files, and why each is left out.
    pub skipped: Vec<(Vec<u8>, &'static str)>,
    /// Directories that cannot be listed, and entries of unknown type.
    pub failed: Vec<(Vec<u8>, io::Error)>,
}

/// Finds the files of a store, without the names that `leaves_out` selects. A directory that it selects is left out with
/// everything in it. Links to files count as files. Links to directories are not followed, since they could lead anywhere.
///
/// # Errors
/// The directory of the store cannot be listed.
pub fn walk(root: &Path, leaves_out: impl Fn(&[u8]) -> bool) -> io::Result<Walk> {
    let mut walk = Walk::default();
    let mut folders = vec![(Vec::new(), root.to_owned())];
    while let Some((folder, path)) = folders.pop() {
        let found = match entries(&path) {
            Err(error) if folder.is_empty() => return Err(error),
            Err(error) => {
                walk.failed.push((folder, error));
                continue;
            }
            Ok(found) => found,
        };
        for entry in found {
            let mut name = folder.clone();
            if !name.is_empty() {
                name.push(b'/');
            }
            name.extend_from_slice(entry.file_name().as_encoded_bytes());
            if leaves_out(&name) {
                continue;
            }
            let path = entry.path();
            let about = link_metadata(&path);
            let is_link = about.as_ref().is_ok_and(Metadata::is_symlink);
            match if is_link { metadata(&path) } else { about } {
                Ok(about) if about.is_file() => {
                    walk.files.push(Found { name, path, stat: Stat::from(&about) });
                }
                Ok(about) if about.is_dir() && is_link => {
                    walk.skipped.push((name, "a link to a directory, which is not followed"));
                }
                Ok(about) if about.is_dir() => folders.push((name, path)),
                Ok(_) => walk.skipped.push((name, "a device, a pipe or a socket")),
                Err(error) => walk.failed.push((name, error)),
            }
        }
    }
    walk.files.sort_by(|a, b| a.name.cmp(&b.name));
    walk.skipped.sort();
    walk.failed.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(walk)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_named_relative_to_the_store_and_sorted() {
        let store = tempfile::tempdir().expect("a temporary directory");
        for name in ["b/2", "b/1", "a", "b.x", "left/out", "kept/out"] {
            let path = store.path().join(name);
            std::fs::create_dir_all(path.parent().expect("a directory")).expect("writable");
            std::fs::write(path, name).expect("writable");
        }
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("..", store.path().join("up")).expect("writable");
            std::os::unix::fs::symlink("nothing", store.path().join("dangling")).expect("writable");
            std::os::unix::fs::symlink("a", store.path().join("z")).expect("writable");
        }
        let walk = walk(store.path(), |name| name == b"left").expect("a directory");
        let names: Vec<_> = walk.files.iter().map(|file| String::from_utf8_lossy(&file.name)).collect();
        let expected = ["a", "b.x", "b/1", "b/2", "kept/out"];
        assert_eq!(names[..5], expected);
        #[cfg(unix)]
        {
            assert_eq!(names[5..], ["z"]);
            assert_eq!(walk.skipped, [(b"up".to_vec(), "a link to a directory, which is not followed")]);
            assert_eq!(walk.failed.len(), 1);
        }
        assert!(super::walk(&store.path().join("a"), |_| false).is_err());
    }
}
