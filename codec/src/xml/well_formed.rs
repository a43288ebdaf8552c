//! Checks that a text is well-formed XML, byte by byte in bounded memory. It looks at the tokens of the
//! [parser](super::Parser) that reads the text, and finds faults that the parser skips because reading does not depend
//! on them, also in texts without a schema.
//!
//! Names of nested elements are compared down to a depth of [`NAMES`]. Not checked are names of entities, repeated
//! attributes, and everything after a document type declaration.
//!
//! | invariant | |
//! |---|---|
//! | `at`, `matched` | the [place](Parser::place) of the parser before the byte that [`push`](WellFormed::push) takes; the parser has taken this byte |
//! | `fault` | the first one; it stays, and so does `offset`. The only exception is the end of the text |
//! | `names` | entry `n` is the digest of the open element at depth `n + 1`, if that is open |
//! | `is_reference` | only in the text of an element |

use super::declaration::{Declaration, Declared, Utf8, Word};
use super::error::ErrorKind;
use super::parser::{At, Parser, begins_name, ends_name};
use crate::state::saved;

/// Number of nested elements whose end tags are compared by name.
const NAMES: usize = 8;

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
    /// Inside the quotes of a value of the declaration.
    Value,
    /// After the `?` that ends the declaration.
    End,
}

saved!(enum Attribute: Before, Space, Name, Named, Equals, Value, End);

/// The kind of the instruction that is being read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Instruction {
    /// Its target is not complete.
    Unknown,
    Declaration,
    Other,
}

saved!(enum Instruction: Unknown, Declaration, Other);

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
    /// Number of bytes matched at this place.
    matched: u8,
    attribute: Attribute,
    instruction: Instruction,
    fault: Fault,
    /// Absolute offset of the fault if there is one, otherwise of the next byte.
    offset: u64,
    /// Digests of the names of the elements that are open.
    names: [u16; NAMES],
    name: u16,
    /// Number of bytes `]` before the next byte of text, up to 2.
    brackets: u8,
    /// After `&`, up to `;`.
    is_reference: bool,
    /// The quote that opened a value of the declaration.
    quote: u8,
    utf8: Utf8,
    declaration: Declaration,
    /// The root element is complete.
    closed: bool,
}

saved!(struct WellFormed { at, matched, attribute, instruction, fault, offset, names, name, brackets, is_reference, quote, utf8, declaration, closed });

impl WellFormed {
    /// A check of a text whose first byte has this offset.
    pub(crate) const fn at(offset: u64) -> Self {
        Self {
            at: At::Start,
            matched: 0,
            attribute: Attribute::Before,
            instruction: Instruction::Unknown,
            fault: Fault::None,
            offset,
            names: [0; NAMES],
            name: 0,
            brackets: 0,
            is_reference: false,
            quote: 0,
            utf8: Utf8::START,
            declaration: Declaration::NONE,
            closed: false,
        }
    }

    /// True if more bytes can change the result.
    pub(crate) fn wants_more(&self) -> bool {
        self.at != At::Over && self.fault == Fault::None
    }

    /// The fault of a text that ends here, and its absolute offset.
    pub(crate) fn fault(&self) -> Option<(u64, ErrorKind)> {
        Some((self.offset, self.fault_at(self.at).kind()?))
    }

    /// The fault of a text that ends at this place.
    fn fault_at(&self, at: At) -> Fault {
        match (self.fault, at) {
            (Fault::None, At::Over | At::Start) => Fault::None,
            (Fault::None, _) if self.utf8.is_open() && !self.declaration.is_of_other_encoding => {
                Fault::NotUtf8
            }
            (Fault::None, At::Plain) => Fault::None,
            (Fault::None, At::Text) if self.closed => Fault::None,
            (Fault::None, _) => Fault::Unclosed,
            (fault, _) => fault,
        }
    }

