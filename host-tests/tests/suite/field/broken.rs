//! The deliberately broken files: the findings in each, with offset and severity.
//!
//! The table contains all findings in order. The behaviour of each mode follows: strict mode ends at the first warning
//! or error, lenient mode at the first error, survey mode only if nothing after it can be read. The manifest's `should`
//! is compared with the table as well.

use std::collections::BTreeSet;

use crate::field::broken_table::{At, Case, Fate, Finding};
use crate::field::support::run::{Reported, Run};
use host_tests::fixtures::Fixtures;
use host_tests::manifest::{Entry, load};
use host_tests::oracle::{self, Record};
use linkstream::conformance::ErrorKind;
use linkstream::field::Verdict;
use linkstream::{Error, Mode, Severity};

impl At {
    fn offset(&self, records: &[Record], file: &[u8]) -> u64 {
        let payload = |n: usize| (records[n].payload_offset, records[n].payload(file));
        match *self {
            Self::Record(n) => records[n].offset,
            Self::Flags(n) => records[n].offset + 6,
            Self::Payload(n) => payload(n).0,
            Self::TextEnd(n) => payload(n).0 + payload(n).1.len() as u64,
            Self::Text(n, text) => place_of(payload(n), text, 0),
            Self::Second(n, text) => place_of(payload(n), text, 1),
            Self::After(n, text) => place_of(payload(n), text, 0) + text.len() as u64,
            Self::FileEnd => file.len() as u64,
        }
    }
}

/// Absolute offset of the `nth` occurrence of `text` in a payload.
fn place_of((offset, payload): (u64, &[u8]), text: &str, nth: usize) -> u64 {
    let places = payload.windows(text.len()).enumerate().filter(|(_, window)| *window == text.as_bytes());
    offset + places.map(|(at, _)| at).nth(nth).unwrap_or_else(|| panic!("no {text}")) as u64
}

/// The findings that a mode must report before it ends, and the error that ends it.
fn outcome(
    findings: &[(Severity, Error<ErrorKind>)],
    refused: fn(Severity) -> bool,
) -> (Vec<Error<ErrorKind>>, Option<Error<ErrorKind>>) {
    let end = findings.iter().position(|(severity, _)| refused(*severity));
    let reported = findings.iter().take(end.unwrap_or(findings.len())).map(|(_, error)| *error);
    (reported.collect(), end.map(|end| findings[end].1))
}

fn fate(reported: &Reported) -> Fate {
    match (reported.ended, reported.verdict) {
        (_, None) => Fate::Cut,
        (true, Some(Verdict::Match { .. })) => Fate::Match,
        (true, Some(Verdict::Mismatch { .. })) => Fate::Mismatch,
        (true, Some(Verdict::Absent { .. })) => Fate::Absent,
        (true, Some(Verdict::Unchecked)) => Fate::NotCompared,
        other => panic!("{other:?}"),
    }
}

/// Verifies the requirement of the manifest.
fn assert_should(entry: &Entry, findings: &[Finding], survey: &Run) {
    let refused = findings.iter().any(|(severity, ..)| *severity != Severity::Info);
    let should = entry.should.as_deref().expect("a broken file has a requirement");
    let place = format!("{}: should {should:?}, found {findings:?}", entry.path);
    match should {
        "error" | "error if above the supported number of dimensions" => assert!(refused, "{place}"),
        "error or warning" => assert!(!findings.is_empty(), "{place}"),
        "accept with a warning (LFN may be appended later)" => {
            assert!(!refused && !findings.is_empty(), "{place}");
        }
        _ if should.starts_with("report \"checksum absent\"") => {
            assert!(!refused && survey.rules() == ["checksum-absent"], "{place}");
        }
        // QIO reads this file as one without records, but a job that ends too early leaves the same.
        "accept: zero records" => assert!(refused, "{place}"),
        "accept with unknown precision" => assert!(!refused, "{place}"),
        // Both are allowed; the table contains the choice.
        "accept or typed error" => {}
        _ if should.contains("accept") => assert!(findings.is_empty(), "{place}"),
        _ => panic!("{place}: unknown requirement"),
    }
}

