//! `check` and `inspect` of scda files.

use std::io::Write as _;

use crate::common::scda::{count, from_hex, head, header, listed, number, text};
use crate::common::{files, findings, report, run, status};
use host_tests::fixtures::Fixtures;
use host_tests::long;
use serde_json::{Value, json};
use toml::Table;

/// The expected report on a section of the manifest.
fn expected(section: &Table) -> Value {
    // The type before compression.
    let plain_type = section.get("convention").and_then(toml::Value::as_str);
    let mut object = serde_json::Map::new();
    let mut put = |key: &str, value: Value| object.insert(key.to_owned(), value);
    let large = |n: u128| if n > 1 << 53 { json!(n.to_string()) } else { json!(n as u64) };
    put("offset", json!(section["offset"].as_integer()));
    put("type", json!(plain_type.unwrap_or_else(|| text(section, "type"))));
    let user = text(section, "user_hex");
    put("user", json!(String::from_utf8_lossy(&from_hex(user))));
    put("user_hex", json!(user));
    if text(section, "type") == "F" {
        let vendor = text(section, "vendor_hex");
        put("vendor", json!(String::from_utf8_lossy(&from_hex(vendor))));
        put("vendor_hex", json!(vendor));
    }
    let stored = number(section, "data_len").unwrap_or(0) as u64;
    if let Some(n) = number(section, "N") {
        put("n", large(n));
    }
    match plain_type {
        None => {
            number(section, "E").map(|size| put("e", large(size)));
            put("bytes", json!(stored));
        }
        Some(plain_type) => {
            if let ("A" | "B", Some(size)) = (plain_type, number(section, "U")) {
                put("e", large(size));
            }
            put("bytes", large(number(section, "plain_len").expect("a length")));
            put("compressed", json!({"bytes": stored, "verified": true}));
        }
    }
    Value::Object(object)
}

fn every_fixture_is_whole_of(fixtures: Fixtures) {
    for (about, bytes) in files(fixtures, "scda") {
        let name = text(&about, "path");
        let path = fixtures.join("scda").join(name).display().to_string();
        let output = run(&["check", "--json", &path], "");
        let of_file: Value = serde_json::from_slice(&output.stdout).expect("one object");
        assert_eq!((status(&output), &of_file["ok"]), (0, &json!(true)), "{of_file}");
        assert_eq!(of_file["format"], "scda");
        assert_eq!(of_file["bytes"].as_i64(), about["bytes"].as_integer());
        let all: Vec<Value> = listed(&about).iter().map(expected).collect();
        assert_eq!(of_file["sections"].as_array(), Some(&all), "{name}");
        // Arbitrary padding is legal, but reported as a finding.
        let warned = text(&about, "eol") == "arbitrary";
        assert_eq!(findings(&of_file).is_empty(), !warned, "{of_file}");
        assert!(findings(&of_file).iter().all(|finding| *finding == ("padding", "warning")));
        let compressed = all.iter().filter(|section| section.get("compressed").is_some()).count();
        // The report is the same for a pipe, and if data are skipped by seeking or by reading.
        for (command, options, input) in [
            ("check", &["-"], &bytes[..]),
            ("inspect", &["-"], &bytes[..]),
            ("inspect", &[path.as_str()], &[]),
        ] {
            let output = run(&[&[command, "--json"], &options[..]].concat(), input);
            let mut other: Value = serde_json::from_slice(&output.stdout).expect("one object");
            other["file"] = of_file["file"].clone();
            if command == "inspect" {
                assert!(other["verdict"] == "unverified", "{other}");
                other["verdict"] = of_file["verdict"].clone();
                assert_eq!(unverified(&mut other), compressed, "{name}");
                let is_read = |reason: &Value| reason["reason"] != "not-read";
                let (unread, others): (Vec<_>, Vec<_>) = other["unverified"]
                    .as_array()
                    .expect("a list")
                    .iter()
                    .cloned()
                    .partition(|one| !is_read(one));
                let parts: Option<u64> = unread.iter().map(|one| one["parts"].as_u64()).sum();
                assert_eq!(parts, Some(compressed as u64), "{other}");
                other["unverified"] = others.into();
            }
            assert_eq!(other, of_file, "{command} {name}");
        }
        let text = String::from_utf8(run(&["check", &path], "").stdout).expect("text");
        assert_eq!(text.matches(", verified\n").count(), compressed, "{text}");
        assert_eq!(text.contains("verified by Adler-32"), compressed > 0, "{text}");
        let plain =
            all.iter().skip(1).any(|section| section.get("compressed").is_none() && section["bytes"] != 0);
        let verdict = if compressed > 0 && !plain { "ok" } else { "unverified" };
        assert_eq!(of_file["verdict"], verdict, "{name}");
        let words = if verdict == "ok" { "verdict: ok" } else { "verdict: unverified" };
        assert!(text.contains(words) && !text.contains("NOT"), "{text}");
    }
}

