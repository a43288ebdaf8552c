//! Texts of files in outputs: no character that a terminal acts on, and none that is invisible.

use linkstream_access::text::is_unprintable;
use tempfile::TempDir;

use crate::common::gauge::{fixture, go};
use crate::common::lime::{put, record};
use crate::common::{said, scda};

/// One character of each class: C0, DEL, C1, a direction, a format character, a separator, a tag.
const BAD: &str = "\u{1b}\u{7f}\u{9b}\u{202e}\u{200b}\u{ad}\u{feff}\u{2029}\u{e0041}";

/// Returns whether a program may print a character: line feeds, and the escape sequences of colours are its own.
fn is_inert(text: &str) -> bool {
    !text.chars().any(|c| is_unprintable(c) && c != '\n')
}

#[test]
fn every_output_is_inert() {
    let folder = TempDir::new().expect("a temporary folder");
    let mut field = fixture("qio/single/int_2x3x4x5.lime");
    let other = [
        &record(&format!("t{BAD}"), b"", true, false)[..],
        &record("scidac-record-xml", BAD.as_bytes(), false, true),
    ]
    .concat();
    put(&folder, "a", [&field[..], &other].concat());
    // The datatype of the document.
    let at = field.windows(5).position(|word| word == b"QDP_I").map_or(0, |at| at);
    if at > 0 {
        field[at..at + 5].copy_from_slice("\u{202e}\u{9b}".as_bytes());
    }
    put(&folder, "b", [&field[..], &record("t", format!("<a>{BAD}</a>").as_bytes(), true, true)].concat());
    let name = format!("n{BAD}");
    put(&folder, &name, record(&format!("t{BAD}"), BAD.as_bytes(), true, true));
    // At most 58 bytes, and no line feed.
    let user = scda::head('I', BAD);
    put(&folder, "s", [scda::header(), user, vec![b'x'; 32]].concat());
    for arguments in [
        &["check", "a", "b", "s", &name][..],
        &["check", "--json", "a", "b", "s", &name],
        &["check", "--json=records", "a", "b", "s", &name],
        &["check", "-q", "a", "b", "s", &name],
        &["inspect", "a", "b", "s", &name],
        &["inspect", "--json", "a", "b", "s", &name],
        &["lime", "contents", "a"],
        &["lime", "contents", "--json", "a"],
        &["lime", "contents", &name],
        &["lime", "unpack", "-v", "--damaged", "a", "into", "--force"],
        &["diff", "a", "b", "--damaged"],
        &["diff", "--json", "a", "b", "--damaged"],
        &["diff", "--json", "a", &name],
        &["convert", "--json", &name, "out"],
        &["export", &name, "out"],
        &["explain", BAD],
    ] {
        let output = go(&folder, arguments, b"");
        let printed = String::from_utf8(output.stdout.clone()).expect("text");
        assert!(is_inert(&printed), "{arguments:?}: {printed:?}");
        assert!(is_inert(&said(&output)), "{arguments:?}: {:?}", said(&output));
        assert!(!printed.is_empty() || !said(&output).is_empty(), "{arguments:?}");
    }
}
