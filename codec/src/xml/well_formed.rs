//! Checks that a text is well-formed XML, byte by byte in bounded memory. It finds faults that the
//! [parser](super::Parser) skips because reading does not depend on them, and checks texts without a schema.
//!
//! Names of nested elements are compared down to a depth of [`NAMES`]. Not checked are names of entities, repeated
//! attributes, and everything after a document type declaration.

use super::declaration::{Declaration, Declared, Utf8, Word};
use super::error::ErrorKind;
use crate::state::saved;

/// Number of nested elements whose end tags are compared by name.
const NAMES: usize = 8;

/// The place in the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum At {
    /// Before the first byte that is neither white space nor part of a byte order mark.
    Start,
    /// The text does not begin with `<`: it is not XML.
    Plain,
    Text,
    /// After `<`.
    Tag,
    StartName,
    EndName,
    /// Between the name of an end tag and its `>`.
    EndTag,
    /// After the `/` of `<a/>`.
    EmptyTag,
    /// Inside a start tag or the declaration, outside of quotes.
    Attributes,
    Quoted,
    /// After `<?`.
    Target,
    Instruction,
    /// After the `?` that ends the declaration.
    DeclarationEnd,
    /// After `<!`.
    Bang,
    Comment,
    Cdata,
    Reference,
    /// After a fault, the end of the text, or a document type declaration: the rest is ignored.
    Over,
}

saved!(enum At: Start, Plain, Text, Tag, StartName, EndName, EndTag, EmptyTag, Attributes, Quoted, Target, Instruction, DeclarationEnd, Bang, Comment, Cdata, Reference, Over);

/// The place in an attribute.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Attribute {
    /// After a name or a value: white space must precede the next attribute.
    Before,
    /// After white space.
    Space,
    Name,
    /// Between name and `=`.
    Named,
    /// After `=`.
    Equals,
}

saved!(enum Attribute: Before, Space, Name, Named, Equals);

/// Fault of a text. The parser finds the first seven as well, in the documents that it reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd)]
enum Fault {
    None,
    Unclosed,
    StrayEndTag,
    BadTag,
    BadEntity,
    AttributeUnclosed,
    TextBehind,
    SpaceBeforeDeclaration,
    // Only found here, not by the parser.
    AttributeSyntax,
    CdataEnd,
    CommentHyphens,
    Declaration,
    DeclaredVersion,
    DeclaredEncoding,
    NotUtf8,
}

saved!(enum Fault: None, Unclosed, StrayEndTag, BadTag, BadEntity, AttributeUnclosed, TextBehind, SpaceBeforeDeclaration, AttributeSyntax, CdataEnd, CommentHyphens, Declaration, DeclaredVersion, DeclaredEncoding, NotUtf8);

impl Fault {
    const fn kind(self) -> Option<ErrorKind> {
        Some(match self {
            Self::None => return None,
            Self::Unclosed => ErrorKind::Unclosed,
            Self::StrayEndTag => ErrorKind::StrayEndTag,
            Self::BadTag => ErrorKind::BadTag,
            Self::BadEntity => ErrorKind::BadEntity,
            Self::AttributeUnclosed => ErrorKind::AttributeUnclosed,
            Self::TextBehind => ErrorKind::TextBehind,
            Self::SpaceBeforeDeclaration => ErrorKind::SpaceBeforeDeclaration,
            Self::AttributeSyntax => ErrorKind::AttributeSyntax,
            Self::CdataEnd => ErrorKind::CdataEnd,
            Self::CommentHyphens => ErrorKind::CommentHyphens,
            Self::Declaration => ErrorKind::Declaration,
            Self::DeclaredVersion => ErrorKind::DeclaredVersion,
            Self::DeclaredEncoding => ErrorKind::DeclaredEncoding,
            Self::NotUtf8 => ErrorKind::NotUtf8,
        })
    }
}

