//! Input without an end or of any length: what is copied, kept or read of it has a limit.

use std::fs::File;
use std::io::Write as _;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

use crate::common::gauge::{fixture, go, refused, well};
use crate::common::lime::{put, record, standing};
use crate::common::{linkstream, matrix, said, scda, status};

/// Runs the program with the processor time of 20 seconds, so that it cannot read much.
fn briefly(folder: &TempDir, arguments: &[&str], input: Stdio) -> Output {
    let mut program = Command::new("prlimit");
    program.arg("--cpu=20").arg(assert_cmd::cargo::cargo_bin("linkstream")).args(arguments);
    program.current_dir(folder.path()).stdin(input).output().expect("prlimit is part of util-linux")
}

#[test]
fn input_of_no_known_format_is_not_copied() {
    let folder = TempDir::new().expect("a temporary folder");
    put(&folder, "sample", fixture("qio/single/int_2x3x4x5.lime"));
    for arguments in [
        &["convert", "-", "out"][..],
        &["export", "-", "out"],
        &["diff", "-", "sample"],
        &["diff", "sample", "-"],
        &["inebin", "to-csv", "-", "out"],
        &["lime", "unpack", "-", "out"],
        &["lime", "extract", "-", "1", "1", "out"],
        &["scda", "cat", "-", "1"],
        &["ildg", "make", "out", "--from", "-", "--lfn", "lfn://a/b"],
        &["volumes", "copy", "/dev/zero", "out"],
    ] {
        // There is no directory for a copy.
        let mut program = linkstream();
        program.current_dir(folder.path()).args(arguments).env("TMPDIR", "/no/such/directory");
        let output = program.write_stdin(b"no format".repeat(100_000)).output().expect("the program runs");
        let words = said(&output);
        assert!(!words.contains("temporary file"), "{arguments:?}: {words}");
        let devices: Vec<_> =
            arguments.iter().map(|word| if *word == "-" { "/dev/zero" } else { word }).collect();
        let output = briefly(&folder, &devices, Stdio::null());
        assert!([1, 2].contains(&status(&output)), "{devices:?}: {}", said(&output));
        let output = briefly(&folder, arguments, File::open("/dev/zero").expect("a device").into());
        assert!([1, 2].contains(&status(&output)), "{arguments:?}: {}", said(&output));
        assert_eq!(standing(&folder, "."), ["sample"], "{arguments:?}");
    }
}

#[test]
fn devices_without_an_end_are_refused_as_data() {
    let folder = TempDir::new().expect("a temporary folder");
    put(&folder, "list", "/dev/zero type\n");
    for arguments in [
        &["inebin", "from-csv", "--type", "R", "/dev/zero", "out"][..],
        &["lime", "pack", "--anywhere", "list", "out"],
        &["scda", "create", "out", "block:b=/dev/zero"],
    ] {
        let output = briefly(&folder, arguments, Stdio::null());
        let words = said(&output);
        assert_eq!((status(&output), standing(&folder, ".")), (2, vec!["list".to_owned()]), "{words}");
        assert!(words.contains("/dev/zero: is a device, which may have no end"), "{words}");
    }
    put(&folder, "list", "/dev/null type\n");
    well(&folder, &["lime", "pack", "--anywhere", "list", "out"], b"");
}

