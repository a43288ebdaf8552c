//! `lime pack` and `lime sample`: the utilities of LIME 1.2, section 4, that make LIME files.

use std::path::Path;

use crate::common::lime::{in_folder, put, read, record, standing};
use crate::common::{findings, said, status};
use host_tests::fixtures::Fixtures;

#[test]
fn the_list_of_the_document_gives_the_file_of_the_reference() {
    let expected = Fixtures::Ours.read("lime/packed.lime");
    let folder = tempfile::tempdir().expect("a temporary folder");
    put(&folder, "f.lime", &expected);
    for (file, message, index) in [("file1", "1", "1"), ("file2", "1", "2"), ("file3", "2", "1")] {
        assert_eq!(status(&in_folder(&folder, &["extract", "f.lime", message, index, file], b"")), 0);
    }
    put(&folder, "list", "file1 type1\nfile2 type2\n\nfile3 type3\n");
    let output = in_folder(&folder, &["pack", "list", "out"], b"");
    assert_eq!((status(&output), said(&output)), (0, String::new()));
    assert_eq!(read(&folder, "out"), expected);
}

#[test]
fn messages_break_at_blank_lines_and_files_may_be_empty() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    put(&folder, "empty", b"");
    put(&folder, "data", b"from a file");
    let expected = [
        record("first-zero", b"", true, false),
        record("middle", b"from a file", false, false),
        record("zero-again", b"", false, true),
        record("lonely-zero", b"", true, true),
        record("piped", b"from a pipe", true, true),
    ];
    let expected = expected.concat();
    // Paths of nearly the maximum length of the system.
    let long = "./".repeat(1500);
    let lines = |piped: &str| {
        format!(
            "\n\n empty first-zero\n{long}data\tmiddle  \r\nempty zero-again\n\n \t\n\nempty lonely-zero\n\n{piped} piped\n\n"
        )
    };
    put(&folder, "list", lines("-"));
    assert_eq!(in_folder(&folder, &["pack", "list", "-"], b"from a pipe").stdout, expected);
    put(&folder, "pipe", b"from a pipe");
    assert_eq!(status(&in_folder(&folder, &["pack", "-", "out"], lines("pipe").as_bytes())), 0);
    assert_eq!(read(&folder, "out"), expected);
    let twice = in_folder(&folder, &["pack", "-", "-"], lines("-").as_bytes());
    assert!(status(&twice) == 2 && said(&twice).contains("only be read once"), "{}", said(&twice));
    // A list without records, and one whose last line has no line feed.
    assert_eq!(in_folder(&folder, &["pack", "-", "-"], b"\n\n").stdout, b"");
    assert_eq!(
        in_folder(&folder, &["pack", "-", "-"], b"data t").stdout,
        record("t", b"from a file", true, true)
    );
}

#[test]
fn what_check_would_call_wrong_is_packed_only_on_demand() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    put(&folder, "f", crate::common::run(&["sample", "-"], b"").stdout);
    assert_eq!(status(&in_folder(&folder, &["unpack", "f"], b"")), 0);
    let pack = |options: &[&str]| {
        let output = in_folder(&folder, &[&["pack", "f.contents/list", "out"], options].concat(), b"");
        (status(&output), said(&output))
    };
    // A text of the user need not be XML.
    put(&folder, "f.contents/msg02.rec02.scidac-record-xml", b"<a>");
    assert_eq!(pack(&["--force"]), (0, String::new()));
    for (name, content, words) in [
        ("ildg-data-lfn", &b"two names"[..], "[ildg-lfn-not-single]"),
        ("ildg-data-lfn", b"", "[ildg-lfn-empty]"),
        (
            "scidac-record-xml",
            b"<usqcdInfo><version>1.0</version><plaq>0.1</plaq><linktr>0</linktr><info>x</info></usqcdInfo>",
            "[recorded-plaquette-differs]",
        ),
    ] {
        std::fs::remove_file(folder.path().join("out")).expect("it was written");
        let number = if name == "ildg-data-lfn" { "04" } else { "02" };
        let path = format!("f.contents/msg02.rec{number}.{name}");
        let old = read(&folder, &path);
        put(&folder, &path, content);
        let (status, said) = pack(&[]);
        assert!(status > 0 && said.contains(words), "{status} {said}");
        assert!(!standing(&folder, ".").contains(&"out".to_owned()));
        assert_eq!(pack(&["--damaged"]).0, 0);
        put(&folder, &path, old);
    }
}

#[test]
fn what_cannot_be_packed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    put(&folder, "data", b"x");
    let of_length = |length: usize| format!("data t\ndata {}\n", "T".repeat(length));
    let mut cases = vec![
        ("data".to_owned(), "line 1 of the list must have a path and a type"),
        ("data t\n\ndata two words\n".to_owned(), "line 3 of the list has 3 words"),
        ("data t\nmissing t\n".to_owned(), "missing: No such file"),
        (". t\n".to_owned(), ".: is a directory"),
        (of_length(128), "line 2 of the list: a type of 128 bytes"),
        (of_length(129), "line 2 of the list: a type of 129 bytes"),
        ("data a\0b\n".to_owned(), "NUL"),
        // All types are checked before the first file is opened.
        (format!("missing t\ndata {}\n", "T".repeat(200)), "line 2 of the list: a type of 200 bytes"),
    ];
    // This file has the length 0 and still contains bytes, like a file that grows while it is read.
    if Path::new("/proc/self/status").is_file() {
        cases.push(("data t\n/proc/self/status t\n".to_owned(), "became longer while it was read"));
    }
    for (list, words) in cases {
        put(&folder, "list", &list);
        let output = in_folder(&folder, &["pack", "--anywhere", "list", "out"], b"");
        assert!(status(&output) == 2 && said(&output).contains(words), "{list:?}: {}", said(&output));
        assert_eq!(standing(&folder, "."), ["data", "list"], "{list:?}");
    }
    put(&folder, "list", of_length(127));
    assert_eq!(status(&in_folder(&folder, &["pack", "list", "out"], b"")), 0);
    assert_eq!(status(&in_folder(&folder, &["pack", "no-list", "other"], b"")), 2);
}

