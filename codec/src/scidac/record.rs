//! `scidac-private-record-xml`: what one logical record holds (QIO 2.3, "Private record XML").

use heapless::String;

use super::date::Date;
use super::text::Text;
use crate::error::Error;
use crate::lattice::{Coordinates, Extents, Hypercube, Region};
use crate::state::saved;
use crate::xml::{self, Document, Element, EmitError, Emitter, ErrorKind, Form, Seen};

/// What the data of a record are spread over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum RecordType {
    /// All sites.
    #[default]
    Field,
    /// No sites: data of the lattice as a whole.
    Global,
    /// The sites of a box.
    Hypercube,
}

saved!(enum RecordType: Field, Global, Hypercube);

/// The document `scidacRecord`, versions 1.0 and 1.1.
///
/// A site holds `datacount` items of `typesize` bytes. `precision` is a letter: F 32-bit and D 64-bit
/// floating point, I 32-bit integers, S the 32-bit words of a random number state, U bytes; others and none
/// at all occur and mean that the word size is not known.
///
/// ```
/// use linkstream::scidac::{PrivateRecord, RecordType};
///
/// let record = PrivateRecord::parse(
///     b"<?xml version=\"1.0\"?><scidacRecord><version>1.1</version><date>now</date>\
///       <recordtype>0</recordtype><datatype>QDP_F3_ColorMatrix</datatype><precision>F</precision>\
///       <colors>3</colors><typesize>72</typesize><datacount>4</datacount></scidacRecord>",
/// )?;
/// assert_eq!(record.record_type(), RecordType::Field);
/// assert_eq!(record.bytes_per_site(), 288);
/// # Ok::<(), linkstream::Error<linkstream::xml::ErrorKind>>(())
/// ```
#[derive(Debug, Clone, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct PrivateRecord {
    version: String<8>,
    /// When the record was written, free text; QIO writes C's `asctime` and `UTC`. What does not fit is
    /// told and cut off when it is read.
    pub date: Text<64>,
    record_type: RecordType,
    /// What `globaldata` says, which counts in version 1.0 only.
    global: bool,
    spacetime: u32,
    lower: Coordinates,
    upper: Coordinates,
    /// Name of the type of an item, free text, cut as the date is.
    pub datatype: Text<64>,
    /// A letter, or empty.
    pub precision: Text<8>,
    /// Number of colors, 0 if not given.
    pub colors: u32,
    /// Number of spins, 0 if not given.
    pub spins: u32,
    /// Bytes of an item.
    pub typesize: u32,
    /// Items at a site.
    pub datacount: u32,
    seen: Seen,
}

saved!(struct PrivateRecord {
    version, date, record_type, global, spacetime, lower, upper, datatype, precision, colors, spins,
    typesize, datacount, seen
});

/// Equal in meaning: a record that was made is equal to the one that is read from what it was written as,
/// although only the latter knows which elements were given.
impl PartialEq for PrivateRecord {
    fn eq(&self, other: &Self) -> bool {
        (&self.version, &self.date) == (&other.version, &other.date)
            && (self.record_type(), self.spacetime, self.lower, self.upper)
                == (other.record_type(), other.spacetime, other.lower, other.upper)
            && (&self.datatype, &self.precision) == (&other.datatype, &other.precision)
            && (self.colors, self.spins, self.typesize, self.datacount)
                == (other.colors, other.spins, other.typesize, other.datacount)
    }
}

impl PrivateRecord {
    const ROOT: &str = "scidacRecord";

