//! `usqcdInfo` with plaquette and link trace (QIO 2.3, appendix A.1), which the program computes.

use tempfile::TempDir;

use crate::common::gauge::{data, fixture, go, payloads, refused, well};
use crate::common::lime::{put, read};
use crate::common::{report, said, status};

fn folder() -> TempDir {
    tempfile::tempdir().expect("a temporary folder")
}

/// The record XML, which must be the only one.
fn text(file: &[u8]) -> String {
    let texts = payloads(file, "scidac-record-xml");
    assert_eq!(texts.len(), 1);
    String::from_utf8(texts[0].clone()).expect("text").trim_matches(['\0', ' ']).to_owned()
}

fn element<'t>(text: &'t str, name: &str) -> &'t str {
    let (_, rest) = text.split_once(&format!("<{name}>")).expect(text);
    rest.split_once(&format!("</{name}>")).expect(text).0
}

/// Checks that the document states what `check` computes, with at least these many digits.
fn states_its_observables(file: &[u8], digits: usize) {
    let (found, code) = report("check", file, &[]);
    let findings = found["findings"].as_array().expect("a list");
    assert!(findings.iter().all(|finding| finding["rule"] == "ildg-lfn-missing") && code == 0, "{found}");
    assert_eq!(found["usqcd"]["format"], "lattice", "{found}");
    let text = text(file);
    assert!(text.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?><usqcdInfo><version>1.0</version>"));
    for (name, computed) in [("plaq", "plaquette"), ("linktr", "link_trace")] {
        let stored = element(&text, name);
        assert_eq!(stored.split_once('.').map(|(_, digits)| digits.len()), Some(digits), "{text}");
        let difference = stored.parse::<f64>().expect("a number")
            - found["fields"][0][computed].as_f64().expect("a number");
        assert!(difference.abs() <= 0.5 * 0.1_f64.powi(digits as i32), "{text}: {found}");
    }
    let recorded = found["fields"][0]["recorded"].as_array().expect("a list");
    assert_eq!(recorded.len(), 2, "{found}");
}

#[test]
fn a_gauge_field_of_any_form_gets_its_plaquette_and_link_trace() {
    let folder = folder();
    let sample = go(&folder, &["sample", "-"], b"").stdout;
    let plain = go(&folder, &["ildg", "make", "-", "--from", "-"], &sample).stdout;
    // The document is for the datatype of USQCD.
    put(&folder, "quda", fixture("foreign/22-quda-gauge-D.lime"));
    well(&folder, &["convert", "quda", "out.lime", "--to", "both"], b"");
    assert!(!text(&read(&folder, "out.lime")).contains("usqcdInfo"));
    let inputs = [(plain, 7), (fixture("foreign/20f-openqcd"), 15), (fixture("foreign/09-bqcd.ildg"), 15)];
    for ((input, digits), to) in
        inputs.into_iter().flat_map(|input| ["both", "scidac"].map(|to| (input.clone(), to)))
    {
        put(&folder, "in", input);
        well(&folder, &["convert", "in", "out.lime", "--force", "--to", to], b"");
        states_its_observables(&read(&folder, "out.lime"), digits);
        // Nothing of it is the user's, so that nothing is lost, and the numbers follow the precision.
        let said = well(&folder, &["convert", "out.lime", "again.ildg", "--to", "ildg", "--force"], b"");
        assert!(!said.contains("user's text"), "{said}");
        let (precision, digits) = if digits == 7 { ("64", 15) } else { ("32", 7) };
        let again = ["convert", "out.lime", "again.lime", "--force", "--precision", precision, "--to", to];
        well(&folder, &again, b"");
        states_its_observables(&read(&folder, "again.lime"), digits);
    }
}

#[test]
fn a_title_replaces_the_text_about_the_field() {
    let folder = folder();
    let sample = go(&folder, &["sample", "-"], b"").stdout;
    put(
        &folder,
        "mine",
        go(&folder, &["ildg", "make", "-", "--scidac", "--record-xml", "beta", "--from", "-"], &sample)
            .stdout,
    );
    let to_both = |title: &[&str]| {
        let said =
            well(&folder, &[&["convert", "mine", "out", "--force", "--to", "both"], title].concat(), b"");
        (text(&read(&folder, "out")), said)
    };
    assert_eq!(to_both(&[]).0, "beta");
    let (found, said) = to_both(&["--title", "a < b & \"c\""]);
    assert_eq!(element(&found, "info"), "a &lt; b &amp; &quot;c&quot;");
    let words = "the user's text in scidac-record-xml is left out: usqcdInfo with the title replaces it";
    assert!(said.contains(words), "{said}");
    states_its_observables(&read(&folder, "out"), 7);
    // It is a text of the user from now on.
    let again = well(&folder, &["convert", "out", "again.ildg", "--to", "ildg"], b"");
    assert!(again.contains("the user's text in scidac-record-xml is left out"), "{again}");
    let long = "x".repeat(1000);
    for (options, words) in [
        (&["--to", "ildg", "--title", "t"][..], "--title is for files with SciDAC documents"),
        (&["--title", "t"], "--title is for files with SciDAC documents"),
        (&["--to", "both", "--title", &long], "the title is too long"),
        (&["--to", "both", "--title", "\u{1}"], "XML cannot hold the character"),
    ] {
        let code = if options.contains(&long.as_str()) { 1 } else { 2 };
        refused(&folder, &[&["convert", "mine", "new"], options].concat(), b"", code, words);
    }
    put(&folder, "su2", fixture("foreign/03-grid-su2-full.nersc"));
    let mut damaged = fixture("foreign/22-quda-gauge-D.lime");
    damaged[100_000] ^= 1;
    let titled = ["convert", "-", "new", "--to", "both", "--lfn", "lfn://a/b", "--title", "t", "--damaged"];
    refused(&folder, &titled, &damaged, 1, "damaged data get no usqcdInfo");
    let su2 = ["convert", "su2", "new", "--to", "both", "--title", "t"];
    refused(&folder, &su2, b"", 1, "a title is for the usqcdInfo of a gauge field of SU(3)");
}

#[test]
fn ildg_make_and_file_sets_have_the_document() {
    let folder = folder();
    let sample = go(&folder, &["sample", "-"], b"").stdout;
    put(&folder, "raw", data(&sample));
    put(&folder, "sample", &sample);
    let raw = ["--data", "raw", "--extents", "4x4x4x8", "--precision", "32"];
    for from in [&raw[..], &["--from", "sample"]] {
        let make = [&["ildg", "make", "out", "--force", "--scidac", "--title", "mine"], from].concat();
        well(&folder, &make, b"");
        let made = read(&folder, "out");
        assert_eq!(element(&text(&made), "info"), "mine");
        states_its_observables(&made, 7);
    }
    well(&folder, &[&["ildg", "make", "out", "--force", "--scidac"], &raw[..]].concat(), b"");
    states_its_observables(&read(&folder, "out"), 7);
    for to in ["both", "scidac"] {
        let set =
            ["convert", "sample", "set", "--force", "--to", to, "--volumes", "2x1x2x2", "--title", "mine"];
        well(&folder, &set, b"");
        assert_eq!(element(&text(&read(&folder, "set.vol0000")), "info"), "mine");
        assert_eq!(payloads(&read(&folder, "set.vol0001"), "scidac-record-xml").len(), 0);
        well(&folder, &["convert", "set", "joined", "--force"], b"");
        states_its_observables(&read(&folder, "joined"), 7);
    }
}

#[test]
fn numbers_of_damaged_links_are_not_recorded() {
    let folder = folder();
    let mut sample = go(&folder, &["sample", "-"], b"").stdout;
    sample[100_000] ^= 1;
    let output = go(&folder, &["convert", "-", "out", "--to", "both", "--damaged"], &sample);
    assert_eq!(status(&output), 0, "{}", said(&output));
    assert!(!text(&read(&folder, "out")).contains("usqcdInfo"));
}

#[test]
fn a_file_of_the_format_without_its_document_is_named() {
    let folder = folder();
    let sample = go(&folder, &["sample", "-"], b"").stdout;
    let check = |file: &[u8]| String::from_utf8(go(&folder, &["check", "-"], file).stdout).expect("text");
    let remark = "no usqcdInfo records the observables (USQCD Lattice Format)";
    assert!(check(&sample).contains(remark));
    let with = go(&folder, &["ildg", "make", "-", "--scidac", "--title", "", "--from", "-"], &sample).stdout;
    for other in [with, fixture("foreign/22-quda-gauge-D.lime"), fixture("foreign/09-bqcd.ildg")] {
        assert!(!check(&other).contains(remark));
    }
}
