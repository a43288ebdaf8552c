//! Each row of each table of rules is reached by some file, or listed here with the reason why it cannot be.

use std::collections::BTreeSet;

use host_tests::fixtures::Fixtures;
use host_tests::packed;
use linkstream::lime::{self, Header};
use linkstream::scda::{self, SectionType, Style};
use linkstream::scidac::PrivateFile;
use linkstream::{Diagnostic, Mode, Rule, conformance, field, inebin, milc, nersc, usqcd, volume, xml};

use crate::field::support::build;
use crate::ildg::cases;
use crate::rules::{files, reported};
use crate::scda::unpack::support::{file, packed as compressed};
use crate::volume::{broken, support};

const MODES: [Mode; 3] = [Mode::Strict, Mode::Lenient, Mode::Survey];

/// Identification of a row.
type Row = (&'static str, String, String, &'static str);

fn rows_of(table: &[Rule]) -> BTreeSet<Row> {
    let row =
        |rule: &Rule| (rule.name, format!("{:?}", rule.severity), format!("{:?}", rule.class), rule.clause);
    table.iter().map(row).collect()
}

/// Verifies that every row of the table is reached by one of `kinds`. The rows in `unreachable` must not be reached.
fn compare<K: Diagnostic>(table: &[Rule], kinds: &[K], unreachable: &[&str]) {
    let rows = rows_of(table);
    let row = |kind: &K| {
        let (severity, class) = (kind.severity(), kind.class());
        (kind.rule(), format!("{severity:?}"), format!("{class:?}"), kind.clause())
    };
    let reached: BTreeSet<Row> = kinds.iter().map(row).collect();
    let (never, sometimes): (Vec<&Row>, Vec<&Row>) =
        rows.iter().partition(|row| unreachable.contains(&row.0));
    assert_eq!(never.len(), unreachable.len(), "a listed name is not that of a rule: {unreachable:?}");
    let missing: Vec<_> = sometimes.into_iter().filter(|row| !reached.contains(*row)).collect();
    assert!(missing.is_empty(), "no file reaches {missing:#?}");
    let surprising: Vec<_> = never.into_iter().filter(|row| reached.contains(*row)).collect();
    assert!(surprising.is_empty(), "listed as unreachable, but reached: {surprising:#?}");
}

/// A record with padding.
fn record(kind: &[u8], payload: &[u8], begin: bool, end: bool) -> Vec<u8> {
    let header = Header::new(kind, payload.len() as u64, begin, end).expect("a short type");
    let mut bytes = [header.as_bytes(), payload].concat();
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    bytes
}

#[test]
fn every_rule_of_lime() {
    let finding = |event| match event {
        lime::Event::Finding(error) => Some(error.kind),
        _ => None,
    };
    let mut inputs = [files(&Fixtures::Ours.join("broken")), files(&Fixtures::Ours.join("lime"))].concat();
    let good = record(b"t", b"12345", true, true);
    let changed = |at: usize, byte: u8| {
        let mut bytes = good.clone();
        bytes[at] = byte;
        bytes
    };
    inputs.extend([
        // The version, a reserved bit, a byte after the type's NUL, and padding are wrong.
        changed(5, 9),
        changed(6, 0xc1),
        changed(18, b'x'),
        changed(150, 1),
        good[..151].to_vec(),
        record(&[b'x'; 127], b"", true, true),
    ]);
    let mut unterminated = record(&[b'x'; 127], b"", true, true);
    unterminated[143] = b'x';
    inputs.push(unterminated);
    let kinds: Vec<_> = inputs
        .iter()
        .flat_map(|input| MODES.map(|mode| reported(lime::Decoder::new(mode), finding, input)).concat())
        .collect();
    compare(lime::ErrorKind::RULES, &kinds, &[]);
}

#[test]
fn every_rule_of_inebin() {
    let finding = |event| match event {
        inebin::Event::Finding(error) => Some(error.kind),
        _ => None,
    };
    let kinds: Vec<_> = files(&Fixtures::Ours.join("broken-inebin"))
        .iter()
        .flat_map(|input| MODES.map(|mode| reported(inebin::Decoder::new(mode), finding, input)).concat())
        .collect();
    compare(inebin::ErrorKind::RULES, &kinds, &[]);
}

#[test]
fn every_rule_of_nersc() {
    let mut kinds: Vec<_> =
        crate::nersc::support::broken().into_iter().flat_map(|(_, _, kinds)| kinds).collect();
    kinds.extend(crate::nersc::support::found(&crate::nersc::support::without_end(), Mode::Survey));
    compare(nersc::ErrorKind::RULES, &kinds, &[]);
}

#[test]
fn every_rule_of_milc() {
    let kinds: Vec<_> = crate::milc::support::broken().into_iter().flat_map(|(_, _, kinds)| kinds).collect();
    compare(milc::ErrorKind::RULES, &kinds, &[]);
}

#[test]
fn every_rule_of_usqcd() {
    compare(usqcd::ErrorKind::RULES, &crate::usqcd::kinds(), &[]);
}

