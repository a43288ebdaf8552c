//! `check` and `inspect` of INEBIN files.

use std::io::Write as _;

use crate::common::{files, findings, linkstream, matrix, reals, report, run, said, status};
use host_tests::fixtures::Fixtures;
use serde_json::{Value, json};

#[test]
fn every_fixture_is_whole() {
    for (about, bytes) in files(Fixtures::Ours, "inebin") {
        let path = Fixtures::Ours.join("inebin").join(about["path"].as_str().expect("text"));
        let output = run(&["check", "--json", &path.display().to_string()], "");
        let of_file: Value = serde_json::from_slice(&output.stdout).expect("one object");
        assert_eq!((status(&output), &of_file["ok"]), (0, &json!(true)), "{of_file}");
        assert_eq!(of_file["format"], "inebin");
        for (ours, theirs) in
            [("bytes", "bytes"), ("rows", "rows"), ("columns", "cols"), ("data_bytes", "data_len")]
        {
            assert_eq!(of_file[ours].as_i64(), about[theirs].as_integer(), "{ours}: {of_file}");
        }
        assert_eq!(of_file["type"].as_str(), about["type"].as_str());
        // The report is the same for a pipe; `inspect`, which skips the data, gives it without the statistics.
        let (mut of_pipe, _) = report("check", &bytes, &[]);
        of_pipe["file"] = of_file["file"].clone();
        assert_eq!(of_pipe, of_file);
        let (inspected, _) = report("inspect", &bytes, &[]);
        assert_eq!(inspected["columns"], of_file["columns"]);
        assert_eq!(
            inspected.as_object().map(|all| all.keys().collect::<Vec<_>>()),
            of_file.as_object().map(|all| all.keys().collect::<Vec<_>>())
        );
        for figure in ["set_bits", "min", "mean", "re", "nan_count"] {
            assert_eq!(inspected[figure], Value::Null);
        }
    }
}

#[test]
fn every_broken_fixture_is_refused_for_its_reason() {
    for (about, bytes) in files(Fixtures::Ours, "broken-inebin") {
        let expect = about["expect"].as_str().expect("text");
        let (strict, status) = report("check", &bytes, &[]);
        if bytes.is_empty() {
            // Nothing in an empty file shows that it was meant to be a matrix.
            assert_eq!(
                (status, &strict["format"], findings(&strict)),
                (1, &json!("unknown"), vec![("truncated", "error")])
            );
            continue;
        }
        let [(class, "error")] = findings(&strict)[..] else { panic!("{}: {strict}", about["path"]) };
        assert!(expect.contains(class), "{}: {class} instead of {expect}", about["path"]);
        assert_eq!((status, &strict["ok"]), (1, &json!(false)));
        let known = if class == "magic" { "unknown" } else { "inebin" };
        assert_eq!(strict["format"], known);
        // Only errors that Aion does not notice are accepted in lenient mode.
        let (lenient, status) = report("check", &bytes, &["--lenient"]);
        let harmless = matches!(class, "format" | "trailing");
        assert_eq!(findings(&lenient), [(class, if harmless { "warning" } else { "error" })]);
        assert_eq!(status, i32::from(!harmless));
        // An unknown value is null, but its key is present.
        for key in ["type", "rows", "columns", "data_bytes"] {
            assert!(known == "unknown" || strict.get(key).is_some(), "{strict}");
        }
    }
}

#[test]
fn figures_of_each_type() {
    let (bits, _) = report("check", &matrix(b'B', 3, 5, &[0x99, 0x21]), &[]);
    assert_eq!(bits["set_bits"], 6);
    // Bits after the last entry are not counted.
    let (bits, _) = report("check", &matrix(b'B', 3, 5, &[0x99, 0xa1]), &["--lenient"]);
    assert_eq!((&bits["set_bits"], &bits["ok"]), (&json!(6), &json!(true)));

    let data: Vec<u8> =
        [1 << 53, -(1 << 53) - 1, i64::MAX].iter().flat_map(|n: &i64| n.to_le_bytes()).collect();
    let (integers, _) = report("check", &matrix(b'Z', 1, 3, &data), &[]);
    assert_eq!(integers["min"], "-9007199254740993");
    assert_eq!(integers["max"], "9223372036854775807");
    assert_eq!(integers["mean"], 3074457345618258602_i64 as f64);
    let (small, _) = report("check", &matrix(b'Z', 1, 2, &data[..8].repeat(2)), &[]);
    assert_eq!(small["min"], json!(9007199254740992_i64));

    let (mixed, _) = report("check", &reals(2, 2, &[f64::NAN, 1.5, -0.5, 0.5]), &[]);
    assert_eq!(mixed["mean"], 0.5);
    assert_eq!((&mixed["nan_count"], &mixed["inf_count"]), (&json!(1), &json!(0)));
    let (large, _) = report("check", &reals(2, 1, &[f64::MAX, f64::MAX]), &[]);
    assert_eq!(large["mean"], f64::MAX);
    let (infinite, _) = report("check", &reals(1, 2, &[1.0, f64::INFINITY]), &[]);
    assert_eq!(infinite["min"], 1.0);
    assert_eq!((&infinite["max"], &infinite["mean"]), (&Value::Null, &Value::Null));
    assert_eq!(infinite["inf_count"], 1);

    let data = [f64::NAN, 1.0, 3.0, 5.0].map(f64::to_le_bytes).concat();
    let (complex, _) = report("check", &matrix(b'C', 1, 2, &data), &[]);
    assert_eq!(complex["re"], json!({"min": 3.0, "max": 3.0, "mean": 3.0}));
    assert_eq!(complex["im"], json!({"min": 1.0, "max": 5.0, "mean": 3.0}));
    assert_eq!((&complex["nan_count"], &complex["inf_count"]), (&json!(1), &json!(0)));
}

