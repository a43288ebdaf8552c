//! Sources of bytes: files, memory, and anything that can be read and seek.

use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::{Mutex, PoisonError};
#[cfg(any(unix, windows))]
use std::time::SystemTime;

use crate::isolated::provoked;
use crate::source::Source;
use crate::system::uninterrupted;

/// A file. All threads read it at once on Unix and Windows, one after the other elsewhere.
#[derive(Debug)]
pub struct FileSource {
    #[cfg(any(unix, windows))]
    file: std::fs::File,
    #[cfg(not(any(unix, windows)))]
    file: Seeking<std::fs::File>,
    /// Length and time of the last modification when it was opened.
    #[cfg(any(unix, windows))]
    opened: Option<(u64, SystemTime)>,
}

impl FileSource {
    /// Opens a file, or a block device. It does not wait for anything.
    ///
    /// # Errors
    /// Errors of the system, and [`NotAFile`] inside an [`io::Error`]: directories, pipes and other devices cannot be
    /// read at any offset.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        let mut options = std::fs::OpenOptions::new();
        options.read(true);
        // Otherwise, opening a pipe would wait for a program that writes into it.
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::custom_flags(
            &mut options,
            rustix::fs::OFlags::NONBLOCK.bits().cast_signed(),
        );
        let file = uninterrupted(|| options.open(path.as_ref()))?;
        provoked(path.as_ref());
        let about = uninterrupted(|| file.metadata())?;
        match NotAFile::of(about.file_type()) {
            Some(kind) => Err(io::Error::new(io::ErrorKind::InvalidInput, kind)),
            None => Ok(Self::new(file, Some(&about))),
        }
    }

    #[cfg(any(unix, windows))]
    fn new(file: std::fs::File, about: Option<&std::fs::Metadata>) -> Self {
        Self { opened: about.and_then(stamp), file }
    }

    #[cfg(not(any(unix, windows)))]
    fn new(file: std::fs::File, _: Option<&std::fs::Metadata>) -> Self {
        Self { file: Seeking::new(file) }
    }
}

/// Kind of a path that does not lead to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("{}, not a file", self.as_str())]
#[non_exhaustive]
pub enum NotAFile {
    Folder,
    Pipe,
    Socket,
    /// A device that has no offsets, such as a terminal.
    Device,
}

impl NotAFile {
    fn of(kind: std::fs::FileType) -> Option<Self> {
        #[cfg(unix)]
        {
            use std::os::unix::fs::FileTypeExt as _;

            if kind.is_fifo() {
                return Some(Self::Pipe);
            }
            if kind.is_socket() {
                return Some(Self::Socket);
            }
            if kind.is_char_device() {
                return Some(Self::Device);
            }
        }
        kind.is_dir().then_some(Self::Folder)
    }

    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::Folder => "a directory",
            Self::Pipe => "a pipe",
            Self::Socket => "a socket",
            Self::Device => "a device",
        }
    }
}

/// A source whose errors name it.
pub(crate) struct Named<S> {
    pub name: String,
    pub source: S,
}

/// An error of the file with this name.
#[derive(Debug, thiserror::Error)]
#[error("{name}: {error}")]
struct InFile {
    name: String,
    #[source]
    error: io::Error,
}

/// An error that names the file.
pub(crate) fn in_file(name: &str, error: io::Error) -> io::Error {
    io::Error::new(error.kind(), InFile { name: name.to_owned(), error })
}

impl<S: Source<Error = io::Error>> Source for Named<S> {
    type Error = io::Error;

    fn length(&self) -> io::Result<u64> {
        self.source.length().map_err(|error| in_file(&self.name, error))
    }

    fn worthwhile(&self) -> u64 {
        self.source.worthwhile()
    }

    fn identity(&self) -> Option<(u64, u64)> {
        self.source.identity()
    }

    fn places(&self) -> u64 {
        self.source.places()
    }

    fn is_changed(&self) -> io::Result<bool> {
        self.source.is_changed().map_err(|error| in_file(&self.name, error))
    }

    fn read_at(&self, offset: u64, out: &mut [u8]) -> io::Result<usize> {
        self.source.read_at(offset, out).map_err(|error| in_file(&self.name, error))
    }
}

impl From<std::fs::File> for FileSource {
    fn from(file: std::fs::File) -> Self {
        let about = uninterrupted(|| file.metadata()).ok();
        Self::new(file, about.as_ref())
    }
}

/// Length and time of the last modification, as far as the system has them.
#[cfg(any(unix, windows))]
fn stamp(about: &std::fs::Metadata) -> Option<(u64, SystemTime)> {
    about.modified().ok().map(|modified| (about.len(), modified))
}

impl Source for FileSource {
    type Error = io::Error;

    /// Compares length and time of the last modification with those at opening. A change within the resolution of the
    /// system's clock, some milliseconds, is not noticed.
    #[cfg(any(unix, windows))]
    fn is_changed(&self) -> io::Result<bool> {
        let Some(opened) = self.opened else { return Ok(false) };
        let about = uninterrupted(|| self.file.metadata())?;
        Ok(stamp(&about) != Some(opened))
    }

    #[cfg(any(unix, windows))]
    fn length(&self) -> io::Result<u64> {
        let about = uninterrupted(|| self.file.metadata())?;
        if about.is_file() {
            return Ok(about.len());
        }
        // Of a block device, the system states no length.
        uninterrupted(|| (&self.file).seek(SeekFrom::End(0)))
    }

    #[cfg(not(any(unix, windows)))]
    fn length(&self) -> io::Result<u64> {
        self.file.length()
    }

    #[cfg(unix)]
    fn identity(&self) -> Option<(u64, u64)> {
        use std::os::unix::fs::MetadataExt as _;

        let about = self.file.metadata().ok()?;
        Some((about.dev(), about.ino()))
    }

    fn read_at(&self, offset: u64, out: &mut [u8]) -> io::Result<usize> {
        linkstream_memory::check()?;
        #[cfg(unix)]
        return std::os::unix::fs::FileExt::read_at(&self.file, out, offset);
        #[cfg(windows)]
        return std::os::windows::fs::FileExt::seek_read(&self.file, out, offset);
        #[cfg(not(any(unix, windows)))]
        return self.file.read_at(offset, out);
    }
}

/// The bytes of a file.
impl Source for [u8] {
    type Error = io::Error;

    fn length(&self) -> io::Result<u64> {
        Ok(self.len() as u64)
    }

    fn read_at(&self, offset: u64, out: &mut [u8]) -> io::Result<usize> {
        let mut rest = usize::try_from(offset).ok().and_then(|offset| self.get(offset..)).unwrap_or_default();
        Read::read(&mut rest, out)
    }
}

/// The bytes of a file.
impl Source for Vec<u8> {
    type Error = io::Error;

    fn length(&self) -> io::Result<u64> {
        self.as_slice().length()
    }

    fn read_at(&self, offset: u64, out: &mut [u8]) -> io::Result<usize> {
        self.as_slice().read_at(offset, out)
    }
}

/// A source with a position, which the threads that read it use one after the other.
#[derive(Debug)]
pub struct Seeking<R>(Mutex<R>);

impl<R> Seeking<R> {
    pub const fn new(source: R) -> Self {
        Self(Mutex::new(source))
    }
}

impl<R: Read + Seek + Send> Source for Seeking<R> {
    type Error = io::Error;

    fn length(&self) -> io::Result<u64> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).seek(SeekFrom::End(0))
    }

    fn read_at(&self, offset: u64, out: &mut [u8]) -> io::Result<usize> {
        let mut source = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        source.seek(SeekFrom::Start(offset))?;
        source.read(out)
    }
}
