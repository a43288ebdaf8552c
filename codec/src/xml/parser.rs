//! The byte-at-a-time parser.

use super::Document;
use super::element::Element;
use super::error::ErrorKind;
use super::namespace::{Namespaces, local_of};
use crate::state::saved;

/// Longest value that is kept, in bytes. Longer ones of elements that mean something are an error, longer
/// ones of others are passed over.
pub const MAX_VALUE: usize = 128;

/// Longest name that is kept, with its prefix; longer ones are compared by their first bytes and their length.
const MAX_NAME: usize = 24;
/// Longest reference between `&` and `;`: `#x10FFFF`.
const MAX_ENTITY: usize = 8;

const BYTE_ORDER_MARK: &[u8; 3] = b"\xef\xbb\xbf";
const CDATA: &[u8; 7] = b"[CDATA[";

/// The root is at depth 1, the elements that count at depth 2.
const ROOT: u32 = 1;
const CHILD: u32 = 2;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum At {
    /// Before anything: a byte order mark may come.
    Start,
    /// Outside of tags, at any depth.
    Text,
    /// Behind `<`.
    Tag,
    StartName,
    Attributes,
    /// Inside a quoted attribute value.
    Quoted,
    /// Behind the `/` of `<a/>`.
    EmptyTag,
    EndName,
    /// Between the name of an end tag and its `>`.
    EndTag,
    Instruction,
    /// Behind `<!`.
    Bang,
    Comment,
    Cdata,
    Entity,
    /// Behind the NUL that ends the text, or behind an error that was told: nothing counts any more.
    Over,
}

saved!(enum At:
    Start, Text, Tag, StartName, Attributes, Quoted, EmptyTag, EndName, EndTag, Instruction, Bang, Comment,
    Cdata, Entity, Over
);

/// A name, cut at [`MAX_NAME`] but with its full length.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Name {
    bytes: [u8; MAX_NAME],
    length: u32,
}

saved!(struct Name { bytes, length });

impl Name {
    pub(super) const fn new() -> Self {
        Self { bytes: [0; MAX_NAME], length: 0 }
    }

    pub(super) fn push(&mut self, byte: u8) {
        if let Some(slot) = usize::try_from(self.length).ok().and_then(|i| self.bytes.get_mut(i)) {
            *slot = byte;
        }
        self.length = self.length.saturating_add(1);
    }

    /// The name if it was kept whole.
    pub(super) fn whole(&self) -> Option<&[u8]> {
        self.bytes.get(..usize::try_from(self.length).ok()?)
    }
}

/// See the [module](super). Use: [`check`](Self::check) a byte, [`deliver`](Self::deliver) the element that
/// it completes, [`consume`](Self::consume) it. `check` and `deliver` change nothing, so that what they find
/// can be told before the byte is taken; `consume` never fails and makes the best of what was told.
#[derive(Debug, Clone)]
pub(crate) struct Parser {
    at: At,
    depth: u32,
    /// Name being read, of a start or an end tag, or of an attribute of the root.
    name: Name,
    root: Name,
    child: Name,
    namespaces: Namespaces,
    /// Absolute offset of the child's `<`.
    element_at: u64,
    tag_at: u64,
    /// Progress in what is compared byte by byte: byte order mark, `--`, `?>`, `[CDATA[`, `]]>`.
    matched: u8,
    /// The quote that opened the attribute value; behind `<!`, the byte that tells a comment from CDATA.
    quote: u8,
    /// A `>` went by inside the quoted value: if the closing quote is missing, the tag ended there.
    quoted_end: bool,
    value: [u8; MAX_VALUE],
    /// Length of the value without white space at its ends, also beyond what is kept.
    length: u32,
    /// White space since, which counts if something follows.
    blanks: u32,
    nested: bool,
    entity: [u8; MAX_ENTITY],
    entity_length: u8,
    /// The root element is complete.
    closed: bool,
    /// Anything but white space has been seen.
    begun: bool,
}

saved!(struct Parser {
    at, depth, name, root, child, namespaces, element_at, tag_at, matched, quote, quoted_end, value, length,
    blanks, nested, entity, entity_length, closed, begun
});

