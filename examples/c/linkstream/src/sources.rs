//! Sources that count their bytes: files, and memory of the caller.
#![allow(unsafe_code, reason = "memory of the caller is read")]

use std::ffi::c_void;
use std::io;
use std::path::Path;
use std::sync::Arc;

use linkstream_access::FileSource;
use linkstream_access::set::VolumeSource;
use linkstream_access::source::Source;

use crate::answer::Refused;
use crate::progress::Meter;

/// A source that counts the bytes that are read, and stops if the call is cancelled.
#[derive(Debug)]
pub struct Metered<S> {
    source: S,
    meter: Arc<Meter>,
}

impl<S> Metered<S> {
    /// Counts with this meter.
    pub const fn new(source: S, meter: Arc<Meter>) -> Self {
        Self { source, meter }
    }
}

impl<S: Source<Error = io::Error>> Source for Metered<S> {
    type Error = io::Error;

    fn length(&self) -> io::Result<u64> {
        self.source.length()
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

    fn read_at(&self, offset: u64, out: &mut [u8]) -> io::Result<usize> {
        self.meter.add(0)?;
        let n = self.source.read_at(offset, out)?;
        self.meter.add(n as u64)?;
        Ok(n)
    }
}

/// A file.
///
/// # Errors
/// It cannot be opened.
pub fn file(path: &Path, meter: &Arc<Meter>) -> io::Result<Metered<FileSource>> {
    Ok(Metered::new(FileSource::open(path)?, meter.clone()))
}

/// The volumes of a set, each with the number in its name.
///
/// # Errors
/// A volume cannot be opened.
pub fn volumes(
    volumes: &[(Option<u64>, std::path::PathBuf)],
    meter: &Arc<Meter>,
) -> Result<Vec<VolumeSource<'static, io::Error>>, Refused> {
    let open = |(number, path): &(Option<u64>, std::path::PathBuf)| {
        let name = path.display().to_string();
        let source =
            file(path, meter).map_err(|error| io::Error::new(error.kind(), format!("{name}: {error}")))?;
        Ok(VolumeSource { name, number: *number, source: Arc::new(source) })
    };
    volumes.iter().map(open).collect()
}

/// The bytes of a file in the memory of the caller.
#[derive(Debug)]
pub struct Borrowed {
    bytes: *const u8,
    length: usize,
}

// SAFETY: the bytes are only read.
unsafe impl Send for Borrowed {}
// SAFETY: the bytes are only read.
unsafe impl Sync for Borrowed {}

impl Borrowed {
    /// Borrows memory.
    ///
    /// # Errors
    /// The pointer is null and there are bytes, or no memory has so many.
    ///
    /// # Safety
    /// The memory has these bytes and nothing writes to it for as long as this value exists.
    pub unsafe fn new(bytes: *const c_void, length: usize) -> Result<Self, Refused> {
        if bytes.is_null() && length > 0 {
            return Err(Refused::usage("the bytes are a null pointer"));
        }
        if isize::try_from(length).is_err() {
            return Err(Refused::usage("no memory has so many bytes"));
        }
        Ok(Self { bytes: bytes.cast(), length })
    }

    fn get(&self) -> &[u8] {
        if self.length == 0 {
            return &[];
        }
        // SAFETY: as `new` requires.
        unsafe { std::slice::from_raw_parts(self.bytes, self.length) }
    }
}

impl Source for Borrowed {
    type Error = io::Error;

    fn length(&self) -> io::Result<u64> {
        self.get().length()
    }

    fn read_at(&self, offset: u64, out: &mut [u8]) -> io::Result<usize> {
        self.get().read_at(offset, out)
    }
}
