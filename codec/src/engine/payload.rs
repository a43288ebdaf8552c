//! The position of a decoder and the rest of the payload there, which move together. Also the part of a payload that a
//! checksum has seen, and bytes after the end of a file that ends with its data.
//!
//! # Invariants
//! | value | holds | changes |
//! |---|---|---|
//! | `position` | absolute offset of the next byte | by what is consumed or skipped; by `seek` inside the open payload |
//! | `left` | bytes of the payload from there on, 0 outside of one | against `position`: their sum is the end of the payload, until the next `open` |
//! | `place(length)` | bytes of the payload before `position` | computed, so the length that was opened is needed for it |
//! | `Seen::bytes` | bytes from the front of the payload on that the checksum has taken, each once | by bytes that continue it; not after a gap, and not again after a seek back |

use crate::bytes::{prefix, suffix};
use crate::counter::{Counter as _, at_most, minus};
use crate::error::{Error, Misuse};
use crate::state::saved;

/// Absolute offset of the next byte, and bytes of the open payload from there on.
///
/// The end of a payload is checked to be addressable before it is opened, so no position here overflows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PayloadCursor {
    position: u64,
    left: u64,
}

saved!(struct PayloadCursor { position, left });

impl PayloadCursor {
    /// At `position`, outside of a payload.
    pub(crate) const fn at(position: u64) -> Self {
        Self { position, left: 0 }
    }

    pub(crate) const fn position(&self) -> u64 {
        self.position
    }

    pub(crate) const fn left(&self) -> u64 {
        self.left
    }

    /// Consumes bytes that belong to no payload.
    #[inline]
    pub(crate) fn advance(&mut self, n: usize) {
        self.position.increase(n as u64);
    }

    /// [`advance`](Self::advance) for any number of bytes: the position stays at the last one that 64 bits can address.
    pub(crate) fn advance_to_the_last(&mut self, n: usize) {
        self.position = self.position.saturating_add(n as u64);
    }

    /// A payload of `length` bytes begins here.
    #[inline]
    pub(crate) fn open(&mut self, length: u64) {
        debug_assert!(self.position.checked_add(length).is_some(), "the payload cannot be addressed");
        self.left = length;
    }

    /// Consumes up to `available` bytes of the payload; returns their number.
    #[inline]
    pub(crate) fn take(&mut self, available: usize) -> usize {
        let n = at_most(self.left, available);
        self.left.take_away(n as u64);
        self.position.increase(n as u64);
        n
    }

    /// Bytes consumed of the open payload of `length` bytes.
    pub(crate) const fn place(&self, length: u64) -> u64 {
        minus(length, self.left)
    }

    /// The end of the open payload; `None` if 64 bits cannot address it.
    pub(crate) const fn end(&self) -> Option<u64> {
        self.position.checked_add(self.left)
    }

    /// Skips `n` bytes of payload. `is_open`: a payload is open.
    pub(crate) fn skip<K>(&mut self, n: u64, is_open: bool, kind: fn(Misuse) -> K) -> Result<(), Error<K>> {
        // Outside of a payload only 0 bytes can be skipped, which is no misuse.
        let available = if is_open { self.left } else { 0 };
        let Some(left) = available.checked_sub(n) else {
            return Err(Error::new(self.position, kind(Misuse::SkipTooFar { asked: n, available })));
        };
        if is_open {
            self.left = left;
            self.position.increase(n);
        }
        Ok(())
    }

    /// Moves to offset `to` in the open payload of `length` bytes; `None` if no payload is open.
    pub(crate) fn seek<K>(
        &mut self,
        to: u64,
        length: Option<u64>,
        kind: fn(Misuse) -> K,
    ) -> Result<(), Error<K>> {
        let Some(length) = length else {
            return Err(Error::new(self.position, kind(Misuse::NoPayload)));
        };
        let Some(left) = length.checked_sub(to) else {
            return Err(Error::new(self.position, kind(Misuse::SkipTooFar { asked: to, available: length })));
        };
        // From the start of the payload, which is `place` bytes before the current position.
        self.position = self.position.minus(self.place(length)).plus(to);
        self.left = left;
        Ok(())
    }
}

/// Number of bytes at the front of a payload that have been seen. Bytes after a gap are not counted, because a checksum
/// that depends on the order cannot take them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Seen {
    bytes: u64,
}

saved!(struct Seen { bytes });

impl Seen {
    pub(crate) const fn new() -> Self {
        Self { bytes: 0 }
    }

