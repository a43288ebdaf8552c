//! A file of the host, opened by semihosting, as a stream of `embedded_io`.
//!
//! On a real board, this would be the driver of an SD card, a network socket or a DMA channel; the codec uses only
//! these traits.

use core::ffi::CStr;
use core::fmt;

use embedded_io::{ErrorKind, ErrorType, Read, Seek, SeekFrom, Write};

use crate::host::{self, Handle, OpenMode};

/// A call of the host failed, with this `errno`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, defmt::Format)]
pub struct HostError(pub i32);

impl fmt::Display for HostError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the host refused")
    }
}

impl core::error::Error for HostError {}

impl embedded_io::Error for HostError {
    fn kind(&self) -> ErrorKind {
        ErrorKind::Other
    }
}

/// An open file.
#[derive(Debug)]
pub struct File {
    handle: Handle,
    /// The current offset: semihosting has no call that returns it.
    place: u64,
}

impl File {
    /// Opens a file for reading.
    ///
    /// # Errors
    /// The host cannot open the file.
    pub fn open(path: &CStr) -> Result<Self, HostError> {
        Ok(Self { handle: host::open(path, OpenMode::Read)?, place: 0 })
    }

    /// Creates a file for writing, or truncates an existing one.
    ///
    /// # Errors
    /// The host cannot create the file.
    pub fn create(path: &CStr) -> Result<Self, HostError> {
        Ok(Self { handle: host::open(path, OpenMode::Write)?, place: 0 })
    }

    fn moved(&mut self, n: usize) -> usize {
        self.place = self.place.wrapping_add(n as u64);
        n
    }
}

impl ErrorType for File {
    type Error = HostError;
}

impl Read for File {
    fn read(&mut self, out: &mut [u8]) -> Result<usize, HostError> {
        let n = host::read(self.handle, out)?;
        Ok(self.moved(n))
    }
}

impl Write for File {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, HostError> {
        let n = host::write(self.handle, bytes)?;
        Ok(self.moved(n))
    }

    fn flush(&mut self) -> Result<(), HostError> {
        Ok(())
    }
}

impl Seek for File {
    fn seek(&mut self, to: SeekFrom) -> Result<u64, HostError> {
        let place = match to {
            SeekFrom::Start(place) => place,
            SeekFrom::Current(by) => self.place.wrapping_add_signed(by),
            SeekFrom::End(by) => (host::length(self.handle)? as u64).wrapping_add_signed(by),
        };
        host::seek(self.handle, usize::try_from(place).unwrap_or(usize::MAX))?;
        self.place = place;
        Ok(place)
    }
}
