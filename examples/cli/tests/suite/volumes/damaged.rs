//! Damage in one volume of a set is attributed to this volume, although the set has one checksum, in its first volume.

use std::path::Path;

use serde_json::Value;

use super::check::{check, rules};
use super::support::{go, well};
use crate::common::{linkstream, status};

/// A set of 32 volumes with 16 sites each.
fn set(folder: &Path) {
    well(folder, &[&"sample", &"su3.lime"]);
    well(folder, &[&"convert", &"su3.lime", &"set", &"--volumes", &"2x2x2x4", &"--to", &"scidac"]);
}

/// Offset of the last data record: 16 sites of 288 bytes. Only the first volume has a checksum after them.
fn data(volume: &[u8]) -> usize {
    let name = b"scidac-binary-data";
    volume.windows(name.len()).rposition(|bytes| bytes == name).expect("data") - 16 + 144
}

/// The finding about the checksum of a set.
fn mismatch(report: &Value) -> &Value {
    let findings = report["findings"].as_array().expect("a list");
    findings.iter().find(|found| found["rule"] == "checksum-mismatch").expect("a finding")
}

/// The sums alone may leave some places, the right one among them; no volume is blamed unless all are there.
#[test]
fn one_byte_is_found_with_its_volume() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    set(folder.path());
    let (mut blamed, mut alone) = (0, 0);
    for (number, byte, bits) in
        [(0, 0, 1_u8), (1, 4607, 0x80), (17, 1000, 0x41), (31, 2222, 0xff), (5, 303, 0xa5), (30, 7, 4)]
    {
        let path = folder.path().join(format!("set.vol{number:04}"));
        let good = std::fs::read(&path).expect("a volume");
        let (mut bytes, offset) = (good.clone(), data(&good) + byte);
        bytes[offset] ^= bits;
        std::fs::write(&path, bytes).expect("the temporary folder is writable");
        let (reports, code) = check(&[&folder.path().join("set")], &[]);
        assert_eq!(code, 1);
        let place = format!("byte {offset} of set.vol{number:04}");
        let found = mismatch(&reports[0]);
        let message = found["message"].as_str().expect("text");
        assert!(message.contains("only one byte had changed") && message.contains(&place), "{message}");
        let volumes = reports[0]["volumes"].as_array().expect("a list").iter().enumerate();
        let with_mismatch = volumes.filter(|(_, of)| rules(&of["findings"]).contains(&"checksum-mismatch"));
        let with_mismatch: Vec<_> = with_mismatch.map(|(index, _)| index).collect();
        if message.ends_with(&format!("had changed: {place}")) {
            assert_eq!(found["offset"].as_u64(), Some(offset as u64), "{found}");
            assert!(message.starts_with(&format!("set.vol{number:04}: ")), "{message}");
            assert_eq!(with_mismatch, [number], "{message}");
            alone += 1;
        }
        let only_there = message.matches(" of set.vol").count()
            == message.matches(&format!(" of set.vol{number:04}")).count();
        assert_eq!(with_mismatch, if only_there { vec![number] } else { Vec::new() }, "{message}");
        blamed += with_mismatch.len();
        // Other commands name it too.
        for command in [["convert", "set", "out.lime"], ["export", "set", "out.npy"]] {
            let (code, said) = go(folder.path(), &[&command[0], &command[1], &command[2]]);
            assert!(code == 1 && said.contains(&place), "{command:?}: {said}");
        }
        std::fs::write(&path, good).expect("the temporary folder is writable");
    }
    assert!(blamed >= 4 && alone >= 4, "{blamed} {alone}");
}

/// If more sites have changed, no volume is named: the checksum record in the first one may be right.
#[test]
fn nothing_is_blamed_without_a_reason() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    set(folder.path());
    for number in [3, 4] {
        let path = folder.path().join(format!("set.vol{number:04}"));
        let mut bytes = std::fs::read(&path).expect("a volume");
        let at = data(&bytes) + 3;
        bytes[at] ^= 1;
        std::fs::write(&path, bytes).expect("the temporary folder is writable");
    }
    let (reports, code) = check(&[&folder.path().join("set")], &[]);
    assert_eq!(code, 1);
    let found = mismatch(&reports[0]);
    let message = found["message"].as_str().expect("text");
    assert!(message.starts_with("checksum mismatch"), "{message}");
    assert!(message.ends_with("it is the checksum of the data of all volumes together"), "{message}");
}

/// Several bytes of one site: the sums do not tell it from other sites, which may be in other volumes.
#[test]
fn several_bytes_blame_no_volume() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    set(folder.path());
    let path = folder.path().join("set.vol0009");
    let mut bytes = std::fs::read(&path).expect("a volume");
    let site = data(&bytes) + 5 * 288;
    bytes[site + 1..site + 200].fill(0x3c);
    std::fs::write(&path, bytes).expect("the temporary folder is writable");
    let (reports, code) = check(&[&folder.path().join("set")], &[]);
    assert_eq!(code, 1);
    let message = mismatch(&reports[0])["message"].as_str().expect("text");
    assert!(message.ends_with("it is the checksum of the data of all volumes together"), "{message}");
}

#[test]
fn one_byte_of_a_single_file_is_found() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    well(folder.path(), &[&"sample", &"su3.lime"]);
    let path = folder.path().join("su3.lime");
    let mut bytes = std::fs::read(&path).expect("a file");
    let name = b"ildg-binary-data";
    let record = bytes.windows(name.len()).rposition(|bytes| bytes == name).expect("data") - 16;
    let offset = record + 144 + 77_777;
    bytes[offset] ^= 0x10;
    std::fs::write(&path, bytes).expect("the temporary folder is writable");
    // The links tell which of the possible places it is.
    let place = format!("the sums differ as if only one byte had changed: byte {offset}");
    let (reports, _) = check(&[&path], &[]);
    assert!(reports[0].to_string().contains(&place), "{}", reports[0]);
    let (code, said) = go(folder.path(), &[&"export", &"su3.lime", &"out.npy"]);
    let is_named = said.contains("only one byte had changed") && said.contains(&format!("byte {offset}"));
    assert!(code == 1 && is_named, "{said}");
}

#[test]
fn a_volume_alone_says_what_verifies_it() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    set(folder.path());
    for number in [0, 17] {
        let path = folder.path().join(format!("set.vol{number:04}"));
        let output = linkstream().args(["check", "--volume"]).arg(&path).output().expect("the program runs");
        let text = String::from_utf8(output.stdout.clone()).expect("text");
        let words = "verdict: unverified: one volume of a set has no checksum of its own";
        assert!(status(&output) == 0 && text.contains(words), "{text}");
        let (reports, _) = check(&[&path], &["--volume"]);
        assert_eq!(reports[0]["unverified"][0]["reason"], "one-volume", "{}", reports[0]);
    }
}
