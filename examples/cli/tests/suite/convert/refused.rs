//! `convert`: inputs that are refused, and existing output files.

use crate::common::gauge::{fixture, go, records, refused, well};
use crate::common::lime::{put, read, record, standing};
use crate::common::{findings, report, said, status};
use host_tests::fixtures::Fixtures;

#[test]
fn what_is_damaged_or_ends_early_makes_no_file() {
    let bytes = fixture("qio/ildg/ildg_f_4x4x4x8.lime");
    let folder = tempfile::tempdir().expect("a temporary folder");
    let convert = ["convert", "in", "out", "--precision", "64"];
    let found = records(&bytes);
    let place = |name: &str| found.iter().find(|found| found.record_type == name).expect("a record").offset;
    for at in [place("ildg-binary-data") + 144, place("ildg-binary-data") + 144 + 147_455] {
        let mut damaged = bytes.clone();
        damaged[at] ^= 0x10;
        put(&folder, "in", &damaged);
        refused(&folder, &convert, b"", 1, "in: at byte");
        refused(&folder, &["convert", "-", "-"], &damaged, 1, "checksum mismatch");
    }
    for cut in [1, 100, 600, 2000, 80_000, bytes.len() - 200, bytes.len() - 1] {
        put(&folder, "in", &bytes[..cut]);
        refused(&folder, &convert, b"", 1, "in: at byte");
    }
    // Two documents that contradict each other.
    let text = String::from_utf8_lossy(&found[4].payload).replace("<lx>4", "<lx>8");
    let at = found[4].offset + 144;
    let differ = [&bytes[..at], text.as_bytes(), &bytes[at + text.len()..]].concat();
    put(&folder, "in", &differ);
    refused(&folder, &convert, b"", 1, "describe different data");
    put(&folder, "in", b"");
    refused(&folder, &convert, b"", 1, "the file is empty");
    let others = [record("some-text", b"hello", true, true), bytes.clone()].concat();
    let output = go(&folder, &["convert", "-", "-"], &others);
    assert!(output.stdout == bytes && said(&output).contains("left out: some-text"), "{}", said(&output));
}

#[test]
fn files_that_exist_are_replaced_on_demand_also_by_themselves() {
    let bytes = fixture("qio/ildg/ildg_d_2x3x4x5.lime");
    let folder = tempfile::tempdir().expect("a temporary folder");
    put(&folder, "f", &bytes);
    refused(&folder, &["convert", "f", "f", "--precision", "32"], b"", 2, "f exists; --force replaces it");
    assert!(read(&folder, "f") == bytes);
    assert_eq!(well(&folder, &["convert", "f", "f", "--precision", "32", "--force"], b""), "");
    let single = go(&folder, &["convert", "-", "-", "--precision", "32"], &bytes).stdout;
    assert!(read(&folder, "f") == single);
    assert_eq!(standing(&folder, "."), ["f"]);
    refused(&folder, &["convert", "none", "out"], b"", 2, "none");
    refused(&folder, &["convert", "f", "none/out"], b"", 2, "none/out");
    for wrong in ["16", "double"] {
        refused(&folder, &["convert", "f", "out", "--precision", wrong], b"", 2, "32 or 64");
    }
    let (report, _) = report("check", &single, &[]);
    assert!(findings(&report).iter().all(|(_, severity)| *severity == "warning"));
}

#[test]
#[cfg(unix)]
fn a_link_to_nothing_is_found_before_the_work_is_done() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    std::os::unix::fs::symlink("nothing", folder.path().join("out")).expect("a link");
    refused(
        &folder,
        &["convert", "-", "out"],
        b"not read",
        2,
        "out is a symbolic link to a file that does not exist; --force",
    );
}

#[test]
fn a_record_that_contradicts_itself_is_not_converted() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    for name in ["gauge_f3_4x4x4x8", "dirac_f3_2x3x4x5"] {
        let bytes = fixture(&format!("qio/single/{name}.lime"));
        let (right, wrong) = (b"<precision>F<", b"<precision>D<");
        let at = bytes.windows(13).position(|text| text == right).expect("it is present");
        let differs = [&bytes[..at], wrong, &bytes[at + 13..]].concat();
        let words = "<precision> contradicts the datatype";
        refused(&folder, &["convert", "-", "out", "--precision", "32"], &differs, 1, words);
        refused(&folder, &["convert", "-", "out"], &differs, 1, words);
    }
    let integers = fixture("qio/single/int_2x3x4x5.lime");
    let said = well(&folder, &["convert", "-", "out", "--precision", "64"], &integers);
    assert!(said.contains("is not of single or double precision and is copied unchanged"), "{said}");
    assert!(read(&folder, "out") == integers);
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_reported() {
    let device = std::path::Path::new("/dev/full");
    let input = Fixtures::Ours.join("qio/ildg/ildg_d_2x3x4x5.lime");
    let full = std::fs::File::options().write(true).open(device).expect("a device");
    let mut program = std::process::Command::new(assert_cmd::cargo::cargo_bin("linkstream"));
    let output = program.arg("convert").arg(input).arg("-").stdout(full).output().expect("the program runs");
    assert_eq!(status(&output), 2);
    assert!(said(&output).contains("standard output: No space left"), "{}", said(&output));
    // A limit on the size of files, which the temporary file exceeds.
    let folder = tempfile::tempdir().expect("a temporary folder");
    put(&folder, "in", fixture("qio/ildg/ildg_d_2x3x4x5.lime"));
    let program = assert_cmd::cargo::cargo_bin("linkstream");
    let script = "trap '' XFSZ; ulimit -f 40; exec \"$0\" convert in out";
    let mut shell = std::process::Command::new("sh");
    let output =
        shell.current_dir(folder.path()).args(["-c", script]).arg(&program).output().expect("a shell");
    assert_eq!(status(&output), 2, "{}", said(&output));
    assert!(said(&output).contains("out: File too large"), "{}", said(&output));
    assert_eq!(standing(&folder, "."), ["in"]);
}
