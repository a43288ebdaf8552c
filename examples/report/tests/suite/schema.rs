//! Every line of JSON follows the schema.

use std::path::{Path, PathBuf};

use host_tests::fixtures::Fixtures;
use jsonschema::Validator;
use linkstream_report::json_line::Unreadable;
use linkstream_report::options::Options;
use serde_json::{Value, json};

use crate::support::{self, CHECK, report};

fn schema() -> Validator {
    let schema: Value = serde_json::from_str(include_str!("../../schema.json")).expect("JSON");
    jsonschema::draft202012::meta::validate(&schema).expect("a schema");
    jsonschema::draft202012::new(&schema).expect("a schema")
}

#[track_caller]
fn assert_valid(schema: &Validator, line: &Value, name: &str) {
    let errors: Vec<_> =
        schema.iter_errors(line).map(|error| format!("{}: {error}", error.instance_path)).collect();
    assert!(errors.is_empty(), "{name}: {errors:?}: {line}");
}

fn files_below(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() { files_below(&path, files) } else { files.push(path) }
    }
}

fn every_report_follows_the_schema_of(fixtures: Fixtures) {
    let schema = schema();
    let inspect = Options { read_data: false, ..CHECK };
    let plain = Options { observables: false, slices: false, lenient: false, ..CHECK };
    let mut files = Vec::new();
    files_below(&fixtures.folder(), &mut files);
    assert!(!files.is_empty());
    for path in files {
        let bytes = std::fs::read(&path).expect("a fixture");
        for options in [&CHECK, &inspect, &plain] {
            assert_valid(&schema, &support::json(&report(&bytes, options)), &path.display().to_string());
        }
    }
}

#[test]
fn every_report_follows_the_schema() {
    every_report_follows_the_schema_of(Fixtures::Ours);
}

#[test]
fn names_and_failures_follow_the_schema() {
    let schema = schema();
    let mut named = report(b"", &CHECK);
    named.file_bytes = Some(vec![0xff]);
    let named = support::json(&named);
    assert_valid(&schema, &named, "a name");
    assert_eq!(named["file_hex"], "ff");
    let mut line = Vec::new();
    let unreadable = Unreadable {
        file: "file".to_owned(),
        file_bytes: Some(vec![0xfe]),
        error: "no such file".to_owned(),
    };
    unreadable.write_line(&mut line).expect("memory can be written");
    assert_valid(&schema, &serde_json::from_slice(&line).expect("an object"), "unreadable");
}

/// What the schema must refuse, so that it says something.
#[test]
fn the_schema_refuses_what_is_not_so() {
    let schema = schema();
    let good = support::json(&report(&Fixtures::Ours.read("scda/inline.scda"), &CHECK));
    assert_valid(&schema, &good, "good");
    let mut unknown_key = good.clone();
    unknown_key["sections"][0]["another"] = json!(1);
    let mut verdict = good.clone();
    verdict["verdict"] = json!("fine");
    let mut missing = good.clone();
    missing.as_object_mut().expect("an object").remove("findings");
    for bad in [unknown_key, verdict, missing] {
        assert!(!schema.is_valid(&bad), "{bad}");
    }
}

host_tests::of_other_projects! {
    fn every_report_follows_the_schema() {
        every_report_follows_the_schema_of(Fixtures::OfOthers);
    }
}