impl Parser {
    pub(crate) const fn new() -> Self {
        Self {
            at: At::Start,
            depth: 0,
            name: Name::new(),
            root: Name::new(),
            child: Name::new(),
            namespaces: Namespaces::new(),
            element_at: 0,
            tag_at: 0,
            matched: 0,
            quote: 0,
            quoted_end: false,
            value: [0; MAX_VALUE],
            length: 0,
            blanks: 0,
            nested: false,
            entity: [0; MAX_ENTITY],
            entity_length: 0,
            closed: false,
            begun: false,
        }
    }

    /// Absolute offset of the element that is being read or was read last.
    pub(crate) const fn element_at(&self) -> u64 {
        self.element_at
    }

    /// What is wrong with `byte` at this place, in a document of this root; `namespaced`: its elements have a
    /// namespace.
    pub(crate) fn check(&self, byte: u8, root: &'static str, namespaced: bool) -> Result<(), ErrorKind> {
        if self.at == At::Over {
            return Ok(());
        }
        if byte == 0 {
            // The text ends here; whether it may inside the root is for `end` to say.
            return if self.closed && self.at != At::Text { Err(ErrorKind::TextBehind) } else { Ok(()) };
        }
        // Whatever is wrong behind the root, the document itself is whole.
        self.check_markup(byte, root, namespaced)
            .map_err(|kind| if self.closed { ErrorKind::TextBehind } else { kind })
    }

    fn check_markup(&self, byte: u8, root: &'static str, namespaced: bool) -> Result<(), ErrorKind> {
        let bad = |wrong: bool, kind| if wrong { Err(kind) } else { Ok(()) };
        match self.at {
            At::Start | At::Text => self.check_text(byte),
            At::Tag => match byte {
                b'?' | b'!' => Ok(()),
                b'/' => bad(self.depth == 0, ErrorKind::StrayEndTag),
                _ if !begins_name(byte) => Err(ErrorKind::BadTag),
                _ => bad(self.closed && self.depth == 0, ErrorKind::TextBehind),
            },
            At::StartName if matches!(byte, b'<' | b'=' | b'"' | b'\'') => Err(ErrorKind::BadTag),
            At::StartName if ends_name(byte) && self.depth == 0 => self.check_root(byte, root, namespaced),
            At::Attributes if byte == b'>' && self.depth == ROOT && namespaced => {
                self.namespaces.check_root(&self.root, root)
            }
            At::Attributes => bad(byte == b'<', ErrorKind::BadTag),
            At::Quoted => bad(
                byte == b'<',
                if self.quoted_end && self.depth == ROOT {
                    ErrorKind::AttributeUnclosed
                } else {
                    ErrorKind::BadTag
                },
            ),
            At::EmptyTag => bad(byte != b'>', ErrorKind::BadTag),
            At::EndName if ends_name(byte) => bad(!self.closes(), ErrorKind::StrayEndTag),
            At::EndTag => bad(byte != b'>' && !byte.is_ascii_whitespace(), ErrorKind::BadTag),
            At::Bang => self.check_bang(byte),
            At::Entity => bad(!self.continues_entity(byte), ErrorKind::BadEntity),
            _ => Ok(()),
        }
    }

    fn check_text(&self, byte: u8) -> Result<(), ErrorKind> {
        let in_mark = self.at == At::Start && (1..BYTE_ORDER_MARK.len()).contains(&usize::from(self.matched));
        if (byte == b'<' || byte.is_ascii_whitespace() || self.depth >= CHILD) && !in_mark {
            return Ok(());
        }
        if self.depth == ROOT {
            return Err(ErrorKind::StrayText);
        }
        if self.closed {
            return Err(ErrorKind::TextBehind);
        }
        let mark = BYTE_ORDER_MARK.get(usize::from(self.matched));
        if self.at == At::Start && mark == Some(&byte) { Ok(()) } else { Err(ErrorKind::NotXml) }
    }

