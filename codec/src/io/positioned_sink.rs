//! Writing at given places: what the writers of parts share.

use embedded_io::{Seek, Write};

use super::error::WriteError;
use super::sink::Sink;

/// A sink and its position, if known.
#[derive(Debug)]
pub(super) struct PositionedSink<W> {
    sink: Sink<W>,
    at: Option<u64>,
}

impl<W> PositionedSink<W> {
    pub(super) const fn new(inner: W) -> Self {
        Self { sink: Sink::new(inner), at: None }
    }

    pub(super) fn into_inner(self) -> W {
        self.sink.into_inner()
    }

    pub(super) const fn usable<E, K>(&self) -> Result<(), WriteError<E, K>> {
        self.sink.usable()
    }
}

impl<W: Write + Seek> PositionedSink<W> {
    /// Writes everything at the absolute `offset`. Seeks only if the sink is not already there.
    pub(super) fn put<K>(&mut self, offset: u64, bytes: &[u8]) -> Result<(), WriteError<W::Error, K>> {
        if bytes.is_empty() {
            return Ok(());
        }
        if self.at != Some(offset) {
            self.sink.seek_to(offset)?;
        }
        self.sink.put(bytes)?;
        self.at = offset.checked_add(bytes.len() as u64);
        Ok(())
    }

    pub(super) fn flush<K>(&mut self) -> Result<(), WriteError<W::Error, K>> {
        self.sink.flush()
    }
}
