//! Memory and output that do not grow with the number of records, sections and fields.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Command, Output, Stdio};

use serde_json::Value;
use tempfile::TempDir;

use crate::common::gauge::{fixture, go, well};
use crate::common::lime::{put, record};
use crate::common::{said, scda, status};
use crate::memory::least;

/// Number of records or sections. Some 100 bytes for each of them would not fit into the memory.
const MANY: usize = 400_000;
/// Memory beside the program itself, in MiB.
const ROOM: u64 = 40;
/// Number of records or sections that a report lists.
const LISTED: usize = 100_000;

/// Runs the program with little memory. Standard input is `begin`, and then `each` many times.
fn bounded(folder: &TempDir, least: u64, arguments: &[&str], begin: &[u8], each: &[u8]) -> Output {
    let mut program = Command::new("prlimit");
    program.arg(format!("--as={}", (least + ROOM) << 20)).arg(assert_cmd::cargo::cargo_bin("linkstream"));
    program.args(arguments).current_dir(folder.path());
    program.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = program.spawn().expect("prlimit is part of util-linux");
    let mut input = child.stdin.take().expect("a pipe");
    std::thread::scope(|scope| {
        scope.spawn(move || {
            let block = each.repeat(1000);
            // Fails if the program does not read any further.
            let _ = input.write_all(begin);
            (0..MANY / 1000).try_for_each(|_| input.write_all(&block)).ok();
        });
        child.wait_with_output().expect("the program runs")
    })
}

/// The only object that the program printed.
fn object(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{error}: {}", said(output)))
}

fn left_out(report: &Value) -> Vec<&Value> {
    let findings = report["findings"].as_array().expect("a list").iter();
    findings.filter(|finding| finding["rule"] == "entries-left-out").collect()
}

#[test]
fn millions_of_records_and_sections_need_no_memory() {
    let folder = TempDir::new().expect("a temporary folder");
    let least = least(&folder);
    let empty = record("another", b"", true, true);
    let section =
        [scda::head('B', "none"), scda::count('E', 0), b"\n=============================\n\n".to_vec()];
    for (begin, each, list) in [(vec![], empty, "records"), (scda::header(), section.concat(), "sections")] {
        let run = |arguments: &[&str]| {
            let output = bounded(&folder, least, arguments, &begin, &each);
            assert_eq!(status(&output), 0, "{list} {arguments:?}: {}", said(&output));
            output
        };
        run(&["check", "-q", "-"]);
        let entries = MANY + usize::from(list == "sections");
        let report = object(&run(&["check", "--json", "-"]));
        assert_eq!(report[list].as_array().map(Vec::len), Some(LISTED));
        assert_eq!(report[format!("{list}_left_out")], entries - LISTED);
        let finding = left_out(&report)[0];
        let message =
            format!("{} more {list} after the first {LISTED} are checked, but not listed", entries - LISTED);
        assert_eq!((&finding["severity"], &finding["message"]), (&"warning".into(), &message.into()));
        let text = String::from_utf8(run(&["inspect", "-"]).stdout).expect("text");
        assert!(text.contains(&format!("… and {} more {list}", entries - 1000)), "{text}");
        assert!(text.lines().count() < 4000);
    }
}

#[test]
fn the_programs_of_a_file_with_too_many_records_are_not_known() {
    let folder = TempDir::new().expect("a temporary folder");
    let begin = fixture("qio/ildg/ildg_f_4x4x4x8.lime");
    let answer = |bytes: &[u8]| {
        let report = object(&go(&folder, &["check", "--json", "--for", "all", "-"], bytes));
        report["readers"].as_array().map_or(0, Vec::len)
    };
    assert!(answer(&begin) > 5);
    let many = [begin, record("another", b"", true, true).repeat(LISTED)].concat();
    assert_eq!(answer(&many), 0);
    assert_eq!(status(&go(&folder, &["check", "--for", "chroma", "-"], &many)), 1);
}