    /// A record of version 1.1 with no more in it than what its data are spread over; the caller fills in
    /// the rest.
    ///
    /// # Example
    /// ```
    /// use linkstream::lattice::{Extents, Region};
    /// use linkstream::scidac::{Date, PrivateRecord};
    /// use linkstream::xml::Form;
    ///
    /// let mut record = PrivateRecord::new(&Region::Lattice);
    /// record.set_date(Date::from_unix(1_700_000_000));
    /// record.precision = "D".try_into()?;
    /// (record.typesize, record.datacount) = (8, 1);
    /// assert_eq!(record.version(), "1.1");
    /// assert_eq!(record.region(&Extents::new(&[4, 4])?)?, Region::Lattice);
    /// let mut buffer = [0; 512];
    /// let length = record.emit_as(Form::Lines, &mut buffer)?;
    /// assert_eq!(PrivateRecord::parse(&buffer[..length])?, record);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(region: &Region) -> Self {
        let mut record = Self { version: String::try_from("1.1").unwrap_or_default(), ..Self::default() };
        match region {
            Region::Lattice => {}
            Region::Global => record.record_type = RecordType::Global,
            Region::Hypercube(cube) => {
                record.record_type = RecordType::Hypercube;
                record.spacetime = cube.lower().as_slice().len() as u32;
                record.lower = *cube.lower();
                record.upper = *cube.upper();
            }
        }
        for element in [Element::Version, Element::Recordtype, Element::Precision] {
            record.seen.insert(element);
        }
        record
    }

    /// A record of version 1.0, as QIO up to 2007 wrote it, which knows fields and global data only.
    ///
    /// # Example
    /// ```
    /// use linkstream::scidac::{PrivateRecord, RecordType};
    ///
    /// let record = PrivateRecord::version_1_0(true);
    /// assert_eq!((record.version(), record.record_type()), ("1.0", RecordType::Global));
    /// ```
    #[must_use]
    pub fn version_1_0(global: bool) -> Self {
        let mut record = Self { version: String::try_from("1.0").unwrap_or_default(), ..Self::default() };
        record.global = global;
        for element in [Element::Version, Element::Globaldata, Element::Precision] {
            record.seen.insert(element);
        }
        record
    }

    /// Sets the date as QIO writes it.
    pub fn set_date(&mut self, date: Date) {
        self.date = Text::of(&[date.text().as_str()]);
    }

    /// Reads a whole document.
    ///
    /// # Errors
    /// The first thing that is wrong with it; offsets count from its first byte.
    pub fn parse(document: &[u8]) -> Result<Self, Error<ErrorKind>> {
        xml::read(document)
    }

    /// Writes the document as QIO does, with its NUL; returns the length. Zero colors and spins are left
    /// out, as there.
    ///
    /// # Errors
    /// The buffer is too small, or a text would not be read back as it is.
    pub fn emit(&self, buffer: &mut [u8]) -> Result<usize, EmitError> {
        self.emit_as(Form::Line, buffer)
    }

    /// Writes the document in a form of the caller's choice; returns the length.
    ///
    /// # Errors
    /// As [`emit`](Self::emit).
    pub fn emit_as(&self, form: Form, buffer: &mut [u8]) -> Result<usize, EmitError> {
        let mut emitter = Emitter::new(buffer, form, Self::ROOT, &[]);
        emitter.text(Element::Version, &self.version);
        emitter.text(Element::Date, &self.date);
        let record_type = self.record_type();
        if self.has_globaldata() {
            emitter.number(Element::Globaldata, u32::from(self.global));
        } else {
            emitter.number(Element::Recordtype, record_type as u32);
        }
        if record_type == RecordType::Hypercube {
            emitter.number(Element::Spacetime, self.spacetime);
            emitter.numbers(Element::Hyperlower, self.lower.as_slice());
            emitter.numbers(Element::Hyperupper, self.upper.as_slice());
        }
        emitter.text(Element::Datatype, &self.datatype);
        emitter.text(Element::Precision, &self.precision);
        if self.colors > 0 {
            emitter.number(Element::Colors, self.colors);
        }
        if self.spins > 0 {
            emitter.number(Element::Spins, self.spins);
        }
        emitter.number(Element::Typesize, self.typesize);
        emitter.number(Element::Datacount, self.datacount);
        emitter.finish(Self::ROOT)
    }

    /// The document's version as written, empty if it was missing.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.version
    }

    /// What the data are spread over.
    #[must_use]
    pub fn record_type(&self) -> RecordType {
        match self.has_globaldata() {
            true if self.global => RecordType::Global,
            true => RecordType::Field,
            false => self.record_type,
        }
    }

    /// Bytes at a site; of all the data for a global record.
    #[must_use]
    pub const fn bytes_per_site(&self) -> u64 {
        // Two factors of 32 bits each.
        (self.typesize as u64).wrapping_mul(self.datacount as u64)
    }

    /// Which sites of a lattice of these extents the data cover.
    ///
    /// # Errors
    /// The bounds of a hypercube are not those of a box of this lattice.
    pub fn region(&self, extents: &Extents) -> Result<Region, ErrorKind> {
        match self.record_type() {
            RecordType::Field => Ok(Region::Lattice),
            RecordType::Global => Ok(Region::Global),
            RecordType::Hypercube => Hypercube::new(self.lower, self.upper, extents)
                .map(Region::Hypercube)
                .map_err(ErrorKind::Hypercube),
        }
    }

    /// Version 1.0, up to 2007, had `globaldata` in the place of `recordtype`, and even that optional.
    fn says_what_it_covers(&self) -> bool {
        self.seen.contains(Element::Recordtype) || self.version() == "1.0"
    }

    fn has_globaldata(&self) -> bool {
        self.version() == "1.0" && self.seen.contains(Element::Globaldata)
    }
}

