//! Checksum records that do not follow their data in the same message: in a message of their own (CL2QCD, SIMULATeQCD),
//! before the data (tmLQCD reads records in any order), in messages without an end flag (GLU).

use super::rules::{checksum, data, file_message, format, lfn, phases, scidac_message, survey, verdicts};
use crate::field::support::build::{Part, file, raw_record};
use crate::field::support::run::Run;
use linkstream::field::{self, Verdict};
use linkstream::lattice::Checksum;
use linkstream::{Mode, scidac};

const MISMATCH: &str = "checksum-mismatch";
const WITHOUT_DATA: &str = "checksum-without-data";
const MISSING: &str = "checksum-missing";
const UNDESCRIBED: &str = "data-undescribed";

/// A message with one field, without its checksum.
fn without(seed: u8) -> Vec<Part> {
    scidac_message(4, seed)[..3].to_vec()
}

fn sums(seed: u8) -> Part {
    checksum(data(4, seed).1)
}

/// Sums of no data.
fn other() -> Part {
    checksum(Checksum { suma: 1, sumb: 2 })
}

#[test]
fn a_checksum_in_another_message_is_compared() {
    let before = |checksum: Part, seed| [&[checksum][..], &without(seed)].concat();
    for (what, messages, rules, expected) in [
        ("after", vec![without(1), vec![sums(1)]], &[MISSING][..], &["match"][..]),
        ("after, damaged", vec![without(1), vec![other()]], &[MISSING, MISMATCH], &["mismatch"]),
        ("after another record", vec![without(1), vec![lfn()], vec![sums(1)]], &[MISSING], &["match"]),
        ("before", vec![before(sums(1), 1)], &[WITHOUT_DATA], &["match"]),
        ("before, damaged", vec![before(other(), 1)], &[WITHOUT_DATA, MISMATCH], &["mismatch"]),
        ("in a message before", vec![vec![sums(1)], without(1)], &[WITHOUT_DATA], &["match"]),
        (
            "in a message before, damaged",
            vec![vec![other()], without(1)],
            &[WITHOUT_DATA, MISMATCH],
            &["mismatch"],
        ),
        (
            "each after",
            vec![without(1), vec![sums(1)], without(2), vec![sums(2)]],
            &[MISSING, MISSING],
            &["match"; 2],
        ),
        (
            "each after, the first damaged",
            vec![without(1), vec![other()], without(2), vec![sums(2)]],
            &[MISSING, MISMATCH, MISSING],
            &["mismatch", "match"],
        ),
        (
            "each after, the second damaged",
            vec![without(1), vec![sums(1)], without(2), vec![other()]],
            &[MISSING, MISSING, MISMATCH],
            &["match", "mismatch"],
        ),
        (
            "each before",
            vec![vec![sums(1)], without(1), scidac_message(4, 3), vec![sums(2)], without(2)],
            &[WITHOUT_DATA, WITHOUT_DATA],
            &["match"; 3],
        ),
        // Nothing can be said about the second field.
        ("between", vec![without(1), vec![sums(1)], without(2)], &[MISSING, MISSING], &["match", "absent"]),
        (
            "after the first, the second has its own",
            vec![without(1), vec![sums(1)], scidac_message(4, 2)],
            &[MISSING],
            &["match"; 2],
        ),
        (
            "after the first, damaged, the second has its own",
            vec![without(1), vec![other()], scidac_message(4, 2)],
            &[MISSING, MISMATCH],
            &["mismatch", "match"],
        ),
        (
            "before and after",
            vec![vec![other()], scidac_message(4, 1), without(2)],
            &[WITHOUT_DATA, MISSING],
            &["match", "absent"],
        ),
    ] {
        let messages = [&[file_message()][..], &messages].concat();
        let run = survey(&messages);
        assert_eq!((run.rules(), verdicts(&run)), (rules.to_vec(), expected.to_vec()), "{what}");
        // The place does not depend on the pieces of the input.
        for chunk in [1, 7, 1000] {
            assert_eq!(
                Run::clean(Mode::Survey, &file(&messages), chunk, what).findings,
                run.findings,
                "{what}"
            );
        }
    }
}

