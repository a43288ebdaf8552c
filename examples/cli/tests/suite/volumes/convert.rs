//! `convert` to, from and between sets: the conversions of QIO 2.3, section 4.5.

use std::path::Path;

use host_tests::fixtures::Fixtures;
use serde_json::Value;

use super::support::{qio, tree, volumes, well};
use crate::common::gauge::records;
use crate::common::lime::record;
use crate::common::report;

/// The results equal the output of `qio-convert-mesh-singlefs` and `-ppfs` of QIO 2.5.0.
#[test]
fn volumes_are_those_of_qio() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (single, options, set, numbers) in [
        ("sci_single.lime", &["--volumes", "2x1x1x2"][..], "sci_part4.lime", &[0, 1, 2, 3][..]),
        ("sci_single.lime", &["--volumes", "2x1x1x2", "--io", "1x1x1x2"], "sci_ppfs.lime", &[0, 2]),
        ("ildg_single.lime", &["--volumes", "2x1x1x2"], "ildg_part4.lime", &[0, 1, 2, 3]),
    ] {
        let input = qio("convert").join(single);
        let mut arguments: Vec<&dyn AsRef<std::ffi::OsStr>> = vec![&"convert", &input, &set];
        options.iter().for_each(|option| arguments.push(option));
        well(folder.path(), &arguments);
        let made = volumes(&folder.path().join(set), numbers);
        assert!(made == volumes(&qio("convert").join(set), numbers), "{set} differs from QIO's output");
    }
}

/// QIO's converters do not write multifile sets, but its writer does. Fields, hypercubes and global data equal its output on
/// as many processes.
#[test]
fn multifile_sets_are_those_of_qio() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (set, nodes, numbers) in
        [("multi2.lime", "2x1x1x1", &[0, 1][..]), ("multi4.lime", "2x1x1x2", &[0, 1, 2, 3])]
    {
        let input = qio("multi").join(set);
        well(folder.path(), &[&"convert", &input, &"one", &"--force"]);
        well(folder.path(), &[&"convert", &"one", &set, &"--volumes", &nodes, &"--multifile"]);
        let made = volumes(&folder.path().join(set), numbers);
        assert!(made == volumes(&qio("multi").join(set), numbers), "{set} differs from QIO's output");
        // Back to one file, and to a partition set.
        well(folder.path(), &[&"convert", &set, &"again"]);
        let read = |name: &str| std::fs::read(folder.path().join(name)).expect("the output");
        assert!(read("again") == read("one"), "{set}");
        let partition = format!("{set}.part");
        well(folder.path(), &[&"convert", &set, &partition, &"--volumes", &nodes]);
        std::fs::remove_file(folder.path().join("again")).expect("the output");
        well(folder.path(), &[&"convert", &partition, &"again"]);
        assert!(read("again") == read("one"), "{set}");
        std::fs::remove_file(folder.path().join("again")).expect("the output");
    }
}

/// The results equal the output of `qio-convert-mesh-singlefs` of QIO 2.3.8, the last release whose conversion in this
/// direction works. The logical file name in its output is `lfn-override`, which `--lfn` refuses since it is no URI. The
/// test replaces it by a URI of the same padded length.
#[test]
fn single_files_are_those_of_qio() {
    let names = ["lfn-override\0", "lfn://override\0"]
        .map(|name| record("ildg-data-lfn", name.as_bytes(), false, false));
    let folder = tempfile::tempdir().expect("a temporary folder");
    for (set, options, expected) in [
        ("sci_part4.lime", &["--volumes", "1"][..], "sci_back_scidac.lime"),
        ("sci_ppfs.lime", &[], "sci_back_scidac.lime"),
        // The set contains no gauge field that an ildg-format could describe.
        ("sci_part4.lime", &["--to", "both"], "sci_back_ildg.lime"),
        (
            "ildg_part4.lime",
            &["--volumes", "1", "--to", "both", "--lfn", "lfn://override"],
            "ildg_back_ildg.lime",
        ),
        ("ildg_part4.lime", &["--volumes", "1"], "ildg_single.lime"),
    ] {
        let input = qio("convert").join(set);
        let mut arguments: Vec<&dyn AsRef<std::ffi::OsStr>> = vec![&"convert", &"--force", &input, &"out"];
        options.iter().for_each(|option| arguments.push(option));
        well(folder.path(), &arguments);
        let made = std::fs::read(folder.path().join("out")).expect("the output");
        let mut expected = std::fs::read(qio("convert").join(expected)).expect("a fixture");
        if options.contains(&"--lfn") {
            let at = expected.windows(names[0].len()).position(|part| part == names[0]);
            let at = at.expect("the name in QIO's output");
            expected[at..at + names[0].len()].copy_from_slice(&names[1]);
        }
        assert!(made == expected, "{set} {options:?}");
    }
}

