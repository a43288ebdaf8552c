//! The messages of the program, as a reader sees them: each names its subject and the value that was given, and comes to
//! its point before the advice.

use tempfile::TempDir;

use crate::common::gauge::{fixture, go, well};
use crate::common::lime::{put, read};
use crate::common::{reals, said, status};

/// Most characters of a message before its advice.
const MOST: usize = 120;

/// Files for the table below.
fn prepare() -> TempDir {
    let folder = TempDir::new().expect("a temporary folder");
    well(&folder, &["sample", "f.lime"], b"");
    let sample = read(&folder, "f.lime");
    put(&folder, "cut.lime", &sample[..100_000]);
    let mut broken = sample.clone();
    broken[70_000] ^= 1;
    put(&folder, "broken.lime", broken);
    put(&folder, "m.bin", reals(6, 6, &[1.5; 36]));
    put(&folder, "short.bin", &reals(6, 6, &[1.5; 36])[..30]);
    put(&folder, "s.scda", fixture("scda/inline.scda"));
    put(&folder, "n.nersc", fixture("qio/nersc/n3x3_f.nersc"));
    put(&folder, "text.txt", "hello\n");
    put(&folder, "empty", "");
    well(&folder, &["export", "f.lime", "a.npy"], b"");
    well(&folder, &["convert", "f.lime", "set", "--volumes", "2"], b"");
    std::fs::create_dir(folder.path().join("nothing")).expect("the temporary folder is writable");
    folder
}

