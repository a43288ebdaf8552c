//! `inebin to-csv` and `inebin from-csv`.

use std::path::Path;

use crate::common::{files, linkstream, matrix, reals, run, said, status};
use host_tests::fixtures::Fixtures;

/// The matrix made from a text.
fn from(letter: &str, text: impl Into<Vec<u8>>, options: &[&str]) -> Vec<u8> {
    let output = run(&[&["inebin", "from-csv", "--type", letter, "-", "-"], options].concat(), text);
    assert_eq!(status(&output), 0, "{}", said(&output));
    output.stdout
}

/// The text made from a matrix.
fn to(matrix: &[u8], options: &[&str]) -> String {
    let output = run(&[&["inebin", "to-csv", "-"], options].concat(), matrix);
    assert_eq!(status(&output), 0, "{}", said(&output));
    String::from_utf8(output.stdout).expect("text")
}

/// The error message for a text, which must be refused with exit status 1.
fn against(letter: &str, text: impl Into<Vec<u8>>, options: &[&str]) -> String {
    let output = run(&[&["inebin", "from-csv", "--type", letter, "-", "-"], options].concat(), text);
    assert_eq!((status(&output), &output.stdout[..]), (1, &b""[..]), "{}", said(&output));
    said(&output)
}

#[test]
fn every_fixture_comes_back_byte_for_byte() {
    for (about, bytes) in files(Fixtures::Ours, "inebin") {
        let letter = about["type"].as_str().expect("text");
        let text = to(&bytes, &[]);
        let back = from(letter, text.clone(), &[]);
        if bytes.len() == 16 {
            // A matrix without entries gives an empty text. That text gives a matrix without rows.
            assert_eq!((text, back), (String::new(), matrix(letter.as_bytes()[0], 0, 0, &[])));
            continue;
        }
        assert!(back == bytes, "{}", about["path"]);
        let pairs = to(&bytes, &["--pairs", "--separator", "tab"]);
        assert!(from(letter, pairs, &["--pairs"]) == bytes, "{}, pairs", about["path"]);
    }
}

#[test]
fn types_are_letters_or_words() {
    for (letter, word) in [("B", "boolean"), ("Z", "Integer"), ("R", "real"), ("c", "COMPLEX")] {
        assert_eq!(from(letter, "1,0\n", &[]), from(word, "1,0\n", &[]), "{word}");
    }
    assert!(against("integer", "1,2.5\n", &[]).contains("line 1, field 2: \"2.5\" is not an integer value"));
}

#[test]
fn every_separator_by_name_and_by_itself() {
    let bytes = matrix(
        b'C',
        2,
        2,
        &[1.5, -2.0, 0.0, -0.0, 1e-300, f64::INFINITY, 7.0, f64::NAN].map(f64::to_le_bytes).concat(),
    );
    for (name, itself) in [
        ("tab", "\t"),
        ("space", " "),
        ("blank", " "),
        ("comma", ","),
        ("semicolon", ";"),
        ("bar", "|"),
        ("colon", ":"),
    ] {
        let text = to(&bytes, &["--separator", name]);
        assert_eq!(text, format!("1.5-2i{itself}0-0i\n1e-300+infi{itself}7+NaNi\n"));
        assert_eq!(to(&bytes, &["--separator", itself]), text);
        assert!(from("C", text.clone(), &[]) == bytes, "{name}");
        assert!(from("c", text, &["--separator", name]) == bytes, "{name}");
    }
    linkstream().args(["inebin", "to-csv", "--separator", "x", "-"]).assert().code(2);
}