#[test]
fn copies_have_a_limit() {
    let folder = TempDir::new().expect("a temporary folder");
    let whole = fixture("qio/single/cvec_f3_4x4x4x8.lime");
    for (limit, code) in [("13K", 2), ("14K", 0), ("1000", 2)] {
        let output = go(&folder, &["export", "-", "out", "--force", "--spool-limit", limit], &whole);
        assert_eq!(status(&output), code, "{limit}: {}", said(&output));
        if code == 2 {
            assert!(said(&output).contains("or raise --spool-limit"), "{}", said(&output));
        }
    }
    // An endless pipe.
    for command in [
        &["convert", "-", "new", "--spool-limit", "3M"][..],
        &["check", "--volume", "-", "--spool-limit", "3M"],
    ] {
        let mut program = Command::new(assert_cmd::cargo::cargo_bin("linkstream"));
        program.current_dir(folder.path()).args(command).stdin(Stdio::piped()).stderr(Stdio::piped());
        let mut child = program.spawn().expect("the program was built");
        let mut input = child.stdin.take().expect("a pipe");
        let begin = if command[0] == "check" { volume() } else { record("x", b"", true, true) };
        let endless = std::thread::spawn(move || {
            let mut written = input.write_all(&begin);
            while written.is_ok() {
                written = input.write_all(&begin);
            }
        });
        let output = child.wait_with_output().expect("an end");
        endless.join().expect("the pipe was closed");
        assert_eq!(
            (status(&output), said(&output).contains("more than 3,145,728 bytes")),
            (2, true),
            "{}",
            said(&output)
        );
    }
    refused(
        &folder,
        &["export", "-", "new", "--spool-limit", "much"],
        &whole,
        2,
        "expected a number of bytes",
    );
}

/// The first volume of a file set.
fn volume() -> Vec<u8> {
    fixture("qio/multi/multi2.lime.vol0000")
}

#[test]
fn lines_of_lists_have_a_limit() {
    let folder = TempDir::new().expect("a temporary folder");
    put(&folder, "sample", fixture("qio/single/int_2x3x4x5.lime"));
    for arguments in [
        &["check", "--files-from", "/dev/zero"][..],
        &["check", "--files-from", "-"],
        &["check", "sample", "--from", "/dev/zero"],
        &["convert", "sample", "out", "--volumes", "1x1x1x1", "--layout", "/dev/zero"],
        &["lime", "pack", "/dev/zero", "out"],
        &["scda", "create", "out", "varray:v=@/dev/zero"],
    ] {
        let output = briefly(&folder, arguments, File::open("/dev/zero").expect("a device").into());
        let words = said(&output);
        assert_eq!(status(&output), 2, "{arguments:?}: {words}");
        assert!(words.contains("line 1 of the list has more than 65536 bytes"), "{arguments:?}: {words}");
    }
    assert_eq!(standing(&folder, "."), ["sample"]);
}

/// Appends a payload of so many zeros, which take no space.
fn sparse(folder: &TempDir, name: &str, begin: &[u8], length: u64, end: &[u8]) {
    put(folder, name, begin);
    let file = File::options().append(true).open(folder.path().join(name)).expect("a file");
    file.set_len(begin.len() as u64 + length).expect("a sparse file");
    (&file).write_all(end).expect("a file");
}

#[test]
fn what_nothing_verifies_is_skipped() {
    let folder = TempDir::new().expect("a temporary folder");
    let length = 8_u64 << 40;
    for name in ["another", "ildg-binary-data"] {
        let mut begin = record(name, b"", true, false);
        begin[8..16].copy_from_slice(&length.to_be_bytes());
        sparse(&folder, "records", &begin, length, &record("more", b"\x01", false, true));
        let output = briefly(&folder, &["check", "--json", "records"], Stdio::null());
        let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a report");
        assert_eq!(report["records"].as_array().map(Vec::len), Some(2), "{report}");
    }
    let head = [scda::header(), scda::head('B', "x"), scda::count('E', length as usize)].concat();
    let padding = b"\n=============================\n\n";
    sparse(&folder, "sections", &head, length, padding);
    let output = briefly(&folder, &["check", "--json", "sections"], Stdio::null());
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).expect("a report");
    assert_eq!(
        (&report["sections"][1]["bytes"], &report["findings"]),
        (&length.into(), &serde_json::json!([]))
    );
    // A matrix has no checksum either, but its numbers are described.
    put(&folder, "matrix", matrix(b'R', 1, 1, &[0; 8]));
    assert_eq!(status(&briefly(&folder, &["check", "matrix"], Stdio::null())), 0);
}
