//! No command makes a sound file of a damaged one: every command that reads files to write others, on every broken
//! fixture. Input that `check --lenient` refuses is refused, and `--damaged` never makes it look better than it is.

use std::path::Path;
use std::process::Output;

use host_tests::fixtures::Fixtures;
use host_tests::long;
use linkstream::sniff::{Sniff, sniff};
use serde_json::Value;
use tempfile::TempDir;

use crate::common::gauge::{go, payloads, records, refused, well};
use crate::common::lime::{put, read, standing};
use crate::common::{matrix, reals, report, said, status};

/// Every command that reads `in` to write something. `list` is a list for `lime pack`.
const COMMANDS: [&[&str]; 20] = [
    &["convert", "in", "out"],
    &["convert", "in", "-"],
    &["convert", "in", "out", "--to", "scidac"],
    &["convert", "in", "out", "--to", "nersc"],
    &["convert", "in", "out", "--volumes", "1x1x1x2"],
    &["convert", "in", "out", "--for", "any"],
    &["export", "in", "out"],
    &["export", "in", "out", "--section", "1"],
    &["diff", "in", "in"],
    &["ildg", "make", "out", "--from", "in"],
    &["ildg", "make", "out", "--data", "in", "--extents", "2x2x2x2"],
    &["make", "propagator", "out", "--type", "LHPC", "--solution", "in", "--extents", "1x1x1x1"],
    &["ildg", "set-lfn", "in", "lfn://a/b"],
    &["scda", "cat", "in", "1"],
    &["scda", "create", "out", "block:x=in"],
    &["inebin", "to-csv", "in", "out"],
    &["lime", "pack", "list", "out"],
    &["lime", "unpack", "in", "out"],
    &["lime", "extract-type", "in", "ildg-binary-data", "out"],
    &["lime", "extract-type", "in", "scidac-binary-data", "out"],
];

/// Writes a document without reading the data: for damage that only the data show, it succeeds.
const OF_DOCUMENTS: &[&str] = &["lime", "extract", "in", "1", "1", "out"];

/// Commands that take any bytes: they check only files of formats that they recognise.
const TAKE_BYTES: [&str; 2] = ["scda create", "lime pack"];

/// The report of `check --lenient` on `in`.
fn lenient(folder: &TempDir) -> Value {
    let output = go(folder, &["check", "--json", "--lenient", "in"], b"");
    serde_json::from_slice(&output.stdout).expect("one object")
}

/// Fails if a command that must not write anything did.
fn wrote_nothing(folder: &TempDir, command: &[&str], output: &Output, name: &str, before: &[u8]) {
    let what = format!("{name}: {command:?}: {}", said(output));
    assert_ne!(status(output), 0, "{what}");
    assert_eq!(standing(folder, "."), ["in", "list"], "{what}");
    assert!(read(folder, "in") == before, "{what}");
    // `diff` prints a report on standard output; the others print data.
    assert!(output.stdout.is_empty(), "{what}");
}

/// Names and bytes of the files in a directory of fixtures, without file sets.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.display().to_string();
        if path.is_dir() && !path.ends_with("part") {
            files.extend(self::files(&path));
        } else if path.is_file() && !path.ends_with("MANIFEST.toml") {
            files.push((name, std::fs::read(path).expect("a file")));
        }
    }
    files.sort();
    files
}

fn every_command_refuses(fixtures: &str, share: usize) {
    let (mut damaged, mut written) = (0, 0);
    for (name, bytes) in long::sample(files(&Fixtures::Ours.join(fixtures)).into_iter(), share) {
        let folder = TempDir::new().expect("a temporary folder");
        put(&folder, "in", &bytes);
        put(&folder, "list", "in type\n");
        let report = lenient(&folder);
        let is_damaged = report["verdict"] == "wrong";
        let is_recognised = matches!(sniff(&bytes), Sniff::Is(_));
        damaged += usize::from(is_damaged);
        let is_readable = status(&go(&folder, &["inspect", "--quiet", "in"], b"")) == 0;
        for command in COMMANDS.into_iter().chain(Some(OF_DOCUMENTS).filter(|_| !is_readable)) {
            // The command succeeds, since nothing shows that these bytes are a file of a known format.
            if !is_recognised && TAKE_BYTES.contains(&command[..2].join(" ").as_str()) {
                continue;
            }
            let output = go(&folder, command, b"");
            if is_damaged {
                wrote_nothing(&folder, command, &output, &name, &bytes);
            }
            written += usize::from(status(&output) == 0);
            put(&folder, "in", &bytes);
            for left in standing(&folder, ".").iter().filter(|name| !["in", "list"].contains(&name.as_str()))
            {
                let path = folder.path().join(left);
                let removed =
                    if path.is_dir() { std::fs::remove_dir_all(path) } else { std::fs::remove_file(path) };
                removed.expect("the program made it");
            }
        }
    }
    // Otherwise this would show nothing.
    assert!(damaged > 5 && written > 2, "{damaged} damaged, {written} written");
}

