//! Output files, which are written completely or not at all.

use std::collections::BTreeSet;
use std::fmt;
use std::fs::Metadata;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::incomplete::Incomplete;
use super::new_file::{NewFile, Unsynced, folder, publish};
use crate::sources::FileSource;
use crate::system::{File, if_there, link_metadata, metadata, read_link};
use crate::text::shown_path;

/// Reason why a file could not be created or given its name.
#[derive(Debug)]
pub struct FileError {
    /// The path as the caller named it.
    pub path: PathBuf,
    /// Failed step, with the error of the system.
    pub why: FileErrorKind,
}

/// The reason of a [`FileError`].
#[derive(Debug)]
#[non_exhaustive]
pub enum FileErrorKind {
    /// The file exists and is not to be replaced.
    Exists,
    /// A symbolic link to a file that does not exist, which is not to be replaced.
    DanglingLink,
    /// A device, a directory or something else that is not a file.
    NotAFile,
    /// Another new file has the same path.
    Twice,
    /// The path that should be the directory of the file leads to something else.
    NotAFolder(PathBuf),
    /// The directory of the file cannot be examined.
    Folder(PathBuf, io::Error),
    /// The file cannot be created, written or renamed.
    Io(io::Error),
}

impl fmt::Display for FileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = shown_path(&self.path);
        match &self.why {
            FileErrorKind::Exists => write!(f, "{path} exists"),
            FileErrorKind::DanglingLink => {
                write!(f, "{path} is a symbolic link to a file that does not exist")
            }
            FileErrorKind::NotAFile => write!(f, "{path} is not a file"),
            FileErrorKind::Twice => write!(f, "{path} is the path of two new files"),
            FileErrorKind::NotAFolder(folder) => {
                write!(f, "{path}: {} is not a directory", shown_path(folder))
            }
            FileErrorKind::Folder(folder, error) => {
                write!(f, "{path}: directory {}: {error}", shown_path(folder))
            }
            FileErrorKind::Io(error) => write!(f, "{path}: {error}"),
        }
    }
}

impl std::error::Error for FileError {}

/// A file that is not yet complete. It gets its name when it is [kept](Self::keep); if it is dropped before, nothing of
/// it remains, and a file that it would have replaced is unchanged.
#[derive(Debug)]
pub struct AtomicFile {
    new: NewFile,
    /// The path as the caller named it.
    out: PathBuf,
    replace: bool,
}

impl AtomicFile {
    /// Begins a file that will be called `out`, which must not exist unless `replace`, and must not be a device. A
    /// symbolic link is kept: the new file replaces its target, and has its permissions. While the file has a temporary
    /// name, that is in the list of `incomplete` files.
    ///
    /// # Errors
    /// The file exists, or it cannot be created.
    pub fn create(out: &Path, replace: bool, incomplete: &Incomplete) -> Result<Self, FileError> {
        let failed = |error| FileError { path: out.to_owned(), why: FileErrorKind::Io(error) };
        let target = followed(out).map_err(failed)?;
        let old = if_there(metadata(&target)).map_err(failed)?;
        Self::create_at(out, target, old, replace, incomplete)
    }

    /// Begins a file like [`create`](Self::create), for a path whose last part the caller has not chosen: a symbolic link
    /// there can come from somebody else. It is not followed, but replaced, if `replace`.
    ///
    /// # Errors
    /// There is a file or a link, or the file cannot be created.
    pub fn create_inside(out: &Path, replace: bool, incomplete: &Incomplete) -> Result<Self, FileError> {
        let failed = |error| FileError { path: out.to_owned(), why: FileErrorKind::Io(error) };
        let found = if_there(link_metadata(out)).map_err(failed)?;
        if found.as_ref().is_some_and(|about| about.is_symlink() && !replace) {
            return Err(FileError { path: out.to_owned(), why: FileErrorKind::Exists });
        }
        let old = found.filter(|about| !about.is_symlink());
        Self::create_at(out, out.to_owned(), old, replace, incomplete)
    }