#[test]
fn a_lime_file_that_exists_is_only_replaced_on_demand() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    put(&folder, "list", b"list t\n");
    for command in [&["pack", "list", "out"][..], &["sample", "out"]] {
        put(&folder, "out", b"precious");
        let refused = in_folder(&folder, command, b"");
        assert!(status(&refused) == 2 && said(&refused).contains("--force"), "{}", said(&refused));
        assert_eq!(read(&folder, "out"), b"precious");
        assert_eq!(status(&in_folder(&folder, &[command, &["--force"]].concat(), b"")), 0);
        assert!(read(&folder, "out").starts_with(b"\x45\x67\x89\xab"));
    }
    put(&folder, "list", b"list t\nmissing t\n");
    let before = read(&folder, "out");
    assert_eq!(status(&in_folder(&folder, &["pack", "--force", "list", "out"], b"")), 2);
    assert_eq!(read(&folder, "out"), before);
}

#[test]
fn a_folder_that_is_missing_is_named() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    put(&folder, "list", b"list t\n");
    for (out, expected) in
        [("nowhere/out", "nowhere/out: directory nowhere: "), ("list/out", "list is not a directory")]
    {
        let refused = in_folder(&folder, &["pack", "list", out], b"");
        assert_eq!(status(&refused), 2, "{out}");
        assert!(said(&refused).contains(expected) && !said(&refused).contains(".tmp"), "{}", said(&refused));
    }
    assert_eq!(standing(&folder, "."), ["list"]);
}

#[test]
fn the_sample_is_a_lime_file_and_always_the_same() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    assert_eq!(status(&in_folder(&folder, &["sample", "s.lime"], b"")), 0);
    let sample = read(&folder, "s.lime");
    let (report, status_of_check) = crate::common::report("check", &sample, &[]);
    assert_eq!((status_of_check, findings(&report)), (0, vec![]));
    let lengths: Vec<_> =
        report["records"].as_array().expect("a list").iter().map(|r| &r["length"]).collect();
    assert_eq!(lengths, [17, 50, 256, 0, 7, 24]);
    assert_eq!(in_folder(&folder, &["extract", "s.lime", "1", "1"], b"").stdout, b"LIME test message");
    let bytes: Vec<u8> = (0..=255).collect();
    assert_eq!(in_folder(&folder, &["extract", "s.lime", "2", "2"], b"").stdout, bytes);
    assert_eq!(in_folder(&folder, &["sample", "-"], b"").stdout, sample);
    // The record of the example program in LIME 1.2, as the reference implementation writes it.
    assert_eq!(sample[..168], Fixtures::Ours.read("lime/single.lime"));
    assert_eq!(standing(&folder, "."), ["s.lime"]);
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_reported() {
    if !Path::new("/dev/full").exists() {
        return;
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    put(&folder, "f.lime", record("a", b"x", true, true));
    put(&folder, "list", b"f.lime a");
    for arguments in [
        &["contents", "f.lime"][..],
        &["extract", "f.lime", "1", "1"],
        &["sample", "-"],
        &["pack", "list", "-"],
    ] {
        let full = std::fs::File::options().write(true).open("/dev/full").expect("a device");
        let mut command = std::process::Command::new(assert_cmd::cargo::cargo_bin("linkstream"));
        command.current_dir(folder.path()).arg("lime").args(arguments).stdout(full);
        let output = command.output().expect("the program runs");
        assert_eq!(status(&output), 2, "{arguments:?}");
        assert!(said(&output).contains("standard output: No space"), "{arguments:?}: {}", said(&output));
    }
}

#[test]
fn a_list_names_files_below_its_directory() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let secret = folder.path().join("secret");
    std::fs::write(&secret, "of the user").expect("a file");
    let records = folder.path().join("records");
    std::fs::create_dir_all(records.join("inner")).expect("a folder");
    std::fs::write(records.join("inner/own"), "of the list").expect("a file");
    #[cfg(unix)]
    std::os::unix::fs::symlink(&secret, records.join("link")).expect("a link");
    let absolute = secret.display().to_string();
    let mut others = vec!["secret", "records/../secret", &absolute[..]];
    if cfg!(unix) {
        others.push("records/link");
    }
    for file in others {
        put(&folder, "records/list", format!("records/inner/own a\n\n{file} b\n"));
        let output = in_folder(&folder, &["pack", "records/list", "out"], b"");
        let words = said(&output);
        assert!(
            status(&output) == 2 && words.contains("line 3 of the list") && words.contains("--anywhere"),
            "{words}"
        );
        assert!(!folder.path().join("out").exists());
        let output = in_folder(&folder, &["pack", "--anywhere", "records/list", "out", "--force"], b"");
        assert_eq!(status(&output), 0, "{}", said(&output));
        std::fs::remove_file(folder.path().join("out")).expect("the output");
    }
    // The directory of standard input is the current one.
    put(&folder, "records/list", "records/inner/own a\n");
    for list in ["records/list", "-"] {
        let output = in_folder(&folder, &["pack", list, "out", "--force"], b"secret a\n");
        assert_eq!(status(&output), 0, "{}", said(&output));
    }
    let output = in_folder(&folder, &["pack", "-", "out", "--force"], b"/etc/passwd a\n");
    assert_eq!(status(&output), 2, "{}", said(&output));
}
