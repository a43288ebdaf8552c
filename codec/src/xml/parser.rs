//! The tokenizer of all texts, and the reader of names and values in it, byte by byte.
//!
//! | invariant | |
//! |---|---|
//! | one byte, one step | `push` takes each byte once, and looks at no other one |
//! | bounded | a name keeps 24 bytes, a value 128, a reference 8; of the elements above only `depth` is kept |
//! | `depth` | number of start tags minus number of end tags; the root is at 1, its children at 2 |
//! | `name` | at depth 2, the name of the open child; below it, the name that is being read |
//! | `matched` | is 0 in every state that counts nothing; see its field |
//! | `stopped` | never becomes false again. Tokens are still found, since [`WellFormed`](super::WellFormed) checks mixed content, too; no further fault is reported, and no element is delivered |
//! | `At::Over` | is never left |

use super::declaration::{Name, Scope};
use super::element::{ElementName, Schema};
use super::error::Found;
use super::value::{Content, Reference};
use crate::state::saved;

const BYTE_ORDER_MARK: &[u8; 3] = b"\xef\xbb\xbf";
const CDATA: &[u8; 7] = b"[CDATA[";

/// The root is at depth 1, its children (the elements with a meaning) at depth 2.
const ROOT: u32 = 1;
const CHILD: u32 = 2;

/// The place in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum At {
    /// Before the first byte that is neither white space nor part of a byte order mark.
    Start,
    /// The text does not begin with `<`: it is not XML.
    Plain,
    /// Outside of tags, at any depth.
    Text,
    /// After `<`.
    Tag,
    StartName,
    Attributes,
    /// Inside a quoted attribute value.
    Quoted,
    /// After the `/` of `<a/>`.
    EmptyTag,
    EndName,
    /// Between the name of an end tag and its `>`.
    EndTag,
    /// After `<?`.
    Instruction,
    /// After `<!`.
    Bang,
    Comment,
    Cdata,
    Entity,
    /// After the NUL that ends the text, a document type declaration, or markup that no other can follow: the rest is
    /// ignored.
    Over,
}

saved!(enum At: Start, Plain, Text, Tag, StartName, Attributes, Quoted, EmptyTag, EndName, EndTag, Instruction, Bang, Comment, Cdata, Entity, Over);

/// The difference between two names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Difference {
    None,
    /// Only in capital and small letters.
    Case,
    Letters,
}

saved!(enum Difference: None, Case, Letters);

/// See the [module](super). [`push`](Self::push) takes each byte once, and returns what it completes or violates. An
/// element that is complete is then read with [`deliver`](Self::deliver).
#[derive(Debug, Clone)]
pub(crate) struct Parser {
    at: At,
    depth: u32,
    /// Name of the child of the root that is open or was read last. Between two children: the name that is being read,
    /// of a start tag, of an instruction, or of an attribute of the root.
    name: Name,
    root: Name,
    /// Absolute offset of the `<` of the child of the root that is being read or was read last, or of a tag outside the
    /// children.
    tag_at: u64,
    /// Number of bytes matched of a byte order mark, of `--`, `?>`, `[CDATA[` or `]]>`, or of the name of an end tag.
    matched: u8,
    /// The difference between the name of the end tag and the name of the open element.
    differs: Difference,
    /// The quote that opened the attribute value; after `<!`, the byte that distinguishes a comment from CDATA.
    quote: u8,
    /// There was a `>` inside the quoted value. If the closing quote turns out to be missing, the tag ended there.
    quoted_end: bool,
    /// An error does not allow to read further elements.
    stopped: bool,
    pub(super) content: Content,
    reference: Reference,
    /// The element contains other elements.
    nested: bool,
    /// Something other than a byte order mark precedes the tag that is being read, or the first one.
    late: bool,
    /// The root element is complete.
    closed: bool,
    /// Anything but white space has been seen.
    begun: bool,
    /// The element that was delivered last, if one was.
    pub(super) delivered: ElementName,
}

