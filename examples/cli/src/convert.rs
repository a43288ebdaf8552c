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
    /// ILDG 1.2 (gauge fields only), with a checksum if the input has one.
    Ildg,
    /// SciDAC.
    Scidac,
    /// SciDAC documents, and an ildg-format for each gauge field, as QIO writes them.
    Both,
    /// A NERSC archive of one SU(3) gauge field.
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
    /// Form of the new file [default: the form of each field is kept].
    #[arg(long, value_enum)]
    to: Option<Form>,
    /// Precision: bits per number.
    #[arg(long, value_name = "32|64", value_parser = fields::precision)]
    precision: Option<Precision>,
    /// Stored rows of each link: full (all), or reduced (those from which the others can be computed).
    #[arg(long, value_name = "full|reduced")]
    rows: Option<Rows>,
    /// Convert only the data record with this number, counted from 1.
    #[arg(long, value_name = "NUMBER")]
    field: Option<usize>,
    /// Kind of gauge field, such as su3gauge, if the file does not state it [default: SU(N)].
    #[arg(long, value_parser = kind)]
    kind: Option<GaugeKind>,
    /// Largest difference between omitted rows and those computed from the others [default: 1e-6 for 32-bit numbers,
    /// 1e-12 for 64-bit numbers].
    #[arg(long, value_parser = tolerance)]
    tolerance: Option<f64>,
    /// Byte order of a NERSC archive [default: big].
    #[arg(long, value_enum, value_name = "big|little", hide_possible_values = true)]
    byte_order: Option<Order>,
    /// Logical file name [default: that of the input].
    #[arg(long, value_name = "NAME", value_parser = lfn)]
    lfn: Option<String>,
    /// Date of the SciDAC records [default: that of the input, or now].
    #[arg(long, value_name = "TEXT")]
    date: Option<String>,
    /// Write a checksum even if the input has none. Fields with SciDAC documents always have one.
    #[arg(long)]
    checksum: bool,
    /// Replace the file if it exists.
    #[arg(long)]
    force: bool,
}

pub const EXAMPLES: &str = "\
All gauge fields are converted, and other fields if SciDAC documents describe them. Texts, dates, the logical file name
and update numbers are copied if the new form can store them; records of other types are not copied. A field with a
checksum keeps one. Rows are reconstructed in the precision of the input, as defined in ILDG 1.2, appendix A.2, and then
converted. Links that do not exist (open boundaries) are preserved. ILDG 1.2 has no links in directions with a single
site: --to ildg omits them, and so does --to both with reduced rows; without --to, a plain ILDG file that has them
remains one of version 1.0.

NERSC archives and MILC files of version 5 are converted as by QIO's converter: to a SciDAC record whose links have all
rows, and whose text contains plaquette, link trace and header. If an archive does not state its byte order, the one
with which the checksum matches is used. --to nersc writes one SU(3) gauge field as an archive, and keeps the header
lines if the input is an archive. Both need a temporary file with a copy of the links.

Checksums of the input are verified, and the new file is read back and verified before it appears under its name.
Exit status 1: the input is damaged, or cannot be converted as requested.

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
