//! `check` and `inspect` of archives.

use host_tests::archives::{milc, milc_sums, noise};
use host_tests::fixtures::Fixtures;
use host_tests::manifest;
use serde_json::{Value, json};

use crate::common::report;

/// Severity and rule of each finding.
fn findings(report: &Value) -> Vec<(&str, &str)> {
    let all = report["findings"].as_array().expect("an array").iter();
    all.map(|finding| {
        let text = |key: &str| finding[key].as_str().expect("text");
        (text("severity"), text("rule"))
    })
    .collect()
}

fn archive(name: &str) -> Vec<u8> {
    Fixtures::Ours.read(&format!("qio/nersc/{name}.nersc"))
}

/// The observables and checksums of every archive agree with the manifest, for both byte orders.
#[test]
fn archives_are_verified_and_measured() {
    let entries = manifest::load(Fixtures::Ours, "qio");
    let mut checked = 0;
    for entry in entries.iter().filter(|entry| entry.path.ends_with(".nersc")) {
        let is_bad = entry.path.contains("badsum");
        let (found, code) = report("check", &entry.bytes(), &[]);
        let path = &entry.path;
        assert_eq!((&found["format"], code), (&json!("nersc"), i32::from(is_bad)), "{path}");
        let field = &found["fields"][0];
        assert_eq!((&field["region"], &field["source"]), (&json!("lattice"), &json!("nersc")), "{path}");
        assert_eq!(field["extents"], json!(entry.dims()), "{path}");
        assert_eq!(field["links"]["rows"], json!(entry.rows), "{path}");
        let number = |key: &str| field[key].as_u64().expect("a number");
        let end = number("offset") + number("sites") * number("bytes_per_site");
        assert_eq!(end, entry.bytes().len() as u64, "{path}");
        let order = if path.contains("little") { "little" } else { "big" };
        assert_eq!(field["byte_order"], order, "{path}");
        let tolerance = if entry.precision.as_deref() == Some("D") { 1e-12 } else { 1e-7 };
        for (key, value) in [("plaquette", entry.plaquette), ("link_trace", entry.link_trace)] {
            let difference = field[key].as_f64().expect("measured") - value.expect("in the manifest");
            assert!(difference.abs() < tolerance, "{path} {key} {difference:e}");
        }
        let sum = format!("{:08x}", entry.nersc_checksum.expect("in the manifest"));
        assert_eq!(field["checksums"][0]["stored"], sum, "{path}");
        assert_eq!(field["checksum"], if is_bad { "mismatch" } else { "match" }, "{path}");
        let agrees: Vec<_> =
            field["recorded"].as_array().expect("two").iter().map(|entry| &entry["agrees"]).collect();
        assert_eq!(agrees, [&json!(true), &json!(true)], "{path}");
        let expected: &[(&str, &str)] = if is_bad { &[("error", "nersc-checksum")] } else { &[] };
        assert_eq!(findings(&found), expected, "{path}");
        checked += 1;
    }
    assert_eq!(checked, 7);
}

#[test]
fn a_header_with_another_plaquette_is_an_error() {
    let file = archive("n3x3_d");
    let text = String::from_utf8_lossy(&file[..423]).replacen("0.0069101006", "0.0169101006", 1);
    let (found, code) = report("check", &[text.as_bytes(), &file[423..]].concat(), &[]);
    assert_eq!((findings(&found), code), (vec![("error", "recorded-plaquette-differs")], 1));
    assert_eq!(found["fields"][0]["recorded"][0]["agrees"], false);
}

#[test]
fn a_header_that_cannot_be_read_describes_no_field() {
    let (found, code) = report("check", &archive("n3x3_d")[..100], &[]);
    assert_eq!((&found["format"], &found["fields"], code), (&json!("nersc"), &json!([]), 1));
    assert!(!found["header"].as_array().expect("lines").is_empty());
}

#[test]
fn inspect_reads_no_data() {
    let (found, code) = report("inspect", &archive("n3x2_f_generic32"), &[]);
    assert_eq!((&found["verdict"], code), (&json!("unverified"), 0));
    let field = &found["fields"][0];
    assert_eq!((&field["byte_order"], &field["checksums"][0]["computed"]), (&json!(null), &json!(null)));
    assert!(found["header"].as_array().expect("lines").contains(&json!(["SEQUENCE_NUMBER", "1"])));
}

#[test]
fn milc_files_are_verified() {
    let data = noise(2 * 288);
    for is_big in [true, false] {
        let (sum29, sum31) = milc_sums(&data, is_big);
        let (found, code) = report("check", &milc([2, 1, 1, 1], None, &data, is_big), &["--no-observables"]);
        assert_eq!((&found["format"], &found["verdict"], code), (&json!("milc"), &json!("ok"), 0));
        let field = &found["fields"][0];
        assert_eq!((&field["source"], &field["site_list"]), (&json!("milc"), &json!(false)));
        assert_eq!(field["byte_order"], if is_big { "big" } else { "little" });
        let sums = [("sum29", sum29), ("sum31", sum31)].map(|(name, sum)| {
            let sum = format!("{sum:08x}");
            json!({"name": name, "stored": sum, "computed": sum})
        });
        assert_eq!(field["checksums"], json!(sums));
        let mut damaged = milc([2, 1, 1, 1], None, &data, is_big);
        damaged[200] ^= 1;
        let (found, code) = report("check", &damaged, &["--no-observables"]);
        assert_eq!((findings(&found), code), (vec![("error", "milc-checksum")], 1));
    }
}

/// A MILC file and an archive with the same links have equal observables.
#[test]
fn milc_files_are_measured() {
    let file = archive("n3x3_f");
    let (of_archive, _) = report("check", &file, &[]);
    let swapped: Vec<u8> = file[425..].chunks(4).flat_map(|word| word.iter().rev().copied()).collect();
    for (data, is_big) in [(&file[425..], true), (&swapped, false)] {
        let (found, code) = report("check", &milc([2, 2, 3, 4], None, data, is_big), &[]);
        assert_eq!(code, 0);
        for key in ["plaquette", "link_trace", "planes", "max_unitarity_deviation"] {
            assert_eq!(found["fields"][0][key], of_archive["fields"][0][key], "{key}");
        }
    }
}

/// The finding about links without a description contains the command that wraps them.
#[test]
fn bare_links_can_be_wrapped() {
    let record = crate::common::lime::record("ildg-binary-data", &[0; 64], true, true);
    let (found, _) = report("check", &record, &[]);
    let message = found["findings"][0]["message"].as_str().expect("a message");
    assert!(
        message.contains("`linkstream lime extract --damaged FILE 1 1 | linkstream ildg make OUT --data -"),
        "{message}"
    );
}