    /// Whether a prefix of the root is that of the namespace is known at the end of its tag.
    fn check_root(&self, byte: u8, root: &'static str, namespaced: bool) -> Result<(), ErrorKind> {
        let name = self.name.whole();
        let fits = |name| name == Some(root.as_bytes());
        match namespaced {
            true if fits(name) || fits(name.and_then(local_of)) => match byte {
                b'>' => self.namespaces.check_root(&self.name, root),
                _ => Ok(()),
            },
            false if fits(name) => Ok(()),
            _ => Err(ErrorKind::WrongRoot { expected: root }),
        }
    }

    fn check_bang(&self, byte: u8) -> Result<(), ErrorKind> {
        let ok = match self.matched {
            0 => byte == b'-' || (byte == b'[' && self.depth >= CHILD),
            1 if self.quote == b'-' => byte == b'-',
            n => CDATA.get(usize::from(n)) == Some(&byte),
        };
        let doctype = self.matched == 0 && self.depth == 0 && byte == b'D';
        if ok {
            Ok(())
        } else if doctype {
            Err(ErrorKind::Doctype)
        } else {
            Err(ErrorKind::BadTag)
        }
    }

    /// Whether the end tag being read closes what is open. Below the elements that count, end tags are only
    /// counted.
    fn closes(&self) -> bool {
        match self.depth {
            ROOT => self.name == self.root,
            CHILD => self.name == self.child,
            _ => self.depth > CHILD,
        }
    }

    /// Whether `byte` completes an element whose value counts.
    pub(crate) fn completes_element(&self, byte: u8) -> bool {
        byte == b'>'
            && match self.at {
                At::EndName => self.depth == CHILD && self.closes(),
                At::EndTag => self.depth == CHILD,
                At::EmptyTag => self.depth == CHILD,
                _ => false,
            }
    }

    /// Hands the element that the next byte completes to a document.
    pub(crate) fn deliver<D: Document>(&self, document: &mut D) -> Result<(), ErrorKind> {
        let local = |name| if D::NAMESPACED { self.namespaces.local(name) } else { Some(name) };
        let name = self.child.whole().and_then(local);
        let element = name.and_then(Element::from_name).filter(|element| D::ELEMENTS.contains(element));
        let Some(element) = element else {
            return if D::NAMESPACED { Err(ErrorKind::ElementUnknown) } else { Ok(()) };
        };
        if self.nested {
            return Err(ErrorKind::Nested(element));
        }
        let kept = usize::try_from(self.length).ok().and_then(|length| self.value.get(..length));
        match kept {
            Some(value) => document.element(element, value)?,
            // The document may have a use for the beginning.
            None => {
                let limit = match document.element(element, &self.value) {
                    Err(ErrorKind::TooLong { limit, .. }) => limit,
                    _ => MAX_VALUE as u32,
                };
                return Err(ErrorKind::TooLong { element, length: self.length, limit });
            }
        }
        let outside = D::NAMESPACED && self.namespaces.leaves_out(&self.child, &self.root);
        if outside { Err(ErrorKind::NamespaceOther) } else { Ok(()) }
    }

    /// Takes `byte`, which stands at the absolute offset `offset`.
    pub(crate) fn consume(&mut self, byte: u8, offset: u64) {
        if self.at == At::Over {
            return;
        }
        if byte == 0 {
            self.at = At::Over;
            return;
        }
        if self.at == At::Quoted && byte == b'<' && self.quoted_end {
            // What `check` calls AttributeUnclosed: the tag ended at the `>` inside the value.
            self.open_tag_ends();
            self.at = At::Text;
        }
        match self.at {
            At::Start | At::Text => self.text(byte, offset),
            At::Tag => self.tag(byte),
            At::StartName => self.start_name(byte),
            At::Attributes => self.attributes(byte),
            At::Quoted if byte == self.quote => {
                if self.depth == ROOT {
                    self.namespaces.declare(&self.name, &self.root);
                }
                self.at = At::Attributes;
            }
            At::Quoted => {
                self.namespaces.value(byte);
                self.quoted_end |= byte == b'>';
            }
            At::EmptyTag if byte == b'>' => {
                self.close_element();
            }
            At::EndName if byte == b'>' && self.closes() => self.close_element(),
            At::EndName if byte.is_ascii_whitespace() && self.closes() => self.at = At::EndTag,
            At::EndName if !ends_name(byte) => self.name.push(byte),
            At::EndTag if byte == b'>' => self.close_element(),
            At::EndTag if byte.is_ascii_whitespace() => {}
            At::Instruction => self.until(byte, b"?>"),
            At::Bang => self.bang(byte),
            At::Comment => self.until(byte, b"-->"),
            At::Cdata => self.cdata(byte),
            At::Entity => self.entity(byte),
            At::EmptyTag | At::EndName | At::EndTag | At::Over => self.at = At::Over,
        }
    }

