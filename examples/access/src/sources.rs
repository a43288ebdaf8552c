//! Sources of bytes: files, memory, and anything that can be read and seek.

use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use crate::source::Source;
use crate::system::uninterrupted;

/// A file. All threads read it at once on Unix and Windows, one after the other elsewhere.
#[derive(Debug)]
pub struct FileSource {
    #[cfg(any(unix, windows))]
    file: std::fs::File,
    #[cfg(not(any(unix, windows)))]
    file: Seeking<std::fs::File>,
}

impl FileSource {
    /// Opens a file.
    ///
    /// # Errors
    /// Those of the system.
    pub fn open(path: impl AsRef<Path>) -> io::Result<Self> {
        uninterrupted(|| std::fs::File::open(path.as_ref())).map(Self::from)
    }
}

impl From<std::fs::File> for FileSource {
    fn from(file: std::fs::File) -> Self {
        #[cfg(any(unix, windows))]
        return Self { file };
        #[cfg(not(any(unix, windows)))]
        return Self { file: Seeking::new(file) };
    }
}

impl Source for FileSource {
    type Error = io::Error;

    #[cfg(any(unix, windows))]
    fn length(&self) -> io::Result<u64> {
        Ok(uninterrupted(|| self.file.metadata())?.len())
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
        let rest = usize::try_from(offset).ok().and_then(|offset| self.get(offset..)).unwrap_or_default();
        let n = rest.len().min(out.len());
        out[..n].copy_from_slice(&rest[..n]);
        Ok(n)
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
