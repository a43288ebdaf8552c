//! Many files in one run: directories, lists, one line per file, and one exit status.

use std::path::Path;
use std::process::Output;

use tempfile::TempDir;

use crate::common::{linkstream, said, status};

fn sample() -> Vec<u8> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../su3-4x4x4x8.lime");
    std::fs::read(path).expect("the sample is part of the repository")
}

/// A directory with one file for each outcome, in the order of their names, and other files.
fn ensemble() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let put = |name: &str, bytes: &[u8]| {
        let path = folder.path().join("conf").join(name);
        std::fs::create_dir_all(path.parent().expect("the temporary folder is writable"))
            .expect("the temporary folder is writable");
        std::fs::write(path, bytes).expect("the temporary folder is writable");
    };
    let whole = sample();
    let mut damaged = whole.clone();
    damaged[100_000] ^= 1;
    put("a/1.lime", &whole);
    put("a/2.lime", &damaged);
    put("a/notes.txt", b"nothing to do with it");
    put("b/empty", b"");
    put("b/.hidden", b"");
    put("b/matrix.bin", &crate::common::reals(1, 1, &[1.0]));
    put("b/zeros.ildg", &[0; 64]);
    put("short", &whole[..5000]);
    folder
}

fn check(folder: &Path, arguments: &[&str], input: &str) -> Output {
    let mut program = linkstream();
    program.current_dir(folder).arg("check").args(arguments).write_stdin(input);
    program.output().expect("the program runs")
}

fn lines(output: &Output) -> Vec<String> {
    String::from_utf8(output.stdout.clone()).expect("text").lines().map(str::to_owned).collect()
}

#[cfg(unix)]
#[test]
fn names_in_a_list_can_end_in_nul() {
    let folder = ensemble();
    let odd = "conf/line\nfeed.lime";
    std::fs::write(folder.path().join(odd), sample()).expect("writable");
    let list = format!("conf/a/1.lime\0{odd}\0");
    let output = check(folder.path(), &["--quiet", "--files0-from", "-"], &list);
    let found = lines(&output);
    assert_eq!(found[..2], ["conf/a/1.lime: OK", r"$'conf/line\nfeed.lime': OK"]);
    assert_eq!((found.len(), status(&output)), (3, 0));
}

#[test]
fn a_folder_is_checked_with_all_that_is_in_it() {
    let folder = ensemble();
    let output = check(folder.path(), &["--quiet", "conf"], "");
    let lines = lines(&output);
    let begins = [
        "conf/a/1.lime: OK",
        "conf/a/2.lime: WRONG: at byte ",
        "conf/b/empty: WRONG: at byte 0: the file is empty [file-empty]",
        "conf/b/matrix.bin: UNVERIFIED",
        "conf/b/zeros.ildg: WRONG: at byte 0: not a file that linkstream reads: it begins with 00 00",
        "conf/short: WRONG: at byte 5000: ",
        "6 files: 1 OK, 1 UNVERIFIED, 4 WRONG, 0 UNREADABLE; 2 unrelated files skipped",
    ];
    assert_eq!(lines.len(), begins.len(), "{lines:?}");
    for (line, begin) in lines.iter().zip(begins) {
        assert!(line.starts_with(begin), "{line} instead of {begin}");
    }
    assert!(lines[1].ends_with("[checksum-mismatch]"), "{}", lines[1]);
    assert_eq!((status(&output), said(&output).as_str()), (1, ""));
}

#[test]
fn only_what_failed_is_listed() {
    let folder = ensemble();
    let failed = lines(&check(folder.path(), &["-q", "--only-failed", "conf"], ""));
    assert!(failed.iter().all(|line| line.contains("WRONG")) && failed.len() == 5, "{failed:?}");
    let required = lines(&check(folder.path(), &["-q", "--only-failed", "--require-checksum", "conf"], ""));
    assert!(
        required.contains(
            &"conf/b/matrix.bin: UNVERIFIED, which --require-checksum refuses: the format has no checksum"
                .to_owned()
        )
    );
    let json = check(folder.path(), &["--json", "--only-failed", "conf"], "");
    let skipped = lines(&json).iter().filter(|line| line.contains("\"skipped\"")).count();
    assert_eq!((lines(&json).len(), skipped), (6, 2));
    assert!(said(&json).contains("2 unrelated files skipped"), "{}", said(&json));
    let text = lines(&check(folder.path(), &["--only-failed", "conf"], ""));
    assert_eq!(text.iter().filter(|line| line.starts_with("verdict: ")).count(), 4, "{text:?}");
    assert!(text.last().is_some_and(|line| line.starts_with("6 files: ")), "{text:?}");
}