fn check(entry: &Entry, case: &Case) {
    let file = entry.bytes();
    let records = oracle::records(&file);
    let findings: Vec<(Severity, Error<ErrorKind>)> = case
        .findings
        .iter()
        .map(|(severity, at, kind)| (*severity, Error::new(at.offset(&records, &file), *kind)))
        .collect();

    for chunk in [usize::MAX, 7] {
        let place = format!("{} in chunks of {chunk}", entry.path);
        for (mode, refused) in [
            (Mode::Strict, (|w| w != Severity::Info) as fn(Severity) -> bool),
            (Mode::Lenient, |w| matches!(w, Severity::Error | Severity::Fatal)),
            (Mode::Survey, |w| w == Severity::Fatal),
        ] {
            let run = Run::of(mode, &file, chunk);
            let (reported, error) = outcome(&findings, refused);
            assert_eq!(run.findings, reported, "{place}, {mode:?}: findings");
            assert_eq!(run.error, error, "{place}, {mode:?}: error");
            let fates: Vec<Fate> = run.fields.iter().map(fate).collect();
            match mode {
                Mode::Survey => assert_eq!(fates, case.fields, "{place}: fields"),
                // Everything read before the error is read in survey mode, too.
                _ if error.is_some() => assert!(fates.len() <= case.fields.len(), "{place}"),
                _ => assert_eq!(fates, case.fields, "{place}, {mode:?}: fields"),
            }
            if mode == Mode::Survey {
                assert_should(entry, case.findings, &run);
            }
        }
    }
}

#[test]
fn every_broken_file_is_reported_as_the_table_has_it() {
    let entries = load(Fixtures::Ours, "broken");
    let broken = |entry: &&Entry| entry.path.starts_with("scidac/") || entry.path.starts_with("ildg/");
    let named: BTreeSet<&str> = entries.iter().filter(broken).map(|entry| &*entry.path).collect();
    let listed: Vec<String> =
        crate::field::broken_table::CASES.iter().map(|case| format!("{}.lime", case.path)).collect();
    assert_eq!(listed.len(), 104);
    assert_eq!(
        named,
        listed.iter().map(String::as_str).collect(),
        "table and manifest must contain the same files"
    );
    for case in crate::field::broken_table::CASES {
        let path = format!("{}.lime", case.path);
        check(entries.iter().find(|entry| entry.path == path).expect("listed"), case);
    }
}

fn survey(name: &str) -> Run {
    let file = Fixtures::Ours.read(&format!("broken/{name}.lime"));
    Run::clean(Mode::Strict, &file, usize::MAX, name)
}

/// Compares values that follow the documents that must be accepted.
#[test]
fn accepted_documents_have_the_intended_values() {
    let datatypes = [
        ("scidac/rec-entity", "QDP_F&Real"),
        ("scidac/rec-selfclosing-blank", ""),
        ("scidac/rec-xml-comment", "QDP_F_Real"),
        ("scidac/rec-long-tag", "QDP_F_Real"),
        ("scidac/xml-nul-garbage", "QDP_F_Real"),
    ];
    for (name, datatype) in datatypes {
        let run = survey(name);
        assert_eq!(run.fields[0].record.as_ref().expect("reported").datatype, datatype, "{name}");
    }
    let run =
        Run::of(Mode::Lenient, &Fixtures::Ours.read("broken/scidac/rec-precision-wrong.lime"), usize::MAX);
    assert_eq!((run.rules(), run.error), (vec!["scidac-record-contradiction"], None));
    assert_eq!(run.fields[0].record.as_ref().expect("reported").precision, "Q");
    assert_eq!(run.fields[0].field.precision, None);
    assert!(run.fields[0].sites.iter().all(|site| site.numbers.is_empty() && site.bytes.len() == 4));
    let run = survey("ildg/nan-payload");
    let numbers = run.fields[0].sites.iter().flat_map(|site| &site.numbers);
    assert_eq!(numbers.filter(|number| number.is_nan()).count(), 32 * 72);
    assert!(run.fields[0].sites.iter().all(|site| site.links.iter().all(|link| !link.unphysical)));
}