#[test]
fn json_records_prints_all_of_them() {
    let folder = TempDir::new().expect("a temporary folder");
    let least = least(&folder);
    let each = record("another", b"", true, true);
    let output = bounded(&folder, least, &["check", "--json=records", "-"], b"", &each);
    assert_eq!(status(&output), 0, "{}", said(&output));
    let lines: Vec<_> = output.stdout.split_inclusive(|byte| *byte == b'\n').collect();
    assert_eq!(lines.len(), MANY + 2);
    let last: Value = serde_json::from_slice(lines[MANY - 1]).expect("JSON");
    assert_eq!((&last["file"], &last["record"]["offset"]), (&"-".into(), &(144 * (MANY - 1)).into()));
    let [finding, report] = [1, 0].map(|n| serde_json::from_slice::<Value>(lines[MANY + n]).expect("JSON"));
    assert_eq!(report["finding"]["rule"], "entries-left-out");
    assert_eq!(finding["verdict"], "unverified");
}

#[test]
fn json_records_ends_with_its_reader_although_the_input_does_not_end() {
    let folder = TempDir::new().expect("a temporary folder");
    let mut program = Command::new(assert_cmd::cargo::cargo_bin("linkstream"));
    program.args(["check", "--json=records", "-"]).current_dir(folder.path());
    program.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = program.spawn().expect("the program was built");
    let mut input = child.stdin.take().expect("a pipe");
    let block = record("another", b"", true, true).repeat(1000);
    let endless = std::thread::spawn(move || while input.write_all(&block).is_ok() {});
    let mut line = String::new();
    let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
    output.read_line(&mut line).expect("a line");
    drop(output);
    assert!(line.contains("\"record\""), "{line}");
    assert_eq!(child.wait().expect("an end").code(), Some(0));
    endless.join().expect("the pipe was closed");
}

#[test]
fn all_kinds_of_entries_are_printed_as_the_report_lists_them() {
    let folder = TempDir::new().expect("a temporary folder");
    put(&folder, "a.lime", fixture("qio/single/int_2x3x4x5.lime"));
    put(
        &folder,
        "b.scda",
        [scda::header(), scda::head('I', "x"), b"x".repeat(30), b"\n\n".to_vec()].concat(),
    );
    put(&folder, "c.lime", record("x", b"", true, false));
    let of = |json: &str| {
        let output = go(&folder, &["check", json, "a.lime", "b.scda", "c.lime"], b"");
        let text = String::from_utf8(output.stdout).expect("text");
        text.lines().map(|line| serde_json::from_str::<Value>(line).expect("JSON")).collect::<Vec<_>>()
    };
    let (reports, lines) = (of("--json"), of("--json=records"));
    let mut lines = lines.into_iter();
    for report in reports {
        let until = lines.by_ref().take_while(|line| line["ok"].is_null()).collect::<Vec<_>>();
        for (kind, list) in
            [("record", "records"), ("field", "fields"), ("section", "sections"), ("finding", "findings")]
        {
            let printed: Vec<_> = until.iter().filter(|line| !line[kind].is_null()).collect();
            let expected = report[list].as_array().cloned().unwrap_or_default();
            assert_eq!(printed.iter().map(|line| line[kind].clone()).collect::<Vec<_>>(), expected, "{list}");
            assert!(printed.iter().all(|line| line["file"] == report["file"] && line["schema"] == 3));
        }
    }
}

/// The report on a SciDAC file with so many fields, and the exit status. The last field may be damaged.
fn of_fields(folder: &TempDir, count: usize, is_damaged: bool) -> (Value, i32) {
    let one = fixture("qio/single/int_2x3x4x5.lime");
    let second =
        crate::common::gauge::records(&one).iter().find(|found| found.message == 2).map(|found| found.offset);
    let (head, message) = one.split_at(second.expect("a second message"));
    let mut file = [head, &message.repeat(count)].concat();
    if is_damaged {
        let data = crate::common::gauge::records(&one)
            .into_iter()
            .find(|found| found.record_type == "scidac-binary-data");
        let at = file.len() - one.len() + data.expect("data").offset + 144;
        file[at] ^= 1;
    }
    put(folder, "fields.lime", file);
    let output = go(folder, &["check", "--json", "fields.lime"], b"");
    (object(&output), status(&output))
}

