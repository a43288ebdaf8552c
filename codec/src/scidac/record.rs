//! `scidac-private-record-xml`: the description of the data of one record (QIO 2.3, section 4.2), and its date.

use core::fmt;
use core::ops::Deref;

use super::data::RecordData;
use crate::counter::{Counter as _, plus_u8, times};
use crate::error::Error;
use crate::lattice::{Coordinates, Extents, Hypercube, HypercubeError, Region};
use crate::state::saved;
use crate::xml::{
    self, Document, ElementName, EmitError, Emitter, ErrorKind, Problems, Schema, Seen, Slot, Spacing, Text,
};

/// The sites that the data of a record cover.
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
    /// No sites: the data belong to the lattice as a whole.
    Global,
    /// The sites of a hypercube.
    Hypercube,
}

/// The document `scidacRecord`, versions 1.0 and 1.1. The [module](super) lists its elements.
///
/// A site holds `datacount` items of `typesize` bytes each. These elements are in [`RecordData`], which can be read
/// from the record directly: `record.typesize`. If `precision` is empty or unknown, the word size is unknown.
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
    /// Date of writing, as free text; QIO writes C's `asctime` and `UTC`. A text of more than 64 bytes is truncated
    /// when it is read, which is a finding.
    pub date: Text<64>,
    /// As in the document: 0 to 2, in the order of [`RecordType`].
    recordtype: u32,
    /// As in the document: 1 for global data. Only used in version 1.0.
    globaldata: u32,
    spacetime: u32,
    lower: Coordinates,
    upper: Coordinates,
    /// The elements agree with each other, unless the record was read from a file.
    pub(super) data: RecordData,
    seen: Seen,
}

saved!(struct PrivateRecord { version, date, recordtype, globaldata, spacetime, lower, upper, data, seen });

/// The state before a document is read.
impl Default for PrivateRecord {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl PrivateRecord {
    /// The state before a document is read. All bytes are zero, so that clearing memory is enough.
    pub(crate) const EMPTY: Self = Self {
        version: Text::new(),
        date: Text::new(),
        recordtype: 0,
        globaldata: 0,
        spacetime: 0,
        lower: Coordinates::EMPTY,
        upper: Coordinates::EMPTY,
        data: RecordData::EMPTY,
        seen: Seen::NONE,
    };
}

/// Compares the meaning. A record is thus equal to the one that is read back after writing it, although only the latter
/// stores the set of elements that the document contained.
impl PartialEq for PrivateRecord {
    fn eq(&self, other: &Self) -> bool {
        (&self.version, &self.date) == (&other.version, &other.date)
            && (self.record_type(), self.spacetime, self.lower, self.upper)
                == (other.record_type(), other.spacetime, other.lower, other.upper)
            && self.data == other.data
    }
}

impl PrivateRecord {
    /// The elements about the data: all except version and date of the document.
    pub(super) const ABOUT_DATA: &[ElementName] = &[
        ElementName::Recordtype,
        ElementName::Hyperlower,
        ElementName::Hyperupper,
        ElementName::Datatype,
        ElementName::Precision,
        ElementName::Colors,
        ElementName::Spins,
        ElementName::Typesize,
        ElementName::Datacount,
    ];
    const SCHEMA: &Schema = &Schema {
        root: "scidacRecord",
        elements: Seen::of(Self::ABOUT_DATA)
            .with(ElementName::Version)
            .with(ElementName::Date)
            .with(ElementName::Globaldata)
            .with(ElementName::Spacetime),
        required: Seen::of(&[
            ElementName::Version,
            ElementName::Recordtype,
            ElementName::Datatype,
            ElementName::Precision,
            ElementName::Typesize,
            ElementName::Datacount,
        ]),
        latest: b'1',
        namespaced: false,
    };

    /// A record of version 1.1 for data that cover these sites. [`with_data`](Self::with_data) describes the data.
    ///
    /// # Example
    /// ```
    /// use linkstream::lattice::{Extents, Region};
    /// use linkstream::scidac::{Date, PrivateRecord, RecordData};
    /// use linkstream::xml::Spacing;
    ///
    /// let data = RecordData { precision: "D".try_into()?, typesize: 8, datacount: 1, ..RecordData::default() };
    /// let record = PrivateRecord::new(&Region::Lattice).with_data(data)?.dated(Date::from_unix(1_700_000_000));
    /// assert_eq!(record.version(), "1.1");
    /// assert_eq!(record.region(&Extents::new(&[4, 4])?)?, Region::Lattice);
    /// let mut buffer = [0; 512];
    /// let length = record.emit(Spacing::Lines, &mut buffer)?;
    /// assert_eq!(PrivateRecord::parse(&buffer[..length])?, record);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(region: &Region) -> Self {
        let mut record = Self::default();
        record.begin();
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