saved!(struct Parser { at, depth, name, root, tag_at, matched, differs, quote, quoted_end, stopped, content, reference, nested, late, closed, begun, delivered });

/// The first result unless it is [`Found::Nothing`], otherwise the second.
const fn or(found: Found, other: Found) -> Found {
    match found {
        Found::Nothing => other,
        found => found,
    }
}

const fn wrong(is_wrong: bool, found: Found) -> Found {
    if is_wrong { found } else { Found::Nothing }
}

impl Parser {
    /// The state before the first byte. All its bytes are zero: clearing memory takes less code than setting each
    /// field.
    pub(crate) const START: Self = Self {
        at: At::Start,
        depth: 0,
        name: Name::EMPTY,
        root: Name::EMPTY,
        tag_at: 0,
        matched: 0,
        differs: Difference::None,
        quote: 0,
        quoted_end: false,
        stopped: false,
        content: Content::EMPTY,
        reference: Reference::EMPTY,
        nested: false,
        late: false,
        closed: false,
        begun: false,
        delivered: ElementName::Version,
    };

    /// Absolute offset of the element that was read last.
    pub(super) const fn tag_at(&self) -> u64 {
        self.tag_at
    }

    /// The names of the element that was read last and of the root.
    pub(super) const fn names(&self) -> (&Name, &Name) {
        (&self.name, &self.root)
    }

    /// Number of elements that are open.
    pub(super) const fn depth(&self) -> u32 {
        self.depth
    }

    pub(super) const fn is_nested(&self) -> bool {
        self.nested
    }

    /// The place after the last byte, and the number of bytes matched there.
    pub(super) const fn place(&self) -> (At, u8) {
        (self.at, self.matched)
    }

    /// True if the root element is complete.
    pub(super) const fn is_closed(&self) -> bool {
        self.closed
    }

    /// True unless the tag that is being read is the first thing in the text, after a byte order mark.
    pub(super) const fn is_late(&self) -> bool {
        self.late
    }

    /// True if a child of the root is open and the next byte belongs to its text.
    pub(super) const fn is_inside_child(&self) -> bool {
        self.depth == CHILD && matches!(self.at, At::Text)
    }

    /// True if a child of the root is open.
    pub(super) const fn is_child_open(&self) -> bool {
        self.depth >= CHILD
    }

    /// Takes `byte` at the absolute offset `offset` of a document of this schema.
    // Not inlined: inside the function of a decoder, each field would be addressed with a large offset.
    #[inline(never)]
    pub(crate) fn push<S: Scope>(&mut self, byte: u8, offset: u64, schema: &Schema, scope: &mut S) -> Found {
        if self.at == At::Over {
            return Found::Nothing;
        }
        // As they were before this byte: the one that closes the root, or that stops the reading, still counts.
        let (was_closed, was_stopped) = (self.closed, self.stopped);
        let mut found = if byte == 0 { self.text_ends() } else { self.markup(byte, offset, schema, scope) };
        if was_stopped {
            return Found::Nothing;
        }
        // The document is complete: any fault after it is only surplus text.
        if was_closed && found.is_fault() {
            found = Found::TextBehind;
        }
        found
    }

    /// Takes the NUL that ends the text. If the root is still open, `end` reports it.
    const fn text_ends(&mut self) -> Found {
        let cut = self.closed && !matches!(self.at, At::Text);
        self.at = At::Over;
        wrong(cut, Found::TextBehind)
    }

