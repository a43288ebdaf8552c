//! A refused conversion leaves no files.

use std::path::Path;

use host_tests::fixtures::Fixtures;

use super::check::check;
use super::support::{go, qio, tree, well};

/// Runs `convert`, which must fail with this exit status and these words.
fn refused(folder: &Path, arguments: &[&dyn AsRef<std::ffi::OsStr>], expected: i32, words: &str) {
    let before = tree(folder);
    let (status, said) = go(folder, &[&[&"convert" as &dyn AsRef<std::ffi::OsStr>], arguments].concat());
    assert!(status == expected && said.contains(words), "{status}: {said}");
    assert_eq!(tree(folder), before, "{said}");
}

#[test]
fn broken_sets_are_not_converted() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let broken = Fixtures::Ours.join("broken/part");
    for (set, words) in [
        ("sitelist-duplicate", "more than once"),
        ("sitelist-length-odd", "vol0000"),
        ("sitelist-missing-rank", "vol0000"),
        ("sitelist-out-of-range", "at byte 500: p.lime.vol0000: the site list has rank 999999"),
        ("sitelist-overlap", "more than once"),
        ("volume-data-truncated", "vol0001"),
        ("volume-same-twice", "vol0001"),
        ("volume-missing", "is missing"),
        ("sitelist-little-endian", ""),
        // Two entries are exchanged, which exchanges the data of two sites.
        ("sitelist-permuted", "checksum mismatch"),
    ] {
        let input = broken.join(set).join("p.lime");
        refused(folder.path(), &[&input, &"out"], 1, words);
        let options: [&dyn AsRef<std::ffi::OsStr>; 4] = [&"--volumes", &"2", &"--layout", &"directory"];
        refused(
            folder.path(),
            &[&[&input as &dyn AsRef<std::ffi::OsStr>, &"deep/out"], &options[..]].concat(),
            1,
            words,
        );
    }
    // The data are read if nothing is ambiguous.
    for set in ["good", "sitelist-64bit", "volumes-swapped"] {
        let (status, said) =
            go(folder.path(), &[&"convert", &"--force", &broken.join(set).join("p.lime"), &"out"]);
        assert_eq!(status, 0, "{said}");
        // The warning contains the name of the volume.
        let warns = said.contains("p.lime.vol0001: at byte 0: the first volume has number 1");
        assert_eq!(warns, set == "volumes-swapped", "{said}");
    }
}

/// Without fields, no missing site reveals that a volume is missing.
#[test]
fn a_missing_volume_shows_also_without_fields() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    well(folder.path(), &[&"convert", &qio("single/global.lime"), &"set", &"--volumes", &"2"]);
    well(folder.path(), &[&"convert", &"set", &"whole"]);
    std::fs::remove_file(folder.path().join("set.vol0001")).expect("a volume");
    refused(folder.path(), &[&"set", &"out"], 1, "a volume is missing");
    refused(folder.path(), &[&"set", &"out", &"--volumes", &"2"], 1, "a volume is missing");
}

#[test]
fn usage() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let single = qio("convert/sci_single.lime");
    for (options, words) in [
        (&["--volumes", "2", "--to", "ildg"][..], "SciDAC documents"),
        (&["--volumes", "2", "--to", "nersc"], "SciDAC documents"),
        (&["--volumes", "1", "--io", "1"], "--volumes with more than one"),
        (&["--volumes", "2", "--layout", "absent"], "absent"),
        (&["--volumes", "2x"], "expected numbers like"),
        // A layout is meaningless without a set.
        (&["--layout", "directory"], "--layout is for file sets"),
        (&["--layout", "same", "--volumes", "1"], "--layout is for file sets"),
        (&["--io", "2"], "--volumes"),
    ] {
        let mut arguments: Vec<&dyn AsRef<std::ffi::OsStr>> = vec![&single, &"out"];
        options.iter().for_each(|option| arguments.push(option));
        refused(folder.path(), &arguments, 2, words);
    }
    refused(folder.path(), &[&single, &"-", &"--volumes", &"2"], 2, "standard output");
    // This lattice cannot be divided so.
    refused(
        folder.path(),
        &[&single, &"out", &"--volumes", &"3x1"],
        1,
        "x has 4 sites, which 3 nodes cannot share evenly; the lattice is x=4 y=2 z=3 t=6",
    );
    refused(folder.path(), &[&single, &"out", &"--volumes", &"2x2", &"--io", &"2x4"], 1, "share evenly");
    std::fs::write(folder.path().join("nodes"), "0 a\n").expect("the temporary folder is writable");
    refused(folder.path(), &[&single, &"out", &"--volumes", &"2", &"--layout", &"nodes"], 2, "node 1");
}

