//! The properties that a caller requests of a new file.

use std::str::FromStr;
use std::time::{SystemTime, UNIX_EPOCH};

use linkstream::ildg::GaugeKind;
use linkstream::lattice::Precision;
use linkstream::scidac::Date;

use super::refusal::Refusal;

/// The documents of the file that is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// ILDG 1.2 (gauge fields only), with a checksum if the input has one.
    Ildg,
    /// SciDAC.
    Scidac,
    /// SciDAC documents, and an ildg-format for each gauge field, as QIO writes them.
    Both,
}

/// Number of rows stored of each link. Parsed from `full`, `reduced` or a number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rows {
    /// All rows.
    Full,
    /// The rows that suffice to compute the others (ILDG 1.2, section 2.5.1).
    Reduced,
    /// This number.
    Number(u16),
}

/// Error: the text is not a valid number of rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected full, reduced or a number of rows")]
pub struct NotRows;

impl FromStr for Rows {
    type Err = NotRows;

    fn from_str(text: &str) -> Result<Self, NotRows> {
        match text {
            "full" => Ok(Self::Full),
            "reduced" => Ok(Self::Reduced),
            _ => text.parse().map(Self::Number).map_err(|_| NotRows),
        }
    }
}

impl Rows {
    /// The number of rows.
    ///
    /// # Errors
    /// ILDG does not allow links of this kind to be stored so (ILDG 1.2, section 2.5.1).
    pub fn of(self, kind: GaugeKind) -> Result<u16, Refusal> {
        let (full, reduced) = (kind.colors(), kind.reduced_rows());
        match (self, reduced) {
            (Self::Full, _) => Ok(full),
            (Self::Reduced, Some(rows)) => Ok(rows),
            (Self::Reduced, None) => Err(Refusal::Rows { kind, rows: None }),
            (Self::Number(rows), _) if rows == full || Some(rows) == reduced => Ok(rows),
            (Self::Number(rows), _) => Err(Refusal::Rows { kind, rows: Some(rows) }),
        }
    }
}

/// The requested properties of the new file.
#[derive(Debug, Clone, Default)]
pub struct Wish {
    /// `None`: each data record keeps its documents.
    pub target: Option<Target>,
    /// True for an `ildg-format` of version 1.2 even if there are SciDAC documents.
    pub newest: bool,
    /// True for a new file set: it gets SciDAC documents, with QIO's texts if the input has none.
    pub as_set: bool,
    /// Number of the data record, from 0. `None`: all that can be written.
    pub field: Option<usize>,
    /// True if one field must be chosen among several.
    pub one: bool,
    /// The kind of links, if the file does not contain it.
    pub kind: Option<GaugeKind>,
    /// Precision of the numbers. `None`: as in the input.
    pub precision: Option<Precision>,
    /// Stored rows of each link. `None`: as in the input, or all in a file without `ildg-format`.
    pub rows: Option<Rows>,
    /// Largest difference between omitted rows and the rows computed from the others. `None`: 1e-6 for numbers of 32
    /// bits, 1e-12 for numbers of 64 bits.
    pub tolerance: Option<f64>,
    /// Logical file name. `None`: as in the input.
    pub lfn: Option<String>,
    /// Update number. `None`: as in the input.
    pub update: Option<String>,
    /// True if the caller writes the update number elsewhere, so that a file without `ildg-format` does not lose it.
    pub keeps_update: bool,
    /// Date of the SciDAC records. `None`: as in the input, or now.
    pub date: Option<String>,
    /// The user's text about the file. `None`: as in the input.
    pub file_xml: Option<String>,
    /// The user's text about the record. `None`: as in the input.
    pub record_xml: Option<String>,
    /// True to describe a gauge field of SU(3) without a text of the user by a `usqcdInfo` with its plaquette and link
    /// trace (QIO 2.3, appendix A.1).
    pub observables: bool,
    /// The `<info>` of the `usqcdInfo`, which replaces the text about the record then.
    pub title: Option<String>,
    /// True to write a checksum even if the source has none and there are no SciDAC documents.
    pub checksum: bool,
}

/// The present time in QIO's format.
#[must_use]
pub fn unix_now() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    Date::from_unix(now).to_string()
}
