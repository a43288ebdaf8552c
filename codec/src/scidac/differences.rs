//! Comparing a record that was read with the one that is expected (QIO 2.3, section 4.2, "Compare two private record
//! metadata structures").

use super::record::{PrivateRecord, RecordType};
use crate::xml::Element;

/// What is compared: everything about the data, but neither version nor date of the document.
const COMPARED: [Element; 9] = [
    Element::Recordtype,
    Element::Hyperlower,
    Element::Hyperupper,
    Element::Datatype,
    Element::Precision,
    Element::Colors,
    Element::Spins,
    Element::Typesize,
    Element::Datacount,
];

impl PrivateRecord {
    /// The elements in which this record differs from the expected one.
    ///
    /// Only elements that are not empty in `expected` are compared, texts and numbers as such: those that are empty or
    /// 0 there can have any value. Bounds are compared if a hypercube is expected. `QIO_compare_record_info` is
    /// documented to do this, but finds no difference in an element that the record has.
    ///
    /// ```
    /// use linkstream::lattice::Precision;
    /// use linkstream::scidac::{PrivateRecord, RecordData};
    /// use linkstream::xml::Element;
    ///
    /// let mut found = PrivateRecord::dirac_fermion(Precision::F64);
    /// let expected = PrivateRecord::dirac_fermion(Precision::F32);
    /// let differing: Vec<Element> = found.differences(&expected).collect();
    /// assert_eq!(differing, [Element::Datatype, Element::Precision, Element::Typesize]);
    ///
    /// // A complex field has no colors, so any number of them is accepted.
    /// found = PrivateRecord::complex_field(Precision::F32);
    /// found = found.with_data(RecordData { colors: 3, ..*found.data() })?;
    /// assert_eq!(found.differences(&PrivateRecord::complex_field(Precision::F32)).count(), 0);
    /// # Ok::<(), linkstream::scidac::Contradiction>(())
    /// ```
    pub fn differences<'r>(&'r self, expected: &'r Self) -> impl Iterator<Item = Element> + 'r {
        COMPARED.into_iter().filter(|element| self.differs(expected, *element))
    }

    fn differs(&self, expected: &Self, element: Element) -> bool {
        let number = |found: u32, expected: u32| expected != 0 && found != expected;
        let text = |found: &str, expected: &str| !expected.is_empty() && found != expected;
        let [found_bounds, bounds] = [self.bounds(), expected.bounds()];
        let has_bounds = expected.record_type() == RecordType::Hypercube;
        match element {
            Element::Recordtype => self.record_type() != expected.record_type(),
            Element::Hyperlower => has_bounds && found_bounds.0 != bounds.0,
            Element::Hyperupper => has_bounds && found_bounds.1 != bounds.1,
            Element::Datatype => text(&self.datatype, &expected.datatype),
            Element::Precision => text(&self.precision, &expected.precision),
            Element::Colors => number(self.colors, expected.colors),
            Element::Spins => number(self.spins, expected.spins),
            Element::Typesize => number(self.typesize, expected.typesize),
            Element::Datacount => number(self.datacount, expected.datacount),
            _ => false,
        }
    }
}
