//! The verdict on a file: in JSON, in the text output and as exit status.

use host_tests::fixtures::Fixtures;
use serde_json::Value;

use crate::common::lime::record;
use crate::common::{findings, reals, report, run, status};

fn sample() -> Vec<u8> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../su3-4x4x4x8.lime");
    std::fs::read(path).expect("the sample is part of the repository")
}

/// The sample without its last record, which is the checksum in the message of the data.
fn without_checksum() -> Vec<u8> {
    let mut bytes = sample();
    bytes.truncate(149_544);
    bytes
}

#[track_caller]
fn assert_verdict(bytes: &[u8], options: &[&str], expected: (&str, i32)) -> Value {
    let (report, status) = report("check", bytes, options);
    assert_eq!((report["verdict"].as_str(), status), (Some(expected.0), expected.1), "{report}");
    assert_eq!(report["ok"], status == 0);
    report
}

#[test]
fn an_empty_file_is_truncated() {
    for command in ["check", "inspect"] {
        let (report, status) = report(command, b"", &[]);
        assert_eq!((status, findings(&report)), (1, vec![("truncated", "error")]), "{command}");
        assert_eq!(report["findings"][0]["rule"], "file-empty");
        assert_eq!((&report["format"], &report["bytes"]), (&"unknown".into(), &0.into()));
    }
    assert_verdict(b"", &[], ("wrong", 1));
    assert_verdict(b"", &["--lenient"], ("wrong", 1));
    let text = String::from_utf8(run(&["check", "-"], b"").stdout).expect("text");
    assert!(text.contains("the file is empty [file-empty]") && text.contains("wrong: 1 error"), "{text}");
}

#[test]
fn verified_data_are_ok() {
    assert_verdict(&sample(), &["--require-checksum"], ("ok", 0));
    // Compressed sections contain a checksum.
    let packed = Fixtures::Ours.read("scda/compressed-blocks.scda");
    let (report, _) = report("check", &packed, &[]);
    assert_eq!(report["verdict"], "ok", "{report}");
}

#[test]
fn data_without_checksum_are_unverified() {
    let bytes = without_checksum();
    let report = assert_verdict(&bytes, &["--lenient"], ("unverified", 0));
    assert_eq!(report["fields"][0]["checksum"], "absent");
    assert_verdict(&bytes, &["--lenient", "--require-checksum"], ("unverified", 1));
    let words = |options: &[&str]| {
        let output = run(&[&["check", "--lenient", "-"], options].concat(), bytes.clone());
        String::from_utf8(output.stdout).expect("text")
    };
    let text = words(&[]);
    assert!(text.contains("verdict: unverified: 0 of 1 fields verified"), "{text}");
    let text = words(&["--require-checksum"]);
    assert!(text.contains("verdict: unverified, which --require-checksum refuses: 0 of 1"), "{text}");
    let line = words(&["--quiet", "--require-checksum"]);
    assert!(
        line.starts_with(
            "-: UNVERIFIED, which --require-checksum refuses: 0 of 1 fields verified by checksum\n"
        ),
        "{line}"
    );
}

/// QIO leaves both sums out if one of them is zero. Here, neither is.
#[test]
fn a_checksum_record_that_has_lost_its_sums_is_wrong() {
    let mut bytes = without_checksum();
    let document = b"<?xml version=\"1.0\"?><scidacChecksum><version>1.0</version></scidacChecksum>";
    bytes.extend(record("scidac-checksum", document, false, true));
    let report = assert_verdict(&bytes, &["--lenient"], ("wrong", 1));
    assert!(report["findings"].to_string().contains("checksum-sums-lost"), "{report}");
}

#[test]
fn one_field_without_checksum_among_others_is_unverified() {
    let two = [sample(), without_checksum()].concat();
    let report = assert_verdict(&two, &["--lenient"], ("unverified", 0));
    assert_eq!(report["fields"].as_array().map(Vec::len), Some(2));
    assert_verdict(&two, &["--lenient", "--require-checksum"], ("unverified", 1));
}

#[test]
fn what_cannot_be_verified_is_unverified() {
    // Matrices have no checksum.
    assert_verdict(&reals(1, 2, &[1.0, 2.0]), &[], ("unverified", 0));
    assert_verdict(&reals(1, 2, &[1.0, 2.0]), &["--require-checksum"], ("unverified", 1));
    assert_verdict(&record("notes", b"only a text", true, true), &[], ("unverified", 0));
    let plain = Fixtures::Ours.read("scda/inline.scda");
    assert_verdict(&plain, &["--require-checksum"], ("unverified", 1));
}

#[test]
fn damage_is_wrong_whatever_is_required() {
    let mut bytes = sample();
    bytes[100_000] ^= 4;
    for options in [&[][..], &["--require-checksum"], &["--lenient"]] {
        assert_verdict(&bytes, options, ("wrong", 1));
    }
}

