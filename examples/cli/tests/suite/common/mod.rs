//! Access to the program and the fixtures.

pub mod gauge;
pub mod lime;
pub mod scda;

use std::process::Output;

use assert_cmd::Command;
use host_tests::fixtures::Fixtures;
use serde_json::Value;

pub fn linkstream() -> Command {
    Command::cargo_bin("linkstream").expect("the program was built")
}

/// Runs the program with this standard input.
pub fn run(arguments: &[&str], input: impl Into<Vec<u8>>) -> Output {
    linkstream().args(arguments).write_stdin(input).output().expect("the program runs")
}

pub fn status(output: &Output) -> i32 {
    output.status.code().expect("no signal")
}

pub fn said(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("text")
}

/// The report of `inspect` or `check` on standard input, and the exit status.
pub fn report(command: &str, input: &[u8], options: &[&str]) -> (Value, i32) {
    let output = run(&[&[command, "--json", "-"], options].concat(), input);
    let report = serde_json::from_slice(&output.stdout).expect("one object");
    (report, status(&output))
}

/// True if a report has no error other than that the file is a copy of data that were damaged.
pub fn is_sound_or_noted(report: &Value) -> bool {
    let findings = report["findings"].as_array().expect("a list").iter();
    let mut errors = findings.filter(|finding| finding["severity"] == "error");
    errors.all(|error| error["rule"] == "damage-noted")
}

/// Class and severity of each finding.
pub fn findings(report: &Value) -> Vec<(&str, &str)> {
    let all = report["findings"].as_array().expect("a list");
    all.iter().map(|f| (f["class"].as_str().unwrap_or(""), f["severity"].as_str().unwrap_or(""))).collect()
}

/// An INEBIN file.
pub fn matrix(letter: u8, rows: u32, columns: u32, data: &[u8]) -> Vec<u8> {
    let head = [b"INEBIN\0", &[letter][..], &rows.to_le_bytes(), &columns.to_le_bytes()];
    [&head.concat(), data].concat()
}

pub fn reals(rows: u32, columns: u32, values: &[f64]) -> Vec<u8> {
    let data: Vec<u8> = values.iter().flat_map(|value| value.to_le_bytes()).collect();
    matrix(b'R', rows, columns, &data)
}

/// The entries of a directory's manifest, each with the bytes of its file.
pub fn files(fixtures: Fixtures, folder: &str) -> Vec<(toml::Table, Vec<u8>)> {
    let manifest = fixtures.read(&format!("{folder}/MANIFEST.toml"));
    let manifest: toml::Table = String::from_utf8(manifest).expect("text").parse().expect("TOML");
    let files = manifest["file"].as_array().expect("files");
    let path = |about: &toml::Table| about["path"].as_str().expect("a path").to_owned();
    let tables = files.iter().map(|file| file.as_table().expect("a table").clone());
    let included = tables.filter(|about| fixtures.includes(folder, &path(about)));
    let each: Vec<_> = included
        .map(|about| {
            let bytes = fixtures.read(&format!("{folder}/{}", path(&about)));
            (about, bytes)
        })
        .collect();
    assert!(!each.is_empty());
    each
}
