//! The maximum of deviations.

/// The larger of the two, or NaN if either is NaN (`f64::max` would drop it).
pub fn larger_or_nan(a: f64, b: f64) -> f64 {
    if a > b || a.is_nan() { a } else { b }
}
