//! A sink that is given up at its first failure: what all writers share.

use embedded_io::{Error as _, ErrorKind, Seek, SeekFrom, Write};

use super::error::WriteError;

/// A sink and whether it has failed. What it holds then is not known, so every call after that is refused.
#[derive(Debug)]
pub(super) struct Sink<W> {
    inner: W,
    broken: bool,
}

impl<W> Sink<W> {
    pub(super) const fn new(inner: W) -> Self {
        Self { inner, broken: false }
    }

    pub(super) fn into_inner(self) -> W {
        self.inner
    }

    pub(super) const fn usable<E, K>(&self) -> Result<(), WriteError<E, K>> {
        if self.broken { Err(WriteError::Broken) } else { Ok(()) }
    }
}

impl<W: Write> Sink<W> {
    /// Writes everything. Our own loop: `Write::write_all` panics where a sink takes nothing.
    pub(super) fn put<K>(&mut self, mut bytes: &[u8]) -> Result<(), WriteError<W::Error, K>> {
        self.usable()?;
        self.broken = true;
        while !bytes.is_empty() {
            match self.inner.write(bytes) {
                Ok(0) => return Err(WriteError::WriteZero),
                Ok(n) => bytes = bytes.get(n..).unwrap_or_default(),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(WriteError::Io(error)),
            }
        }
        self.broken = false;
        Ok(())
    }

    pub(super) fn flush<K>(&mut self) -> Result<(), WriteError<W::Error, K>> {
        self.usable()?;
        self.inner.flush().map_err(|error| {
            self.broken = true;
            WriteError::Io(error)
        })
    }
}

impl<W: Write + Seek> Sink<W> {
    /// Moves to an absolute offset.
    pub(super) fn seek_to<K>(&mut self, offset: u64) -> Result<(), WriteError<W::Error, K>> {
        self.usable()?;
        self.inner.seek(SeekFrom::Start(offset)).map(|_| ()).map_err(|error| {
            self.broken = true;
            WriteError::Io(error)
        })
    }

    /// Moves by `by` bytes, which wraps around where that is backwards.
    pub(super) fn shift<K>(&mut self, by: u64) -> Result<(), WriteError<W::Error, K>> {
        self.usable()?;
        let here = self.inner.stream_position();
        let moved = here.and_then(|here| self.inner.seek(SeekFrom::Start(here.wrapping_add(by))));
        moved.map(|_| ()).map_err(|error| {
            self.broken = true;
            WriteError::Io(error)
        })
    }
}
