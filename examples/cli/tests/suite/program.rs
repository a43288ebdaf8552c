//! The program as used by people and scripts.

use std::path::{Path, PathBuf};

use assert_cmd::Command;
use serde_json::Value;

fn linkstream() -> Command {
    Command::cargo_bin("linkstream").expect("the program was built")
}

fn sample() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../su3-4x4x4x8.lime")
}

/// Runs the program with `--json` on files. Returns the objects and the exit status.
fn json(arguments: &[&str], input: Vec<u8>) -> (Vec<Value>, i32) {
    let output = linkstream().args(arguments).write_stdin(input).output().expect("the program runs");
    let text = String::from_utf8(output.stdout).expect("JSON is UTF-8");
    let lines = text.lines().map(|line| serde_json::from_str(line).expect("each line is an object"));
    (lines.collect(), output.status.code().expect("no signal"))
}

fn check(bytes: Vec<u8>, options: &[&str]) -> (Value, i32) {
    let (mut objects, status) = json(&[&["check", "--json", "-"], options].concat(), bytes);
    (objects.remove(0), status)
}

fn find<'r>(report: &'r Value, rule: &str) -> Option<&'r Value> {
    report["findings"].as_array()?.iter().find(|finding| finding["rule"] == rule)
}

fn sample_bytes() -> Vec<u8> {
    std::fs::read(sample()).expect("the sample is part of the repository")
}

#[test]
fn the_sample_is_made_again_byte_for_byte() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("again.lime");
    linkstream().arg("sample").arg(&out).assert().success();
    assert_eq!(std::fs::read(&out).expect("just written"), sample_bytes());
    // An existing file is replaced only with `--force`.
    std::fs::write(&out, b"precious").expect("the temporary folder is writable");
    linkstream().arg("sample").arg(&out).assert().code(2);
    assert_eq!(std::fs::read(&out).expect("still there"), b"precious");
    linkstream().args(["sample", "--force"]).arg(&out).assert().success();
    assert_eq!(std::fs::read(&out).expect("just written"), sample_bytes());
    // `-` means standard output and is not the name of a file.
    let piped =
        linkstream().current_dir(folder.path()).args(["sample", "-"]).output().expect("the program runs");
    assert!(piped.status.success() && piped.stdout == sample_bytes());
    assert!(!folder.path().join("-").exists());
}

#[test]
fn the_sample_is_a_thermal_configuration() {
    let (report, status) = check(sample_bytes(), &[]);
    assert_eq!((status, &report["ok"]), (0, &Value::Bool(true)));
    let field = &report["fields"][0];
    assert_eq!(field["checksum"], "match");
    assert_eq!(field["checksums"][0]["name"], "suma");
    assert_eq!(field["checksums"][0]["computed"], field["checksums"][0]["stored"]);
    assert_eq!(field["extents"], serde_json::json!([4, 4, 4, 8]));
    // In the limit of large lattices, the plaquette at beta 6.0 is 0.594.
    let plaquette = field["plaquette"].as_f64().expect("a number");
    assert!((plaquette - 0.594).abs() < 0.02, "{plaquette}");
    let deviation = field["max_unitarity_deviation"].as_f64().expect("a number");
    assert!(deviation > 0.0 && deviation < 1e-6, "{deviation}");
}

#[test]
fn a_file_and_a_pipe_give_the_same_report() {
    let path = sample().display().to_string();
    let (mut of_file, _) = json(&["check", "--json", &path], vec![]);
    let (mut of_pipe, _) = check(sample_bytes(), &[]);
    for report in [&mut of_file[0], &mut of_pipe] {
        report["file"] = Value::Null;
    }
    assert_eq!(of_file[0], of_pipe);
}

#[test]
fn inspect_lists_the_same_records_without_the_data() {
    let path = sample().display().to_string();
    let (inspected, status) = json(&["inspect", "--json", &path], vec![]);
    assert_eq!(status, 0);
    let (checked, _) = check(sample_bytes(), &[]);
    assert_eq!(inspected[0]["records"], checked["records"]);
    assert_eq!(inspected[0]["fields"][0]["extents"], checked["fields"][0]["extents"]);
    assert_eq!(inspected[0]["fields"][0]["checksums"][0]["computed"], Value::Null);
    let text = linkstream().args(["inspect", &path]).output().expect("the program runs").stdout;
    let text = String::from_utf8(text).expect("text");
    assert!(text.contains("<dims>4 4 4 8 </dims>"), "{text}");
}

