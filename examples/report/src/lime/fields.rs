//! Gauge fields: which can be measured, and what the figures say about them.

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

/// Whether a document says that a field which has links is a gauge field, and not, say, their momenta: an `ildg-format`
/// describes it, or the name of its data type or a text of its writer mentions gauge fields or plaquettes.
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

/// Links further from unitary than rounding explains, in units of the precision's last digit.
const TOLERANCE: f64 = 1000.0;

/// The deviation from unitarity that rounding explains. Numbers that were in single precision before have not become
/// more precise.
pub fn threshold(measured: &Measured, field: &Field) -> Option<f64> {
    let rounding = match field.precision? {
        Precision::F64 if !measured.widened => f64::EPSILON,
        _ => f64::from(f32::EPSILON),
    };
    Some(TOLERANCE * rounding)
}

/// What the figures say against a field, if anything.
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