    fn text(&mut self, byte: u8, offset: u64) {
        let start = self.at == At::Start;
        let in_mark = start && BYTE_ORDER_MARK.get(usize::from(self.matched)) == Some(&byte);
        self.at = if in_mark { At::Start } else { At::Text };
        match byte {
            b'<' => {
                self.begun = true;
                self.tag_at = offset;
                self.at = At::Tag;
            }
            _ if in_mark => self.matched = self.matched.saturating_add(1),
            b'&' if self.depth == CHILD => {
                self.entity_length = 0;
                self.at = At::Entity;
            }
            _ if self.depth == CHILD => self.character(byte),
            _ if byte.is_ascii_whitespace() || self.depth > CHILD => {}
            _ => {
                self.begun = true;
                self.at = At::Over;
            }
        }
    }

    fn tag(&mut self, byte: u8) {
        self.matched = 0;
        self.name = Name::default();
        self.at = match byte {
            b'?' => At::Instruction,
            b'!' => At::Bang,
            b'/' if self.depth > 0 => At::EndName,
            _ if begins_name(byte) && !(self.closed && self.depth == 0) => {
                self.name.push(byte);
                At::StartName
            }
            _ => At::Over,
        };
    }

    fn start_name(&mut self, byte: u8) {
        if !ends_name(byte) {
            self.name.push(byte);
            return;
        }
        self.depth = self.depth.saturating_add(1);
        match self.depth {
            ROOT => self.root = self.name,
            CHILD => {
                self.child = self.name;
                self.element_at = self.tag_at;
                self.length = 0;
                self.blanks = 0;
                self.nested = false;
            }
            _ => self.nested = true,
        }
        self.quoted_end = false;
        self.at = At::Attributes;
        self.attributes(byte);
    }

    fn attributes(&mut self, byte: u8) {
        if self.depth == ROOT {
            self.namespaces.attribute(byte, &mut self.name);
        }
        match byte {
            b'>' => self.open_tag_ends(),
            b'/' => self.at = At::EmptyTag,
            b'"' | b'\'' => {
                self.quote = byte;
                self.at = At::Quoted;
            }
            b'<' => self.at = At::Over,
            _ => {}
        }
    }

    const fn open_tag_ends(&mut self) {
        self.at = At::Text;
    }

    fn close_element(&mut self) {
        self.depth = self.depth.saturating_sub(1);
        self.closed |= self.depth == 0;
        self.at = At::Text;
    }

    /// Goes on in the text when the last bytes were `mark`.
    fn until(&mut self, byte: u8, mark: &[u8]) {
        let expected = mark.get(usize::from(self.matched));
        if expected == Some(&byte) {
            self.matched = self.matched.saturating_add(1);
        } else if mark.first() == Some(&byte) {
            // `--->` and `??>`: as much of the mark as its repeated first byte can stand for.
            self.matched = self.matched.clamp(1, mark.len().saturating_sub(1) as u8);
        } else {
            self.matched = 0;
        }
        if usize::from(self.matched) == mark.len() {
            self.matched = 0;
            self.at = At::Text;
        }
    }

