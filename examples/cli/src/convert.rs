//! The command `convert`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use linkstream::ildg::GaugeKind;
use linkstream::lattice::{ByteOrder, Precision};
use linkstream_access::write::{
    ArchiveForm, Rows, SetForm, Target, Wish, check_date, check_new_lfn, is_update,
};
use linkstream_report::readers::Audience;

use crate::account::{Account, Place};
use crate::archive::{write_nersc, write_open_qcd};
use crate::batch::{Batch, Paths};
use crate::convert_for;
use crate::counting::from_zero;
use crate::failure::{Failure, of_input, wrong_arguments};
use crate::fields;
use crate::judged::Permission;
use crate::own_input;
use crate::volumes::{self, Layout, LayoutName, is_set, with_source, write_set};
use crate::xml_text;

/// Form of the new file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Form {
    /// ILDG 1.2 (gauge fields only), with a checksum if the input has one.
    Ildg,
    /// SciDAC.
    Scidac,
    /// SciDAC documents, and an ildg-format for each gauge field, as QIO writes them.
    Both,
    /// A NERSC archive of one gauge field of SU(N), with its plaquette and link trace.
    Nersc,
    /// A configuration of openQCD: one SU(3) gauge field in double precision.
    #[value(name = "openqcd")]
    OpenQcd,
}

impl Form {
    /// The documents that a LIME file of this form has.
    const fn target(self) -> Option<Target> {
        match self {
            Self::Ildg => Some(Target::Ildg),
            Self::Scidac => Some(Target::Scidac),
            Self::Both => Some(Target::Both),
            Self::Nersc | Self::OpenQcd => None,
        }
    }
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
    #[arg(long, value_enum, ignore_case = true)]
    to: Option<Form>,
    /// Precision: bits per number.
    #[arg(long, value_name = "32|64", value_parser = fields::precision)]
    precision: Option<Precision>,
    /// Stored rows of each link: full (all), or reduced (enough to compute the others).
    #[arg(long, value_name = "full|reduced")]
    rows: Option<Rows>,
    /// Convert only this field, counted from 0.
    #[arg(long, value_name = "NUMBER", value_parser = from_zero::<usize>)]
    field: Option<usize>,
    /// Kind of gauge field, such as su3gauge, if the file does not state it [default: SU(N)]. Data of the size of such
    /// links are taken for links, if no document says what they are.
    #[arg(long, value_parser = kind)]
    kind: Option<GaugeKind>,
    /// Largest difference between omitted rows and those computed from the others [default: 1e-6 for 32-bit numbers,
    /// 1e-12 for 64-bit numbers].
    #[arg(long, value_parser = tolerance)]
    tolerance: Option<f64>,
    /// Byte order of a NERSC archive [default: big].
    #[arg(long, value_enum, value_name = "big|little", hide_possible_values = true)]
    byte_order: Option<Order>,
    /// Logical file name [default: as in the input].
    #[arg(long, value_name = "NAME", value_parser = lfn)]
    lfn: Option<String>,
    /// Update number [default: as in the input].
    #[arg(long, value_name = "DIGITS", value_parser = update)]
    update: Option<String>,
    /// With --to both or scidac: text for `<info>` of the usqcdInfo, which replaces the text about the field.
    #[arg(long, value_name = "TEXT", value_parser = xml_text::argument)]
    title: Option<String>,
    /// Date of the SciDAC records [default: as in the input, or now].
    #[arg(long, value_name = "TEXT", value_parser = date)]
    date: Option<String>,
    /// Write a checksum even if the input has none. Fields with SciDAC documents always have one.
    #[arg(long)]
    checksum: bool,
    /// Write what this program or nearly all (any) can read; otherwise report the obstacle.
    #[arg(long = "for", value_name = "PROGRAM|any", conflicts_with_all = ["to", "rows", "damaged"])]
    audience: Option<Audience>,
    /// Write a file set, one volume for each node: number of nodes in each direction. 1: write a single file.
    #[arg(long, value_name = "2x1x2x2", value_parser = numbers)]
    volumes: Option<Numbers>,
    /// Write one volume for several nodes: number of volumes in each direction [default: as --volumes].
    #[arg(long, value_name = "1x1x2x2", value_parser = numbers, requires = "volumes")]
    io: Option<Numbers>,
    /// Write a multifile set instead of a partition set: the even sites of each node precede the odd ones.
    #[arg(long, requires = "volumes", conflicts_with_all = ["io", "layout"])]
    multifile: bool,
    /// Places of the volumes: `same` is OUT.volNNNN, `directory` is volNNNN/OUT; or a file with the directory of each
    /// node. If OUT is a single file, the places of the volumes of INPUT [default: same].
    #[arg(long, value_name = "same|directory|TABLE")]
    layout: Option<LayoutName>,
    /// If OUT is a set as well: TABLE lists the number and the directory of each volume of INPUT.
    #[arg(long, value_name = "TABLE", requires = "volumes")]
    from: Option<PathBuf>,
    #[command(flatten)]
    permission: Permission,
    /// Replace the file if it exists.
    #[arg(long)]
    force: bool,
    /// Print one JSON object: the files read and written, with the reports of `inspect --json`, and the warnings.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    _batch: Batch,
}

