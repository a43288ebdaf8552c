//! A panic while one file is handled, and fields whose geometry is at its edges.

use serde_json::Value;
use tempfile::TempDir;

use crate::common::gauge::{format, go, ildg, well};
use crate::common::lime::{put, standing};
use crate::common::{linkstream, said, status};

fn sample() -> Vec<u8> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../su3-4x4x4x8.lime");
    std::fs::read(path).expect("the sample is part of the repository")
}

/// Runs the program in a directory; the file with this name provokes a panic.
fn provoked(folder: &TempDir, name: &str, arguments: &[&str]) -> (i32, String, String) {
    let mut program = linkstream();
    program.current_dir(folder.path()).env("LINKSTREAM_TEST_PANIC", name).env_remove("RUST_BACKTRACE");
    let output = program.args(arguments).output().expect("the program runs");
    let text = String::from_utf8(output.stdout.clone()).expect("text");
    (status(&output), text, said(&output))
}

#[test]
fn a_panic_makes_one_file_unreadable_and_the_others_go_on() {
    let folder = TempDir::new().expect("a temporary folder");
    for name in ["a.lime", "b.lime", "c.lime"] {
        put(&folder, name, sample());
    }
    // A file of a mebibyte and more is read alone, with all threads.
    for threads in ["1", "2"] {
        let (status, text, errors) = provoked(&folder, "b.lime", &["check", "-q", "--threads", threads, "."]);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!((status, lines.len()), (2, 4), "{text}{errors}");
        assert!(lines[0].starts_with("./a.lime: OK") && lines[2].starts_with("./c.lime: OK"), "{text}");
        assert!(lines[1].starts_with("./b.lime: UNREADABLE: internal error (provoked by a test, "), "{text}");
        assert!(lines[1].ends_with("), please report [internal-error]"), "{text}");
        assert_eq!(lines[3], "3 files: 2 OK, 0 UNVERIFIED, 0 WRONG, 1 UNREADABLE");
        assert_eq!(errors, "");
    }
    let (status, text, _) = provoked(&folder, "b.lime", &["check", "--json", "b.lime", "c.lime"]);
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!((status, lines.len()), (2, 2), "{text}");
    assert_eq!(lines[0]["verdict"], "unreadable");
    assert_eq!(lines[0]["findings"][0]["rule"], "internal-error");
    assert_eq!((&lines[1]["verdict"], &lines[1]["ok"]), (&"ok".into(), &true.into()));
}

#[test]
fn a_panic_of_another_command_is_one_line_and_leaves_no_file() {
    let folder = TempDir::new().expect("a temporary folder");
    put(&folder, "a.lime", sample());
    let before = standing(&folder, ".");
    for arguments in [
        &["convert", "a.lime", "out"][..],
        &["export", "a.lime", "out"],
        &["diff", "a.lime", "a.lime"],
        &["lime", "unpack", "a.lime"],
        &["ildg", "make", "out", "--from", "a.lime"],
    ] {
        let (status, text, errors) = provoked(&folder, "a.lime", arguments);
        assert_eq!((status, text.as_str()), (2, ""), "{arguments:?}: {errors}");
        assert!(errors.starts_with("linkstream: internal error (provoked by a test, "), "{errors}");
        assert_eq!(errors.lines().count(), 1, "{errors}");
        assert_eq!(standing(&folder, "."), before, "{arguments:?}");
    }
}

/// Extents of 1 and 2 in each dimension, absent dimensions, and extents that no file can have.
#[test]
fn geometry_at_its_edges_kills_no_command() {
    let folder = TempDir::new().expect("a temporary folder");
    let mut all = Vec::new();
    for index in 0..16_u32 {
        all.push([0, 1, 2, 3].map(|dimension| 1 + (index >> dimension & 1)));
    }
    for huge in [65_536, 1 << 31, u32::MAX] {
        all.extend([[huge, 1, 1, 1], [1, huge, 1, 1], [1, 1, huge, 1], [1, 1, 1, huge], [huge; 4]]);
    }
    for (index, extents) in all.iter().enumerate() {
        let sites: u64 = extents.iter().map(|extent| u64::from(*extent)).fold(1, u64::saturating_mul);
        let links = extents.iter().filter(|extent| **extent > 1).count();
        for (kind, colors) in [("su3gauge", 3), ("sungauge", 1), ("sungauge", 10)] {
            let bytes = if sites > 16 { 64 } else { sites as usize * links * colors * colors * 8 };
            let name = format!("{index}-{colors}.ildg");
            put(&folder, &name, ildg(&format("1.2", kind, 0, 32, *extents), &vec![0; bytes]));
            for arguments in [
                &["check", &name][..],
                &["check", "--slices", "--for", "all", "--json", &name],
                &["diff", &name, &name],
                &["export", "--force", &name, "out.npy"],
                &["convert", "--force", "--precision", "64", &name, "out.ildg"],
            ] {
                let output = go(&folder, arguments, b"");
                let said = said(&output);
                assert!(
                    output.status.code().is_some_and(|code| code <= 2),
                    "{extents:?} {arguments:?} {said}"
                );
                assert!(!said.contains("internal error"), "{extents:?} {arguments:?} {said}");
            }
        }
    }
}

#[test]
fn a_lattice_of_one_site_is_read_and_converted() {
    let folder = TempDir::new().expect("a temporary folder");
    put(&folder, "empty", b"");
    well(&folder, &["ildg", "make", "one.ildg", "--data", "empty", "--extents", "1x1x1x1"], b"");
    std::fs::remove_file(folder.path().join("empty")).expect("a file");
    put(&folder, "z.lime", sample());
    let output = go(&folder, &["check", "-q", "."], b"");
    let text = String::from_utf8(output.stdout.clone()).expect("text");
    assert!(text.contains("one.ildg: ") && text.contains("z.lime: OK"), "{text}{}", said(&output));
    assert_eq!(status(&output), 0, "{text}");
    well(&folder, &["convert", "--precision", "64", "one.ildg", "two.ildg"], b"");
    well(&folder, &["export", "one.ildg", "one.npy"], b"");
    well(&folder, &["diff", "one.ildg", "one.ildg"], b"");
}