/// See the [module](self).
#[derive(Debug, Clone)]
pub(crate) struct WellFormed {
    at: At,
    attribute: Attribute,
    fault: Fault,
    /// Absolute offset of the fault if there is one, otherwise of the next byte.
    offset: u64,
    depth: u32,
    /// Digests of the names of the elements that are open.
    names: [u16; NAMES],
    name: u16,
    /// Number of bytes matched of `--`, `?>`, `[CDATA[` or `]]`.
    matched: u8,
    quote: u8,
    utf8: Utf8,
    declaration: Declaration,
    /// The tag is the first thing in the text.
    first: bool,
    /// The tag is the declaration.
    declares: bool,
    /// The root element is complete.
    closed: bool,
}

saved!(struct WellFormed { at, attribute, fault, offset, depth, names, name, matched, quote, utf8, declaration, first, declares, closed });

impl WellFormed {
    /// A check of a text whose first byte has this offset.
    pub(crate) const fn at(offset: u64) -> Self {
        Self {
            at: At::Start,
            attribute: Attribute::Before,
            fault: Fault::None,
            offset,
            depth: 0,
            names: [0; NAMES],
            name: 0,
            matched: 0,
            quote: 0,
            utf8: Utf8::START,
            declaration: Declaration::NONE,
            first: true,
            declares: false,
            closed: false,
        }
    }

    /// True if more bytes can change the result.
    pub(crate) const fn wants_more(&self) -> bool {
        !matches!(self.at, At::Over)
    }

    /// The fault of a text that ends here, and its absolute offset.
    pub(crate) fn fault(&self) -> Option<(u64, ErrorKind)> {
        let fault = match (self.fault, self.at) {
            (Fault::None, At::Over | At::Start) => Fault::None,
            (Fault::None, _) if self.utf8.is_open() && !self.declaration.is_of_other_encoding => {
                Fault::NotUtf8
            }
            (Fault::None, At::Plain) => Fault::None,
            (Fault::None, At::Text) if self.closed => Fault::None,
            (Fault::None, _) => Fault::Unclosed,
            (fault, _) => fault,
        };
        Some((self.offset, fault.kind()?))
    }

    /// The fault, unless the parser finds it as well.
    pub(crate) fn own_fault(&self) -> Option<(u64, ErrorKind)> {
        self.fault().filter(|_| self.fault >= Fault::AttributeSyntax)
    }

    /// Takes the next byte.
    pub(crate) fn push(&mut self, byte: u8) {
        if self.at == At::Over {
            return;
        }
        if byte == 0 {
            // The text ends here: QIO writes a NUL after each text.
            let end = self.fault();
            self.at = At::Over;
            if end.is_some() {
                self.fault = if self.utf8.is_open() { Fault::NotUtf8 } else { Fault::Unclosed };
            }
            return;
        }
        let is_utf8 = self.utf8.push(byte) || self.declaration.is_of_other_encoding;
        let fault = if is_utf8 { self.markup(byte) } else { Fault::NotUtf8 };
        if fault == Fault::None {
            // Offsets of files are checked by the decoder of the container.
            self.offset = self.offset.saturating_add(1);
        } else {
            (self.fault, self.at) = (fault, At::Over);
        }
    }

