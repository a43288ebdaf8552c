//! The documents of ILDG files, kinds of gauge fields, and reduced storage of links.
//!
//! Source: ILDG binary file format, revision 1.2 (November 2024). [`crate::field`] deals with the order of records
//! in a file.

mod format;
mod reconstruct;

pub use format::{Format, GaugeKind, Group};
pub use reconstruct::{MAX_RECONSTRUCTED_COLORS, Real, ReconstructError, deviation, reconstruct};

/// Reserved prefix of the record types of ILDG (section 2.2).
pub const NAMESPACE: &str = "ildg-";
/// Type of the LIME record with a [`Format`] (section 2.3).
pub const FORMAT: &str = "ildg-format";
/// Type of the LIME record with the number of the update (the Monte Carlo step) of the configuration (section 2.4).
pub const UPDATE: &str = "ildg-update";
/// Type of the LIME record with the data of a gauge field (section 2.5).
pub const BINARY_DATA: &str = "ildg-binary-data";
/// Type of the LIME record with the logical file name (section 2.6).
pub const DATA_LFN: &str = "ildg-data-lfn";

/// Returns whether ILDG allows a byte in its text records: printable ASCII, tab and line feed (section 2.2).
///
/// # Example
/// ```
/// use linkstream::ildg::is_text;
///
/// assert!(is_text(b'a') && is_text(b'\n') && !is_text(b'\r') && !is_text(0xe4));
/// ```
#[must_use]
pub const fn is_text(byte: u8) -> bool {
    matches!(byte, 0x20..=0x7e | b'\t' | b'\n')
}