#[test]
fn every_command_refuses_every_damaged_lime_file() {
    every_command_refuses("broken", 4);
}

#[test]
fn every_command_refuses_every_damaged_matrix() {
    every_command_refuses("broken-inebin", 1);
}

#[test]
fn every_command_refuses_every_damaged_scda_file() {
    every_command_refuses("broken-scda", 4);
}

#[test]
fn every_command_refuses_every_damaged_set() {
    let parts = Fixtures::Ours.join("broken/part");
    let mut damaged = 0;
    for entry in std::fs::read_dir(parts).expect("a folder") {
        let source = entry.expect("an entry").path();
        let set = source.join("p.lime").display().to_string();
        let folder = TempDir::new().expect("a temporary folder");
        let is_damaged = status(&go(&folder, &["check", "--quiet", "--lenient", &set], b"")) != 0;
        damaged += usize::from(is_damaged);
        for command in [
            &["convert", &set, "out"][..],
            &["convert", &set, "out", "--volumes", "1x1x1x2"],
            &["export", &set, "out"],
            &["diff", &set, &set],
            &["ildg", "make", "out", "--from", &set],
            &["volumes", "copy", &set, "out"],
            &["volumes", "copy", &set, "out", "--lenient"],
        ] {
            let output = go(&folder, command, b"");
            if is_damaged {
                assert_ne!(status(&output), 0, "{command:?}");
                assert!(output.stdout.is_empty() && standing(&folder, ".").is_empty(), "{command:?}");
            }
            for left in standing(&folder, ".") {
                std::fs::remove_file(folder.path().join(left)).expect("the program made it");
            }
        }
    }
    assert!(damaged > 5, "{damaged}");
}

/// The sample, and where its data begin and its checksum record begins.
fn sample() -> (Vec<u8>, usize, usize) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../su3-4x4x4x8.lime");
    let bytes = std::fs::read(path).expect("the sample is part of the repository");
    let found = records(&bytes);
    let offset = |name| found.iter().find(|record| record.record_type == name).expect("a record").offset;
    let (data, checksum) = (offset("ildg-binary-data") + 144, offset("scidac-checksum"));
    (bytes, data, checksum)
}

/// The sample with damage of several kinds, the rules that can report it, and whether its data can be copied.
fn damaged_samples() -> Vec<(Vec<u8>, &'static [&'static str], bool)> {
    let (sample, data, checksum) = sample();
    let mut flipped = sample.clone();
    flipped[data + 1000] ^= 4;
    let lost = sample[..checksum].to_vec();
    let mut both = lost.clone();
    both[data + 1000] ^= 4;
    let shifted = [&sample[..data + 5000], &sample[data + 5200..]].concat();
    let cut = sample[..data + 5000].to_vec();
    vec![
        (flipped, &["checksum-mismatch"], true),
        (lost, &["checksum-missing"], true),
        (both, &["checksum-missing", "links-not-unitary"], true),
        (
            shifted,
            &["checksum-missing", "links-not-unitary", "links-not-finite", "ildg-boundary-mixed"],
            true,
        ),
        (cut, &["lime-payload-truncated"], false),
    ]
}

const CONVERSIONS: [&[&str]; 4] = [
    &["convert", "in", "out"],
    &["convert", "in", "out", "--to", "scidac"],
    &["convert", "in", "out", "--to", "ildg", "--checksum"],
    &["convert", "in", "out", "--to", "nersc"],
];