#[test]
fn a_file_cut_off_after_its_header_is_wrong() {
    for end in [296, 528, 960, 1944] {
        let (report, status) = report("check", &sample()[..end], &["--lenient"]);
        assert_eq!((&report["verdict"], status), (&"wrong".into(), 1), "{end}: {report}");
    }
    let (report, _) = report("check", &sample()[..528], &["--lenient"]);
    assert_eq!(findings(&report), [("truncated", "error")], "{report}");
    assert_eq!(report["findings"][0]["rule"], "file-without-data");
}

#[test]
fn a_pickle_is_a_warning() {
    let bytes = [sample(), record("lyncs-io-info", b"\x80\x04}.", true, true)].concat();
    let report = assert_verdict(&bytes, &[], ("ok", 0));
    let finding = &report["findings"][0];
    assert_eq!((&finding["rule"], &finding["severity"]), (&"record-pickle".into(), &"warning".into()));
    assert!(finding["message"].as_str().is_some_and(|text| text.contains("lyncs_io")), "{finding}");
}

/// Data that contradict themselves although their checksum matches are named beside the verdict.
#[test]
fn doubts_are_beside_the_verdict() {
    let bytes = Fixtures::Ours.read("qio/nersc/n3x2_f_badsum.lime");
    let words = |options: &[&str]| {
        let output = run(&[&["check", "--lenient", "-"], options].concat(), bytes.clone());
        assert_eq!(status(&output), 0);
        String::from_utf8(output.stdout).expect("text")
    };
    assert!(words(&[]).contains("verified by checksum"), "{}", words(&[]));
    assert!(words(&[]).ends_with("(recorded-checksum-differs)\n"), "{}", words(&[]));
    assert!(
        words(&["--quiet"]).starts_with("-: OK (recorded-checksum-differs)\n"),
        "{}",
        words(&["--quiet"])
    );
    let (report, _) = report("check", &bytes, &["--lenient"]);
    assert_eq!(report["doubts"], serde_json::json!(["recorded-checksum-differs"]));
}

#[test]
fn what_inspect_reads_is_unverified() {
    let (report, status) = report("inspect", &sample(), &[]);
    assert_eq!((status, &report["verdict"]), (0, &"unverified".into()));
}

#[test]
fn json_has_what_the_text_has() {
    let (report, _) = report("check", &sample(), &[]);
    let field = &report["fields"][0];
    let expected = [
        ("date", Value::from("Fri Nov 20 12:00:00 2026 UTC")),
        ("record_type", "field".into()),
        ("colors", 3.into()),
        ("spins", 0.into()),
        ("typesize", 72.into()),
        ("datacount", 4.into()),
        ("lfn", "lfn://linkstream/sample/su3-4x4x4x8".into()),
        ("links", serde_json::json!({"per_site": 4, "rows": 3, "columns": 3, "numbers": "complex"})),
    ];
    for (key, value) in expected {
        assert_eq!(field[key], value, "{key}: {field}");
    }
    let texts: Vec<_> = report["records"].as_array().expect("a list").iter().map(|r| &r["text"]).collect();
    assert!(texts[0].as_str().is_some_and(|text| text.contains("<dims>4 4 4 8 </dims>")), "{}", texts[0]);
    // The data record has no text.
    assert_eq!(texts[6], &Value::Null);
    assert_eq!(texts.iter().filter(|text| text.is_string()).count(), 7);
}

#[test]
fn names_that_are_not_text_are_also_in_hexadecimal() {
    let mut bytes = record("notes", b"text", true, true);
    bytes[16..18].copy_from_slice(&[0xff, 0xfe]);
    let (report, _) = report("inspect", &bytes, &[]);
    assert_eq!(report["records"][0]["type_hex"], "fffe746573");
    let (plain, _) = crate::common::report("inspect", &record("notes", b"text", true, true), &[]);
    assert_eq!(plain["records"][0].get("type_hex"), None);
    let listed = run(&["lime", "contents", "--json", "-"], bytes);
    let listed: Value = serde_json::from_slice(&listed.stdout).expect("one object");
    assert_eq!(
        (&listed["records"][0]["type_hex"], status(&run(&["check", "-"], ""))),
        (&"fffe746573".into(), 1)
    );
}

