//! Sinks for the writers in these tests.

use embedded_io::{ErrorKind, ErrorType, Seek, SeekFrom, Write};
use host_tests::drive::Random;
use linkstream::io::FromStd;
use std::io::Cursor;

/// A file in memory.
pub type Disk = FromStd<Cursor<Vec<u8>>>;

/// A file in memory whose position is at its end.
pub fn disk(bytes: Vec<u8>) -> Disk {
    let end = bytes.len() as u64;
    let mut cursor = Cursor::new(bytes);
    cursor.set_position(end);
    FromStd(cursor)
}

/// The bytes of a [`Disk`].
pub fn contents(disk: Disk) -> Vec<u8> {
    disk.0.into_inner()
}

/// The error of a [`Frail`] sink.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fault(pub ErrorKind);

impl std::fmt::Display for Fault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", self.0)
    }
}

impl core::error::Error for Fault {}

impl embedded_io::Error for Fault {
    fn kind(&self) -> ErrorKind {
        self.0
    }
}

/// The behaviour of a full sink.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Full {
    TakesNothing,
    Fails,
}

/// A sink with room for a number of bytes, which accepts few at a time and is sometimes interrupted.
#[derive(Debug)]
pub struct Frail {
    pub bytes: Vec<u8>,
    pub room: usize,
    pub full: Full,
    pub flush_fails: bool,
    pub seek_fails: bool,
    pub random: Random,
}

impl Frail {
    pub fn new(room: usize, full: Full) -> Self {
        let random = Random(room as u64);
        Self { bytes: Vec::new(), room, full, flush_fails: false, seek_fails: false, random }
    }
}

impl ErrorType for Frail {
    type Error = Fault;
}

impl Write for Frail {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, Fault> {
        if self.random.below(4) == 0 {
            return Err(Fault(ErrorKind::Interrupted));
        }
        let room = self.room - self.bytes.len();
        if room == 0 && self.full == Full::Fails {
            return Err(Fault(ErrorKind::OutOfMemory));
        }
        let n = bytes.len().min(room).min(1 + self.random.below(40));
        self.bytes.extend_from_slice(&bytes[..n]);
        Ok(n)
    }

    fn flush(&mut self) -> Result<(), Fault> {
        if self.flush_fails { Err(Fault(ErrorKind::BrokenPipe)) } else { Ok(()) }
    }
}

impl Seek for Frail {
    /// Only for the current position, which is the end, and for failing.
    fn seek(&mut self, _: SeekFrom) -> Result<u64, Fault> {
        if self.seek_fails { Err(Fault(ErrorKind::Unsupported)) } else { Ok(self.bytes.len() as u64) }
    }
}