#[test]
fn success_is_silent_on_request() {
    let folder = ensemble();
    for arguments in [
        &["--quiet-if-ok", "conf/a/1.lime", "conf/b/matrix.bin"][..],
        &["-q", "--quiet-if-ok", "conf/a/1.lime"],
    ] {
        let good = check(folder.path(), arguments, "");
        assert_eq!((lines(&good), said(&good).as_str(), status(&good)), (vec![], "", 0), "{arguments:?}");
    }
    let json = check(folder.path(), &["--json", "--quiet-if-ok", "conf/a"], "");
    assert_eq!((lines(&json).len(), status(&json)), (1, 1), "{json:?}");
    let failed = lines(&check(folder.path(), &["-q", "--quiet-if-ok", "conf"], ""));
    assert_eq!(failed, lines(&check(folder.path(), &["-q", "--only-failed", "conf"], "")));
}

#[test]
fn inspect_takes_folders_too() {
    let folder = ensemble();
    let mut program = linkstream();
    let output = program
        .current_dir(folder.path())
        .args(["inspect", "-q", "conf"])
        .output()
        .expect("the program runs");
    let lines = lines(&output);
    // `inspect` does not notice wrong bits, since it does not read the data.
    assert!(lines[1] == "conf/a/2.lime: LISTED" && lines[2].starts_with("conf/b/empty: WRONG"), "{lines:?}");
    assert_eq!(status(&output), 1);
}

#[test]
fn files_are_taken_from_a_list() {
    let folder = ensemble();
    let list = "conf/a/1.lime\n\nconf/b\r\n";
    std::fs::write(folder.path().join("list"), list).expect("the temporary folder is writable");
    let of_file = check(folder.path(), &["-q", "--files-from", "list"], "");
    let of_pipe = check(folder.path(), &["-q", "--files-from", "-"], list);
    assert_eq!(lines(&of_file), lines(&of_pipe));
    assert!(lines(&of_file)[0] == "conf/a/1.lime: OK" && lines(&of_file).len() == 5, "{:?}", lines(&of_file));
    // The names on the command line come first.
    let both = lines(&check(folder.path(), &["-q", "conf/short", "--files-from", "list"], ""));
    assert!(both[0].starts_with("conf/short: WRONG") && both.len() == 6, "{both:?}");
    let missing = check(folder.path(), &["--files-from", "no-such-list"], "");
    assert!(status(&missing) == 2 && said(&missing).contains("no-such-list"), "{}", said(&missing));
}

#[test]
fn one_status_for_all() {
    let folder = ensemble();
    let whole = check(folder.path(), &["-q", "conf/a/1.lime", "conf/b/matrix.bin"], "");
    assert_eq!(status(&whole), 0);
    // A file that cannot be read determines the exit status even if others are invalid.
    let missing = check(folder.path(), &["-q", "no-such-file", "conf/short", "conf/a/1.lime"], "");
    assert_eq!(status(&missing), 2);
    let lines = lines(&missing);
    assert!(
        lines[0].starts_with("no-such-file: UNREADABLE: ") && lines[2] == "conf/a/1.lime: OK",
        "{lines:?}"
    );
    assert_eq!(lines[3], "3 files: 1 OK, 0 UNVERIFIED, 1 WRONG, 1 UNREADABLE");
    // The list has it, so that it is there once.
    assert_eq!(said(&missing), "");
    let without_list = check(folder.path(), &["no-such-file", "conf/a/1.lime"], "");
    assert!(said(&without_list).contains("no-such-file"), "{}", said(&without_list));
}

#[test]
fn a_run_without_a_file_is_no_success() {
    let folder = ensemble();
    std::fs::create_dir(folder.path().join("nothing")).expect("the temporary folder is writable");
    std::fs::write(folder.path().join("nothing/notes.txt"), "text")
        .expect("the temporary folder is writable");
    for arguments in [&["-q", "nothing"][..], &["--json", "nothing"], &["--files-from", "-"]] {
        let output = check(folder.path(), arguments, "");
        assert!(status(&output) == 2 && said(&output).contains("no files"), "{}", said(&output));
    }
}

#[test]
fn what_was_named_is_never_skipped() {
    let folder = ensemble();
    let output = check(folder.path(), &["-q", "conf/a/notes.txt"], "");
    assert_eq!(status(&output), 1);
    assert!(lines(&output)[0].contains("[format-unknown]"), "{:?}", lines(&output));
}

#[cfg(unix)]
#[test]
fn links_to_files_count_and_links_to_folders_are_not_followed() {
    use std::os::unix::fs::symlink;
    let folder = ensemble();
    let to = |name: &str| folder.path().join("conf/b").join(name);
    symlink("../a/1.lime", to("link")).expect("the temporary folder is writable");
    symlink("../../conf", to("loop")).expect("the temporary folder is writable");
    symlink("nowhere", to("nothing")).expect("the temporary folder is writable");
    let output = check(folder.path(), &["-q", "conf/b"], "");
    let lines = lines(&output);
    assert!(lines.contains(&"conf/b/link: OK".to_owned()), "{lines:?}");
    assert!(lines.iter().any(|line| line.starts_with("conf/b/nothing: UNREADABLE: ")), "{lines:?}");
    assert!(!lines.iter().any(|line| line.contains("loop/")), "{lines:?}");
    assert_eq!(status(&output), 2);
}