/// QIO writes the data as ildg-binary-data although the file has no ildg-format, which ILDG 1.2, section 2.2, requires.
/// Otherwise the files are equal.
#[test]
fn native_files_have_no_data_of_ildg() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    well(folder.path(), &[&"convert", &qio("convert/ildg_part4.lime"), &"out", &"--to", &"scidac"]);
    let made = std::fs::read(folder.path().join("out")).expect("the output");
    let theirs = std::fs::read(qio("convert/ildg_back_scidac.lime")).expect("a fixture");
    let renamed = |name: &str| record(name, b"", false, false)[16..144].to_vec();
    let at = theirs.windows(128).position(|bytes| bytes == renamed("ildg-binary-data")).expect("their data");
    let mut expected = theirs;
    expected[at..at + 128].copy_from_slice(&renamed("scidac-binary-data"));
    assert!(made == expected);
}

/// QIO drops the logical file name of a file without SciDAC documents. Otherwise the files are equal.
#[test]
fn foreign_files_keep_their_logical_file_name() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let input = qio("alien/ildg12_two_messages.lime");
    // The time when QIO wrote the fixture.
    let date = "Fri Nov 20 18:54:52 2026 UTC";
    well(folder.path(), &[&"convert", &input, &"alien_part.lime", &"--volumes", &"2", &"--date", &date]);
    let made = volumes(&folder.path().join("alien_part.lime"), &[0, 1]);
    let theirs = volumes(&qio("convert/alien_part.lime"), &[0, 1]);
    let text = String::from_utf8_lossy(&std::fs::read(&input).expect("a fixture")).into_owned();
    let lfn =
        text.split("ildg-data-lfn").nth(1).and_then(|rest| rest.split('\0').find(|word| !word.is_empty()));
    let lfn = record("ildg-data-lfn", format!("{}\0", lfn.expect("a name")).as_bytes(), false, false);
    let at = made[0].windows(lfn.len()).position(|bytes| bytes == lfn).expect("the name is kept");
    let without = [&made[0][..at], &made[0][at + lfn.len()..]].concat();
    // The input has no checksum, which the record XML of the copy says.
    let texts = [&made[0], &theirs[0]].map(|volume| {
        records(volume).into_iter().find(|found| found.record_type == "scidac-record-xml").expect("a record")
    });
    let [text, their_text] = texts.map(|found| record("scidac-record-xml", &found.payload, false, false));
    let note = b"<!-- the input had no checksum";
    assert!(text.windows(note.len()).any(|bytes| bytes == note));
    let at = without.windows(text.len()).position(|bytes| bytes == text).expect("the text");
    let without = [&without[..at], &their_text, &without[at + text.len()..]].concat();
    assert!(without == theirs[0], "the first volume must differ only in the name and the note");
    assert!(made[1] == theirs[1]);
}

/// A set that QIO wrote on several nodes is converted to one file, and back to the files of QIO. Site lists have
/// various orders.
#[test]
fn sets_of_qio_come_back() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let manifest = host_tests::manifest::load(Fixtures::Ours, "qio");
    let (mut sets, mut same) = (0, 0);
    for first in
        manifest.iter().filter(|entry| entry.path.starts_with("multi/") && entry.path.contains("vol0000"))
    {
        let set = first.set.clone().expect("a set");
        let of_set = manifest.iter().filter(|entry| entry.set.as_ref() == Some(&set));
        let input = first.folder.join(&first.path);
        let single = format!("{sets}.single");
        well(folder.path(), &[&"convert", &input, &single, &"--volumes", &"1"]);
        let bytes = std::fs::read(folder.path().join(&single)).expect("the output");
        let (found, status) = report("check", &bytes, &[]);
        assert_eq!((status, &found["verdict"]), (0, &Value::from("ok")), "{set}: {found}");
        sets += 1;
        let (Some(grid), true) = (&first.grid, first.volfmt == Some(2) && !set.contains("uneven")) else {
            continue;
        };
        let crossed = |numbers: &[u64]| numbers.iter().map(u64::to_string).collect::<Vec<_>>().join("x");
        let io = crossed(first.iogrid.as_ref().unwrap_or(grid));
        let name = Path::new(&set).file_name().expect("a name").to_owned();
        well(folder.path(), &[&"convert", &single, &name, &"--volumes", &crossed(grid), &"--io", &io]);
        for volume in of_set {
            let made = folder.path().join(Path::new(&volume.path).file_name().expect("a name"));
            let made = std::fs::read(made).expect("a volume");
            assert!(
                made == std::fs::read(volume.folder.join(&volume.path)).expect("a fixture"),
                "{}",
                volume.path
            );
            same += 1;
        }
    }
    assert!(sets >= 9 && same >= 8, "{sets} sets, {same} volumes");
}