#[test]
fn permitted_damage_is_named_and_never_gets_a_checksum() {
    for (bytes, rule, is_readable) in damaged_samples() {
        let folder = TempDir::new().expect("a temporary folder");
        put(&folder, "in", &bytes);
        for command in CONVERSIONS {
            let permitted = [command, &["--damaged", "--json"]].concat();
            if !is_readable {
                refused(&folder, command, b"", 1, rule[0]);
                refused(&folder, &permitted[..permitted.len() - 1], b"", 1, "--damaged does not help");
                continue;
            }
            refused(&folder, command, b"", 1, "--damaged");
            let refusal = said(&go(&folder, command, b""));
            let output = go(&folder, &permitted, b"");
            let account: Value = serde_json::from_slice(&output.stdout).expect("an object");
            let named = account["damaged"][0]["rule"].as_str().expect("a rule");
            assert!(rule.contains(&named) && refusal.contains(&format!("[{named}]")), "{refusal}");
            assert!(said(&output).contains("warning: in is damaged: at byte"), "{}", said(&output));
            assert_eq!(status(&output), 0, "{command:?}: {}", said(&output));
            let made = read(&folder, "out");
            let (found, _) = report("check", &made, &[]);
            assert_eq!(found["verdict"], "wrong", "{command:?}: {found}");
            let checked = go(&folder, &["check", "--lenient", "--quiet", "--only-failed", "out"], b"");
            assert_eq!(status(&checked), 1, "{command:?}: {}", said(&checked));
            assert!(String::from_utf8_lossy(&checked.stdout).contains("WRONG"), "{command:?}");
            let checked = go(&folder, &["check", "--for", "qio", "out"], b"");
            let text = String::from_utf8_lossy(&checked.stdout).into_owned();
            // If there is a gauge field, the form alone is checked.
            assert!(!text.contains("QIO (") || text.contains("get another copy"), "{text}");
            let mut findings = found["findings"].as_array().expect("a list").iter();
            assert!(findings.any(|finding| finding["rule"] == "damage-noted"), "{command:?}: {found}");
            // A file without a text of the user has a record for it.
            let note = format!("the input was damaged: {named} at byte");
            assert!(made.windows(note.len()).any(|text| text == note.as_bytes()), "{command:?}");
            std::fs::remove_file(folder.path().join("out")).expect("the program wrote it");
        }
        if is_readable {
            let volumes = ["convert", "in", "out", "--volumes", "1x1x1x2", "--damaged"];
            well(&folder, &volumes, b"");
            let output = go(&folder, &["check", "--json", "out"], b"");
            let found: Value = serde_json::from_slice(&output.stdout).expect("an object");
            assert_eq!(found["verdict"], "wrong", "{found}");
        }
    }
}

#[test]
fn a_damaged_set_is_copied_as_it_is() {
    let (mut bytes, data, _) = sample();
    let folder = TempDir::new().expect("a temporary folder");
    put(&folder, "in", &bytes);
    well(&folder, &["convert", "in", "set", "--volumes", "1x1x1x2"], b"");
    bytes = read(&folder, "set.vol0001");
    let at = bytes.len() - data;
    bytes[at] ^= 4;
    put(&folder, "set.vol0001", &bytes);
    for options in [&[][..], &["--lenient"]] {
        refused(
            &folder,
            &[&["volumes", "copy", "set", "copy"], options].concat(),
            b"",
            1,
            "[checksum-mismatch]",
        );
    }
    refused(&folder, &["convert", "set", "one"], b"", 1, "[checksum-mismatch]");
    let said = well(&folder, &["volumes", "copy", "set", "copy", "--damaged"], b"");
    assert!(said.contains("warning: set is damaged"), "{said}");
    assert!(read(&folder, "copy.vol0001") == bytes);
}

#[test]
fn the_only_checksum_of_unverified_data_comes_with_a_note() {
    let (sample, ..) = sample();
    let folder = TempDir::new().expect("a temporary folder");
    put(&folder, "sample", &sample);
    well(&folder, &["convert", "sample", "ildg", "--to", "ildg"], b"");
    let bytes = read(&folder, "ildg");
    let checksum = records(&bytes).last().expect("records").offset;
    // The last record of the message is now the data.
    let mut plain = bytes[..checksum].to_vec();
    let data = records(&plain).last().expect("records").offset;
    plain[data + 6] |= 0x40;
    put(&folder, "plain", &plain);
    well(&folder, &["convert", "plain", "noted", "--to", "scidac"], b"");
    well(&folder, &["convert", "ildg", "verified", "--to", "scidac"], b"");
    let text = |name: &str| {
        let texts = payloads(&read(&folder, name), "scidac-record-xml");
        String::from_utf8(texts[0].clone()).expect("text")
    };
    assert!(
        text("noted").contains("<!-- the input had no checksum that verifies these data"),
        "{}",
        text("noted")
    );
    assert!(!text("verified").contains("<!--"), "{}", text("verified"));
    let (found, code) = report("check", &read(&folder, "noted"), &[]);
    assert_eq!((code, &found["verdict"]), (0, &"ok".into()), "{found}");
    // It stays with the data in a copy of the copy.
    let note = "the input had no checksum that verifies these data";
    for options in [
        &["--to", "scidac"][..],
        &["--to", "both"],
        &["--to", "scidac", "--title", "T"],
        &["--precision", "64"],
    ] {
        let output = [&["convert", "noted", "again", "--force"], options].concat();
        well(&folder, &output, b"");
        assert_eq!(text("again").matches(note).count(), 1, "{options:?}: {}", text("again"));
    }
    well(&folder, &["convert", "noted", "archive", "--to", "nersc"], b"");
    assert!(String::from_utf8_lossy(&read(&folder, "archive")[..4096]).contains(note));
    well(&folder, &["convert", "archive", "again", "--to", "scidac", "--title", "T", "--force"], b"");
    assert_eq!(text("again").matches(note).count(), 1, "{}", text("again"));
    well(&folder, &["convert", "again", "archive", "--to", "nersc", "--force"], b"");
    assert!(String::from_utf8_lossy(&read(&folder, "archive")[..4096]).contains(note));
    well(&folder, &["convert", "plain", "nersc", "--to", "nersc"], b"");
    let has_note = |name: &str| {
        String::from_utf8_lossy(&read(&folder, name)).contains("LINKSTREAM_NOTE = the input had no")
    };
    assert!(has_note("nersc"));
    // The note is about the field that is converted.
    put(&folder, "both", [&plain[..], &bytes].concat());
    for (field, is_noted) in [("0", true), ("1", false)] {
        well(&folder, &["convert", "both", "nersc", "--to", "nersc", "--field", field, "--force"], b"");
        assert_eq!(has_note("nersc"), is_noted, "{field}");
    }
}

