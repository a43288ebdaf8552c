//! Reading texts without a schema: the root, the elements below it, and the positions of their values. Values can have
//! any length and contain markup; only their beginning is kept.

use super::declaration::{Name, Scope};
use super::element::Schema;
use super::error::{ErrorKind, Found};
use super::parser::Parser;
use crate::error::Error;
use crate::state::saved;

/// A schema that no text has: each root is reported as [`Found::WrongRoot`], which shows that its name is complete.
const NO_SCHEMA: &Schema = &Schema {
    root: "",
    elements: super::element::Seen::NONE,
    required: super::element::Seen::NONE,
    latest: b'0',
    namespaced: false,
};

/// A scope without namespaces and without checks.
struct NoNamespace;

impl Scope for NoNamespace {
    const JUDGES: bool = false;
    fn attribute(&mut self, _: u8, _: &mut Name) {}
    fn value(&mut self, _: u8) {}
    fn declare(&mut self, _: &Name, _: &Name) {}
    fn check_root(&self, _: &Name) -> Found {
        Found::Nothing
    }
    fn includes(&self, _: &[u8], _: &Name) -> bool {
        false
    }
    fn leaves_out(&self, _: &Name, _: &Name) -> bool {
        false
    }
}

/// Item that a byte of a text completes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Item {
    Nothing,
    /// The name of the root.
    Root,
    /// An element below the root.
    Element,
    /// The text is not well-formed from this byte on.
    Fault(Found),
}

/// Reads a text byte by byte.
#[derive(Debug, Clone)]
pub(crate) struct Outline {
    parser: Parser,
    /// Offset of the next byte.
    at: u64,
    /// Number of bytes before the NUL that ends the text.
    length: u64,
    /// True after the NUL that ends the text.
    ended: bool,
    /// Offset of the last `<`.
    tag_at: u64,
    /// Offset after the start tag of the element that is open or was read last; `None` until that tag ends.
    value_at: Option<u64>,
}

saved!(struct Outline { parser, at, length, ended, tag_at, value_at });

impl Outline {
    /// An outline of a text whose first byte has this offset.
    pub(crate) const fn at(offset: u64) -> Self {
        Self { parser: Parser::START, at: offset, length: 0, ended: false, tag_at: offset, value_at: None }
    }

    /// Takes the next byte.
    pub(crate) fn push(&mut self, byte: u8) -> Item {
        let at = self.at;
        // Offsets of files are checked by the decoder of the container.
        self.at = at.saturating_add(1);
        self.ended |= byte == 0;
        if self.ended {
            self.parser.push(byte, at, NO_SCHEMA, &mut NoNamespace);
            return Item::Nothing;
        }
        self.length = self.length.saturating_add(1);
        if byte == b'<' {
            self.tag_at = at;
            if !self.parser.is_child_open() {
                self.value_at = None;
            }
        }
        let found = self.parser.push(byte, at, NO_SCHEMA, &mut NoNamespace);
        if self.value_at.is_none() && self.parser.is_inside_child() {
            self.value_at = Some(self.at);
        }
        match found {
            Found::Nothing => Item::Nothing,
            Found::WrongRoot => Item::Root,
            Found::Element => Item::Element,
            fault => Item::Fault(fault),
        }
    }

    /// Reads no further elements.
    pub(crate) const fn stop(&mut self) {
        self.parser.stop(Found::Nothing);
    }

    /// The parser that reads the text.
    pub(crate) const fn parser(&self) -> &Parser {
        &self.parser
    }

    /// The name of the root.
    pub(crate) fn root(&self) -> &[u8] {
        self.parser.names().1.kept_bytes()
    }

    /// The name of the element that is complete.
    pub(crate) fn name(&self) -> &[u8] {
        self.parser.names().0.kept_bytes()
    }

    /// Offset of its start tag.
    pub(crate) const fn element_at(&self) -> u64 {
        self.parser.tag_at()
    }

    /// Its value without white space around it, references resolved; `None` if it contains elements or is longer than
    /// what is kept.
    pub(crate) fn value(&self) -> Option<&[u8]> {
        let content = &self.parser.content;
        let kept = content.kept_bytes();
        (!self.parser.is_nested() && content.length() as usize == kept.len()).then_some(kept)
    }

    /// Begin and end of its value as written, as absolute offsets.
    pub(crate) const fn range(&self) -> (u64, u64) {
        match self.value_at {
            Some(begin) => (begin, self.tag_at),
            // `<name/>` has no value.
            None => (self.at, self.at),
        }
    }

    /// Fault if the text ends here; [`Found::Nothing`] if it may.
    pub(crate) const fn end(&self) -> Found {
        self.parser.end()
    }

    /// Absolute offset of the next byte.
    pub(crate) const fn position(&self) -> u64 {
        self.at
    }

    /// Length of the text in bytes, without the NUL that ends it.
    pub(crate) const fn length(&self) -> u64 {
        self.length
    }

    /// Error for a fault at `offset`.
    pub(crate) fn error(&self, fault: Found, offset: u64) -> Error<ErrorKind> {
        self.parser.error(fault, offset, NO_SCHEMA)
    }
}

/// True if readers of an element with this value see exactly the same value, apart from white space around it.
pub(crate) fn is_value(value: &[u8]) -> bool {
    let mut outline = Outline::at(0);
    let mut whole = false;
    let text = b"<a><b>".iter().chain(value).chain(b"</b></a>");
    for byte in text {
        match outline.push(*byte) {
            Item::Nothing | Item::Root => {}
            Item::Element => {
                // Only the end tag after the value may end the element.
                let (begin, end) = outline.range();
                whole = end.checked_sub(begin) == Some(value.len() as u64);
            }
            Item::Fault(_) => return false,
        }
    }
    whole && outline.end() == Found::Nothing && !value.contains(&0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::{String, ToString as _};
    use std::vec::Vec;

    /// Each element with its value as written.
    fn elements(text: &str) -> Vec<(String, String)> {
        let mut outline = Outline::at(100);
        let mut all = Vec::new();
        for byte in text.bytes() {
            if outline.push(byte) == Item::Element {
                let (begin, end) = outline.range();
                let range = usize::try_from(begin - 100).unwrap()..usize::try_from(end - 100).unwrap();
                let name = core::str::from_utf8(outline.name()).unwrap();
                all.push((name.to_string(), text[range].to_string()));
            }
        }
        assert_eq!(outline.end(), Found::Nothing, "{text}");
        all
    }

    #[test]
    fn ranges_of_values_are_correct() {
        let text = "<?xml version=\"1.0\"?><r a='>'> <x> 1 </x><y><z/>&amp;<y>2</y></y><e/><e></e>\
            <!-- <c> --><w b=\"/>\"><![CDATA[</w>]]></w ></r>\0";
        let expected =
            [("x", " 1 "), ("y", "<z/>&amp;<y>2</y>"), ("e", ""), ("e", ""), ("w", "<![CDATA[</w>]]>")];
        assert_eq!(elements(text), expected.map(|(name, value)| (name.to_string(), value.to_string())));
    }

    #[test]
    fn values_that_readers_would_see_differently_are_refused() {
        for good in
            ["", "a", " a\n", "<k>00</k>", "a &amp; b", "<a/><b>c</b>", "\u{e9}", "<![CDATA[ </b> ]]>"]
        {
            assert!(is_value(good.as_bytes()), "{good}");
        }
        for bad in ["</b>", "a</b><b>", "a & b", "a < b", "<k>", "</k>", "<!-- ", "a\0b", "<a b='"] {
            assert!(!is_value(bad.as_bytes()), "{bad}");
        }
    }
}
