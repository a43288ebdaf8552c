//! Comparing: whether the elements about an item of data agree with each other, and whether two records do.

use super::data::{Datatype, RecordData, integer};
use super::record::{PrivateRecord, RecordType};
use crate::messages::messages;
use crate::xml::Element;

messages! {
    /// The reason why the elements of a [`PrivateRecord`] contradict each other.
    ///
    /// # Example
    /// ```
    /// use linkstream::lattice::Region;
    /// use linkstream::scidac::{Contradiction, PrivateRecord, RecordData};
    ///
    /// let data = RecordData { precision: "F".try_into()?, typesize: 5, datacount: 1, ..RecordData::default() };
    /// let refused = PrivateRecord::new(&Region::Lattice).with_data(data);
    /// assert_eq!(refused, Err(Contradiction::Words { typesize: 5, word: 4 }));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub enum Contradiction {
        /// An item does not consist of whole words of the precision.
        Words {
            /// The size of an item in bytes, as given.
            typesize: u32,
            /// The size of a word in bytes.
            word: u32,
        } => ("an item of {typesize} bytes does not consist of words of {word} bytes, as the precision demands"),
        /// The datatype names a precision, and `precision` is another or none.
        Precision {
            /// The letter in the datatype: `F` or `D`; `I` or `S` of a named type of integers.
            named: char,
        } => ("the datatype has the precision {named}, but the element `precision` does not"),
        /// The datatype names a number of colors, and `colors` is another.
        Colors {
            /// The number of colors in the datatype.
            named: u32,
            /// The element `colors`.
            given: u32,
        } => ("the datatype has {named} colors, but the element `colors` is {given}"),
        /// The datatype has no such number of spins.
        Spins {
            /// The element `spins`.
            given: u32,
        } => ("an item of this datatype does not have {given} spins"),
        /// The datatype is of a known size, and `typesize` is another.
        Size {
            /// The size of an item of this datatype in bytes.
            needed: u64,
            /// The size of an item in bytes, as given.
            typesize: u32,
        } => ("an item of this datatype has {needed} bytes, but `typesize` is {typesize}"),
    }
}

impl RecordData {
    /// Whether the elements agree with each other. Nothing is known about datatypes with other names than those of QDP,
    /// QLA and the USQCD formats, or about other precisions than `F`, `D`, `I`, `S` and `U`. A size or number of 0 contradicts
    /// nothing: in a record that others are compared with, it matches any. It is refused when a record is written.
    ///
    /// ```
    /// use linkstream::lattice::Precision;
    /// use linkstream::scidac::{Contradiction, PrivateRecord, RecordData};
    ///
    /// let data = *PrivateRecord::gauge_field(3, Precision::F32, 4).data();
    /// assert_eq!(data.consistency(), Ok(()));
    /// let wrong = RecordData { typesize: 144, ..data };
    /// assert_eq!(wrong.consistency(), Err(Contradiction::Size { needed: 72, typesize: 144 }));
    /// let wrong = RecordData { precision: "D".try_into()?, ..data };
    /// assert_eq!(wrong.consistency(), Err(Contradiction::Precision { named: 'F' }));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The first contradiction.
    pub fn consistency(&self) -> Result<(), Contradiction> {
        let (precision, typesize) = (self.precision.as_bytes(), self.typesize);
        let named = Datatype::parse(self.datatype.as_bytes());
        if let Some(letter) = integer(self.datatype.as_bytes()).filter(|letter| precision != [*letter]) {
            return Err(Contradiction::Precision { named: char::from(letter) });
        }
        if let Some(datatype @ Datatype { letter, colors, .. }) = named {
            if precision != [letter] {
                return Err(Contradiction::Precision { named: char::from(letter) });
            }
            if let Some(named) = colors.filter(|named| self.colors != 0 && self.colors != *named) {
                return Err(Contradiction::Colors { named, given: self.colors });
            }
            if !datatype.has_spins(self.spins) {
                return Err(Contradiction::Spins { given: self.spins });
            }
        }
        let word = self.word();
        if !typesize.is_multiple_of(word) {
            return Err(Contradiction::Words { typesize, word });
        }
        let fits =
            |needed| needed == typesize || named.is_some_and(|it| it.is_reduced(self.colors, typesize));
        match named.and_then(|named| named.size(self.colors)) {
            Some(needed) if !fits(needed) => Err(Contradiction::Size { needed: needed.into(), typesize }),
            _ => Ok(()),
        }
    }

    /// Size in bytes of a word of the precision; 1 if it is not known.
    pub(crate) fn word(&self) -> u32 {
        match self.precision.as_bytes() {
            b"F" | b"I" | b"S" => 4,
            b"D" => 8,
            _ => 1,
        }
    }
}

impl PrivateRecord {
    /// Whether the elements about the data agree with each other; see [`RecordData::consistency`]. Records that contradict
    /// themselves are read, but not written.
    ///
    /// ```
    /// use linkstream::scidac::{Contradiction, PrivateRecord};
    ///
    /// let record = PrivateRecord::parse(
    ///     b"<?xml version=\"1.0\"?><scidacRecord><version>1.1</version><date>now</date>\
    ///       <recordtype>0</recordtype><datatype>QDP_F3_ColorMatrix</datatype><precision>F</precision>\
    ///       <colors>2</colors><typesize>72</typesize><datacount>4</datacount></scidacRecord>",
    /// )?;
    /// assert_eq!(record.consistency(), Err(Contradiction::Colors { named: 3, given: 2 }));
    /// # Ok::<(), linkstream::Error<linkstream::xml::ErrorKind>>(())
    /// ```
    ///
    /// # Errors
    /// The first contradiction.
    pub fn consistency(&self) -> Result<(), Contradiction> {
        self.data().consistency()
    }
}

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
