//! Damaged archives are not converted silently.

use host_tests::archives::{milc, noise};
use tempfile::TempDir;

use crate::common::gauge::{fixture, go, refused, well};
use crate::common::lime::{put, read};
use crate::common::{report, said, status};

/// Size of the fixture's header in bytes.
const HEADER: usize = 425;

fn archive() -> Vec<u8> {
    fixture("qio/nersc/n3x3_f.nersc")
}

/// The fixture with `from` in its header replaced by `to`.
fn with(from: &str, to: &str) -> Vec<u8> {
    let file = archive();
    let text = String::from_utf8(file[..HEADER].to_vec()).expect("text");
    assert!(text.contains(from), "{text}");
    [text.replacen(from, to, 1).as_bytes(), &file[HEADER..]].concat()
}

fn milc_file() -> Vec<u8> {
    milc([2, 2, 3, 4], None, &archive()[HEADER..], true)
}

const CONVERSIONS: [&[&str]; 5] = [
    &["convert", "-", "out"],
    &["convert", "-", "out", "--to", "nersc"],
    &["convert", "-", "out", "--to", "ildg"],
    &["convert", "-", "out", "--for", "any"],
    &["convert", "-", "out", "--volumes", "1x1x1x2"],
];

/// A wrong checksum is refused, as it is in a SciDAC file.
#[test]
fn a_wrong_checksum_makes_no_file() {
    let folder = TempDir::new().expect("a temporary folder");
    let (mut nersc, mut milc) = (archive(), milc_file());
    nersc[HEADER + 100] ^= 1;
    milc[96 + 100] ^= 1;
    for damaged in [&nersc, &milc] {
        for command in CONVERSIONS {
            refused(&folder, command, damaged, 1, "checksum");
        }
        refused(
            &folder,
            &["convert", "-", "out"],
            &damaged[..damaged.len() - 1],
            1,
            "the file ends inside the data",
        );
    }
}

#[test]
fn what_is_doubtful_is_warned_about() {
    let mut trailing = [archive(), b"x".to_vec()].concat();
    let cases = [
        (trailing.clone(), "bytes follow the last link"),
        ([milc_file(), b"x".to_vec()].concat(), "bytes follow the last"),
    ];
    for (file, words) in &cases {
        for command in CONVERSIONS {
            let folder = TempDir::new().expect("a temporary folder");
            let said = well(&folder, command, file);
            assert!(said.contains("warning") && said.contains(words), "{command:?}: {said}");
        }
    }
    // The sum of words does not depend on the order of the data. Without it, a copy would be the first to verify them.
    for (file, words) in [
        (with("CHECKSUM", "CHEKSUM"), "nersc-checksum-missing"),
        (with("CHECKSUM = ", "CHECKSUM = x"), "CHECKSUM must be a hexadecimal number"),
        (with("PLAQUETTE = -0.00133", "PLAQUETTE = -0.01133"), "as plaquette, but the data give"),
        (with("LINK_TRACE = -0.01", "LINK_TRACE = -0.02"), "as link trace, but the data give"),
    ] {
        let folder = TempDir::new().expect("a temporary folder");
        refused(&folder, &["convert", "-", "out"], &file, 1, words);
    }
    trailing.pop();
    let folder = TempDir::new().expect("a temporary folder");
    assert!(!well(&folder, &["convert", "-", "out"], &trailing).contains("warning"));
}

/// `check` accepts a header without observables. QIO's record XML requires both, so they are computed from the links;
/// if these are not finite, the text is omitted.
#[test]
fn figures_that_a_header_lacks_are_computed() {
    let folder = TempDir::new().expect("a temporary folder");
    let (no_plaquette, no_trace) = ("PLAQUETTE = -0.0013388820\n", "LINK_TRACE = -0.0139498154\n");
    for lines in [&[no_plaquette][..], &[no_trace], &[no_plaquette, no_trace]] {
        let mut text = String::from_utf8(archive()[..HEADER].to_vec()).expect("text");
        lines.iter().for_each(|line| text = text.replacen(line, "", 1));
        assert_eq!(text.len(), HEADER - lines.concat().len());
        let file = [text.as_bytes(), &archive()[HEADER..]].concat();
        put(&folder, "in", &file);
        well(&folder, &["check", "in"], b"");
        assert_eq!(well(&folder, &["convert", "in", "out", "--force"], b""), "");
        let (found, code) = report("check", &read(&folder, "out"), &[]);
        assert_eq!((code, &found["verdict"]), (0, &"ok".into()), "{found}");
        let recorded = found["fields"][0]["recorded"].as_array().expect("figures");
        assert!(recorded.len() == 3 && recorded.iter().all(|figure| figure["agrees"] == true), "{found}");
    }
}

/// Links with infinite numbers or NaNs have no observables, but can still be compared on demand.
#[test]
fn archives_without_figures_are_compared() {
    let folder = TempDir::new().expect("a temporary folder");
    let mut file = with("CHECKSUM", "CHECKSUX");
    file[HEADER..HEADER + 4].copy_from_slice(&f32::NAN.to_be_bytes());
    let text = String::from_utf8_lossy(&file[..HEADER]).replacen("LINK_TRACE", "LINK_TRICE", 1);
    put(&folder, "in", [text.as_bytes(), &file[HEADER..]].concat());
    assert_eq!(status(&go(&folder, &["diff", "in", "in"], b"")), 2);
    let output = go(&folder, &["diff", "--damaged", "in", "in"], b"");
    assert_eq!(status(&output), 0, "{}", said(&output));
    refused(&folder, &["convert", "in", "out"], b"", 1, "--damaged");
}

