//! Good files have no errors with any options.

use std::path::{Path, PathBuf};

use host_tests::fixtures::Fixtures;
use linkstream_report::verdict::Verdict;

use crate::support::{CHECK, report};

/// Good files with errors, which their manifests describe.
const WITH_ERRORS: [&str; 6] = [
    "lime/empty.lime",
    "qio/nersc/n3x2_f_badsum.nersc",
    // QIO took the bytes of a NERSC archive in the wrong order, and said that the checksum of the archive differs.
    "qio/nersc/n3x2_f_little.lime",
    "qio/nersc/n3x2_f_little_ildg.lime",
    "qio/quirks/single_append_overwrites.lime",
    // Its text records the plaquette 0.123, which is made up: the one of its links is 0.015.
    "qio/alien/tmlqcd_style.lime",
];

/// All files in a directory and below, without manifests and without volumes, which are not complete alone.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in folder.read_dir().expect("the folder of the fixtures can be read") {
        let path = entry.expect("the folder of the fixtures can be read").path();
        let name = path.file_name().expect("entries have names").to_string_lossy().into_owned();
        if path.is_dir() && !name.starts_with("vol") {
            all.extend(files(&path));
        } else if path.is_file() && !name.contains(".vol") && !name.ends_with(".toml") {
            all.push(path);
        }
    }
    all
}

/// The number of files that are verified, unverified and wrong. Wrong files must be in the list.
fn verdicts(fixtures: Fixtures, folders: &[&str]) -> [usize; 3] {
    let mut counts = [0; 3];
    for path in folders.iter().flat_map(|folder| files(&fixtures.folder().join(folder))) {
        let report = report(&std::fs::read(&path).expect("the fixture can be read"), &CHECK);
        let is_listed = WITH_ERRORS.iter().any(|name| path.ends_with(name));
        let verdict = report.verdict();
        assert_eq!(verdict == Verdict::Wrong, is_listed, "{}: {:?}", path.display(), report.findings);
        counts[match verdict {
            Verdict::Ok => 0,
            Verdict::Unverified => 1,
            Verdict::Wrong | Verdict::Unreadable => 2,
        }] += 1;
    }
    counts
}

#[test]
fn ours_keep_their_verdicts() {
    assert_eq!(verdicts(Fixtures::Ours, &["inebin", "lime", "qio", "scda"]), [77, 123, 6]);
}

host_tests::of_other_projects! {
    fn those_of_others_keep_their_verdicts() {
        assert_eq!(verdicts(Fixtures::OfOthers, &["wild", "qio/wild"]), [4, 1, 0]);
    }
}
