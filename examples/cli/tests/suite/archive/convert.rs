//! `convert`, `diff` and `export` of archives.

use host_tests::archives::milc;
use host_tests::fixtures::Fixtures;
use host_tests::{manifest, oracle};

use crate::common::gauge::{data, fixture, go, payloads, refused, well};
use crate::common::lime::put;
use crate::common::{report, said, status};
use tempfile::TempDir;

fn folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

fn converted(folder: &TempDir, bytes: &[u8], options: &[&str]) -> Vec<u8> {
    let output = go(folder, &[&["convert", "-", "-"], options].concat(), bytes);
    assert_eq!(status(&output), 0, "{options:?}: {}", said(&output));
    output.stdout
}

/// Every record equals the record of QIO's converter, except the date: that converter writes the day of the conversion.
#[test]
fn scidac_files_are_those_of_the_reference_converter() {
    let mut compared = 0;
    for entry in manifest::load(Fixtures::Ours, "qio") {
        let Some(name) = entry.path.strip_suffix(".nersc") else { continue };
        // The reference converter continues after a wrong checksum, and reads little-endian data as big endian.
        if name.contains("badsum") || name.contains("little") {
            continue;
        }
        let made = converted(&folder(), &entry.bytes(), &["--to", "scidac"]);
        let reference = Fixtures::Ours.read(&format!("qio/{name}.lime"));
        let (made_records, reference_records) = (oracle::records(&made), oracle::records(&reference));
        let types: Vec<_> = made_records.iter().map(|record| record.kind.clone()).collect();
        let reference_types: Vec<_> = reference_records.iter().map(|record| record.kind.clone()).collect();
        assert_eq!(types, reference_types, "{name}");
        for (record, other) in made_records.iter().zip(&reference_records) {
            if record.kind != b"scidac-private-record-xml" {
                let (mine, theirs) = (record.payload(&made), other.payload(&reference));
                let kind = String::from_utf8_lossy(&record.kind);
                assert!(mine == theirs, "{name} {kind}: {}", String::from_utf8_lossy(mine));
            }
        }
        compared += 1;
    }
    assert_eq!(compared, 5);
}

/// The reference converter cannot read these files. The byte order follows from the checksum.
#[test]
fn little_endian_archives_are_converted() {
    let file = fixture("qio/nersc/n3x2_f_little.nersc");
    let made = converted(&folder(), &file, &["--to", "both"]);
    let words =
        |bytes: &[u8]| bytes.chunks(4).flat_map(|word| word.iter().rev().copied()).collect::<Vec<u8>>();
    let links = data(&made);
    let first_rows: Vec<u8> = links.chunks(72).flat_map(|link| link[..48].to_vec()).collect();
    assert!(words(&first_rows) == file[422..]);
    let generic = String::from_utf8_lossy(&file[..422]).replacen("IEEE32LITTLE", "IEEE32", 1);
    let again = converted(&folder(), &[generic.as_bytes(), &file[422..]].concat(), &["--to", "both"]);
    assert!(data(&again) == links);
}

#[test]
fn a_damaged_archive_is_refused() {
    let file = fixture("qio/nersc/n3x2_f_badsum.nersc");
    refused(&folder(), &["convert", "-", "x"], &file, 1, "checksum mismatch");
}

/// A written archive reads back with the same links, observables that agree, and the lines of the original header.
#[test]
fn archives_are_written() {
    let folder = folder();
    let file = fixture("qio/nersc/n3x2_d.nersc");
    let whole = converted(&folder, &file, &["--to", "both"]);
    for (rows, count) in [("full", 3), ("reduced", 2)] {
        for (order, precision) in [("big", "64"), ("little", "64"), ("little", "32")] {
            let options = ["--to", "nersc", "--rows", rows, "--byte-order", order, "--precision", precision];
            let made = converted(&folder, &whole, &options);
            let (found, code) = report("check", &made, &[]);
            assert_eq!(
                (code, &found["fields"][0]["checksum"]),
                (0, &serde_json::json!("match")),
                "{options:?}"
            );
            assert_eq!(found["fields"][0]["links"]["rows"], count);
            assert_eq!(found["fields"][0]["recorded"][0]["agrees"], true, "{options:?}");
            let lines = found["header"].as_array().expect("lines");
            assert!(
                lines.contains(&serde_json::json!(["ENSEMBLE_LABEL", "synthetic random SU(3)"])),
                "{lines:?}"
            );
            if precision == "64" {
                let back = converted(&folder, &made, &["--to", "scidac"]);
                assert!(data(&back) == data(&whole), "{options:?}");
            }
        }
    }
    // Conversion from one NERSC archive directly to another.
    let again = converted(&folder, &file, &["--to", "nersc", "--rows", "reduced"]);
    let length = 18850 - 421;
    assert!(again[again.len() - length..] == file[file.len() - length..]);
}

