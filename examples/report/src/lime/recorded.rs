//! What programs recorded about a gauge field in the texts of its file, compared with what the data give.
//!
//! MILC and Grid write `usqcdInfo` documents, tmLQCD an `xlf-info`, Grid a `grid-format`; a converter of NERSC archives keeps
//! their headers. The digits that are printed decide how exactly a number is compared.

use linkstream::lattice::{Checksum, Precision};
use linkstream::scidac;

use super::contents::{Contents, FieldEntry, RecordEntry};
use super::notes;
use crate::figures::Measured;
use crate::report::{Finding, Level};

/// What is recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Quantity {
    Plaquette,
    /// Without the normalisation by the number of colors.
    SpatialTrace,
    /// Likewise.
    TemporalTrace,
    LinkTrace,
    Suma,
    Sumb,
    /// The sum of all 32-bit words of so many rows of each link, which NERSC archives have.
    WordSum {
        rows: u32,
    },
}

impl Quantity {
    /// In JSON.
    pub const fn key(self) -> &'static str {
        match self {
            Self::Plaquette => "plaquette",
            Self::SpatialTrace => "spatial_plaquette_trace",
            Self::TemporalTrace => "temporal_plaquette_trace",
            Self::LinkTrace => "link_trace",
            Self::Suma => "suma",
            Self::Sumb => "sumb",
            Self::WordSum { .. } => "nersc_checksum",
        }
    }

    /// For people.
    pub const fn words(self) -> &'static str {
        match self {
            Self::Plaquette => "plaquette",
            Self::SpatialTrace => "trace of spatial plaquettes",
            Self::TemporalTrace => "trace of temporal plaquettes",
            Self::LinkTrace => "link trace",
            Self::Suma => "checksum suma",
            Self::Sumb => "checksum sumb",
            Self::WordSum { .. } => "NERSC checksum",
        }
    }

    const fn rule(self) -> &'static str {
        match self {
            Self::Plaquette | Self::SpatialTrace | Self::TemporalTrace => "recorded-plaquette-differs",
            Self::LinkTrace => "recorded-link-trace-differs",
            Self::Suma | Self::Sumb | Self::WordSum { .. } => "recorded-checksum-differs",
        }
    }
}

/// A quantity as a text has it.
#[derive(Debug, Clone, PartialEq)]
pub struct Note {
    pub quantity: Quantity,
    pub value: Noted,
    /// As printed.
    pub text: String,
}

/// A value that a text has.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Noted {
    Number {
        value: f64,
        /// One unit of the last digit that is printed.
        unit: f64,
    },
    Sum(u32),
}

/// A quantity as recorded, and as computed from the data.
#[derive(Debug, Clone)]
pub struct Recorded {
    pub note: Note,
    /// Type and offset of the record with the text.
    pub record_type: String,
    pub offset: u64,
    /// `None`: it was not computed.
    pub computed: Option<Computed>,
}

/// A value that was computed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Computed {
    Number {
        value: f64,
        /// By how much rounding of the stored links may change it.
        rounding: f64,
    },
    Sum(u32),
}

impl Recorded {
    /// Whether both values are the same, as far as they can be; `None` if nothing was computed.
    pub fn agrees(&self) -> Option<bool> {
        Some(match (self.note.value, self.computed?) {
            (Noted::Number { value, unit }, Computed::Number { value: computed, rounding }) => {
                (value - computed).abs() <= unit + rounding
            }
            (Noted::Sum(sum), Computed::Sum(computed)) => sum == computed,
            _ => false,
        })
    }

    fn finding(&self) -> Option<Finding> {
        let computed = self.computed.filter(|_| self.agrees() == Some(false))?;
        let class = match computed {
            Computed::Number { .. } => linkstream::Class::Rule,
            Computed::Sum(_) => linkstream::Class::Checksum,
        };
        let (record, quantity, text) = (&self.record_type, self.note.quantity.words(), &self.note.text);
        let message =
            format!("{record} records {text} as {quantity}, but the data give {}", computed.shown(text));
        let (severity, rule) = (Level::Warning, self.note.quantity.rule());
        Some(Finding { severity, class, rule, clause: "", offset: self.offset, message })
    }
}

impl Computed {
    /// In the manner of the text with the recorded value.
    fn shown(self, text: &str) -> String {
        match self {
            Self::Number { value, .. } if text.contains(['e', 'E']) => format!("{value:.9e}"),
            Self::Number { value, .. } => format!("{value:.9}"),
            Self::Sum(sum) => format!("{sum:x} ({sum} in decimal)"),
        }
    }
}