    /// The fault, unless the parser finds it as well.
    pub(crate) fn own_fault(&self) -> Option<(u64, ErrorKind)> {
        self.fault().filter(|_| self.fault >= Fault::AttributeSyntax)
    }

    /// Takes the next byte, which `parser` has taken.
    pub(crate) fn push(&mut self, parser: &Parser, byte: u8) {
        let (was, matched) = (self.at, self.matched);
        if was == At::Over || self.fault != Fault::None {
            return;
        }
        // The meaning of a byte depends on the place before it; the place after it is kept for the next byte.
        (self.at, self.matched) = parser.place();
        let fault = if byte == 0 {
            // The text ends here: QIO writes a NUL after each text.
            self.fault_at(was)
        } else if (!byte.is_ascii() || self.utf8.is_open())
            && !self.utf8.push(byte)
            && !self.declaration.is_of_other_encoding
        {
            Fault::NotUtf8
        } else {
            self.markup(parser, was, matched, byte)
        };
        if fault == Fault::None {
            // Offsets of files are checked by the decoder of the container.
            self.offset = self.offset.saturating_add(1);
        } else {
            self.fault = fault;
        }
    }

    fn markup(&mut self, parser: &Parser, was: At, matched: u8, byte: u8) -> Fault {
        match was {
            At::Start | At::Plain | At::Cdata | At::Over => Fault::None,
            At::Text | At::Entity => self.text(parser, byte),
            At::Tag => self.tag(byte),
            At::StartName | At::EndName if !ends_name(byte) => {
                self.name = digest(self.name, byte);
                Fault::None
            }
            At::StartName => {
                // The parser has entered the element, so that its depth is at least 1. Deeper names are not compared.
                if let Some(name) = self.names.get_mut(parser.depth().saturating_sub(1) as usize) {
                    *name = self.name;
                }
                self.attribute = Attribute::Before;
                self.attributes(byte, false)
            }
            At::EndName | At::EndTag if byte == b'>' => {
                // The parser has left the element.
                self.closed = parser.is_closed();
                let open = self.names.get(parser.depth() as usize);
                wrong(open.is_some_and(|open| *open != self.name), Fault::StrayEndTag)
            }
            At::EndName | At::EndTag => wrong(!byte.is_ascii_whitespace(), Fault::BadTag),
            At::EmptyTag => {
                self.closed = parser.is_closed();
                wrong(byte != b'>', Fault::BadTag)
            }
            At::Attributes => self.attributes(byte, false),
            At::Quoted => {
                self.attribute = Attribute::Before;
                wrong(byte == b'<', Fault::AttributeUnclosed)
            }
            At::Instruction => self.instruction(parser, byte),
            // A document type declaration can define entities and attributes: the rest cannot be checked.
            At::Bang => wrong(
                self.at == At::Over && (matched > 0 || byte != b'D' || parser.depth() > 0),
                Fault::BadTag,
            ),
            // "For compatibility, the string "--" must not occur within comments" (section 2.5).
            At::Comment => wrong(matched == 2 && byte != b'>', Fault::CommentHyphens),
        }
    }

    fn text(&mut self, parser: &Parser, byte: u8) -> Fault {
        if self.is_reference {
            self.is_reference = byte != b';';
            let is_of_name = byte.is_ascii_alphanumeric()
                || matches!(byte, b';' | b'#' | b'_' | b'-' | b'.' | b':' | 0x80..);
            return wrong(!is_of_name, Fault::BadEntity);
        }
        let ends_cdata = byte == b'>' && self.brackets == 2;
        // Only `]]>` is forbidden; a third bracket changes nothing.
        self.brackets = if byte == b']' { self.brackets.saturating_add(1).min(2) } else { 0 };
        match byte {
            b'<' => Fault::None,
            _ if byte.is_ascii_whitespace() => Fault::None,
            _ if self.closed => Fault::TextBehind,
            // Text before the root.
            _ if parser.depth() == 0 => Fault::BadTag,
            b'&' => {
                self.is_reference = true;
                Fault::None
            }
            _ => wrong(ends_cdata, Fault::CdataEnd),
        }
    }