    fn bang(&mut self, byte: u8) {
        let comment = self.matched == 1 && self.quote == b'-';
        match (self.matched, byte) {
            (0, b'-') => self.quote = b'-',
            (0, b'[') if self.depth >= CHILD => self.quote = b'[',
            (1, b'-') if comment => {}
            (n, _) if n > 0 && !comment && CDATA.get(usize::from(n)) == Some(&byte) => {}
            _ => {
                self.at = At::Over;
                return;
            }
        }
        self.matched = self.matched.saturating_add(1);
        if comment {
            self.matched = 0;
            self.at = At::Comment;
        } else if usize::from(self.matched) == CDATA.len() {
            self.matched = 0;
            self.at = At::Cdata;
        }
    }

    /// Text up to `]]>` as it stands.
    fn cdata(&mut self, byte: u8) {
        let before = self.matched;
        self.until(byte, b"]]>");
        if self.at != At::Cdata || self.depth != CHILD {
            return;
        }
        // Brackets that turn out not to be the end belong to the text.
        let held_back = self.matched.min(2);
        let brackets = before.saturating_add(u8::from(byte == b']')).saturating_sub(held_back);
        for _ in 0..brackets {
            self.keep(b']');
        }
        if byte != b']' {
            self.character(byte);
        }
    }

    /// Of the value. White space at its ends goes, however it is written: types of a schema that drop it do so
    /// when references and CDATA sections have been replaced.
    fn character(&mut self, byte: u8) {
        if byte.is_ascii_whitespace() {
            self.blank(byte);
        } else {
            self.keep(byte);
        }
    }

    fn continues_entity(&self, byte: u8) -> bool {
        if byte == b';' {
            return self.entity_value().is_some();
        }
        let room = usize::from(self.entity_length) < MAX_ENTITY;
        room && (byte.is_ascii_alphanumeric() || byte == b'#')
    }

    fn entity(&mut self, byte: u8) {
        if !self.continues_entity(byte) {
            self.at = At::Over;
        } else if byte != b';' {
            if let Some(slot) = self.entity.get_mut(usize::from(self.entity_length)) {
                *slot = byte;
            }
            self.entity_length = self.entity_length.saturating_add(1);
        } else if let Some(c) = self.entity_value() {
            for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                self.character(byte);
            }
            self.at = At::Text;
        }
    }

    /// What the reference read so far stands for.
    fn entity_value(&self) -> Option<char> {
        let name = self.entity.get(..usize::from(self.entity_length))?;
        let (digits, base) = match name {
            b"lt" => return Some('<'),
            b"gt" => return Some('>'),
            b"amp" => return Some('&'),
            b"quot" => return Some('"'),
            b"apos" => return Some('\''),
            [b'#', b'x', digits @ ..] => (digits, 16),
            [b'#', digits @ ..] => (digits, 10),
            _ => return None,
        };
        if digits.is_empty() {
            return None;
        }
        let code = digits.iter().try_fold(0_u32, |code, digit| {
            code.checked_mul(base)?.checked_add(char::from(*digit).to_digit(base)?)
        })?;
        char::from_u32(code).filter(|c| *c != '\0')
    }

    fn blank(&mut self, byte: u8) {
        if self.length == 0 {
            return;
        }
        let place = self.length.saturating_add(self.blanks);
        if let Some(slot) = usize::try_from(place).ok().and_then(|i| self.value.get_mut(i)) {
            *slot = byte;
        }
        self.blanks = self.blanks.saturating_add(1);
    }

    fn keep(&mut self, byte: u8) {
        let place = self.length.saturating_add(self.blanks);
        if let Some(slot) = usize::try_from(place).ok().and_then(|i| self.value.get_mut(i)) {
            *slot = byte;
        }
        self.length = place.saturating_add(1);
        self.blanks = 0;
    }

    /// What is wrong with the text ending here.
    pub(crate) fn end(&self) -> Option<ErrorKind> {
        match (self.begun, self.closed) {
            (_, true) if matches!(self.at, At::Text | At::Over) => None,
            (_, true) => Some(ErrorKind::TextBehind),
            (false, _) => Some(ErrorKind::Empty),
            (true, false) => Some(ErrorKind::Unclosed),
        }
    }
}

fn begins_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || byte == b'_' || byte == b':' || byte >= 0x80
}

fn ends_name(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b'>' | b'/' | b'<' | b'=' | b'"' | b'\'')
}