    /// Makes an empty record one of version 1.1 about the whole lattice, without data.
    pub(super) fn begin(&mut self) {
        self.version = Text::fixed("1.1");
        self.seen = Seen::of(&[ElementName::Version, ElementName::Recordtype, ElementName::Precision]);
    }

    /// A record of version 1.0, as QIO wrote it until 2007; this version has fields and global data only.
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
            seen: Seen::of(&[ElementName::Version, ElementName::Globaldata, ElementName::Precision]),
            ..Self::default()
        }
    }

    pub(crate) fn set_date(&mut self, date: Date) {
        self.date = date.text().widen();
    }

    /// Reads a document from a slice that contains all of it.
    ///
    /// # Errors
    /// The first broken rule above [`Severity::Info`](crate::Severity::Info), so warnings as well. Its offset is
    /// counted from the first byte of the document.
    pub fn parse(document: &[u8]) -> Result<Self, Error<ErrorKind>> {
        xml::read(document)
    }

    /// Writes the document; [`Spacing::Line`] is as QIO does, with a terminating NUL. Returns its length in bytes. As
    /// in QIO, colors and spins are omitted if they are zero.
    ///
    /// # Errors
    /// The buffer is too small, or a text contains characters that readers would not see unchanged.
    pub fn emit(&self, spacing: Spacing, buffer: &mut [u8]) -> Result<usize, EmitError> {
        let mut emitter = Emitter::new(buffer, spacing, Self::SCHEMA.root, &[]);
        emitter.text(ElementName::Version, &self.version);
        emitter.text(ElementName::Date, &self.date);
        let record_type = self.record_type();
        if self.has_globaldata() {
            emitter.number(ElementName::Globaldata, self.globaldata);
        } else {
            emitter.number(ElementName::Recordtype, record_type as u32);
        }
        if record_type == RecordType::Hypercube {
            emitter.number(ElementName::Spacetime, self.spacetime);
            emitter.numbers(ElementName::Hyperlower, self.lower.as_slice());
            emitter.numbers(ElementName::Hyperupper, self.upper.as_slice());
        }
        emitter.text(ElementName::Datatype, &self.datatype);
        emitter.text(ElementName::Precision, &self.precision);
        if self.colors > 0 {
            emitter.number(ElementName::Colors, self.colors);
        }
        if self.spins > 0 {
            emitter.number(ElementName::Spins, self.spins);
        }
        emitter.number(ElementName::Typesize, self.typesize);
        emitter.number(ElementName::Datacount, self.datacount);
        emitter.finish(Self::SCHEMA.root)
    }

    /// The version as written in the document; empty if it is missing.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.version
    }

    /// The sites that the data cover.
    #[must_use]
    pub fn record_type(&self) -> RecordType {
        match if self.has_globaldata() { self.globaldata } else { self.recordtype } {
            0 => RecordType::Field,
            1 => RecordType::Global,
            _ => RecordType::Hypercube,
        }
    }

    /// Description of the data of a site. Its elements can also be read from the record itself: `record.typesize`.
    #[must_use]
    pub const fn data(&self) -> &RecordData {
        &self.data
    }

    /// Number of bytes per site; of all data if the record is global.
    #[must_use]
    pub const fn bytes_per_site(&self) -> u64 {
        times(self.data.typesize as u64, self.data.datacount as u64)
    }

    /// The sites of a lattice of these extents that the data cover.
    ///
    /// # Errors
    /// The bounds of the record do not describe a hypercube of this lattice.
    pub fn region(&self, extents: &Extents) -> Result<Region, ErrorKind> {
        self.region_in(extents).map_err(ErrorKind::Hypercube)
    }

    /// The same with the inner error.
    pub(crate) fn region_in(&self, extents: &Extents) -> Result<Region, HypercubeError> {
        match self.record_type() {
            RecordType::Field => Ok(Region::Lattice),
            RecordType::Global => Ok(Region::Global),
            RecordType::Hypercube => Hypercube::new(self.lower, self.upper, extents).map(Region::Hypercube),
        }
    }

    /// The corners of a hypercube, as in the document.
    pub(super) const fn bounds(&self) -> (&Coordinates, &Coordinates) {
        (&self.lower, &self.upper)
    }

    /// The same record for data that cover these sites.
    ///
    /// ```
    /// use linkstream::lattice::{Coordinates, Extents, Hypercube, Precision, Region};
    /// use linkstream::scidac::{PrivateRecord, RecordType};
    ///
    /// let corner = |values| Coordinates::new(values).ok_or("more than 8 dimensions");
    /// let slice = Hypercube::new(corner(&[0, 0, 0, 1])?, corner(&[3, 3, 3, 1])?, &Extents::new(&[4, 4, 4, 8])?)?;
    /// let record = PrivateRecord::complex_field(Precision::F32).covering(&Region::Hypercube(slice));
    /// assert_eq!((record.record_type(), record.typesize), (RecordType::Hypercube, 8));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub fn covering(mut self, region: &Region) -> Self {
        let Self { recordtype, globaldata, spacetime, lower, upper, version, seen, .. } = Self::new(region);
        (self.recordtype, self.globaldata, self.spacetime) = (recordtype, globaldata, spacetime);
        (self.lower, self.upper) = (lower, upper);
        // Hypercubes exist since version 1.1.
        (self.version, self.seen) = (version, seen);
        self
    }

    /// True for a document of version 1.0 with `globaldata`, which replaces `recordtype`.
    fn has_globaldata(&self) -> bool {
        self.version == "1.0" && self.seen.contains(ElementName::Globaldata)
    }
}

