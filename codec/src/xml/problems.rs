//! What is wrong with a document that is complete.

use super::element::{Element, Seen};
use super::error::ErrorKind;
use super::schema::Schema;
use crate::lattice::{Extents, ExtentsError};

/// Missing elements, and values that contradict each other: a set, reported in the order of [`Element`]. A
/// contradiction has the place of an element that cannot be missing in the same document.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Problems {
    set: u32,
    /// The elements that the document has.
    seen: Seen,
    spacetime: u32,
    listed: u8,
    extents: Option<ExtentsError>,
}

/// The place of [`ErrorKind::Dimensions`].
const DIMENSIONS: u32 = bit(Element::Multifile as u32);
/// The place of [`ErrorKind::Value`] of `rows`.
const ROWS: u32 = bit(Element::Rows as u32);
/// The places after those of all elements.
const EXTENTS: u32 = bit(Element::COUNT);
const ROWS_TOO_EARLY: u32 = bit(Element::COUNT.wrapping_add(1));

const fn bit(place: u32) -> u32 {
    1_u32.wrapping_shl(place)
}

impl Problems {
    /// That elements which the schema requires are missing, or the version is not known.
    #[inline(never)]
    pub(crate) fn of(schema: &Schema, version: &[u8], seen: Seen) -> Self {
        let is_known = match version {
            b"1" => true,
            [b'1', b'.', minor] => (b'0'..=schema.latest).contains(minor),
            _ => false,
        };
        let unknown = if is_known { 0 } else { bit(Element::Version as u32) };
        Self { set: schema.required.without(seen) | unknown, seen, spacetime: 0, listed: 0, extents: None }
    }

    /// Nothing is wrong if this element is missing.
    pub(crate) const fn excuse(&mut self, element: Element) {
        self.set &= !bit(element as u32);
    }

    /// These elements must not be missing.
    pub(crate) const fn require(&mut self, elements: Seen) {
        self.set |= elements.without(self.seen);
    }

    /// The dimensions announced are not those `listed` as the value of `element`.
    #[inline(never)]
    pub(crate) fn compare_dimensions(&mut self, spacetime: u32, element: Element, listed: &[u32]) {
        (self.spacetime, self.listed) = (spacetime, listed.len() as u8);
        let are_given = self.seen.contains(Element::Spacetime) && self.seen.contains(element);
        if are_given && spacetime != u32::from(self.listed) {
            self.set |= DIMENSIONS;
        }
    }

    /// The values of `elements`, if they are given, are not the extents of a lattice.
    #[inline(never)]
    pub(crate) fn check_extents(&mut self, elements: Seen, extents: &[u32]) {
        if self.seen.contains_all(elements)
            && let Err(error) = Extents::new(extents)
        {
            self.extents = Some(error);
            self.set |= EXTENTS;
        }
    }

    /// Only those that spoil the document.
    pub(crate) const fn errors(mut self) -> Self {
        self.set &= !HARMLESS;
        self
    }

    /// As many rows are never stored of links of this kind.
    pub(crate) const fn refuse_rows(&mut self) {
        self.set |= ROWS;
    }

    /// Rows are given in a version that did not have them.
    pub(crate) const fn rows_too_early(&mut self) {
        self.set |= ROWS_TOO_EARLY;
    }
}

/// Problems that leave no doubt about the data: see the severities of [`ErrorKind`].
const HARMLESS: u32 = bit(Element::Version as u32)
    | bit(Element::Spacetime as u32)
    | bit(Element::Volfmt as u32)
    | bit(Element::Datatype as u32)
    | bit(Element::Field as u32)
    | ROWS_TOO_EARLY;

/// What is to be reported, in order.
impl Iterator for Problems {
    type Item = ErrorKind;

    fn next(&mut self) -> Option<ErrorKind> {
        let place = self.set.trailing_zeros();
        // Without the first.
        self.set &= self.set.checked_sub(1)?;
        Some(match bit(place) {
            DIMENSIONS => ErrorKind::Dimensions { spacetime: self.spacetime, listed: self.listed },
            ROWS => ErrorKind::Value(Element::Rows),
            EXTENTS => ErrorKind::Extents(self.extents?),
            ROWS_TOO_EARLY => ErrorKind::RowsTooEarly,
            _ if place == Element::Version as u32 && self.seen.contains(Element::Version) => {
                ErrorKind::Version
            }
            _ => ErrorKind::Missing(Element::at(place as usize)?),
        })
    }
}

const _: () = assert!(Element::COUNT < 30, "a set of elements and problems has 32 places");

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::{Diagnostic as _, Severity};

    /// The bits say of every problem what its row in the table of rules says.
    #[test]
    fn errors_are_those_of_the_rules() {
        let all = Problems {
            set: (ROWS_TOO_EARLY << 1) - 1,
            seen: Seen::default(),
            spacetime: 4,
            listed: 3,
            extents: Some(ExtentsError::Zero),
        };
        assert_eq!(all.count(), Element::COUNT as usize + 2);
        let is_error = |kind: &ErrorKind| kind.severity() >= Severity::Error;
        assert!(all.filter(is_error).eq(all.errors()));
        let unknown_version = Problems { set: 1, seen: Seen::of(&[Element::Version]), ..all };
        assert!(unknown_version.eq([ErrorKind::Version]));
        assert_eq!(unknown_version.errors().count(), 0);
    }
}
