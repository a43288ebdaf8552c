//! Gauge fields: which ones can be measured, and which findings follow from the figures.

use linkstream::conformance::Decoder;
use linkstream::field::Field;
use linkstream::lattice::{Precision, Region};
use linkstream::scidac;

use super::contents::{Contents, FieldEntry};
use crate::figures::{Measured, Observables};
use crate::findings::{Finding, Level};

/// The measurement of a field that begins, if it is a gauge field.
pub fn measurement(field: &Field, decoder: &Decoder, keeps_slices: bool) -> Option<Observables> {
    let format = decoder.format().filter(|_| decoder.format_describes_field());
    Observables::of(field, format.map(|format| format.kind()), keeps_slices)
}

/// Whether a field covers the lattice with one link for each of its directions, or with the links that an `ildg-format`
/// describes.
pub fn is_gauge_field(field: &Field, has_format: bool) -> bool {
    let all = u32::from(field.extents.dimensions());
    let links = field.links.filter(|_| field.region == Region::Lattice);
    links.is_some_and(|links| has_format || links.links == all)
}

/// Whether a document states that a field with links is a gauge field, as opposed to momenta, for example: an
/// `ildg-format` describes it, or its datatype or a text of the program that wrote it mentions gauge fields or
/// plaquettes.
pub fn is_gauge(entry: &FieldEntry, contents: &Contents) -> bool {
    let mentions = |text: &str| {
        let text = text.to_ascii_lowercase();
        ["gauge", "plaq"].iter().any(|word| text.contains(word))
    };
    let texts = [scidac::FILE_XML, scidac::RECORD_XML];
    let described = entry.measured.as_ref().is_some_and(|measured| measured.group.is_some());
    described
        || entry.datatype.as_deref().is_some_and(mentions)
        || texts.iter().any(|name| contents.text_about(entry, name).is_some_and(|text| mentions(&text)))
}

/// Deviation from unitarity that rounding can explain, in units of the last digit of the precision.
const TOLERANCE: f64 = 1000.0;

/// The deviation from unitarity that rounding can explain. Numbers that were converted from single precision have the
/// deviation of single precision.
pub fn threshold(measured: &Measured, field: &Field) -> Option<f64> {
    let rounding = match field.precision? {
        Precision::F64 if !measured.widened => f64::EPSILON,
        _ => f64::from(f32::EPSILON),
    };
    Some(TOLERANCE * rounding)
}

/// The finding about a field that follows from its figures, if there is one.
pub fn judge(measured: &Measured, field: &Field) -> Option<Finding> {
    let deviation = measured.max_unitarity_deviation;
    let finding = |severity, rule, message| {
        Some(Finding {
            severity,
            class: linkstream::Class::Decode,
            rule,
            clause: "",
            offset: field.record.offset,
            message,
        })
    };
    if !deviation.is_finite() || !measured.link_trace.is_finite() {
        let message = "links hold numbers that are infinite or not numbers".to_owned();
        return finding(Level::Error, "links-not-finite", message);
    }
    let threshold = measured.threshold.filter(|threshold| deviation > *threshold)?;
    let message =
        format!("links are not unitary: the largest deviation is {deviation:.3e}, above {threshold:.3e}");
    finding(Level::Warning, "links-not-unitary", message)
}
