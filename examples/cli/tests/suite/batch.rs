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
    let of = |status: &str| {
        let is_this = |line: &&serde_json::Value| line["status"] == status && line["error"].is_null();
        lines.iter().filter(is_this).count()
    };
    assert_eq!((lines.len(), of("begun"), of("written")), (6, 3, 3), "{log}");
    // Existing files are not replaced by accident.
    let (_, messages, code) = run(&folder, &CONVERT);
    assert!(
        code == 2 && messages.contains("3 of the outputs are there, such as out/24c.00001.lime"),
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
        (&["convert", "--batch", "lat.{n}{n}", "out/{n}"], "has {n} twice without a text between"),
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

/// The pattern would otherwise be what is written, and the originals would be replaced.
#[test]
fn a_pattern_that_stands_for_the_output_is_refused() {
    let folder = store(&["1", "2"]);
    put(&folder, "out/1", reduced_of(&folder));
    put(&folder, "out/2", reduced_of(&folder));
    for command in ["convert", "export"] {
        for arguments in [
            &[command, "out/{n}", "--batch", "lat.{n}", "--force"][..],
            &[command, "--force", "out/{n}", "--batch=lat.{n}"],
        ] {
            let (_, messages, code) = run(&folder, arguments);
            let expected = "--batch lat.{n} stands where another file would: it comes before the output";
            assert!(code == 2 && messages.contains(expected), "{arguments:?}: {messages}");
            assert_eq!(fs::read(folder.path().join("lat.1")).expect("a file"), lime());
        }
    }
}

/// The sample in another form.
fn reduced_of(folder: &TempDir) -> Vec<u8> {
    let (_, messages, code) = run(folder, &["convert", "--force", "lat.1", "form", "--rows", "reduced"]);
    assert_eq!(code, 0, "{messages}");
    fs::read(folder.path().join("form")).expect("a file")
}

fn set_modified(folder: &TempDir, name: &str, time: SystemTime) {
    let file = fs::File::options().write(true).open(folder.path().join(name)).expect("a file");
    file.set_modified(time).expect("the time can be set");
}

#[test]
fn a_run_that_is_resumed_again_still_names_an_input_that_has_changed() {
    let folder = store(&["1"]);
    let resumed = [&CONVERT[..], &["--log", "log", "--resume"]].concat();
    assert_eq!(run(&folder, &resumed).2, 0);
    let now = SystemTime::now();
    set_modified(&folder, "lat.1", now + Duration::from_secs(60));
    let skips = [&resumed[..], &["--skip-existing"]].concat();
    for _ in 0..3 {
        for arguments in [&resumed, &skips] {
            let (summary, messages, code) = run(&folder, arguments);
            assert!(code == 1 && summary.ends_with("1 there with an input that has changed"), "{summary}");
            assert!(messages.contains("this file has changed since"), "{messages}");
        }
    }
    // An output that was only touched is not known to be made from the changed input.
    set_modified(&folder, "out/24c.00001.lime", now + Duration::from_secs(120));
    assert_eq!(run(&folder, &skips).0, "0 written, 1 there already, 0 failed");
    let (_, messages, code) = run(&folder, &resumed);
    assert!(code == 2 && messages.contains("1 of the outputs is there"), "{messages}");
    let (summary, messages, code) = run(&folder, &[&resumed[..], &["--force"]].concat());
    assert_eq!((&*summary, code), ("1 written, 0 there already, 0 failed", 0), "{messages}");
    assert_eq!(run(&folder, &resumed).0, "0 written, 1 there already, 0 failed");
}

#[test]
fn what_was_written_with_other_arguments_is_not_done() {
    let folder = store(&["1"]);
    let resumed = [&CONVERT[..], &["--log", "log", "--resume"]].concat();
    assert_eq!(run(&folder, &resumed).2, 0);
    let single = [&resumed[..], &["--precision", "32"]].concat();
    let (_, messages, code) = run(&folder, &single);
    assert!(code == 2 && messages.contains("1 of the outputs is there"), "{messages}");
    let forced = [&single[..], &["--force"]].concat();
    assert_eq!(run(&folder, &forced).0, "1 written, 0 there already, 0 failed");
    for again in [single, forced] {
        assert_eq!(run(&folder, &again).0, "0 written, 1 there already, 0 failed");
    }
    let edit = |text: &str| {
        run(&folder, &["edit", "--batch", "lat.{n}", "--record-xml", text, "--log", "edits", "--resume"]).0
    };
    for (text, expected) in [
        ("<a/>", "1 written, 0 there already, 0 failed"),
        ("<a/>", "0 written, 1 there already, 0 failed"),
        ("<b/>", "1 written, 0 there already, 0 failed"),
    ] {
        assert_eq!(edit(text), expected, "{text}");
    }
}

#[test]
fn a_log_that_is_cut_is_continued_and_others_are_refused() {
    let folder = store(&["1", "2"]);
    let resumed = [&CONVERT[..], &["--log", "log", "--resume", "--jobs", "1"]].concat();
    assert_eq!(run(&folder, &resumed).2, 0);
    let log = folder.path().join("log");
    let whole = fs::read(&log).expect("a log");
    let end = whole.iter().position(|byte| *byte == b'\n').expect("a line");
    // Killed in the second line, and in the first.
    for at in [end + 50, end - 5, 4] {
        fs::remove_dir_all(folder.path().join("out")).expect("writable");
        fs::create_dir(folder.path().join("out")).expect("writable");
        fs::write(&log, &whole[..at]).expect("writable");
        let (_, messages, code) = run(&folder, &resumed);
        assert_eq!(code, 0, "{at}: {messages}");
        let (summary, messages, _) = run(&folder, &resumed);
        assert_eq!(summary, "0 written, 2 there already, 0 failed", "{at}: {messages}");
    }
    fs::write(&log, vec![b' '; 9 << 20]).expect("writable");
    let (_, messages, code) = run(&folder, &resumed);
    assert!(code == 2 && messages.contains("line 1 has more than 8388608 bytes"), "{messages}");
    fs::write(&log, "text\n").expect("writable");
    assert!(run(&folder, &resumed).1.contains("is no log of such a run"));
}

#[test]
fn a_log_that_is_no_file_or_another_file_of_the_run_is_refused() {
    let folder = store(&["1"]);
    let output = "out/24c.00001.lime";
    for log in [output, "out/../out/24c.00001.lime", "lat.1"] {
        for options in [&["--force"][..], &["--force", "--resume"]] {
            let (_, messages, code) = run(&folder, &[&CONVERT[..], &["--log", log], options].concat());
            assert!(code == 2 && messages.contains("would be the log, too"), "{log}: {messages}");
            assert_eq!(written(&folder), [""; 0], "{log}");
        }
    }
    let no_file = if cfg!(unix) { "/dev/full" } else { "out" };
    let (_, messages, code) = run(&folder, &[&CONVERT[..], &["--log", no_file, "--resume"]].concat());
    assert!(code == 2 && messages.contains("is no file that --resume can read"), "{messages}");
    assert_eq!(written(&folder), [""; 0]);
}

#[test]
fn a_run_that_was_killed_is_resumed_whatever_it_had_begun() {
    let folder = store(&["1", "2", "3"]);
    let resumed = [&CONVERT[..], &["--log", "log", "--resume"]].concat();
    assert_eq!(run(&folder, &[&CONVERT[..], &["--log", "log"]].concat()).2, 0);
    // Killed after the second file was written, and before the log had it; the third was never begun.
    let log = fs::read_to_string(folder.path().join("log")).expect("a log");
    let killed = log.lines().filter(|line| match line {
        line if line.contains("lat.3\"") => false,
        line => !(line.contains("lat.2\"") && line.contains("\"written\",")),
    });
    let killed: String = killed.map(|line| format!("{line}\n")).collect();
    put(&folder, "log", &killed);
    fs::remove_file(folder.path().join("out/24c.00003.lime")).expect("a file");
    let (summary, messages, code) = run(&folder, &resumed);
    assert_eq!((&*summary, code), ("1 written, 2 there already, 0 failed", 0), "{messages}");
    // Not if the input has changed since, and not an output that is empty.
    let second = folder.path().join("out/24c.00002.lime");
    put(&folder, "log", &killed);
    fs::write(&second, b"").expect("writable");
    let (_, messages, code) = run(&folder, &resumed);
    assert!(code == 2 && messages.contains("24c.00002.lime"), "{messages}");
    let (summary, messages, code) = run(&folder, &[&CONVERT[..], &["--skip-existing"]].concat());
    assert_eq!((&*summary, code), ("0 written, 2 there already, 1 failed", 1), "{messages}");
    assert!(messages.contains("lat.2: the output exists, and is empty"), "{messages}");
}

#[test]
fn sets_are_written_and_read_by_their_names() {
    let folder = store(&["1", "2"]);
    let volumes = ["convert", "--batch", "lat.{n}", "out/set.{n:03}", "--volumes", "2", "--log", "log"];
    for (options, expected) in [
        (&[][..], "2 written, 0 there already, 0 failed"),
        (&["--resume"], "0 written, 2 there already, 0 failed"),
        (&["--resume", "--skip-existing"], "0 written, 2 there already, 0 failed"),
    ] {
        let (summary, messages, code) = run(&folder, &[&volumes[..], options].concat());
        assert_eq!((&*summary, code), (expected, 0), "{messages}");
    }
    assert_eq!(written(&folder).len(), 4);
    // Existing sets are not replaced by accident.
    let (_, messages, code) = run(&folder, &volumes[..6]);
    assert!(code == 2 && messages.contains("2 of the outputs are there, such as out/set.001"), "{messages}");
    let (summary, messages, code) = run(&folder, &["convert", "--batch", "out//set.{n}", "single.{n}"]);
    assert_eq!((&*summary, code), ("2 written, 0 there already, 0 failed", 0), "{messages}");
    assert!(folder.path().join("single.001").exists() && folder.path().join("single.002").exists());
}

/// Leaves only the lines of the log about what was begun, as a run that was killed before it wrote the others.
fn forget_the_ends(folder: &TempDir) {
    let log = fs::read_to_string(folder.path().join("log")).expect("a log");
    let begun = log.lines().filter(|line| line.contains("\"status\":\"begun\""));
    put(folder, "log", begun.map(|line| format!("{line}\n")).collect::<String>());
}

#[test]
fn what_a_killed_run_has_changed_in_place_stays_as_it_is() {
    let folder = store(&["7", "8"]);
    let modified = || fs::metadata(folder.path().join("lat.8")).and_then(|about| about.modified()).ok();
    let edit =
        ["edit", "--batch", "lat.{n}", "--record-xml", "<n>{n}</n>", "--update", "{n}", "--log", "log"];
    let name = ["ildg", "set-lfn", "--batch", "lat.{n}", "lfn://example/{n}", "--log", "log"];
    for (command, force) in [(&edit[..], &[][..]), (&name, &["--force"])] {
        let _ = fs::remove_file(folder.path().join("log"));
        let (summary, messages, code) = run(&folder, &[command, force].concat());
        assert_eq!((&*summary, code), ("2 written, 0 there already, 0 failed", 0), "{messages}");
        let before = modified();
        for force in [&[][..], force] {
            forget_the_ends(&folder);
            // The second time, the log has it.
            for _ in 0..2 {
                let (summary, messages, code) = run(&folder, &[command, force, &["--resume"]].concat());
                assert_eq!((&*summary, code), ("0 written, 2 there already, 0 failed", 0), "{messages}");
            }
        }
        assert_eq!(modified(), before);
    }
}

#[test]
fn a_set_that_a_killed_run_has_not_completed_is_written_again() {
    let folder = store(&["1", "2"]);
    let volumes = ["convert", "--batch", "lat.{n}", "out/set.{n}", "--volumes", "2", "--log", "log"];
    let resumed = [&volumes[..], &["--resume"]].concat();
    assert_eq!(run(&folder, &volumes).2, 0);
    let second = folder.path().join("out/set.2.vol0001");
    let whole = fs::read(&second).expect("a volume");
    // Twice: the second run is killed where the first one was.
    for _ in 0..2 {
        forget_the_ends(&folder);
        fs::remove_file(&second).expect("a volume");
        let (summary, messages, code) = run(&folder, &resumed);
        assert_eq!((&*summary, code), ("1 written, 1 there already, 0 failed", 0), "{messages}");
        assert_eq!(fs::read(&second).expect("a volume"), whole);
    }
    // A run that replaced the sets of another one has perhaps left some of these volumes.
    fs::remove_file(folder.path().join("log")).expect("a log");
    assert_eq!(run(&folder, &[&volumes[..], &["--force"]].concat()).2, 0);
    forget_the_ends(&folder);
    fs::remove_file(&second).expect("a volume");
    let (_, messages, code) = run(&folder, &resumed);
    assert!(code == 2 && messages.contains("2 of the outputs are there"), "{messages}");
}
