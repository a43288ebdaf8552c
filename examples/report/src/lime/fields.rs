//! Gauge fields: which can be measured, and what the figures say about them.

use linkstream::conformance::Decoder;
use linkstream::field::Field;
use linkstream::lattice::Precision;

use crate::figures::{Measured, Observables};
use crate::report::{Finding, Level};

/// The measurement of a field that begins, if it is a gauge field.
pub fn measurement(field: &Field, decoder: &Decoder, keeps_slices: bool) -> Option<Observables> {
    let format = decoder.format().filter(|_| decoder.format_describes_field());
    Observables::of(field, format.map(|format| format.kind()), keeps_slices)
}

/// Links further from unitary than rounding explains, in units of the precision's last digit.
const TOLERANCE: f64 = 1000.0;

/// The deviation from unitarity that rounding explains. Numbers that were in single precision before have not become more
/// precise.
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