    /// Begins a file at `target`, where there is a file `old`.
    fn create_at(
        out: &Path,
        target: PathBuf,
        old: Option<Metadata>,
        replace: bool,
        incomplete: &Incomplete,
    ) -> Result<Self, FileError> {
        let because = |why| FileError { path: out.to_owned(), why };
        let failed = |error| because(FileErrorKind::Io(error));
        match &old {
            // A device must not be replaced by a file.
            Some(about) if !about.is_file() => return Err(because(FileErrorKind::NotAFile)),
            Some(_) if !replace => return Err(because(FileErrorKind::Exists)),
            // Reported now rather than after everything has been written.
            None if !replace && target != out => return Err(because(FileErrorKind::DanglingLink)),
            _ => {}
        }
        let folder = folder(&target);
        let about =
            metadata(folder).map_err(|error| because(FileErrorKind::Folder(folder.to_owned(), error)))?;
        if !about.is_dir() {
            return Err(because(FileErrorKind::NotAFolder(folder.to_owned())));
        }
        let new = NewFile::create(&target, incomplete).map_err(failed)?;
        if let Some(old) = old {
            new.file().set_permissions(old.permissions()).map_err(failed)?;
        }
        Ok(Self { new, out: out.to_owned(), replace })
    }

    /// The file without a name.
    #[must_use]
    pub const fn file(&self) -> &File {
        self.new.file()
    }

    /// The path as the caller named it.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.out
    }

    /// A source that reads the file from its start.
    ///
    /// # Errors
    /// The system has no more file descriptors.
    pub fn source(&self) -> io::Result<FileSource> {
        Ok(FileSource::from(std::fs::File::from(self.file().try_clone()?)))
    }

    /// Gives the complete file its name, after its bytes are on the disk.
    ///
    /// # Errors
    /// It cannot be written or renamed. Nothing of it remains then.
    pub fn keep(self) -> Result<(), FileError> {
        Self::keep_all(vec![self], None)
    }

    /// Gives complete files their names: all of them, or none if the name of one that must not replace a file is not
    /// available. `unsynced` gets the directories, which must be synchronised after the last of many files; without it,
    /// they are synchronised now.
    ///
    /// # Errors
    /// Two files have one path, or a file cannot be written or renamed.
    pub fn keep_all(mut files: Vec<Self>, unsynced: Option<&mut Unsynced>) -> Result<(), FileError> {
        // A replaced file cannot be restored, so all steps that can be refused come first.
        files.sort_by_key(|file| file.replace);
        let replacing = files.partition_point(|file| !file.replace);
        let mut targets = BTreeSet::new();
        let (mut new_files, mut names) = (Vec::new(), Vec::new());
        for Self { new, out, .. } in files {
            let target = match new.target() {
                Ok(target) => target,
                Err(error) => return Err(FileError { path: out, why: FileErrorKind::Io(error) }),
            };
            if !targets.insert(target) {
                return Err(FileError { path: out, why: FileErrorKind::Twice });
            }
            // A full disk may be reported only now, and publishing would already have replaced an existing file.
            if let Err(error) = new.file().sync_all() {
                return Err(FileError { path: out, why: FileErrorKind::Io(error) });
            }
            new_files.push(new);
            names.push(out);
        }
        publish(&new_files, replacing, unsynced).map_err(|(index, error)| {
            let path = names.get(index).cloned().unwrap_or_default();
            FileError { path, why: FileErrorKind::Io(error) }
        })
    }
}

impl Write for AtomicFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file().flush()
    }
}

impl Read for AtomicFile {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        self.file().read(out)
    }
}

impl Seek for AtomicFile {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file().seek(to)
    }
}

