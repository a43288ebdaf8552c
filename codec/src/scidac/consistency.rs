//! Whether a record describes data that can be: the elements about an item of data determine each other.

use super::data::RecordData;
use super::record::PrivateRecord;
use crate::messages::messages;

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
            /// The letter in the datatype: `F` or `D`.
            named: char,
        } => ("the datatype has the precision {named}, but the element `precision` does not"),
        /// The datatype names a number of colors, and `colors` is another.
        Colors {
            /// The number of colors in the datatype.
            named: u32,
            /// The element `colors`.
            given: u32,
        } => ("the datatype has {named} colors, but the element `colors` is {given}"),
        /// The datatype is of a known size, and `typesize` is another.
        Size {
            /// The size of an item of this datatype in bytes.
            needed: u64,
            /// The size of an item in bytes, as given.
            typesize: u32,
        } => ("an item of this datatype has {needed} bytes, but `typesize` is {typesize}"),
    }
}

/// The words of an item with `c` colors: `(name, numbers per color^2, per color, without colors)`.
const ITEMS: [(&str, u64, u64, u64); 8] = [
    ("Real", 0, 0, 1),
    ("Complex", 0, 0, 2),
    ("ColorVector", 0, 2, 0),
    ("ColorMatrix", 2, 0, 0),
    ("HalfFermion", 0, 4, 0),
    ("DiracFermion", 0, 8, 0),
    ("DiracPropagator", 32, 0, 0),
    ("Propagator", 32, 0, 0),
];

/// What the name of a datatype says, such as `USQCD_F3_ColorMatrix` (QIO 2.3, QDP and the USQCD formats).
struct Named<'d> {
    letter: char,
    colors: Option<u32>,
    item: &'d str,
}

impl<'d> Named<'d> {
    /// `None` for names that follow another pattern, about which nothing is known.
    fn parse(datatype: &'d str) -> Option<Self> {
        let (program, rest) = datatype.split_once('_')?;
        let (numbers, item) = rest.split_once('_')?;
        let letter = numbers.chars().next().filter(|letter| matches!(letter, 'F' | 'D'))?;
        let digits = numbers.get(1..)?;
        let is_known =
            matches!(program, "QDP" | "QLA" | "USQCD") && digits.bytes().all(|b| b.is_ascii_digit());
        is_known.then_some(Self { letter, colors: digits.parse().ok(), item })
    }

    /// The size of an item in bytes, if it is known.
    fn size(&self, colors: u32) -> Option<u64> {
        let (_, squares, singles, others) = ITEMS.into_iter().find(|(name, ..)| *name == self.item)?;
        let colors = u64::from(self.colors.unwrap_or(colors));
        if (squares, singles) != (0, 0) && colors == 0 {
            return None;
        }
        let numbers = squares.checked_mul(colors)?.checked_mul(colors)?;
        let numbers = numbers.checked_add(singles.checked_mul(colors)?)?.checked_add(others)?;
        numbers.checked_mul(if self.letter == 'F' { 4 } else { 8 })
    }
}

impl Named<'_> {
    /// Whether this is a matrix of a gauge field in reduced storage, beside an `ildg-format` (ILDG 1.2, section 2.5.2):
    /// one row less, or half of the rows.
    fn has_reduced_size(&self, colors: u32, whole: u64, typesize: u32) -> bool {
        let colors = u64::from(self.colors.unwrap_or(colors));
        let row = whole.checked_div(colors).unwrap_or(whole);
        let size = u64::from(typesize);
        let is_one_less = size > 0 && size.checked_add(row) == Some(whole);
        let is_half = colors.is_multiple_of(2) && size.checked_mul(2) == Some(whole);
        self.item == "ColorMatrix" && (is_one_less || is_half)
    }
}

impl RecordData {
    /// Whether the elements agree with each other. Nothing is known about datatypes with other names than those of QDP,
    /// QLA and the USQCD formats, or about other precisions than `F`, `D`, `I`, `S` and `U`.
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
        let (precision, typesize) = (self.precision.as_str(), self.typesize);
        if let Some(Named { letter, colors, .. }) = Named::parse(&self.datatype) {
            if !precision.chars().eq([letter]) {
                return Err(Contradiction::Precision { named: letter });
            }
            if let Some(named) = colors.filter(|named| self.colors != 0 && self.colors != *named) {
                return Err(Contradiction::Colors { named, given: self.colors });
            }
        }
        let word = match precision {
            "F" | "I" | "S" => 4,
            "D" => 8,
            _ => 1,
        };
        if !typesize.is_multiple_of(word) {
            return Err(Contradiction::Words { typesize, word });
        }
        let named = Named::parse(&self.datatype);
        let Some((needed, named)) = named.and_then(|named| Some((named.size(self.colors)?, named))) else {
            return Ok(());
        };
        let fits = needed == u64::from(typesize) || named.has_reduced_size(self.colors, needed, typesize);
        if fits { Ok(()) } else { Err(Contradiction::Size { needed, typesize }) }
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