#[test]
fn lines_as_people_write_them() {
    let whole = reals(2, 3, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    for text in [
        "1,2,3\n4,5,6",
        "\u{feff}1,2,3\r\n4,5,6\r\n",
        "\n  \n1, 2,\t3\n\n 4 ,5 , 6 \n\n",
        "  1  2   3\n 4 5      6  \n",
        "1.0|2e0|+3\n.4e1|5.|0.06e2",
        " 1\t2\t 3\n4\t5\t6\n",
    ] {
        assert!(from("R", text, &[]) == whole, "{text:?}");
    }
    assert_eq!(from("B", "0 1 true\nFalse TRUE 0\n", &[]), matrix(b'B', 2, 3, &[0b01_0110]));
    assert_eq!(from("R", "1\n2\n", &[]), reals(2, 1, &[1.0, 2.0]));
    assert_eq!(from("R", "", &[]), reals(0, 0, &[]));
    // If there are two possible separators, one must be given as an option.
    assert!(against("R", "1:2,3:4\n", &[]).contains("colon"));
    assert!(against("R", "1,2 3\n", &["--separator", "comma"]).contains("\"2 3\""));
}

#[test]
fn nans_keep_their_bits() {
    let bits = [0x7ff8_0000_0000_0000, 0xfff8_0000_0000_0000, 0x7ff8_0000_0000_0001, 0xfff0_0000_dead_beef];
    let bytes = reals(1, 4, &bits.map(f64::from_bits));
    let text = to(&bytes, &[]);
    assert_eq!(text, "NaN,-NaN,NaN(0x7ff8000000000001),NaN(0xfff00000deadbeef)\n");
    assert_eq!(from("R", text, &[]), bytes);
}

#[test]
fn rows_of_different_length() {
    let said = against("Z", "1,2\n\n3\n", &[]);
    assert!(said.contains("line 3 has 1 field, but line 1 has 2"), "{said}");
    assert!(against("Z", "1,2\n3,4,5\n", &[]).contains("line 2 has 3 fields"));
    assert!(against("C", "1\t2\t3\n", &["--pairs"]).contains("line 1 has 3 fields"));
    assert!(against("Z", "1,2\n3,4,,\n", &[]).contains("line 2 has 3 fields"));
    // One separator at the end begins no field. An empty line between rows is skipped with a warning.
    let made = run(&["inebin", "from-csv", "--type", "Z", "-", "-"], "1,2,\n\n3,4\n\n");
    assert_eq!((status(&made), &made.stdout[8..16]), (0, &[2, 0, 0, 0, 2, 0, 0, 0][..]));
    assert!(String::from_utf8_lossy(&made.stderr).contains("line 2 is empty"));
}

#[test]
fn a_matrix_is_no_text() {
    let matrix = run(&["inebin", "from-csv", "--type", "Z", "-", "-"], "1\n").stdout;
    let again = run(&["inebin", "from-csv", "--type", "Z", "-", "-"], matrix);
    assert_eq!(status(&again), 2);
    assert!(String::from_utf8_lossy(&again.stderr).contains("is an INEBIN file"));
}

#[test]
fn fields_that_are_no_values() {
    let said = against("Z", "1,2\n3,\x1b[31m4\n", &[]);
    assert!(said.contains("line 2, field 2") && said.contains("\\u{1b}[31m4"), "{said}");
    for (letter, text) in [
        ("Z", "9223372036854775808"),
        ("Z", "1.0"),
        ("R", "1,,2"),
        ("R", "1e999"),
        ("R", "x"),
        ("B", "2"),
        ("C", "1+2"),
        ("R", "1,5;2"),
    ] {
        assert!(!against(letter, text, &[]).is_empty(), "{letter} {text}");
    }
    let long = against("R", vec![b'x'; 100_000], &[]);
    assert!(long.len() < 200, "{}", long.len());
    assert!(against("R", b"1,\xff\xfe\n", &[]).contains("field 2"));
}

#[test]
fn files_are_whole_or_not_there_and_never_replaced_unasked() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let run = |arguments: &[&str]| {
        let arguments = ["inebin"].iter().chain(arguments);
        linkstream().current_dir(folder.path()).args(arguments).output().expect("the program runs")
    };
    let read = |name: &str| std::fs::read(folder.path().join(name)).expect("a file");
    std::fs::write(folder.path().join("in.csv"), "1,2\n3,4\n").expect("the temporary folder is writable");
    std::fs::write(folder.path().join("ragged.csv"), "1,2\n3\n").expect("the temporary folder is writable");
    let whole = reals(2, 2, &[1.0, 2.0, 3.0, 4.0]);

    assert_eq!(status(&run(&["from-csv", "--type", "R", "ragged.csv", "out.bin"])), 1);
    assert_eq!(status(&run(&["from-csv", "--type", "R", "missing.csv", "out.bin"])), 2);
    assert!(!folder.path().join("out.bin").exists());
    assert_eq!(status(&run(&["from-csv", "--type", "R", "in.csv", "out.bin"])), 0);
    assert_eq!(read("out.bin"), whole);

    // An existing output is kept without `--force`, and even if the command fails with it.
    let again = run(&["from-csv", "--type", "Z", "in.csv", "out.bin"]);
    assert_eq!(status(&again), 2);
    assert!(said(&again).contains("--force"), "{}", said(&again));
    assert_eq!(status(&run(&["from-csv", "--type", "Z", "ragged.csv", "out.bin", "--force"])), 1);
    assert_eq!(read("out.bin"), whole);
    assert_eq!(status(&run(&["to-csv", "out.bin", "in.csv"])), 2);
    assert_eq!(read("in.csv"), b"1,2\n3,4\n");
    assert_eq!(status(&run(&["to-csv", "out.bin", "in.csv", "--separator", ";", "--force"])), 0);
    assert_eq!(read("in.csv"), b"1;2\n3;4\n");
    assert_eq!(status(&run(&["from-csv", "--type", "Z", "in.csv", "out.bin", "--force"])), 0);
    assert_eq!(read("out.bin")[7], b'Z');

    // A directory is not a file, and a file cannot be created in a directory that does not exist.
    assert_eq!(status(&run(&["from-csv", "--type", "R", "in.csv", ".", "--force"])), 2);
    assert_eq!(status(&run(&["from-csv", "--type", "R", "in.csv", "none/out.bin"])), 2);
    assert_eq!(status(&run(&["from-csv", "--type", "X", "in.csv", "new.bin"])), 2);
    // No temporary file remains.
    let mut left: Vec<_> =
        folder.path().read_dir().expect("a readable folder").flatten().map(|file| file.file_name()).collect();
    left.sort();
    assert_eq!(left, ["in.csv", "out.bin", "ragged.csv"]);
}