/// The target of a symbolic link, which need not exist.
fn followed(out: &Path) -> io::Result<PathBuf> {
    // The limit of Linux.
    const MAX_LINKS: usize = 40;
    let mut target = out.to_owned();
    for _ in 0..MAX_LINKS {
        if !if_there(link_metadata(&target))?.is_some_and(|about| about.is_symlink()) {
            return Ok(target);
        }
        target = folder(&target).join(read_link(&target)?);
    }
    Err(io::Error::other("too many symbolic links"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_of_many_files_is_synchronised_once() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut unsynced = Unsynced::default();
        for (number, replace) in [(0, false), (1, false), (1, true)] {
            let path = folder.path().join(number.to_string());
            let file = AtomicFile::create(&path, replace, &Incomplete::default()).expect("it is writable");
            AtomicFile::keep_all(vec![file], Some(&mut unsynced)).expect("it is writable");
            assert!(path.exists());
            assert_eq!(unsynced.folders(), [folder.path()]);
        }
        unsynced.sync().expect("a folder");
    }

    #[test]
    fn files_get_their_names_together_or_not_at_all() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let paths = ["a", "b", "c"].map(|name| folder.path().join(name));
        let incomplete = Incomplete::default();
        let create = |path: &PathBuf| AtomicFile::create(path, false, &incomplete).expect("it is writable");
        let files = paths.iter().map(create).collect();
        // Another program takes the name of the second one meanwhile.
        std::fs::write(&paths[1], "of another program").expect("it is writable");
        let refused = AtomicFile::keep_all(files, None).expect_err("a name is taken");
        assert_eq!(refused.path, paths[1]);
        assert!(
            matches!(refused.why, FileErrorKind::Io(error) if error.kind() == io::ErrorKind::AlreadyExists)
        );
        assert_eq!(std::fs::read(&paths[1]).expect("it was there"), b"of another program");
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 1);
    }

    #[test]
    fn a_file_that_is_not_kept_leaves_nothing() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("lat");
        let incomplete = Incomplete::default();
        let mut file = AtomicFile::create(&path, false, &incomplete).expect("it is writable");
        file.write_all(b"first").expect("it is writable");
        drop(file);
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0);
        let mut file = AtomicFile::create(&path, false, &incomplete).expect("it is writable");
        file.write_all(b"second").expect("it is writable");
        file.keep().expect("it is writable");
        let refused = AtomicFile::create(&path, false, &incomplete).expect_err("the file exists");
        assert!(matches!(refused.why, FileErrorKind::Exists), "{refused}");
        assert_eq!(std::fs::read(&path).expect("it was kept"), b"second");
        assert!(incomplete.lock().files.is_empty());
    }

    #[test]
    fn each_file_is_replaced_or_not_as_it_was_begun() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let new = |name: &str, replace| {
            AtomicFile::create(&folder.path().join(name), replace, &Incomplete::default())
                .expect("it is writable")
        };
        let read = |name: &str| std::fs::read(folder.path().join(name)).ok();
        std::fs::write(folder.path().join("b"), "old").expect("it is writable");
        for names in [["b", "a"], ["a", "b"]] {
            let files = names.map(|name| new(name, name == "b"));
            // Another program writes this in the meantime.
            std::fs::write(folder.path().join("a"), "precious").expect("it is writable");
            let refused = AtomicFile::keep_all(files.into(), None).expect_err("a file exists");
            assert_eq!(refused.path, folder.path().join("a"));
            assert_eq!(read("a").as_deref(), Some(&b"precious"[..]));
            assert_eq!(read("b").as_deref(), Some(&b"old"[..]), "none of them gets its name");
            std::fs::remove_file(folder.path().join("a")).expect("it is there");
        }
        AtomicFile::keep_all(vec![new("b", true), new("a", false)], None).expect("no file is in the way");
        assert_eq!((read("a"), read("b")), (Some(Vec::new()), Some(Vec::new())));
    }

    #[test]
    fn two_new_files_cannot_have_one_path() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        for replace in [false, true] {
            let new = |path: &Path| AtomicFile::create(path, replace, &Incomplete::default());
            let one = new(&folder.path().join("a")).expect("it is writable");
            let other =
                new(&folder.path().join("..").join(folder.path().file_name().expect("a name")).join("a"));
            let refused = AtomicFile::keep_all(vec![one, other.expect("it is writable")], None);
            assert!(refused.is_err());
            assert!(!folder.path().join("a").exists());
        }
    }
}
