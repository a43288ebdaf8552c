//! Files as QIO's ILDG mode writes them, and documents of SciDAC 1.0.

use serde_json::json;

use crate::common::gauge::{fixture, go, payloads, records, refused, types, well};
use crate::common::lime::{put, read, record};
use crate::common::{report, said, status};

/// A file of QIO with its record message repeated, without update numbers, which QIO does not write.
fn two_fields() -> Vec<u8> {
    let file = fixture("qio/ildg/ildg_d_2x3x4x5.lime");
    let message = records(&file)[2].offset;
    [&file[..], &file[message..]].concat()
}

#[test]
fn several_gauge_fields_in_a_file_are_converted() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = two_fields();
    put(&folder, "f", &file);
    let (found, code) = report("check", &file, &[]);
    assert_eq!((code, &found["ok"]), (0, &json!(true)), "{found}");
    for options in [&[][..], &["--to", "both"], &["--to", "scidac"], &["--precision", "32"]] {
        well(&folder, &[&["convert", "f", "out", "--force"], options].concat(), b"");
        let made = read(&folder, "out");
        assert_eq!(payloads(&made, "scidac-checksum").len(), 2, "{options:?}");
        let (found, code) = report("check", &made, &[]);
        assert_eq!((code, &found["ok"]), (0, &json!(true)), "{options:?}: {found}");
        let compared = go(&folder, &["diff", "--data", "--tolerance", "1e-6", "f", "out"], b"");
        assert_eq!(status(&compared), 0, "{options:?}: {}", said(&compared));
    }
    // Without SciDAC documents, ILDG requires update numbers.
    refused(&folder, &["convert", "f", "x", "--to", "ildg"], b"", 1, "do not distinguish them");
    well(&folder, &["convert", "f", "x", "--to", "ildg", "--field", "1"], b"");
}

/// A message of QIO's ILDG mode with the format of the whole lattice and the data of a part of it.
fn with_part(region: &str) -> Vec<u8> {
    let file = fixture("qio/single/gauge_d3_2x3x4x5.lime");
    let format = payloads(&fixture("qio/ildg/ildg_d_2x3x4x5.lime"), "ildg-format").remove(0);
    let found = records(&file);
    let text = String::from_utf8(found[2].payload.clone()).expect("text");
    let text = text.replace("<recordtype>0</recordtype>", region);
    // A time slice has 24 sites; this one has the sites with the ranks from 24 on.
    let (sites, ranks) = if region.contains("hyperlower") { (24, 24..48) } else { (1, 0..1) };
    let data = &found.iter().find(|found| found.record_type == "scidac-binary-data").expect("data").payload;
    let data = &data[..sites * 576];
    let (a, b) = host_tests::oracle::checksum(data, 576, ranks);
    let sums = format!(
        "<scidacChecksum><version>1.0</version><suma>{a:x}</suma><sumb>{b:x}</sumb></scidacChecksum>"
    );
    [
        file[..found[2].offset].to_vec(),
        record("scidac-private-record-xml", text.as_bytes(), true, false),
        record("scidac-record-xml", b"x", false, false),
        record("ildg-format", &format, false, false),
        record("ildg-binary-data", data, false, false),
        record("scidac-checksum", sums.as_bytes(), false, true),
    ]
    .concat()
}

#[test]
fn a_format_beside_a_part_of_the_lattice_is_a_quirk() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let cube = "<recordtype>2</recordtype><spacetime>4</spacetime><hyperlower>0 0 0 1 </hyperlower>\
                <hyperupper>1 2 3 1 </hyperupper>";
    for (region, words) in [(cube, "hypercube"), ("<recordtype>1</recordtype>", "global")] {
        let file = with_part(region);
        let (found, code) = report("check", &file, &[]);
        assert_eq!((code, &found["ok"]), (0, &json!(true)), "{found}");
        let quirk = &found["findings"][0];
        assert_eq!((&quirk["rule"], &quirk["severity"]), (&json!("descriptions-differ"), &json!("warning")));
        assert_eq!(found["fields"][0]["region"], words);
        put(&folder, "f", &file);
        let printed = well(&folder, &["convert", "f", "out", "--force"], b"");
        assert!(printed.contains("describes other data and is not copied"), "{printed}");
        let made = read(&folder, "out");
        assert!(types(&made).iter().all(|(_, record_type)| record_type != "ildg-format"));
        let (found, code) = report("check", &made, &[]);
        assert_eq!((code, &found["findings"]), (0, &json!([])), "{found}");
        assert_eq!(status(&go(&folder, &["diff", "--data", "f", "out"], b"")), 0);
    }
}

#[test]
fn documents_of_scidac_1_0_come_back_byte_for_byte() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let file = fixture("qio/single/gauge_d3_2x3x4x5.lime");
    let found = records(&file);
    let edited = |index: usize, edits: &[(&str, &str)]| {
        let mut text = String::from_utf8(found[index].payload.clone()).expect("text");
        for (from, to) in edits {
            assert!(text.contains(from), "{text}");
            text = text.replace(from, to);
        }
        text.into_bytes()
    };
    let old = "<version>1.0</version>";
    let new = "<version>1.1</version>";
    let private_file = edited(0, &[(new, old), ("<volfmt>0</volfmt>", "<multifile>1</multifile>")]);
    let private_record =
        edited(2, &[(new, old), ("<recordtype>0</recordtype>", "<globaldata>0</globaldata>")]);
    let mut bytes = Vec::new();
    for (index, entry) in found.iter().enumerate() {
        let payload = match index {
            0 => &private_file,
            2 => &private_record,
            _ => &entry.payload,
        };
        let ends = index == 1 || index + 1 == found.len();
        bytes.extend(record(&entry.record_type, payload, index == 0 || index == 2, ends));
    }
    put(&folder, "f", &bytes);
    well(&folder, &["convert", "f", "same"], b"");
    assert!(read(&folder, "same") == bytes);
    // A conversion to another precision keeps the version.
    well(&folder, &["convert", "f", "single", "--precision", "32"], b"");
    let single = payloads(&read(&folder, "single"), "scidac-private-record-xml").remove(0);
    let text = String::from_utf8(single).expect("text");
    assert!(
        text.contains(old) && text.contains("<globaldata>0</globaldata>") && text.contains("_F3_"),
        "{text}"
    );
}