#[test]
fn existing_volumes_are_kept() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let single = qio("convert/sci_single.lime");
    std::fs::write(folder.path().join("out.vol0001"), "mine").expect("the temporary folder is writable");
    refused(folder.path(), &[&single, &"out", &"--volumes", &"2"], 2, "out.vol0001 exists");
    well(folder.path(), &[&"convert", &single, &"out", &"--volumes", &"2", &"--force"]);
    // The volume of a larger set would be taken for one of the new set.
    well(folder.path(), &[&"convert", &single, &"more", &"--volumes", &"4"]);
    refused(folder.path(), &[&single, &"more", &"--volumes", &"2", &"--force"], 2, "of another file set");
    // Even if a file has the name of the set.
    std::fs::copy(&single, folder.path().join("more")).expect("the temporary folder is writable");
    refused(folder.path(), &[&single, &"more", &"--volumes", &"2", &"--force"], 2, "of another file set");
}

/// Each volume is an open file. The limit is raised as far as the system allows; if that is not enough, the message
/// contains the limit.
#[cfg(target_os = "linux")]
#[test]
fn open_files_can_be_scarce() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let program = assert_cmd::cargo::cargo_bin("linkstream");
    let single = qio("single/real_f_4x4x4x8.lime");
    let limited = |limit: &str, words: &[&dyn AsRef<std::ffi::OsStr>]| {
        let mut command = std::process::Command::new("sh");
        command
            .current_dir(folder.path())
            .arg("-c")
            .arg(format!("{limit}; exec \"$0\" \"$@\""))
            .arg(&program);
        words.iter().for_each(|word| {
            command.arg(word.as_ref());
        });
        let output = command.output().expect("a shell");
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let to_set: [&dyn AsRef<std::ffi::OsStr>; 5] = [&"convert", &single, &"set", &"--volumes", &"4x4x4x8"];
    let (status, said) = limited("ulimit -n 200", &to_set);
    assert_eq!((status, tree(folder.path())), (Some(2), vec![]), "{said}");
    assert!(said.contains("512 volumes need 544 open files, but the limit is 200"), "{said}");
    let (status, said) = limited("ulimit -Sn 200", &to_set);
    assert_eq!((status, tree(folder.path()).len()), (Some(0), 512), "{said}");
    let (status, said) = limited("ulimit -n 200", &[&"convert", &"set", &"back"]);
    assert!(status == Some(2) && said.contains("the limit is 200"), "{said}");
    let (status, said) = limited("ulimit -n 200", &[&"check", &"set"]);
    assert!(status == Some(2) && said.contains("the limit is 200"), "{said}");
    let (status, said) = limited("ulimit -Sn 200", &[&"convert", &"set", &"back"]);
    assert_eq!(status, Some(0), "{said}");
    assert!(std::fs::read(folder.path().join("back")).ok() == std::fs::read(&single).ok());
}

/// Messages contain offsets in volumes, as in `check`, not in the single file made from the set.
#[test]
fn messages_have_offsets_in_volumes() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let name = folder.path().join("lat");
    let volume = |number: u64| folder.path().join(format!("lat.vol000{number}"));
    for (number, mut bytes) in (0..).zip(super::support::volumes(&qio("multi/part2.lime"), &[0, 1])) {
        if number == 0 {
            // A document of an unknown version.
            let version = b"<version>1.1</version><date>";
            let at = bytes.windows(version.len()).position(|window| window == version).expect("a version");
            bytes[at + 9] = b'7';
        }
        std::fs::write(volume(number), bytes).expect("the temporary folder is writable");
    }
    let place = |report: &serde_json::Value| {
        let offset = &report["findings"][0]["offset"];
        format!("at byte {offset} of {}: ", volume(0).display())
    };
    let (reports, _) = check(&[&name], &[]);
    let place_of_document = place(&reports[0]);
    let (status, said) = go(folder.path(), &[&"convert", &name, &"out"]);
    assert!(status == 0 && said.contains(&place_of_document), "{place_of_document} {said}");
    // Damaged data.
    let mut bytes = std::fs::read(volume(1)).expect("a volume");
    let last = bytes.len() - 1;
    bytes[last] ^= 1;
    std::fs::write(volume(1), bytes).expect("the temporary folder is writable");
    let (reports, _) = check(&[&name], &["--lenient"]);
    let mismatch = reports[0]["findings"].as_array().expect("a list");
    let mismatch = mismatch.iter().find(|found| found["rule"] == "checksum-mismatch").expect("a finding");
    let (status, said) = go(folder.path(), &[&"convert", &name, &"other"]);
    // The message of the finding begins with the name of the volume.
    let place = format!("at byte {}: {}", mismatch["offset"], mismatch["message"].as_str().expect("text"));
    assert!(status == 1 && said.contains(&place), "{place} {said}");
}
