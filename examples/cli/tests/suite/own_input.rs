//! An output that is one of the files of the input would replace data that cannot be had again.

use tempfile::TempDir;

use crate::common::gauge::{fixture, go, refused, well};
use crate::common::lime::{put, read, standing};
use crate::common::{said, status};

const LATTICE: &str = "qio/single/gauge_f3_4x4x4x8.lime";
const WORDS: &str = "the output would replace this file, which is read; choose another name";

/// Every file of the directory and its content.
fn all(folder: &TempDir) -> Vec<(String, Vec<u8>)> {
    let names = standing(folder, ".");
    names.into_iter().map(|name| (name.clone(), read(folder, &name))).collect()
}

#[track_caller]
fn stays(folder: &TempDir, arguments: &[&str]) {
    let before = all(folder);
    refused(folder, arguments, b"", 2, WORDS);
    assert!(all(folder) == before, "{arguments:?}");
}

/// A directory with an input for each command that writes.
fn inputs() -> TempDir {
    let folder = TempDir::new().expect("a temporary folder");
    put(&folder, "lat", fixture(LATTICE));
    well(&folder, &["convert", "lat", "ildg", "--to", "ildg", "--lfn", "lfn://a/b"], b"");
    well(&folder, &["export", "lat", "lat.npy"], b"");
    well(&folder, &["scda", "create", "scda", "block:b=lat.npy"], b"");
    put(&folder, "text", "1 2\n");
    well(&folder, &["inebin", "from-csv", "--type", "R", "text", "matrix"], b"");
    put(&folder, "list", "text text\n");
    folder
}

#[test]
fn no_command_replaces_its_input() {
    let folder = inputs();
    for arguments in [
        &["export", "lat", "lat"][..],
        &["export", "./lat", "lat", "--slice", "1"],
        &["export", "scda", "scda", "--section", "0"],
        &["export", "matrix", "matrix"],
        &["ildg", "make", "ildg", "--from", "ildg"],
        &["ildg", "make", "lat.npy", "--data", "lat.npy", "--lfn", "lfn://a/b"],
        &["lime", "extract", "lat", "1", "1", "lat"],
        &["lime", "pack", "list", "list"],
        &["lime", "pack", "list", "text"],
        &["inebin", "to-csv", "matrix", "matrix"],
        &["inebin", "from-csv", "--type", "R", "text", "text"],
        &["scda", "create", "lat", "block:b=lat"],
    ] {
        stays(&folder, &[arguments, &["--force"]].concat());
    }
}

#[test]
fn links_to_the_input_are_the_input() {
    let folder = TempDir::new().expect("a temporary folder");
    put(&folder, "lat", fixture(LATTICE));
    std::fs::hard_link(folder.path().join("lat"), folder.path().join("hard")).expect("a link");
    stays(&folder, &["export", "lat", "hard", "--force"]);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("lat", folder.path().join("soft")).expect("a link");
        stays(&folder, &["export", "lat", "soft", "--force"]);
        stays(&folder, &["export", "soft", "lat", "--force"]);
    }
}

#[test]
fn no_command_replaces_a_volume_of_its_input() {
    let folder = TempDir::new().expect("a temporary folder");
    put(&folder, "lat", fixture(LATTICE));
    well(&folder, &["convert", "lat", "set", "--volumes", "1x1x1x2"], b"");
    std::fs::rename(folder.path().join("lat"), folder.path().join("single")).expect("the folder is writable");
    for arguments in [
        &["convert", "set.vol0000", "set.vol0000"][..],
        &["convert", "set", "set.vol0001"],
        &["convert", "set", "set", "--volumes", "1x1x2x1"],
        &["convert", "set", "set.vol0001", "--to", "nersc"],
        &["export", "set", "set.vol0001"],
        &["volumes", "copy", "set", "set"],
    ] {
        stays(&folder, &[arguments, &["--force"]].concat());
    }
    // Other files of the name are none of the input's.
    well(&folder, &["convert", "set", "set"], b"");
    well(&folder, &["convert", "single", "single", "--volumes", "1x1x1x2"], b"");
}

#[test]
fn a_single_file_can_be_converted_in_place() {
    let folder = TempDir::new().expect("a temporary folder");
    put(&folder, "scidac", fixture(LATTICE));
    // The texts of SciDAC documents would be lost in an ILDG file.
    well(&folder, &["convert", "scidac", "lat", "--to", "ildg", "--lfn", "lfn://e/f"], b"");
    well(&folder, &["convert", "lat", "lat", "--to", "both", "--force"], b"");
    well(&folder, &["convert", "lat", "lat", "--precision", "64", "--force"], b"");
    well(&folder, &["convert", "lat", "lat", "--to", "ildg", "--lfn", "lfn://a/b", "--force"], b"");
    well(&folder, &["ildg", "set-lfn", "lat", "lfn://c/d", "--force"], b"");
    let checked = go(&folder, &["check", "lat"], b"");
    assert_eq!(status(&checked), 0, "{}", said(&checked));
    // Other fields, or what cannot be read of a damaged file, would be lost.
    for option in [&["--field", "0"][..], &["--damaged"]] {
        stays(&folder, &[&["convert", "lat", "lat", "--force"], option].concat());
    }
}

