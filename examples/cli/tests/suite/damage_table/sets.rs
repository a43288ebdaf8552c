//! QIO file sets: damage in one volume, and volumes that are missing, exchanged or from another set.

use serde_json::Value;
use tempfile::TempDir;

use super::fields::sample;
use crate::common::gauge::{go, well};
use crate::common::lime::{put, read, standing};
use crate::common::{said, status};

/// The sample as a set of two volumes, `in.vol0000` and `in.vol0001`.
fn set() -> TempDir {
    let folder = TempDir::new().expect("a temporary folder");
    put(&folder, "sample", sample());
    well(&folder, &["convert", "sample", "in", "--volumes", "1x1x1x2", "--to", "scidac"], b"");
    std::fs::remove_file(folder.path().join("sample")).expect("the folder is writable");
    folder
}

const COMMANDS: [&[&str]; 4] = [
    &["convert", "in", "out"],
    &["convert", "in", "out", "--to", "ildg"],
    &["diff", "in", "in"],
    &["volumes", "copy", "in", "copy"],
];

/// The verdict of `check in`, or of a volume if the set cannot be found by its name, and its exit status.
fn verdict(folder: &TempDir) -> (String, i32) {
    let output = go(folder, &["check", "--json", "in"], b"");
    let report: Value = serde_json::from_slice(&output.stdout).expect("one object");
    (report["verdict"].as_str().unwrap_or_default().to_owned(), status(&output))
}

#[test]
fn an_intact_set_is_used() {
    for command in COMMANDS {
        let folder = set();
        assert_eq!(verdict(&folder), ("ok".to_owned(), 0));
        well(&folder, command, b"");
    }
}

/// A kind of damage, and how a set gets it.
type Damage = (&'static str, fn(&TempDir));

#[test]
fn a_damaged_set_is_used_by_no_command() {
    let damages: [Damage; 7] = [
        ("one bit", |folder| change(folder, "in.vol0001", |bytes| bytes[40_000] ^= 1)),
        ("a cut volume", |folder| change(folder, "in.vol0001", |bytes| bytes.truncate(50_000))),
        ("header only", |folder| change(folder, "in.vol0001", |bytes| bytes.truncate(528))),
        ("an empty volume", |folder| change(folder, "in.vol0001", Vec::clear)),
        ("bytes after the end", |folder| change(folder, "in.vol0000", |bytes| bytes.extend([7; 200]))),
        ("a missing volume", |folder| {
            std::fs::remove_file(folder.path().join("in.vol0001")).expect("the folder is writable");
        }),
        ("one volume twice", |folder| put(folder, "in.vol0001", read(folder, "in.vol0000"))),
    ];
    for (name, damage) in damages {
        for command in COMMANDS {
            let folder = set();
            damage(&folder);
            let (verdict, code) = verdict(&folder);
            assert!(verdict != "ok" && code != 0, "{name}: {verdict} {code}");
            let before = standing(&folder, ".");
            let output = go(&folder, command, b"");
            assert_ne!(status(&output), 0, "{name}: {command:?}: {}", said(&output));
            assert!(!said(&output).is_empty(), "{name}: {command:?}");
            assert_eq!(standing(&folder, "."), before, "{name}: {command:?}");
        }
    }
}

fn change(folder: &TempDir, name: &str, change: impl FnOnce(&mut Vec<u8>)) {
    let mut bytes = read(folder, name);
    change(&mut bytes);
    put(folder, name, bytes);
}