    fn markup(&mut self, byte: u8) -> Fault {
        match self.at {
            // The bytes of a byte order mark.
            At::Start if matches!(byte, 0xef | 0xbb | 0xbf) => {}
            At::Start if byte == b'<' => self.at = At::Tag,
            At::Start if byte.is_ascii_whitespace() => self.first = false,
            At::Start => self.at = At::Plain,
            At::Plain | At::Over => {}
            At::Text => return self.text(byte),
            At::Tag => return self.tag(byte),
            At::StartName if !ends_name(byte) => self.name = digest(self.name, byte),
            At::StartName => {
                self.open();
                self.attribute = Attribute::Before;
                self.at = At::Attributes;
                return self.attributes(byte);
            }
            At::EndName if !ends_name(byte) => self.name = digest(self.name, byte),
            At::EndName | At::EndTag if byte == b'>' => return self.close(self.name),
            At::EndName | At::EndTag if byte.is_ascii_whitespace() => self.at = At::EndTag,
            At::EmptyTag if byte == b'>' => return self.close(self.open_name()),
            At::EndName | At::EndTag | At::EmptyTag => return Fault::BadTag,
            At::Attributes => return self.attributes(byte),
            At::Quoted => return self.quoted(byte),
            At::Target => return self.target(byte),
            At::Instruction => self.until(byte, b'?', 1),
            At::DeclarationEnd if byte == b'>' => {
                self.at = At::Text;
                (self.declares, self.first) = (false, false);
                // A declaration must have a version.
                return wrong(!self.declaration.has_version(), Fault::Declaration);
            }
            At::DeclarationEnd => return Fault::Declaration,
            At::Bang => return self.bang(byte),
            At::Comment => {
                // "For compatibility, the string "--" must not occur within comments" (section 2.5).
                let is_over = self.matched == 2;
                self.until(byte, b'-', 2);
                return wrong(is_over && byte != b'>', Fault::CommentHyphens);
            }
            At::Cdata => self.until(byte, b']', 2),
            At::Reference if byte == b';' => self.at = At::Text,
            At::Reference => {
                let is_of_name =
                    byte.is_ascii_alphanumeric() || matches!(byte, b'#' | b'_' | b'-' | b'.' | b':' | 0x80..);
                return wrong(!is_of_name, Fault::BadEntity);
            }
        }
        Fault::None
    }

