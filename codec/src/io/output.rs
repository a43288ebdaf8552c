//! A sink that is given up at its first failure: what all writers share.

use embedded_io::{ErrorKind, Seek, SeekFrom, Write};

use super::error::WriteError;
use super::sink::Sink;
use crate::bytes::suffix;
use crate::counter::Counter as _;

/// A sink and whether it has failed. What it holds then is not known, so every call after that is refused.
#[derive(Debug)]
pub(super) struct Output<W> {
    pub(super) sink: W,
    pub(super) broken: bool,
}

impl<W> Output<W> {
    pub(super) const fn new(sink: W) -> Self {
        Self { sink, broken: false }
    }

    pub(super) const fn usable<E, K>(&self) -> Result<(), WriteError<E, K>> {
        if self.broken { Err(WriteError::Broken) } else { Ok(()) }
    }
}

/// What is left of `bytes` after one call of the sink. A sink that takes nothing is an error, not a panic and not an
/// endless loop; it can claim to have taken more than there was.
pub(super) fn after_write<E: embedded_io::Error, K>(
    bytes: &[u8],
    written: Result<usize, E>,
) -> Result<&[u8], WriteError<E, K>> {
    match written {
        Ok(0) => Err(WriteError::WriteZero),
        Ok(n) => Ok(suffix(bytes, n.min(bytes.len()))),
        Err(error) if error.kind() == ErrorKind::Interrupted => Ok(bytes),
        Err(error) => Err(WriteError::Io(error)),
    }
}

impl<W: Sink> Output<W> {
    /// Writes everything, at `offset` of the file.
    pub(super) fn put<K>(&mut self, offset: u64, bytes: &[u8]) -> Result<(), WriteError<W::Error, K>> {
        self.usable()?;
        self.broken = true;
        let (mut rest, mut at) = (bytes, offset);
        while !rest.is_empty() {
            let left = after_write(rest, self.sink.write_at(at, rest))?;
            // No file has a position that does not fit: the encoders refuse it.
            at = at.plus(rest.len().minus(left.len()) as u64);
            rest = left;
        }
        self.broken = false;
        Ok(())
    }

    pub(super) fn flush<K>(&mut self) -> Result<(), WriteError<W::Error, K>> {
        self.usable()?;
        self.broken = true;
        self.sink.flush().map_err(WriteError::Io)?;
        self.broken = false;
        Ok(())
    }
}

impl<W: Write + Seek> Output<W> {
    /// Moves by `by` bytes, which wraps around where that is backwards.
    pub(super) fn shift<K>(&mut self, by: u64) -> Result<(), WriteError<W::Error, K>> {
        self.usable()?;
        self.broken = true;
        let here = self.sink.stream_position();
        let moved = here.and_then(|here| self.sink.seek(SeekFrom::Start(here.wrapping_add(by))));
        moved.map_err(WriteError::Io)?;
        self.broken = false;
        Ok(())
    }
}
