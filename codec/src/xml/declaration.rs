//! The XML declaration: `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>` (XML 1.0, section 2.8), and whether
//! bytes are UTF-8.

use crate::state::saved;

/// A short word, of which the first eight bytes count, in lower case.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Word {
    bytes: u64,
    length: u8,
}

saved!(struct Word { bytes, length });

impl Word {
    pub(super) const EMPTY: Self = Self { bytes: 0, length: 0 };

    pub(super) const fn push(&mut self, byte: u8) {
        if self.length < 8 {
            self.bytes = self.bytes.wrapping_shl(8) | byte.to_ascii_lowercase() as u64;
        }
        self.length = self.length.saturating_add(1);
    }

    /// Whether this is the word, of which at most eight bytes are compared.
    pub(super) fn is(self, word: &[u8]) -> bool {
        word.len() == usize::from(self.length) && self.begins(word)
    }

    /// Whether it begins with these bytes, at most eight.
    fn begins(self, word: &[u8]) -> bool {
        let mut other = Self::EMPTY;
        word.iter().for_each(|byte| other.push(*byte));
        let excess = self.length.min(8).checked_sub(other.length.min(8));
        excess.is_some_and(|excess| self.bytes.wrapping_shr(u32::from(excess).wrapping_mul(8)) == other.bytes)
    }
}

/// What is wrong with the value of an attribute of the declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Declared {
    Fine,
    /// The version is none of XML 1.
    Version,
    /// The encoding has 16 or 32 bits, in which the declaration could not have been read.
    Encoding,
}

/// The declaration that is being read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Declaration {
    /// The name of an attribute, or its value.
    pub(super) word: Word,
    /// The number of the last attribute: version, encoding, standalone.
    last: u8,
    /// The encoding is another than UTF-8.
    pub(super) is_of_other_encoding: bool,
}

saved!(struct Declaration { word, last, is_of_other_encoding });

impl Declaration {
    pub(super) const NONE: Self = Self { word: Word::EMPTY, last: 0, is_of_other_encoding: false };

    /// The version is required.
    pub(super) const fn has_version(self) -> bool {
        self.last > 0
    }

    /// Takes the word as the name of an attribute. Returns whether it may come here: the attributes have this order, and
    /// the first of them is always there.
    pub(super) fn name_ends(&mut self) -> bool {
        let names: [&[u8]; 3] = [b"version", b"encoding", b"standalone"];
        let found = (1_u8..).zip(names).find(|(_, name)| self.word.is(name)).map(|(number, _)| number);
        let fits = found.filter(|number| *number > self.last && (self.last > 0 || *number == 1));
        self.last = fits.unwrap_or(self.last);
        self.word = Word::EMPTY;
        fits.is_some()
    }

    /// Takes the word as the value of the attribute.
    pub(super) fn value_ends(&mut self) -> Declared {
        let is = |word: &[u8]| self.word.is(word);
        let begins = |word: &[u8]| self.word.begins(word);
        match self.last {
            1 if !begins(b"1.") || self.word.length < 3 => Declared::Version,
            2 => {
                let is_wide =
                    begins(b"utf-16") || begins(b"utf-32") || begins(b"iso-1064") || begins(b"ucs-");
                self.is_of_other_encoding = !(is(b"utf-8") || is(b"us-ascii") || is(b"ascii"));
                if is_wide { Declared::Encoding } else { Declared::Fine }
            }
            _ => Declared::Fine,
        }
    }
}

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

    fn word(text: &str) -> Word {
        let mut word = Word::EMPTY;
        text.bytes().for_each(|byte| word.push(byte));
        word
    }

    #[test]
    fn words_are_compared_without_case() {
        assert!(word("UTF-8").is(b"utf-8") && !word("utf-8").is(b"utf-") && !word("utf-").is(b"utf-8"));
        assert!(word("standalone").is(b"standalone") && !word("standalone2").is(b"standalone"));
        assert!(word("UTF-16LE").begins(b"utf-16") && !word("UTF-8").begins(b"utf-16"));
        assert!(word("ISO-10646-UCS-2").begins(b"iso-1064") && word("").begins(b""));
    }

    #[test]
    fn attributes_have_an_order() {
        let mut declaration = Declaration::NONE;
        declaration.word = word("encoding");
        assert!(!declaration.name_ends() && !declaration.has_version());
        for (name, fits) in [("version", true), ("version", false), ("standalone", true), ("encoding", false)]
        {
            declaration.word = word(name);
            assert_eq!(declaration.name_ends(), fits, "{name}");
        }
        assert!(declaration.has_version());
    }
}

#[cfg(test)]
mod tests_of_utf8 {
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