impl Convert {
    /// The files that it reads and writes.
    pub fn paths(&self) -> Paths {
        Paths { input: self.input.clone(), output: Some(self.out.clone()), force: self.force }
    }
}

pub const EXAMPLES: &str = "\
Exit status:
  0  the new file was written
  1  the input is damaged, or cannot be converted as requested
  2  a file cannot be read or written, or the arguments are wrong

Examples:
  linkstream convert lat.0100.ildg single.ildg --precision 32
  linkstream convert lat.0100.lime reduced.ildg --to ildg --rows reduced \\
    --lfn lfn://example/lat.0100
  linkstream convert reduced.ildg full.lime --to both --rows full
  linkstream convert lat.0100.lime lat.0100.lime --volumes 2x1x2x2
  linkstream convert lat.0100.lime scratch/lat.0100 --volumes 4x4x4x8 \\
    --io 1x1x1x8 --layout directory
  linkstream convert lat.0100.lime.vol0000 joined.ildg --to ildg \\
    --lfn lfn://example/lat.0100
  linkstream convert lat.0100.lime any.ildg --for any \\
    --lfn lfn://example/lat.0100
  linkstream convert lat.nersc lat.ildg --to both --lfn lfn://example/lat
  linkstream convert lat.0100.ildg lat.0100.nersc --to nersc --rows reduced \\
    --precision 32
  linkstream convert lat.0100.ildg run1n100 --to openqcd
  linkstream convert run1n100 run1n100.ildg --to ildg --lfn lfn://example/lat
  linkstream convert --batch 'ckpoint_lat.{n}' 'out/24c.{n:05}.ildg' --to ildg \\
    --lfn 'lfn://g/24c/{n}' --update '{n}' --log convert.log --skip-existing
  zcat lat.gz | linkstream convert - - --to scidac | ssh host 'cat > lat.lime'

Contents:
All gauge fields are converted, and other fields if SciDAC documents describe
them. Texts, dates, the logical file name and update numbers are copied if the
new form can store them; records of other types are not copied. A field with a
checksum keeps one. The new file is read back and verified before it appears
under its name.

With --to both or scidac, a gauge field of SU(3) without a text of the user gets
a usqcdInfo with its plaquette and link trace (USQCD Lattice Format: QIO 2.3,
appendix A.1). --title replaces a text.

Rows are reconstructed in the precision of the input, as defined in ILDG 1.2,
appendix A.2, and then converted. Links that do not exist (open boundaries) are
preserved. ILDG 1.2 has no links in directions with a single site: --to ildg
omits them, and so does --to both with reduced rows. Without --to, a plain ILDG
file that has them remains one of version 1.0.

NERSC archives, MILC files and openQCD configurations:
They are converted as by QIO's converter: to a SciDAC record whose links have
all rows, and whose text contains plaquette, link trace and header. If an
archive does not state its byte order, the one with which the checksum matches
is used. --to nersc writes one gauge field of SU(N) as an archive, and keeps the
header lines if the input is an archive; --precision, --rows and --byte-order
choose what an old program expects. Neither direction is done in one pass: both
need a temporary file with a copy of the links. (The header of an archive
precedes the links, but contains their checksum, plaquette and link trace.)

Other programs:
--for writes one gauge field as ILDG with all rows and a checksum, in double
precision for programs that expect it. It checks the file by the rules of
`check --for`, which are derived from the sources of the programs; no program is
run. PROGRAM is one of the names of that option, or `any`: the form that nearly
all of them read; the others are named. Grid needs a logical file name (--lfn).

File sets:
Give the name of a set or one of its volumes, as for `check`. It is written as
one file, or as other volumes with --volumes. The first volume has all
documents. Sites are divided as by QIO's converters: evenly in each direction,
nodes numbered with the first direction fastest. A volume is numbered after the
first of its nodes. A table of directories has a line for each node: its number,
white space, and the directory, which is created if it does not exist. A file
without SciDAC documents gets them, with QIO's texts for such files.

--multifile writes a multifile set (one file for each node), whose sites are in
the order in which programs with the usual even-odd layout hold them. QIO reads
either kind only with the division of the lattice that was used for writing.