/// The sum of words that the texts before the data have, so that it can be computed with them: rows of each link.
pub fn word_sum_rows(contents: &Contents) -> Option<u32> {
    let field = contents.fields.last()?;
    texts(contents, field).flat_map(|(entry, text)| notes::of(&entry.record_type, &text)).find_map(|note| {
        match note.quantity {
            Quantity::WordSum { rows } => Some(rows),
            _ => None,
        }
    })
}

/// Compares what the texts about each gauge field record. Gives the differences.
pub fn compare(contents: &mut Contents) -> Vec<Finding> {
    let found: Vec<Vec<Recorded>> = contents.fields.iter().map(|field| recorded(contents, field)).collect();
    let findings = found.iter().flatten().filter_map(Recorded::finding).collect();
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

/// The texts about a field that may have figures.
fn texts<'c>(contents: &'c Contents, field: &FieldEntry) -> impl Iterator<Item = (&'c RecordEntry, String)> {
    let named = |entry: &&RecordEntry| TEXTS.iter().any(|name| name.as_bytes() == entry.record_type);
    contents
        .records_about(field)
        .filter(named)
        .filter_map(|entry| Some((entry, entry.text.as_ref()?.shown())))
}

/// What the data give for a quantity.
fn computed(quantity: Quantity, field: &FieldEntry) -> Option<Computed> {
    let measured = field.measured.as_ref();
    let traced = |value: Option<f64>| value.zip(measured).map(|(value, all)| value * f64::from(all.colors));
    let number = match quantity {
        Quantity::Plaquette => measured?.plaquette,
        Quantity::SpatialTrace => traced(measured?.spatial),
        Quantity::TemporalTrace => traced(measured?.temporal),
        Quantity::LinkTrace => Some(measured?.link_trace),
        Quantity::Suma => return field.checksum.map(|Checksum { suma, .. }| Computed::Sum(suma)),
        Quantity::Sumb => return field.checksum.map(|Checksum { sumb, .. }| Computed::Sum(sumb)),
        Quantity::WordSum { rows } => {
            return field.word_sum.filter(|sum| sum.rows == rows).map(|sum| Computed::Sum(sum.sum));
        }
    };
    Some(Computed::Number { value: number?, rounding: rounding(field, measured?) })
}

/// The links in memory of the program that recorded a number had more digits than those that are stored in single precision,
/// or its sums fewer: MILC multiplies in single precision.
fn rounding(field: &FieldEntry, measured: &Measured) -> f64 {
    match field.field.precision {
        Some(Precision::F64) if !measured.widened => 1e-12,
        _ => 1e-6,
    }
}

/// The records whose texts are looked at.
pub const TEXTS: [&str; 4] = [scidac::FILE_XML, scidac::RECORD_XML, "xlf-info", "grid-format"];

#[cfg(test)]
mod tests {
    use super::*;

    fn recorded(text: &str, computed: f64) -> Option<bool> {
        let value = notes::number(text).unwrap();
        let note = Note { quantity: Quantity::Plaquette, value, text: text.to_owned() };
        let computed = Some(Computed::Number { value: computed, rounding: 1e-12 });
        Recorded { note, record_type: "xlf-info".to_owned(), offset: 0, computed }.agrees()
    }

    #[test]
    fn numbers_are_compared_as_exactly_as_they_are_printed() {
        assert_eq!(recorded("0.5956", 0.595_67), Some(true));
        assert_eq!(recorded("0.5956", 0.595_78), Some(false));
        assert_eq!(recorded("5.956709e-01", 0.595_670_9), Some(true));
        assert_eq!(recorded("5.956709e-01", 0.595_671_2), Some(false));
        assert_eq!(recorded("-1", -0.5), Some(true));
        assert_eq!(recorded("0.5", f64::NAN), Some(false));
    }

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
        let finding = recorded.finding().unwrap();
        assert_eq!(
            (finding.severity, finding.rule, finding.offset),
            (Level::Warning, "recorded-checksum-differs", 968)
        );
        let message = "scidac-record-xml records a as NERSC checksum, but the data give b (11 in decimal)";
        assert_eq!(finding.message, message);
        assert!(Recorded { computed: Some(Computed::Sum(10)), ..recorded.clone() }.finding().is_none());
        assert!(Recorded { computed: None, ..recorded }.finding().is_none());
    }
}
