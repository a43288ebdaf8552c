//! Bytes after the end of a file that ends with its data.

use crate::payload::PayloadCursor;
use crate::state::saved;

/// Whether bytes after the end have been reported: once, before the first of them is consumed.
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

    /// Consumes `input`, which comes after the end. `Some`: nothing is consumed, and the first byte, at this offset, is
    /// to be reported.
    pub(crate) fn take(&mut self, cursor: &mut PayloadCursor, input: &[u8]) -> Option<u64> {
        if !self.is_reported && !input.is_empty() {
            self.is_reported = true;
            return Some(cursor.position());
        }
        cursor.advance_to_the_last(input.len());
        None
    }

    /// Whether `cursor` can be where all data have come, which end at `end`. Bytes after them count once they are
    /// reported.
    pub(crate) const fn fits(self, cursor: &PayloadCursor, end: u64) -> bool {
        let position = cursor.position();
        cursor.left() == 0 && (position == end || self.is_reported && position > end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