#[test]
fn what_cannot_be_an_archive() {
    let folder = folder();
    let u1 = fixture("qio/alien/ildg12_u1gauge.lime");
    refused(&folder, &["convert", "-", "x", "--to", "nersc"], &u1, 1, "four links of SU(N)");
    let file = fixture("qio/nersc/n3x3_f.nersc");
    refused(&folder, &["convert", "-", "x", "--byte-order", "little"], &file, 2, "--byte-order");
    refused(
        &folder,
        &["convert", "-", "x", "--to", "nersc", "--lfn", "lfn://a"],
        &file,
        2,
        "logical file name",
    );
    let strict = ["convert", "-", "x", "--to", "nersc", "--rows", "reduced", "--tolerance", "0"];
    refused(&folder, &strict, &file, 1, "the link at site x=0 y=0 z=0 t=0 in direction x needs all its rows");
}

/// The name of a file does not choose its form.
#[test]
fn a_lime_file_called_an_archive() {
    let folder = folder();
    let file = fixture("qio/nersc/n3x3_f.nersc");
    for (out, options, is_named) in
        [("a.nersc", &[][..], true), ("b.nersc", &["--to", "nersc"], false), ("c.lime", &[], false)]
    {
        let output = go(&folder, &[&["convert", "-", out], options].concat(), &file);
        assert_eq!(status(&output), 0, "{out}: {}", said(&output));
        assert_eq!(
            said(&output).contains("--to nersc writes an archive"),
            is_named,
            "{out}: {}",
            said(&output)
        );
    }
}

/// Data in the order of a site list are sorted into natural order.
#[test]
fn milc_files_are_converted() {
    let archive = fixture("qio/nersc/n3x3_f.nersc");
    let links = &archive[425..];
    let list: Vec<u32> = (0..48).map(|n| (n * 5 + 3) % 48).collect();
    let listed: Vec<u8> =
        list.iter().flat_map(|rank| links[*rank as usize * 288..][..288].to_vec()).collect();
    let swap =
        |bytes: &[u8]| bytes.chunks(4).flat_map(|word| word.iter().rev().copied()).collect::<Vec<u8>>();
    let folder = folder();
    for file in [
        milc([2, 2, 3, 4], None, links, true),
        milc([2, 2, 3, 4], None, &swap(links), false),
        milc([2, 2, 3, 4], Some(&list), &listed, true),
        milc([2, 2, 3, 4], Some(&list), &swap(&listed), false),
    ] {
        let made = converted(&folder, &file, &["--to", "both"]);
        assert!(data(&made) == links);
        let record = String::from_utf8(payloads(&made, "scidac-private-record-xml").concat()).expect("text");
        assert!(record.contains("<date>Tue Jan  2 03:04:05 2024</date>"), "{record}");
        assert!(converted(&folder, &file, &["--to", "nersc"]).ends_with(links));
    }
}

#[test]
fn archives_are_compared_and_exported() {
    let folder = folder();
    let file = fixture("qio/nersc/n3x3_d.nersc");
    put(&folder, "a.nersc", &file);
    put(&folder, "a.lime", converted(&folder, &file, &["--to", "ildg"]));
    well(&folder, &["diff", "--data", "a.nersc", "a.lime"], b"");
    put(&folder, "b.nersc", fixture("qio/nersc/n3x2_d.nersc"));
    assert_eq!(status(&go(&folder, &["diff", "a.nersc", "b.nersc"], b"")), 1);
    well(&folder, &["export", "a.nersc", "a.npy"], b"");
    well(&folder, &["export", "a.lime", "b.npy"], b"");
    let read = |name: &str| std::fs::read(folder.path().join(name)).expect("the program wrote the file");
    assert!(read("a.npy") == read("b.npy"));
}

/// Texts that programs write where there is none are not mentioned, and header lines are carried over.
#[test]
fn texts_of_the_user_that_an_archive_cannot_hold_are_named() {
    let folder = folder();
    put(&folder, "lat", fixture("qio/single/gauge_f3_4x4x4x8.lime"));
    let said = well(&folder, &["convert", "lat", "lat.nersc", "--to", "nersc"], b"");
    for record in ["scidac-file-xml", "scidac-record-xml"] {
        let warning = format!("warning: the user's text in {record} is left out: only SciDAC files have one");
        assert!(said.contains(&warning), "{said}");
    }
    well(&folder, &["convert", "lat.nersc", "again", "--to", "both"], b"");
    well(&folder, &["convert", "again", "ildg", "--to", "ildg"], b"");
    well(&folder, &["convert", "ildg", "plain", "--to", "both"], b"");
    for file in ["again", "ildg", "plain"] {
        let said = well(&folder, &["convert", file, "-", "--to", "nersc"], b"");
        assert!(!said.contains("left out"), "{file}: {said}");
    }
}
