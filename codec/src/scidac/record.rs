//! `scidac-private-record-xml`: what one logical record holds (QIO 2.3, "Private record XML").

use super::date::Date;
use crate::counter::times;
use crate::error::Error;
use crate::lattice::{Coordinates, Extents, Hypercube, HypercubeError, Region};
use crate::state::saved;
use crate::xml::{
    self, Document, Element, EmitError, Emitter, ErrorKind, Form, Problems, Schema, Seen, Slot, Text,
};

/// What the data of a record are spread over.
///
/// # Example
/// ```
/// use linkstream::lattice::Precision;
/// use linkstream::scidac::{PrivateRecord, RecordType};
///
/// assert_eq!(PrivateRecord::real_field(Precision::F32).record_type(), RecordType::Field);
/// assert_eq!(PrivateRecord::global(Precision::F32, 3).record_type(), RecordType::Global);
/// ```
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
#[derive(Debug, Clone, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct PrivateRecord {
    version: Text<8>,
    /// When the record was written, free text; QIO writes C's `asctime` and `UTC`. A longer
    /// text is cut off when it is read, which is a finding.
    pub date: Text<64>,
    /// As written: 0 to 2, the places of [`RecordType`].
    recordtype: u32,
    /// As written: 1 for global data. It counts in version 1.0 only.
    globaldata: u32,
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

saved!(struct PrivateRecord { version, date, recordtype, globaldata, spacetime, lower, upper, datatype, precision, colors, spins, typesize, datacount, seen });

/// As before it is read: all zeros, so that memory is cleared and no field is set.
impl Default for PrivateRecord {
    fn default() -> Self {
        const {
            Self {
                version: Text::new(),
                date: Text::new(),
                recordtype: 0,
                globaldata: 0,
                spacetime: 0,
                lower: Coordinates::EMPTY,
                upper: Coordinates::EMPTY,
                datatype: Text::new(),
                precision: Text::new(),
                colors: 0,
                spins: 0,
                typesize: 0,
                datacount: 0,
                seen: Seen::NONE,
            }
        }
    }
}

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
    const SCHEMA: &Schema = &Schema {
        root: "scidacRecord",
        elements: Seen::of(&[
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
        ]),
        required: Seen::of(&[
            Element::Version,
            Element::Recordtype,
            Element::Datatype,
            Element::Precision,
            Element::Typesize,
            Element::Datacount,
        ]),
        latest: b'1',
        namespaced: false,
    };

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
        let mut record = Self {
            version: Text::fixed("1.1"),
            seen: Seen::of(&[Element::Version, Element::Recordtype, Element::Precision]),
            ..Self::default()
        };
        match region {
            Region::Lattice => {}
            Region::Global => record.recordtype = 1,
            Region::Hypercube(cube) => {
                record.recordtype = 2;
                record.spacetime = cube.lower().as_slice().len() as u32;
                record.lower = *cube.lower();
                record.upper = *cube.upper();
            }
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
        Self {
            version: Text::fixed("1.0"),
            globaldata: u32::from(global),
            seen: Seen::of(&[Element::Version, Element::Globaldata, Element::Precision]),
            ..Self::default()
        }
    }

    /// Sets the date as QIO writes it.
    pub fn set_date(&mut self, date: Date) {
        self.date = date.text().widen();
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
    /// The buffer is too small, or readers would see another text.
    pub fn emit(&self, buffer: &mut [u8]) -> Result<usize, EmitError> {
        self.emit_as(Form::Line, buffer)
    }

    /// Writes the document in a form of the caller's choice; returns the length.
    ///
    /// # Errors
    /// As [`emit`](Self::emit).
    pub fn emit_as(&self, form: Form, buffer: &mut [u8]) -> Result<usize, EmitError> {
        let mut emitter = Emitter::new(buffer, form, Self::SCHEMA.root, &[]);
        emitter.text(Element::Version, &self.version);
        emitter.text(Element::Date, &self.date);
        let record_type = self.record_type();
        if self.has_globaldata() {
            emitter.number(Element::Globaldata, self.globaldata);
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
        emitter.finish(Self::SCHEMA.root)
    }

    /// The document's version as written, empty if it was missing.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.version
    }

    /// What the data are spread over.
    #[must_use]
    pub fn record_type(&self) -> RecordType {
        match if self.has_globaldata() { self.globaldata } else { self.recordtype } {
            0 => RecordType::Field,
            1 => RecordType::Global,
            _ => RecordType::Hypercube,
        }
    }

    /// Bytes at a site; of all the data for a global record.
    #[must_use]
    pub const fn bytes_per_site(&self) -> u64 {
        times(self.typesize as u64, self.datacount as u64)
    }

    /// Which sites of a lattice of these extents the data cover.
    ///
    /// # Errors
    /// The bounds of a hypercube are not those of a box of this lattice.
    pub fn region(&self, extents: &Extents) -> Result<Region, ErrorKind> {
        self.region_in(extents).map_err(ErrorKind::Hypercube)
    }

    /// The same with the error alone.
    pub(crate) fn region_in(&self, extents: &Extents) -> Result<Region, HypercubeError> {
        match self.record_type() {
            RecordType::Field => Ok(Region::Lattice),
            RecordType::Global => Ok(Region::Global),
            RecordType::Hypercube => Hypercube::new(self.lower, self.upper, extents).map(Region::Hypercube),
        }
    }

    fn has_globaldata(&self) -> bool {
        self.version == "1.0" && self.seen.contains(Element::Globaldata)
    }
}

impl Document for PrivateRecord {
    fn schema(&self) -> &'static Schema {
        Self::SCHEMA
    }

    fn seen(&mut self) -> &mut Seen {
        &mut self.seen
    }

    fn slot(&mut self, element: Element) -> Slot<'_> {
        match element {
            Element::Date => Slot::Text { to: self.date.place(), cut: true },
            Element::Recordtype => Slot::choice(&mut self.recordtype, 2),
            Element::Globaldata => Slot::choice(&mut self.globaldata, 1),
            Element::Spacetime => Slot::number(&mut self.spacetime),
            Element::Hyperlower => Slot::List(&mut self.lower),
            Element::Hyperupper => Slot::List(&mut self.upper),
            Element::Datatype => Slot::Text { to: self.datatype.place(), cut: true },
            Element::Precision => Slot::Text { to: self.precision.place(), cut: false },
            Element::Colors => Slot::number(&mut self.colors),
            Element::Spins => Slot::number(&mut self.spins),
            Element::Typesize => Slot::positive(&mut self.typesize),
            Element::Datacount => Slot::positive(&mut self.datacount),
            _ => Slot::Text { to: self.version.place(), cut: false },
        }
    }

    fn problems(&self) -> Problems {
        let mut problems = Problems::of(Self::SCHEMA, self.version.as_bytes(), self.seen);
        // Version 1.0, up to 2007, had `globaldata` in its place, and even that optional.
        if self.version == "1.0" {
            problems.excuse(Element::Recordtype);
        }
        if self.record_type() == RecordType::Hypercube {
            problems.require(Seen::of(&[Element::Spacetime, Element::Hyperlower, Element::Hyperupper]));
            problems.compare_dimensions(self.spacetime, Element::Hyperlower, self.lower.as_slice());
        }
        problems
    }
}
