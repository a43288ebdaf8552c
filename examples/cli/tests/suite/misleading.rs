//! Input that is often confused with another, and messages that say what to do.

use tempfile::TempDir;

use crate::common::gauge::{fixture, go, of_doubles, refused, well};
use crate::common::lime::{put, read};
use crate::common::{reals, report, said, status};

/// Unitary links on 2x2x2x2, big-endian.
fn links() -> Vec<u8> {
    let angles = (0..16 * 4).map(|link| 0.1 + 0.37 * f64::from(link));
    let link = |angle: f64| {
        let (s, c) = angle.sin_cos();
        let mut numbers = [0.0; 18];
        (numbers[0], numbers[2], numbers[6], numbers[8], numbers[16]) = (c, s, -s, c, 1.0);
        numbers
    };
    of_doubles(&angles.flat_map(link).collect::<Vec<_>>())
}

fn little(bytes: &[u8]) -> Vec<u8> {
    bytes.chunks(8).flat_map(|word| word.iter().rev().copied()).collect()
}

/// A NumPy array of this type.
fn npy(dtype: &str, shape: &str, data: &[u8]) -> Vec<u8> {
    let mut header = format!("{{'descr': '{dtype}', 'fortran_order': False, 'shape': {shape}, }}");
    while (10 + header.len() + 1) % 64 != 0 {
        header.push(' ');
    }
    header.push('\n');
    let length = (header.len() as u16).to_le_bytes();
    [&b"\x93NUMPY\x01\x00"[..], &length, header.as_bytes(), data].concat()
}

/// The arguments of `ildg make`.
fn make<'a>(rest: &[&'a str]) -> Vec<&'a str> {
    [&["ildg", "make", "out", "--lfn", "lfn://a/b", "--force"][..], rest].concat()
}

#[test]
fn links_in_the_wrong_byte_order_are_not_written() {
    let folder = TempDir::new().expect("a temporary folder");
    put(&folder, "big", links());
    put(&folder, "little", little(&links()));
    let shape = "(2, 2, 2, 2, 4, 3, 3)";
    put(&folder, "confused.npy", npy("<c16", shape, &links()));
    let extents = ["--extents", "2x2x2x2"];
    let unitary = "in the other byte order the links are unitary: ";
    for (data, advice) in [
        (&["--data", "big", "--little-endian"][..], "leave out --little-endian"),
        (&["--data", "little"], "use --little-endian"),
        (&["--data", "little", "--scidac"], "use --little-endian"),
    ] {
        let arguments = make(&[data, &extents].concat());
        refused(&folder, &arguments, b"", 1, &format!("{unitary}{advice}"));
    }
    let advice = format!("{unitary}the type of the array names the wrong one");
    refused(&folder, &make(&["--data", "confused.npy"]), b"", 1, &advice);
    for right in [&["--data", "big"][..], &["--data", "little", "--little-endian"]] {
        well(&folder, &make(&[right, &extents].concat()), b"");
        let (found, code) = report("check", &read(&folder, "out"), &[]);
        assert_eq!((code, &found["findings"]), (0, &serde_json::json!([])), "{found}");
    }
    // Numbers that are wrong in either order.
    let mut broken = links();
    broken[..8].copy_from_slice(&f64::NAN.to_be_bytes());
    put(&folder, "nan", &broken);
    let arguments = make(&[&["--data", "nan"][..], &extents].concat());
    refused(&folder, &arguments, b"", 1, "1 number is infinite or NaN; --any-numbers accepts them");
    well(&folder, &[&arguments[..], &["--any-numbers"]].concat(), b"");
}

#[test]
fn numbers_of_propagators_are_finite_and_in_the_right_order() {
    let folder = TempDir::new().expect("a temporary folder");
    let numbers: Vec<_> = (0..16 * 288).map(|i| f64::from(i % 83) / 83.0 - 0.5).collect();
    put(&folder, "little", little(&of_doubles(&numbers)));
    let make =
        ["make", "propagator", "out", "--type", "LHPC", "--solution", "little", "--extents", "2x2x2x2"];
    refused(&folder, &make, b"", 1, "in the other byte order they are plausible: use --little-endian");
    well(&folder, &[&make[..], &["--little-endian"]].concat(), b"");
    well(&folder, &[&make[..], &["--any-numbers", "--force"]].concat(), b"");
}

