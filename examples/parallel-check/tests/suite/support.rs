//! Reports of one process, to compare with.

use std::convert::Infallible;
use std::path::{Path, PathBuf};

use host_tests::fixtures::Fixtures;
use linkstream_report::identify::identify;
use linkstream_report::json_line::write_line;
use linkstream_report::options::Options;
use linkstream_report::report::Report;
use linkstream_report::survey::{ByReading, SurveyError, survey};

pub const OPTIONS: Options = Options {
    read_data: true,
    observables: true,
    polyakov_loop: false,
    slices: true,
    slice_sums: false,
    lenient: false,
    require_checksum: false,
    receiver: None,
};

/// The report of one process that reads a file in order.
pub fn serial(file: &[u8], name: &str, options: &Options) -> Report {
    let Ok((first, format)) = identify(&mut { file });
    let read = survey::<ByReading, &[u8]>(file, None, name, &first, format, Some(file.len() as u64), options);
    let mut report = read.unwrap_or_else(|error: SurveyError<Infallible>| panic!("{error}"));
    report.bytes = file.len() as u64;
    report
}

pub fn json(report: &Report) -> String {
    let mut line = Vec::new();
    write_line(report, &mut line).expect("memory takes it");
    String::from_utf8(line).expect("JSON is UTF-8")
}

/// All files in a directory.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in folder.read_dir().expect("the folder of the fixtures can be read") {
        let path = entry.expect("the folder of the fixtures can be read").path();
        if path.is_dir() { files.extend(self::files(&path)) } else { files.push(path) }
    }
    files.sort();
    files
}

/// All fixtures.
pub fn fixtures() -> Vec<PathBuf> {
    let all = files(&Fixtures::Ours.folder());
    assert!(all.len() > 400, "only {} fixtures", all.len());
    all
}
