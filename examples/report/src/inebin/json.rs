//! An INEBIN file in JSON.

use linkstream::inebin::{Header, MatrixType};
use serde::ser::SerializeMap;

use super::contents::Contents;
use super::figures::{Figures, Integers, Reals};
use crate::json::{Entries, Integer, Object, count};

/// Writes the entries of the line that only this format has. All keys of a type are present; values that were not read
/// are null.
pub fn entries<M: SerializeMap>(contents: &Contents, line: &mut M) -> Result<(), M::Error> {
    let header = contents.header.as_ref();
    let letter = header.map(|header| char::from(header.matrix_type().letter()));
    line.serialize_entry("type", &letter)?;
    line.serialize_entry("rows", &header.map(Header::rows))?;
    line.serialize_entry("columns", &header.map(Header::columns))?;
    line.serialize_entry("entries", &header.map(|header| count(header.entry_count())))?;
    line.serialize_entry("data_bytes", &header.map(|header| count(header.data_length())))?;
    let Some(header) = header else { return Ok(()) };
    match (&contents.figures, header.matrix_type()) {
        (Some(Figures::Boolean(set)), _) => line.serialize_entry("set_bits", &count(*set)),
        (Some(Figures::Integer(integers)), _) => integers.entries(line),
        (Some(Figures::Real(reals)), _) => {
            reals.entries(line)?;
            not_finite(reals.not_numbers, reals.infinite, line)
        }
        (Some(Figures::Complex(parts)), _) => {
            line.serialize_entry("re", &Object(&parts.re))?;
            line.serialize_entry("im", &Object(&parts.im))?;
            not_finite(parts.not_numbers, parts.infinite, line)
        }
        (None, matrix_type) => keys(matrix_type).iter().try_for_each(|key| line.serialize_entry(key, &())),
    }
}

/// The keys of the figures of each type.
const fn keys(matrix: MatrixType) -> &'static [&'static str] {
    match matrix {
        MatrixType::Boolean => &["set_bits"],
        MatrixType::Integer => &["min", "max", "mean"],
        MatrixType::Real => &["min", "max", "mean", "nan_count", "inf_count"],
        MatrixType::Complex => &["re", "im", "nan_count", "inf_count"],
    }
}

impl Entries for Integers {
    fn entries<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        object.serialize_entry("min", &self.range.map(|(min, _)| Integer(min)))?;
        object.serialize_entry("max", &self.range.map(|(_, max)| Integer(max)))?;
        object.serialize_entry("mean", &self.mean())
    }
}

/// The figures of real numbers. JSON has no infinities: they are null, and counted in `inf_count`.
impl Entries for Reals {
    fn entries<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        object.serialize_entry("min", &self.range.map(|(min, _)| min))?;
        object.serialize_entry("max", &self.range.map(|(_, max)| max))?;
        object.serialize_entry("mean", &self.mean())
    }
}

fn not_finite<M: SerializeMap>(not_numbers: u64, infinite: u64, line: &mut M) -> Result<(), M::Error> {
    line.serialize_entry("nan_count", &count(not_numbers))?;
    line.serialize_entry("inf_count", &count(infinite))
}
