//! `convert` and `ildg make --from`: copying of logical file names and update numbers.

use crate::common::gauge::{format, payloads, refused, well};
use crate::common::lime::{put, read, record};

/// A message with a field of two phases.
fn message(update: &[u8], before: Option<&[u8]>, after: Option<&[u8]>) -> Vec<u8> {
    let format = format("1.2", "u1phase", 0, 64, [2, 1, 1, 1]);
    let lfn =
        |name: Option<&[u8]>, last| name.map_or(vec![], |name| record("ildg-data-lfn", name, false, last));
    [
        record("ildg-format", format.as_bytes(), true, false),
        record("ildg-update", update, false, false),
        lfn(before, false),
        record("ildg-binary-data", &[1; 16], false, after.is_none()),
        lfn(after, true),
    ]
    .concat()
}

#[test]
fn a_field_does_not_get_the_name_of_another() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let (one, other) = (Some(&b"lfn://one"[..]), Some(&b"lfn://other"[..]));
    let names = |arguments: &[&str]| {
        well(&folder, arguments, b"");
        let names = payloads(&read(&folder, "out"), "ildg-data-lfn");
        names.into_iter().map(|name| String::from_utf8(name).expect("text")).collect::<Vec<_>>()
    };
    let convert = ["convert", "in", "out", "--force"];
    for file in [
        [message(b"1", one, None), message(b"2", other, None)].concat(),
        [message(b"1", None, one), message(b"2", None, other)].concat(),
    ] {
        put(&folder, "in", file);
        for (field, name) in [("0", "lfn://one"), ("1", "lfn://other")] {
            assert_eq!(names(&[&convert[..], &["--field", field]].concat()), [name]);
            assert_eq!(names(&["ildg", "make", "out", "--from", "in", "--force", "--field", field]), [name]);
        }
        assert_eq!(names(&[&convert[..], &["--lfn", "lfn://a"]].concat()), ["lfn://a"]);
        let words = "several logical file names, lfn://one and lfn://other; choose";
        refused(&folder, &["convert", "in", "new"], b"", 1, words);
    }
    // A single name applies to the file, wherever it is and however often it occurs.
    let alone = record("ildg-data-lfn", b"lfn://one", true, true);
    for file in [
        [message(b"1", one, None), message(b"2", one, None)].concat(),
        [message(b"1", None, None), message(b"2", None, None), alone.clone()].concat(),
        [alone.clone(), message(b"1", None, None)].concat(),
    ] {
        put(&folder, "in", file);
        assert_eq!(names(&convert), ["lfn://one"]);
        assert_eq!(names(&[&convert[..], &["--field", "0"]].concat()), ["lfn://one"]);
    }
    // The message of the field has no name, and neither of the others can be assigned to it.
    let both = [message(b"1", None, None), alone, record("ildg-data-lfn", b"lfn://other", true, true)];
    refused(&folder, &["convert", "-", "new"], &both.concat(), 1, "several logical file names");
}

#[test]
fn what_may_not_be_carried_over_is_the_fault_of_the_file() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (name, words) in [
        (
            &b"lfn://a b"[..],
            "its logical file name lfn://a b cannot be carried over: the logical file name must",
        ),
        ("gr\u{fc}n".as_bytes(), "gr\u{fc}n cannot be carried over: byte c3"),
    ] {
        let file = message(b"1", Some(name), None);
        refused(&folder, &["convert", "-", "out"], &file, 1, words);
        refused(&folder, &["convert", "-", "out"], &file, 1, "--lfn gives another");
        well(&folder, &["convert", "-", "out", "--lfn", "lfn://a", "--force"], &file);
        std::fs::remove_file(folder.path().join("out")).expect("the program wrote the file");
    }
    for (update, words) in [(&b"12a"[..], "byte 616: its update number 12a is not"), (b"", "number is empty")]
    {
        refused(&folder, &["convert", "-", "out"], &message(update, None, None), 1, words);
    }
    // An invalid name on the command line is refused before the input is opened.
    for option in [["--lfn", "a b"], ["--lfn", ""]] {
        refused(&folder, &[&["convert", "none", "out"], &option[..]].concat(), b"", 2, "single string");
    }
    let update = ["ildg", "make", "out", "--from", "none", "--update", ""];
    refused(&folder, &update, b"", 2, "not a string of digits");
}

#[test]
fn names_and_updates_that_scidac_has_no_place_for_are_reported() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let said =
        well(&folder, &["convert", "-", "out", "--to", "scidac"], &message(b"17", Some(b"lfn://one"), None));
    for words in ["the update number 17 is left out", "the logical file name lfn://one is left out"] {
        assert!(said.contains(words), "{said}");
    }
}