/// The arguments, the exit status, and words of the message: its subject, and what was given.
const TABLE: &[(&[&str], i32, &[&str])] = &[
    // Wrong usage.
    (&["check"], 2, &["<FILE>"]),
    (&["bogus"], 2, &["'bogus'"]),
    (&["check", "--bogus", "f.lime"], 2, &["'--bogus'"]),
    (&["manifest", "--threads", "-1", "."], 2, &["'-1'", "--threads", "must be a number from 1"]),
    (&["check", "--min-age", "soon", "f.lime"], 2, &["'soon'", "--min-age", "an age such as 1h"]),
    (&["check", "--exclude", "a[", "."], 2, &["'a['", "--exclude", "at character 2: "]),
    (&["sample", "--seed", "-1", "new"], 2, &["'-1'", "--seed", "a number counted from 0"]),
    (&["check", "--threads", "0", "f.lime"], 2, &["'0'", "--threads", "must be a number from 1"]),
    (&["check", "--for", "hugo", "f.lime"], 2, &["'hugo'", "--for"]),
    (&["check", "--quiet", "--json", "f.lime"], 2, &["--quiet", "--json"]),
    (&["convert", "f.lime"], 2, &["<OUT>"]),
    (&["convert", "f.lime", "x", "--precision", "16"], 2, &["'16'", "--precision", "must be 32 or 64"]),
    (&["convert", "f.lime", "x", "--field", "1"], 2, &["f.lime", "field 1", "1 field, number 0"]),
    (&["convert", "f.lime", "x", "--field", "-1"], 2, &["'-1'", "--field"]),
    (
        &["convert", "f.lime", "x", "--volumes", "3x1x1x1"],
        1,
        &["x has 4 sites", "3 nodes", "x=4 y=4 z=4 t=8"],
    ),
    (
        &["convert", "f.lime", "x", "--volumes", "2x1x1x2", "--io", "1x1x1x3"],
        1,
        &["t has 2 nodes", "3 volumes"],
    ),
    (&["convert", "f.lime", "x", "--to", "nersc", "--volumes", "2"], 2, &["--to nersc", "--volumes"]),
    (&["convert", "f.lime", "x", "--to", "ildg", "--volumes", "2"], 2, &["--to ildg", "--volumes"]),
    (&["convert", "f.lime", "x", "--for", "any", "--volumes", "2"], 2, &["--for"]),
    (&["convert", "f.lime", "x", "--tolerance", "1e-3"], 2, &["--tolerance"]),
    (&["convert", "f.lime", "a.npy"], 2, &["a.npy", "exists"]),
    (&["export", "f.lime", "x", "--field", "1"], 2, &["f.lime", "field 1", "number 0"]),
    (&["export", "f.lime", "x", "--slice", "8"], 2, &["f.lime", "time slice 8", "8 time slices, 0 to 7"]),
    (&["export", "s.scda", "x", "--section", "99"], 2, &["s.scda", "section 99"]),
    (&["lime", "extract", "f.lime", "3", "1"], 2, &["f.lime", "message 3", "2 messages, 1 to 2"]),
    (&["lime", "extract", "f.lime", "2", "9"], 2, &["f.lime", "record 9", "6 records, 1 to 6"]),
    (&["lime", "extract-type", "f.lime", "note"], 2, &["f.lime", "\"note\""]),
    (&["scda", "cat", "s.scda", "99"], 2, &["s.scda", "section 99"]),
    (
        &["ildg", "make", "x", "--data", "a.npy", "--extents", "4x4x4x4"],
        2,
        &["--extents 4x4x4x4", "(8, 4, 4, 4, 4, 3, 3)"],
    ),
    (&["explain", "hugo"], 2, &["hugo"]),
    (&["help", "hugo"], 2, &["'hugo'", "verdicts"]),
    (&["help", "scda", "make"], 2, &["linkstream scda", "'make'", "commands are cat, create"]),
    (&["help", "check", "all"], 2, &["linkstream check", "'all'"]),
    (&["completions", "tcsh"], 2, &["'tcsh'"]),
    // Files that do not exist, or are something else.
    (&["check", "none"], 2, &["none", "No such file"]),
    (&["check", "nothing"], 2, &["no files"]),
    (&["check", "--files-from", "none"], 2, &["none", "No such file"]),
    (&["inspect", "none"], 2, &["none", "No such file"]),
    (&["convert", "none", "x"], 2, &["none", "No such file"]),
    (&["export", "none", "x"], 2, &["none", "No such file"]),
    (&["diff", "none", "f.lime"], 2, &["none", "No such file"]),
    (&["volumes", "copy", "none", "x"], 2, &["none", "no such file", "none.vol*"]),
    (&["volumes", "copy", "f.lime", "x"], 2, &["f.lime", "not a file set"]),
    (&["convert", "f.lime", "no/folder/x"], 2, &["no/folder", "No such file"]),
    (&["convert", "text.txt", "x"], 1, &["text.txt", "it looks like text"]),
    (&["convert", "empty", "x"], 1, &["empty"]),
    (&["scda", "cat", "f.lime", "0"], 1, &["f.lime", "a LIME file", "`scda cat` reads scda files"]),
    (&["inebin", "to-csv", "f.lime"], 1, &["f.lime", "a LIME file", "`inebin to-csv` reads INEBIN files"]),
    (&["lime", "extract", "m.bin", "1", "1"], 1, &["m.bin", "an INEBIN file", "reads LIME files"]),
    // Damage.
    (&["convert", "cut.lime", "x"], 1, &["cut.lime", "at byte 100000"]),
    (&["convert", "broken.lime", "x"], 1, &["broken.lime", "checksum mismatch"]),
    (&["export", "broken.lime", "x"], 1, &["broken.lime", "checksum mismatch"]),
    (&["lime", "unpack", "cut.lime", "x"], 1, &["cut.lime", "at byte 100000"]),
    (&["inebin", "to-csv", "short.bin"], 1, &["short.bin", "complete entries: 1"]),
];

/// The advice begins here; everything before it must be short.
fn before_advice(line: &str) -> &str {
    let end = ["; ", " (", " [", ": the data "].iter().filter_map(|mark| line.find(mark)).min();
    &line[..end.unwrap_or(line.len())]
}

