//! The program without enough memory: an error message or a verdict, and never the end by a signal.

use std::process::{Command, Output};

use host_tests::long;
use tempfile::TempDir;

use crate::common::gauge::well;
use crate::common::lime::{put, record, standing};
use crate::common::{matrix, said, status};

/// Runs the program with so many KiB of address space.
fn limited(folder: &TempDir, kibibytes: u64, arguments: &[&str]) -> Output {
    let mut program = Command::new("prlimit");
    program.arg(format!("--as={}", kibibytes << 10)).arg(assert_cmd::cargo::cargo_bin("linkstream"));
    program.args(arguments).current_dir(folder.path()).env_remove("RUST_BACKTRACE");
    program.output().expect("prlimit is part of util-linux")
}

/// The least address space that lets the program start, with room for its stack, in MiB.
pub fn least(folder: &TempDir) -> u64 {
    let starts = |mebibytes: &u64| limited(folder, mebibytes << 10, &["--version"]).status.success();
    (4..1024).find(starts).expect("the program starts with a gibibyte") + 2
}

/// Runs a command with less and less address space, until there is none for the program itself. It must end with
/// this status, or with an error message that says why it does not. Only `out` may be a new file. Returns true if some
/// space was not enough.
fn shrinking(folder: &TempDir, least: u64, arguments: &[&str], expected: i32) -> bool {
    let before = standing(folder, ".");
    let mut has_failed = false;
    // Large steps; then small ones, for the program's own lists and threads.
    let large =
        std::iter::successors(Some(512), |size| Some(size - size / 3)).take_while(|size| *size > least + 4);
    let mut sizes: Vec<_> =
        large.map(|size| size << 10).chain((0..6).map(|step| ((least + 4) << 10) - 700 * step)).collect();
    // The least one is part of a sample.
    sizes.reverse();
    for size in long::sample(sizes.into_iter(), 3) {
        let output = limited(folder, size, arguments);
        let words = format!("{arguments:?} with {size} KiB: {:?}: {}", output.status, said(&output));
        let ended = output.status.code().expect(&words);
        let _ = std::fs::remove_file(folder.path().join("out"));
        assert_eq!(standing(folder, "."), before, "{words}");
        if ended == expected {
            continue;
        }
        has_failed = true;
        let is_memory =
            ["not enough memory", "Cannot allocate memory"].iter().any(|text| words.contains(text));
        assert!(ended == 2 && is_memory, "{words}");
    }
    has_failed
}

/// A gauge field of 16x16x16x8 unit matrices in double precision, which all threads read: 18 MiB.
fn field(folder: &TempDir) {
    let unit = |entry: usize| if entry.is_multiple_of(8) { 1.0_f64 } else { 0.0 }.to_be_bytes();
    let one: Vec<u8> = (0..18).flat_map(unit).collect();
    put(folder, "raw", one.repeat(4 * 16 * 16 * 16 * 8));
    let from = ["--data", "raw", "--extents", "16x16x16x8", "--scidac", "--lfn", "lfn://a/b"];
    well(folder, &[&["ildg", "make", "field.lime"], &from[..]].concat(), b"");
}

#[test]
fn commands_with_a_field_end_with_a_message() {
    let folder = TempDir::new().expect("a temporary folder");
    let least = least(&folder);
    field(&folder);
    assert!(shrinking(&folder, least, &["check", "field.lime"], 0));
    assert!(shrinking(&folder, least, &["convert", "field.lime", "out", "--precision", "32"], 0));
    assert!(shrinking(&folder, least, &["convert", "field.lime", "out", "--to", "nersc"], 0));
    assert!(shrinking(&folder, least, &["export", "field.lime", "out"], 0));
    assert!(shrinking(&folder, least, &["diff", "field.lime", "field.lime"], 0));
    assert!(shrinking(
        &folder,
        least,
        &["scda", "create", "--compress", "out", "block:b=raw", "array:a:576=raw"],
        0
    ));
}

#[test]
fn commands_with_files_that_have_or_claim_much_end_with_a_message() {
    let folder = TempDir::new().expect("a temporary folder");
    let least = least(&folder);
    let claimed = |records: &[(&str, u64, &[u8])]| -> Vec<u8> {
        let one = |(index, (name, length, payload)): (usize, &(&str, u64, &[u8]))| {
            let mut record = record(name, payload, index == 0, index + 1 == records.len());
            record[8..16].copy_from_slice(&length.to_be_bytes());
            record
        };
        records.iter().enumerate().flat_map(one).collect()
    };
    let format = br#"<?xml version="1.0"?><ildgFormat xmlns="http://www.lqcd.org/ildg"><version>1.0</version><field>su3gauge</field><precision>64</precision><lx>1000</lx><ly>1000</ly><lz>1000</lz><lt>1000</lt></ildgFormat>"#;
    let data = 1000_u64.pow(4) * 576;
    let lattice = [("ildg-format", format.len() as u64, &format[..]), ("ildg-binary-data", data, &[1; 1000])];
    put(&folder, "lattice.lime", claimed(&lattice));
    put(&folder, "record.lime", claimed(&[("ildg-format", 1 << 60, b"<")]));
    put(&folder, "records.lime", claimed(&vec![("another", 0, b"" as &[u8]); 150_000]));
    put(&folder, "matrix", matrix(b'R', 4, 1 << 20, &vec![0; 32 << 20]));
    for name in ["lattice.lime", "record.lime"] {
        shrinking(&folder, least, &["check", name], 1);
        shrinking(&folder, least, &["export", name, "out"], 1);
    }
    assert!(shrinking(&folder, least, &["check", "records.lime"], 0));
    assert!(shrinking(&folder, least, &["inspect", "records.lime"], 0));
    shrinking(&folder, least, &["check", "matrix"], 0);
    shrinking(&folder, least, &["inebin", "to-csv", "matrix", "out"], 0);
}

#[test]
fn each_file_has_a_verdict() {
    let folder = TempDir::new().expect("a temporary folder");
    let least = least(&folder);
    field(&folder);
    put(&folder, "other", b"no format");
    let output = limited(&folder, (least + 3) << 10, &["check", "-q", "field.lime", "other"]);
    let text = String::from_utf8(output.stdout.clone()).expect("text");
    assert_eq!((status(&output), text.lines().count()), (2, 3), "{text}{}", said(&output));
    assert!(text.starts_with("field.lime: UNREADABLE: "), "{text}");
}
