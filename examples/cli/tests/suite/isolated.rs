//! One file must not cost the reports on the others: defects of the program, and lattices at the edge of what is legal.

use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::common::{linkstream, said, status};

/// A directory with the sample, twice, and a file between.
fn neighbours(between: &[u8]) -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../su3-4x4x4x8.lime");
    for name in ["a.lime", "c.lime"] {
        std::fs::copy(&sample, folder.path().join(name)).expect("the sample is part of the repository");
    }
    std::fs::write(folder.path().join("b.lime"), between).expect("a file");
    folder
}

#[test]
fn a_panic_is_the_error_of_one_file() {
    let folder = neighbours(b"anything");
    for order in [&["a.lime", "b.lime", "c.lime"][..], &["."]] {
        for threads in ["1", "2"] {
            let mut command = linkstream();
            command.current_dir(folder.path()).env("LINKSTREAM_TEST_PANIC", "b.lime");
            let output = command
                .args(["check", "--quiet", "--threads", threads])
                .args(order)
                .output()
                .expect("it runs");
            let lines = String::from_utf8_lossy(&output.stdout).into_owned();
            assert_eq!(status(&output), 2, "{lines}");
            let [a, b, c, summary] = lines.lines().collect::<Vec<_>>()[..] else { panic!("{lines}") };
            assert!(a.ends_with("a.lime: OK") && c.ends_with("c.lime: OK"), "{lines}");
            assert!(b.contains("b.lime: UNREADABLE: internal error (the file "), "{b}");
            assert!(b.ends_with("), please report [internal-error]"), "{b}");
            assert!(summary.starts_with("3 files: 2 OK, 0 UNVERIFIED, 0 WRONG, 1 UNREADABLE"), "{summary}");
            let said = said(&output);
            assert!(said.contains("linkstream: internal error at ") && !said.contains("backtrace"), "{said}");
        }
    }
    let output = linkstream()
        .current_dir(folder.path())
        .env("LINKSTREAM_TEST_PANIC", "b.lime")
        .args(["check", "--json", "b.lime"])
        .output()
        .expect("it runs");
    let line: Value = serde_json::from_slice(&output.stdout).expect("one object");
    assert_eq!((&line["verdict"], &line["rule"]), (&"unreadable".into(), &"internal-error".into()), "{line}");
}

/// ILDG 1.2, section 2.5.1: no links in directions with one site. On a lattice of one site there are none at all.
#[test]
fn lattices_with_one_site_in_a_direction() {
    for (extents, links) in [
        ("1x1x1x1", 0),
        ("2x1x1x1", 1),
        ("1x1x1x2", 1),
        ("1x2x1x1", 1),
        ("1x1x2x2", 2),
        ("2x2x2x1", 3),
        ("1x2x2x2", 3),
        ("2x2x2x2", 4),
    ] {
        let sites: usize =
            extents.split('x').map(|extent| extent.parse::<usize>().expect("a number")).product();
        let mut unit = [0.0_f64; 18];
        for diagonal in [0, 8, 16] {
            unit[diagonal] = 1.0;
        }
        let data: Vec<u8> =
            std::iter::repeat_n(unit, sites * links).flatten().flat_map(f64::to_be_bytes).collect();
        let folder = tempfile::tempdir().expect("a temporary folder");
        std::fs::write(folder.path().join("data"), &data).expect("a file");
        let go = |arguments: &[&str], expected: i32| {
            let output = linkstream().current_dir(folder.path()).args(arguments).output().expect("it runs");
            assert_eq!(status(&output), expected, "{extents} {arguments:?}: {}", said(&output));
            String::from_utf8_lossy(&output.stdout).into_owned()
        };
        go(&["ildg", "make", "one.ildg", "--data", "data", "--extents", extents], 0);
        std::fs::remove_file(folder.path().join("data")).expect("an empty file would fail the directory");
        let printed = go(&["check", "one.ildg"], 0);
        assert_eq!(printed.contains("average plaquette"), links > 1, "{extents}: {printed}");
        assert!(go(&["check", "--json", "--slices", "one.ildg"], 0).contains("\"unverified\""), "{extents}");
        assert!(go(&["check", "--quiet", "."], 0).contains("one.ildg: UNVERIFIED"), "{extents}");
        go(&["check", "--for", "all", "one.ildg"], 0);
        for (name, options) in [
            ("single.ildg", &["--precision", "32"][..]),
            ("rows.ildg", &["--rows", "2"]),
            ("both.lime", &["--to", "both"]),
            ("native.lime", &["--to", "scidac"]),
        ] {
            let has_form = links > 0 || options[0] != "--to";
            go(&[&["convert", "one.ildg", name], options].concat(), i32::from(!has_form));
            if !has_form {
                continue; // A record of SciDAC has at least one datum at a site.
            }
            go(&["check", "--quiet", name], 0);
            go(&["diff", "--data", "--tolerance", "1e-6", "one.ildg", name], 0);
        }
        go(&["export", "one.ildg", "links.npy"], 0);
        go(&["export", "--slice", "0", "one.ildg", "slice.npy"], 0);
        let shape =
            String::from_utf8_lossy(&std::fs::read(folder.path().join("links.npy")).expect("an array"))
                .into_owned();
        let expected: Vec<&str> = extents.split('x').rev().collect();
        assert!(shape.contains(&format!("({}, {links}, 3, 3)", expected.join(", "))), "{extents}: {shape}");
    }
}