/// A checksum record that no data need belongs to no other data. Nothing is known about those: they are neither verified
/// nor refuted.
#[test]
fn a_spare_checksum_judges_no_other_field() {
    let with = |spare: &[Part]| [&scidac_message(4, 1)[..], spare].concat();
    let unknown = || data(4, 7).0;
    for (what, before, rules, expected) in [
        ("twice", vec![with(&[sums(1)])], &[WITHOUT_DATA][..], &["match"][..]),
        ("twice, they differ", vec![with(&[other()])], &[WITHOUT_DATA], &["match"]),
        ("three times", vec![with(&[other(), sums(3)])], &[WITHOUT_DATA; 2], &["match"]),
        ("twice, after", vec![without(1), vec![sums(1), other()]], &[MISSING, WITHOUT_DATA], &["match"]),
        ("of unknown data", vec![vec![unknown(), sums(7)]], &[UNDESCRIBED], &[]),
        (
            "of unknown data, twice",
            vec![vec![unknown(), sums(7), other()]],
            &[UNDESCRIBED, WITHOUT_DATA],
            &[],
        ),
        ("of unknown data, after", vec![vec![unknown()], vec![sums(7)]], &[UNDESCRIBED, WITHOUT_DATA], &[]),
        ("of unknown data, before", vec![vec![sums(7), unknown()]], &[WITHOUT_DATA, UNDESCRIBED], &[]),
        ("before unknown data", vec![vec![sums(7)], vec![unknown()]], &[WITHOUT_DATA, UNDESCRIBED], &[]),
        ("before and after", vec![vec![sums(7), unknown(), sums(7)]], &[WITHOUT_DATA, UNDESCRIBED], &[]),
    ] {
        for (after, more, verdict) in [
            (vec![without(2)], &[MISSING][..], "absent"),
            (vec![scidac_message(4, 2)], &[], "match"),
            (vec![without(2), vec![sums(2)]], &[MISSING], "match"),
        ] {
            let messages = [&[file_message()][..], &before, &after].concat();
            let run = survey(&messages);
            let rules = [rules, more].concat();
            assert_eq!((run.rules(), verdicts(&run)), (rules, [expected, &[verdict]].concat()), "{what}");
            // The decoder alone has no rule about such a record.
            for mode in [Mode::Strict, Mode::Lenient] {
                let mut decoder = field::Decoder::new(mode);
                let read = linkstream::drive(&mut decoder, &file(&messages), |_, _, _| Ok::<_, ()>(()));
                let refused = read.err();
                assert_eq!(refused.is_some(), run.rules().contains(&UNDESCRIBED), "{what}: {refused:?}");
            }
        }
    }
    // In a message of its own, it still belongs to the data that follow.
    for damaged in [false, true] {
        let next = if damaged { other() } else { sums(2) };
        let messages = [file_message(), scidac_message(4, 1), vec![next], without(2)];
        let expected = ["match", if damaged { "mismatch" } else { "match" }];
        assert_eq!(verdicts(&survey(&messages)), expected);
    }
}

/// ILDG defines no checksum, so its absence in the message is no finding.
#[test]
fn a_checksum_of_ildg_data_may_be_in_another_message() {
    let (part, computed) = {
        let part = phases(1);
        let mut sums = Checksum::default();
        for (rank, site) in (0..).zip(part.1.chunks(12)) {
            sums.add(rank, site);
        }
        (part, sums)
    };
    for flipped in 0..=1 {
        let mut part = part.clone();
        part.1[17] ^= flipped;
        let messages = [vec![format("u1phase"), part, lfn()], vec![checksum(computed)]];
        let run = survey(&messages);
        let expected = if flipped == 0 { (vec![], ["match"]) } else { (vec![MISMATCH], ["mismatch"]) };
        assert_eq!((run.rules(), verdicts(&run)), (expected.0, expected.1.to_vec()));
    }
}

/// GLU: each record begins a message, and none ends.
#[test]
fn messages_without_an_end_flag() {
    for damage in [None, Some(5)] {
        let mut parts = [file_message(), scidac_message(4, 3)].concat();
        if let Some(at) = damage {
            parts[4].1[at] ^= 1;
        }
        let bytes: Vec<u8> =
            parts.iter().flat_map(|(kind, payload)| raw_record(kind, true, false, payload)).collect();
        let run = Run::of(Mode::Survey, &bytes, 100);
        let is_match = matches!(run.fields[0].verdict, Some(Verdict::Match { .. }));
        assert_eq!((is_match, run.rules().contains(&MISMATCH)), (damage.is_none(), damage.is_some()));
        // The checksum follows, although the message of its data was over.
        assert!(!run.rules().contains(&MISSING), "{:?}", run.rules());
        let lenient = Run::of(Mode::Lenient, &bytes, 100);
        assert_eq!(lenient.error.is_some(), damage.is_some(), "{:?}", lenient.error);
    }
}

#[test]
fn a_checksum_that_never_follows_is_missing() {
    let glu = |parts: &[Part]| -> Vec<u8> {
        parts.iter().flat_map(|(kind, payload)| raw_record(kind, true, false, payload)).collect()
    };
    for (parts, count) in [
        ([file_message(), without(1)].concat(), 1),
        ([file_message(), without(1), vec![lfn()]].concat(), 1),
        ([file_message(), without(1), without(2)].concat(), 2),
        ([file_message(), without(1), scidac_message(4, 2)].concat(), 1),
        ([file_message(), scidac_message(4, 1), without(2)].concat(), 1),
        ([file_message(), scidac_message(4, 1), scidac_message(4, 2)].concat(), 0),
    ] {
        let run = Run::clean(Mode::Survey, &glu(&parts), 100, "survey");
        assert_eq!(run.rules().iter().filter(|rule| **rule == MISSING).count(), count, "{:?}", run.rules());
    }
}

/// Data whose checksum record cannot be read are not compared. They are not data without a checksum.
#[test]
fn an_unreadable_checksum_is_not_an_absent_one() {
    let torn: Part = (scidac::CHECKSUM, b"<scidacChecksum><version>1.0</version><suma>zz</suma>".to_vec());
    for messages in [
        vec![[without(1), vec![torn.clone()]].concat()],
        vec![without(1), vec![torn.clone()]],
        vec![[vec![torn.clone()], without(1)].concat()],
        vec![vec![torn.clone()], without(1)],
    ] {
        let messages = [&[file_message()][..], &messages].concat();
        let run = Run::clean(Mode::Survey, &file(&messages), 100, "survey");
        assert_eq!(run.fields[0].verdict, Some(Verdict::Unchecked), "{messages:?}");
        assert!(run.fields[0].verdict.is_some_and(|verdict| verdict.require_not_refuted().is_err()));
    }
    // A second record that can be read is compared.
    let messages = [file_message(), [without(1), vec![torn, sums(1)]].concat()];
    assert_eq!(verdicts(&Run::clean(Mode::Survey, &file(&messages), 100, "survey")), ["match"]);
}
