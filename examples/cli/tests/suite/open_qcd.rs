//! Configurations of openQCD: read, checked by their plaquette, converted in both directions.

use serde_json::Value;

use crate::common::gauge::{data, fixture, refused, well};
use crate::common::lime::{put, read};
use crate::common::{linkstream, report, said, status};

/// The configuration with the same links as the LIME file, and its header.
fn configuration() -> Vec<u8> {
    fixture("foreign/20f-openqcd")
}

fn verdict(report: &Value) -> &str {
    report["verdict"].as_str().expect("a verdict")
}

#[test]
fn links_are_compared_with_the_plaquette() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    put(&folder, "run1n10", configuration());
    for arguments in [&["check", "--json", "run1n10"][..], &["check", "--json", "-"]] {
        let mut program = linkstream();
        let output = program.current_dir(folder.path()).args(arguments).write_stdin(configuration()).output();
        let output = output.expect("the program runs");
        let report: Value = serde_json::from_slice(&output.stdout).expect("one object");
        let field = &report["fields"][0];
        assert_eq!(
            (report["format"].as_str(), verdict(&report), status(&output)),
            (Some("openqcd"), "unverified", 0)
        );
        assert_eq!(field["extents"], serde_json::json!([4, 4, 4, 8]));
        assert_eq!(
            (&field["recorded"][0]["agrees"], &report["findings"]),
            (&true.into(), &serde_json::json!([])),
            "{report}"
        );
        assert!((field["plaquette"].as_f64().expect("a plaquette") - 0.503_580_798).abs() < 1e-8, "{report}");
    }
    assert_eq!(well(&folder, &["inspect", "run1n10"], b""), "", "there is nothing to warn of");
    assert_eq!(report("check", &configuration(), &["--require-checksum"]).1, 1);
}

/// The sentence about the comparisons claims no more than was found.
#[test]
fn the_verdict_names_what_is_right() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut slightly = configuration();
    // A change of some 1e-9 of one number, which the plaquette does not show.
    slightly[24 + 8 * 20 + 2] ^= 0x40;
    for (file, arguments, right) in [
        (configuration(), &["check"][..], "length, unitarity and the plaquette of the header are right"),
        (slightly, &["check"], "length and the plaquette of the header are right, unitarity is not"),
        (configuration(), &["check", "--no-observables"], "the links were not measured"),
    ] {
        put(&folder, "run1n10", file);
        let mut program = linkstream();
        let output = program.current_dir(folder.path()).args(arguments).arg("run1n10").output();
        let text = String::from_utf8(output.expect("the program runs").stdout).expect("text");
        assert!(text.contains(right), "{text}");
    }
}

/// A file whose links are in the order of other formats: only the plaquette shows it.
#[test]
fn links_in_another_order_are_not_those_of_the_header() {
    let (report, code) = report("check", &fixture("foreign/20e-openqcd"), &[]);
    assert_eq!((&report["findings"][0]["rule"], code), (&"recorded-plaquette-differs".into(), 1), "{report}");
}

/// Every link has its place: the files of both formats have the same links.
#[test]
fn it_is_converted_in_both_directions() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    put(&folder, "run1n10", configuration());
    let links = data(&fixture("foreign/22-quda-gauge-D.lime"));
    well(&folder, &["convert", "run1n10", "a.lime", "--to", "both", "--lfn", "lfn://a/b"], b"");
    assert!(data(&read(&folder, "a.lime")) == links, "other links");
    assert_eq!(report("check", &read(&folder, "a.lime"), &[]).1, 0);
    well(&folder, &["convert", "-", "b.ildg", "--to", "ildg"], &configuration());
    assert!(data(&read(&folder, "b.ildg")) == links, "other links");
    well(&folder, &["convert", "run1n10", "c.nersc", "--to", "nersc"], b"");
    for from in ["a.lime", "b.ildg", "c.nersc", "run1n10"] {
        well(&folder, &["convert", from, "back", "--to", "openqcd", "--force"], b"");
        let back = read(&folder, "back");
        assert!(back[24..] == configuration()[24..] && back[..16] == configuration()[..16], "{from}");
        let plaquette = |file: &[u8]| f64::from_le_bytes(file[16..24].try_into().expect("8 bytes"));
        assert!((plaquette(&back) - plaquette(&configuration())).abs() < 1e-14, "{from}");
        assert_eq!(report("check", &back, &[]).1, 0, "{from}");
    }
    well(&folder, &["export", "run1n10", "all.npy"], b"");
    let array = read(&folder, "all.npy");
    assert!(array.ends_with(&links), "other numbers");
    well(&folder, &["export", "run1n10", "slice.npy", "--slice", "7"], b"");
    assert!(read(&folder, "slice.npy").ends_with(&links[7 * 36_864..]), "another slice");
    let mut program = linkstream();
    let output =
        program.current_dir(folder.path()).args(["diff", "run1n10", "a.lime"]).output().expect("it runs");
    let text = String::from_utf8(output.stdout.clone()).expect("text");
    assert!(!text.contains("numbers differ") && output.status.code() < Some(2), "{text} {}", said(&output));
}