#[test]
fn fields_that_are_not_listed_count_for_the_verdict() {
    let folder = TempDir::new().expect("a temporary folder");
    let (intact, code) = of_fields(&folder, 10_003, false);
    assert_eq!((code, &intact["verdict"], &intact["fields_left_out"]), (0, &"ok".into(), &3.into()));
    assert_eq!(intact["fields"].as_array().map(Vec::len), Some(10_000));
    assert_eq!(
        left_out(&intact)[0]["message"],
        "3 more fields after the first 10000 are checked, but not listed"
    );
    let text = String::from_utf8(go(&folder, &["check", "fields.lime"], b"").stdout).expect("text");
    assert!(text.contains("verdict: ok, 10003 of 10003 fields verified by checksum"), "{text}");
    assert!(text.contains("… and 9003 more fields"), "{text}");
    for count in [10_001, 10_003] {
        let (damaged, code) = of_fields(&folder, count, true);
        assert_eq!((code, &damaged["verdict"]), (1, &"wrong".into()), "{count}");
    }
    // The commands that use the data know which of them are verified.
    of_fields(&folder, 10_001, false);
    well(&folder, &["export", "--field", "10000", "fields.lime", "out.npy"], b"");
    of_fields(&folder, 10_001, true);
    assert_eq!(status(&go(&folder, &["export", "--field", "10000", "fields.lime", "other.npy"], b"")), 1);
}

#[test]
fn diff_compares_in_windows() {
    let folder = TempDir::new().expect("a temporary folder");
    let least = least(&folder);
    let many = record("another", b"", true, true).repeat(MANY / 2);
    put(&folder, "a", &many);
    let output = bounded(&folder, least, &["diff", "a", "a"], b"", b"");
    assert_eq!(status(&output), 0, "{}", said(&output));
    // A text that differs, a record that only one file has, and all that follows is still compared.
    let text = |text: &[u8]| record("notes", text, true, true);
    put(&folder, "a", [&many[..], &text(b"one"), &many, &text(b"three")].concat());
    put(
        &folder,
        "b",
        [&many[..], &text(b"two"), &many, &record("new", b"", true, true), &text(b"four")].concat(),
    );
    let output = bounded(&folder, least, &["diff", "--json", "a", "b"], b"", b"");
    assert_eq!(status(&output), 1, "{}", said(&output));
    let found = object(&output);
    let changes: Vec<_> =
        found["documents"].as_array().expect("a list").iter().map(|one| &one["changes"][0]).collect();
    assert_eq!(
        changes.iter().map(|one| (&one["a"], &one["b"])).collect::<Vec<_>>(),
        [(&"one".into(), &"two".into()), (&"three".into(), &"four".into())]
    );
    let only: Vec<_> =
        found["structure"].as_array().expect("a list").iter().map(|one| &one["path"]).collect();
    assert_eq!(only, ["record new"]);
    assert_eq!(found["documents_compared"], MANY + 2);
}

#[test]
fn diff_lists_a_bounded_number_of_differences() {
    let folder = TempDir::new().expect("a temporary folder");
    let notes = |text: &[u8]| record("notes", text, true, true).repeat(10_010);
    put(&folder, "a", notes(b"one"));
    put(&folder, "b", notes(b"two"));
    let output = go(&folder, &["diff", "--json", "a", "b"], b"");
    let found = object(&output);
    assert_eq!(
        (status(&output), &found["same"], &found["documents_left_out"]),
        (1, &false.into(), &10.into())
    );
    assert_eq!(found["documents"].as_array().map(Vec::len), Some(10_000));
    let text = String::from_utf8(go(&folder, &["diff", "a", "b"], b"").stdout).expect("text");
    assert!(text.contains("  … and 9,010 more\n"), "{text}");
}

#[test]
fn files_with_more_records_than_are_opened_are_refused() {
    let folder = TempDir::new().expect("a temporary folder");
    put(&folder, "many", record("another", b"", true, true).repeat(1_000_001));
    let output = go(&folder, &["export", "many", "out"], b"");
    assert_eq!((status(&output), folder.path().join("out").exists()), (1, false));
    assert!(said(&output).contains("no field") || said(&output).contains("1000000"), "{}", said(&output));
}
