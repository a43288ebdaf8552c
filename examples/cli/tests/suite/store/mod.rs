//! A store of many files: its manifest, and what has changed since.

mod changes;
mod hostile;
mod killed;
mod manifest;
mod packed;
mod troubles;

use std::path::Path;
use std::process::Output;
use std::time::{Duration, SystemTime};

use host_tests::archives;
use host_tests::fixtures::Fixtures;
use serde_json::Value;
use tempfile::TempDir;

use crate::common::{linkstream, reals, said, status};

/// Number of links of 2x2x2x2 sites, and length of a link.
const LINKS: usize = 64;
const LINK: usize = 72;

/// A NERSC archive with its checksum; each seed has other links.
fn nersc(seed: usize) -> Vec<u8> {
    let data = archives::links(LINKS * (seed + 1), true)[LINKS * seed * LINK..].to_vec();
    let checksum = format!("CHECKSUM = {:x}", archives::word_sum(&data, true));
    let lines = [
        "DATATYPE = 4D_SU3_GAUGE_3x3",
        "DIMENSION_1 = 2",
        "DIMENSION_2 = 2",
        "DIMENSION_3 = 2",
        "DIMENSION_4 = 2",
        &checksum,
        "ENSEMBLE_ID = test",
        "BOUNDARY_1 = PERIODIC",
        "FLOATING_POINT = IEEE32BIG",
    ];
    archives::nersc(&lines, &data)
}

fn sample() -> Vec<u8> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../su3-4x4x4x8.lime");
    std::fs::read(path).expect("the sample is part of the repository")
}

fn put(store: &TempDir, name: &str, bytes: &[u8]) {
    let path = store.path().join("store").join(name);
    std::fs::create_dir_all(path.parent().expect("a directory")).expect("writable");
    std::fs::write(path, bytes).expect("writable");
}

fn bytes_of(store: &TempDir, name: &str) -> Vec<u8> {
    std::fs::read(store.path().join("store").join(name)).expect("readable")
}

/// Changes a byte.
fn flip(store: &TempDir, name: &str, at: usize) {
    let mut bytes = bytes_of(store, name);
    bytes[at] ^= 1;
    put(store, name, &bytes);
}

/// Sets the time of the last modification.
fn touch(path: &Path, ago: u64) {
    let file = std::fs::OpenOptions::new().write(true).open(path).expect("writable");
    file.set_modified(SystemTime::now() - Duration::from_secs(ago)).expect("the time can be set");
}

/// A store with a file of each kind.
fn store() -> TempDir {
    let store = tempfile::tempdir().expect("a temporary directory");
    put(&store, "a/lat.10.lime", &sample());
    put(&store, "a/lat.20.nersc", &nersc(0));
    put(&store, "a/matrix.bin", &reals(2, 2, &[1.0, 2.0, 3.0, 4.0]));
    put(&store, "b/state.scda", &Fixtures::Ours.read("scda/arrays-f64.scda"));
    put(&store, "README", b"texts count too\n");
    store
}

/// Runs the program in the directory that has the store.
fn go(store: &TempDir, arguments: &[&str]) -> Output {
    linkstream().current_dir(store.path()).args(arguments).output().expect("the program runs")
}

/// Writes the manifest `M`.
fn manifest(store: &TempDir, arguments: &[&str]) -> String {
    let output = go(store, &[&["manifest", "store", "--force", "--out", "M"], arguments].concat());
    assert!(status(&output) < 2, "{}", said(&output));
    std::fs::read_to_string(store.path().join("M")).expect("the manifest")
}

/// The entries of a manifest.
fn entries(manifest: &str) -> Vec<Value> {
    let mut lines: Vec<Value> =
        manifest.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert!(lines.pop().expect("the last line").get("manifest_sha256").is_some());
    lines
}

/// Name and kind of each change, and the exit status.
fn changes(store: &TempDir, arguments: &[&str]) -> (Vec<(String, String)>, i32) {
    let output = go(store, &[&["check", "--json", "--manifest", "M", "store"], arguments].concat());
    let text = String::from_utf8(output.stdout.clone()).expect("text");
    let mut lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let summary = lines.pop().unwrap_or_else(|| panic!("no summary: {}", said(&output)));
    assert!(summary.get("unchanged").is_some(), "{summary}");
    let word = |line: &Value, key: &str| line[key].as_str().unwrap_or_default().to_owned();
    let of = |line: &Value| {
        let part = line["part"].as_str().map(|part| format!(" {part}")).unwrap_or_default();
        let from = line["from"].as_str().map(|from| format!(" from {from}")).unwrap_or_default();
        (word(line, "file"), word(line, "change") + &part + &from)
    };
    (lines.iter().map(of).collect(), status(&output))
}
