//! The rules about USQCD documents and propagator files, each broken once: the tests compare findings, offsets,
//! clauses, and the behaviour of each mode.

use std::collections::BTreeSet;

use linkstream::conformance::{Decoder, ErrorKind};
use linkstream::{Diagnostic as _, Mode, Severity, usqcd};

use super::cases;
use crate::field::support::build::file;
use crate::field::support::driven::{MODES, drive, restored};
use crate::field::support::run::Run;
use crate::ildg::cases::Case;

fn all() -> Vec<Case> {
    [cases::sound(), cases::documents(), cases::records()].into_iter().flatten().collect()
}

#[test]
fn each_broken_rule_is_reported_as_such() {
    for Case { name, messages, findings, fields } in all() {
        let file = file(&messages);
        let survey = Run::clean(Mode::Survey, &file, usize::MAX, name);
        let reported = survey.findings.iter().map(|error| {
            let kind = &error.kind;
            (kind.rule(), kind.clause(), kind.severity(), error.at)
        });
        let expected: Vec<_> = findings
            .iter()
            .map(|(rule, clause, severity, at)| (*rule, *clause, *severity, at.offset(&messages)))
            .collect();
        assert_eq!(reported.collect::<Vec<_>>(), expected, "{name}: {:?}", survey.findings);
        assert_eq!(survey.fields.len(), fields, "{name}");
        for (mode, least) in [(Mode::Strict, Severity::Warning), (Mode::Lenient, Severity::Error)] {
            let first = survey.findings.iter().find(|error| error.kind.severity() >= least);
            assert_eq!(Run::of(mode, &file, 7).error, first.copied(), "{name}, {mode:?}");
        }
    }
}

#[test]
fn reports_do_not_depend_on_chunks() {
    for Case { name, messages, .. } in all() {
        let file = file(&messages);
        for mode in MODES {
            let decoder = Decoder::new(mode);
            let drive = drive(&decoder, &file);
            let step = file.len() / 150 + 1;
            let cuts: Vec<usize> = (1..file.len()).step_by(step).collect();
            let whole = drive.agree_reading(name, &cuts, restored);
            drive.agree_passing(name, &whole, &[1, 2]);
        }
    }
}

/// The errors that some file of the table causes, and `NotUsqcd`, which only the parser of a document reports.
pub fn kinds() -> Vec<usqcd::ErrorKind> {
    let mut kinds = vec![usqcd::Document::parse(b"<a/>").expect_err("another document").kind];
    for Case { messages, .. } in all() {
        let run = Run::of(Mode::Survey, &file(&messages), usize::MAX);
        kinds.extend(run.findings.iter().filter_map(|error| match error.kind {
            ErrorKind::Usqcd(kind) => Some(kind),
            _ => None,
        }));
    }
    kinds
}

/// Each message is a single sentence that contains the value found.
#[test]
fn messages_are_distinct_and_name_the_record() {
    let messages: BTreeSet<String> = kinds().iter().map(ToString::to_string).collect();
    assert!(messages.len() > 30, "{messages:#?}");
    for part in [
        "in usqcdPropInfo: <spin> is 4; it must be from 0 to 3",
        "the solution with spin 0, color 2 belongs here, but this one has spin 1, color 0",
    ] {
        assert!(messages.iter().any(|message| message.contains(part)), "{part}: {messages:#?}");
    }
}
