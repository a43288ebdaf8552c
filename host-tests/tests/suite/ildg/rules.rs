//! Each rule of ILDG 1.2, section 2 and appendix A.1, is broken once: the tests compare findings, offsets, clauses, and
//! the behaviour of each mode.

use std::collections::BTreeSet;

use crate::field::support::build::file;
use crate::field::support::driven::{MODES, drive, restored};
use crate::field::support::ildg;
use crate::field::support::run::Run;
use crate::ildg::cases::scidac::{scidac_file, scidac_message};
use crate::ildg::cases::{Case, records, schema, scidac};
use linkstream::Severity;
use linkstream::conformance::{Decoder, ErrorKind};
use linkstream::field::{self, EncodeErrorKind, Encoder, OutgoingMessage, Verdict};
use linkstream::ildg::{Format, GaugeKind};
use linkstream::lattice::Precision;
use linkstream::{Decode as _, Diagnostic, Error, Mode};

fn cases() -> Vec<Case> {
    [
        records::order(),
        records::uniqueness(),
        records::texts(),
        schema::schema(),
        scidac::mixed(),
        scidac::scidac(),
        scidac::contradictions(),
    ]
    .into_iter()
    .flatten()
    .collect()
}

#[test]
fn each_broken_rule_is_reported_as_such() {
    for Case { name, messages, findings, fields } in cases() {
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
        assert_eq!(reported.collect::<Vec<_>>(), expected, "{name}");
        assert_eq!(survey.fields.len(), fields, "{name}");
        for (mode, least) in [(Mode::Strict, Severity::Warning), (Mode::Lenient, Severity::Error)] {
            let first = survey.findings.iter().find(|error| error.kind.severity() >= least);
            let run = Run::of(mode, &file, 7);
            assert_eq!(run.error, first.copied(), "{name}, {mode:?}");
            assert!(first.is_some() || run.fields.len() == fields, "{name}, {mode:?}");
        }
    }
}

#[test]
fn reports_do_not_depend_on_chunks() {
    for Case { name, messages, .. } in cases() {
        let file = file(&messages);
        for mode in MODES {
            let decoder = Decoder::new(mode);
            let drive = drive(&decoder, &file);
            let step = if host_tests::long::is_wanted() && file.len() < 2000 { 1 } else { 17 };
            let cuts: Vec<usize> = (1..file.len()).step_by(step).collect();
            let whole = drive.agree_reading(name, &cuts, restored);
            drive.agree_passing(name, &whole, &[1, 2]);
        }
    }
}

/// The events other than findings, with payload combined, and the findings.
fn events<K, D>(mut decoder: D, file: &[u8]) -> (Vec<String>, Vec<Error<K>>)
where
    K: Diagnostic,
    D: linkstream::Decode<Event = field::Event<K>, ErrorKind = K>,
{
    let (mut events, mut findings, mut rest) = (Vec::<String>::new(), Vec::new(), file);
    loop {
        let step = decoder.push(rest).expect("surveyed");
        rest = &rest[step.consumed..];
        let ended = step.event.is_none();
        match if ended { decoder.finish().expect("surveyed") } else { step.event } {
            Some(field::Event::Finding(error)) => findings.push(error),
            Some(field::Event::Payload) if events.last().is_some_and(|last| last == "Payload") => {}
            Some(event) => events.push(format!("{event:?}")),
            None => return (events, findings),
        }
    }
}

/// A decoder without conformance rules reports the same events and, among findings, only those about unreadable or
/// wrong data.
#[test]
fn the_conformance_decoder_only_adds_findings() {
    let (mut judged_only, mut both) = (0, 0);
    for case in cases() {
        let (name, file) = (case.name, file(&case.messages));
        let (read, faults) = events(field::Decoder::new(Mode::Survey), &file);
        let (judged, findings) = events(Decoder::new(Mode::Survey), &file);
        assert_eq!(read, judged, "{name}");
        let mut later = findings.iter();
        for fault in &faults {
            assert!(
                later.any(|finding| *finding == Error::new(fault.at, fault.kind.into())),
                "{name}: {fault}"
            );
            let framing = matches!(fault.kind, field::ErrorKind::Lime(_));
            assert!(framing || fault.kind.severity() >= Severity::Error, "{name}: {fault}");
        }
        both += faults.len();
        judged_only += findings.len() - faults.len();
    }
    assert!(both > 15 && judged_only > 40, "{both} {judged_only}");
}