    fn markup<S: Scope>(&mut self, byte: u8, offset: u64, schema: &Schema, scope: &mut S) -> Found {
        match self.at {
            At::Start => return self.start(byte, offset),
            At::Text => return self.text(byte, offset),
            At::Tag => return self.tag(byte),
            At::StartName if ends_name(byte) => return self.start_name(byte, schema, scope),
            // Names inside a child are not kept: they would replace the name of the child.
            At::StartName if self.depth < CHILD && !self.stopped => self.name.push(byte),
            At::Attributes => return self.attributes(byte, scope),
            At::Quoted if byte == self.quote => {
                if self.depth == ROOT {
                    scope.declare(&self.name, &self.root);
                }
                self.at = At::Attributes;
            }
            At::Quoted if byte == b'<' => {
                if !self.quoted_end {
                    return Found::BadTag;
                }
                // The closing quote is missing: the tag ended at the `>` inside the value.
                self.begin_tag(offset);
                return if self.depth == ROOT { Found::AttributeUnclosed } else { Found::BadTag };
            }
            At::Quoted => {
                scope.value(byte);
                self.quoted_end |= byte == b'>';
            }
            At::EndName if !ends_name(byte) => {
                if self.stopped {
                    return Found::Nothing;
                }
                // Only the end of the name shows whether it is the one that is open, or merely begins like it: see
                // `closes`.
                let is = |byte| self.open_name().has(self.matched, byte);
                let in_other_case = is(byte.to_ascii_lowercase()) || is(byte.to_ascii_uppercase());
                let here = match (is(byte), in_other_case) {
                    (true, _) => Difference::None,
                    (_, true) => Difference::Case,
                    _ => Difference::Letters,
                };
                self.differs = if here as u8 > self.differs as u8 { here } else { self.differs };
                self.matched = self.matched.saturating_add(1);
            }
            At::EmptyTag | At::EndName | At::EndTag => return self.end_tag(byte),
            At::Instruction => return self.instruction::<S>(byte),
            At::Bang => return self.bang(byte),
            At::Comment => self.until(byte, b'-', 2),
            At::Cdata => self.cdata(byte),
            At::Entity => return self.entity(byte),
            At::StartName | At::Plain | At::Over => {}
        }
        Found::Nothing
    }

    /// Reads no further elements, but still finds the tokens of the text.
    pub(super) const fn stop(&mut self, found: Found) -> Found {
        self.stopped = true;
        found
    }

    /// The same, after markup that no other can follow.
    const fn end_at(&mut self, found: Found) -> Found {
        self.at = At::Over;
        self.stop(found)
    }

    /// Ends a document that exceeds a limit, unless its text is over: what follows a NUL has no length.
    pub(crate) const fn refuse(&mut self) -> Found {
        if self.stopped || matches!(self.at, At::Over) { Found::Nothing } else { self.end_at(Found::Beyond) }
    }

    /// Takes a byte before the first tag.
    fn start(&mut self, byte: u8, offset: u64) -> Found {
        // A byte order mark after white space is none.
        let mark = if self.late { BYTE_ORDER_MARK.len() } else { usize::from(self.matched) };
        if BYTE_ORDER_MARK.get(mark) == Some(&byte) {
            self.matched = self.matched.saturating_add(1);
            return Found::Nothing;
        }
        let cut_mark = wrong((1..BYTE_ORDER_MARK.len()).contains(&mark), Found::NotXml);
        if byte == b'<' {
            self.begun = true;
            self.tag_at = offset;
            self.at = At::Tag;
        } else if byte.is_ascii_whitespace() {
            self.late = true;
        } else {
            self.begun = true;
            if !BYTE_ORDER_MARK.contains(&byte) {
                self.at = At::Plain;
            }
            return self.stop(Found::NotXml);
        }
        cut_mark
    }

    fn text(&mut self, byte: u8, offset: u64) -> Found {
        if byte == b'<' {
            self.begin_tag(offset);
        } else if self.stopped {
            // Nothing is kept.
        } else if self.depth == CHILD {
            if byte == b'&' {
                self.reference = Reference::EMPTY;
                self.at = At::Entity;
            } else {
                self.content.push(byte);
            }
        } else if self.depth < CHILD && !byte.is_ascii_whitespace() {
            return self.stop(if self.depth == ROOT { Found::StrayText } else { Found::NotXml });
        }
        Found::Nothing
    }

    const fn begin_tag(&mut self, offset: u64) {
        self.late = true;
        if self.depth < CHILD {
            self.tag_at = offset;
        }
        self.at = At::Tag;
    }

