//! A command for many files: what is written, what is there already, what is refused before anything is written.

use std::fs;
use std::time::{Duration, SystemTime};

use tempfile::TempDir;

use crate::common::lime::put;
use crate::common::{linkstream, said, status};

fn lime() -> Vec<u8> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../su3-4x4x4x8.lime");
    fs::read(path).expect("the sample is part of the repository")
}

fn store(numbers: &[&str]) -> TempDir {
    let folder = TempDir::new().expect("a temporary folder");
    numbers.iter().for_each(|number| put(&folder, &format!("lat.{number}"), lime()));
    fs::create_dir(folder.path().join("out")).expect("writable");
    folder
}

/// The summary, the messages and the exit status.
fn run(folder: &TempDir, arguments: &[&str]) -> (String, String, i32) {
    let mut program = linkstream();
    let output = program.current_dir(folder.path()).args(arguments).output().expect("the program runs");
    (String::from_utf8_lossy(&output.stdout).trim_end().to_owned(), said(&output), status(&output))
}

fn written(folder: &TempDir) -> Vec<String> {
    let entries = fs::read_dir(folder.path().join("out")).expect("a directory");
    let mut names: Vec<String> =
        entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("text")).collect();
    names.sort();
    names
}

const CONVERT: [&str; 4] = ["convert", "--batch", "lat.{n}", "out/24c.{n:05}.lime"];

#[test]
fn every_file_that_matches_is_converted_once() {
    let folder = store(&["1", "20", "0300"]);
    put(&folder, "lat.x", b"another");
    let (summary, messages, code) = run(&folder, &[&CONVERT[..], &["--log", "log"]].concat());
    assert_eq!((&*summary, code), ("3 written, 0 there already, 0 failed", 0), "{messages}");
    assert_eq!(written(&folder), ["24c.00001.lime", "24c.00020.lime", "24c.00300.lime"]);
    let log = fs::read_to_string(folder.path().join("log")).expect("a log");
    let lines: Vec<serde_json::Value> =
        log.lines().map(|line| serde_json::from_str(line).expect("an object")).collect();
    assert_eq!(lines.len(), 3);
    assert!(lines.iter().all(|line| line["status"] == "written" && line["error"].is_null()), "{log}");
    // Existing files are not replaced by accident.
    let (_, messages, code) = run(&folder, &CONVERT);
    assert!(
        code == 2 && messages.contains("3 of the outputs exist, such as out/24c.00001.lime"),
        "{messages}"
    );
    // A second run does what is missing.
    for options in [&["--skip-existing"][..], &["--log", "log", "--resume"]] {
        fs::remove_file(folder.path().join("out/24c.00020.lime")).expect("a file");
        let (summary, messages, code) = run(&folder, &[&CONVERT[..], options].concat());
        assert!(code == 0 && summary == "1 written, 2 there already, 0 failed", "{summary}: {messages}");
    }
    let (summary, ..) =
        run(&folder, &[&CONVERT[..], &["--log", "log", "--resume", "--skip-existing"]].concat());
    assert_eq!(summary, "0 written, 3 there already, 0 failed");
}

#[test]
fn an_output_whose_input_has_changed_is_named() {
    let folder = store(&["1", "2"]);
    let (_, messages, code) = run(&folder, &[&CONVERT[..], &["--log", "log"]].concat());
    assert_eq!(code, 0, "{messages}");
    let later = SystemTime::now() + Duration::from_secs(60);
    let file = fs::File::options().write(true).open(folder.path().join("lat.2")).expect("a file");
    file.set_modified(later).expect("the time can be set");
    for options in [&["--skip-existing"][..], &["--log", "log", "--resume"]] {
        let (summary, messages, code) = run(&folder, &[&CONVERT[..], options].concat());
        assert_eq!(
            (&*summary, code),
            ("0 written, 1 there already, 0 failed, 1 there with an input that has changed", 1)
        );
        assert!(messages.contains("lat.2: the output exists, and this file has changed since"), "{messages}");
    }
    let (summary, messages, code) =
        run(&folder, &[&CONVERT[..], &["--force", "--log", "log", "--resume"]].concat());
    assert_eq!((&*summary, code), ("1 written, 1 there already, 0 failed", 0), "{messages}");
}

#[test]
fn collisions_are_refused_before_anything_is_written() {
    let folder = store(&["1", "01", "2"]);
    for (arguments, expected) in [
        (&CONVERT[..], "lat.1 and lat.01 would both be written to out/24c.00001.lime"),
        (&["convert", "--batch", "lat.{n}", "out/same.lime"], "would both be written to out/same.lime"),
        (&["convert", "--force", "--batch", "lat.{n}", "lat.{n:02}"], "would both be written to"),
        (&["convert", "--force", "--batch", "lat.{n}", "out/../lat.2"], "would both be written to"),
        (&["convert", "--batch", "lat.{n}", "-"], "--batch writes files"),
        (&["convert", "--batch", "lat.{m}", "out/{n}"], "has no {n}"),
        (&["convert", "--batch", "none.{n}", "out/{n}"], "no file matches none.{n}"),
        (&["convert", "--batch", "lat.{n}", "out/{n:x}"], "the number is written {n} or {n:05}"),
        (&["check", "--batch", "lat.{n}"], "--batch is an option of convert, export, edit and ildg set-lfn"),
        (&["convert", "--batch", "lat.{n}", "out/{n}", "--resume"], "--resume needs the --log"),
        (&["convert", "--batch", "lat.{n}", "out/{n}", "--precision", "16"], "invalid value '16'"),
    ] {
        let (summary, messages, code) = run(&folder, arguments);
        assert!(code == 2 && messages.contains(expected), "{arguments:?}: {summary} {messages}");
        assert_eq!(written(&folder), [""; 0], "{arguments:?}");
    }
    assert_eq!(fs::read(folder.path().join("lat.2")).expect("a file"), lime());
}

#[test]
fn a_damaged_file_does_not_stop_the_others() {
    let folder = store(&["1", "2", "3"]);
    put(&folder, "lat.2", &lime()[..2000]);
    let (summary, messages, code) = run(&folder, &[&CONVERT[..], &["--jobs", "2"]].concat());
    assert_eq!((&*summary, code), ("2 written, 0 there already, 1 failed", 1), "{messages}");
    assert!(messages.lines().count() == 1 && messages.starts_with("linkstream: lat.2: "), "{messages}");
    assert_eq!(written(&folder), ["24c.00001.lime", "24c.00003.lime"]);
}

#[test]
fn texts_are_edited_and_arrays_exported_for_many_files() {
    let folder = store(&["7", "8"]);
    let (summary, messages, code) = run(&folder, &["export", "--batch", "lat.{n}", "out/{n}.npy"]);
    assert_eq!((&*summary, code), ("2 written, 0 there already, 0 failed", 0), "{messages}");
    let edit = ["edit", "--batch", "lat.{n}", "--record-xml", "<n>{n}</n>", "--log", "log"];
    let (summary, messages, code) = run(&folder, &edit);
    assert_eq!((&*summary, code), ("2 written, 0 there already, 0 failed", 0), "{messages}");
    assert!(
        fs::read(folder.path().join("lat.8")).expect("a file").windows(8).any(|text| text == b"<n>8</n>")
    );
    let (summary, messages, code) = run(&folder, &[&edit[..], &["--resume"]].concat());
    assert_eq!((&*summary, code), ("0 written, 2 there already, 0 failed", 0), "{messages}");
}
