//! Reports on files in memory.

use std::io::Cursor;

use linkstream::io::FromStd;
use linkstream_report::identify::identify;
use linkstream_report::json_line;
use linkstream_report::options::Options;
use linkstream_report::report::Report;
use linkstream_report::survey::{BySeeking, survey};
use serde_json::Value;

/// The options of `check`.
pub const CHECK: Options = Options {
    read_data: true,
    observables: true,
    polyakov_loop: false,
    slices: true,
    slice_sums: false,
    lenient: true,
    require_checksum: false,
    receiver: None,
};

pub fn report(bytes: &[u8], options: &Options) -> Report {
    let mut source = FromStd(Cursor::new(bytes));
    let (first, format) = identify(&mut source).expect("memory can be read");
    let source = FromStd(Cursor::new(bytes));
    survey::<BySeeking, _>(source, None, "file", &first, format, Some(bytes.len() as u64), options)
        .expect("memory can be read")
}

pub fn json(report: &Report) -> Value {
    let mut line = Vec::new();
    json_line::write_line(report, &mut line).expect("memory can be written");
    serde_json::from_slice(&line).expect("the line is JSON")
}
