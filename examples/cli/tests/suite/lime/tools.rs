//! `lime contents`, `extract` and `extract-type`: the utilities of LIME 1.2, section 4, that read a file.

use crate::common::lime::{in_folder, put, read, record, standing};
use crate::common::{files, findings, linkstream, run, said, status};
use host_tests::fixtures::Fixtures;
use serde_json::Value;

/// The listing of standard input and the exit status.
fn listing(bytes: &[u8]) -> (String, i32) {
    let output = run(&["lime", "contents", "-"], bytes);
    (String::from_utf8(output.stdout.clone()).expect("text"), status(&output))
}

fn json(bytes: &[u8]) -> (Value, i32) {
    let output = run(&["lime", "contents", "--json", "-"], bytes);
    (serde_json::from_slice(&output.stdout).expect("one object"), status(&output))
}

#[test]
fn contents_of_every_fixture_are_those_of_its_manifest() {
    for (about, bytes) in files(Fixtures::Ours, "lime") {
        let name = about["path"].as_str().expect("a path");
        let (of_pipe, status_of_pipe) = json(&bytes);
        assert_eq!((status_of_pipe, &of_pipe["ok"]), (0, &true.into()), "{name}");
        assert_eq!(of_pipe["bytes"], bytes.len(), "{name}");
        let records = of_pipe["records"].as_array().expect("a list");
        assert_eq!(records.len() as i64, about["lime_count"].as_integer().expect("a number"), "{name}");
        for (record, expected) in records.iter().zip(about["lime"].as_array().expect("a list")) {
            let number = |key: &str| expected[key].as_integer().expect("a number");
            assert_eq!(record["offset"], number("off"), "{name}");
            assert_eq!(record["length"], number("len"), "{name}");
            assert_eq!(record["padding"], (8 - number("len") % 8) % 8, "{name}");
            assert_eq!(
                (&record["mb"], &record["me"]),
                (&(number("mb") == 1).into(), &(number("me") == 1).into())
            );
            let expected = expected["type"].as_str().expect("text");
            if expected.is_ascii() {
                assert_eq!(record["type"], expected, "{name}");
            }
        }
        // In a file, payload is skipped by seeking.
        let path = Fixtures::Ours.join("lime").join(name).display().to_string();
        let output = run(&["lime", "contents", "--json", &path], b"");
        let mut of_file: Value = serde_json::from_slice(&output.stdout).expect("one object");
        of_file["file"] = "-".into();
        assert_eq!(of_file, of_pipe, "{name}");
        // Records have the same numbers as in the output of `inspect`.
        let (inspected, _) = crate::common::report("inspect", &bytes, &[]);
        for (ours, theirs) in records.iter().zip(inspected["records"].as_array().expect("a list")) {
            assert_eq!(
                (&ours["message"], &ours["record"]),
                (&theirs["message"], &theirs["record"]),
                "{name}"
            );
        }
    }
}

#[test]
fn contents_for_people() {
    let file = [
        record("greeting", b"hello\nworld\0", true, false),
        record("bytes", b"\x1b[31m\xff", false, true),
        record("large", &vec![b'x'; 64_000], true, false),
        record("almost", &vec![b'y'; 63_999], false, true),
    ];
    let (text, status) = listing(&file.concat());
    assert_eq!(status, 0, "{text}");
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(
        lines[..3],
        ["-:", "  message 1", "      1  greeting                          12 bytes at 0, padding 4, MB"]
    );
    assert_eq!(lines[3..5], ["          | hello", "          | world"]);
    assert!(lines[5].ends_with("6 bytes at 160, padding 2, ME"), "{}", lines[5]);
    assert_eq!(lines[6..8], ["          [binary]", "  message 2"]);
    assert_eq!(lines[9], "          [long]");
    assert_eq!(lines[11].len(), "          | ".len() + 63_999);
    assert_eq!(lines[12..], ["findings: none", "4 records in 2 messages, 128,600 bytes"]);
}

