//! The conversion requested on the command line.

use std::str::FromStr;
use std::time::{SystemTime, UNIX_EPOCH};

use clap::ValueEnum;
use linkstream::ildg::GaugeKind;
use linkstream::lattice::Precision;
use linkstream::scidac::Date;

/// The documents of the file that is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Target {
    /// ILDG 1.2 (gauge fields only), with a checksum if the input has one.
    Ildg,
    /// SciDAC.
    Scidac,
    /// SciDAC documents, and an ildg-format for each gauge field, as QIO writes them.
    Both,
}

/// Number of rows stored of each link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rows {
    Full,
    Reduced,
    Number(u16),
}

impl FromStr for Rows {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "full" => Ok(Self::Full),
            "reduced" => Ok(Self::Reduced),
            _ => text
                .parse()
                .map(Self::Number)
                .map_err(|_| "expected full, reduced or a number of rows".to_owned()),
        }
    }
}

impl Rows {
    /// The number of rows, if ILDG allows links of this kind to be stored so (ILDG 1.2, section 2.5.1).
    pub fn of(self, kind: GaugeKind) -> anyhow::Result<u16> {
        let (full, reduced) = (kind.colors(), kind.reduced_rows());
        match (self, reduced) {
            (Self::Full, _) => Ok(full),
            (Self::Reduced, Some(rows)) => Ok(rows),
            (Self::Reduced, None) => anyhow::bail!("links of {kind} are stored with all rows only"),
            (Self::Number(rows), _) if rows == full || Some(rows) == reduced => Ok(rows),
            (Self::Number(rows), Some(reduced)) => {
                anyhow::bail!("links of {kind} are stored with {full} rows or {reduced}, not {rows}")
            }
            (Self::Number(rows), None) => {
                anyhow::bail!("links of {kind} are stored with {full} rows, not {rows}")
            }
        }
    }
}

/// The requested properties of the new file.
#[derive(Debug, Default)]
pub struct Wish {
    /// `None`: each data record keeps its documents.
    pub target: Option<Target>,
    /// Whether the `ildg-format` is of version 1.2 even if there are SciDAC documents.
    pub newest: bool,
    /// Whether the new file is a set of volumes: it gets SciDAC documents, with QIO's texts if the input has none.
    pub as_set: bool,
    /// Number of the data record, from 0. `None`: all that can be written.
    pub field: Option<usize>,
    /// Whether one field must be chosen if there are several.
    pub one: bool,
    /// The kind of links, if the file does not contain it.
    pub kind: Option<GaugeKind>,
    pub precision: Option<Precision>,
    pub rows: Option<Rows>,
    pub tolerance: Option<f64>,
    pub lfn: Option<String>,
    pub update: Option<String>,
    pub date: Option<String>,
    pub file_xml: Option<String>,
    pub record_xml: Option<String>,
    /// Whether to write a checksum even if the source has none and there are no SciDAC documents.
    pub checksum: bool,
}

/// `32` or `64`.
pub fn precision(text: &str) -> Result<Precision, String> {
    match text {
        "32" => Ok(Precision::F32),
        "64" => Ok(Precision::F64),
        _ => Err("32 or 64".to_owned()),
    }
}

/// The present time in QIO's format.
pub fn unix_now() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs());
    Date::from_unix(now).to_string()
}
