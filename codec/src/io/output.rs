//! A sink that is given up at its first failure: what all writers share.

use embedded_io::{Error, ErrorKind, SeekFrom};

use super::both::both;
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
pub(super) fn after_write<E: Error, K>(
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

/// The asynchronous sinks write sequentially: they take no offsets.
#[cfg(feature = "async")]
impl<W: embedded_io_async::Write> Output<W> {
    /// Writes everything. A future that is dropped leaves the sink broken.
    pub(super) async fn put_async<K>(
        &mut self,
        _: u64,
        mut bytes: &[u8],
    ) -> Result<(), WriteError<W::Error, K>> {
        self.usable()?;
        self.broken = true;
        while !bytes.is_empty() {
            bytes = after_write(bytes, self.sink.write(bytes).await)?;
        }
        self.broken = false;
        Ok(())
    }

    pub(super) async fn flush_async<K>(&mut self) -> Result<(), WriteError<W::Error, K>> {
        self.usable()?;
        self.broken = true;
        self.sink.flush().await.map_err(WriteError::Io)?;
        self.broken = false;
        Ok(())
    }
}

both! {
impl<W: Write + Seek> Output<W> {
    /// Moves by `by` bytes, which wraps around where that is backwards.
    pub(super) fn shift | shift_async[K](&mut self, by: u64) -> Result<(), WriteError<W::Error, K>> {
        self.usable()?;
        self.broken = true;
        let here = wait!(self.sink.seek | seek(SeekFrom::Current(0))).map_err(WriteError::Io)?;
        wait!(self.sink.seek | seek(SeekFrom::Start(here.wrapping_add(by)))).map_err(WriteError::Io)?;
        self.broken = false;
        Ok(())
    }
}
}
