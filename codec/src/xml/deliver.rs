//! The reader that all documents share: it identifies an element, converts its value, stores it in the document, and
//! checks the complete document.

use super::declaration::Scope;
use super::element::{ElementName, Schema, Seen};
use super::error::{ErrorKind, Found};
use super::parser::Parser;
use super::value::{self, MAX_DEPTH, MAX_ELEMENTS, MAX_VALUE};
use crate::error::Error;
use crate::lattice::{Coordinates, Extents, ExtentsError, Precision};

/// Place of a value in a document, and its type.
pub(crate) enum Slot<'d> {
    /// A decimal number from `least` to `most`.
    Number { to: &'d mut u32, least: u8, most: u8 },
    /// A hexadecimal number.
    Hexadecimal(&'d mut u32),
    /// Up to 8 decimal numbers.
    List(&'d mut Coordinates),
    /// A text that must fit; with `cut`, a longer one is truncated.
    Text { to: (&'d mut [u8], &'d mut u8), cut: bool },
    /// A value of another module.
    Other(&'d mut dyn Value),
    /// Number of bits of a floating-point number: 32 or 64.
    Precision(&'d mut Precision),
}

impl<'d> Slot<'d> {
    /// Any 32-bit number.
    pub(crate) const fn number(to: &'d mut u32) -> Self {
        Self::Number { to, least: 0, most: u8::MAX }
    }

    /// A number that is not 0.
    pub(crate) const fn positive(to: &'d mut u32) -> Self {
        Self::Number { to, least: 1, most: u8::MAX }
    }

    /// A number from 0 to `most`.
    pub(crate) const fn choice(to: &'d mut u32, most: u8) -> Self {
        Self::Number { to, least: 0, most }
    }
}

/// A value that the module of its document converts.
pub(crate) trait Value {
    /// Converts the text. Returns [`Found::Value`], and changes nothing, if the text is not valid.
    fn read(&mut self, text: &[u8]) -> Found;
}

/// A document whose elements have a meaning for this crate.
pub(crate) trait Document {
    /// Properties that all documents of this kind have in common.
    fn schema(&self) -> &'static Schema;

    /// Set of the elements that the document has.
    fn seen(&mut self) -> &mut Seen;

    /// Place of the value of an element; `None` if the schema does not have the element.
    fn slot(&mut self, element: ElementName) -> Option<Slot<'_>>;

    /// Problems of the complete document.
    fn problems(&self) -> Problems;
}

impl Parser {
    /// Takes `byte` like [`push`](Self::push), within the limits of documents. An element that it completes is then to be
    /// [delivered](Self::deliver). `elements` counts these, from 0 at the beginning of a document.
    pub(crate) fn take<S: Scope>(
        &mut self,
        elements: &mut u16,
        schema: &Schema,
        scope: &mut S,
        byte: u8,
        offset: u64,
    ) -> Found {
        match self.push(byte, offset, schema, scope) {
            Found::Element => {
                *elements = elements.saturating_add(1);
                if *elements > MAX_ELEMENTS { self.refuse() } else { Found::Element }
            }
            Found::Nothing if self.depth() > MAX_DEPTH => self.refuse(),
            found => found,
        }
    }

    /// Stores the value of the element that is complete in `document`.
    pub(crate) fn deliver<S: Scope>(&mut self, document: &mut dyn Document, scope: &S) -> Found {
        let schema = document.schema();
        let (name, root) = self.names();
        let (prefix, local) = name.parts();
        let local = if schema.namespaced && (prefix.is_empty() || scope.includes(prefix, root)) {
            local
        } else {
            name.kept_bytes()
        };
        let element = ElementName::from_name(local).filter(|element| schema.elements.contains(*element));
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
        // Never the case: each element of a schema has a place, see the tests.
        let Some(slot) = document.slot(element) else { return Found::Value };
        let found = fill(slot, self.content.kept_bytes(), schema.namespaced);
        let too_long = if element.may_be_cut() { Found::Cut } else { Found::TooLong };
        if length > MAX_VALUE {
            return too_long;
        }
        match found {
            // The version, which may be any text. If it is too long, it is an unknown version, which is reported at the
            // end of the document.
            Found::TooLong if schema.namespaced => {}
            Found::TooLong => return too_long,
            Found::Nothing => {}
            found => return found,
        }
        // The schema defines a sequence.
        if S::JUDGES && schema.namespaced && later {
            return Found::ElementOrder;
        }
        if outside { Found::ElementNamespace } else { Found::Nothing }
    }

    /// Error for what was found at the byte at `offset`.
    pub(crate) fn error(&self, found: Found, offset: u64, schema: &Schema) -> Error<ErrorKind> {
        let element = self.delivered;
        let limit = match element {
            ElementName::Date | ElementName::Datatype => 64,
            ElementName::Version | ElementName::Precision if !schema.namespaced => 8,
            _ => MAX_VALUE as u32,
        };
        let kind = found.kind(element, schema.root, self.content.length(), limit);
        let of_tag = found >= Found::SpaceBeforeDeclaration;
        Error::new(if of_tag { self.tag_at() } else { offset }, kind)
    }
}

/// Converts a value and stores it.
#[inline(never)]
fn fill(slot: Slot<'_>, text: &[u8], plus: bool) -> Found {
    match slot {
        Slot::Number { to, least, most } => {
            // `xs:integer` in the schema of ILDG allows a plus sign.
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
        // The schema enumerates these tokens; `032` is not one of them.
        Slot::Precision(to) => match text {
            b"32" => *to = Precision::F32,
            b"64" => *to = Precision::F64,
            _ => return value::number(text).err().unwrap_or(Found::Value),
        },
    }
    Found::Nothing
}

/// Set of problems of a complete document: missing elements and contradictions between values, reported in the order of
/// [`ElementName`]. A contradiction uses the bit of an element that is never reported missing in the same document.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Problems {
    set: u32,
    /// The elements that the document has.
    seen: Seen,
    spacetime: u32,
    listed: u8,
    extents: Option<ExtentsError>,
}

/// Bit of [`ErrorKind::Dimensions`].
const DIMENSIONS: u32 = bit(ElementName::Multifile as u32);
/// Bit of [`ErrorKind::Value`] of `rows`.
const ROWS: u32 = bit(ElementName::Rows as u32);
/// Bits after the elements.
const EXTENTS: u32 = bit(ElementName::COUNT);
const ROWS_TOO_EARLY: u32 = bit(ElementName::COUNT.wrapping_add(1));

const fn bit(place: u32) -> u32 {
    1_u32.wrapping_shl(place)
}

impl Problems {
    /// Missing elements that the schema requires, and an unknown version.
    #[inline(never)]
    pub(crate) fn of(schema: &Schema, version: &[u8], seen: Seen) -> Self {
        let is_known = match version {
            b"1" => true,
            [b'1', b'.', minor] => (b'0'..=schema.latest).contains(minor),
            _ => false,
        };
        let unknown = if is_known { 0 } else { bit(ElementName::Version as u32) };
        Self { set: schema.required.without(seen) | unknown, seen, spacetime: 0, listed: 0, extents: None }
    }

    /// Allows this element to be missing.
    pub(crate) const fn excuse(&mut self, element: ElementName) {
        self.set &= !bit(element as u32);
    }

    /// Requires these elements.
    pub(crate) const fn require(&mut self, elements: Seen) {
        self.set |= elements.without(self.seen);
    }

    /// Compares `spacetime` with the number of values `listed` in `element`.
    #[inline(never)]
    pub(crate) fn compare_dimensions(&mut self, spacetime: u32, element: ElementName, listed: &[u32]) {
        (self.spacetime, self.listed) = (spacetime, listed.len() as u8);
        let are_given = self.seen.contains(ElementName::Spacetime) && self.seen.contains(element);
        if are_given && spacetime != u32::from(self.listed) {
            self.set |= DIMENSIONS;
        }
    }

    /// Checks that the values of `elements`, if all are given, are the extents of a lattice.
    #[inline(never)]
    pub(crate) fn check_extents(&mut self, elements: Seen, extents: &[u32]) {
        if self.seen.contains_all(elements)
            && let Err(error) = Extents::new(extents)
        {
            self.extents = Some(error);
            self.set |= EXTENTS;
        }
    }

    /// The problems with the severity of an error: the document cannot be used.
    pub(crate) const fn errors(mut self) -> Self {
        self.set &= !HARMLESS;
        self
    }

    /// Adds: links of this kind are never stored with this number of rows.
    pub(crate) const fn refuse_rows(&mut self) {
        self.set |= ROWS;
    }

    /// Adds: the version of the document does not have `rows`.
    pub(crate) const fn rows_too_early(&mut self) {
        self.set |= ROWS_TOO_EARLY;
    }
}

/// Problems that leave the data certain: less than errors in the table of rules.
const HARMLESS: u32 = {
    let mut harmless = if ErrorKind::RowsTooEarly.is_error() { 0 } else { ROWS_TOO_EARLY };
    let mut rest = ElementName::ALL;
    while let [element, after @ ..] = rest {
        if !ErrorKind::Missing(*element).is_error() {
            harmless |= bit(*element as u32);
        }
        rest = after;
    }
    harmless
};

// A problem that shares its bit with a missing element must have the same severity; wrong extents are always errors.
const _: () = {
    assert!(!ErrorKind::Version.is_error() && !ErrorKind::Missing(ElementName::Version).is_error());
    assert!(ErrorKind::Dimensions { spacetime: 0, listed: 0 }.is_error() && HARMLESS & DIMENSIONS == 0);
    assert!(ErrorKind::Value(ElementName::Rows).is_error() && HARMLESS & ROWS == 0);
    assert!(ErrorKind::Extents(ExtentsError::Zero).is_error());
};

/// The problems in the order of reporting.
impl Iterator for Problems {
    type Item = ErrorKind;

    fn next(&mut self) -> Option<ErrorKind> {
        let place = self.set.trailing_zeros();
        // Clears the lowest set bit.
        self.set &= self.set.checked_sub(1)?;
        Some(match bit(place) {
            DIMENSIONS => ErrorKind::Dimensions { spacetime: self.spacetime, listed: self.listed },
            ROWS => ErrorKind::Value(ElementName::Rows),
            EXTENTS => ErrorKind::Extents(self.extents?),
            ROWS_TOO_EARLY => ErrorKind::RowsTooEarly,
            _ if place == ElementName::Version as u32 && self.seen.contains(ElementName::Version) => {
                ErrorKind::Version
            }
            _ => ErrorKind::Missing(ElementName::at(place as usize)?),
        })
    }
}

const _: () = assert!(ElementName::COUNT < 30, "a set of elements and problems has 32 places");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::{Diagnostic as _, Severity};
    use crate::ildg::Format;
    use crate::scidac::{PrivateFile, PrivateRecord, StoredChecksum};

    /// Each element of a schema has a place, and no other element has one.
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
            for place in 0..ElementName::COUNT {
                let element = ElementName::at(place as usize).unwrap();
                let is_of_schema = schema.elements.contains(element);
                assert_eq!(document.slot(element).is_some(), is_of_schema, "{}: {element}", schema.root);
            }
        }
    }

    /// The bits agree with the severities in the table of rules.
    #[test]
    fn errors_are_those_of_the_rules() {
        let all = Problems {
            set: (ROWS_TOO_EARLY << 1) - 1,
            seen: Seen::default(),
            spacetime: 4,
            listed: 3,
            extents: Some(ExtentsError::Zero),
        };
        assert_eq!(all.count(), ElementName::COUNT as usize + 2);
        let is_error = |kind: &ErrorKind| kind.severity() >= Severity::Error;
        assert!(all.filter(is_error).eq(all.errors()));
        let unknown_version = Problems { set: 1, seen: Seen::of(&[ElementName::Version]), ..all };
        assert!(unknown_version.eq([ErrorKind::Version]));
        assert_eq!(unknown_version.errors().count(), 0);
    }
}
