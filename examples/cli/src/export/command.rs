//! The arguments of `export`; which of them apply depends on the format.

use std::io::{Seek as _, Write};
use std::path::PathBuf;

use clap::Args;
use linkstream::io::FromStd;
use linkstream::sniff::Format;
use linkstream_report::identify::identify;

use super::{field, matrix, section};
use crate::archive;
use crate::counting::from_zero;
use crate::failure::{Failure, failed, of_input};
use crate::fields::warn;
use crate::judged::{Permission, Trust, admitted, report_on};
use crate::npy::Dtype;
use crate::output::streamed;
use crate::source::{FileParts, bar, length, rereadable};
use crate::system::File;
use crate::volumes::{Layout, volumes_of, with_fields_of_set};

const NO_SECTIONS: &str = "--section can only be used with scda files";

#[derive(Debug, Args)]
pub struct Export {
    /// The file to read, or a set of volumes; `-` is standard input.
    file: PathBuf,
    /// The NPY file to write; `-` is standard output.
    out: PathBuf,
    /// LIME files: number of the data record, counted from 0. Required if there are several.
    #[arg(long, value_name = "NUMBER", value_parser = from_zero::<usize>, allow_negative_numbers = true)]
    field: Option<usize>,
    /// Fields: export only this time slice (value of the slowest coordinate), counted from 0.
    #[arg(long, value_name = "T", value_parser = from_zero::<u32>, allow_negative_numbers = true)]
    slice: Option<u32>,
    /// scda files: number of the section in the list of `inspect`.
    #[arg(long, value_name = "NUMBER", conflicts_with_all = ["field", "slice"],
        value_parser = from_zero::<u64>, allow_negative_numbers = true)]
    section: Option<u64>,
    /// NumPy type of the data of a section, such as <f8 or >i4 [default: bytes].
    #[arg(long, value_name = "TYPE", requires = "section")]
    dtype: Option<Dtype>,
    #[command(flatten)]
    permission: Permission,
    /// Replace the NPY file if it exists.
    #[arg(long)]
    force: bool,
}

pub const EXAMPLES: &str = "\
The array contains the data as stored, in the byte order of the file, which the type of the array states. The indices of
a field are t, z, y, x, followed by those within a site: in gauge fields link, row and column of complex numbers. The
array of a hypercube has the extents of the hypercube; global data have no indices of sites. Data that are not known to
be numbers are exported as bytes.

The file is verified first, as by `check --lenient`, also for a time slice; --damaged exports damaged data. A set of
volumes is read as one file. INEBIN matrices have the indices row and
column; booleans become bytes.

Examples:
  linkstream export lat.0100.ildg links.npy      numpy.load('links.npy', mmap_mode='r')[t, z, y, x, mu]
  linkstream export lat.0100.ildg slice.npy --slice 3
  linkstream export state.scda x.npy --section 2 --dtype '<f8'
  linkstream export result.bin - | python -c 'import numpy, sys; print(numpy.load(sys.stdin.buffer).mean())'";

pub fn run(export: &Export) -> anyhow::Result<()> {
    streamed(&export.out, export.force, |sink| {
        write(export, sink).map_err(|error| of_input(error, &export.file))
    })
}

fn write(export: &Export, sink: &mut dyn Write) -> anyhow::Result<()> {
    let Export { file: input, field, slice, section, permission, .. } = export;
    if let Some(volumes) = volumes_of(input, &Layout::default())? {
        return with_fields_of_set(input, &volumes, *permission, |set, trust| match section {
            None => field::export(set, trust, *field, *slice, sink),
            Some(_) => anyhow::bail!(NO_SECTIONS),
        });
    }
    let file = rereadable(input)?;
    // All of the file is judged before anything is written, also other fields and the figures of links: what has been
    // written to a pipe cannot be taken back.
    let report = report_on(&file, input)?;
    let trust = admitted(&report, input, *permission)?;
    archive::warnings(&report, &trust).iter().for_each(|warning| warn(warning));
    data(export, file, &trust, sink)
}

fn data(export: &Export, mut file: File, trust: &Trust, sink: &mut dyn Write) -> anyhow::Result<()> {
    file.rewind().map_err(Failure::Input)?;
    let (_, format) = identify(&mut FromStd(&mut file)).map_err(Failure::Input)?;
    file.rewind().map_err(Failure::Input)?;
    let Export { field, slice, section, dtype, .. } = export;
    match (format, section, field.is_some() || slice.is_some()) {
        (Some(Format::Lime | Format::Nersc | Format::Milc), None, _) => {
            let bar = bar(Some(length(&mut file).map_err(Failure::Input)?));
            let opened = archive::open_as_judged(FileParts::new(file, &bar), trust).map_err(failed)?;
            field::export(&opened, trust, *field, *slice, sink)
        }
        (Some(Format::Inebin), None, false) => matrix::export(&mut file, trust.mode(), sink),
        (Some(Format::Scda), Some(number), _) => {
            section::export(&mut file, trust.mode(), *number, dtype.unwrap_or(Dtype::BYTES), sink)
        }
        (Some(Format::Scda), None, _) => {
            anyhow::bail!("this is an scda file: choose a section with --section NUMBER")
        }
        (Some(_), Some(_), _) => anyhow::bail!(NO_SECTIONS),
        (Some(_), ..) => anyhow::bail!("--field and --slice can only be used with LIME files"),
        (None, ..) => Err(Failure::invalid(&"unrecognised format").into()),
    }
}