#[test]
fn every_rule_of_scda() {
    let finding = |event| match event {
        scda::Event::Finding(error) => Some(error.kind),
        _ => None,
    };
    // A file header, and its second line repeated as a section.
    let header = file(&[]);
    let mut inputs = files(&Fixtures::Ours.join("broken-scda"));
    inputs.push([&header[..], &header[32..96]].concat());
    let mut kinds: Vec<_> = inputs
        .iter()
        .flat_map(|input| MODES.map(|mode| reported(scda::PlainDecoder::new(mode), finding, input)).concat())
        .collect();
    // A second half with an extra text, and one whose size differs from the first half.
    let text = packed::text_of(b"some text");
    let too_many = [text.clone(), text.clone()].concat();
    // A first half with a wrong byte in its name.
    let mut unnamed = file(&compressed(Style::Unix, SectionType::Block, b"", &[9], vec![text.clone()]));
    let name = unnamed.windows(18).position(|bytes| bytes == b"compressed scda 00").expect("a first half");
    unnamed[name] ^= 1;
    inputs.extend([
        unnamed,
        file(&compressed(Style::Unix, SectionType::Block, b"", &[9], vec![too_many])),
        file(&compressed(Style::Unix, SectionType::Varray, b"", &[9, 9], vec![text.clone()])),
        file(&compressed(Style::Unix, SectionType::Varray, b"", &[8], vec![text])),
    ]);
    for input in &inputs {
        for mode in MODES {
            // Large enough for every element, or for none.
            for buffer in [32 << 10, 8] {
                let unpacker = scda::Unpacker::new(scda::Decoder::new(mode, true), vec![0; buffer]);
                kinds.extend(reported(unpacker, finding, input));
            }
        }
    }
    compare(scda::ErrorKind::RULES, &kinds, &[]);
}

#[test]
fn every_rule_of_volumes() {
    let fixtures = ["broken", "qio"].map(support::sets).into_iter().flatten();
    let sets = fixtures.map(|(_, entries)| support::volumes(&entries));
    let sets = sets.chain(broken::cases().into_iter().map(|(_, volumes, _)| volumes));
    let kinds: Vec<_> = sets
        .flat_map(|set| support::read(&set, support::Counting::WithMap).findings)
        .map(|(_, error)| error.kind)
        .filter(|kind| !matches!(kind, volume::ErrorKind::Field(_)))
        .collect();
    for kind in &kinds {
        assert!(kind.clause().starts_with("QIO 2.3, section"), "{kind}");
    }
    compare(volume::ErrorKind::RULES, &kinds, &[]);
}

#[test]
fn every_rule_of_xml() {
    let mut kinds: Vec<xml::ErrorKind> = Vec::new();
    // Documents in records of files.
    let finding = |event| match event {
        field::Event::Finding(error) => Some(error.kind),
        _ => None,
    };
    let cases = [
        cases::schema::schema(),
        cases::scidac::mixed(),
        cases::scidac::scidac(),
        cases::scidac::contradictions(),
    ];
    let mut inputs: Vec<Vec<u8>> = cases.iter().flatten().map(|case| build::file(&case.messages)).collect();
    inputs.extend(files(&Fixtures::Ours.join("broken")));
    inputs.extend(
        files(&Fixtures::Ours.join("foreign"))
            .into_iter()
            .filter(|file| file.starts_with(b"\x45\x67\x89\xab")),
    );
    for input in &inputs {
        for kind in reported(conformance::Decoder::new(Mode::Survey), finding, input) {
            if let conformance::ErrorKind::Field(field::ErrorKind::Document(_, kind)) = kind {
                kinds.push(kind);
            }
        }
    }
    // Rows that none of these files reaches: one document with one change at a time.
    let good = "<?xml version=\"1.0\"?><scidacFile><version>1.1</version><spacetime>2</spacetime><dims>4 8</dims>\
        <volfmt>0</volfmt></scidacFile>";
    assert!(PrivateFile::parse(good.as_bytes()).is_ok());
    for (now, then) in [
        ("<scidacFile>", "<scidacFile a=\"1>"),
        ("<dims>", "<dims>&other;"),
        ("<dims>", "<dims <"),
        ("<scidacFile>", "<!DOCTYPE scidacFile><scidacFile>"),
        ("<?xml", " <?xml"),
        ("<spacetime>", "text<spacetime>"),
        ("</scidacFile>", "</scidacFile>text"),
        ("<dims>", "<dims><nested/>"),
        ("<dims>", &"<a/>".repeat(256)),
        ("1.1", "\u{0}"),
        ("1.1", "1.100000000000000000000000000000000000000000000000000000000000000000000000"),
    ] {
        // In this template a NUL, which would end a document, marks the place of a byte that is not UTF-8.
        let document = good.replacen(now, then, 1).into_bytes();
        let document: Vec<u8> =
            document.into_iter().map(|byte| if byte == 0 { 0xff } else { byte }).collect();
        let error = PrivateFile::parse(&document).expect_err(then);
        kinds.push(error.kind);
    }
    compare(xml::ErrorKind::RULES, &kinds, &[]);
}