    /// Returns to the text after `>` that follows at least `count` bytes `mark`.
    const fn until(&mut self, byte: u8, mark: u8, count: u8) {
        if byte == mark {
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

    fn text(&mut self, byte: u8) -> Fault {
        let brackets = if byte == b']' { self.matched.saturating_add(1).min(2) } else { 0 };
        let ends_cdata = byte == b'>' && self.matched == 2;
        self.matched = brackets;
        match byte {
            b'<' => self.at = At::Tag,
            _ if byte.is_ascii_whitespace() => {}
            _ if self.closed => return Fault::TextBehind,
            // Text before the root.
            _ if self.depth == 0 => return Fault::BadTag,
            b'&' => self.at = At::Reference,
            _ => return wrong(ends_cdata, Fault::CdataEnd),
        }
        Fault::None
    }

    fn tag(&mut self, byte: u8) -> Fault {
        (self.matched, self.name) = (0, 0);
        self.at = match byte {
            b'?' => {
                self.declaration.word = Word::EMPTY;
                At::Target
            }
            b'!' => At::Bang,
            b'/' if self.depth > 0 => At::EndName,
            b'/' => return Fault::StrayEndTag,
            b'A'..=b'Z' | b'a'..=b'z' | b'_' | b':' | 0x80.. => {
                if self.closed {
                    return Fault::TextBehind;
                }
                self.first = false;
                self.name = digest(0, byte);
                At::StartName
            }
            _ => return Fault::BadTag,
        };
        Fault::None
    }

    /// Digest of the name of the innermost element; 0 below the depth of [`NAMES`].
    fn open_name(&self) -> u16 {
        let index = self.depth.saturating_sub(1) as usize;
        self.names.get(index).copied().unwrap_or(0)
    }

    fn open(&mut self) {
        if let Some(name) = self.names.get_mut(self.depth as usize) {
            *name = self.name;
        }
        self.depth = self.depth.saturating_add(1);
    }

    fn close(&mut self, name: u16) -> Fault {
        let differs = self.depth as usize <= NAMES && name != self.open_name();
        self.depth = self.depth.saturating_sub(1);
        self.closed |= self.depth == 0;
        self.at = At::Text;
        wrong(differs, Fault::StrayEndTag)
    }

    /// Takes a byte outside quotes in a start tag or in the declaration.
    fn attributes(&mut self, byte: u8) -> Fault {
        let is_between = matches!(self.attribute, Attribute::Before | Attribute::Space);
        let syntax = if self.declares { Fault::Declaration } else { Fault::AttributeSyntax };
        match (byte, self.attribute) {
            (b'>', _) if is_between && !self.declares => self.at = At::Text,
            (b'/', _) if is_between && !self.declares => self.at = At::EmptyTag,
            (b'?', _) if is_between && self.declares => self.at = At::DeclarationEnd,
            (b'<', _) => return Fault::BadTag,
            (b'"' | b'\'', Attribute::Equals) => {
                (self.quote, self.at) = (byte, At::Quoted);
                return wrong(self.declares && !self.declaration.name_ends(), Fault::Declaration);
            }
            (b'=', Attribute::Name | Attribute::Named) => self.attribute = Attribute::Equals,
            (_, Attribute::Before) if byte.is_ascii_whitespace() => self.attribute = Attribute::Space,
            (_, Attribute::Name) if byte.is_ascii_whitespace() => self.attribute = Attribute::Named,
            (_, Attribute::Space | Attribute::Named | Attribute::Equals) if byte.is_ascii_whitespace() => {}
            (b'=' | b'"' | b'\'' | b'>' | b'/' | b'?', _) => return syntax,
            (_, Attribute::Space) => {
                self.attribute = Attribute::Name;
                self.declaration.word = Word::EMPTY;
                self.declaration.word.push(byte);
            }
            (_, Attribute::Name) => self.declaration.word.push(byte),
            _ => return syntax,
        }
        Fault::None
    }

    fn quoted(&mut self, byte: u8) -> Fault {
        if byte == self.quote {
            self.attribute = Attribute::Before;
            self.at = At::Attributes;
            let declared = if self.declares { self.declaration.value_ends() } else { Declared::Fine };
            return match declared {
                Declared::Fine => Fault::None,
                Declared::Version => Fault::DeclaredVersion,
                Declared::Encoding => Fault::DeclaredEncoding,
            };
        }
        self.declaration.word.push(byte);
        wrong(byte == b'<', Fault::AttributeUnclosed)
    }

    /// Takes a byte of the target of an instruction.
    fn target(&mut self, byte: u8) -> Fault {
        if !byte.is_ascii_whitespace() && byte != b'?' {
            self.declaration.word.push(byte);
            return Fault::None;
        }
        if !self.declaration.word.is(b"xml") {
            self.first = false;
            self.at = At::Instruction;
            self.matched = u8::from(byte == b'?');
            return Fault::None;
        }
        if !self.first || self.closed || self.depth > 0 {
            return Fault::SpaceBeforeDeclaration;
        }
        (self.declares, self.attribute, self.at) = (true, Attribute::Before, At::Attributes);
        self.attributes(byte)
    }

    fn bang(&mut self, byte: u8) -> Fault {
        const CDATA: &[u8; 7] = b"[CDATA[";
        self.first = false;
        match (self.matched, byte) {
            (0, b'-') => (self.quote, self.matched) = (byte, 1),
            (0, b'[') if self.depth > 0 => (self.quote, self.matched) = (byte, 1),
            // A document type declaration can define entities and attributes: the rest cannot be checked.
            (0, b'D') if self.depth == 0 => self.at = At::Over,
            (1, b'-') if self.quote == b'-' => (self.matched, self.at) = (0, At::Comment),
            (1.., _) if self.quote == b'[' && CDATA.get(usize::from(self.matched)) == Some(&byte) => {
                self.matched = self.matched.saturating_add(1);
                if usize::from(self.matched) == CDATA.len() {
                    (self.matched, self.at) = (0, At::Cdata);
                }
            }
            _ => return Fault::BadTag,
        }
        Fault::None
    }
}

const fn wrong(is_wrong: bool, fault: Fault) -> Fault {
    if is_wrong { fault } else { Fault::None }
}

/// Adds a byte to the digest of a name. Names can have any length, so only digests are kept. Two names with the same
/// digest hide a wrong end tag, but never cause a false report.
const fn digest(name: u16, byte: u8) -> u16 {
    (name ^ byte as u16).wrapping_mul(0x6255).rotate_left(5).wrapping_add(1)
}

const fn ends_name(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b'>' | b'/' | b'<' | b'=' | b'"' | b'\'')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fault(text: &[u8]) -> Option<(u64, ErrorKind)> {
        let mut read = WellFormed::at(0);
        text.iter().for_each(|byte| read.push(*byte));
        read.fault()
    }

    #[test]
    fn well_formed_texts() {
        for good in [
            "",
            " \n",
            "Fat links",
            "<a/>",
            "\u{feff}<?xml version=\"1.0\"?>\n<a b = '1' c=\"<>\"/>".replace("<>", "&lt;>").as_str(),
            "<?xml version='1.1' encoding='UTF-8' standalone=\"no\" ?><a>]] > ]]&gt;\u{e9}</a >\n<!-- - -->",
            "<?xml version=\"1.0\" encoding=\"us-ascii\"?><?pi a ?? ?><a><b><b></b></b><![CDATA[ ]]] ]]></a>",
            "<!DOCTYPE a [<!ENTITY b \"c\">]><a>&b;<",
            "<a:b xmlns:a=\"c\">&#xe9;&amp;</a:b>\0 rest <",
            "<a><b><c><d><e><f><g><h><i><j></x></y></h></g></f></e></d></c></b></a>",
        ] {
            assert_eq!(fault(good.as_bytes()), None, "{good}");
        }
        assert_eq!(fault(b"<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?><a>\xe9</a>"), None);
    }

    #[test]
    fn texts_that_are_not_well_formed() {
        use ErrorKind as K;
        let cases: [(&[u8], u64, K); 32] = [
            (b"<x a=1/>", 5, K::AttributeSyntax),
            (b"<x a/>", 4, K::AttributeSyntax),
            (b"<x a='1'b='2'/>", 8, K::AttributeSyntax),
            (b"<x a==''/>", 5, K::AttributeSyntax),
            (b"<x =''/>", 3, K::AttributeSyntax),
            (b"<x>]]></x>", 5, K::CdataEnd),
            (b"<x>]]]></x>", 6, K::CdataEnd),
            (b"<!-- a -- b --><x/>", 9, K::CommentHyphens),
            (b"<!-- a ---><x/>", 9, K::CommentHyphens),
            (b"<?xml?><x/>", 6, K::Declaration),
            (b"<?xml encoding='UTF-8'?><x/>", 15, K::Declaration),
            (b"<?xml version='1.0' version='1.0'?><x/>", 28, K::Declaration),
            (b"<?xml version=1.0?><x/>", 14, K::Declaration),
            (b"<?xml version='1.0'><x/>", 19, K::Declaration),
            (b"<?xml version='2.0'?><x/>", 18, K::DeclaredVersion),
            (b"<?xml version='1.'?><x/>", 17, K::DeclaredVersion),
            (b"<?xml version='1.0' encoding='UTF-16'?><x/>", 36, K::DeclaredEncoding),
            (b"<?xml version='1.0' encoding='utf-16le'?><x/>", 38, K::DeclaredEncoding),
            (b" <?xml version='1.0'?><x/>", 6, K::SpaceBeforeDeclaration),
            (b"<x>\xff</x>", 3, K::NotUtf8),
            (b"<x>\xc3</x>", 4, K::NotUtf8),
            (b"<x>\xed\xa0\x80</x>", 4, K::NotUtf8),
            (b"\xc0\x80", 0, K::NotUtf8),
            (b"Z\xfcrich", 1, K::NotUtf8),
            (b"<x>", 3, K::Unclosed),
            (b"<x>\0", 3, K::Unclosed),
            (b"<x><y></x></y>", 9, K::StrayEndTag),
            (b"<x></y>", 6, K::StrayEndTag),
            (b"</x>", 1, K::StrayEndTag),
            (b"<x>a & b</x>", 6, K::BadEntity),
            (b"<x a='<'/>", 6, K::AttributeUnclosed),
            (b"<x/> more", 5, K::TextBehind),
        ];
        for (text, at, kind) in cases {
            assert_eq!(fault(text), Some((at, kind)), "{}", std::string::String::from_utf8_lossy(text));
        }
    }
}
