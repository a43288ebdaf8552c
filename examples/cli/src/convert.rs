//! The command `convert`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use linkstream::ildg::GaugeKind;
use linkstream::lattice::{ByteOrder, Precision};
use linkstream::nersc;

use crate::archive::{NerscForm, write_nersc};
use crate::fields::{self, Rows, Target, Wish};

/// What the new file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// Documents of ILDG 1.2, and a checksum where there is one; gauge fields only.
    Ildg,
    /// Documents of SciDAC.
    Scidac,
    /// SciDAC's with an ildg-format beside each gauge field, as QIO writes them.
    Both,
    /// A NERSC archive of one gauge field of SU(3).
    Nersc,
}

/// Byte orders of NERSC archives.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Order {
    Big,
    Little,
}

#[derive(Debug, Args)]
pub struct Convert {
    /// The file to read; `-` is standard input.
    input: PathBuf,
    /// The file to write; `-` is standard output.
    out: PathBuf,
    /// Documents of the new file. Otherwise each field keeps what it has.
    #[arg(long, value_enum)]
    to: Option<Form>,
    /// Bits of a number.
    #[arg(long, value_name = "32|64", value_parser = fields::precision)]
    precision: Option<Precision>,
    /// Rows of each link: full, or reduced, from which the others follow.
    #[arg(long, value_name = "full|reduced")]
    rows: Option<Rows>,
    /// Only the data record of this number, from 1.
    #[arg(long, value_name = "NUMBER")]
    field: Option<usize>,
    /// What the links are where the file does not say: su3gauge and the like. Otherwise SU(N).
    #[arg(long, value_parser = kind)]
    kind: Option<GaugeKind>,
    /// How far rows that are left out may be from what the others give [default: 1e-6 where numbers have 32 bits,
    /// 1e-12 where they have 64].
    #[arg(long, value_parser = tolerance)]
    tolerance: Option<f64>,
    /// Byte order of a NERSC archive [default: big].
    #[arg(long, value_enum, value_name = "big|little", hide_possible_values = true)]
    byte_order: Option<Order>,
    /// Logical file name. Otherwise that of the file.
    #[arg(long, value_name = "NAME", value_parser = lfn)]
    lfn: Option<String>,
    /// Date of the SciDAC records. Otherwise their own, or now.
    #[arg(long, value_name = "TEXT")]
    date: Option<String>,
    /// A checksum also where the file that is read has none. SciDAC documents always have one.
    #[arg(long)]
    checksum: bool,
    /// Replace the file if it exists.
    #[arg(long)]
    force: bool,
}

pub const EXAMPLES: &str = "\
All gauge fields are converted, and other fields where SciDAC documents describe them. Texts, dates, the
logical file name and update numbers are carried over where the new documents have a place for them, records of
other types never. What had a checksum has one. Rows are reconstructed in the precision of the file that is
read, as ILDG 1.2, appendix A.2 says, and then converted. Links that do not exist (open boundaries) stay so.
Links in directions with a single site, which ILDG has not had since 1.2, are left out by --to ildg, and by
--to both if rows are; without --to a plain file that has them stays one of version 1.0.

NERSC archives and MILC files of version 5 are read as QIO's converter reads them: a SciDAC record of links with
all rows, its text with plaquette, link trace and header. The byte order of archives that do not name it is the one in
which the checksum is right. --to nersc writes an archive of one gauge field of SU(3), and keeps the header lines of one
that is read. A copy of the links in a temporary file is needed for both.

Checksums of the file that is read are verified, and the new file is read again before it gets its name.
Exit status 1: the file that is read is damaged, or its data cannot be written so.

Examples:
  linkstream convert lat.0100.ildg single.ildg --precision 32
  linkstream convert lat.0100.lime lat.0100.ildg --to ildg --rows reduced --lfn lfn://example/lat.0100
  linkstream convert compressed.ildg lat.lime --to both --rows full
  linkstream convert lat.nersc lat.ildg --to both --lfn lfn://example/lat
  linkstream convert lat.0100.ildg lat.nersc --to nersc --rows reduced --precision 32
  zcat lat.gz | linkstream convert - - --to scidac | ssh host 'cat > lat.lime'";

pub fn run(convert: Convert) -> anyhow::Result<()> {
    let target = match convert.to {
        Some(Form::Ildg) => Some(Target::Ildg),
        Some(Form::Scidac) => Some(Target::Scidac),
        Some(Form::Both) => Some(Target::Both),
        Some(Form::Nersc) => return to_nersc(&convert),
        None => None,
    };
    if convert.byte_order.is_some() {
        anyhow::bail!("--byte-order is for --to nersc: LIME files are big endian");
    }
    let wish = Wish {
        target,
        field: convert.field,
        kind: convert.kind,
        precision: convert.precision,
        rows: convert.rows,
        tolerance: convert.tolerance,
        lfn: convert.lfn,
        date: convert.date,
        checksum: convert.checksum,
        ..Wish::default()
    };
    fields::run(&convert.input, &convert.out, convert.force, &wish)
}

fn to_nersc(convert: &Convert) -> anyhow::Result<()> {
    if convert.lfn.is_some() || convert.date.is_some() {
        anyhow::bail!(
            "a NERSC archive has no logical file name and no SciDAC record: --lfn and --date are for others"
        );
    }
    let order = match convert.byte_order {
        Some(Order::Little) => ByteOrder::Little,
        Some(Order::Big) | None => ByteOrder::Big,
    };
    let rows = match convert.rows.map(|rows| rows.of(GaugeKind::SU3)).transpose()? {
        Some(2) => nersc::Rows::Two,
        _ => nersc::Rows::Three,
    };
    let form = NerscForm { rows, order, tolerance: convert.tolerance };
    let wish = Wish {
        target: Some(Target::Scidac),
        field: convert.field,
        one: true,
        kind: convert.kind,
        precision: convert.precision,
        rows: Some(Rows::Full),
        ..Wish::default()
    };
    write_nersc(&convert.input, &convert.out, convert.force, &wish, form)
}

/// A kind as in `<field>` of the `ildg-format`.
pub fn kind(name: &str) -> Result<GaugeKind, String> {
    let kinds = "suNgauge, soNgauge, spNgauge (N even, 4 at least), uNgauge or u1phase";
    GaugeKind::parse(name.as_bytes()).ok_or_else(|| format!("not one of {kinds}"))
}

/// A logical file name.
pub fn lfn(name: &str) -> Result<String, String> {
    fields::judge(name).map(|()| name.to_owned()).map_err(|why| why.to_string())
}

/// An update number.
pub fn update(text: &str) -> Result<String, String> {
    let digits = Some(text.to_owned()).filter(|text| fields::is_update(text));
    digits.ok_or_else(|| "the update number is not a string of digits".to_owned())
}

/// A number that is not negative.
pub fn tolerance(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| *number >= 0.0 && number.is_finite());
    number.ok_or_else(|| "a number like 1e-6".to_owned())
}