#[test]
fn surplus_and_damaged_data_are_not_the_same() {
    let folder = TempDir::new().expect("a temporary folder");
    let one = reals(2, 2, &[1.0, 2.0, 3.0, 4.0]);
    put(&folder, "one", &one);
    put(&folder, "twice", [&one[..], &one].concat());
    for arguments in [["diff", "twice", "one"], ["diff", "one", "twice"], ["diff", "twice", "twice"]] {
        let output = go(&folder, &arguments, b"");
        assert_eq!(status(&output), 2, "{}", said(&output));
        assert!(
            said(&output).contains("twice: at byte 48: bytes follow the last entry"),
            "{}",
            said(&output)
        );
    }
    for command in [["export", "twice", "out"], ["inebin", "to-csv", "twice"]] {
        refused(&folder, &command, b"", 1, "[inebin-trailing-bytes]");
    }
    let output = go(&folder, &["diff", "--damaged", "twice", "one"], b"");
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(status(&output), 1, "{printed}");
    assert!(
        printed.contains("bytes after the matrix: 48 | 0") && printed.contains("damaged: twice"),
        "{printed}"
    );
    let output = go(&folder, &["diff", "--damaged", "twice", "twice"], b"");
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(!printed.contains("the same") && printed.contains("damaged: twice"), "{printed}");

    let (sample, ..) = sample();
    put(&folder, "sample", &sample);
    put(&folder, "more", [&sample[..], b"surplus"].concat());
    let output = go(&folder, &["diff", "sample", "more"], b"");
    let printed = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(printed.contains("bytes after the last record: 0 | 7"), "{printed}");
    assert_eq!(status(&output), 1, "{printed}");
}

/// The tools that repair files need a permission to read damaged ones.
#[test]
fn records_of_damaged_files_are_extracted_on_demand() {
    let (sample, data, _) = sample();
    let folder = TempDir::new().expect("a temporary folder");
    put(&folder, "in", &sample[..data + 5000]);
    let extract = ["lime", "extract-type", "in", "ildg-format", "out"];
    refused(&folder, &extract, b"", 1, "[lime-payload-truncated]");
    well(&folder, &[&extract[..], &["--damaged"]].concat(), b"");
    assert!(read(&folder, "out") == payloads(&sample, "ildg-format")[0]);
    refused(&folder, &["lime", "unpack", "in", "records"], b"", 1, "--damaged");
    let output = go(&folder, &["lime", "unpack", "in", "records", "--damaged"], b"");
    assert_eq!((status(&output), standing(&folder, "records").len()), (1, 6), "{}", said(&output));
    // Pieces of other files are checked if they are files of known formats.
    put(&folder, "bad", matrix(b'R', 3, 3, &[0; 8]));
    put(&folder, "list", "bad matrix\n");
    refused(&folder, &["lime", "pack", "list", "packed"], b"", 1, "bad: at byte 24");
    refused(&folder, &["scda", "create", "state", "block:b=bad"], b"", 1, "bad: at byte 24");
    well(&folder, &["lime", "pack", "list", "packed", "--damaged"], b"");
    well(&folder, &["scda", "create", "state", "block:b=bad", "--damaged"], b"");
}
