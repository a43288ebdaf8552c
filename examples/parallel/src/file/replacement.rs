//! A file that is called `.NAME.part` until it is complete.

use std::ffi::OsString;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};

use rustix::fs::{FlockOperation, OFlags, flock};
use rustix::io::Errno;

use super::disk::is_unsupported;
use crate::error::Fault;

/// A file that one process has created and locked (`flock`). Dropping this structure removes the file, unless it has been
/// renamed.
///
/// The lock distinguishes the file of a job that was killed, which is taken over, from the file of a job that is running,
/// which is an error. On a file system without locks, every existing file is an error.
#[derive(Debug)]
pub struct Locked {
    path: PathBuf,
    file: File,
}

/// An incomplete file, as the one process that renames or removes it has it. Dropping this structure removes the file.
#[derive(Debug)]
pub struct Replacement {
    part: Locked,
    wanted: PathBuf,
}

/// Renames a complete file, and waits until the new name is on the storage device.
///
/// # Errors
/// The errors of the system.
pub fn rename(part: &Path, wanted: &Path) -> Result<(), Fault> {
    let folder = wanted.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // Some file systems cannot synchronise directories.
    let sync = || match File::open(folder)?.sync_all() {
        Err(error) if is_unsupported(&error) => Ok(()),
        synced => synced,
    };
    let synced = fs::rename(part, wanted).and_then(|()| sync());
    synced.map_err(|error| named(wanted, &error))
}

/// The name of an incomplete file, as the program has it. Patterns like `state.*` do not match it.
#[must_use]
pub fn beside(path: &Path) -> PathBuf {
    let mut name = OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(".part");
    path.with_file_name(name)
}

fn named(path: &Path, error: &io::Error) -> Fault {
    let fault = Fault::system(None, error);
    Fault { message: format!("{}: {}", path.display(), fault.message), ..fault }
}

impl Replacement {
    /// Creates `.NAME.part` beside a file, empty. `None` if the file cannot be replaced, only written: it is no
    /// regular file, or a symbolic link to another file system.
    ///
    /// # Errors
    /// The incomplete file cannot be created, or another process is writing it.
    pub fn create(path: &Path) -> Result<Option<Self>, Fault> {
        let part = beside(path);
        let mut wanted = path.to_owned();
        let existing = match fs::symlink_metadata(path) {
            Ok(found) if found.is_symlink() => match fs::canonicalize(path) {
                Ok(target) => {
                    let found = fs::metadata(&target).map_err(|error| named(path, &error))?;
                    wanted = target;
                    Some(found)
                }
                // The system creates the file that a link leads to.
                Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
                Err(error) => return Err(named(path, &error)),
            },
            Ok(found) => Some(found),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(named(path, &error)),
        };
        if existing.as_ref().is_some_and(|found| !found.is_file()) {
            return Ok(None);
        }
        let part = Locked::create(part)?;
        if let Some(existing) = &existing {
            let own = part.file.metadata().map_err(|error| named(path, &error))?;
            if own.dev() != existing.dev() {
                return Ok(None);
            }
            // The new file can be read by whoever could read the old one. Only its owner can set this.
            let _ = part.file.set_permissions(existing.permissions());
        }
        Ok(Some(Self { part, wanted }))
    }

    /// Gives the complete file its name: it replaces an existing one.
    ///
    /// # Errors
    /// The system refuses to rename. The incomplete file is removed then.
    pub fn publish(self) -> Result<(), Fault> {
        rename(&self.part.path, &self.wanted)
    }
}

impl Locked {
    /// Creates a file, or takes over an existing one that no process has locked, and truncates it.
    ///
    /// # Errors
    /// The file cannot be created, or another process has locked it.
    pub fn create(path: PathBuf) -> Result<Self, Fault> {
        let refused = |reason: &str| Err(Fault::usage(format!("{} {reason}", path.display())));
        for _ in 0..ATTEMPTS {
            let open = |is_new| {
                let flags = OFlags::NOFOLLOW.bits().cast_signed();
                OpenOptions::new().read(true).write(true).create_new(is_new).custom_flags(flags).open(&path)
            };
            let (file, is_new) = match open(true) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                    if fs::symlink_metadata(&path).is_ok_and(|found| !found.is_file()) {
                        return refused("exists and is not a regular file");
                    }
                    match open(false) {
                        Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
                        opened => (opened, false),
                    }
                }
                created => (created, true),
            };
            let file = file.map_err(|error| named(&path, &error))?;
            match rustix::io::retry_on_intr(|| flock(&file, FlockOperation::NonBlockingLockExclusive)) {
                Ok(()) => {}
                Err(Errno::WOULDBLOCK) => return refused("exists: another job is writing it"),
                Err(_) if is_new => {}
                Err(_) => {
                    return refused(
                        "exists: another job writes it, or was interrupted; remove it in the latter case",
                    );
                }
            }
            // It may have been renamed or removed before it was locked.
            if is_at(&file, &path) {
                file.set_len(0).map_err(|error| named(&path, &error))?;
                return Ok(Self { path, file });
            }
        }
        refused("is created and removed by other jobs all the time")
    }
}

impl Drop for Locked {
    fn drop(&mut self) {
        // A file that has been renamed stays, and so does one of another process.
        if is_at(&self.file, &self.path) {
            // The error that led here is reported; what cannot be removed is taken over by the next job.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// True if this file has this name.
fn is_at(file: &File, path: &Path) -> bool {
    let identity = |metadata: Metadata| (metadata.dev(), metadata.ino());
    let named = fs::symlink_metadata(path).map(identity);
    matches!((file.metadata().map(identity), named), (Ok(own), Ok(named)) if own == named)
}

/// Number of attempts, while other processes create and remove the file.
const ATTEMPTS: usize = 100;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_killed_job_has_left_is_taken_over() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("ck");
        fs::write(beside(&path), vec![1; 1000]).unwrap();
        let first = Replacement::create(&path).unwrap().unwrap();
        assert_eq!(fs::read(beside(&path)).unwrap(), b"");
        // The first one still writes it.
        let error = Replacement::create(&path).unwrap_err();
        assert!(error.message.contains("another job is writing it"), "{}", error.message);
        assert!(beside(&path).exists());
        drop(first);
        assert!(!beside(&path).exists());
        Replacement::create(&path).unwrap().unwrap().publish().unwrap();
        assert!(path.exists() && !beside(&path).exists());
    }

    #[test]
    fn links_and_devices() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("ck"), folder.path().join("latest"));
        fs::write(&path, b"old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        symlink("ck", &link).unwrap();
        Replacement::create(&link).unwrap().unwrap().publish().unwrap();
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        let found = fs::metadata(&path).unwrap();
        assert_eq!((found.len(), found.mode() & 0o777), (0, 0o640));
        assert!(Replacement::create(Path::new("/dev/null")).unwrap().is_none());
    }
}
