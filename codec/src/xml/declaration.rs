//! Declarations at the start of a document: version and encoding in the XML declaration (XML 1.0, section 2.8), and the
//! namespace of the elements (ILDG 1.2, appendix A.1: the target namespace, with qualified elements). Also names of
//! elements, and validation of UTF-8.

use super::error::Found;
use crate::bytes::copy;
use crate::state::saved;

/// A word in lower case. Its first eight bytes and its length are kept.
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

    /// True if both words have the same length and the same first eight bytes.
    pub(super) fn is(self, word: &[u8]) -> bool {
        word.len() == usize::from(self.length) && self.begins(word)
    }

    /// True if it begins with these bytes; at most eight are compared.
    fn begins(self, word: &[u8]) -> bool {
        let mut other = Self::EMPTY;
        word.iter().for_each(|byte| other.push(*byte));
        // The first byte is the most significant one: shift out the bytes after the length of `word`.
        let excess = self.length.min(8).checked_sub(other.length.min(8));
        excess.is_some_and(|excess| self.bytes.wrapping_shr(u32::from(excess).wrapping_mul(8)) == other.bytes)
    }
}

/// Result of checking the value of an attribute of the declaration.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Declared {
    Fine,
    /// The version is not 1.x.
    Version,
    /// The encoding has units of 16 or 32 bits, which contradicts that the declaration was readable as bytes.
    Encoding,
}

/// The declaration that is being read: `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Declaration {
    /// The name or the value of the current attribute.
    pub(super) word: Word,
    /// Number of the last attribute: 1 version, 2 encoding, 3 standalone; 0 before the first.
    last: u8,
    /// The encoding is neither UTF-8 nor ASCII.
    pub(super) is_of_other_encoding: bool,
}

saved!(struct Declaration { word, last, is_of_other_encoding });

impl Declaration {
    pub(super) const NONE: Self = Self { word: Word::EMPTY, last: 0, is_of_other_encoding: false };

    /// Returns whether there is a version, which is required.
    pub(super) const fn has_version(self) -> bool {
        self.last > 0
    }

    /// Takes the word as the name of an attribute. Returns whether it is allowed here: the attributes have a fixed
    /// order, and the version cannot be missing.
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
            // The point and at least one digit.
            1 if !begins(b"1.") || self.word.length < 3 => Declared::Version,
            2 => {
                // `iso-1064` is the beginning of ISO-10646-UCS-2 and its relatives: a word keeps eight bytes.
                let is_wide =
                    begins(b"utf-16") || begins(b"utf-32") || begins(b"iso-1064") || begins(b"ucs-");
                self.is_of_other_encoding = !(is(b"utf-8") || is(b"us-ascii") || is(b"ascii"));
                if is_wide { Declared::Encoding } else { Declared::Fine }
            }
            _ => Declared::Fine,
        }
    }
}

/// The UTF-8 sequence that is being read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Utf8 {
    /// Number of continuation bytes that must follow.
    left: u8,
    /// Range of the next continuation byte.
    low: u8,
    high: u8,
}

saved!(struct Utf8 { left, low, high });

impl Utf8 {
    pub(super) const START: Self = Self { left: 0, low: 0, high: 0 };

    /// True inside a sequence.
    pub(super) const fn is_open(self) -> bool {
        self.left > 0
    }

    /// Takes the next byte. Returns whether it is valid.
    pub(super) const fn push(&mut self, byte: u8) -> bool {
        if self.left > 0 {
            let fits = self.low <= byte && byte <= self.high;
            // Only the second byte of a sequence can have a narrower range.
            (self.left, self.low, self.high) = (self.left.saturating_sub(1), 0x80, 0xbf);
            return fits;
        }
        // Excluded are forms that are longer than needed (C0, C1, E0, F0), surrogates (ED) and numbers above 10FFFF
        // (F4).
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

/// The target namespace of the schema.
const TARGET: &[u8] = b"http://www.lqcd.org/ildg";

/// Maximum length of a namespace prefix.
const MAX_PREFIX: usize = 12;

/// Value of `matched` if the value of the attribute is not the target.
const ANOTHER: u8 = u8::MAX;

/// Namespaces of a document. Two types implement it: one also checks rules that reading does not depend on, the other
/// does not.
pub(crate) trait Scope {
    /// True if order, unknown elements and the position of the declaration are checked.
    const JUDGES: bool;

    /// Takes a byte of the start tag of the root, after its name and outside quotes. `name` receives the name of the
    /// attribute.
    fn attribute(&mut self, byte: u8, name: &mut Name);

    /// Takes a byte of the value of an attribute.
    fn value(&mut self, byte: u8);

    /// Takes the attribute `name` of the element `root`, which is complete.
    fn declare(&mut self, name: &Name, root: &Name);

    /// Checks the namespace of the root element, whose start tag is complete.
    fn check_root(&self, root: &Name) -> Found;

    /// True if an element with this prefix (including the colon) is in the namespace.
    fn includes(&self, prefix: &[u8], root: &Name) -> bool;

    /// True if a name without prefix is outside the namespace of the root.
    fn leaves_out(&self, name: &Name, root: &Name) -> bool;
}

/// The namespace of names without a prefix.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Default {
    None,
    Target,
    Another,
}

saved!(enum Default: None, Target, Another);

/// Namespace declarations of the root element. This is enough for documents with a single namespace: the default
/// namespace and one prefix are kept. Declarations on other elements are ignored.
#[derive(Debug, Clone)]
pub(crate) struct Namespaces {
    /// The schema has a namespace; otherwise declarations are ignored.
    wanted: bool,
    default: Default,
    /// A prefix that is declared as the target, padded with zeros.
    prefix: [u8; MAX_PREFIX],
    /// Number of bytes at the start of the current value that match the target.
    matched: u8,
    /// The attribute's name is complete.
    named: bool,
}

saved!(struct Namespaces { wanted, default, prefix, matched, named });

impl Namespaces {
    /// Declarations of a document whose schema has a namespace (`wanted`) or not.
    pub(crate) const fn new(wanted: bool) -> Self {
        Self { wanted, default: Default::None, prefix: [0; MAX_PREFIX], matched: 0, named: true }
    }

