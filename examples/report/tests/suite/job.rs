//! Reports on paths and sources.

use std::path::Path;
use std::sync::Arc;

use host_tests::fixtures::Fixtures;
use linkstream_access::meter::Meter;
use linkstream_report::job::{Job, Open};
use linkstream_report::options::Options;
use linkstream_report::report::{Body, Report};
use linkstream_report::verdict::Verdict;

use crate::support::{CHECK, json, report};

fn report_at(path: &Path) -> Report {
    let open = Job::at(path).open(&Arc::default()).expect("it exists");
    open.report(&CHECK).expect("it can be read")
}

/// The name of the set, and each of its volumes.
#[test]
fn a_set_is_found_by_its_name_and_by_its_volumes() {
    let name = Fixtures::Ours.join("qio/multi/part4.lime");
    let named = report_at(&name);
    assert_eq!((named.verdict(), &named.file), (Verdict::Ok, &name.display().to_string()));
    let volume = Fixtures::Ours.join("qio/multi/part4.lime.vol0002");
    assert_eq!(json(&report_at(&volume)), json(&named));
}

#[test]
fn a_path_and_its_bytes_have_one_report() {
    let name = "qio/ildg/ildg_f_4x4x4x8.lime";
    let path = Fixtures::Ours.join(name);
    let bytes = Fixtures::Ours.read(name);
    let at_path = report_at(&path);
    let open = Open::source(Arc::new(bytes.clone()), path.display().to_string());
    assert_eq!(open.bytes().expect("memory"), bytes.len() as u64);
    assert_eq!(json(&open.report(&CHECK).expect("memory")), json(&at_path));
    let mut of_bytes = report(&bytes, &CHECK);
    (of_bytes.file, of_bytes.bytes) = (at_path.file.clone(), at_path.bytes);
    assert_eq!(json(&of_bytes), json(&at_path));
}

/// Also of a file that is too small to be worth the work of several threads.
#[test]
fn slice_sums_are_computed_if_they_are_requested() {
    let bytes = Fixtures::Ours.read("qio/ildg/ildg_d_2x3x4x5.lime");
    let options = Options { slice_sums: true, ..CHECK };
    let report = Open::source(Arc::new(bytes), "lat".to_owned()).report(&options).expect("memory");
    let Body::Lime(contents) = &report.body else { panic!("another format") };
    assert_eq!(contents.fields[0].slice_sums.as_ref().map(Vec::len), Some(5));
}

#[test]
fn a_missing_file_is_unreadable_under_its_name() {
    let job = Job::at(Path::new("no such file"));
    let unreadable = job.unreadable("gone".to_owned());
    assert_eq!((&unreadable.file[..], &unreadable.error[..]), ("no such file", "gone"));
    assert!(job.open(&Arc::<Meter>::default()).is_err());
}