#[test]
fn contents_of_what_is_wrong() {
    let whole = [record("a", b"first", true, false), record("b", b"second", false, true)].concat();
    for cut in 153..whole.len() {
        let (report, found) = json(&whole[..cut]);
        let records = if cut < 152 + 144 { 1 } else { 2 };
        assert_eq!(report["records"].as_array().map(Vec::len), Some(records), "{cut}");
        // Missing padding is only a warning.
        let severity = if cut < whole.len() - 2 { "error" } else { "warning" };
        assert_eq!(findings(&report), [("truncated", severity)], "{cut}");
        assert_eq!(
            (found, &report["ok"]),
            (i32::from(severity == "error"), &(severity != "error").into()),
            "{cut}"
        );
        let (text, status_of_text) = listing(&whole[..cut]);
        assert_eq!(status_of_text, found, "{cut}");
        assert!(text.contains(&format!("{severity} at byte {cut}")), "{text}");
    }
    let (report, found) =
        json(b"something else, and more than one header of a LIME file would have: ".repeat(9).as_slice());
    assert_eq!((found, findings(&report)), (1, vec![("magic", "error")]));
    assert_eq!(report["records"], Value::Array(vec![]));
    let missing = run(&["lime", "contents", "no-such-file"], b"");
    assert!(status(&missing) == 2 && said(&missing).contains("no-such-file"), "{}", said(&missing));
    assert_eq!(status(&run(&["lime", "contents", env!("CARGO_MANIFEST_DIR")], b"")), 2);
}

#[test]
fn every_record_of_every_fixture_is_extracted() {
    for (about, bytes) in files(Fixtures::Ours, "lime") {
        let name = about["path"].as_str().expect("a path");
        let path = Fixtures::Ours.join("lime").join(name).display().to_string();
        let (report, _) = json(&bytes);
        // Every 37th record is enough for the files of 1000 records.
        for record in report["records"].as_array().expect("a list").iter().step_by(37) {
            let number = |key: &str| record[key].as_u64().expect("a number");
            let from = number("offset") as usize + 144;
            let payload = &bytes[from..from + number("length") as usize];
            let (message, index) = (number("message").to_string(), number("record").to_string());
            for (file, input) in [(path.as_str(), &b""[..]), ("-", &bytes)] {
                let output = run(&["lime", "extract", file, &message, &index], input);
                assert!(status(&output) == 0 && output.stdout == payload, "{name} {message}.{index}");
            }
        }
    }
}

#[test]
fn the_first_record_of_a_type() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = [
        record("a", b"1", true, true),
        record("b", b"2", true, false),
        record("b", b"3", false, false),
        record("", b"4", false, true),
    ];
    put(&folder, "f.lime", file.concat());
    for (record_type, payload) in [("a", "1"), ("b", "2"), ("", "4")] {
        let output = in_folder(&folder, &["extract-type", "f.lime", record_type], b"");
        assert_eq!((status(&output), &output.stdout[..]), (0, payload.as_bytes()), "{record_type:?}");
    }
    let output = in_folder(&folder, &["extract-type", "f.lime", "c"], b"");
    assert!(status(&output) == 2 && said(&output).contains("\"c\""), "{}", said(&output));
    assert_eq!(status(&in_folder(&folder, &["extract-type", "f.lime", "b", "out"], b"")), 0);
    assert_eq!(read(&folder, "out"), b"2");
}

#[test]
fn a_type_of_any_bytes_can_be_named() {
    #[cfg(unix)]
    {
        use std::os::unix::ffi::OsStrExt as _;
        let mut file = record("latin1-X", b"data", true, true);
        file[16 + 7] = 0xe9;
        let mut program = linkstream();
        program.args(["lime", "extract-type", "-"]).arg(std::ffi::OsStr::from_bytes(b"latin1-\xe9"));
        assert_eq!(program.write_stdin(file).output().expect("the program runs").stdout, b"data");
    }
}

#[test]
fn records_that_are_not_there() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    put(&folder, "f.lime", [record("a", b"1", true, true), record("b", b"2", true, true)].concat());
    for (message, index, words) in [
        ("3", "1", "message 3 does not exist: the file has 2 messages, 1 to 2"),
        ("1", "2", "record 2 does not exist: message 1 has 1 record, number 1"),
        ("2", "9", "message 2 has 1 record"),
        ("0", "1", "counted from 1 is expected"),
        ("1", "0", "counted from 1 is expected"),
        ("x", "1", "invalid"),
    ] {
        let output = in_folder(&folder, &["extract", "f.lime", message, index, "out"], b"");
        assert!(
            status(&output) == 2 && said(&output).contains(words),
            "{message} {index}: {}",
            said(&output)
        );
    }
    // The message is followed by damage, which is not read.
    put(&folder, "f.lime", [&read(&folder, "f.lime")[..], b"damaged"].concat());
    let output = in_folder(&folder, &["extract", "f.lime", "1", "2"], b"");
    assert!(!said(&output).contains("at byte"), "{}", said(&output));
    assert_eq!(standing(&folder, "."), ["f.lime"]);
}