Each volume needs one open file. All of them together take at most 64 MiB of
memory (8 KiB for each volume if there are more than 8,192) and, for
verification, a bit for each site; with open boundaries also 4 bytes for
each site, or 8 if the lattice has more than 2^32 sites.

Damaged input:
The input is first read as by `check --lenient`. It is refused if it has errors,
or if it contains
  - a SciDAC record or a NERSC archive without a checksum; or
  - data without a checksum in a message that does not end; or
  - an archive that is followed by other bytes, unless a checksum shows that
    these are not part of the data.

With --damaged, the input is converted as far as it can be read. The new file
then has no checksum, and its texts name the first error (comments at the end of
the XML of the file and of the record, the line LINKSTREAM_NOTE of an archive).
Data for which a checksum is computed for the first time, such as those of a
plain ILDG file, are called unverified there.

--json prints an object even if nothing is written. It follows
examples/cli/account.schema.json in the source.";

/// Numbers of nodes or volumes in each direction.
#[derive(Debug, Clone)]
struct Numbers(Vec<u32>);

fn numbers(text: &str) -> Result<Numbers, String> {
    volumes::numbers(text).map(Numbers)
}

pub fn run(convert: &Convert) -> anyhow::Result<()> {
    let layout = convert.layout.clone().unwrap_or_default().read();
    let from = convert.from.clone().map_or(LayoutName::Same, LayoutName::Table).read();
    let nodes = convert.volumes.as_ref().filter(|nodes| nodes.0.iter().any(|number| *number > 1));
    let (input_layout, written) = match nodes {
        Some(_) => (&from, Place::laid_out(&convert.out, &layout, Place::set)),
        None => (&layout, Place::file(&convert.out)),
    };
    let read = vec![Place::laid_out(&convert.input, input_layout, Place::any)];
    Account { command: "convert", read, written }.of(convert.json, || {
        let (layout, from) = (layout?, from?);
        fields::check_tolerance(convert.tolerance, convert.rows)?;
        if convert.title.is_some() && !matches!(convert.to, Some(Form::Scidac | Form::Both)) {
            wrong_arguments!("--title is for files with SciDAC documents: --to scidac or both");
        }
        match nodes {
            Some(nodes) => run_to_set(convert, nodes, &layout, &from),
            None => run_to_file(convert, &layout),
        }
    })
}

fn run_to_set(convert: &Convert, nodes: &Numbers, layout: &Layout, from: &Layout) -> anyhow::Result<()> {
    if convert.audience.is_some() {
        wrong_arguments!("--for writes one file: most programs do not read volumes");
    }
    if convert.byte_order.is_some() || matches!(convert.to, Some(Form::Nersc | Form::OpenQcd | Form::Ildg)) {
        let option = match convert.to {
            Some(Form::Nersc) => "--to nersc",
            Some(Form::OpenQcd) => "--to openqcd",
            Some(Form::Ildg) => "--to ildg",
            _ => "--byte-order",
        };
        wrong_arguments!(
            "{option} cannot be combined with --volumes: file sets have SciDAC documents (--to scidac or both)"
        );
    }
    let io = convert.io.as_ref().map(|io| io.0.clone());
    let form =
        SetForm { nodes: nodes.0.clone(), io, layout: layout.clone(), is_multifile: convert.multifile };
    let wish = Wish { as_set: true, ..wish(convert, convert.to.and_then(Form::target)) };
    write_set(&convert.input, from, convert.permission, &convert.out, convert.force, &wish, &form)
}

fn run_to_file(convert: &Convert, layout: &Layout) -> anyhow::Result<()> {
    if convert.io.is_some() || convert.from.is_some() || convert.multifile {
        wrong_arguments!("--io, --from and --multifile are for file sets: --volumes with more than one node");
    }
    let is_one_file = !is_set(&convert.input, layout)?;
    // Other fields, and what cannot be read of a damaged file, would be lost. Other losses are known later
    // (`own_input::left_out`).
    if is_one_file && convert.field.is_none() && !convert.permission.damaged {
        own_input::in_place(&convert.input)
            .map_err(|error| of_input(Failure::Input(error).into(), &convert.input))?;
    }
    if convert.layout.is_some() && is_one_file {
        wrong_arguments!(
            "--layout is for file sets: give --volumes with more than one node, or a set as INPUT"
        );
    }
    if convert.lfn.is_some() && convert.to == Some(Form::Scidac) {
        wrong_arguments!("only ILDG files have a logical file name");
    }
    if convert.update.is_some() && convert.to == Some(Form::Scidac) {
        wrong_arguments!("only ILDG files have an update number");
    }
    if convert.to == Some(Form::Nersc) {
        return to_nersc(convert, layout);
    }
    if convert.to == Some(Form::OpenQcd) {
        return to_open_qcd(convert, layout);
    }
    if convert.byte_order.is_some() {
        wrong_arguments!("--byte-order is for --to nersc: LIME files are big endian");
    }
    let (input, out, force) = (&convert.input, &convert.out, convert.force);
    if convert.to.is_none()
        && out.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("nersc"))
    {
        fields::warn(&"this is a LIME file, although its name ends in .nersc: --to nersc writes an archive");
    }
    let wish = wish(convert, convert.to.and_then(Form::target));
    if let Some(audience) = convert.audience {
        return convert_for::run(input, layout, convert.permission, out, force, wish, audience);
    }
    fields::written_to(input, out, force, |file| {
        let asked = with_source(input, layout, convert.permission, |source, origin| {
            origin.warn_of_lost(&wish);
            let found = fields::make(source, &origin.trust, &wish, file)?;
            fields::warn_of_no_effect(&found, &wish);
            Ok(fields::asked(&wish, &origin.trust))
        })?;
        if wish.rows == Some(Rows::Reduced) {
            convert_for::warn_of_reduced(file)?;
        }
        Ok(asked)
    })
}

