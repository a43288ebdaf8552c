//! `--json` of the commands that write files.

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::common::gauge::{data, fixture, go};
use crate::common::lime::{put, read};
use crate::common::{said, status};

/// The printed object and the exit status.
fn object(folder: &TempDir, arguments: &[&str], input: &[u8]) -> (Value, i32) {
    let output = go(folder, &[arguments, &["--json"]].concat(), input);
    let object = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{}", said(&output)));
    (object, status(&output))
}

/// The report of `inspect` on a file or set.
fn inspected(folder: &TempDir, name: &str) -> Value {
    serde_json::from_slice(&go(folder, &["inspect", "--json", name], b"").stdout).expect("a report")
}

#[test]
fn a_conversion_lists_what_was_read_and_written() {
    let folder = TempDir::new().expect("a temporary folder");
    let archive = fixture("qio/nersc/n3x2_d.nersc");
    put(&folder, "in", [&archive[..], b"x"].concat());
    let before = inspected(&folder, "in");
    let (found, code) = object(&folder, &["convert", "in", "out", "--to", "both"], b"");
    assert_eq!(
        (code, &found["command"], &found["ok"], &found["error"]),
        (0, &json!("convert"), &json!(true), &json!(null))
    );
    assert_eq!(found["read"], json!([{"file": "in", "bytes": archive.len() + 1, "report": before}]));
    let report = inspected(&folder, "out");
    let bytes = folder.path().join("out").metadata().expect("the program wrote the file").len();
    assert_eq!(found["written"], json!([{"file": "out", "bytes": bytes, "report": report}]));
    assert!(report["fields"][0]["checksums"][0]["stored"].is_string());
    let warnings = found["warnings"].as_array().expect("a list");
    assert!(
        warnings.len() == 1 && warnings[0].as_str().is_some_and(|text| text.contains("bytes follow")),
        "{warnings:?}"
    );
    // The report on the input describes the file before it is replaced. Bytes after the links would be lost.
    put(&folder, "in", &archive);
    let before = inspected(&folder, "in");
    let (found, _) =
        object(&folder, &["convert", "in", "in", "--to", "nersc", "--precision", "32", "--force"], b"");
    assert_eq!(
        (&found["read"][0]["report"], &found["written"][0]["report"]["fields"][0]["precision"]),
        (&before, &json!(32))
    );
}

#[test]
fn sets_are_listed_with_their_volumes() {
    let folder = TempDir::new().expect("a temporary folder");
    put(&folder, "in", fixture("qio/single/gauge_f3_4x4x4x8.lime"));
    // The report on the output describes the set, even if a file has its name.
    put(&folder, "set", b"another file");
    let (found, code) = object(&folder, &["convert", "in", "set", "--volumes", "1x1x1x2"], b"");
    let written = &found["written"][0];
    let volumes = written["report"]["volumes"].as_array().expect("volumes");
    let names: Vec<_> = volumes.iter().map(|volume| volume["file"].as_str().expect("a name")).collect();
    assert_eq!((code, names), (0, vec!["set.vol0000", "set.vol0001"]));
    let length = |name: &str| folder.path().join(name).metadata().expect("the program wrote the file").len();
    assert_eq!(written["bytes"], length("set.vol0000") + length("set.vol0001"));
    let table = "0 a\n1 b\n";
    put(&folder, "table", table.as_bytes());
    let (copied, code) = object(&folder, &["volumes", "copy", "set", "copy", "--layout", "table"], b"");
    assert_eq!((code, &copied["command"]), (0, &json!("volumes copy")));
    assert_eq!(copied["read"][0]["report"], written["report"]);
    assert_eq!(copied["written"][0]["report"]["fields"], written["report"]["fields"]);
    assert_eq!(copied["written"][0]["report"]["volumes"][1]["file"], "b/copy.vol0001");
    let (joined, code) = object(&folder, &["convert", "copy", "one", "--layout", "table"], b"");
    assert_eq!((code, &joined["read"][0]["bytes"]), (0, &written["bytes"]));
}

#[test]
fn propagators_are_made_of_numbers() {
    let folder = TempDir::new().expect("a temporary folder");
    put(&folder, "s", [1; 16]);
    put(&folder, "p", [2; 3 * 48]);
    let make = ["make", "propagator", "out", "--type", "C1V3", "--source", "s", "--solution", "p"];
    let (found, code) = object(&folder, &[&make[..], &["--extents", "1x1x1x1"]].concat(), b"");
    let numbers = |file: &str, bytes: u64| json!({"file": file, "bytes": bytes, "report": null});
    assert_eq!((code, &found["read"]), (0, &json!([numbers("s", 16), numbers("p", 144)])));
    assert_eq!(found["written"][0]["report"]["usqcd"]["format"], "C1V3");
    assert_eq!(found["written"][0]["report"]["fields"].as_array().map(Vec::len), Some(4));
}