#[test]
fn a_changed_bit_is_found_and_the_rest_is_read() {
    let mut bytes = sample_bytes();
    bytes[100_000] ^= 4;
    let (report, status) = check(bytes, &["--lenient"]);
    assert_eq!(status, 1);
    assert_eq!(report["fields"][0]["checksum"], "mismatch");
    let mismatch = find(&report, "checksum-mismatch").expect("a finding about the checksum");
    assert_eq!((&mismatch["class"], &mismatch["severity"]), (&"checksum".into(), &"error".into()));
    assert_eq!(report["records"].as_array().map(Vec::len), Some(8));
}

#[test]
fn a_file_cut_short_yields_all_before_the_cut() {
    let bytes = sample_bytes();
    let (report, status) = check(bytes[..5000].to_vec(), &[]);
    assert_eq!(status, 1);
    assert_eq!(report["records"].as_array().map(Vec::len), Some(7));
    assert_eq!(report["fields"][0]["sites"], 512);
    assert_eq!(report["fields"][0]["checksums"][0]["computed"], Value::Null);
    assert_eq!(report["fields"][0].get("checksum"), Some(&Value::Null));
    let finding = report["findings"].as_array().and_then(|all| all.last()).expect("a finding");
    assert_eq!(finding["class"], "truncated");
    assert_eq!(finding["offset"], 5000);
    assert_eq!(report["bytes"], 5000);
}

#[test]
fn inspect_sees_that_data_it_passes_over_are_not_there() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let cut = folder.path().join("cut.lime");
    std::fs::write(&cut, &sample_bytes()[..100_000]).expect("the temporary folder is writable");
    let (reports, status) = json(&["inspect", "--json", &cut.display().to_string()], vec![]);
    assert_eq!(status, 1);
    assert_eq!(reports[0]["findings"][0]["class"], "truncated");
    assert_eq!(reports[0]["findings"][0]["offset"], 100_000);
}

#[test]
fn broken_rules_are_errors_or_warnings_as_asked() {
    let mut bytes = sample_bytes();
    // Sets the first reserved bit of the first header.
    bytes[6] |= 0x20;
    let (strict, status) = check(bytes.clone(), &[]);
    assert_eq!((status, &strict["findings"][0]["severity"]), (1, &"error".into()));
    assert_eq!(strict["findings"][0]["class"], "flags");
    let (lenient, status) = check(bytes, &["--lenient"]);
    assert_eq!((status, &lenient["findings"][0]["severity"]), (0, &"warning".into()));
    assert_eq!(lenient["fields"][0]["checksum"], "match");
}

#[test]
fn what_is_no_lime_file_is_said_to_be_none() {
    let (report, status) = check(b"\x04\x22\x4d\x18 something else".to_vec(), &[]);
    assert_eq!((status, &report["format"]), (1, &"unknown".into()));
    let finding = &report["findings"][0];
    assert_eq!((&finding["class"], &finding["rule"]), (&"unsupported".into(), &"format-not-read".into()));
    assert_eq!(finding["message"], "this is lz4: `lz4cat FILE | linkstream check -` reads what is in it");
    let (report, status) = check(b"\x1f\x8c something else".to_vec(), &[]);
    assert_eq!((status, &report["format"]), (1, &"unknown".into()));
    assert_eq!(report["findings"][0]["class"], "magic");
}

#[test]
fn links_that_are_no_numbers_are_found() {
    let mut bytes = sample_bytes();
    // The data begin at byte 2088.
    bytes[2488..2492].copy_from_slice(&f32::NAN.to_be_bytes());
    let (report, status) = check(bytes, &[]);
    assert_eq!(status, 1);
    assert_eq!(report["fields"][0]["plaquette"], Value::Null);
    assert!(find(&report, "links-not-finite").is_some(), "{report}");
}

