//! Output files that cannot be written, and the kinds of files that an output can be.
#![cfg(unix)]

use std::os::unix::fs::symlink;
use std::process::{Command, Output};

use crate::common::gauge::{fixture, go, refused, well};
use crate::common::lime::{put, read, record, standing};
use crate::common::{said, status};
use tempfile::TempDir;

/// Runs the program through a shell that first redirects streams or sets limits.
fn in_shell(folder: &TempDir, script: &str) -> Output {
    let program = assert_cmd::cargo::cargo_bin("linkstream");
    let mut shell = Command::new("sh");
    shell.current_dir(folder.path()).args(["-c", script]).arg(program).output().expect("a shell")
}

fn with_text() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder");
    put(&folder, "text", "1 2\n3 4\n");
    well(&folder, &["inebin", "from-csv", "--type", "R", "text", "matrix"], b"");
    put(&folder, "list", "text a\nmatrix b\n");
    well(&folder, &["lime", "pack", "list", "packed"], b"");
    well(&folder, &["scda", "create", "state", "text:step=42"], b"");
    folder
}

/// Every command that prints to standard output.
const PRINTING: [&str; 9] = [
    "check packed",
    "check --json packed",
    "inspect matrix",
    "lime contents packed",
    "lime extract packed 1 1",
    "lime pack list -",
    "inebin to-csv matrix",
    "scda cat state 1",
    "completions bash",
];

#[test]
fn a_report_that_cannot_be_printed_is_an_error() {
    let folder = with_text();
    for command in PRINTING {
        // Standard output closed, and open for reading only.
        for redirected in [">&-", "1</dev/null"] {
            let output = in_shell(&folder, &format!("exec \"$0\" {command} {redirected}"));
            assert_eq!(status(&output), 2, "{command} {redirected}: {}", said(&output));
            assert!(said(&output).contains("standard output: Bad file descriptor"), "{}", said(&output));
        }
        let output = in_shell(&folder, &format!("exec \"$0\" {command} >/dev/null"));
        assert_eq!(status(&output), 0, "{command}: {}", said(&output));
    }
    // A command that prints nothing does not need standard output.
    let output = in_shell(&folder, "exec \"$0\" lime pack list out >&-");
    assert_eq!(status(&output), 0, "{}", said(&output));
}

#[test]
fn a_link_as_output_is_followed_and_stays() {
    let folder = with_text();
    std::fs::create_dir(folder.path().join("deep")).expect("the temporary folder is writable");
    put(&folder, "deep/target", "old");
    symlink("deep/target", folder.path().join("link")).expect("a link");
    symlink("link", folder.path().join("link-to-link")).expect("a link");
    symlink("deep/new", folder.path().join("dangling")).expect("a link");
    symlink("circle", folder.path().join("circle")).expect("a link");
    let pack = |out| ["lime", "pack", "list", out];
    for link in ["link", "link-to-link"] {
        refused(&folder, &pack(link), b"", 2, "exists; --force replaces it");
    }
    refused(
        &folder,
        &pack("dangling"),
        b"",
        2,
        "dangling is a symbolic link to a file that does not exist; --force creates that",
    );
    refused(&folder, &pack("circle"), b"", 2, "circle: too many symbolic links");
    for (link, target) in [("link-to-link", "deep/target"), ("dangling", "deep/new")] {
        well(&folder, &[&pack(link)[..], &["--force"]].concat(), b"");
        assert!(folder.path().join(link).is_symlink());
        assert_eq!(read(&folder, target), read(&folder, "packed"));
    }
    assert!(folder.path().join("link").is_symlink());
    assert_eq!(standing(&folder, "deep"), ["new", "target"]);
}

#[test]
fn a_file_that_becomes_too_large_is_an_error_and_no_signal() {
    let folder = with_text();
    put(&folder, "big", [7; 100_000]);
    put(&folder, "big-list", "big data\n");
    let before = standing(&folder, ".");
    for command in
        ["lime pack big-list out", "scda create out block:b=big", "lime pack --force big-list list"]
    {
        let output = in_shell(&folder, &format!("ulimit -f 20; exec \"$0\" {command}"));
        assert_eq!(status(&output), 2, "{command}: {}", said(&output));
        assert!(said(&output).contains(": File too large"), "{command}: {}", said(&output));
        assert_eq!(standing(&folder, "."), before, "{command}");
    }
    assert_eq!(read(&folder, "list"), b"text a\nmatrix b\n");
}

