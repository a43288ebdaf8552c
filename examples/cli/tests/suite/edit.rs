//! `edit`: texts of a file change, and nothing else; and `sample`, which makes the file.

use crate::common::gauge::{fixture, go, payloads, refused, types, well};
use crate::common::lime::{put, read, standing};
use crate::common::{findings, report};

/// The configuration in the repository.
fn sample() -> Vec<u8> {
    include_bytes!("../../../su3-4x4x4x8.lime").to_vec()
}

#[test]
fn texts_are_replaced_and_inserted() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    put(&folder, "f", sample());
    let texts =
        ["--lfn", "lfn://new/name", "--update", "190", "--record-xml", "<new/>", "--file-xml", "<file/>"];
    assert_eq!(well(&folder, &[&["edit", "f"], &texts[..]].concat(), b""), "");
    let edited = read(&folder, "f");
    let (after, _) = report("check", &edited, &[]);
    assert_eq!((&after["verdict"], findings(&after)), (&"ok".into(), vec![]));
    for (record_type, text) in [
        ("ildg-data-lfn", "lfn://new/name"),
        ("ildg-update", "190"),
        ("scidac-record-xml", "<new/>"),
        ("scidac-file-xml", "<file/>"),
    ] {
        let [payload] = &payloads(&edited, record_type)[..] else { panic!("{record_type}") };
        // Texts end with NUL if the old ones do.
        assert_eq!(payload.strip_suffix(b"\0").unwrap_or(payload), text.as_bytes(), "{record_type}");
    }
    // The data, and the order of the records.
    assert!(payloads(&edited, "ildg-binary-data") == payloads(&sample(), "ildg-binary-data"));
    let mut expected = types(&sample());
    let format = expected.iter().position(|(_, name)| name == "ildg-format").expect("a format");
    expected.insert(format + 1, (expected[format].0, "ildg-update".to_owned()));
    assert_eq!(types(&edited), expected);
    assert_eq!(standing(&folder, "."), ["f"]);
}

#[test]
fn what_is_impossible_leaves_the_file() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    put(&folder, "f", sample());
    let plaquette =
        "<usqcdInfo><version>1.0</version><plaq>0.9</plaq><linktr>0</linktr><info>a</info></usqcdInfo>";
    for (arguments, code, words) in [
        (&[][..], 2, "nothing is to be changed"),
        (&["--lfn", "no uri"], 2, "logical file name"),
        (&["--update", "x"], 2, "update"),
        (&["--record-xml", "<a"], 1, "scidac-user-xml"),
        (&["--file-xml", "<a></b>"], 1, "scidac-user-xml"),
        (&["--record-xml", "<a>&#1;</a>"], 2, "XML cannot hold the reference &#1;"),
        (&["--record-xml", "<a b='&#xFFFF;'/>"], 2, "XML cannot hold the reference &#xFFFF;"),
        (&["--file-xml", "<a>&nbsp;</a>"], 2, "XML cannot hold the reference &nbsp;"),
        (&["--file-xml", "a\u{1}"], 2, "XML cannot hold the character"),
        (&["--field", "1", "--update", "7"], 2, "field 1 does not exist"),
        (&["--record-xml", plaquette], 1, "recorded-plaquette-differs"),
    ] {
        refused(&folder, &[&["edit", "f"], arguments].concat(), b"", code, words);
        assert!(read(&folder, "f") == sample(), "{arguments:?}");
    }
    let mut damaged = sample();
    damaged[100_000] ^= 1;
    put(&folder, "f", &damaged);
    refused(&folder, &["edit", "f", "--update", "7"], b"", 1, "checksum");
    assert!(read(&folder, "f") == damaged);
}

/// Texts of other fields, which programs of the field write without any markup, are no reason to refuse a new text.
#[test]
fn only_the_new_texts_must_be_xml() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    put(&folder, "f", sample());
    let old = payloads(&sample(), "scidac-record-xml").remove(0);
    let mut other = sample();
    let at = other.windows(old.len()).position(|bytes| bytes == old).expect("the text is there");
    other[at + 3] = b'<';
    put(&folder, "f", &other);
    assert_eq!(well(&folder, &["edit", "f", "--update", "7"], b""), "");
    refused(&folder, &["edit", "f", "--file-xml", "<a"], b"", 1, "scidac-user-xml");
}

