//! Description of the data of a record: `QIO_RecordInfo` (QIO 2.3, section 4.2).

use std::ffi::c_int;
use std::time::SystemTime;

use linkstream::Diagnostic as _;
use linkstream::lattice::{Coordinates, Extents, Hypercube, MAX_DIMENSIONS, Region};
use linkstream::scidac::{Date, PrivateRecord, RecordData, RecordType};
use linkstream_c_border::Failure;

use crate::code::{ERR_BAD_SUBSET, ERR_PRIVATE_REC_INFO, ERR_REC_INFO, Refused};
use crate::text::Text;

/// All sites of the lattice: `QIO_FIELD`.
pub const FIELD: c_int = 0;
/// Global data: `QIO_GLOBAL`.
pub const GLOBAL: c_int = 1;
/// The sites of a hypercube: `QIO_HYPER`.
pub const HYPER: c_int = 2;

/// Description of the data of a record. Numbers that are 0 and texts that are missing or empty are not given.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct RecordInfo {
    /// [`FIELD`], [`GLOBAL`] or [`HYPER`].
    pub recordtype: c_int,
    /// Number of dimensions of the bounds; 0 if they are not given.
    pub dimensions: usize,
    /// First corner of the hypercube; beyond `dimensions`, and without bounds, all are 0.
    pub lower: [c_int; MAX_DIMENSIONS],
    /// Last corner, inclusive.
    pub upper: [c_int; MAX_DIMENSIONS],
    /// Name of the type of an item.
    pub datatype: Text,
    /// Precision of the numbers: F, D, I, S.
    pub precision: Text,
    /// Number of colors.
    pub colors: c_int,
    /// Number of spins.
    pub spins: c_int,
    /// Size of an item in bytes.
    pub typesize: c_int,
    /// Number of items per site.
    pub datacount: c_int,
    /// Date of writing in QIO's form.
    pub date: Text,
}

impl RecordInfo {
    /// The bounds, if there are any.
    #[must_use]
    pub fn bounds(&self) -> Option<(&[c_int], &[c_int])> {
        let has_bounds = self.recordtype == HYPER && self.dimensions > 0;
        has_bounds.then(|| (&self.lower[..self.dimensions], &self.upper[..self.dimensions]))
    }

    /// Sets the bounds of a hypercube.
    ///
    /// # Errors
    /// They are not the corners of a hypercube of 1 to 8 dimensions.
    pub fn set_bounds(&mut self, lower: &[c_int], upper: &[c_int]) -> Result<(), Refused> {
        let count = lower.len();
        if count != upper.len() || !(1..=MAX_DIMENSIONS).contains(&count) {
            return Err(Refused::usage(format!("a hypercube of {count} dimensions; there can be 1 to 8")));
        }
        if let Some(wrong) = lower.iter().zip(upper).position(|(lower, upper)| *lower < 0 || lower > upper) {
            let (lower, upper) = (lower[wrong], upper[wrong]);
            let message = format!("dimension {wrong} of the hypercube is from {lower} to {upper}");
            return Err(Refused::because(ERR_BAD_SUBSET, message));
        }
        self.dimensions = count;
        (self.lower, self.upper) = <_>::default();
        self.lower[..count].copy_from_slice(lower);
        self.upper[..count].copy_from_slice(upper);
        Ok(())
    }

    /// Checks that all numbers can occur.
    ///
    /// # Errors
    /// An unknown record type, or a negative number.
    pub fn check(&self) -> Result<(), Refused> {
        if !(FIELD..=HYPER).contains(&self.recordtype) {
            return Err(Refused::usage(format!("there is no record type {}", self.recordtype)));
        }
        for (name, number) in self.numbers() {
            if number < 0 {
                return Err(Refused::usage(format!("{name} is {number}")));
            }
        }
        Ok(())
    }

