//! Payload whose bytes are folded into a checksum in their order, each once.

use crate::bytes::suffix;
use crate::counter::{Counter as _, at_most};
use crate::state::saved;

/// How many bytes of a payload, from its first, have been seen. Bytes that come after a gap are not counted, since a
/// checksum that depends on the order cannot take them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Seen {
    bytes: u64,
}

saved!(struct Seen { bytes });

impl Seen {
    pub(crate) const fn new() -> Self {
        Self { bytes: 0 }
    }

    /// Of `bytes`, which begin at `place` of the payload, those that have not been seen yet; none if there is a gap.
    pub(crate) fn take<'b>(&mut self, place: u64, bytes: &'b [u8]) -> &'b [u8] {
        let Some(before) = self.bytes.checked_sub(place) else { return &[] };
        let new = suffix(bytes, at_most(before, bytes.len()));
        self.bytes.increase(new.len() as u64);
        new
    }

    pub(crate) const fn bytes(&self) -> u64 {
        self.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_are_taken_once_and_not_after_a_gap() {
        let mut seen = Seen::new();
        assert_eq!(seen.take(0, b"abc"), b"abc");
        assert_eq!(seen.take(1, b"bcde"), b"de");
        assert_eq!(seen.take(0, b"ab"), b"");
        assert_eq!(seen.take(6, b"g"), b"");
        assert_eq!((seen.take(5, b"f"), seen.bytes()), (&b"f"[..], 6));
    }
}