#[test]
fn of_a_matrix_cut_short_comes_what_is_there() {
    let whole = reals(2, 2, &[1.0, 2.0, 3.0, 4.0]);
    let refused = run(&["inebin", "to-csv", "-"], &whole[..whole.len() - 1]);
    assert_eq!((status(&refused), &refused.stdout[..]), (1, &b""[..]));
    let output = run(&["inebin", "to-csv", "-", "--damaged"], &whole[..whole.len() - 1]);
    assert_eq!(status(&output), 1);
    assert!(said(&output).contains("at byte 47"), "{}", said(&output));
    assert!(output.stdout.starts_with(b"1,2\n3"));
    // An output file is written completely or not at all.
    let folder = tempfile::tempdir().expect("a temporary folder");
    let out = folder.path().join("out.csv");
    let output = run(&["inebin", "to-csv", "-", &out.display().to_string()], &whole[..30]);
    assert_eq!((status(&output), out.exists()), (1, false));
    for no_matrix in [&b""[..], b"INEBIN", b"INEBIN\0X\0\0\0\0\0\0\0\0", b"1,2\n3,4\n and more"] {
        assert_eq!(status(&run(&["inebin", "to-csv", "-"], no_matrix)), 1);
    }
}

#[test]
fn surplus_bytes_are_read_over_on_demand() {
    let long = [reals(1, 1, &[1.5]), b"and more".to_vec()].concat();
    assert_eq!(status(&run(&["inebin", "to-csv", "-"], long.clone())), 1);
    let output = run(&["inebin", "to-csv", "-", "--damaged"], long);
    assert_eq!((status(&output), &output.stdout[..]), (0, &b"1.5\n"[..]));
    assert!(said(&output).contains("warning"), "{}", said(&output));
}

#[test]
fn a_reader_that_goes_away_is_a_failure() {
    use std::process::{Command, Stdio};
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = folder.path().join("large.bin");
    std::fs::write(&file, reals(1000, 1000, &vec![0.1; 1_000_000]))
        .expect("the temporary folder is writable");
    let mut child = Command::new(assert_cmd::cargo::cargo_bin("linkstream"))
        .args([Path::new("inebin"), Path::new("to-csv"), &file])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program runs");
    drop(child.stdout.take());
    assert_eq!(child.wait().expect("the program ends").code(), Some(2));
}

#[test]
fn garbage_does_no_harm() {
    const LETTERS: &[u8] = b"0123456789+-.eEiINanf()x,;|: \t\n\r\xff\0";
    let mut state = 7_u64;
    for _ in 0..60 {
        let mut text = Vec::new();
        for _ in 0..40 {
            state = state.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(99);
            text.push(LETTERS[(state >> 33) as usize % LETTERS.len()]);
        }
        for letter in ["B", "Z", "R", "C"] {
            let output = run(&["inebin", "from-csv", "--type", letter, "-", "-"], text.clone());
            assert!(status(&output) < 2, "{}", said(&output));
        }
    }
}

#[test]
fn any_separator_as_aion_reads() {
    let mixed =
        run(&["inebin", "from-csv", "--type", "Z", "--separator", "any", "-", "-"], "1, 2;3\n4\t5|6\n");
    assert_eq!(status(&mixed), 0);
    assert_eq!(mixed.stdout[8..16], [2, 0, 0, 0, 3, 0, 0, 0]);
    let text = run(&["inebin", "to-csv", "-"], mixed.stdout);
    assert_eq!(text.stdout, b"1,2,3\n4,5,6\n");
    let writing = run(&["inebin", "to-csv", "--separator", "any", "-"], "");
    assert_eq!(status(&writing), 2);
}

/// An error of the output is not reported as one of the input.
#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_reported() {
    for arguments in [["inebin", "from-csv", "--type", "Z", "-", "-"].as_slice(), &["inebin", "to-csv", "-"]]
    {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").expect("Linux has this device");
        let matrix = b"INEBIN\0Z\x01\0\0\0\x01\0\0\0\x07\0\0\0\0\0\0\0";
        let input: &[u8] = if arguments.len() > 3 { b"7\n" } else { matrix };
        let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin("linkstream"))
            .args(arguments)
            .stdin(std::process::Stdio::piped())
            .stdout(full)
            .stderr(std::process::Stdio::piped())
            .spawn()
            .expect("the program runs");
        std::io::Write::write_all(&mut child.stdin.take().expect("a pipe"), input)
            .expect("the program reads its input");
        let output = child.wait_with_output().expect("the program ends");
        assert_eq!(output.status.code(), Some(2));
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("standard output"), "{said}");
    }
}