#[test]
fn files_that_are_not_numbers_are_named() {
    let folder = TempDir::new().expect("a temporary folder");
    put(&folder, "x.npz", [b"PK\x03\x04".to_vec(), vec![0; 9216]].concat());
    well(&folder, &["sample", "sample.lime"], b"");
    for (file, words) in [("x.npz", "unzip FILE NAME.npy"), ("sample.lime", "is a file of the format LIME")] {
        let make = ["ildg", "make", "out", "--data", file, "--extents", "2x2x2x2"];
        refused(&folder, &make, b"", 1, words);
        let make =
            ["make", "propagator", "out", "--type", "LHPC", "--solution", file, "--extents", "2x2x2x2"];
        refused(&folder, &make, b"", 1, words);
    }
    put(&folder, "x.xml", "<?xml version=\"1.0\"?><a>1</a>");
    refused(&folder, &["inebin", "from-csv", "--type", "R", "x.xml", "out"], b"", 1, "XML document");
    refused(&folder, &["convert", "x.xml", "out"], b"", 1, "text that begins like an XML document");
}

#[test]
fn a_set_is_exported_like_the_file_that_it_was_made_of() {
    let folder = TempDir::new().expect("a temporary folder");
    well(&folder, &["sample", "one"], b"");
    well(&folder, &["convert", "one", "set", "--volumes", "1x2x1x2"], b"");
    well(&folder, &["export", "one", "one.npy"], b"");
    for set in ["set", "set.vol0000"] {
        well(&folder, &["export", set, "set.npy", "--force"], b"");
        assert!(read(&folder, "set.npy") == read(&folder, "one.npy"));
    }
}

#[test]
fn numbers_of_things_are_explained() {
    let folder = TempDir::new().expect("a temporary folder");
    well(&folder, &["sample", "f"], b"");
    for (arguments, words) in [
        (&["export", "f", "x", "--slice", "-1"][..], "counted from 0 is expected"),
        (&["export", "f", "x", "--section", "-1"], "counted from 0 is expected"),
        (&["export", "f", "x", "--field", "-1"], "counted from 0 is expected"),
        (&["convert", "f", "x", "--field", "-1"], "counted from 0 is expected"),
        (&["lime", "extract", "f", "-1", "1"], "counted from 1 is expected"),
        (&["scda", "cat", "f", "-1"], "counted from 0 is expected"),
        (&["diff", "f", "f", "--tolerance", "-1"], "a number like 1e-6"),
        (&["export", "f", "x", "--field", "1"], "field 1 does not exist: the file has 1 field, number 0"),
        (&["convert", "f", "x", "--field", "1"], "field 1 does not exist: the file has 1 field, number 0"),
    ] {
        let output = go(&folder, arguments, b"");
        assert!(status(&output) == 2 && said(&output).contains(words), "{arguments:?}: {}", said(&output));
    }
    // The same in all forms.
    for options in [&["--to", "nersc"][..], &["--volumes", "1x1x1x2"]] {
        let convert = [&["convert", "f", "x", "--field", "1"], options].concat();
        refused(&folder, &convert, b"", 2, "field 1 does not exist");
    }
    refused(&folder, &["ildg", "make", "x", "--from", "f", "--field", "1"], b"", 2, "field 1 does not exist");
    // Documents without data: what is left of a file whose writer was killed.
    let sample = read(&folder, "f");
    let output = go(&folder, &["convert", "-", "x"], &sample[..528]);
    assert!(status(&output) == 1 && !said(&output).contains("0 fields"), "{}", said(&output));
}