#[test]
fn a_payload_that_is_not_wanted_is_not_read() {
    const TIB: u64 = 1 << 40;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut large = record("large", b"", true, false);
    large[8..16].copy_from_slice(&TIB.to_be_bytes());
    put(&folder, "f.lime", &large);
    let mut file = std::fs::File::options().append(true).open(folder.path().join("f.lime")).expect("a file");
    file.set_len(144 + TIB).expect("sparse files of 1 TiB are possible");
    std::io::Write::write_all(&mut file, &record("small", b"x", false, true))
        .expect("the temporary folder is writable");
    assert_eq!(in_folder(&folder, &["extract", "f.lime", "1", "2"], b"").stdout, b"x");
    assert_eq!(in_folder(&folder, &["extract-type", "f.lime", "small"], b"").stdout, b"x");
    let output = in_folder(&folder, &["contents", "f.lime"], b"");
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(
        status(&output) == 0 && text.contains("1,099,511,627,776 bytes at 0") && text.contains("small"),
        "{text}"
    );
    // Although payload is skipped, its missing end is detected.
    file.set_len(144 + TIB - 1).expect("a shorter file");
    assert_eq!(status(&in_folder(&folder, &["contents", "f.lime"], b"")), 1);
}

#[test]
fn a_payload_that_is_cut_leaves_no_file() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let whole = [record("a", b"12345", true, false), record("b", &[7; 1000], false, true)].concat();
    for cut in [152 + 10, 152 + 144, 152 + 144 + 999] {
        put(&folder, "f.lime", &whole[..cut]);
        for arguments in
            [&["extract", "f.lime", "1", "2", "out"][..], &["extract-type", "f.lime", "b", "out"]]
        {
            let output = in_folder(&folder, arguments, b"");
            assert_eq!(status(&output), 1, "{cut}");
            assert!(
                said(&output).contains("f.lime: at byte") && said(&output).contains("ends inside"),
                "{}",
                said(&output)
            );
        }
        assert_eq!(status(&in_folder(&folder, &["extract", "-", "1", "2"], &whole[..cut])), 1);
        // The records before the damage can be extracted on demand.
        assert!(in_folder(&folder, &["extract", "f.lime", "1", "1"], b"").stdout.is_empty());
        assert_eq!(in_folder(&folder, &["extract", "--damaged", "f.lime", "1", "1"], b"").stdout, b"12345");
    }
    assert_eq!(standing(&folder, "."), ["f.lime"]);
    // A complete payload is enough; its padding is not read.
    put(&folder, "f.lime", &whole[..152 + 144 + 1000]);
    assert_eq!(status(&in_folder(&folder, &["extract", "f.lime", "1", "2", "out"], b"")), 0);
    assert_eq!(read(&folder, "out"), [7; 1000]);
}

#[test]
fn files_that_exist_are_only_replaced_on_demand() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    put(&folder, "f.lime", record("a", b"new", true, true));
    for arguments in [&["extract", "f.lime", "1", "1", "out"][..], &["extract-type", "f.lime", "a", "out"]] {
        put(&folder, "out", b"precious");
        let refused = in_folder(&folder, arguments, b"");
        assert!(status(&refused) == 2 && said(&refused).contains("--force"), "{}", said(&refused));
        assert_eq!(read(&folder, "out"), b"precious");
        assert_eq!(status(&in_folder(&folder, &[arguments, &["--force"]].concat(), b"")), 0);
        assert_ne!(read(&folder, "out"), b"precious");
    }
}

#[test]
fn warnings_are_printed_up_to_a_limit() {
    // No record has ME.
    let records: Vec<u8> = (0..100).flat_map(|_| record("a", b"x", true, false)).collect();
    let output = run(&["lime", "extract", "-", "100", "1"], records);
    assert_eq!((status(&output), &output.stdout[..]), (0, &b"x"[..]));
    assert_eq!(said(&output).lines().count(), 11, "{}", said(&output));
    assert!(said(&output).contains("warning: at byte 158") && said(&output).contains("`linkstream check`"));
}

/// If the output is data, their reader did not get all of them; a report is for people, who have seen enough.
#[test]
fn a_reader_that_goes_away_is_a_failure_unless_it_reads_a_report() {
    let file = record("a", &vec![0; 1 << 20], true, true);
    for (arguments, expected) in [(&["extract", "-", "1", "1"][..], 2), (&["contents", "-"], 0)] {
        let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin("linkstream"));
        command
            .arg("lime")
            .args(arguments)
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped());
        let mut child = command.spawn().expect("the program runs");
        drop(child.stdout.take());
        let mut stdin = child.stdin.take().expect("a pipe");
        // The program may exit before it has read everything.
        let _ = std::io::Write::write_all(&mut stdin, &file);
        drop(stdin);
        assert_eq!(child.wait().expect("the program ends").code(), Some(expected), "{arguments:?}");
    }
}