    fn tag(&mut self, byte: u8) -> Found {
        // The bytes of an end tag that match, or of the markup after `<!` and `<?`, are counted from here on.
        self.matched = 0;
        self.differs = Difference::None;
        // The name of a child is needed until its end tag.
        if self.depth < CHILD && !self.stopped {
            self.name = Name::EMPTY;
        }
        self.at = match byte {
            b'?' => At::Instruction,
            b'!' => At::Bang,
            b'/' if self.depth > 0 => At::EndName,
            b'/' => return self.end_at(Found::StrayEndTag),
            _ if begins_name(byte) && !(self.closed && self.depth == 0) => {
                if self.depth < CHILD && !self.stopped {
                    self.name.push(byte);
                }
                At::StartName
            }
            _ => return self.end_at(Found::BadTag),
        };
        Found::Nothing
    }

    /// The name of a start tag ends with `byte`.
    fn start_name<S: Scope>(&mut self, byte: u8, schema: &Schema, scope: &mut S) -> Found {
        let mut found = wrong(matches!(byte, b'<' | b'=' | b'"' | b'\''), Found::BadTag);
        // Also for an empty element, which `/>` closes at once.
        self.depth = self.depth.saturating_add(1);
        match self.depth {
            ROOT => {
                self.root = self.name;
                let (prefix, local) = self.name.parts();
                let fits = local == schema.root.as_bytes() && (prefix.is_empty() || schema.namespaced);
                found = or(found, wrong(!fits, Found::WrongRoot));
            }
            CHILD => {
                self.content.clear();
                self.nested = false;
            }
            _ => self.nested = true,
        }
        self.quoted_end = false;
        self.at = At::Attributes;
        or(found, self.attributes(byte, scope))
    }

    fn attributes<S: Scope>(&mut self, byte: u8, scope: &mut S) -> Found {
        let is_root = self.depth == ROOT;
        if is_root {
            scope.attribute(byte, &mut self.name);
        }
        match byte {
            b'>' => {
                self.at = At::Text;
                if is_root {
                    return scope.check_root(&self.root);
                }
            }
            b'/' => self.at = At::EmptyTag,
            b'"' | b'\'' => {
                self.quote = byte;
                self.at = At::Quoted;
            }
            b'<' => return self.end_at(Found::BadTag),
            _ => {}
        }
        Found::Nothing
    }

    /// The name of the open root or child.
    const fn open_name(&self) -> &Name {
        if self.depth == ROOT { &self.root } else { &self.name }
    }

    /// True if the end tag closes the open element. Below the children of the root, end tags are only counted. The end
    /// tag of the root may have other capital letters: GLU closes `<scidacFile>` by `</ScidacFile>`.
    const fn closes(&self) -> bool {
        let is_same = match self.differs {
            Difference::None => true,
            Difference::Case => self.depth == ROOT,
            Difference::Letters => false,
        };
        self.depth > CHILD || (is_same && self.matched == self.open_name().length())
    }

    /// Takes a byte of an end tag after its name, or the byte after the `/` of `<a/>`.
    const fn end_tag(&mut self, byte: u8) -> Found {
        // Before the element is closed: its name is compared at its own depth.
        let is_stray = matches!(self.at, At::EndName) && !self.closes();
        let found = match (byte, self.at) {
            (b'>', _) => self.close_element(),
            (_, At::EndName | At::EndTag) if byte.is_ascii_whitespace() => {
                self.at = At::EndTag;
                Found::Nothing
            }
            // The name is followed by a byte other than `>` or white space: the document can no longer be closed.
            (_, At::EndName) => self.end_at(Found::Nothing),
            _ => self.end_at(Found::BadTag),
        };
        if is_stray { self.stop(Found::StrayEndTag) } else { found }
    }

    const fn close_element(&mut self) -> Found {
        let is_child = self.depth == CHILD;
        let in_other_case = self.depth == ROOT && matches!(self.differs, Difference::Case);
        self.depth = self.depth.saturating_sub(1);
        self.closed |= self.depth == 0;
        self.at = At::Text;
        if in_other_case { Found::EndTagCase } else { wrong(is_child, Found::Element) }
    }

