//! The reader that all documents share: which element it is, what its value means, and where that is kept.

use super::element::{Element, Seen};
use super::error::{ErrorKind, NumberFault};
use super::found::Found;
use super::namespace::Scope;
use super::parser::Parser;
use super::problems::Problems;
use super::schema::Schema;
use super::value::{self, MAX_VALUE};
use crate::error::Error;
use crate::lattice::{Coordinates, Precision};

/// Where a document keeps a value, and what it must be.
pub(crate) enum Slot<'d> {
    /// A decimal number from `least` to `most`.
    Number { to: &'d mut u32, least: u8, most: u8 },
    /// A hexadecimal number.
    Hexadecimal(&'d mut u32),
    /// Up to 8 decimal numbers.
    List(&'d mut Coordinates),
    /// A text of as many bytes as there is room.
    Text { to: (&'d mut [u8], &'d mut u8), cut: bool },
    /// A value of a type that this module does not know.
    Other(&'d mut dyn Value),
    /// Bits of a floating point number.
    Precision(&'d mut Precision),
}

impl<'d> Slot<'d> {
    /// Any number of 32 bits.
    pub(crate) const fn number(to: &'d mut u32) -> Self {
        Self::Number { to, least: 0, most: u8::MAX }
    }

    /// A number that is not 0.
    pub(crate) const fn positive(to: &'d mut u32) -> Self {
        Self::Number { to, least: 1, most: u8::MAX }
    }

    /// One of the numbers up to `most`.
    pub(crate) const fn choice(to: &'d mut u32, most: u8) -> Self {
        Self::Number { to, least: 0, most }
    }
}

/// A value that is read by the module of its document.
pub(crate) trait Value {
    /// Becomes the value of this text. [`Found::Value`], and nothing is changed, if it is not valid.
    fn read(&mut self, text: &[u8]) -> Found;
}

/// One of the documents whose elements have a meaning here.
pub(crate) trait Document {
    /// What all documents of this kind have in common.
    fn schema(&self) -> &'static Schema;

    /// Which elements it has.
    fn seen(&mut self) -> &mut Seen;

    /// Where the value of an element goes; `None` if it is none of the schema's.
    fn slot(&mut self, element: Element) -> Option<Slot<'_>>;

    /// What is wrong with the document, now that it is complete.
    fn problems(&self) -> Problems;
}

impl Parser {
    /// Reads the element that is complete into `document`.
    pub(crate) fn deliver<S: Scope>(&mut self, document: &mut dyn Document, scope: &S) -> Found {
        let schema = document.schema();
        let (name, root) = self.names();
        let (prefix, local) = name.parts();
        let local = if schema.namespaced && (prefix.is_empty() || scope.includes(prefix, root)) {
            local
        } else {
            name.kept()
        };
        let element = Element::from_name(local).filter(|element| schema.elements.contains(*element));
        let outside = S::JUDGES && scope.leaves_out(name, root);
        let Some(element) = element else {
            return if S::JUDGES && schema.namespaced { Found::ElementUnknown } else { Found::Nothing };
        };
        self.delivered = element;
        if self.is_nested() {
            return Found::Nested;
        }
        let later = document.seen().any_after(element);
        if !document.seen().insert(element) {
            return Found::Duplicate;
        }
        let length = self.content.length() as usize;
        // An element of the schema without a place would be refused, not put in that of another.
        let Some(slot) = document.slot(element) else { return Found::Value };
        let found = fill(slot, self.content.kept(), schema.namespaced);
        let too_long = if element.may_be_cut() { Found::Cut } else { Found::TooLong };
        if length > MAX_VALUE {
            return too_long;
        }
        match found {
            // Any text is allowed. One so long is of no known version, which is reported in the end.
            Found::TooLong if schema.namespaced => {}
            Found::TooLong => return too_long,
            Found::Nothing => {}
            found => return found,
        }
        // The schema has a sequence.
        if S::JUDGES && schema.namespaced && later {
            return Found::ElementOrder;
        }
        if outside { Found::ElementNamespace } else { Found::Nothing }
    }

    /// What was found at the byte at `offset`, in words.
    pub(crate) fn error(&self, found: Found, offset: u64, schema: &Schema) -> Error<ErrorKind> {
        let element = self.delivered;
        let number = |fault| ErrorKind::Number(element, fault);
        let kind = match found {
            Found::Nothing | Found::Element | Found::NotXml => ErrorKind::NotXml,
            Found::WrongRoot => ErrorKind::WrongRoot { expected: schema.root },
            Found::StrayEndTag => ErrorKind::StrayEndTag,
            Found::StrayText => ErrorKind::StrayText,
            Found::AttributeUnclosed => ErrorKind::AttributeUnclosed,
            Found::BadTag => ErrorKind::BadTag,
            Found::BadEntity => ErrorKind::BadEntity,
            Found::Doctype => ErrorKind::Doctype,
            Found::TextBehind => ErrorKind::TextBehind,
            Found::Empty => ErrorKind::Empty,
            Found::Unclosed => ErrorKind::Unclosed,
            Found::NamespaceMissing => ErrorKind::NamespaceMissing,
            Found::NamespaceOther | Found::ElementNamespace => ErrorKind::NamespaceOther,
            Found::SpaceBeforeDeclaration => ErrorKind::SpaceBeforeDeclaration,
            Found::ElementUnknown => ErrorKind::ElementUnknown,
            Found::ElementOrder => ErrorKind::ElementOrder(element),
            Found::Duplicate => ErrorKind::Duplicate(element),
            Found::TooLong | Found::Cut => {
                let length = self.content.length();
                let limit = match element {
                    Element::Date | Element::Datatype => 64,
                    Element::Version | Element::Precision if !schema.namespaced => 8,
                    _ => MAX_VALUE as u32,
                };
                ErrorKind::TooLong { element, length, limit }
            }
            Found::Nested => ErrorKind::Nested(element),
            Found::NotText => ErrorKind::NotText(element),
            Found::NumberEmpty => number(NumberFault::Empty),
            Found::NotDigits => number(NumberFault::NotDigits),
            Found::Signed => number(NumberFault::Signed),
            Found::TooLarge => number(NumberFault::TooLarge),
            Found::TooMany => number(NumberFault::TooMany),
            Found::Value => ErrorKind::Value(element),
        };
        let of_tag = found >= Found::SpaceBeforeDeclaration;
        Error::new(if of_tag { self.tag_at() } else { offset }, kind)
    }
}

/// Puts a value where it belongs.
#[inline(never)]
fn fill(slot: Slot<'_>, text: &[u8], plus: bool) -> Found {
    match slot {
        Slot::Number { to, least, most } => {
            // The integers of the schema of ILDG may have a plus sign.
            let digits = match text {
                [b'+', digits @ ..] if plus && digits.first().is_some_and(u8::is_ascii_digit) => digits,
                _ => text,
            };
            let number = match value::number(digits) {
                Ok(number) => number,
                Err(fault) => return fault,
            };
            let too_large = most < u8::MAX && number > u32::from(most);
            if number < u32::from(least) || too_large {
                return Found::Value;
            }
            *to = number;
        }
        Slot::Hexadecimal(to) => match value::hexadecimal(text) {
            Ok(number) => *to = number,
            Err(fault) => return fault,
        },
        Slot::List(to) => return value::numbers(text, to),
        Slot::Text { to, cut } => return value::text(text, to, cut),
        Slot::Other(to) => return to.read(text),
        // The schema enumerates these tokens; `032` is not among them.
        Slot::Precision(to) => match text {
            b"32" => *to = Precision::F32,
            b"64" => *to = Precision::F64,
            _ => return value::number(text).err().unwrap_or(Found::Value),
        },
    }
    Found::Nothing
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::{Diagnostic as _, Severity};
    use crate::ildg::Format;
    use crate::scidac::{PrivateFile, PrivateRecord, StoredChecksum};

    /// An element of a schema has a place, and what is not in the schema has none: not that of the version, for example.
    #[test]
    fn the_elements_of_a_schema_have_places() {
        let documents: [&mut dyn Document; 4] = [
            &mut PrivateFile::default(),
            &mut PrivateRecord::default(),
            &mut StoredChecksum::default(),
            &mut Format::default(),
        ];
        for document in documents {
            let schema = document.schema();
            for place in 0..Element::COUNT {
                let element = Element::at(place as usize).unwrap();
                let is_of_schema = schema.elements.contains(element);
                assert_eq!(document.slot(element).is_some(), is_of_schema, "{}: {element}", schema.root);
            }
        }
    }

    /// What is found has the severity of its row in the table of rules.
    #[test]
    fn errors_are_those_of_the_rules() {
        let texts =
            [(Element::Date, Found::Cut), (Element::Datatype, Found::Cut), (Element::Suma, Found::TooLong)];
        let others = [
            Found::NotXml,
            Found::WrongRoot,
            Found::StrayEndTag,
            Found::StrayText,
            Found::AttributeUnclosed,
            Found::BadTag,
            Found::BadEntity,
            Found::Doctype,
            Found::TextBehind,
            Found::Empty,
            Found::Unclosed,
            Found::NamespaceMissing,
            Found::NamespaceOther,
            Found::SpaceBeforeDeclaration,
            Found::ElementUnknown,
            Found::ElementOrder,
            Found::ElementNamespace,
            Found::Duplicate,
            Found::Nested,
            Found::NotText,
            Found::NumberEmpty,
            Found::NotDigits,
            Found::Signed,
            Found::TooLarge,
            Found::TooMany,
            Found::Value,
        ];
        for (element, found) in texts.into_iter().chain(others.map(|found| (Element::Date, found))) {
            let mut parser = Parser::START;
            parser.delivered = element;
            let error = parser.error(found, 0, StoredChecksum::default().schema());
            assert_eq!(found.is_error(), error.kind.severity() >= Severity::Error, "{found:?}");
        }
    }
}