/// The elements about the data can be read from the record, but not changed.
///
/// ```compile_fail,E0594
/// use linkstream::lattice::Precision;
/// use linkstream::scidac::PrivateRecord;
///
/// let mut record = PrivateRecord::gauge_field(3, Precision::F32, 4);
/// record.typesize = 5;
/// ```
impl Deref for PrivateRecord {
    type Target = RecordData;

    fn deref(&self) -> &RecordData {
        &self.data
    }
}

impl Document for PrivateRecord {
    fn schema(&self) -> &'static Schema {
        Self::SCHEMA
    }

    fn seen(&mut self) -> &mut Seen {
        &mut self.seen
    }

    fn slot(&mut self, element: ElementName) -> Option<Slot<'_>> {
        Some(match element {
            ElementName::Date => Slot::Text { to: self.date.place(), cut: true },
            ElementName::Recordtype => Slot::choice(&mut self.recordtype, 2),
            ElementName::Globaldata => Slot::choice(&mut self.globaldata, 1),
            ElementName::Spacetime => Slot::number(&mut self.spacetime),
            ElementName::Hyperlower => Slot::List(&mut self.lower),
            ElementName::Hyperupper => Slot::List(&mut self.upper),
            ElementName::Datatype => Slot::Text { to: self.data.datatype.place(), cut: true },
            ElementName::Precision => Slot::Text { to: self.data.precision.place(), cut: false },
            ElementName::Colors => Slot::number(&mut self.data.colors),
            ElementName::Spins => Slot::number(&mut self.data.spins),
            ElementName::Typesize => Slot::positive(&mut self.data.typesize),
            ElementName::Datacount => Slot::positive(&mut self.data.datacount),
            ElementName::Version => Slot::Text { to: self.version.place(), cut: false },
            _ => return None,
        })
    }

    fn problems(&self) -> Problems {
        let mut problems = Problems::of(Self::SCHEMA, self.version.as_bytes(), self.seen);
        // Version 1.0 (until 2007) has `globaldata` instead, which is optional.
        if self.version == "1.0" {
            problems.excuse(ElementName::Recordtype);
        }
        if self.record_type() == RecordType::Hypercube {
            problems.require(Seen::of(&[
                ElementName::Spacetime,
                ElementName::Hyperlower,
                ElementName::Hyperupper,
            ]));
            problems.compare_dimensions(self.spacetime, ElementName::Hyperlower, self.lower.as_slice());
        }
        problems
    }
}