impl Document for PrivateRecord {
    const ROOT: &'static str = Self::ROOT;
    const ELEMENTS: &'static [Element] = &[
        Element::Version,
        Element::Date,
        Element::Recordtype,
        Element::Globaldata,
        Element::Spacetime,
        Element::Hyperlower,
        Element::Hyperupper,
        Element::Datatype,
        Element::Precision,
        Element::Colors,
        Element::Spins,
        Element::Typesize,
        Element::Datacount,
    ];

    fn element(&mut self, element: Element, value: &[u8]) -> Result<(), ErrorKind> {
        if !self.seen.insert(element) {
            return Err(ErrorKind::Duplicate(element));
        }
        match element {
            Element::Version => self.version = xml::text(element, value)?,
            Element::Date => xml::cut_text(element, value, &mut self.date.0)?,
            Element::Recordtype => {
                self.record_type = match xml::number(element, value)? {
                    0 => RecordType::Field,
                    1 => RecordType::Global,
                    2 => RecordType::Hypercube,
                    _ => return Err(ErrorKind::Value(element)),
                }
            }
            Element::Globaldata => {
                self.global = match xml::number(element, value)? {
                    0 => false,
                    1 => true,
                    _ => return Err(ErrorKind::Value(element)),
                }
            }
            Element::Spacetime => self.spacetime = xml::number(element, value)?,
            Element::Hyperlower => self.lower = xml::numbers(element, value)?,
            Element::Hyperupper => self.upper = xml::numbers(element, value)?,
            Element::Datatype => xml::cut_text(element, value, &mut self.datatype.0)?,
            Element::Precision => self.precision = Text(xml::text(element, value)?),
            Element::Colors => self.colors = xml::number(element, value)?,
            Element::Spins => self.spins = xml::number(element, value)?,
            Element::Typesize => self.typesize = positive(element, value)?,
            _ => self.datacount = positive(element, value)?,
        }
        Ok(())
    }

    fn audit(&self, index: usize) -> Option<ErrorKind> {
        let missing = |element| (!self.seen.contains(element)).then_some(ErrorKind::Missing(element));
        let is_hypercube = self.record_type() == RecordType::Hypercube;
        let of_hypercube = |element| missing(element).filter(|_| is_hypercube);
        let listed = self.lower.as_slice().len();
        let announced = is_hypercube && self.seen.contains(Element::Spacetime) && listed > 0;
        let differ = announced && usize::try_from(self.spacetime) != Ok(listed);
        [
            missing(Element::Version),
            (self.seen.contains(Element::Version) && !matches!(self.version(), "1.0" | "1.1" | "1"))
                .then_some(ErrorKind::Version),
            missing(Element::Recordtype).filter(|_| !self.says_what_it_covers()),
            of_hypercube(Element::Spacetime),
            of_hypercube(Element::Hyperlower),
            of_hypercube(Element::Hyperupper),
            differ.then_some(ErrorKind::Dimensions { spacetime: self.spacetime, listed: listed as u8 }),
            missing(Element::Datatype),
            missing(Element::Precision),
            missing(Element::Typesize),
            missing(Element::Datacount),
        ]
        .into_iter()
        .flatten()
        .nth(index)
    }
}

fn positive(element: Element, value: &[u8]) -> Result<u32, ErrorKind> {
    match xml::number(element, value)? {
        0 => Err(ErrorKind::Value(element)),
        n => Ok(n),
    }
}