    fn tag(&mut self, byte: u8) -> Fault {
        self.name = 0;
        match self.at {
            At::StartName => self.name = digest(0, byte),
            At::Instruction => {
                self.instruction = Instruction::Unknown;
                self.declaration.word = Word::EMPTY;
            }
            At::Over if byte == b'/' => return Fault::StrayEndTag,
            // Another root.
            At::Over if begins_name(byte) => return Fault::TextBehind,
            At::Over => return Fault::BadTag,
            _ => {}
        }
        Fault::None
    }

    /// Takes a byte of an instruction.
    fn instruction(&mut self, parser: &Parser, byte: u8) -> Fault {
        match self.instruction {
            Instruction::Other => return Fault::None,
            Instruction::Declaration if self.attribute == Attribute::Value => {}
            Instruction::Declaration => return self.attributes(byte, true),
            Instruction::Unknown if !byte.is_ascii_whitespace() && byte != b'?' => {
                self.declaration.word.push(byte);
                return Fault::None;
            }
            Instruction::Unknown if !self.declaration.word.is(b"xml") => {
                self.instruction = Instruction::Other;
                return Fault::None;
            }
            Instruction::Unknown if parser.is_late() => return Fault::SpaceBeforeDeclaration,
            Instruction::Unknown => {
                (self.instruction, self.attribute) = (Instruction::Declaration, Attribute::Before);
                return self.attributes(byte, true);
            }
        }
        if byte != self.quote {
            self.declaration.word.push(byte);
            // The parser has seen `?>`, which no value contains.
            let cut = wrong(self.at != At::Instruction, Fault::Declaration);
            return if byte == b'<' { Fault::AttributeUnclosed } else { cut };
        }
        self.attribute = Attribute::Before;
        match self.declaration.value_ends() {
            Declared::Fine => Fault::None,
            Declared::Version => Fault::DeclaredVersion,
            Declared::Encoding => Fault::DeclaredEncoding,
        }
    }

    /// Takes a byte outside quotes in a start tag or in the declaration.
    fn attributes(&mut self, byte: u8, declares: bool) -> Fault {
        let is_between = matches!(self.attribute, Attribute::Before | Attribute::Space);
        let syntax = if declares { Fault::Declaration } else { Fault::AttributeSyntax };
        match (byte, self.attribute) {
            // A declaration must have a version.
            (b'>', Attribute::End) => return wrong(!self.declaration.has_version(), Fault::Declaration),
            (_, Attribute::End) => return Fault::Declaration,
            (b'>' | b'/', _) if is_between && !declares => {}
            (b'?', _) if is_between && declares => self.attribute = Attribute::End,
            (b'<', _) => return Fault::BadTag,
            (b'"' | b'\'', Attribute::Equals) if declares => {
                (self.quote, self.attribute) = (byte, Attribute::Value);
                return wrong(!self.declaration.name_ends(), Fault::Declaration);
            }
            (b'"' | b'\'', Attribute::Equals) => {}
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
}

const fn wrong(is_wrong: bool, fault: Fault) -> Fault {
    if is_wrong { fault } else { Fault::None }
}

/// Adds a byte to the digest of a name. Names can have any length, so only digests are kept. Two names with the same
/// digest hide a wrong end tag, but never cause a false report.
const fn digest(name: u16, byte: u8) -> u16 {
    (name ^ byte as u16).wrapping_mul(0x6255).rotate_left(5).wrapping_add(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::xml::Outline;

    fn fault(text: &[u8]) -> Option<(u64, ErrorKind)> {
        let (mut outline, mut read) = (Outline::at(0), WellFormed::at(0));
        for byte in text {
            outline.push(*byte);
            read.push(outline.parser(), *byte);
        }
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
        let cases: [(&[u8], u64, K); 33] = [
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
            (b"<?xml version='1.0?><x a='b'/>", 19, K::Declaration),
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
