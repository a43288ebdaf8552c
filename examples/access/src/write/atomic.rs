//! Output files, which are written completely or not at all.

use std::fmt;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::incomplete::Incomplete;
use super::new_file::{NewFile, Unsynced, folder, publish};
use crate::system::{File, if_there, link_metadata, metadata, read_link};
use crate::text::shown_path;

/// Why a file could not be created or given its name.
#[derive(Debug)]
pub struct FileError {
    /// The path as the caller named it.
    pub path: PathBuf,
    /// The reason.
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
    /// A device, a folder or something else that is no file.
    NotAFile,
    /// What should be the folder of the file is none.
    NotAFolder(PathBuf),
    /// The folder of the file cannot be examined.
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
            FileErrorKind::NotAFolder(folder) => {
                write!(f, "{path}: {} is not a folder", shown_path(folder))
            }
            FileErrorKind::Folder(folder, error) => {
                write!(f, "{path}: folder {}: {error}", shown_path(folder))
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
    /// symbolic link is kept: the new file replaces its target, and has its permissions. While the file has a temporary name, that is in the list
    /// of `incomplete` files.
    ///
    /// # Errors
    /// The file exists, or it cannot be created.
    pub fn create(out: &Path, replace: bool, incomplete: &Incomplete) -> Result<Self, FileError> {
        let because = |why| FileError { path: out.to_owned(), why };
        let failed = |error| because(FileErrorKind::Io(error));
        let target = followed(out).map_err(failed)?;
        let old = if_there(metadata(&target)).map_err(failed)?;
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

    /// Gives the complete file its name, after its bytes are on the disk.
    ///
    /// # Errors
    /// It cannot be written or renamed. Nothing of it remains then.
    pub fn keep(self) -> Result<(), FileError> {
        Self::keep_all(vec![self], None)
    }

    /// Gives complete files their names: all of them, or none if existing files are not to be replaced and one of the
    /// names is not available. `unsynced` gets the folders, which must be synchronised after the last of many files;
    /// without it, they are synchronised now.
    ///
    /// # Errors
    /// A file cannot be written or renamed.
    pub fn keep_all(files: Vec<Self>, unsynced: Option<&mut Unsynced>) -> Result<(), FileError> {
        let replace = files.iter().any(|file| file.replace);
        let (mut new_files, mut names) = (Vec::new(), Vec::new());
        for Self { new, out, .. } in files {
            // A full disk may be reported only now, and publishing would already have replaced an existing file.
            if let Err(error) = new.file().sync_all() {
                return Err(FileError { path: out, why: FileErrorKind::Io(error) });
            }
            new_files.push(new);
            names.push(out);
        }
        publish(&new_files, replace, unsynced).map_err(|(index, error)| {
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
}
