//! The arguments of `ildg make`.

use std::path::PathBuf;

use clap::Args;
use linkstream::ildg::GaugeKind;
use linkstream::lattice::Precision;

use crate::convert::{kind, lfn, tolerance, update};
use crate::fields::{Rows, precision};

#[derive(Debug, Args)]
pub struct Make {
    /// The file to write; `-` is standard output.
    pub out: PathBuf,
    /// Raw data: numbers one after the other, in the order of ILDG 1.2, section 2.5.1; or an array of NumPy (NPY).
    /// `-` is standard input.
    #[arg(long, value_name = "FILE", required_unless_present = "from")]
    pub data: Option<PathBuf>,
    /// A file whose field is taken; `-` is standard input.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["data", "extents", "little_endian", "big_endian"])]
    pub from: Option<PathBuf>,
    /// Of that file, the data record of this number, from 1.
    #[arg(long, value_name = "NUMBER", conflicts_with = "data")]
    pub field: Option<usize>,
    /// The lattice: lx, ly, lz, lt [default: that of the array; raw data need it].
    #[arg(long, value_name = "4x4x4x8", value_parser = extents)]
    pub extents: Option<[u32; 4]>,
    /// Kind of gauge field [default: su3gauge, or that of the other file].
    #[arg(long, value_parser = kind)]
    pub kind: Option<GaugeKind>,
    /// Bits of a number [default: 64, or what the array or the other file has].
    #[arg(long, value_name = "32|64", value_parser = precision)]
    pub precision: Option<Precision>,
    /// Rows of each link: full, reduced, or how many [default: full, or what the array or the other file has].
    #[arg(long, value_name = "full|reduced|N")]
    pub rows: Option<Rows>,
    /// Raw data have the last byte of a number first.
    #[arg(long, conflicts_with = "big_endian")]
    pub little_endian: bool,
    /// Raw data are big endian, as in the file (the default).
    #[arg(long)]
    pub big_endian: bool,
    /// How far rows that are left out may be from what the others give, if the other file has them [default: 1e-6
    /// where numbers have 32 bits, 1e-12 where they have 64].
    #[arg(long, value_parser = tolerance, conflicts_with = "data")]
    pub tolerance: Option<f64>,
    /// Logical file name.
    #[arg(long, value_name = "NAME", value_parser = lfn)]
    pub lfn: Option<String>,
    /// Number of the update that made the configuration.
    #[arg(long, value_name = "DIGITS", value_parser = update)]
    pub update: Option<String>,
    /// Write SciDAC's documents and a checksum, too.
    #[arg(long)]
    pub scidac: bool,
    /// Write a checksum in any case. Otherwise there is one if the other file has one, or by --scidac.
    #[arg(long)]
    pub checksum: bool,
    /// The user's text about the file.
    #[arg(long, value_name = "TEXT", requires = "scidac")]
    pub file_xml: Option<String>,
    /// The user's text about the field.
    #[arg(long, value_name = "TEXT", requires = "scidac")]
    pub record_xml: Option<String>,
    /// Date of the SciDAC record. Otherwise that of the other file, or now.
    #[arg(long, value_name = "TEXT", requires = "scidac")]
    pub date: Option<String>,
    /// Replace the file if it exists.
    #[arg(long)]
    pub force: bool,
}

/// Four numbers between crosses.
fn extents(text: &str) -> Result<[u32; 4], String> {
    let numbers: Option<Vec<u32>> =
        text.split('x').map(|number| number.parse().ok().filter(|n| *n > 0)).collect();
    let four = numbers.and_then(|numbers| numbers.try_into().ok());
    four.ok_or_else(|| "four numbers like 4x4x4x8; a direction that is not there has 1".to_owned())
}
