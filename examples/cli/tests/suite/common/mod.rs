//! Running the program, and where the fixtures lie.

pub mod gauge;
pub mod lime;
pub mod scda;

use std::path::{Path, PathBuf};
use std::process::Output;

use assert_cmd::Command;
use serde_json::Value;

pub fn linkstream() -> Command {
    Command::cargo_bin("linkstream").expect("the program was built")
}

/// Runs the program with an input.
pub fn run(arguments: &[&str], input: impl Into<Vec<u8>>) -> Output {
    linkstream().args(arguments).write_stdin(input).output().expect("the program runs")
}

pub fn status(output: &Output) -> i32 {
    output.status.code().expect("no signal")
}

pub fn said(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("text")
}

/// What `inspect` or `check` says about standard input.
pub fn report(command: &str, input: &[u8], options: &[&str]) -> (Value, i32) {
    let output = run(&[&[command, "--json", "-"], options].concat(), input);
    let report = serde_json::from_slice(&output.stdout).expect("one object");
    (report, status(&output))
}

/// Classes and severities of the findings.
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

/// The folder of that name among the fixtures, which belong to other projects and stand beside the checkout.
/// `None`, and a note, where there are none; but CI has them, or a skipped test would be a lie.
pub fn fixtures(folder: &str) -> Option<PathBuf> {
    let path = match std::env::var_os("LINKSTREAM_FIXTURES") {
        Some(path) => {
            let path = PathBuf::from(path);
            assert!(path.is_dir(), "LINKSTREAM_FIXTURES names no folder: {}", path.display());
            path
        }
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/fixtures"),
    };
    if !path.is_dir() {
        assert!(std::env::var("CI").as_deref() != Ok("true"), "no fixtures folder, but CI must have one");
        println!("skipped: no fixtures folder beside the project");
        return None;
    }
    Some(path.join(folder))
}

/// What the manifest of a folder tells of each file, and the file's bytes.
pub fn files(folder: &Path) -> Vec<(toml::Table, Vec<u8>)> {
    let manifest = std::fs::read_to_string(folder.join("MANIFEST.toml")).expect("a manifest");
    let manifest: toml::Table = manifest.parse().expect("TOML");
    let files = manifest["file"].as_array().expect("files");
    assert!(!files.is_empty());
    let each = files.iter().map(|file| {
        let about = file.as_table().expect("a table").clone();
        let bytes = std::fs::read(folder.join(about["path"].as_str().expect("a path"))).expect("a file");
        (about, bytes)
    });
    each.collect()
}