    /// The part of `bytes` that has not been seen yet, if they begin at `place` in the payload; empty after a gap.
    fn take<'b>(&mut self, place: u64, bytes: &'b [u8]) -> &'b [u8] {
        // Less than 0: there is a gap. More: the first bytes come for the second time, after a seek back.
        let Some(before) = self.bytes.checked_sub(place) else { return &[] };
        let new = suffix(bytes, at_most(before, bytes.len()));
        self.bytes.increase(new.len() as u64);
        new
    }

    /// Consumes the bytes of `input` that belong to the open payload of `length` bytes. Returns their number, and the
    /// part of them that has not been seen yet.
    pub(crate) fn consume<'b>(
        &mut self,
        cursor: &mut PayloadCursor,
        length: u64,
        input: &'b [u8],
    ) -> (usize, &'b [u8]) {
        let place = cursor.place(length);
        let n = cursor.take(input.len());
        (n, self.take(place, prefix(input, n)))
    }

    pub(crate) const fn length(&self) -> u64 {
        self.bytes
    }
}

/// Bytes after the end of the file. They are reported once, before the first of them is consumed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Trailing {
    is_reported: bool,
}

saved!(struct Trailing { is_reported });

impl Trailing {
    pub(crate) const fn new() -> Self {
        Self { is_reported: false }
    }

    pub(crate) const fn is_reported(self) -> bool {
        self.is_reported
    }

    /// Consumes `input`, which comes after the end. The first time it consumes nothing and returns the offset that must
    /// be reported.
    pub(crate) fn take(&mut self, cursor: &mut PayloadCursor, input: &[u8]) -> Option<u64> {
        if !self.is_reported && !input.is_empty() {
            self.is_reported = true;
            return Some(cursor.position());
        }
        cursor.advance_to_the_last(input.len());
        None
    }

    /// Returns whether `cursor` is a possible position after data that end at `end`: there or, once bytes after the end
    /// have been reported, after it.
    pub(crate) const fn fits(self, cursor: &PayloadCursor, end: u64) -> bool {
        let position = cursor.position();
        cursor.left() == 0 && (position == end || self.is_reported && position > end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_nothing_limits_stop_at_the_last_position() {
        let mut cursor = PayloadCursor::at(u64::MAX - 1);
        cursor.advance_to_the_last(1);
        cursor.advance_to_the_last(7);
        assert_eq!(cursor.position(), u64::MAX);
    }

    #[test]
    fn position_and_rest_move_together() {
        let mut cursor = PayloadCursor::at(100);
        cursor.advance(44);
        cursor.open(10);
        assert_eq!((cursor.take(4), cursor.position(), cursor.left()), (4, 148, 6));
        assert_eq!((cursor.place(10), cursor.end()), (4, Some(154)));
        let too_far = Misuse::SkipTooFar { asked: 7, available: 6 };
        assert_eq!(cursor.skip(7, true, |misuse| misuse), Err(Error::new(148, too_far)));
        assert_eq!(cursor.skip(6, true, |misuse| misuse), Ok(()));
        assert_eq!(cursor.seek(11, Some(10), |_| ()), Err(Error::new(154, ())));
        assert_eq!(cursor.seek(0, None, |misuse| misuse), Err(Error::new(154, Misuse::NoPayload)));
        assert_eq!(cursor.seek(2, Some(10), |_| ()), Ok(()));
        assert_eq!((cursor.take(100), cursor.position()), (8, 154));
        assert_eq!(cursor.skip(0, false, |_| ()), Ok(()));
    }

    #[test]
    fn bytes_are_taken_once_and_not_after_a_gap() {
        let mut seen = Seen::new();
        assert_eq!(seen.take(0, b"abc"), b"abc");
        assert_eq!(seen.take(1, b"bcde"), b"de");
        assert_eq!(seen.take(0, b"ab"), b"");
        assert_eq!(seen.take(6, b"g"), b"");
        assert_eq!((seen.take(5, b"f"), seen.length()), (&b"f"[..], 6));
    }

    #[test]
    fn the_first_byte_is_reported_once() {
        let (mut trailing, mut cursor) = (Trailing::new(), PayloadCursor::at(10));
        assert_eq!((trailing.take(&mut cursor, b""), trailing.is_reported()), (None, false));
        assert!(trailing.fits(&cursor, 10) && !trailing.fits(&cursor, 9) && !trailing.fits(&cursor, 11));
        assert_eq!((trailing.take(&mut cursor, b"more"), cursor.position()), (Some(10), 10));
        assert_eq!((trailing.take(&mut cursor, b"more"), cursor.position()), (None, 14));
        assert!(trailing.fits(&cursor, 10) && !trailing.fits(&cursor, 15));
    }
}