#[test]
fn the_culprit_of_a_full_disk_is_the_temporary_folder_not_the_pipe() {
    let folder = with_text();
    // Standard input from a pipe is copied to a temporary file, which cannot be made in a regular file.
    put(&folder, "no-folder", "");
    for arguments in [&["inebin", "from-csv", "--type", "R", "-", "out"][..], &["lime", "pack", "list", "-"]]
    {
        let mut program = crate::common::linkstream();
        program.current_dir(folder.path()).env("TMPDIR", "no-folder").args(arguments);
        let output = program.write_stdin("1 2\n").output().expect("the program runs");
        assert_eq!(status(&output), 2);
        let words = "linkstream: temporary file in no-folder: Not a directory";
        assert!(said(&output).starts_with(words), "{}", said(&output));
    }
}

#[test]
fn new_files_have_the_permissions_of_the_mask() {
    use std::os::unix::fs::PermissionsExt as _;

    let folder = with_text();
    for (mask, mode) in [("022", 0o644), ("077", 0o600), ("002", 0o664)] {
        let output = in_shell(&folder, &format!("umask {mask}; exec \"$0\" lime pack list out"));
        assert_eq!(status(&output), 0, "{}", said(&output));
        let out = folder.path().join("out");
        assert_eq!(out.metadata().expect("the file exists").permissions().mode() & 0o777, mode);
        std::fs::remove_file(out).expect("the temporary folder is writable");
    }
}

#[test]
fn a_name_that_is_as_long_as_names_can_be_is_replaced() {
    let folder = with_text();
    let long = "n".repeat(255);
    for options in [&[][..], &["--force"]] {
        well(&folder, &[&["lime", "pack", "list", &long], options].concat(), b"");
        assert_eq!(read(&folder, &long), read(&folder, "packed"));
    }
    let too_long = "n".repeat(256);
    let output = go(&folder, &["lime", "pack", "list", &too_long], b"");
    assert!(said(&output).contains("File name too long"), "{}", said(&output));
}

/// Names that the program derives from the contents of its input, in a directory that can come from somebody else.
#[test]
fn links_with_names_that_the_user_did_not_choose_are_replaced_and_not_followed() {
    let folder = TempDir::new().expect("a temporary folder");
    let place = |name: &str| folder.path().join(name);
    put(&folder, "victim", b"of the user");
    put(&folder, "records.lime", record("type", b"payload", true, true));
    put(&folder, "field.lime", fixture("qio/single/cmat_f3_n1_2x3x4x5.lime"));
    for (arguments, link) in [
        (&["lime", "unpack", "records.lime", "into"][..], "msg01.rec01.type"),
        (&["lime", "unpack", "records.lime", "into"], "list"),
        (&["convert", "field.lime", "into/set", "--volumes", "1x1x2x1"], "set.vol0000"),
        (&["man", "into"], "linkstream-check.1"),
    ] {
        for target in ["../victim", "../new"] {
            let _ = std::fs::remove_dir_all(place("into"));
            std::fs::create_dir(place("into")).expect("a folder");
            symlink(target, place("into").join(link)).expect("a link");
            let output = go(&folder, arguments, b"");
            assert_eq!(status(&output), 2, "{arguments:?}: {}", said(&output));
            assert!(place("into").join(link).is_symlink(), "{arguments:?}");
            well(&folder, &[arguments, &["--force"]].concat(), b"");
            assert!(!place("into").join(link).is_symlink(), "{arguments:?} {link}");
            assert_eq!(read(&folder, "victim"), b"of the user", "{arguments:?}");
            assert!(!place("new").exists(), "{arguments:?}");
        }
    }
    // Nor are links in place of the directories of volumes.
    let _ = std::fs::remove_dir_all(place("into"));
    std::fs::create_dir_all(place("elsewhere")).expect("a folder");
    std::fs::create_dir(place("into")).expect("a folder");
    symlink("../elsewhere", place("into/vol0000")).expect("a link");
    let split =
        ["convert", "field.lime", "into/set", "--volumes", "1x1x2x1", "--layout", "directory", "--force"];
    let output = go(&folder, &split, b"");
    assert_eq!((status(&output), standing(&folder, "elsewhere")), (2, vec![]), "{}", said(&output));
}