/// A time of the Gregorian calendar in UTC, displayed as the `date` of a private record.
///
/// ```
/// use linkstream::scidac::Date;
///
/// assert_eq!(Date::from_unix(1_704_164_645).to_string(), "Tue Jan  2 03:04:05 2024 UTC");
/// ```
///
/// # Example
/// ```
/// use linkstream::scidac::Date;
///
/// assert_eq!(Date::from_unix(0).text(), "Thu Jan  1 00:00:00 1970 UTC");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Date {
    /// Number of days since 1 January 1970.
    days: u32,
    /// Number of seconds since the start of that day.
    seconds: u32,
}

const DAY: u64 = 86_400;
/// 31 December 9999: the last day whose year has four digits.
const LAST_DAY: u64 = 2_932_896;

impl Date {
    /// A date from Unix time: seconds since the start of 1970, without leap seconds. Dates after the year 9999
    /// become the last day of that year.
    #[must_use]
    pub const fn from_unix(seconds: u64) -> Self {
        let days = if seconds / DAY > LAST_DAY { LAST_DAY } else { seconds / DAY };
        Self { days: days as u32, seconds: (seconds % DAY) as u32 }
    }

    /// Year, month from 0, day of the month from 1.
    fn calendar(self) -> (u32, u32, u32) {
        let mut days = self.days;
        let mut year = 1970_u32;
        loop {
            let length = if leap(year) { 366 } else { 365 };
            match days.checked_sub(length) {
                Some(rest) => days = rest,
                None => break,
            }
            year.increase(1);
        }
        let february = if leap(year) { 29 } else { 28 };
        let mut month = 0_u32;
        for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
            match days.checked_sub(length) {
                Some(rest) => days = rest,
                None => break,
            }
            month.increase(1);
        }
        (year, month, days.plus(1))
    }
}

const fn leap(year: u32) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

impl Date {
    /// The date as a text of 28 bytes.
    #[must_use]
    pub fn text(self) -> Text<28> {
        const WEEKDAYS: [&[u8; 3]; 7] = [b"Thu", b"Fri", b"Sat", b"Sun", b"Mon", b"Tue", b"Wed"];
        const MONTHS: [&[u8; 3]; 12] =
            [b"Jan", b"Feb", b"Mar", b"Apr", b"May", b"Jun", b"Jul", b"Aug", b"Sep", b"Oct", b"Nov", b"Dec"];
        let (year, month, day) = self.calendar();
        let [w0, w1, w2] = *WEEKDAYS.get((self.days % 7) as usize).copied().unwrap_or(b"   ");
        let [m0, m1, m2] = *MONTHS.get(month as usize).copied().unwrap_or(b"   ");
        let [_, _, d0, d1] = digits(day);
        // As in C, days below 10 are padded with a space.
        let d0 = if d0 == b'0' { b' ' } else { d0 };
        let [_, _, h0, h1] = digits(self.seconds / 3600);
        let [_, _, i0, i1] = digits(self.seconds / 60 % 60);
        let [_, _, s0, s1] = digits(self.seconds % 60);
        let [y0, y1, y2, y3] = digits(year);
        let text = [
            w0, w1, w2, b' ', m0, m1, m2, b' ', d0, d1, b' ', h0, h1, b':', i0, i1, b':', s0, s1, b' ', y0,
            y1, y2, y3, b' ', b'U', b'T', b'C',
        ];
        Text::ascii(text)
    }
}

const fn digits(number: u32) -> [u8; 4] {
    const fn digit(number: u32) -> u8 {
        plus_u8(b'0', (number % 10) as u8)
    }
    [digit(number / 1000), digit(number / 100), digit(number / 10), digit(number)]
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    #[test]
    fn days_of_leap_years_and_others() {
        for (seconds, date) in [
            (0, "Thu Jan  1 00:00:00 1970 UTC"),
            (951_782_399, "Mon Feb 28 23:59:59 2000 UTC"),
            (951_782_400, "Tue Feb 29 00:00:00 2000 UTC"),
            (1_133_729_346, "Sun Dec  4 20:49:06 2005 UTC"),
            (4_107_542_400, "Mon Mar  1 00:00:00 2100 UTC"),
            (253_402_300_799, "Fri Dec 31 23:59:59 9999 UTC"),
        ] {
            assert_eq!(Date::from_unix(seconds).to_string(), date);
        }
        assert!(Date::from_unix(u64::MAX).to_string().ends_with(" 9999 UTC"));
    }
}
