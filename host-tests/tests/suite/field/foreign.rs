//! Records are identified by type, not by position: foreign records may be anywhere, either type of data record may be
//! used, and documents may be in any order.

use crate::field::support::build::{messages, of_messages};
use crate::field::support::run::{Reported, Run};
use host_tests::fixtures::Fixtures;
use linkstream::conformance::ErrorKind;
use linkstream::{Diagnostic as _, Mode};

/// Files of every kind: SciDAC and ILDG; fields, hypercubes and global records; one and several; with and without
/// findings.
const FILES: [&str; 12] = [
    "qio/single/real_d_2x3x4x5.lime",
    "qio/single/hyper_2x3x4x5.lime",
    "qio/single/global.lime",
    "qio/ildg/ildg_then_real_then_gauge.lime",
    "qio/alien/ildg12_u1phase.lime",
    "qio/alien/ildg12_three_dim.lime",
    "qio/alien/ildg12_two_messages.lime",
    "qio/alien/ildg12_two_updates.lime",
    "qio/alien/grid_style.lime",
    "qio/alien/tmlqcd_style.lime",
    "qio/quirks/checksum_suma_zero.lime",
    "broken/scidac/lfn-message-appended.lime",
];

/// Records as type and payload, grouped into messages.
type Messages = Vec<Vec<(Vec<u8>, Vec<u8>)>>;

fn files() -> Vec<(&'static str, Messages)> {
    let read = |name: &'static str| (name, messages(&std::fs::read(Fixtures::Ours.join(name)).expect(name)));
    FILES.map(read).into()
}

/// The properties of a field, without the offset of its record.
fn content(reported: &Reported) -> impl PartialEq + std::fmt::Debug {
    let field = &reported.field;
    (
        (field.described_by, field.extents, field.region, field.bytes_per_site, field.precision, field.links),
        (reported.record.clone(), reported.format.clone()),
        (reported.computed, reported.verdict, reported.sites.clone()),
    )
}

/// Verifies that two files are equivalent: same fields, same verdicts, same findings.
fn assert_same(changed: &Messages, original: &Run, what: &str) -> Run {
    let run = Run::clean(Mode::Strict, &of_messages(changed), usize::MAX, what);
    assert_eq!(run.fields.len(), original.fields.len(), "{what}");
    for (reported, original) in run.fields.iter().zip(&original.fields) {
        assert!(content(reported) == content(original), "{what}: {reported:?}");
    }
    // The finding that data with ILDG's type have no ildg-format depends only on the type.
    let of_type = |kind: &ErrorKind| *kind == ErrorKind::FormatMissing;
    let kinds = |run: &Run| -> Vec<ErrorKind> {
        run.findings.iter().map(|error| error.kind).filter(|kind| !of_type(kind)).collect()
    };
    assert_eq!(kinds(&run), kinds(original), "{what}");
    run
}

/// Records without a meaning for the decoder, although some look like documents.
fn foreign_records() -> Vec<(Vec<u8>, Vec<u8>)> {
    let document = b"<?xml version=\"1.0\"?><scidacFile><dims>9 9</dims></scidacFile>\0".to_vec();
    let header =
        [b"\x45\x67\x89\xab\0\x01\xc0\0".to_vec(), vec![0; 8], b"scidac-binary-data".to_vec()].concat();
    [
        ("xyz-info", b"hello".to_vec()),
        ("xyz-empty", Vec::new()),
        ("scidac-private-file-xmL", document.clone()),
        ("scidac-private-file-xml2", document.clone()),
        ("scidac-private-record-xml ", document),
        ("SCIDAC-BINARY-DATA", vec![0xff; 16]),
        ("ildg.binary-data", header),
        ("ILDG-format", b"\x01\r\n<".to_vec()),
        ("-", vec![0; 7]),
    ]
    .into_iter()
    .map(|(kind, payload)| (kind.as_bytes().to_vec(), payload))
    .collect()
}

/// A foreign record between any two records, before the first and after the last: as a part of the message that
/// continues, of the message that ends, and as a message of its own.
#[test]
fn a_foreign_record_may_be_anywhere() {
    let files = files();
    let mut foreign = foreign_records().into_iter().cycle();
    let mut places = 0;
    for (name, original) in files {
        let expected = Run::clean(Mode::Strict, &of_messages(&original), usize::MAX, name);
        for message in 0..original.len() {
            for record in 0..=original[message].len() {
                let mut changed = original.clone();
                changed[message].insert(record, foreign.next().expect("endless"));
                assert_same(&changed, &expected, &format!("{name}: message {message}, before {record}"));
                places += 1;
            }
        }
        for message in 0..=original.len() {
            let mut changed = original.clone();
            changed.insert(message, foreign.by_ref().take(1 + message % 3).collect());
            assert_same(&changed, &expected, &format!("{name}: as message {message}"));
            places += 1;
        }
    }
    assert!(places > 150, "{places}");
}