#[test]
fn a_file_is_not_converted_in_place_if_something_would_be_lost() {
    let folder = TempDir::new().expect("a temporary folder");
    let lattice = || fixture(LATTICE);
    let with_field = [lattice(), fixture("qio/single/real_f_4x4x4x8.lime")].concat();
    let foreign = crate::common::gauge::tmlqcd_style();
    let mut other = lattice();
    let title = other.windows(7).position(|part| part == b"fixture").expect("a title");
    other[title..title + 7].copy_from_slice(b"another");
    let with_other_text = [lattice(), other].concat();
    for (file, options, lost) in [
        (&with_field, &["--to", "ildg"][..], "1 field is left out"),
        (&with_field, &["--to", "ildg", "--json"], "1 field is left out"),
        (&with_field, &["--for", "any"], "1 field is left out"),
        (&foreign, &[], "records of these types are left out: xlf-info"),
        (&foreign, &["--to", "nersc"], "records of these types are left out: xlf-info"),
        (&with_other_text, &[], "an earlier scidac-file-xml is left out"),
        (&lattice(), &["--to", "ildg"], "the user's text in scidac-file-xml is left out"),
        (&lattice(), &["--to", "nersc"], "the user's text in scidac-file-xml is left out"),
    ] {
        put(&folder, "lat", file);
        let arguments = [&["convert", "lat", "lat", "--force"], options].concat();
        let before = all(&folder);
        let output = go(&folder, &arguments, b"");
        assert_eq!(status(&output), 2, "{arguments:?}: {}", said(&output));
        assert!(all(&folder) == before, "{arguments:?}");
        let said = said(&output);
        assert!(said.contains("would replace this file, which is read, but "), "{arguments:?}: {said}");
        assert!(said.contains(lost), "{arguments:?}: {said}");
        // Nothing is lost if the input stays.
        well(&folder, &[&["convert", "lat", "other", "--force"], options].concat(), b"");
        std::fs::remove_file(folder.path().join("other")).expect("the program made it");
    }
}

#[test]
#[cfg(unix)]
fn a_replaced_file_keeps_its_permissions() {
    use std::fs::Permissions;
    use std::os::unix::fs::PermissionsExt as _;

    let folder = TempDir::new().expect("a temporary folder");
    put(&folder, "lat", fixture(LATTICE));
    let out = folder.path().join("out");
    for mode in [0o444, 0o640] {
        put(&folder, "lat", fixture(LATTICE));
        std::fs::write(&out, "old").expect("the folder is writable");
        std::fs::set_permissions(&out, Permissions::from_mode(mode)).expect("own file");
        well(&folder, &["convert", "lat", "out", "--force"], b"");
        assert_eq!(out.metadata().expect("the file").permissions().mode() & 0o7777, mode);
        std::fs::remove_file(&out).expect("the folder is writable");
    }
}

/// Runs the program in a directory with standard output appended to a file.
#[cfg(unix)]
fn appending(folder: &TempDir, arguments: &[&str], file: &str) -> std::process::Output {
    let file = std::fs::OpenOptions::new().append(true).create(true).open(folder.path().join(file));
    let mut program = std::process::Command::new(assert_cmd::cargo::cargo_bin("linkstream"));
    program.current_dir(folder.path()).args(arguments).stdin(std::process::Stdio::null());
    let child = program.stdout(file.expect("a file")).stderr(std::process::Stdio::piped()).spawn();
    child.and_then(std::process::Child::wait_with_output).expect("the program runs")
}

#[test]
#[cfg(unix)]
fn standard_output_is_not_the_input() {
    let folder = inputs();
    for (arguments, file) in [
        (&["export", "lat", "-"][..], "lat"),
        (&["export", "lat", "-", "--slice", "1"], "lat"),
        (&["convert", "ildg", "-"], "ildg"),
        (&["convert", "ildg", "-", "--to", "nersc"], "ildg"),
        (&["ildg", "make", "-", "--from", "ildg"], "ildg"),
        (&["ildg", "make", "-", "--data", "lat.npy", "--lfn", "lfn://a/b"], "lat.npy"),
        (&["lime", "extract", "lat", "1", "1"], "lat"),
        (&["lime", "pack", "list", "-"], "text"),
        (&["lime", "pack", "list", "-"], "list"),
        (&["scda", "cat", "scda", "0"], "scda"),
        (&["scda", "create", "-", "block:b=text"], "text"),
        (&["inebin", "to-csv", "matrix", "-"], "matrix"),
        (&["inebin", "from-csv", "--type", "R", "text", "-"], "text"),
    ] {
        let before = all(&folder);
        let output = appending(&folder, arguments, file);
        assert_eq!(status(&output), 2, "{arguments:?}: {}", said(&output));
        let words = "standard output is this file, which is read; choose another file";
        assert!(said(&output).contains(words), "{arguments:?}: {}", said(&output));
        assert!(all(&folder) == before, "{arguments:?}");
        let output = appending(&folder, arguments, "other");
        assert_eq!(status(&output), 0, "{arguments:?}: {}", said(&output));
        std::fs::remove_file(folder.path().join("other")).expect("the shell made it");
        let output = appending(&folder, arguments, "/dev/null");
        assert_eq!(status(&output), 0, "{arguments:?}: {}", said(&output));
    }
    // Reports are text for people: their files can be among the checked files.
    put(&folder, "report.txt", "a report\n");
    assert_eq!(status(&appending(&folder, &["check", "."], "report.txt")), 0);
}