/// A note about the data stays, whatever the user writes about them.
#[test]
fn notes_stay_with_the_data() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let unverified = fixture("foreign/06-openstaple.ildg");
    well(&folder, &["convert", "-", "f", "--to", "scidac"], &unverified);
    let text =
        |record_type| String::from_utf8(payloads(&read(&folder, "f"), record_type).remove(0)).expect("text");
    let note = "<!-- the input had no checksum that verifies these data";
    for new in ["<new/>", "<newer/>"] {
        well(&folder, &["edit", "f", "--record-xml", new, "--file-xml", new], b"");
        let text = text("scidac-record-xml");
        assert!(text.starts_with(new) && text.matches(note).count() == 1, "{text}");
    }
    // A form without texts does not lose it in silence.
    well(&folder, &["convert", "-", "f", "--to", "scidac", "--force"], &unverified);
    let said = well(&folder, &["convert", "f", "g", "--to", "ildg", "--lfn", "lfn://a/b"], b"");
    assert!(said.contains("a note about the data is left out: the input had no checksum"), "{said}");
}

/// Zeros up to the end of a block would end elsewhere in the longer file.
#[test]
fn texts_of_a_padded_file_are_changed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut padded = sample();
    padded.resize(padded.len().next_multiple_of(4096), 0);
    for (file, option, text) in
        [(fixture("foreign/24c-4096-padded.ildg"), "--lfn", "lfn://a/b"), (padded, "--record-xml", "<new/>")]
    {
        put(&folder, "f", &file);
        well(&folder, &["edit", "f", option, text], b"");
        let edited = read(&folder, "f");
        let (after, code) = report("check", &edited, &[]);
        assert_eq!((findings(&after), code), (vec![], 0), "{after}");
        assert!(payloads(&edited, "ildg-binary-data").remove(0).len() > 100_000);
    }
    // Other bytes stay.
    put(&folder, "f", [&sample()[..], b"more"].concat());
    well(&folder, &["edit", "f", "--record-xml", "<new/>"], b"");
    assert!(read(&folder, "f").ends_with(b"more"));
}

#[cfg(unix)]
#[test]
fn other_hard_links_keep_the_old_file_and_are_counted() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    put(&folder, "f", sample());
    for (link, said) in [("g", "edited f; 1 other hard link keeps the old file\n"), ("h", "")] {
        let is_first = link == "g";
        if is_first {
            std::fs::hard_link(folder.path().join("f"), folder.path().join(link)).expect("a hard link");
        }
        assert_eq!(well(&folder, &["edit", "f", "--update", "7"], b""), said);
    }
    assert!(read(&folder, "g") == sample());
    std::fs::hard_link(folder.path().join("f"), folder.path().join("i")).expect("a hard link");
    let named = well(&folder, &["ildg", "set-lfn", "--force", "f", "lfn://a/b"], b"");
    assert_eq!(named, "named f; 1 other hard link keeps the old file\n");
    // A file that has the texts is not replaced.
    std::fs::hard_link(folder.path().join("f"), folder.path().join("j")).expect("a hard link");
    for same in [&["edit", "f", "--update", "7"][..], &["ildg", "set-lfn", "--force", "f", "lfn://a/b"]] {
        assert!(!well(&folder, same, b"").contains("hard link"), "{same:?}");
    }
    let said = well(&folder, &["-v", "edit", "f", "--update", "7", "--lfn", "lfn://a/b"], b"");
    assert_eq!(said, "f has these texts already\n");
}

#[test]
fn other_samples_have_other_links_and_names() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let usual = go(&folder, &["sample", "-"], b"").stdout;
    assert!(usual == sample());
    let options = ["--seed", "7", "--extents", "2x2x2x4", "--beta", "5.5"];
    let other = go(&folder, &[&["sample", "-"], &options[..]].concat(), b"").stdout;
    assert!(go(&folder, &[&["sample", "-"], &options[..]].concat(), b"").stdout == other);
    let (checked, _) = report("check", &other, &[]);
    assert_eq!((&checked["verdict"], &checked["fields"][0]["extents"]), (&"ok".into(), &[2, 2, 2, 4].into()));
    assert_eq!(payloads(&other, "ildg-data-lfn"), [b"lfn://linkstream/sample/su3-2x2x2x4-beta5.5-seed7"]);
    for wrong in [["--extents", "1x2x2x2"], ["--beta", "-1"], ["--beta", "inf"], ["--seed", "x"]] {
        assert!(!go(&folder, &[&["sample", "-"], &wrong[..]].concat(), b"").status.success(), "{wrong:?}");
    }
    for extents in ["0x2x2x2", "1x2x2x2", "2x2x2"] {
        refused(&folder, &["sample", "-", "--extents", extents], b"", 2, "like 4x4x4x8, each at least 2");
    }
}
