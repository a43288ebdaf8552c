//! The arguments of `export`, and the format that decides which of them count.

use std::fs::File;
use std::io::{Seek as _, Write};
use std::path::PathBuf;

use clap::Args;
use embedded_io_adapters::std::FromStd;
use linkstream::sniff::Format;
use linkstream_report::identify::identify;

use super::{field, matrix, section};
use crate::archive::as_lime;
use crate::failure::{Failure, of_input};
use crate::npy::Dtype;
use crate::output::streamed;
use crate::source::rereadable;

#[derive(Debug, Args)]
pub struct Export {
    /// The file to read; `-` is standard input.
    file: PathBuf,
    /// The array; `-` is standard output.
    out: PathBuf,
    /// Of a LIME file, the data record of this number, from 1. Needed if there are several.
    #[arg(long, value_name = "NUMBER")]
    field: Option<usize>,
    /// Of a field, only the time slice of this number, from 0: the slowest coordinate.
    #[arg(long, value_name = "T")]
    slice: Option<u32>,
    /// Of an scda file, the section of this number in the list of `inspect`.
    #[arg(long, value_name = "NUMBER", conflicts_with_all = ["field", "slice"])]
    section: Option<u64>,
    /// What the data of a section are: <f8, >i4 and the like, in NumPy's words. Otherwise bytes.
    #[arg(long, value_name = "TYPE", requires = "section")]
    dtype: Option<Dtype>,
    /// Replace the array if it exists.
    #[arg(long)]
    force: bool,
}

pub const EXAMPLES: &str = "\
The array has the bytes of the file in their order, which its type names. Indices of a field are t, z, y, x and what
a site holds: of gauge fields the link, row and column of complex numbers. A hypercube has the extents of its box,
and of global data there are no sites. Data that are not known to be numbers are bytes.

The checksum of a field is verified. A time slice is read alone, without verification. Matrices of INEBIN have rows
and columns; booleans become bytes.

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
    let mut file: File = as_lime(rereadable(&export.file)?)?;
    file.rewind().map_err(Failure::Input)?;
    let (_, format) = identify(&mut FromStd::new(&mut file)).map_err(Failure::Input)?;
    file.rewind().map_err(Failure::Input)?;
    let Export { field, slice, section, dtype, .. } = export;
    match (format, section, field.is_some() || slice.is_some()) {
        (Some(Format::Lime), None, _) => field::export(&file, *field, *slice, sink),
        (Some(Format::Inebin), None, false) => matrix::export(&file, sink),
        (Some(Format::Scda), Some(number), _) => {
            section::export(&file, *number, dtype.unwrap_or(Dtype::BYTES), sink)
        }
        (Some(Format::Scda), None, _) => anyhow::bail!("an scda file: choose a section by --section"),
        (Some(_), Some(_), _) => anyhow::bail!("--section is for scda files"),
        (Some(_), ..) => anyhow::bail!("--field and --slice are for LIME files"),
        (None, ..) => Err(Failure::invalid(&"unrecognised format").into()),
    }
}