/// All foreign records, at every position at once.
#[test]
fn foreign_records_may_be_everywhere() {
    let files = files();
    for (name, original) in files {
        let expected = Run::clean(Mode::Strict, &of_messages(&original), usize::MAX, name);
        let mut changed = vec![foreign_records()];
        for message in &original {
            let mut crowded = foreign_records();
            for record in message {
                crowded.push(record.clone());
                crowded.extend(foreign_records());
            }
            changed.extend([crowded, foreign_records()]);
        }
        assert_same(&changed, &expected, name);
    }
}

#[test]
fn either_type_of_data_record_is_taken_anywhere() {
    let files = files();
    for (name, original) in files {
        let expected = Run::clean(Mode::Strict, &of_messages(&original), usize::MAX, name);
        for to in [&b"scidac-binary-data"[..], b"ildg-binary-data"] {
            let mut changed = original.clone();
            let mut count = 0;
            for (kind, _) in changed.iter_mut().flatten().filter(|(kind, _)| kind.ends_with(b"-binary-data"))
            {
                *kind = to.to_vec();
                count += 1;
            }
            assert!(count > 0);
            assert_same(&changed, &expected, name);
        }
    }
}

/// All permutations of `n` items.
fn orders(n: usize) -> Vec<Vec<usize>> {
    let Some(last) = n.checked_sub(1) else { return vec![vec![]] };
    let insert = |order: Vec<usize>| {
        (0..=order.len()).map(move |at| {
            let mut order = order.clone();
            order.insert(at, last);
            order
        })
    };
    orders(last).into_iter().flat_map(insert).collect()
}

/// The documents of a message in every order, then the data, then the checksum. Not for `ildg-update`, which must
/// follow its format and is absent from these files.
#[test]
fn documents_may_be_in_any_order() {
    let files = files();
    let mut count = 0;
    for (name, original) in files.into_iter().filter(|(name, _)| !name.contains("updates")) {
        let expected = Run::clean(Mode::Strict, &of_messages(&original), usize::MAX, name);
        for message in 0..original.len() {
            let is_data = |(kind, _): &(Vec<u8>, Vec<u8>)| kind.ends_with(b"-binary-data");
            let documents = original[message].iter().position(is_data).unwrap_or(original[message].len());
            for order in orders(documents) {
                let mut changed = original.clone();
                let in_order = order.iter().map(|n| original[message][*n].clone());
                changed[message].splice(..documents, in_order);
                assert_same(&changed, &expected, &format!("{name}: message {message} in order {order:?}"));
                count += 1;
            }
        }
    }
    assert!(count > 60, "{count}");
}

/// The LFN may be in any message, including one of its own at the beginning or the end.
#[test]
fn the_lfn_may_be_in_any_message() {
    let files = files();
    let lfn = (b"ildg-data-lfn".to_vec(), b"lfn://x".to_vec());
    for (name, mut original) in files.into_iter().filter(|(name, _)| name.contains("ildg12")) {
        for message in &mut original {
            message.retain(|(kind, _)| kind != b"ildg-data-lfn");
        }
        original.retain(|message| !message.is_empty());
        let without = Run::clean(Mode::Strict, &of_messages(&original), usize::MAX, name);
        assert_eq!(without.rules(), ["ildg-lfn-missing"], "{name}");
        assert_eq!(without.findings[0].kind.severity(), linkstream::Severity::Info);
        let mut expected = without.clone();
        expected.findings.clear();
        for message in 0..original.len() {
            for record in 0..=original[message].len() {
                let mut changed = original.clone();
                changed[message].insert(record, lfn.clone());
                assert_same(&changed, &expected, &format!("{name}: LFN in message {message} at {record}"));
            }
        }
        for message in 0..=original.len() {
            let mut changed = original.clone();
            changed.insert(message, vec![lfn.clone()]);
            assert_same(&changed, &expected, &format!("{name}: LFN as message {message}"));
        }
    }
}

/// The concatenation of files is a file (ILDG 1.2, section 2.1): each field uses the lattice of its own file.
#[test]
fn files_may_be_concatenated() {
    let files = files();
    let scidac: Vec<_> = files.into_iter().filter(|(name, _)| name.contains("single")).collect();
    for (first, front) in &scidac {
        for (second, back) in &scidac {
            let both = [front.clone(), back.clone()].concat();
            let mut expected = Run::clean(Mode::Strict, &of_messages(front), usize::MAX, first);
            expected.fields.extend(Run::clean(Mode::Strict, &of_messages(back), usize::MAX, second).fields);
            assert_same(&both, &expected, &format!("{first} and {second}"));
        }
    }
}
