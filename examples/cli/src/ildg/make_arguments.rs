//! The arguments of `ildg make`.

use std::path::PathBuf;

use clap::Args;
use linkstream::ildg::GaugeKind;
use linkstream::lattice::Precision;
use linkstream_access::write::Rows;

use crate::convert::{date, kind, lfn, tolerance, update};
use crate::counting::from_zero;
use crate::fields::precision;
use crate::judged::Permission;
use crate::xml_text::{argument, document};

#[derive(Debug, Args)]
pub struct Make {
    /// The file to write; `-` is standard output.
    pub out: PathBuf,
    /// Raw data, which are numbers in the order of ILDG 1.2, section 2.5.1; or a NumPy array (NPY file).
    /// `-` is standard input.
    #[arg(long, value_name = "FILE", required_unless_present = "from")]
    pub data: Option<PathBuf>,
    /// A file whose field is copied; `-` is standard input.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["data", "extents", "little_endian", "big_endian"])]
    pub from: Option<PathBuf>,
    /// Number of the field in that file, counted from 0.
    #[arg(long, value_name = "NUMBER", conflicts_with = "data", value_parser = from_zero::<usize>)]
    pub field: Option<usize>,
    /// The lattice, as LXxLYxLZxLT [default: as in the array; required for raw data].
    #[arg(long, value_name = "4x4x4x8", value_parser = extents)]
    pub extents: Option<[u32; 4]>,
    /// Kind of gauge field [default: su3gauge, or as in the other file].
    #[arg(long, value_parser = kind)]
    pub kind: Option<GaugeKind>,
    /// Precision: bits per number [default: 64, or as in the array or the other file].
    #[arg(long, value_name = "32|64", value_parser = precision)]
    pub precision: Option<Precision>,
    /// Stored rows of each link: full, reduced, or a number [default: full, or as in the array or the other file].
    #[arg(long, value_name = "full|reduced|N")]
    pub rows: Option<Rows>,
    /// The raw data are little-endian.
    #[arg(long, conflicts_with = "big_endian")]
    pub little_endian: bool,
    /// True if the data are a NumPy array, which states its byte order.
    #[arg(skip)]
    pub is_array: bool,
    /// The raw data are big-endian, as in ILDG files (the default).
    #[arg(long)]
    pub big_endian: bool,
    /// With --from: largest difference between omitted rows and those computed from the others [default: 1e-6 for
    /// 32-bit numbers, 1e-12 for 64-bit numbers].
    #[arg(long, value_parser = tolerance, conflicts_with = "data")]
    pub tolerance: Option<f64>,
    /// Logical file name.
    #[arg(long, value_name = "NAME", value_parser = lfn)]
    pub lfn: Option<String>,
    /// Number of the update (Monte Carlo step) of the configuration.
    #[arg(long, value_name = "DIGITS", value_parser = update)]
    pub update: Option<String>,
    /// Also write SciDAC documents and a checksum.
    #[arg(long)]
    pub scidac: bool,
    /// Always write a checksum [default: if the other file has one, or with --scidac].
    #[arg(long)]
    pub checksum: bool,
    /// The user's text about the file (scidac-file-xml).
    #[arg(long, value_name = "TEXT", requires = "scidac", value_parser = document)]
    pub file_xml: Option<String>,
    /// The user's text about the field (scidac-record-xml).
    #[arg(long, value_name = "TEXT", requires = "scidac", value_parser = document)]
    pub record_xml: Option<String>,
    /// Text for `<info>` of the usqcdInfo, which a field of SU(3) without --record-xml gets.
    #[arg(long, value_name = "TEXT", requires = "scidac", conflicts_with = "record_xml", value_parser = argument)]
    pub title: Option<String>,
    /// Date of the SciDAC record [default: as in the other file, or now].
    #[arg(long, value_name = "TEXT", requires = "scidac", value_parser = date)]
    pub date: Option<String>,
    /// With --data: also accept numbers that are infinite or NaN, and links that are not unitary.
    #[arg(long, conflicts_with = "from")]
    pub any_numbers: bool,
    #[command(flatten)]
    pub permission: Permission,
    /// Replace the file if it exists.
    #[arg(long)]
    pub force: bool,
}

/// Parses four numbers with `x` between them.
pub fn extents(text: &str) -> Result<[u32; 4], String> {
    let numbers: Option<Vec<u32>> =
        text.split('x').map(|number| number.parse().ok().filter(|n| *n > 0)).collect();
    let four = numbers.and_then(|numbers| numbers.try_into().ok());
    four.ok_or_else(|| {
        "expected four numbers like 4x4x4x8; use 1 for a direction that does not exist".to_owned()
    })
}