#[cfg(unix)]
#[test]
fn a_file_whose_name_is_not_text_is_named_in_hexadecimal() {
    use std::os::unix::ffi::OsStrExt as _;
    let folder = tempfile::tempdir().expect("a temporary folder");
    let name = std::ffi::OsStr::from_bytes(b"\xff.lime");
    std::fs::write(folder.path().join(name), sample()).expect("the temporary folder is writable");
    let missing = std::ffi::OsStr::from_bytes(b"\xfe");
    let mut program = crate::common::linkstream();
    program.current_dir(folder.path()).args(["check", "--json"]).arg(name).arg(missing);
    let output = program.output().expect("the program runs");
    let lines = String::from_utf8(output.stdout).expect("JSON is UTF-8");
    let reports: Vec<Value> =
        lines.lines().map(|line| serde_json::from_str(line).expect("an object")).collect();
    assert_eq!((&reports[0]["file_hex"], &reports[1]["file_hex"]), (&"ff2e6c696d65".into(), &"fe".into()));
}

/// The Polyakov loop of the sample.
const LOOP: [f64; 2] = [0.061_301_591_474, -0.029_234_014_1];

#[test]
fn figures_are_in_words_and_in_json() {
    let (report, _) = report("check", &sample(), &["--slices"]);
    let field = &report["fields"][0];
    let planes = field["planes"].as_array().expect("a list");
    let figure = |value: &Value| value.as_f64().expect("a number");
    let mean = planes.iter().map(|plane| figure(&plane["plaquette"])).sum::<f64>() / 6.0;
    assert!(planes.len() == 6 && (mean - figure(&field["plaquette"])).abs() < 1e-12, "{field}");
    let halves = figure(&field["spatial_plaquette"]) + figure(&field["temporal_plaquette"]);
    assert!((halves / 2.0 - mean).abs() < 1e-12, "{field}");
    let directions = field["directions"].as_array().expect("a list");
    let numbers: Vec<_> = directions.iter().map(|entry| &entry["direction"]).collect();
    let mean = directions.iter().map(|entry| figure(&entry["link_trace"])).sum::<f64>() / 4.0;
    assert_eq!(numbers, [0, 1, 2, 3], "{field}");
    assert!((mean - figure(&field["link_trace"])).abs() < 1e-12, "{field}");
    let slices = field["slices"].as_array().expect("a list");
    let trace = slices.iter().map(|slice| figure(&slice["link_trace"])).sum::<f64>() / 8.0;
    assert!(slices.len() == 8 && (trace - figure(&field["link_trace"])).abs() < 1e-12, "{field}");

    // Computed with NumPy from the links: `examples/python/OBSERVABLES.md`.
    let parts = field["polyakov_loop"].as_array().expect("a list");
    let [re, im] = [figure(&parts[0]), figure(&parts[1])];
    assert!((re - LOOP[0]).abs() < 1e-11 && (im - LOOP[1]).abs() < 1e-11, "{parts:?}");

    let output = run(&["check", "--slices", "-"], sample());
    let text = String::from_utf8(output.stdout).expect("text");
    let temporal = format!("temporal             {:.9}", figure(&field["temporal_plaquette"]));
    assert!(text.contains(&temporal) && text.contains("plane zt"), "{text}");
    assert_eq!(text.matches("link trace").count(), 9, "{text}");
    let of_y = format!("direction y          {:.9}\n", figure(&directions[1]["link_trace"]));
    assert!(text.contains(&of_y), "{text}");
    assert!(text.contains(&format!("    Polyakov loop          {re:.9} - {:.9} i\n", -im)), "{text}");
    let (plain, _) = crate::common::report("check", &sample(), &[]);
    assert_eq!(plain["fields"][0].get("slices"), None);
    let (without, _) = crate::common::report("check", &sample(), &["--no-observables"]);
    assert_eq!(without["fields"][0].get("polyakov_loop"), None);
}

#[test]
fn what_texts_record_is_compared_in_words_and_in_json() {
    let bytes = Fixtures::Ours.read("qio/nersc/n3x2_f_badsum.lime");
    let (report, status) = report("check", &bytes, &[]);
    assert_eq!((status, findings(&report)), (0, vec![("checksum", "warning")]), "{report}");
    let text = String::from_utf8(run(&["check", "-"], bytes).stdout).expect("text");
    let lines = [
        "recorded plaquette 0.0370197222 in scidac-record-xml: agrees",
        "recorded NERSC checksum 83b93876 in scidac-record-xml: DIFFERS",
    ];
    assert!(lines.iter().all(|line| text.contains(line)), "{text}");
}

