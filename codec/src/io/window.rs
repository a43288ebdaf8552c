//! The buffered part of the input: what all readers share.

use core::ops::Range;

use super::error::ReadError;
use crate::step::Decode;

/// What asking for the next event can give.
pub type NextEvent<D, E> = Result<Option<<D as Decode>::Event>, ReadError<E, <D as Decode>::ErrorKind>>;

/// A buffer lent by the caller, and which part of it the decoder has not seen yet.
#[derive(Debug)]
pub(super) struct Window<'b> {
    buffer: &'b mut [u8],
    /// Read, not pushed yet.
    unread: Range<usize>,
    /// Consumed by the last step.
    last: Range<usize>,
}

impl<'b> Window<'b> {
    pub(super) const fn new(buffer: &'b mut [u8]) -> Self {
        Self { buffer, unread: 0..0, last: 0..0 }
    }

    /// Pushes what is there. `None`: everything is consumed and more is needed.
    pub(super) fn turn<D: Decode, E>(&mut self, decoder: &mut D) -> NextEvent<D, E> {
        loop {
            let input = self.buffer.get(self.unread.clone()).unwrap_or_default();
            let (before, available, place) = (self.unread.start, input.len(), decoder.position());
            let step = match decoder.push(input) {
                Ok(step) => step,
                Err(error) => {
                    // What led to the error is consumed, so that reading can go on elsewhere from a known place.
                    let consumed = decoder.position().wrapping_sub(place);
                    self.pass(usize::try_from(consumed).unwrap_or(usize::MAX));
                    return Err(error.into());
                }
            };
            self.pass(step.consumed);
            self.last = before..self.unread.start;
            if step.event.is_some() {
                return Ok(step.event);
            }
            if available == 0 {
                return Ok(None);
            }
            if step.consumed == 0 {
                return Err(ReadError::NoProgress);
            }
        }
    }

    /// The bytes that the last step consumed.
    pub(super) fn last(&self) -> &[u8] {
        self.buffer.get(self.last.clone()).unwrap_or_default()
    }

    pub(super) fn unread(&self) -> &[u8] {
        self.buffer.get(self.unread.clone()).unwrap_or_default()
    }

    /// Passes over `n` unread bytes, or all.
    pub(super) fn pass(&mut self, n: usize) {
        self.unread.start = self.unread.start.saturating_add(n).min(self.unread.end);
    }

    pub(super) const fn forget(&mut self) {
        self.unread = 0..0;
        self.last = 0..0;
    }

    /// The room for the next read; only asked for when nothing is unread.
    pub(super) fn room<E, K>(&mut self) -> Result<&mut [u8], ReadError<E, K>> {
        self.forget();
        if self.buffer.is_empty() { Err(ReadError::NoBuffer) } else { Ok(self.buffer) }
    }

    /// So many bytes of the room were filled.
    pub(super) fn filled(&mut self, n: usize) {
        self.unread = 0..n.min(self.buffer.len());
    }
}