    /// Skips an instruction. The XML declaration has the same syntax; it must come first (XML 1.0, section 2.8).
    fn instruction<S: Scope>(&mut self, byte: u8) -> Found {
        let mut found = Found::Nothing;
        if S::JUDGES && self.depth == 0 && self.late {
            let is_declaration = byte.is_ascii_whitespace() && self.name.kept_bytes() == b"xml";
            found = wrong(is_declaration && !self.closed, Found::SpaceBeforeDeclaration);
            self.name.push(byte);
        }
        self.until(byte, b'?', 1);
        found
    }

    /// Returns to the text after a `>` that follows at least `count` bytes `mark`.
    const fn until(&mut self, byte: u8, mark: u8, count: u8) {
        if byte == mark {
            // A longer run of marks ends it as well, as in `--->`.
            if self.matched < count {
                self.matched = self.matched.saturating_add(1);
            }
        } else {
            if byte == b'>' && self.matched == count {
                self.at = At::Text;
            }
            self.matched = 0;
        }
    }

    fn bang(&mut self, byte: u8) -> Found {
        let comment = self.matched == 1 && self.quote == b'-';
        let fits = match self.matched {
            0 => byte == b'-' || (byte == b'[' && self.depth > 0),
            _ if comment => byte == b'-',
            n => CDATA.get(usize::from(n)) == Some(&byte),
        };
        if !fits {
            let doctype = self.matched == 0 && self.depth == 0 && byte == b'D';
            return self.end_at(if doctype { Found::Doctype } else { Found::BadTag });
        }
        // It decides what the bytes after it must be, and is not read again.
        if self.matched == 0 {
            self.quote = byte;
        }
        self.matched = self.matched.saturating_add(1);
        if comment {
            self.matched = 0;
            self.at = At::Comment;
        } else if usize::from(self.matched) == CDATA.len() {
            self.matched = 0;
            self.at = At::Cdata;
        }
        // A document has no text outside of its elements.
        if byte == b'[' && self.depth == ROOT { self.stop(Found::BadTag) } else { Found::Nothing }
    }

    /// Takes text up to `]]>` literally.
    fn cdata(&mut self, byte: u8) {
        let before = self.matched;
        self.until(byte, b']', 2);
        // The `>` at its end is not text, and only the text of a child is kept.
        if self.at != At::Cdata || self.depth != CHILD {
            return;
        }
        // Brackets that turn out not to end the section belong to the text: of `]]]`, the last two can still end it.
        let brackets = before.saturating_add(u8::from(byte == b']')).saturating_sub(self.matched);
        for _ in 0..brackets {
            self.content.push(b']');
        }
        if byte != b']' {
            self.content.push(byte);
        }
    }

    fn entity(&mut self, byte: u8) -> Found {
        if byte == b';' {
            self.at = At::Text;
            let Some(c) = self.reference.character() else { return self.stop(Found::BadEntity) };
            for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                self.content.push(byte);
            }
        } else if !self.reference.push(byte) {
            return self.stop(Found::BadEntity);
        }
        Found::Nothing
    }

    /// Fault if the text ends here; [`Found::Nothing`] if it may.
    pub(crate) const fn end(&self) -> Found {
        match (self.begun, self.closed) {
            // An error that has been reported makes the end no worse.
            (_, true) if self.stopped || matches!(self.at, At::Text | At::Over) => Found::Nothing,
            (_, true) => Found::TextBehind,
            (false, _) => Found::Empty,
            (true, false) => Found::Unclosed,
        }
    }
}

pub(super) const fn begins_name(byte: u8) -> bool {
    byte.is_ascii_alphabetic() || matches!(byte, b'_' | b':' | 0x80..)
}

pub(super) const fn ends_name(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b'>' | b'/' | b'<' | b'=' | b'"' | b'\'')
}
