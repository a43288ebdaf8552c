//! Compares the figures of a gauge field that programs recorded in the texts of its file with those of the data.
//!
//! MILC and Grid write `usqcdInfo` documents, tmLQCD writes `xlf-info`, Grid writes `grid-format` and norms of gauge
//! fields; a converter of NERSC archives keeps their headers. The number of printed digits determines the precision of
//! the comparison.

use linkstream::Class;
use linkstream::lattice::{Checksum, Precision};

use super::contents::{Contents, FieldEntry, RecordEntry};
use super::note::{Quantity, TEXTS};
use super::notes;
use super::recorded::{Computed, Recorded};
use crate::figures::Measured;
use crate::findings::{Finding, Level};

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

/// Compares the figures that texts record about each gauge field, and returns a finding for each difference.
pub fn compare(contents: &mut Contents) -> Vec<Finding> {
    let found: Vec<Vec<Recorded>> = contents.fields.iter().map(|field| recorded(contents, field)).collect();
    let findings = found.iter().flatten().filter_map(difference).collect();
    for (field, recorded) in contents.fields.iter_mut().zip(found) {
        field.recorded = recorded;
    }
    findings
}

fn recorded(contents: &Contents, field: &FieldEntry) -> Vec<Recorded> {
    if field.field.links.is_none() {
        return Vec::new();
    }
    let all = texts(contents, field).flat_map(|(entry, text)| {
        notes::of(&entry.record_type, &text).into_iter().map(|note| Recorded {
            computed: computed(note.quantity, field),
            note,
            record_type: String::from_utf8_lossy(&entry.record_type).into_owned(),
            offset: entry.record.offset,
        })
    });
    all.collect()
}

/// The texts about a field that may contain figures.
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

/// How much rounding may change a recorded number: the links in memory of the program that recorded it had more digits
/// than those stored in single precision, or its sums had fewer digits, since MILC multiplies in single precision.
fn rounding(field: &FieldEntry, measured: &Measured) -> f64 {
    match field.field.precision {
        Some(Precision::F64) if !measured.widened => 1e-12,
        _ => 1e-6,
    }
}

/// The finding for a recorded value that differs from that of the data.
pub fn difference(recorded: &Recorded) -> Option<Finding> {
    let computed = recorded.computed.filter(|_| recorded.agrees() == Some(false))?;
    let class = match computed {
        Computed::Number { .. } => Class::Rule,
        Computed::Sum(_) => Class::Checksum,
    };
    let (record, quantity, text) =
        (&recorded.record_type, recorded.note.quantity.words(), &recorded.note.text);
    let message =
        format!("{record} records {text} as {quantity}, but the data give {}", computed.shown(text));
    let (severity, rule) = (Level::Warning, recorded.note.quantity.rule());
    Some(Finding { severity, class, rule, clause: "", offset: recorded.offset, message })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lime::note::{Note, Noted};

    #[test]
    fn a_difference_is_a_warning_with_both_values() {
        let note =
            Note { quantity: Quantity::WordSum { rows: 2 }, value: Noted::Sum(10), text: "a".to_owned() };
        let recorded = Recorded {
            note,
            record_type: "scidac-record-xml".to_owned(),
            offset: 968,
            computed: Some(Computed::Sum(11)),
        };
        let finding = difference(&recorded).unwrap();
        assert_eq!(
            (finding.severity, finding.rule, finding.offset),
            (Level::Warning, "recorded-checksum-differs", 968)
        );
        let message = "scidac-record-xml records a as NERSC checksum, but the data give b (11 in decimal)";
        assert_eq!(finding.message, message);
        assert!(difference(&Recorded { computed: Some(Computed::Sum(10)), ..recorded.clone() }).is_none());
        assert!(difference(&Recorded { computed: None, ..recorded }).is_none());
    }
}
