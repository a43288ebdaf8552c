//! Calls of the operating system, by one rank.

use std::ffi::OsString;
use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use rustix::fs::OFlags;
use rustix::io::{Errno, retry_on_intr};

use super::shared::Access;

/// A file system, as one rank uses it.
pub trait Disk: std::fmt::Debug {
    /// An open file.
    type File: RankFile + std::fmt::Debug;

    /// Opens an existing file to read it or to write to it, or creates an empty file, replacing an existing one.
    ///
    /// # Errors
    /// The error of the file system.
    fn open(&self, path: &Path, access: Access) -> io::Result<Self::File>;

    /// Opens a file that another rank has created, to write it.
    ///
    /// # Errors
    /// The error of the file system.
    fn open_created(&self, path: &Path) -> io::Result<Self::File>;

    /// Returns the names of everything in a directory, in any order.
    ///
    /// # Errors
    /// The error of the file system.
    fn names(&self, directory: &Path) -> io::Result<Vec<OsString>> {
        std::fs::read_dir(directory)?.map(|entry| Ok(entry?.file_name())).collect()
    }

    /// Creates a directory unless it exists.
    ///
    /// # Errors
    /// The error of the file system.
    fn make_directory(&self, directory: &Path) -> io::Result<()> {
        std::fs::create_dir_all(directory)
    }
}

/// A file that one rank has opened. Short and interrupted calls are possible, as in the operating system.
pub trait RankFile {
    /// Reads bytes at an offset into the front of `to`, and returns their number: 0 at the end of the file.
    ///
    /// # Errors
    /// The error of the file system.
    fn read_at(&self, offset: u64, to: &mut [u8]) -> io::Result<usize>;

    /// Writes bytes at an offset, and returns how many of them were written.
    ///
    /// # Errors
    /// The error of the file system.
    fn write_at(&self, offset: u64, bytes: &[u8]) -> io::Result<usize>;

    /// Size of the file in bytes.
    ///
    /// # Errors
    /// The error of the file system.
    fn size(&self) -> io::Result<u64>;

    /// Waits until all bytes are on the storage device.
    ///
    /// # Errors
    /// The error of the file system.
    fn sync(&self) -> io::Result<()>;
}

/// True if the file system does not have a call. Some systems have two numbers for "not supported".
pub(super) fn is_unsupported(error: &io::Error) -> bool {
    let errors = [Errno::INVAL, Errno::NOSYS, Errno::NOTSUP, Errno::OPNOTSUPP, Errno::NOTTY];
    errors.iter().any(|errno| error.raw_os_error() == Some(errno.raw_os_error()))
}

/// The file systems of the operating system.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SystemDisk;

impl Disk for SystemDisk {
    type File = File;

    fn open(&self, path: &Path, access: Access) -> io::Result<File> {
        match access {
            Access::Read => File::open(path),
            // Ranks read what they have written if that is to be verified.
            // A link with the name of a volume can come from somebody else, and would be written through.
            Access::Write => OpenOptions::new()
                .read(true)
                .write(true)
                .create(true)
                .truncate(true)
                .custom_flags(OFlags::NOFOLLOW.bits().cast_signed())
                .open(path),
            Access::Update => self.open_created(path),
        }
    }

    fn open_created(&self, path: &Path) -> io::Result<File> {
        OpenOptions::new().read(true).write(true).open(path)
    }
}

impl RankFile for File {
    fn read_at(&self, offset: u64, to: &mut [u8]) -> io::Result<usize> {
        std::os::unix::fs::FileExt::read_at(self, to, offset)
    }

    fn write_at(&self, offset: u64, bytes: &[u8]) -> io::Result<usize> {
        std::os::unix::fs::FileExt::write_at(self, bytes, offset)
    }

    fn size(&self) -> io::Result<u64> {
        self.metadata().map(|metadata| metadata.len())
    }

    fn sync(&self) -> io::Result<()> {
        match self.sync_all() {
            // `F_FULLFSYNC` of macOS, which network file systems do not have.
            Err(error) if is_unsupported(&error) => Ok(retry_on_intr(|| rustix::fs::fsync(self))?),
            synced => synced,
        }
    }
}