    /// True if this prefix, including the colon, is declared as the target.
    fn is_target(&self, prefix: &[u8]) -> bool {
        let Some((b':', prefix)) = prefix.split_last() else { return false };
        let kept = self.prefix.split(|byte| *byte == 0).next();
        !prefix.is_empty() && kept == Some(prefix)
    }
}

impl Scope for Namespaces {
    const JUDGES: bool = true;

    fn attribute(&mut self, byte: u8, name: &mut Name) {
        match byte {
            b'"' | b'\'' => self.matched = 0,
            b'=' => self.named = true,
            _ if byte.is_ascii_whitespace() => self.named = true,
            _ => {
                // The first byte of another name.
                if self.named {
                    *name = Name::EMPTY;
                }
                self.named = false;
                name.push(byte);
            }
        }
    }

    fn value(&mut self, byte: u8) {
        let continues = TARGET.get(usize::from(self.matched)) == Some(&byte);
        self.matched = if continues { self.matched.saturating_add(1) } else { ANOTHER };
    }

    fn declare(&mut self, name: &Name, root: &Name) {
        let is_target = usize::from(self.matched) == TARGET.len();
        match name.parts() {
            (b"", b"xmlns") => self.default = if is_target { Default::Target } else { Default::Another },
            (b"xmlns:", prefix) if is_target => {
                // Only one prefix is kept: the prefix of the root, if it has one.
                let of_root = root.parts().0.split_last();
                let room = self.prefix.get_mut(..prefix.len());
                if let (true, Some(room)) = (of_root.is_none_or(|(_, of_root)| of_root == prefix), room) {
                    copy(room, prefix);
                    let rest = self.prefix.iter_mut().skip(prefix.len());
                    rest.for_each(|byte| *byte = 0);
                }
            }
            _ => {}
        }
    }

    fn check_root(&self, root: &Name) -> Found {
        if !self.wanted {
            return Found::Nothing;
        }
        match (root.parts().0, self.default) {
            (b"", Default::Target) => Found::Nothing,
            (b"", Default::None) => Found::NamespaceMissing,
            (b"", Default::Another) => Found::NamespaceOther,
            (prefix, _) if self.is_target(prefix) => Found::Nothing,
            _ => Found::WrongRoot,
        }
    }

    fn includes(&self, prefix: &[u8], _: &Name) -> bool {
        self.is_target(prefix)
    }

    fn leaves_out(&self, name: &Name, root: &Name) -> bool {
        let has_prefix = |name: &Name| !name.parts().0.is_empty();
        self.wanted && has_prefix(root) && !has_prefix(name) && self.default != Default::Target
    }
}

/// The same namespaces without the checks: for programs that only read.
#[derive(Debug)]
pub(crate) struct Unjudged<'n>(pub(crate) &'n mut Namespaces);

impl Scope for Unjudged<'_> {
    const JUDGES: bool = false;

    fn attribute(&mut self, byte: u8, name: &mut Name) {
        self.0.attribute(byte, name);
    }

    fn value(&mut self, byte: u8) {
        self.0.value(byte);
    }

    fn declare(&mut self, name: &Name, root: &Name) {
        self.0.declare(name, root);
    }

    fn check_root(&self, root: &Name) -> Found {
        self.0.check_root(root)
    }

    fn includes(&self, prefix: &[u8], root: &Name) -> bool {
        self.0.includes(prefix, root)
    }

    fn leaves_out(&self, _: &Name, _: &Name) -> bool {
        false
    }
}

/// Maximum length of a name with its prefix. Longer names are compared by their first bytes and their length, which is
/// counted up to 255.
const MAX_NAME: usize = 24;

/// A name, truncated after [`MAX_NAME`] bytes.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Name {
    /// Padded with zeros.
    bytes: [u8; MAX_NAME],
    length: u8,
}

saved!(struct Name { bytes, length });

impl Name {
    pub(super) const EMPTY: Self = Self { bytes: [0; MAX_NAME], length: 0 };

    pub(super) fn push(&mut self, byte: u8) {
        if let Some(slot) = self.bytes.get_mut(usize::from(self.length)) {
            *slot = byte;
        }
        // The names of a file have any length.
        self.length = self.length.saturating_add(1);
    }

    /// Its length in the file, up to 255.
    pub(super) const fn length(&self) -> u8 {
        self.length
    }

    /// True if the name has this byte at this place, or if the place was truncated.
    pub(super) fn has(&self, place: u8, byte: u8) -> bool {
        self.bytes.get(usize::from(place)).is_none_or(|kept| *kept == byte)
    }

    /// The name; empty if it was truncated: no name with a meaning is that long.
    pub(super) fn kept_bytes(&self) -> &[u8] {
        self.bytes.get(..usize::from(self.length)).unwrap_or(&[])
    }

    /// The prefix including the colon (empty if there is none), and the rest.
    pub(super) fn parts(&self) -> (&[u8], &[u8]) {
        let name = self.kept_bytes();
        let colon = name.iter().position(|byte| *byte == b':');
        let prefix = colon.map_or(0, |colon| colon.saturating_add(1));
        name.split_at_checked(prefix).unwrap_or((&[], name))
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

    #[test]
    fn sequences_agree_with_the_standard_library() {
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