/// Marks the compressed sections of a report as not read, as `inspect` reports them. Returns the number of those marked
/// so before.
fn unverified(report: &mut Value) -> usize {
    let mut unread = 0;
    for section in report["sections"].as_array_mut().into_iter().flatten() {
        if let Some(verified) = section.get_mut("compressed").and_then(|stored| stored.get_mut("verified")) {
            unread += usize::from(*verified == false);
            *verified = true.into();
        }
    }
    unread
}

#[test]
fn every_fixture_is_whole() {
    every_fixture_is_whole_of(Fixtures::Ours);
}

#[test]
fn every_broken_fixture_is_refused_for_its_reason() {
    for (about, bytes) in files(Fixtures::Ours, "broken-scda") {
        let (name, expect) = (text(&about, "path"), text(&about, "expect"));
        let (of_check, status) = report("check", &bytes, &[]);
        if bytes.is_empty() {
            // Nothing in an empty file shows that it was meant to be an scda file.
            assert_eq!(
                (status, &of_check["format"], findings(&of_check)),
                (1, &json!("unknown"), vec![("truncated", "error")])
            );
            continue;
        }
        let errors: Vec<_> = findings(&of_check).into_iter().filter(|(_, how)| *how == "error").collect();
        if errors.is_empty() {
            assert!(expect.contains("accept") && status == 0, "{name}: {expect}: {of_check}");
            assert!(findings(&of_check).iter().all(|finding| *finding == ("padding", "warning")));
            continue;
        }
        let (class, _) = errors[0];
        assert!(expect.contains("reject") && expect.contains(class), "{name}: {class} instead of {expect}");
        assert_eq!((status, &of_check["ok"]), (1, &json!(false)), "{name}");
        // None of these errors is accepted in lenient mode.
        assert_eq!(report("check", &bytes, &["--lenient"]).1, 1);
        // The list of sections is the same if data are skipped.
        let (mut of_inspect, _) = report("inspect", &bytes, &[]);
        let mut of_check = of_check;
        unverified(&mut of_check);
        unverified(&mut of_inspect);
        assert_eq!(of_inspect["sections"], of_check["sections"], "{name}");
        let checked = run(&["check", "-"], bytes.clone());
        let checked = String::from_utf8(checked.stdout).expect("text");
        assert!(checked.contains("wrong: 1 error"), "{name}: {checked}");
        assert!(name != "comp-adler.scda" || checked.contains(", NOT verified"), "{checked}");
    }
}

#[test]
fn every_section_is_listed_though_its_convention_is_broken() {
    let types = |name: &str| {
        let bytes = std::fs::read(Fixtures::Ours.join("broken-scda").join(name)).expect("a file");
        let (report, _) = report("check", &bytes, &[]);
        let sections = report["sections"].as_array().expect("a list");
        let each = sections.iter().map(|section| {
            let stored = if section.get("compressed").is_some() { " compressed" } else { "" };
            format!("{}{stored}, ", section["type"].as_str().expect("a letter"))
        });
        each.collect::<String>()
    };
    assert_eq!(types("comp-B-then-A.scda"), "F, A, ");
    assert_eq!(types("comp-B-then-eof.scda"), "F, ");
    assert_eq!(types("comp-B-then-compressed-B.scda"), "F, B compressed, ");
    assert_eq!(types("comp-V-E-64.scda"), "F, A, V, ");
    assert_eq!(types("comp-U-garbage.scda"), "F, B, ");
    assert_eq!(types("comp-adler.scda"), "F, B compressed, ");
}

