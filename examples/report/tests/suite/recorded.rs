//! Tests of observables in the texts of files, which are compared with the data.

use host_tests::fixtures::Fixtures;
use linkstream::lime::Header;
use serde_json::{Value, json};

use crate::support::{self, CHECK, report};

/// The findings about recorded observables, and all recorded observables of the only field.
fn recorded(bytes: &[u8]) -> (Vec<String>, Vec<Value>) {
    let line = support::json(&report(bytes, &CHECK));
    let findings = line["findings"].as_array().expect("the entry is a list").iter();
    let rules =
        findings.filter_map(|finding| finding["rule"].as_str()).filter(|rule| rule.starts_with("recorded-"));
    let rules = rules.map(str::to_owned).collect();
    (rules, line["fields"][0]["recorded"].as_array().expect("the entry is a list").clone())
}

fn agreement(recorded: &[Value]) -> Vec<(&str, &Value)> {
    recorded
        .iter()
        .map(|entry| (entry["quantity"].as_str().expect("the value is a string"), &entry["agrees"]))
        .collect()
}

#[test]
fn converted_nersc_archives_agree_in_all_precisions() {
    for name in ["n3x2_d", "n3x2_f", "n3x3_d", "n3x3_f", "n3x2_d_ildg", "n3x3_f_ildg"] {
        let (findings, recorded) = recorded(&Fixtures::Ours.read(&format!("qio/nersc/{name}.lime")));
        assert_eq!(findings, [""; 0], "{name}: {recorded:?}");
        let yes = json!(true);
        let expected = [("plaquette", &yes), ("link_trace", &yes), ("nersc_checksum", &yes)];
        assert_eq!(agreement(&recorded), expected, "{name}");
    }
}

#[test]
fn a_wrong_nersc_checksum_is_found_though_that_of_scidac_is_right() {
    let (findings, recorded) = recorded(&Fixtures::Ours.read("qio/nersc/n3x2_f_badsum.lime"));
    assert_eq!(findings, ["recorded-checksum-differs"]);
    let checksum = recorded.last().expect("the file records three figures");
    assert_eq!((&checksum["quantity"], &checksum["agrees"]), (&json!("nersc_checksum"), &json!(false)));
    assert_eq!(
        (&checksum["recorded"], &checksum["record"]),
        (&json!("83b93876"), &json!("scidac-record-xml"))
    );
    let computed = checksum["computed"].as_str().expect("the value is a string");
    assert!(computed.len() == 8 && computed != "83b93876", "{computed}");
}

#[test]
fn figures_of_grid_are_in_two_documents() {
    let (findings, recorded) = recorded(&Fixtures::Ours.read("qio/alien/grid_style.lime"));
    assert_eq!(findings, [""; 0], "{recorded:?}");
    assert_eq!(recorded.iter().filter(|entry| entry["agrees"] == true).count(), 4, "{recorded:?}");
    assert_eq!(
        (&recorded[0]["record"], &recorded[2]["record"]),
        (&json!("scidac-file-xml"), &json!("scidac-record-xml"))
    );
}

/// The sample, followed by a message with a norm, as Grid writes it. The links are in SU(3), so their squared norm is
/// 12 per site.
fn sample_with_norm(norm: &str) -> Vec<u8> {
    let mut file = Fixtures::Ours.read("../../examples/su3-4x4x4x8.lime");
    let text = format!(
        "<?xml version=\"1.0\"?>\n<FieldNormMetaData>\n  <norm2>{norm}</norm2>\n</FieldNormMetaData>\n"
    );
    let header =
        Header::new(b"FieldNormMetaData", text.len() as u64, true, true).expect("the header is valid");
    file.extend_from_slice(header.as_bytes());
    file.extend_from_slice(text.as_bytes());
    file.resize(file.len().next_multiple_of(8), 0);
    file
}

#[test]
fn norms_of_grid_are_compared_as_exactly_as_they_are_printed() {
    for (norm, agrees) in [("6144", true), ("6.1440e+03", true), ("6146", false), ("6.1500e+03", false)] {
        let (findings, recorded) = recorded(&sample_with_norm(norm));
        assert_eq!(findings.is_empty(), agrees, "{norm}: {recorded:?}");
        assert!(findings.iter().all(|rule| rule == "recorded-norm-differs"), "{findings:?}");
        let found = recorded.last().expect("the file records a norm");
        assert_eq!((&found["quantity"], &found["agrees"]), (&json!("norm2"), &json!(agrees)), "{found}");
        let computed = found["computed"].as_f64().expect("the value is a number");
        assert!((computed - 6144.0).abs() < 1e-2, "{computed}");
    }
}

#[test]
fn a_wrong_plaquette_is_an_error_with_both_values() {
    let bytes = Fixtures::Ours.read("qio/alien/tmlqcd_style.lime");
    let report = report(&bytes, &CHECK);
    assert_eq!(report.verdict().as_str(), "wrong");
    let line = support::json(&report);
    let entry = &line["fields"][0]["recorded"][0];
    assert_eq!(
        (&entry["quantity"], &entry["recorded"], &entry["agrees"]),
        (&json!("plaquette"), &json!("0.123"), &json!(false))
    );
    assert_eq!(entry["computed"], line["fields"][0]["plaquette"]);
    let findings = line["findings"].as_array().expect("the entry is a list");
    let finding = findings
        .iter()
        .find(|finding| finding["rule"] == "recorded-plaquette-differs")
        .expect("the difference is reported");
    assert_eq!((&finding["severity"], &finding["offset"]), (&json!("error"), &json!(0)));
    let message = finding["message"].as_str().expect("the value is a string");
    assert_eq!(message, "xlf-info records 0.123 as plaquette, but the data give 0.015105329");
}

#[test]
fn what_is_not_computed_is_not_compared() {
    let bytes = Fixtures::Ours.read("qio/nersc/n3x2_d.lime");
    let inspect = linkstream_report::options::Options { read_data: false, ..CHECK };
    let line = support::json(&report(&bytes, &inspect));
    for entry in line["fields"][0]["recorded"].as_array().expect("the entry is a list") {
        assert_eq!((&entry["agrees"], &entry["computed"]), (&Value::Null, &Value::Null));
    }
    assert_eq!(line["findings"], json!([]));
}
