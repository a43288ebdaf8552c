//! Runs `check` on a file that has been written but has no name yet.

use std::io::Seek as _;

use embedded_io_adapters::std::FromStd;
use linkstream::sniff::Format;
use linkstream_report::options::Options;
use linkstream_report::report::Report;
use linkstream_report::survey::{self, BySeeking};

use crate::failure::{Failure, failed};
use crate::system::File;

/// Surveys a LIME file, with its data or only with its records.
pub fn surveyed(mut file: &File, read_data: bool) -> anyhow::Result<Report> {
    let options =
        Options { read_data, observables: read_data, slices: false, lenient: true, require_checksum: false };
    file.rewind().map_err(Failure::Output)?;
    let source = FromStd::new(file);
    survey::survey::<BySeeking, _>(source, None, "", &[0], Some(Format::Lime), None, &options).map_err(failed)
}