/// A reader that goes away did not get all data: a broken `ssh` must not look like success.
#[test]
fn data_that_nobody_reads_are_a_failure() {
    use std::process::{Command, Stdio};

    let folder = TempDir::new().expect("a temporary folder");
    well(&folder, &["sample", "f"], b"");
    for arguments in [
        &["convert", "f", "-"][..],
        &["convert", "f", "-", "--to", "nersc"],
        &["export", "f", "-"],
        &["ildg", "make", "-", "--from", "f"],
        &["lime", "extract-type", "f", "ildg-binary-data"],
    ] {
        let mut program = Command::new(assert_cmd::cargo::cargo_bin("linkstream"));
        program.current_dir(folder.path()).args(arguments).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = program.spawn().expect("the program runs");
        // The data are longer than the buffer of a pipe.
        drop(child.stdout.take());
        let output = child.wait_with_output().expect("the program ends");
        assert_eq!(status(&output), 2, "{arguments:?}: {}", said(&output));
        assert!(said(&output).contains("standard output: Broken pipe"), "{}", said(&output));
    }
}

#[test]
fn options_without_effect_are_named() {
    let folder = TempDir::new().expect("a temporary folder");
    well(&folder, &["sample", "f"], b"");
    put(&folder, "real", fixture("qio/single/real_d_2x3x4x5.lime"));
    for (options, words) in [
        (&["--rows", "reduced"][..], "warning: --rows has no effect: there is no gauge field"),
        (&["--kind", "su3gauge"], "warning: --kind has no effect: there is no gauge field"),
    ] {
        for more in [&[][..], &["--volumes", "2x1x1x1"]] {
            let said = well(&folder, &[&["convert", "real", "out", "--force"], options, more].concat(), b"");
            assert!(said.contains(words), "{said}");
        }
        let said = well(&folder, &[&["convert", "f", "out", "--force"], options].concat(), b"");
        assert!(!said.contains("no effect"), "{said}");
    }
    let words = "--tolerance is for omitted rows: --rows reduced";
    for command in [
        &["convert", "f", "x"][..],
        &["convert", "f", "x", "--rows", "full"],
        &["convert", "f", "x", "--to", "nersc"],
        &["convert", "f", "x", "--for", "any"],
        &["ildg", "make", "x", "--from", "f"],
    ] {
        refused(&folder, &[command, &["--tolerance", "1e-3"]].concat(), b"", 2, words);
    }
}

/// Data that `check --lenient` calls unverified can be refused by commands that write. Their help lists them.
#[test]
fn the_help_says_what_is_refused_although_it_is_no_error() {
    let folder = TempDir::new().expect("a temporary folder");
    let nersc = fixture("qio/nersc/n3x3_f.nersc");
    let at = nersc.windows(8).position(|bytes| bytes == b"CHECKSUM").expect("a checksum");
    let end = at + nersc[at..].iter().position(|byte| *byte == b'\n').expect("a line") + 1;
    put(&folder, "nersc", [&nersc[..at], &nersc[end..]].concat());
    put(&folder, "matrix", [reals(1, 1, &[1.0]), vec![7]].concat());
    let lime = fixture("qio/single/gauge_f3_4x4x4x8.lime");
    put(&folder, "lime", &lime[..lime.len() - 144 - 136]);
    for name in ["nersc", "matrix", "lime"] {
        let checked = go(&folder, &["check", "--lenient", "--quiet", name], b"");
        assert!(status(&checked) == 0 && String::from_utf8_lossy(&checked.stdout).contains("UNVERIFIED"));
        refused(&folder, &["export", name, "out"], b"", 1, "--damaged reads the input nevertheless");
    }
    let help = |command: &str| {
        let text = String::from_utf8(go(&folder, &[command, "--help"], b"").stdout).expect("text");
        text.split_whitespace().collect::<Vec<_>>().join(" ")
    };
    let lost = "refused if it has errors, or if it contains - a SciDAC record or a NERSC archive without a checksum; \
                or - data without a checksum in a message that does not end; or - ";
    assert!(
        help("export").contains(&format!("{lost}a matrix or an archive that is followed by other bytes"))
    );
    assert!(help("convert").contains(&format!("{lost}an archive that is followed by other bytes")));
    assert!(help("check").contains("refuse more than this: `export --help` lists it"));
    assert!(help("export").contains("An array has no place for a note about damage"));
    let words =
        "--field and --slice can only be used with LIME files, file sets, NERSC archives and MILC files";
    put(&folder, "matrix", reals(1, 1, &[1.0]));
    refused(&folder, &["export", "matrix", "out", "--field", "0"], b"", 2, words);
    assert!(help("export").contains("In a hypercube, 0 is the first slice that it has"));
}