#[test]
fn cut_short_at_every_byte() {
    let whole = [
        &header()[..],
        &head('V', "words"),
        &count('N', 3),
        &count('E', 3),
        &count('E', 0),
        &count('E', 5),
        b"onethree\n=====================\n\n",
    ]
    .concat();
    let (report_of_whole, status) = report("check", &whole, &[]);
    assert_eq!((status, &report_of_whole["sections"][1]["bytes"]), (0, &json!(8)));
    for length in long::sample(1..whole.len(), 5) {
        let (cut, status) = report("check", &whole[..length], &["--lenient"]);
        assert_eq!(cut["format"], "scda");
        if length == 128 {
            assert_eq!(status, 0);
            continue;
        }
        assert_eq!(status, 1, "{length}");
        assert_eq!(findings(&cut), [("truncated", "error")], "{length}");
        assert_eq!((&cut["findings"][0]["offset"], &cut["bytes"]), (&json!(length), &json!(length)));
        let listed = cut["sections"].as_array().map_or(0, Vec::len);
        assert_eq!(listed, usize::from(length >= 96) + usize::from(length >= 224), "{length}");
        if length >= 224 {
            // The sum of some of the sizes would be mistaken for the sum of all.
            let bytes = if length < 320 { Value::Null } else { json!(8) };
            assert_eq!(cut["sections"][1]["bytes"], bytes, "{length}");
        }
    }
}

#[test]
fn data_passed_over_by_seeking_must_be_there() {
    let mut file = tempfile::NamedTempFile::new().expect("a file");
    let cut = [header(), head('B', "long"), count('E', 1_000_000), vec![0; 5000]].concat();
    file.write_all(&cut).expect("the temporary folder is writable");
    let output = run(&["inspect", "--json", &file.path().display().to_string()], "");
    let cut: Value = serde_json::from_slice(&output.stdout).expect("one object");
    assert_eq!((status(&output), &cut["findings"][0]["class"]), (1, &json!("truncated")));
    assert_eq!(cut["sections"][1]["bytes"], 1_000_000);
}

#[test]
fn people_get_words() {
    let array = [head('A', "i\x1b[31md\n"), count('N', 1), count('E', 6)].concat();
    let data = b"abcde\n========================\n\n";
    let mut file = [&header()[..], &array, data].concat();
    let said = |command: &str, file: &[u8]| {
        let output = run(&[command, "-"], file);
        String::from_utf8(output.stdout).expect("text")
    };
    for command in ["check", "inspect"] {
        let text = said(command, &file);
        for words in ["-: scda, 288 bytes", "vendor: libsc", "array, 1 element of 6 bytes", "6 bytes at 128"]
        {
            assert!(text.contains(words), "{words}: {text}");
        }
        // Text from a file stays on its line and cannot control the terminal.
        assert!(text.contains("i\\u{1b}[31md\\n"), "{text}");
        assert!(!text.contains('\x1b'));
    }
    assert!(
        said("check", &file)
            .contains("verdict: unverified: no section has a checksum, because none is compressed")
    );
    file[280] = b'#';
    let warned = said("check", &file);
    assert!(warned.contains("scda-padding") && warned.contains("1 warning"), "{warned}");
    let many = [&header()[..], &file[128..].repeat(80)].concat();
    let listed = said("check", &many);
    assert!(listed.contains("and 21 more sections"), "{listed}");
    assert!(!said("inspect", &many).contains("more sections"));
}

#[test]
fn a_report_does_not_grow_with_the_elements() {
    let n = 100_000;
    let sizes = count('E', 1).repeat(n);
    let file = [header(), head('V', "many"), count('N', n), sizes, vec![b'x'; n]].concat();
    let file = [&file[..], b"\n=============================\n\n"].concat();
    let output = run(&["check", "--json", "-"], file);
    assert_eq!(status(&output), 0);
    assert!(output.stdout.len() < 1000, "{}", output.stdout.len());
    let report: Value = serde_json::from_slice(&output.stdout).expect("one object");
    assert_eq!(report["sections"][1]["bytes"], n);
}

#[test]
fn garbage_is_reported_and_nothing_more() {
    let whole = Fixtures::Ours.read("scda/mixed-all.scda");
    let mut state = 5_u64;
    for _ in 0..150 {
        let mut bytes = whole.clone();
        for _ in 0..3 {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(99);
            let at = 5 + (state >> 33) as usize % (bytes.len() - 5);
            bytes[at] = (state >> 25) as u8;
        }
        let (checked, checked_status) = report("check", &bytes, &[]);
        let (_, inspected_status) = report("inspect", &bytes, &[]);
        assert!(checked_status < 2 && inspected_status < 2);
        assert_eq!(checked["format"], "scda");
    }
}

host_tests::of_other_projects! {
    fn every_fixture_is_whole() {
        every_fixture_is_whole_of(Fixtures::OfOthers);
    }
}
