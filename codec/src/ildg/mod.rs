//! ILDG files: the document `ildg-format`, kinds of gauge fields, and reduced storage of links.
//!
//! This module contains the documents; [`field`](crate::field) reads and writes records and data, and
//! [`conformance`](crate::conformance) checks the rules of ILDG.
//!
//! # Example
//! ```
//! use linkstream::ildg::{Format, GaugeKind, reconstruct};
//! use linkstream::lattice::Precision;
//!
//! // An SU(3) gauge field in reduced storage: two rows of each link.
//! let format = Format::new(GaugeKind::SU3, Precision::F64, [4, 4, 4, 8]);
//! let format = format.with_rows(2).ok_or("SU(3) has reduced storage")?;
//! assert_eq!(format.data_length(), Some(512 * 4 * 2 * 3 * 2 * 8));
//!
//! // The third row of a link.
//! let mut link = [0.0; 18];
//! (link[0], link[8]) = (1.0, 1.0);
//! reconstruct(format.kind(), &mut link)?;
//! assert_eq!(link[12..], [0.0, 0.0, 0.0, 0.0, 1.0, 0.0]);
//! # Ok::<(), Box<dyn core::error::Error>>(())
//! ```
#![doc = include_str!("../guide/items.txt")]
#![doc = include_str!("reference.md")]

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
pub(crate) const fn is_text(byte: u8) -> bool {
    matches!(byte, 0x20..=0x7e | b'\t' | b'\n')
}