fn wish(convert: &Convert, target: Option<Target>) -> Wish {
    Wish {
        target,
        field: convert.field,
        kind: convert.kind,
        precision: convert.precision,
        rows: convert.rows,
        tolerance: convert.tolerance,
        lfn: convert.lfn.clone(),
        update: convert.update.clone(),
        date: convert.date.clone(),
        observables: matches!(target, Some(Target::Scidac | Target::Both)),
        title: convert.title.clone(),
        checksum: convert.checksum,
        ..Wish::default()
    }
}

fn to_nersc(convert: &Convert, layout: &Layout) -> anyhow::Result<()> {
    if convert.lfn.is_some() || convert.update.is_some() || convert.date.is_some() {
        wrong_arguments!(
            "a NERSC archive has no logical file name and no SciDAC record: --lfn, --update and --date are for others"
        );
    }
    let order = match convert.byte_order {
        Some(Order::Little) => ByteOrder::Little,
        Some(Order::Big) | None => ByteOrder::Big,
    };
    let rows = convert.rows.unwrap_or(Rows::Full);
    let form = ArchiveForm { rows, order, tolerance: convert.tolerance };
    let wish = Wish {
        target: Some(Target::Scidac),
        field: convert.field,
        one: true,
        kind: convert.kind,
        precision: convert.precision,
        rows: Some(Rows::Full),
        // The header of the archive has a line for it.
        keeps_update: true,
        ..Wish::default()
    };
    write_nersc(&convert.input, layout, convert.permission, &convert.out, convert.force, &wish, form)
}

fn to_open_qcd(convert: &Convert, layout: &Layout) -> anyhow::Result<()> {
    let has_texts = convert.lfn.is_some() || convert.update.is_some() || convert.date.is_some();
    if has_texts || convert.byte_order.is_some() || convert.precision == Some(Precision::F32) {
        wrong_arguments!(
            "--lfn, --update, --date, --byte-order and --precision 32 are for other forms: a configuration of openQCD has \
             neither texts nor other numbers than little-endian ones of 64 bits"
        );
    }
    let wish = Wish {
        target: Some(Target::Scidac),
        field: convert.field,
        one: true,
        kind: convert.kind,
        precision: Some(Precision::F64),
        rows: Some(Rows::Full),
        ..Wish::default()
    };
    write_open_qcd(&convert.input, layout, convert.permission, &convert.out, convert.force, &wish)
}

/// A kind of gauge field, as in `<field>` of the `ildg-format`.
pub fn kind(name: &str) -> Result<GaugeKind, String> {
    let kinds = "suNgauge, soNgauge, spNgauge (N even, 4 at least), uNgauge or u1phase";
    GaugeKind::parse(name.as_bytes()).ok_or_else(|| format!("not one of {kinds}"))
}

/// A logical file name.
pub fn lfn(name: &str) -> Result<String, String> {
    check_new_lfn(name).map(|()| name.to_owned()).map_err(|why| why.to_string())
}

/// A date of a SciDAC record.
pub fn date(text: &str) -> Result<String, String> {
    check_date(text).map_err(|why| why.to_string())?;
    if text.trim_ascii() != text {
        return Err("a date neither begins nor ends with white space".to_owned());
    }
    xml_text::argument(text)
}

/// An update number.
pub fn update(text: &str) -> Result<String, String> {
    let digits = Some(text.to_owned()).filter(|text| is_update(text));
    digits.ok_or_else(|| "the update number is not a string of digits".to_owned())
}

/// A number that is not negative.
pub fn tolerance(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| *number >= 0.0 && number.is_finite());
    number.ok_or_else(|| "a number like 1e-6".to_owned())
}
