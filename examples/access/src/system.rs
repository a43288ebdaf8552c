//! Files and directories. Each system call is repeated if a signal interrupts it (`EINTR`): file systems in user space
//! and on networks can interrupt calls that local ones never interrupt.

use std::fs::{Metadata, Permissions};
use std::io::{ErrorKind, Read, Result, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Makes a system call until no signal interrupts it.
///
/// # Errors
/// Errors of the system.
pub fn uninterrupted<T>(mut call: impl FnMut() -> Result<T>) -> Result<T> {
    loop {
        match call() {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            made => return made,
        }
    }
}

/// `None` if the file does not exist.
///
/// # Errors
/// Errors of `found`, except that the file does not exist.
pub(crate) fn if_there<T>(found: Result<T>) -> Result<Option<T>> {
    match found {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => Ok(None),
        found => found.map(Some),
    }
}

/// [`Path::metadata`].
///
/// # Errors
/// Errors of the system.
pub fn metadata(path: &Path) -> Result<Metadata> {
    uninterrupted(|| path.metadata())
}

/// [`Path::symlink_metadata`].
///
/// # Errors
/// Errors of the system.
pub fn link_metadata(path: &Path) -> Result<Metadata> {
    uninterrupted(|| path.symlink_metadata())
}

/// [`Path::try_exists`].
///
/// # Errors
/// Errors of the system.
pub fn exists(path: &Path) -> Result<bool> {
    uninterrupted(|| path.try_exists())
}

/// [`Path::read_link`].
///
/// # Errors
/// Errors of the system.
pub(crate) fn read_link(path: &Path) -> Result<PathBuf> {
    uninterrupted(|| path.read_link())
}

/// All entries of a directory, in no order. A list that was interrupted cannot be continued, so that it is read anew.
pub fn entries(folder: &Path) -> Result<Vec<std::fs::DirEntry>> {
    uninterrupted(|| std::fs::read_dir(folder)?.collect())
}

/// [`std::fs::rename`].
///
/// # Errors
/// Errors of the system.
pub fn rename(from: &Path, to: &Path) -> Result<()> {
    uninterrupted(|| std::fs::rename(from, to))
}

/// [`std::fs::remove_file`].
///
/// # Errors
/// Errors of the system.
pub fn remove_file(path: &Path) -> Result<()> {
    uninterrupted(|| std::fs::remove_file(path))
}

/// [`std::fs::create_dir`].
///
/// # Errors
/// Errors of the system.
pub fn create_dir(path: &Path) -> Result<()> {
    uninterrupted(|| std::fs::create_dir(path))
}

/// [`std::fs::remove_dir`].
///
/// # Errors
/// Errors of the system.
pub(crate) fn remove_dir(path: &Path) -> Result<()> {
    uninterrupted(|| std::fs::remove_dir(path))
}

/// A directory that can be written to the disk, so that a file that was linked or renamed into it keeps its name if the
/// machine stops. `None` if it may not be read.
#[cfg(unix)]
#[derive(Debug)]
pub(crate) struct Folder(Option<File>);

/// Directories cannot be opened here.
#[cfg(not(unix))]
#[derive(Debug)]
pub(crate) struct Folder;

#[cfg(unix)]
impl Folder {
    pub fn open(path: &Path) -> Result<Self> {
        match File::open(path) {
            Err(error) if error.kind() == ErrorKind::PermissionDenied => Ok(Self(None)),
            folder => folder.map(Some).map(Self),
        }
    }

    /// File systems that cannot do this are passed over.
    pub fn sync(&self) -> Result<()> {
        use rustix::io::Errno;

        match self.0.as_ref().map_or(Ok(()), File::sync_all) {
            Err(error) if is_one_of(&error, &CANNOT) || is_one_of(&error, &[Errno::BADF, Errno::ROFS]) => {
                Ok(())
            }
            synced => synced,
        }
    }
}

#[cfg(not(unix))]
impl Folder {
    pub fn open(_: &Path) -> Result<Self> {
        Ok(Self)
    }

    pub fn sync(&self) -> Result<()> {
        Ok(())
    }
}

/// Errors of file systems that do not have a call. Some systems have two numbers for "not supported".
#[cfg(unix)]
const CANNOT: [rustix::io::Errno; 5] = {
    use rustix::io::Errno;
    [Errno::INVAL, Errno::NOSYS, Errno::NOTSUP, Errno::OPNOTSUPP, Errno::NOTTY]
};

#[cfg(unix)]
fn is_one_of(error: &std::io::Error, errors: &[rustix::io::Errno]) -> bool {
    errors.iter().any(|errno| error.raw_os_error() == Some(errno.raw_os_error()))
}

/// Writes a file to the disk by the call that also empties the cache of the disk; where the file system does not have it,
/// such as on network volumes of macOS, by the usual one.
#[cfg(unix)]
fn synced(full: impl FnOnce() -> Result<()>, usual: impl FnOnce() -> Result<()>) -> Result<()> {
    match full() {
        Err(error) if is_one_of(&error, &CANNOT) => usual(),
        synced => synced,
    }
}

/// [`std::fs::File`].
#[derive(Debug)]
pub struct File(std::fs::File);

impl File {
    pub fn open(path: impl AsRef<Path>) -> Result<Self> {
        uninterrupted(|| std::fs::File::open(path.as_ref())).map(Self)
    }

    pub fn metadata(&self) -> Result<Metadata> {
        uninterrupted(|| self.0.metadata())
    }

    pub fn try_clone(&self) -> Result<Self> {
        uninterrupted(|| self.0.try_clone()).map(Self)
    }

    pub fn set_len(&self, length: u64) -> Result<()> {
        uninterrupted(|| self.0.set_len(length))
    }

    pub fn set_permissions(&self, permissions: Permissions) -> Result<()> {
        uninterrupted(|| self.0.set_permissions(permissions.clone()))
    }

    /// [`std::fs::File::sync_all`], which asks macOS for `F_FULLFSYNC`; `fsync` where there is none.
    ///
    /// # Errors
    /// Errors of the system.
    #[cfg(unix)]
    pub fn sync_all(&self) -> Result<()> {
        let usual = || Ok(rustix::io::retry_on_intr(|| rustix::fs::fsync(&self.0))?);
        synced(|| uninterrupted(|| self.0.sync_all()), usual)
    }

    #[cfg(not(unix))]
    pub fn sync_all(&self) -> Result<()> {
        uninterrupted(|| self.0.sync_all())
    }

    /// Reads at an offset, without the position of the file.
    #[cfg(unix)]
    pub fn read_at(&self, out: &mut [u8], offset: u64) -> Result<usize> {
        uninterrupted(|| std::os::unix::fs::FileExt::read_at(&self.0, out, offset))
    }
}

impl From<File> for std::fs::File {
    fn from(file: File) -> Self {
        file.0
    }
}

impl From<std::fs::File> for File {
    fn from(file: std::fs::File) -> Self {
        Self(file)
    }
}

impl Read for &File {
    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        linkstream_memory::check()?;
        uninterrupted(|| (&self.0).read(out))
    }
}