#[test]
fn damage_is_an_error() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    // Another number in a link; two links exchanged, which are both unitary; another plaquette in the header.
    let mut number = configuration();
    number[50_000..50_008].copy_from_slice(&0.5_f64.to_le_bytes());
    let mut exchanged = configuration();
    let (first, second) = (24 + 1000 * 144, 24 + 1500 * 144);
    for at in 0..144 {
        exchanged.swap(first + at, second + at);
    }
    let mut header = configuration();
    header[16..24].copy_from_slice(&1.5_f64.to_le_bytes());
    for (file, rule) in [
        (number, "links-not-unitary"),
        (exchanged, "recorded-plaquette-differs"),
        (header, "recorded-plaquette-differs"),
    ] {
        let (report, code) = report("check", &file, &[]);
        let rules: Vec<_> =
            report["findings"].as_array().expect("a list").iter().map(|found| &found["rule"]).collect();
        assert!(rules.contains(&&rule.into()) && code == 1, "{report}");
        refused(&folder, &["convert", "-", "out.lime", "--to", "scidac"], &file, 1, "");
        refused(&folder, &["export", "-", "out.npy"], &file, 1, "");
    }
    for length in [24, 1000, 294_935] {
        // A pipe: the length is not known before the end.
        let (report, code) = report("check", &configuration()[..length], &[]);
        assert_eq!((verdict(&report), code), ("wrong", 1), "{report}");
        put(&folder, "cut", &configuration()[..length]);
        let mut program = linkstream();
        assert_eq!(
            status(&program.current_dir(folder.path()).args(["check", "cut"]).output().expect("it runs")),
            1
        );
    }
    let longer = [&configuration()[..], b"x"].concat();
    assert_eq!(report("check", &longer, &[]).1, 1);
}

/// Other lattices than the sample, with links that are different everywhere, and with open boundaries.
#[test]
fn lattices_of_other_extents() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for extents in ["2x4x6x4", "4x2x2x6"] {
        let sizes: Vec<usize> = extents.split('x').map(|extent| extent.parse().expect("a number")).collect();
        let sites: usize = sizes.iter().product();
        // Diagonal links with three phases each.
        let link = |i: usize| {
            let (a, b) = (0.1 + i as f64 * 0.37, 1.3 + i as f64 * 0.11);
            let mut numbers = [0.0_f64; 18];
            for (place, phase) in [a, b, -a - b].into_iter().enumerate() {
                (numbers[8 * place], numbers[8 * place + 1]) = (phase.cos(), phase.sin());
            }
            numbers
        };
        let links: Vec<u8> = (0..4 * sites).flat_map(link).flat_map(f64::to_be_bytes).collect();
        let arguments = [
            "ildg",
            "make",
            "a.ildg",
            "--data",
            "-",
            "--extents",
            extents,
            "--precision",
            "64",
            "--lfn",
            "lfn://a/b",
            "--force",
        ];
        well(&folder, &arguments, &links);
        well(&folder, &["convert", "a.ildg", "n10", "--to", "openqcd", "--force"], b"");
        let stored = read(&folder, "n10");
        assert_eq!(stored.len(), 24 + sites * 576);
        let first: Vec<u32> = stored[..16]
            .chunks(4)
            .map(|word| u32::from_le_bytes(word.try_into().expect("4 bytes")))
            .collect();
        let [x, y, z, t] = [0, 1, 2, 3].map(|index| sizes[index] as u32);
        assert_eq!(first, [t, x, y, z]);
        // The first odd point is (t, x, y, z) = (0, 0, 0, 1), and its first link the one in the direction t.
        let site = sizes[0] * sizes[1];
        let expected: Vec<u8> = link(4 * site + 3).into_iter().flat_map(f64::to_le_bytes).collect();
        assert_eq!(stored[24..168], expected);
        well(&folder, &["convert", "n10", "b.ildg", "--to", "ildg", "--lfn", "lfn://a/b", "--force"], b"");
        assert!(data(&read(&folder, "b.ildg")) == links, "other links");
    }
    // A lattice with an odd extent has no such file, nor have links of another group.
    let three: Vec<u8> = [1.0_f64, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
        .iter()
        .chain(&[1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])
        .chain(&[1.0, 0.0])
        .flat_map(|x| x.to_be_bytes())
        .collect::<Vec<u8>>()
        .repeat(4 * 3 * 8);
    well(
        &folder,
        &[
            "ildg",
            "make",
            "odd.ildg",
            "--data",
            "-",
            "--extents",
            "3x2x2x2",
            "--precision",
            "64",
            "--lfn",
            "lfn://a/b",
        ],
        &three,
    );
    refused(&folder, &["convert", "odd.ildg", "odd", "--to", "openqcd"], b"", 1, "four even extents");
}

/// The bytes of each number are reversed.
#[test]
fn big_endian_files_are_named() {
    let mut file = configuration();
    file[..16].chunks_exact_mut(4).for_each(<[u8]>::reverse);
    file[16..].chunks_exact_mut(8).for_each(<[u8]>::reverse);
    let folder = tempfile::tempdir().expect("a temporary folder");
    put(&folder, "big", file);
    refused(&folder, &["export", "big", "out.npy"], b"", 1, "this is openQCD with big-endian numbers");
}