/// A message about the links contains their offset in the archive, not in a temporary file.
#[test]
fn messages_name_bytes_of_the_archive() {
    let folder = TempDir::new().expect("a temporary folder");
    for (file, at) in [(archive(), HEADER), (milc_file(), 96)] {
        let words = format!("field 0 at byte {at}: ");
        refused(&folder, &["convert", "-", "out", "--kind", "su2gauge"], &file, 1, &words);
    }
}

/// The ranks 0, 4 and 5 have the same sum and the same sum of squares as 1, 2 and 6.
#[test]
fn a_site_that_is_listed_twice_is_found() {
    let mut list: Vec<u32> = (0..8).collect();
    for (from, to) in [(0, 1), (4, 2), (5, 6)] {
        list[from] = to;
    }
    let file = milc([2, 2, 2, 1], Some(&list), &noise(8 * 288), true);
    let folder = TempDir::new().expect("a temporary folder");
    refused(&folder, &["convert", "-", "out"], &file, 1, "names a site twice");
}

/// Exit status 1 of `diff` is reserved for sound files that differ.
#[test]
fn a_damaged_archive_is_not_compared() {
    let folder = TempDir::new().expect("a temporary folder");
    put(&folder, "good", archive());
    let mut damaged = archive();
    damaged[HEADER] ^= 1;
    put(&folder, "bad", &damaged);
    put(&folder, "short", &damaged[..1000]);
    for bad in ["bad", "short"] {
        for arguments in [["diff", bad, "good"], ["diff", "good", bad]] {
            let output = go(&folder, &arguments, b"");
            assert_eq!(status(&output), 2, "{}", said(&output));
            assert!(said(&output).contains(&format!("{bad}: at byte")), "{}", said(&output));
        }
        let output = go(&folder, &["diff", "--json", "good", bad], b"");
        let object: serde_json::Value = serde_json::from_slice(&output.stdout).expect("an object");
        assert_eq!(
            (status(&output), &object["in"], &object["same"]),
            (2, &"b".into(), &serde_json::Value::Null)
        );
    }
    put(&folder, "odd", [archive(), b"x".to_vec()].concat());
    let output = go(&folder, &["diff", "good", "odd"], b"");
    assert!(said(&output).contains("odd: at byte"));
    let text = String::from_utf8(output.stdout.clone()).expect("text");
    assert!(status(&output) == 1 && text.contains("bytes after the last link"), "{text}");
}

/// Every header has a plaquette, but the plaquette of NaNs does not exist. An infinite number in an omitted row exceeds
/// any tolerance.
#[test]
fn numbers_that_are_none_make_no_archive() {
    let whole = archive();
    for (value, place) in [(f32::NAN, 0), (f32::INFINITY, 288 * 5 + 60), (f32::MAX, 288 + 8)] {
        let mut data = whole[HEADER..].to_vec();
        data[place..place + 4].copy_from_slice(&value.to_be_bytes());
        let file = milc([2, 2, 3, 4], None, &data, true);
        for rows in ["full", "reduced"] {
            let folder = TempDir::new().expect("a temporary folder");
            let command = ["convert", "-", "out", "--to", "nersc", "--rows", rows];
            refused(&folder, &command, &file, 1, "links");
            // The observables of this large number are all finite.
            let expected = if value == f32::MAX && rows == "full" { 0 } else { 1 };
            let output = go(&folder, &[&command[..], &["--damaged"]].concat(), &file);
            assert_eq!(status(&output), expected, "{value} {rows}: {}", said(&output));
        }
    }
}

/// The checksums of MILC files do not include the list that says where the links belong.
#[test]
fn data_in_the_order_of_a_site_list_are_not_verified() {
    let folder = TempDir::new().expect("a temporary folder");
    let list: Vec<u32> = (0..48).rev().collect();
    put(&folder, "in", milc([2, 2, 3, 4], Some(&list), &archive()[HEADER..], true));
    let words = "warning: the checksum does not include the site list, so where the links belong could not be verified";
    for command in CONVERSIONS {
        let command: Vec<_> = command.iter().map(|word| if *word == "-" { "in" } else { word }).collect();
        let said = well(&folder, &[&command[..], &["--force"]].concat(), b"");
        assert!(said.contains(words), "{command:?}: {said}");
    }
    assert!(well(&folder, &["export", "in", "npy"], b"").contains(words));
    well(&folder, &["convert", "in", "copy"], b"");
    let copy = read(&folder, "copy");
    let text = String::from_utf8_lossy(&copy);
    assert!(text.contains("no checksum that verifies these data"), "{text}");
    let json = go(&folder, &["convert", "in", "copy", "--force", "--json"], b"");
    assert!(String::from_utf8_lossy(&json.stdout).contains(&words[9..]), "{}", said(&json));
    let checked = go(&folder, &["check", "in"], b"");
    let printed = String::from_utf8_lossy(&checked.stdout);
    assert!(printed.contains("unverified: the checksum does not include the site list, which"), "{printed}");
}