#[test]
fn a_matrix_without_entries_has_no_figures() {
    for (rows, columns) in [(0, 0), (0, 5), (u32::MAX, 0)] {
        let (empty, status) = report("check", &matrix(b'R', rows, columns, &[]), &[]);
        assert_eq!((status, &empty["rows"], &empty["columns"]), (0, &json!(rows), &json!(columns)));
        assert_eq!(
            (&empty["min"], &empty["mean"], &empty["nan_count"]),
            (&Value::Null, &Value::Null, &json!(0))
        );
    }
}

#[test]
fn cut_short_at_every_byte() {
    let whole = reals(1, 2, &[1.0, 2.0]);
    for length in 1..whole.len() {
        let (cut, status) = report("check", &whole[..length], &["--lenient"]);
        assert_eq!((status, &cut["format"]), (1, &json!("inebin")), "{length}");
        assert_eq!(findings(&cut), [("truncated", "error")]);
        assert_eq!(cut["findings"][0]["offset"], length);
        assert_eq!(cut["bytes"], length);
        assert_eq!(cut["rows"], if length < 16 { Value::Null } else { json!(1) });
        // Statistics of a part would be mistaken for the whole.
        assert_eq!(cut["mean"], Value::Null);
    }
}

#[test]
fn data_passed_over_by_seeking_must_be_there() {
    let mut file = tempfile::NamedTempFile::new().expect("a file");
    file.write_all(&reals(1, 3, &[1.0, 2.0])).expect("the temporary folder is writable");
    let output = run(&["inspect", "--json", &file.path().display().to_string()], "");
    let cut: Value = serde_json::from_slice(&output.stdout).expect("one object");
    assert_eq!((status(&output), &cut["findings"][0]["class"]), (1, &json!("truncated")));
}

#[test]
fn bytes_that_come_one_at_a_time() {
    use std::process::{Command, Stdio};
    for (bytes, format) in [(reals(1, 1, &[1.0]), "inebin"), (b"INEBIX, said he".to_vec(), "unknown")] {
        let mut child = Command::new(assert_cmd::cargo::cargo_bin("linkstream"))
            .args(["check", "--json", "-"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program runs");
        let mut stdin = child.stdin.take().expect("a pipe");
        for byte in bytes {
            // The program stops reading as soon as the format is known to be none of its own.
            if stdin.write_all(&[byte]).and_then(|()| stdin.flush()).is_err() {
                assert_eq!(format, "unknown");
                break;
            }
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        drop(stdin);
        let output = child.wait_with_output().expect("the program ends");
        let report: Value = serde_json::from_slice(&output.stdout).expect("one object");
        assert_eq!(report["format"], format);
    }
}

#[test]
fn unknown_text_may_be_csv() {
    let message = |input: &[u8]| {
        let (unknown, status) = report("check", input, &[]);
        assert_eq!((status, &unknown["format"]), (1, &json!("unknown")));
        assert_eq!(findings(&unknown), [("magic", "error")]);
        unknown["findings"][0]["message"].as_str().expect("text").to_owned()
    };
    let text = message(b"1, 2\n3, 4\n");
    assert!(text.contains("it is text") && text.contains("CSV"), "{text}");
    assert!(message("Größe,1\n".as_bytes()).contains("CSV"));
    assert!(!message(b"\x1f\x8c\x08\0and so on").contains("CSV"));
    assert!(!message(b"inebin\0Z").contains("CSV"));
}

#[test]
fn people_get_words() {
    let text =
        |command: &str, input: Vec<u8>| String::from_utf8(run(&[command, "-"], input).stdout).expect("text");
    let checked = text("check", reals(2, 3, &[1.0, 2.0, 3.0, f64::NAN, 1e300, -1.5]));
    for words in [
        "INEBIN, 64 bytes",
        "real matrix of 2 rows and 3 columns",
        "-1.5",
        "1e300",
        "verdict: unverified: the format has no checksum",
    ] {
        assert!(checked.contains(words), "{words}: {checked}");
    }
    let inspected = text("inspect", matrix(b'B', 1, 1, &[1]));
    assert!(inspected.contains("boolean matrix of 1 row and 1 column"), "{inspected}");
    let cut = text("check", b"INEBIN".to_vec());
    assert!(cut.contains("inebin-header-truncated") && cut.contains("wrong: 1 error"), "{cut}");
}

#[test]
fn garbage_is_reported_and_nothing_more() {
    // Generated headers with any type, shape and reserved byte.
    let mut state = 1_u64;
    for _ in 0..60 {
        state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(99);
        let mut bytes =
            matrix(b"BZRC"[(state >> 62) as usize], (state >> 20) as u32, (state >> 7) as u32 & 3, &[]);
        bytes.extend(state.to_le_bytes().repeat((state >> 50) as usize & 15));
        bytes[7] ^= ((state >> 40) & 1) as u8;
        for command in ["check", "inspect"] {
            let output = run(&[command, "-"], bytes.clone());
            assert!(status(&output) < 2, "{}", said(&output));
        }
    }
    linkstream().args(["inebin", "to-csv", "-"]).write_stdin("INEBIN").assert().code(1);
}