impl Write for &File {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        uninterrupted(|| (&self.0).write(bytes))
    }

    fn flush(&mut self) -> Result<()> {
        uninterrupted(|| (&self.0).flush())
    }
}

impl Seek for &File {
    fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        uninterrupted(|| (&self.0).seek(to))
    }
}

impl Read for File {
    fn read(&mut self, out: &mut [u8]) -> Result<usize> {
        (&*self).read(out)
    }
}

impl Write for File {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        (&*self).write(bytes)
    }

    fn flush(&mut self) -> Result<()> {
        (&*self).flush()
    }
}

impl Seek for File {
    fn seek(&mut self, to: SeekFrom) -> Result<u64> {
        (&*self).seek(to)
    }
}

#[cfg(unix)]
impl std::os::fd::AsFd for File {
    fn as_fd(&self) -> std::os::fd::BorrowedFd<'_> {
        self.0.as_fd()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_is_repeated_until_it_is_not_interrupted() {
        let mut outcomes =
            [Err(ErrorKind::Interrupted), Err(ErrorKind::Interrupted), Ok(7), Ok(8)].into_iter();
        let call = || outcomes.next().expect("it stops before").map_err(std::io::Error::from);
        assert_eq!(uninterrupted(call).ok(), Some(7));
        let failed = uninterrupted::<()>(|| Err(ErrorKind::NotFound.into()));
        assert_eq!(failed.map_err(|error| error.kind()), Err(ErrorKind::NotFound));
    }

    #[cfg(unix)]
    #[test]
    fn a_file_system_without_full_synchronisation_has_the_usual_one() {
        use rustix::io::Errno;

        let error = |errno: Errno| Err(std::io::Error::from(errno));
        for errno in [Errno::NOTSUP, Errno::OPNOTSUPP, Errno::INVAL, Errno::NOSYS, Errno::NOTTY] {
            assert!(synced(|| error(errno), || Ok(())).is_ok(), "{errno}");
            let failed = synced(|| error(errno), || error(Errno::IO));
            assert_eq!(failed.map_err(|error| error.raw_os_error()), Err(Some(Errno::IO.raw_os_error())));
        }
        let usual = || panic!("the disk has failed");
        assert!(synced(|| error(Errno::IO), usual).is_err());
        assert!(synced(|| Ok(()), || panic!("it is on the disk")).is_ok());
    }
}