#[test]
fn failures_are_objects_too() {
    let folder = TempDir::new().expect("a temporary folder");
    let damaged = fixture("qio/nersc/n3x2_f_badsum.nersc");
    let (found, code) = object(&folder, &["convert", "-", "out"], &damaged);
    assert_eq!((code, &found["ok"], &found["written"]), (1, &json!(false), &json!([])));
    assert_eq!(found["read"], json!([{"file": "-", "bytes": null, "report": null}]));
    assert!(found["error"].as_str().is_some_and(|text| text.contains("checksum mismatch")), "{found}");
    let (found, code) = object(&folder, &["convert", "absent", "out"], b"");
    assert_eq!((code, &found["read"][0]["bytes"]), (2, &json!(null)));
    // The object would become part of the output.
    let output = go(&folder, &["convert", "-", "-", "--json"], &damaged);
    assert!(status(&output) == 2 && output.stdout.is_empty() && said(&output).contains("standard output"));
}

/// A missing table of the layout is reported like any other error.
#[test]
fn a_layout_that_cannot_be_read_is_a_failure_too() {
    let folder = TempDir::new().expect("a temporary folder");
    put(&folder, "in", fixture("qio/single/gauge_f3_4x4x4x8.lime"));
    put(&folder, "bad", b"x y\n");
    for arguments in [
        &["convert", "in", "out", "--layout", "absent"][..],
        &["convert", "in", "out", "--layout", "bad"],
        &["convert", "in", "out", "--volumes", "2", "--layout", "absent"],
        &["convert", "in", "out", "--volumes", "2", "--from", "absent"],
        &["volumes", "copy", "in", "out", "--layout", "absent"],
        &["volumes", "copy", "in", "out", "--from", "absent"],
    ] {
        let (found, code) = object(&folder, arguments, b"");
        assert_eq!((code, &found["ok"], &found["written"]), (2, &json!(false), &json!([])), "{arguments:?}");
        assert_eq!(found["read"][0]["file"], "in");
        let table = arguments[arguments.len() - 1];
        assert!(found["error"].as_str().is_some_and(|text| text.contains(table)), "{found}");
    }
}

/// The original error is reported even if the object cannot be printed.
#[test]
#[cfg(target_os = "linux")]
fn why_the_work_failed_is_said_though_nothing_can_be_printed() {
    let folder = TempDir::new().expect("a temporary folder");
    put(&folder, "in", fixture("qio/nersc/n3x2_f_badsum.nersc"));
    for (input, expected, words) in [("in", 1, "checksum mismatch"), ("absent", 2, "No such file")] {
        let full = std::fs::File::options().write(true).open("/dev/full").expect("a device");
        let mut program = std::process::Command::new(assert_cmd::cargo::cargo_bin("linkstream"));
        program.current_dir(folder.path()).args(["convert", input, "out", "--json"]).stdout(full);
        let output = program.output().expect("the program runs");
        assert_eq!(status(&output), expected, "{}", said(&output));
        for words in [words, "standard output: No space left"] {
            assert!(said(&output).contains(words), "{}", said(&output));
        }
    }
}

/// The sum that catalogues of ILDG keep, as the command `cksum` prints it.
#[test]
#[cfg(target_os = "linux")]
fn data_of_ildg_have_the_sum_of_posix() {
    let folder = TempDir::new().expect("a temporary folder");
    assert_eq!(status(&go(&folder, &["sample", "f.lime"], b"")), 0);
    for form in ["ildg", "both", "scidac"] {
        let converted = go(&folder, &["convert", "f.lime", form, "--to", form, "--precision", "64"], b"");
        assert_eq!(status(&converted), 0, "{}", said(&converted));
        put(&folder, "data", data(&read(&folder, form)));
        let output = std::process::Command::new("cksum").current_dir(&folder).arg("data").output();
        let text = String::from_utf8(output.expect("cksum runs").stdout).expect("text");
        let expected: u32 = text.split(' ').next().and_then(|sum| sum.parse().ok()).expect("a sum");
        for options in [&[][..], &["--no-observables"]] {
            let (report, _) = object(&folder, &[&["check", form], options].concat(), b"");
            let field = &report["fields"][0];
            let sum = field.get("cksum").cloned();
            assert_eq!(sum, Some(json!(expected)).filter(|_| form != "scidac"), "{form} {options:?}");
            // It is no stored checksum.
            assert!(!field["checksums"].to_string().contains("cksum"), "{field}");
        }
        let (inspected, _) = object(&folder, &["inspect", form], b"");
        assert_eq!(inspected["fields"][0].get("cksum"), None);
    }
}
