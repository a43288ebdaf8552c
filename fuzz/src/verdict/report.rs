//! Reports on one file: with and without data, in order and in parts, and compared with itself.

use std::io::{Cursor, Error};
use std::sync::Arc;

use linkstream::io::FromStd;
use linkstream_access::source::Source;
use linkstream_report::diff::{self, compare};
use linkstream_report::job::Open;
use linkstream_report::json_line;
use linkstream_report::options::Options;
use linkstream_report::report::Report;
use linkstream_report::verdict::Verdict;

use super::seeds;

/// The options of `inspect`, `check`, `check --lenient`, and of readers of time slices.
fn all_options() -> [Options; 4] {
    let check = Options { read_data: true, observables: true, slices: true, ..Options::default() };
    let lenient = Options { lenient: true, require_checksum: true, ..check.clone() };
    let sums = Options { observables: false, slices: false, slice_sums: true, ..check.clone() };
    [Options { lenient: true, ..Options::default() }, check, lenient, sums]
}

/// The line of JSON, which must be valid.
fn line(report: &Report) -> Vec<u8> {
    let mut line = Vec::new();
    json_line::write_line(report, &mut line).expect("memory can be written");
    serde_json::from_slice::<serde::de::IgnoredAny>(&line).expect("the line is JSON");
    line
}

/// A source whose data are read in parts even if they are short.
struct InParts(Vec<u8>);

impl Source for InParts {
    type Error = Error;

    fn length(&self) -> Result<u64, Error> {
        self.0.length()
    }

    fn worthwhile(&self) -> u64 {
        0
    }

    fn read_at(&self, offset: u64, out: &mut [u8]) -> Result<usize, Error> {
        self.0.read_at(offset, out)
    }
}

/// Reports on sources with all options. `open` makes them anew for each report.
pub(super) fn report_all(open: impl Fn() -> Open) -> Vec<Report> {
    let report = |options: &Options| {
        let report = open().report(options).expect("memory can be read");
        line(&report);
        report
    };
    let reports: Vec<Report> = all_options().iter().map(report).collect();
    // Data that were not read are not verified, and a lenient check finds no more errors than a strict one.
    assert!(reports[0].verdict() != Verdict::Ok || reports[1].verdict() == Verdict::Ok);
    assert!(reports[1].verdict() == Verdict::Wrong || reports[2].verdict() != Verdict::Wrong);
    reports
}

/// Checks the reports on this file.
pub fn check(file: &[u8]) {
    let name = || "a.lime".to_owned();
    let reports = report_all(|| Open::source(Arc::new(file.to_vec()), name()));
    let parts = Open::source(Arc::new(InParts(file.to_vec())), name());
    let in_parts = parts.report(&all_options()[1]).expect("memory can be read");
    assert_eq!(line(&in_parts), line(&reports[1]));
    // The program compares archives as the LIME files that they are converted to.
    if ["nersc", "milc"].contains(&reports[1].body.format()) {
        return;
    }
    let source = || FromStd(Cursor::new(file));
    let compared = compare(source(), source(), &diff::Options::default());
    if reports[1].verdict() == Verdict::Ok && compared.is_ok_and(|compared| !compared.is_same()) {
        panic!("an intact file differs from itself");
    }
}

/// Small fixtures of all kinds, and fields whose geometry is at its edges.
pub fn seeds() -> Vec<(String, Vec<u8>)> {
    [seeds::fixtures(seeds::FILES), seeds::geometry()].concat()
}
