//! Whether bytes are UTF-8, one after the other.

use crate::state::saved;

/// The sequence of UTF-8 that is being read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Utf8 {
    /// Continuation bytes that must follow.
    left: u8,
    /// The range of the next of them.
    low: u8,
    high: u8,
}

saved!(struct Utf8 { left, low, high });

impl Utf8 {
    pub(super) const START: Self = Self { left: 0, low: 0, high: 0 };

    /// Whether a sequence is incomplete.
    pub(super) const fn is_open(self) -> bool {
        self.left > 0
    }

    /// Whether the byte can come next.
    pub(super) const fn push(&mut self, byte: u8) -> bool {
        if self.left > 0 {
            let fits = self.low <= byte && byte <= self.high;
            (self.left, self.low, self.high) = (self.left.saturating_sub(1), 0x80, 0xbf);
            return fits;
        }
        (self.left, self.low, self.high) = match byte {
            0..0x80 => return true,
            0xc2..=0xdf => (1, 0x80, 0xbf),
            0xe0 => (2, 0xa0, 0xbf),
            0xed => (2, 0x80, 0x9f),
            0xe1..=0xef => (2, 0x80, 0xbf),
            0xf0 => (3, 0x90, 0xbf),
            0xf1..=0xf3 => (3, 0x80, 0xbf),
            0xf4 => (3, 0x80, 0x8f),
            _ => return false,
        };
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequences_are_those_of_the_standard_library() {
        let bytes =
            [0x00, 0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xc2, 0xdf, 0xe0, 0xe1, 0xed, 0xef];
        let bytes: std::vec::Vec<u8> =
            bytes.into_iter().chain([0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff]).collect();
        for first in &bytes {
            for second in &bytes {
                for third in &bytes {
                    for fourth in &bytes {
                        let text = [*first, *second, *third, *fourth];
                        let mut utf8 = Utf8::START;
                        let fits = text.iter().all(|byte| utf8.push(*byte)) && !utf8.is_open();
                        assert_eq!(fits, core::str::from_utf8(&text).is_ok(), "{text:x?}");
                    }
                }
            }
        }
    }
}
