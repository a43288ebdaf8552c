//! Compares the observables of a gauge field that programs recorded in the texts of its file with the data.
//!
//! MILC and Grid write `usqcdInfo` documents, tmLQCD writes `xlf-info`, Grid writes `grid-format` and norms of gauge
//! fields; a converter of NERSC archives keeps their headers. The number of printed digits determines the precision of
//! the comparison.

use linkstream::lattice::{Checksum, Precision};

use super::contents::{Contents, FieldEntry, RecordEntry};
use super::fields::has_other_links;
use super::note::{Quantity, TEXTS};
use super::notes;
use super::recorded::{Computed, Recorded};
use crate::figures::Measured;

/// The number of rows of each link in the sum of words that a text before the data records, so that the sum can be
/// computed while the data are read. `None` if there is no such text.
pub fn word_sum_rows(contents: &Contents) -> Option<u32> {
    let field = contents.fields.last()?;
    texts(contents, field).flat_map(|(entry, text)| notes::of(&entry.record_type, &text)).find_map(|note| {
        match note.quantity {
            Quantity::WordSum { rows } => Some(rows),
            _ => None,
        }
    })
}

/// The observables that texts record about a field with links, each with the computed value. For smeared, fat or long
/// links there are none: such texts record the observables of the gauge field that the links were computed from.
pub fn recorded(contents: &Contents, field: &FieldEntry) -> Vec<Recorded> {
    if field.field.links.is_none() {
        return Vec::new();
    }
    let is_of_other = has_other_links(field, contents);
    let all = texts(contents, field).flat_map(|(entry, text)| {
        notes::of(&entry.record_type, &text).into_iter().map(|note| Recorded {
            computed: computed(note.quantity, field).filter(|_| note.quantity.is_of_data() || !is_of_other),
            note,
            record_type: String::from_utf8_lossy(&entry.record_type).into_owned(),
            offset: entry.record.offset,
        })
    });
    all.collect()
}

/// The texts about a field that may contain observables.
fn texts<'c>(contents: &'c Contents, field: &FieldEntry) -> impl Iterator<Item = (&'c RecordEntry, String)> {
    let named = |entry: &&RecordEntry| TEXTS.iter().any(|name| name.as_bytes() == entry.record_type);
    contents
        .records_about(field)
        .filter(named)
        .filter_map(|entry| Some((entry, entry.text.as_ref()?.shown())))
}

/// The value of a quantity, computed from the data.
fn computed(quantity: Quantity, field: &FieldEntry) -> Option<Computed> {
    let measured = field.measured.as_ref();
    let traced = |value: Option<f64>| value.zip(measured).map(|(value, all)| value * f64::from(all.colors));
    let number = match quantity {
        Quantity::Plaquette => measured?.plaquette,
        Quantity::SpatialTrace => traced(measured?.spatial),
        Quantity::TemporalTrace => traced(measured?.temporal),
        Quantity::LinkTrace => Some(measured?.link_trace),
        Quantity::SquaredNorm => Some(measured?.squared_norm),
        Quantity::Suma => return field.checksum.map(|Checksum { suma, .. }| Computed::Sum(suma)),
        Quantity::Sumb => return field.checksum.map(|Checksum { sumb, .. }| Computed::Sum(sumb)),
        Quantity::WordSum { rows } => {
            return field.word_sum.filter(|sum| sum.rows == rows).map(|sum| Computed::Sum(sum.sum));
        }
    };
    let value = number?;
    // The norm is a sum, the others are averages.
    let scale = if quantity == Quantity::SquaredNorm { value.abs() } else { 1.0 };
    Some(Computed::Number { value, rounding: scale * rounding(field, measured?) })
}

/// Largest difference in a recorded number that rounding explains. The links in memory of the program that recorded it
/// had more digits than links stored in single precision, or its sums had fewer digits, since MILC multiplies in single
/// precision.
fn rounding(field: &FieldEntry, measured: &Measured) -> f64 {
    match field.field.precision {
        Some(Precision::F64) if !measured.widened => 1e-12,
        _ => 1e-6,
    }
}