    const fn numbers(&self) -> [(&'static str, c_int); 4] {
        [
            ("colors", self.colors),
            ("spins", self.spins),
            ("typesize", self.typesize),
            ("datacount", self.datacount),
        ]
    }

    /// Number of bytes per site, or of all global data.
    #[must_use]
    pub fn bytes_per_site(&self) -> u64 {
        let number = |number| u64::try_from(number).unwrap_or(0);
        number(self.typesize) * number(self.datacount)
    }

    /// Sets the date to the current time, in UTC.
    pub fn date_now(&mut self) {
        let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
        let date = Date::from_unix(now.map_or(0, |time| time.as_secs()));
        self.date = Text::new(date.text().as_bytes());
    }

    /// Compares with an expected description: its record type, and all else that it gives. The date is not compared.
    ///
    /// # Errors
    /// The first difference.
    pub fn compare(&self, expected: &Self) -> Result<(), Refused> {
        let differs = |name: &str, found: String, expected: String| {
            let message = format!("{name} is {found}, but {expected} is expected");
            Err(Refused::because(ERR_REC_INFO, message))
        };
        if self.recordtype != expected.recordtype {
            return differs("recordtype", self.recordtype.to_string(), expected.recordtype.to_string());
        }
        if let Some(bounds) = expected.bounds().filter(|bounds| self.bounds() != Some(*bounds)) {
            return differs("the hypercube", format!("{:?}", self.bounds()), format!("{bounds:?}"));
        }
        let texts = [
            ("datatype", &self.datatype, &expected.datatype),
            ("precision", &self.precision, &expected.precision),
        ];
        for (name, found, expected) in texts {
            if !expected.as_bytes().is_empty() && found.as_bytes() != expected.as_bytes() {
                return differs(name, format!("{:?}", found.shown()), format!("{:?}", expected.shown()));
            }
        }
        for ((name, found), (_, expected)) in self.numbers().into_iter().zip(expected.numbers()) {
            if expected != 0 && found != expected {
                return differs(name, found.to_string(), expected.to_string());
            }
        }
        Ok(())
    }

    /// The sites of a lattice that the data cover.
    ///
    /// # Errors
    /// The bounds are missing, or no hypercube of this lattice.
    pub fn region(&self, lattice: &Extents) -> Result<Region, Refused> {
        match (self.recordtype, self.bounds()) {
            (FIELD, _) => Ok(Region::Lattice),
            (GLOBAL, _) => Ok(Region::Global),
            (_, None) => Err(Refused::because(ERR_BAD_SUBSET, "the hypercube has no bounds")),
            (_, Some((lower, upper))) => {
                let cube = Hypercube::new(coordinates(lower)?, coordinates(upper)?, lattice);
                let cube = cube.map_err(|error| Refused::because(ERR_BAD_SUBSET, error.to_string()))?;
                Ok(Region::Hypercube(cube))
            }
        }
    }

    /// The document of a record with such data, with the date.
    ///
    /// # Errors
    /// The bounds are no hypercube of this lattice; a text is too long or cannot be in the document; or the description
    /// contradicts itself.
    pub fn private_record(&self, lattice: &Extents) -> Result<PrivateRecord, Refused> {
        self.check()?;
        let refused = |message: String| Refused::because(ERR_PRIVATE_REC_INFO, message);
        let text = |text: &Text, name: &str| {
            String::from_utf8(text.as_bytes().to_vec()).map_err(|_| refused(format!("{name} is not UTF-8")))
        };
        let number = |number: c_int| u32::try_from(number).unwrap_or(0);
        let too_long =
            |name: &str, limit: usize| refused(format!("{name} has more than {limit} bytes, the limit"));
        let data = RecordData {
            datatype: text(&self.datatype, "datatype")?
                .as_str()
                .try_into()
                .map_err(|error: linkstream::scidac::TextTooLong| too_long("datatype", error.room))?,
            precision: text(&self.precision, "precision")?
                .as_str()
                .try_into()
                .map_err(|error: linkstream::scidac::TextTooLong| too_long("precision", error.room))?,
            colors: number(self.colors),
            spins: number(self.spins),
            typesize: number(self.typesize),
            datacount: number(self.datacount),
        };
        let record = PrivateRecord::new(&self.region(lattice)?);
        let mut record = record.with_data(data).map_err(|contradiction| {
            Refused::new(
                ERR_PRIVATE_REC_INFO,
                Failure {
                    clause: "QIO 2.3, section 4.2".to_owned(),
                    ..Failure::usage(contradiction.to_string())
                },
            )
        })?;
        record.date = text(&self.date, "date")?
            .as_str()
            .try_into()
            .map_err(|error: linkstream::scidac::TextTooLong| too_long("date", error.room))?;
        Ok(record)
    }

    /// The description in the document of a record.
    ///
    /// # Errors
    /// The bounds are no hypercube of this lattice, or a number is 2^31 or more.
    pub fn of_private_record(record: &PrivateRecord, lattice: &Extents) -> Result<Self, Refused> {
        let number = |name: &str, number: u32| {
            let large =
                || Refused::because(ERR_PRIVATE_REC_INFO, format!("{name} is {number}: 2^31 or more"));
            c_int::try_from(number).map_err(|_| large())
        };
        let region = record.region(lattice).map_err(|kind| {
            Refused::new(
                ERR_BAD_SUBSET,
                Failure {
                    rule: kind.rule().to_owned(),
                    clause: kind.clause().to_owned(),
                    ..Failure::usage(kind.to_string())
                },
            )
        })?;
        let mut info = Self {
            recordtype: match record.record_type() {
                RecordType::Field => FIELD,
                RecordType::Global => GLOBAL,
                RecordType::Hypercube => HYPER,
            },
            datatype: Text::new(record.datatype.as_bytes()),
            precision: Text::new(record.precision.as_bytes()),
            colors: number("colors", record.colors)?,
            spins: number("spins", record.spins)?,
            typesize: number("typesize", record.typesize)?,
            datacount: number("datacount", record.datacount)?,
            date: Text::new(record.date.as_bytes()),
            ..Self::default()
        };
        if let Region::Hypercube(cube) = region {
            let corner = |corner: &Coordinates| {
                corner.as_slice().iter().map(|value| number("a bound", *value)).collect::<Result<Vec<_>, _>>()
            };
            info.set_bounds(&corner(cube.lower())?, &corner(cube.upper())?)?;
        }
        Ok(info)
    }
}

fn coordinates(values: &[c_int]) -> Result<Coordinates, Refused> {
    let values: Result<Vec<u32>, _> = values.iter().map(|value| u32::try_from(*value)).collect();
    let values = values.ok().and_then(|values| Coordinates::new(&values));
    values.ok_or_else(|| Refused::because(ERR_BAD_SUBSET, "a bound of the hypercube is negative"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use linkstream::xml::Spacing;

    fn vector() -> RecordInfo {
        RecordInfo {
            datatype: Text::new(b"USQCD_F3_ColorVector"),
            precision: Text::new(b"F"),
            colors: 3,
            typesize: 24,
            datacount: 1,
            date: Text::new(b"Tue Jan  2 03:04:05 2024 UTC"),
            ..RecordInfo::default()
        }
    }

    #[test]
    fn only_what_is_expected_is_compared() {
        let found = vector();
        found.compare(&RecordInfo::default()).unwrap();
        found.compare(&RecordInfo { precision: Text::new(b"F"), ..RecordInfo::default() }).unwrap();
        for (expected, part) in [
            (RecordInfo { precision: Text::new(b"D"), ..RecordInfo::default() }, "precision is \"F\""),
            (RecordInfo { datatype: Text::new(b"x"), ..RecordInfo::default() }, "datatype"),
            (RecordInfo { spins: 4, ..RecordInfo::default() }, "spins is 0, but 4"),
            (RecordInfo { recordtype: GLOBAL, ..RecordInfo::default() }, "recordtype is 0"),
        ] {
            let refused = found.compare(&expected).unwrap_err();
            assert_eq!(refused.code, ERR_REC_INFO);
            assert!(refused.failure.unwrap().message.contains(part), "{part}");
        }
        // The other way round, what is found is not asked for.
        RecordInfo::default().compare(&found).unwrap_err();

        let mut slice = RecordInfo { recordtype: HYPER, ..vector() };
        slice.set_bounds(&[0, 0, 0, 1], &[3, 3, 3, 1]).unwrap();
        let mut expected = RecordInfo { recordtype: HYPER, ..RecordInfo::default() };
        slice.compare(&expected).unwrap();
        expected.set_bounds(&[0, 0, 0, 1], &[3, 3, 3, 2]).unwrap();
        assert!(slice.compare(&expected).is_err());
    }

    #[test]
    fn documents_and_back() {
        let lattice = Extents::new(&[4, 4, 4, 8]).unwrap();
        let mut slice = RecordInfo { recordtype: HYPER, ..vector() };
        slice.set_bounds(&[0, 0, 0, 1], &[3, 3, 3, 1]).unwrap();
        let global = RecordInfo { recordtype: GLOBAL, ..vector() };
        for info in [vector(), slice.clone(), global] {
            let record = info.private_record(&lattice).unwrap();
            let mut buffer = [0; 1024];
            let length = record.emit(Spacing::Line, &mut buffer).unwrap();
            let read = PrivateRecord::parse(&buffer[..length]).unwrap();
            assert_eq!(RecordInfo::of_private_record(&read, &lattice).unwrap(), info);
        }
        let small = Extents::new(&[4, 4, 4, 1]).unwrap();
        assert_eq!(slice.private_record(&small).unwrap_err().code, ERR_BAD_SUBSET);
        let wrong = RecordInfo { typesize: 12, ..vector() };
        assert_eq!(wrong.private_record(&lattice).unwrap_err().code, ERR_PRIVATE_REC_INFO);
        let long = RecordInfo { datatype: Text::new(&[b'x'; 65]), ..vector() };
        assert!(long.private_record(&lattice).is_err());
    }

    #[test]
    fn wrong_numbers_are_refused() {
        let mut info = vector();
        assert_eq!(info.set_bounds(&[1], &[0]).unwrap_err().code, ERR_BAD_SUBSET);
        assert!(info.set_bounds(&[-1], &[0]).is_err() && info.set_bounds(&[0; 9], &[0; 9]).is_err());
        assert!(info.set_bounds(&[], &[]).is_err() && info.bounds().is_none());
        assert!(RecordInfo { recordtype: 3, ..vector() }.check().is_err());
        assert!(RecordInfo { spins: -1, ..vector() }.check().is_err());
        info.date_now();
        assert_eq!(info.date.as_bytes().len(), 28);
    }
}