#[test]
fn what_cannot_be_read_is_status_two_and_the_rest_is_done() {
    let path = sample().display().to_string();
    let (reports, status) = json(&["check", "--json", "no-such-file", &path], vec![]);
    let verdicts: Vec<_> = reports.iter().map(|report| &report["verdict"]).collect();
    assert_eq!((verdicts, status), (vec![&"unreadable".into(), &"ok".into()], 2));
    assert!(reports[0]["error"].as_str().is_some_and(|error| !error.is_empty()), "{}", reports[0]);
    linkstream().args(["check"]).assert().code(2);
    linkstream().args(["frobnicate"]).assert().code(2);
    linkstream().args(["--help"]).assert().success();
}

#[test]
fn a_reader_that_goes_away_changes_nothing_about_the_status() {
    use std::io::Write as _;
    use std::process::{Command, Stdio};
    for (input, status) in [(sample_bytes(), 0), (b"no LIME file".to_vec(), 1)] {
        let program = assert_cmd::cargo::cargo_bin("linkstream");
        let mut child = Command::new(program)
            .args(["check", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program runs");
        drop(child.stdout.take());
        let mut stdin = child.stdin.take().expect("a pipe");
        stdin.write_all(&input).expect("the program reads");
        drop(stdin);
        assert_eq!(child.wait().expect("the program ends").code(), Some(status));
    }
}

#[test]
fn names_of_files_stay_on_their_line() {
    let name = "no\x1b[31mred\nverdict: ok";
    let missing = linkstream().args(["check", name]).output().expect("the program runs");
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::fs::write(folder.path().join(name), b"x").expect("the system allows this name");
    let wrong =
        linkstream().current_dir(folder.path()).args(["check", name]).output().expect("the program runs");
    for (output, status) in [(missing, 2), (wrong, 1)] {
        assert_eq!(output.status.code(), Some(status));
        let text = String::from_utf8([output.stdout, output.stderr].concat()).expect("text");
        assert!(!text.contains('\x1b') && !text.contains("\nverdict: ok"), "{text}");
    }
}

#[test]
fn what_a_file_says_cannot_command_the_terminal() {
    let mut bytes = sample_bytes();
    bytes[16..23].copy_from_slice(b"\x1b[31m\x07\n");
    for command in ["check", "inspect"] {
        let output =
            linkstream().args([command, "-"]).write_stdin(bytes.clone()).output().expect("the program runs");
        assert!(!output.stdout.contains(&0x1b) && !output.stdout.contains(&7));
        let text = String::from_utf8(output.stdout).expect("text");
        assert!(text.contains("\\u{1b}[31m"), "{text}");
    }
}

#[test]
fn a_flood_of_findings_is_counted_not_kept() {
    // Every record breaks the rule on reserved bits.
    let mut header = sample_bytes()[..144].to_vec();
    header[6] = 0xe0;
    header[8..16].fill(0);
    header[16..144].fill(0);
    let (report, status) = check(header.repeat(3000), &[]);
    assert_eq!(status, 1);
    let findings = report["findings"].as_array().expect("a list");
    assert_eq!(findings.len(), 1001);
    assert_eq!(findings[1000]["severity"], "error");
    assert!(
        findings[1000]["message"].as_str().is_some_and(|m| m.starts_with("2000 more")),
        "{}",
        findings[1000]
    );
}

#[test]
fn text_and_json_have_the_same_words_for_data() {
    for name in
        ["single/dim1_1.lime", "single/hyper_2x3x4x5.lime", "single/global.lime", "ildg/ildg_f_4x4x4x8.lime"]
    {
        let file = host_tests::fixtures::Fixtures::Ours.read(&format!("qio/{name}"));
        let (report, _) = check(file.clone(), &[]);
        let output =
            linkstream().args(["inspect", "-"]).write_stdin(file).output().expect("the program runs");
        let text = String::from_utf8(output.stdout).expect("text");
        for field in report["fields"].as_array().expect("a list") {
            let region = field["region"].as_str().expect("a word").replace("lattice", "field");
            let words = format!("\n  {region} at {}: ", field["offset"]);
            assert!(text.contains(&words), "{name}: {words} in {text}");
        }
        let one = report["fields"].as_array().is_some_and(|fields| {
            fields.iter().any(|field| field["sites"] == 1 && field["region"] != "global")
        });
        assert_eq!(text.contains(", 1 site of "), one, "{text}");
        assert!(!text.contains(" 1 sites"), "{text}");
    }
}
