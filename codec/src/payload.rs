//! The position of a decoder and what is left of the payload there: the two move together.

use crate::counter::{Counter as _, at_most, minus};
use crate::error::{Error, Misuse};
use crate::state::saved;

/// Absolute offset of the next byte, and bytes of the open payload from there on.
///
/// Whoever opens a payload has checked that its end can be addressed, so that no position here overflows.
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

    /// Bytes that belong to no payload are consumed.
    #[inline]
    pub(crate) fn advance(&mut self, n: usize) {
        self.position.increase(n as u64);
    }

    /// As [`advance`](Self::advance), where nothing limits how many bytes come: the position then stays at the last
    /// that 64 bits can address.
    pub(crate) fn advance_to_the_last(&mut self, n: usize) {
        self.position = self.position.saturating_add(n as u64);
    }

    /// A payload of `length` bytes begins here.
    #[inline]
    pub(crate) fn open(&mut self, length: u64) {
        debug_assert!(self.position.checked_add(length).is_some(), "the payload cannot be addressed");
        self.left = length;
    }

    /// Consumes as much of the payload as `available` bytes hold; returns how much that is.
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

    /// The end of the open payload; `None`: beyond what 64 bits can address.
    pub(crate) const fn end(&self) -> Option<u64> {
        self.position.checked_add(self.left)
    }

    /// Passes over `n` bytes of payload. `is_open`: a payload is open at all.
    pub(crate) fn skip<K>(&mut self, n: u64, is_open: bool, kind: fn(Misuse) -> K) -> Result<(), Error<K>> {
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

    /// Moves to the place `to` of the open payload of `length` bytes. `None`: no payload is open.
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
        self.position = self.position.minus(self.place(length)).plus(to);
        self.left = left;
        Ok(())
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
}