/// A direct conversion from one set to another equals the one by way of a single file.
#[test]
fn sets_become_other_sets() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let go = |arguments: &[&dyn AsRef<std::ffi::OsStr>]| well(folder.path(), arguments);
    for set in ["multi2.lime", "multi4.lime", "part4_io2.lime", "partdir2.lime"] {
        let input = qio("multi").join(set);
        let (direct, single, again) = (format!("{set}.a"), format!("{set}.b"), format!("{set}.c"));
        go(&[&"convert", &input, &direct, &"--volumes", &"4x2x3x3", &"--io", &"2x1x1x3"]);
        go(&[&"convert", &input, &single]);
        go(&[&"convert", &single, &again, &"--volumes", &"4x2x3x3", &"--io", &"2x1x1x3"]);
        // A volume has the number of the first node of its I/O family.
        let numbers = [0, 2, 24, 26, 48, 50];
        let volumes = |name: &str| volumes(&folder.path().join(name), &numbers);
        assert!(volumes(&direct) == volumes(&again), "{set}");
        assert_eq!(tree(folder.path()).iter().filter(|name| name.starts_with(&direct)).count(), 6);
    }
}

/// Volumes in directories of their own, and in the directories of a table.
#[test]
fn layouts() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let go = |arguments: &[&dyn AsRef<std::ffi::OsStr>]| well(folder.path(), arguments);
    let single = qio("convert/sci_single.lime");
    let is_same = |name: &str| {
        std::fs::read(folder.path().join(name)).expect("a file") == std::fs::read(&single).expect("a fixture")
    };
    go(&[&"convert", &single, &"staged/lat", &"--volumes", &"2x1x1x2", &"--layout", &"directory"]);
    go(&[&"convert", &"staged/lat", &"a"]);
    assert!(is_same("a"));
    // The private file XML contains the layout; otherwise the files are equal.
    let in_folders = volumes(&folder.path().join("staged/lat"), &[0, 1, 2, 3]);
    let mut beside = volumes(&qio("convert/sci_part4.lime"), &[0, 1, 2, 3]);
    let at = beside[0].windows(8).position(|bytes| bytes == b"<volfmt>").expect("a volume format") + 8;
    beside[0][at] = b'3';
    assert!(in_folders == beside);

    std::fs::write(folder.path().join("nodes"), "# node folder\n0 x/0\n2  x/2 \n")
        .expect("the temporary folder is writable");
    let two = ["2x1x1x2", "1x1x1x2"];
    go(&[&"convert", &single, &"lat", &"--volumes", &two[0], &"--io", &two[1], &"--layout", &"nodes"]);
    assert_eq!(tree(&folder.path().join("x")), ["0/", "0/lat.vol0000", "2/", "2/lat.vol0002"]);
    go(&[&"convert", &"lat", &"b", &"--volumes", &"1", &"--layout", &"nodes"]);
    assert!(is_same("b"));
    go(&[&"convert", &"lat", &"c", &"--volumes", &"2x1x1x2", &"--from", &"nodes"]);
    let expected = volumes(&qio("convert/sci_part4.lime"), &[0, 1, 2, 3]);
    assert!(volumes(&folder.path().join("c"), &[0, 1, 2, 3]) == expected);
}

/// The other options have the same effect as for files.
#[test]
fn numbers_rows_and_forms_change_on_the_way() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let go = |arguments: &[&dyn AsRef<std::ffi::OsStr>]| well(folder.path(), arguments);
    let (single, set) = (qio("convert/ildg_single.lime"), qio("convert/ildg_part4.lime"));
    let wishes: [&[&str]; 4] = [
        &["--precision", "64"],
        &["--to", "ildg"],
        &["--to", "both", "--rows", "reduced"],
        &["--to", "nersc"],
    ];
    for (number, wish) in wishes.iter().enumerate() {
        let (of_set, of_single) = (format!("{number}a"), format!("{number}b"));
        for (input, out) in [(&set, &of_set), (&single, &of_single)] {
            let mut arguments: Vec<&dyn AsRef<std::ffi::OsStr>> = vec![&"convert", input, out];
            wish.iter().for_each(|word| arguments.push(word));
            go(&arguments);
        }
        let read = |name: &str| std::fs::read(folder.path().join(name)).expect("an output");
        assert!(read(&of_set) == read(&of_single), "{wish:?}");
    }
    go(&[
        &"convert",
        &set,
        &"double",
        &"--volumes",
        &"1x2x3x1",
        &"--precision",
        &"64",
        &"--lfn",
        &"lfn://new",
    ]);
    go(&[&"convert", &"double", &"back", &"--precision", &"32", &"--lfn", &"mc://test/fixtures/lat.0001"]);
    assert!(std::fs::read(folder.path().join("back")).ok() == std::fs::read(&single).ok());
}

/// QIO does not write an ildg-format of version 1.2 beside SciDAC documents; the conversion keeps its version.
#[test]
fn formats_of_version_1_2_come_back() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let go = |arguments: &[&dyn AsRef<std::ffi::OsStr>]| well(folder.path(), arguments);
    let input = qio("ildg/ildg_d_2x3x4x5.lime");
    go(&[&"ildg", &"make", &"new", &"--from", &input, &"--scidac"]);
    go(&[&"convert", &"new", &"set", &"--volumes", &"2x3x1x5"]);
    go(&[&"convert", &"set", &"back"]);
    let read = |name: &str| std::fs::read(folder.path().join(name)).expect("a file");
    let text = String::from_utf8_lossy(&read("new")).into_owned();
    assert!(text.contains("<version>1.2</version>") && read("back") == read("new"));
}