#[test]
fn programs_that_cannot_read_a_file_are_named() {
    let file = crate::common::gauge::tmlqcd_style();
    let text_of =
        |arguments: &[&str], file: &[u8]| String::from_utf8(run(arguments, file).stdout).expect("text");
    let run = |program: &str| {
        let output = run(&["check", "--lenient", "--for", program, "-"], &*file);
        (output.status.code(), String::from_utf8(output.stdout).expect("text"))
    };
    let (status, grid) = run("grid");
    assert_eq!(status, Some(1), "{grid}");
    assert!(grid.contains("refused at byte 696: there is no ildg-data-lfn"), "{grid}");
    assert_eq!(run("tmlqcd").0, Some(0));
    let quiet = text_of(&["check", "--lenient", "--quiet", "--for", "grid", "-"], &file);
    assert!(quiet.contains("\n  Grid: refused: there is no ildg-data-lfn"), "{quiet}");
    let names = ["alien/tmlqcd_style.lime", "ildg/ildg_d_nolfn_4x4x4x4.lime", "alien/grid_style.lime"];
    let [_, second, third] = &names.map(|name| Fixtures::Ours.join("qio").join(name).display().to_string());
    let folder = tempfile::tempdir().expect("a temporary folder");
    let first = folder.path().join("lat");
    std::fs::write(&first, &file).expect("a file");
    let first = first.to_str().expect("a path of text");
    let several = text_of(&["check", "--lenient", "-q", "--for", "grid", first, second, third], &[]);
    assert!(several.ends_with("; 2 files that a named program cannot read\n"), "{several}");
    let (status, all) = run("all");
    assert_eq!(status, Some(0));
    assert!(all.contains("GPT (851072d7 of 2026-08): accepted"), "{all}");
    assert_eq!(run("word").0, Some(2));
}

/// An exponent with a flipped bit, in a file without checksum: no program repairs it, and no reason is the cause.
#[test]
fn damaged_data_have_one_remedy() {
    let mut file = Fixtures::Ours.read("qio/ildg/ildg_d_nolfn_4x4x4x4.lime");
    let sum = file.windows(15).rposition(|window| window == b"scidac-checksum").expect("a record") - 16;
    file.truncate(sum);
    let output =
        |file: &[u8]| String::from_utf8(run(&["check", "--for", "all", "-"], file).stdout).expect("text");
    let advice = "the data or the values stored with them are damaged: get another copy";
    assert!(!output(&file).contains(advice));
    let data = file.windows(16).position(|window| window == b"ildg-binary-data").expect("a record") + 128;
    file[data + 8 * 100] ^= 0x40;
    let text = output(&file);
    assert_eq!(text.matches(advice).count(), 1, "{text}");
    assert!(text.contains("refused at byte") && !text.contains("linkstream convert"), "{text}");
}

/// The texts of users can have any form. The help says which of them are checked.
#[test]
fn texts_of_users_are_judged_if_they_begin_like_xml() {
    let file = Fixtures::Ours.read("qio/ildg/ildg_d_nolfn_4x4x4x4.lime");
    let name = b"scidac-record-xml\0";
    let at = file.windows(name.len()).position(|window| window == name).expect("a record") + 128;
    let length = u64::from_be_bytes(file[at - 136..at - 128].try_into().expect("8 bytes")) as usize;
    for (text, is_judged) in [("hello", false), ("<x a=1/>", true), ("<x>]]></x>", true), ("<x/>", false)] {
        let mut file = file.clone();
        file[at..at + length].fill(b' ');
        file[at..at + text.len()].copy_from_slice(text.as_bytes());
        let (report, _) = report("check", &file, &["--lenient"]);
        let is_found = findings(&report).contains(&("format", "warning"));
        assert_eq!(is_found, is_judged, "{text}: {report}");
    }
    let help = String::from_utf8(run(&["check", "--help"], b"").stdout).expect("text");
    assert!(help.contains("user texts that begin like XML but") && !help.contains("texts that are not XML"));
}

/// The report names the records that no checksum covers, even if the verdict is OK.
#[test]
fn records_that_no_checksum_covers_are_named() {
    let noise: Vec<u8> = (0..4000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    let other = record("my-binary-data", &noise, true, true);
    let text = record("my-text", b"these are words", true, true);
    let bytes = [sample(), text.clone(), other].concat();
    let at = (sample().len() + text.len()) as u64;
    let found = assert_verdict(&bytes, &[], ("ok", 0));
    assert_eq!(found["uncovered"], serde_json::json!([at]));
    let printed = String::from_utf8(run(&["check", "-"], &bytes[..]).stdout).expect("text");
    let line = format!("  no checksum covers my-binary-data: 4,000 bytes at {at}, which are not text");
    assert!(printed.contains(&line), "{printed}");
    let verdict =
        "verdict: ok, 1 of 1 fields verified by checksum; no checksum covers 4,000 bytes in 1 other record";
    assert!(printed.contains(verdict), "{printed}");
    // Texts are not data. `inspect` reads no data, so that it says nothing.
    assert!(assert_verdict(&[sample(), text].concat(), &[], ("ok", 0)).get("uncovered").is_none());
    assert!(report("inspect", &bytes, &[]).0.get("uncovered").is_none());
}