#[test]
fn messages_name_their_subject_and_come_to_the_point() {
    let folder = prepare();
    let faults: Vec<_> = TABLE.iter().filter_map(|row| fault(&folder, row)).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// The reason why a message does not please a reader.
fn fault(folder: &TempDir, (arguments, code, words): &(&[&str], i32, &[&str])) -> Option<String> {
    let output = go(folder, arguments, b"");
    let all = said(&output);
    // Hints and warnings follow the message.
    let message = all.lines().find(|line| line.starts_with("linkstream: ")).unwrap_or_default();
    let unwanted = ["os error", "non-zero type", "so no ", "45 67 89 ab", "  "];
    let point = before_advice(message).chars().count();
    let why = if status(&output) != *code {
        format!("exit status {}", status(&output))
    } else if message.is_empty() || all.contains("error: ") {
        "begins otherwise than all others".to_owned()
    } else if let Some(word) = words.iter().find(|word| !all.contains(**word)) {
        format!("lacks {word:?}")
    } else if let Some(word) = unwanted.iter().find(|word| message.contains(**word)) {
        format!("has {word:?}")
    } else if point > MOST {
        format!("{point} characters before the advice")
    } else if message.ends_with('.') {
        "ends in a full stop".to_owned()
    } else {
        return None;
    };
    Some(format!("{arguments:?}: {why}: {all}"))
}

fn shown(folder: &TempDir, arguments: &[&str]) -> String {
    String::from_utf8(go(folder, arguments, b"").stdout).expect("text")
}

/// Nobody knows whether a checksum follows the place where a file ends too early.
#[test]
fn a_truncated_file_has_no_known_checksum() {
    let folder = prepare();
    let cut = shown(&folder, &["check", "cut.lime"]);
    assert!(cut.contains("    checksum               not reached\n"), "{cut}");
    assert!(!["checksum stored", "computed", "none\n   "].iter().any(|words| cut.contains(words)), "{cut}");
    // The data of a plain ILDG file have none.
    well(&folder, &["convert", "f.lime", "both", "--to", "ildg"], b"");
    let made = read(&folder, "both");
    let at = made.windows(15).position(|bytes| bytes == b"scidac-checksum").expect("a checksum") - 16;
    put(&folder, "plain", &made[..at]);
    let plain = shown(&folder, &["check", "plain"]);
    assert!(!plain.contains("not reached"), "{plain}");
}

/// One number spoils every average: that is one line.
#[test]
fn numbers_that_are_not_finite_take_one_line() {
    let folder = prepare();
    let mut bytes = read(&folder, "f.lime");
    bytes[50_000..50_004].copy_from_slice(&f32::NAN.to_be_bytes());
    put(&folder, "nan.lime", bytes);
    let text = shown(&folder, &["check", "nan.lime"]);
    assert!(text.contains("observables            not finite") && !text.contains("NaN"), "{text}");
    assert!(text.contains("[links-not-finite]") && text.contains("verdict: wrong"), "{text}");
}

/// `inspect` does not read the data: it neither verifies them, nor does it say that they are unverified.
#[test]
fn inspect_lists() {
    let folder = prepare();
    let text = shown(&folder, &["inspect", "--quiet", "f.lime", "cut.lime"]);
    assert!(text.contains("f.lime: LISTED\n") && text.contains("cut.lime: WRONG: "), "{text}");
    assert!(
        text.ends_with("2 files: 1 LISTED, 1 WRONG, 0 UNREADABLE\n") && !text.contains("UNVERIFIED"),
        "{text}"
    );
}

#[test]
fn what_was_done_is_told_on_request() {
    let folder = prepare();
    for (arguments, words) in [
        (&["sample", "new"][..], "wrote new"),
        (&["export", "f.lime", "new"], "dtype >c8, shape (8, 4, 4, 4, 4, 3, 3)\nwrote new"),
        (&["edit", "e.lime", "--update", "7"], "edited e.lime"),
        (&["ildg", "set-lfn", "--force", "l.lime", "lfn://a/b"], "named l.lime"),
        (&["convert", "f.lime", "many", "--volumes", "2"], "wrote 2 volumes of many"),
        (&["lime", "unpack", "f.lime", "new"], "wrote 8 records to new"),
        (&["inebin", "to-csv", "m.bin", "new"], "wrote new"),
        (&["man", "new"], "pages"),
    ] {
        for verbose in [None, Some("-v"), Some("--verbose")] {
            let path = folder.path().join("new");
            let _ = std::fs::remove_file(&path).or_else(|_| std::fs::remove_dir_all(&path));
            for made in ["many.vol0000", "many.vol0001", "e.lime", "l.lime"] {
                let _ = std::fs::remove_file(folder.path().join(made));
            }
            // A file that has the new texts already is left as it is.
            well(&folder, &["convert", "f.lime", "e.lime"], b"");
            well(&folder, &["convert", "f.lime", "l.lime"], b"");
            let output = go(&folder, &[verbose.as_slice(), arguments].concat(), b"");
            assert_eq!(status(&output), 0, "{arguments:?}: {}", said(&output));
            match verbose {
                None => assert_eq!(said(&output), "", "{arguments:?}"),
                Some(_) => assert!(said(&output).contains(words), "{arguments:?}: {}", said(&output)),
            }
        }
    }
}

#[test]
fn lines_for_a_log_begin_with_the_time() {
    let folder = prepare();
    let is_timed = |line: &str| {
        let form: String = line.chars().take(21).map(|c| if c.is_ascii_digit() { '9' } else { c }).collect();
        form == "9999-99-99T99:99:99Z " && line.starts_with("20")
    };
    let iso = "--log-format=iso";
    for arguments in [
        &["check", "-q", "f.lime", "broken.lime", "none", iso][..],
        &[iso, "check", "--json", "none"],
        &["manifest", ".", "-o", "M", "--log-format", "iso"],
        &["check", "--manifest", "M", ".", iso],
        &["convert", iso, "-v", "f.lime", "new"],
        &["convert", iso, "f.lime", "new"],
    ] {
        let output = go(&folder, arguments, b"");
        let text = String::from_utf8(output.stdout.clone()).expect("text");
        let lines = text.lines().filter(|line| !line.starts_with('{'));
        let all: Vec<String> = lines.chain(said(&output).lines()).map(str::to_owned).collect();
        assert!(!all.is_empty() && all.iter().all(|line| is_timed(line)), "{arguments:?}: {all:?}");
    }
    // A report of many lines is not for a log.
    let report = go(&folder, &["check", "f.lime", iso], b"").stdout;
    assert!(report.starts_with(b"f.lime"));
    // A batch repeats the messages of its commands, and adds the time once.
    std::fs::copy(folder.path().join("f.lime"), folder.path().join("lat.1")).expect("writable");
    let output = go(&folder, &["convert", "--batch", "lat.{n}", "out.{n}", "-v", iso], b"");
    let told = said(&output);
    assert!(is_timed(&told) && told.ends_with(" linkstream: lat.1: wrote out.1\n"), "{told}");
}

#[test]
fn wrong_arguments_have_the_status_that_was_asked_for() {
    let folder = prepare();
    for (arguments, usual) in [
        (&["check"][..], 2),
        (&["bogus"], 2),
        (&["check", "--threads", "0", "f.lime"], 2),
        (&["edit", "f.lime"], 2),
        (&["explain", "hugo"], 2),
        (&["help", "hugo"], 2),
        (&["diff", "-", "-"], 2),
        (&["check", "--xml", "beta", "f.lime"], 2),
        (&["convert", "--batch", "f.lime", "x"], 2),
        (&["convert", "f.lime", "x", "--tolerance", "1e-3"], 2),
    ] {
        assert_eq!(status(&go(&folder, arguments, b"")), usual, "{arguments:?}");
        for option in [&["--usage-status", "64"][..], &["--usage-status=64"]] {
            let output = go(&folder, &[arguments, option].concat(), b"");
            assert_eq!(status(&output), 64, "{arguments:?}: {}", said(&output));
        }
    }
    // Files that cannot be read, that are wrong, and that exist are no wrong arguments.
    for (arguments, expected) in [
        (&["check", "none"][..], 2),
        (&["check", "broken.lime"], 1),
        (&["sample", "f.lime"], 2),
        (&["check", "--manifest", "none", "."], 2),
        (&["check", "f.lime"], 0),
    ] {
        let output = go(&folder, &[&["--usage-status", "64"], arguments].concat(), b"");
        assert_eq!(status(&output), expected, "{arguments:?}: {}", said(&output));
    }
    // The status itself must be one.
    assert_eq!(status(&go(&folder, &["check", "f.lime", "--usage-status", "1"], b"")), 2);
}

/// An unknown option is not the name of a file, unless it is short: `-lat` can be one.
#[test]
fn an_option_that_does_not_exist_is_not_taken_for_a_file() {
    let folder = prepare();
    for (argument, has_advice) in [("--lattice", false), ("--extent", false), ("-lat.lime", true)] {
        let output = go(&folder, &["sample", "x", argument], b"");
        assert_eq!(status(&output), 2, "{argument}");
        assert_eq!(said(&output).contains("as a value"), has_advice, "{}", said(&output));
        assert_eq!(said(&output).contains("'--extents'"), argument == "--extent", "{}", said(&output));
    }
}