#[test]
fn every_rule_has_a_file_that_breaks_it() {
    let mut reached: BTreeSet<String> = BTreeSet::new();
    for case in cases() {
        let run = Run::of(Mode::Survey, &file(&case.messages), usize::MAX);
        reached.extend(run.rules().into_iter().map(str::to_owned));
    }
    let mut changed = scidac_message();
    changed[2].1[0] ^= 1;
    let run = Run::of(Mode::Survey, &file(&[scidac_file(), changed]), usize::MAX);
    assert!(matches!(run.fields[0].verdict, Some(Verdict::Mismatch { .. })));
    reached.extend(run.rules().into_iter().map(str::to_owned));
    // These require reading the links; see `boundaries.rs`.
    reached.extend(["ildg-link-unphysical", "ildg-boundary-mixed"].map(str::to_owned));

    let rules = [ErrorKind::RULES, field::ErrorKind::RULES].concat();
    assert!(rules.len() > 30, "{rules:?}");
    let missing: Vec<_> = rules.iter().filter(|rule| !reached.contains(rule.name)).collect();
    assert!(missing.is_empty(), "no file breaks {missing:?}");
}

/// A namespace prefix does not change what is read.
#[test]
fn a_prefix_is_only_another_way_of_writing() {
    for case in schema::schema() {
        let run = Run::of(Mode::Survey, &file(&case.messages), usize::MAX);
        for reported in &run.fields {
            let format = reported.format.as_ref().expect("reported");
            assert_eq!(format.extents().expect("a lattice").as_slice(), [2, 1, 1, 2], "{}", case.name);
            assert_eq!(format.kind().to_string(), "u1phase", "{}", case.name);
        }
    }
}

/// The encoder refuses what the decoder would report.
#[test]
fn a_field_with_the_name_of_another_is_not_written() {
    let format = Format::new(GaugeKind::SU3, Precision::F32, [2, 1, 1, 2]);
    let mut scratch = [0; 512];
    let mut encoder = Encoder::after(&read(&records::uniqueness()[0].messages)).expect("at a record's end");
    // The file contains a u1phase field with update 7.
    let phase = Format::new(GaugeKind::parse(b"u1phase").expect("a kind"), Precision::F32, [2, 1, 1, 2]);
    let refused = encoder.begin(&OutgoingMessage::ildg(&phase).with_update("7"), &mut scratch);
    assert_eq!(refused, Err(EncodeErrorKind::UpdateRepeated));
    for (format, update) in [(&phase, "8"), (&format, "7")] {
        let mut encoder = encoder.clone();
        let begun = encoder.begin(&OutgoingMessage::ildg(format).with_update(update), &mut scratch);
        assert_eq!(begun.err(), None, "{update}");
    }
}

#[test]
fn a_new_update_is_refused_after_a_field_without_one() {
    let messages = [
        vec![ildg::format("u1phase"), ildg::update("1"), ildg::data("u1phase")],
        vec![ildg::format("u1gauge"), ildg::data("u1gauge")],
    ];
    let format = Format::new(GaugeKind::SU3, Precision::F32, [2, 1, 1, 2]);
    let mut scratch = [0; 512];
    for (update, expected) in [("2", Err(EncodeErrorKind::UpdateMissing)), ("1", Ok(()))] {
        let mut encoder = Encoder::after(&read(&messages)).expect("at a record's end");
        let begun = encoder.begin(&OutgoingMessage::ildg(&format).with_update(update), &mut scratch);
        assert_eq!(begun.map(drop), expected, "{update}");
    }
}

/// A decoder that has read the last record.
fn read(messages: &[Vec<crate::field::support::build::Part>]) -> Decoder {
    let mut decoder = Decoder::new(Mode::Survey);
    let file = file(messages);
    let mut rest = &file[..];
    loop {
        let step = decoder.push(rest).expect("nothing fatal");
        rest = &rest[step.consumed..];
        if step.event.is_none() {
            return decoder;
        }
    }
}
