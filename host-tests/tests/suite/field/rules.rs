//! The rules about records that belong together, in generated files: the combinations that are accepted, the findings
//! in others, and that no contradiction goes unreported.

use crate::field::support::build::{Part, file};
use crate::field::support::run::Run;
use linkstream::conformance::{ErrorKind, UserText};
use linkstream::field::{self, DescribedBy, DocumentName, Verdict};
use linkstream::ildg::{self, Format, GaugeKind};
use linkstream::lattice::{Checksum, Coordinates, Extents, Hypercube, Precision, Region};
use linkstream::scidac::{self, PrivateFile, PrivateRecord, StoredChecksum};
use linkstream::xml::Spacing;
use linkstream::{Diagnostic as _, Error, Mode, xml};

const LATTICE: [u32; 4] = [2, 1, 2, 3];

fn lattice() -> Extents {
    Extents::new(&LATTICE).expect("a lattice")
}

fn text(emit: impl Fn(&mut [u8]) -> Result<usize, xml::EmitError>) -> Vec<u8> {
    let mut buffer = vec![0; 2048];
    let length = emit(&mut buffer).expect("large enough");
    buffer.truncate(length);
    buffer
}

fn private_file() -> Part {
    (scidac::PRIVATE_FILE_XML, text(|to| PrivateFile::new(&lattice()).emit(Spacing::Line, to)))
}

pub(super) fn file_message() -> Vec<Part> {
    vec![private_file(), (scidac::FILE_XML, b"file".to_vec())]
}

/// A record of `typesize` bytes at every site of a region.
fn private_record(region: Region, typesize: u32) -> Part {
    let record = PrivateRecord::real_field(Precision::F32).covering(&region);
    let document = String::from_utf8(text(|to| record.emit(Spacing::Line, to))).expect("ASCII");
    let document = document.replace("<typesize>4<", &format!("<typesize>{typesize}<"));
    (scidac::PRIVATE_RECORD_XML, document.into_bytes())
}

fn record_xml() -> Part {
    (scidac::RECORD_XML, b"record".to_vec())
}

fn bytes(n: usize, seed: u8) -> Vec<u8> {
    (0..n).map(|i| (i as u8).wrapping_mul(31) ^ seed).collect()
}

/// Data of all sites and their checksum.
pub(super) fn data(typesize: usize, seed: u8) -> (Part, Checksum) {
    let data = bytes(12 * typesize, seed);
    let mut sums = Checksum::default();
    for (rank, site) in (0..).zip(data.chunks(typesize)) {
        sums.add(rank, site);
    }
    ((scidac::BINARY_DATA, data), sums)
}

pub(super) fn checksum(sums: Checksum) -> Part {
    (scidac::CHECKSUM, text(|to| StoredChecksum::new(sums).emit(Spacing::Line, to)))
}

/// A complete message with one field.
pub(super) fn scidac_message(typesize: u32, seed: u8) -> Vec<Part> {
    let (data, sums) = data(typesize as usize, seed);
    vec![private_record(Region::Lattice, typesize), record_xml(), data, checksum(sums)]
}

pub(super) fn format(kind: &str) -> Part {
    let kind = GaugeKind::parse(kind.as_bytes()).expect("a kind");
    (ildg::FORMAT, text(|to| Format::version_1_0(kind, Precision::F32, LATTICE).emit(Spacing::Line, to)))
}

/// Data of a field of U(1) phases or links. Three directions have more than one site.
pub(super) fn phases(seed: u8) -> Part {
    (ildg::BINARY_DATA, bytes(12 * 3 * 4, seed))
}

fn links(seed: u8) -> Part {
    (ildg::BINARY_DATA, bytes(12 * 3 * 8, seed))
}

fn update(digits: &str) -> Part {
    (ildg::UPDATE, digits.into())
}

pub(super) fn lfn() -> Part {
    (ildg::DATA_LFN, b"lfn://x".to_vec())
}

/// Offset of a record in a generated file; messages and records are counted from 0.
pub(super) fn at(messages: &[Vec<Part>], message: usize, record: usize) -> u64 {
    let before = messages[..message].iter().flatten().chain(&messages[message][..record]);
    before.map(|(_, payload)| 144 + payload.len().next_multiple_of(8) as u64).sum()
}

/// The findings of survey mode. Strict mode must end at the first warning or error, lenient mode at the first error.
pub(super) fn survey(messages: &[Vec<Part>]) -> Run {
    let file = file(messages);
    let run = Run::clean(Mode::Survey, &file, 100, "survey");
    for (mode, least) in
        [(Mode::Strict, linkstream::Severity::Warning), (Mode::Lenient, linkstream::Severity::Error)]
    {
        let first = run.findings.iter().find(|error| error.kind.severity() >= least);
        assert_eq!(Run::of(mode, &file, 100).error, first.copied(), "{mode:?}");
    }
    run
}

pub(super) fn verdicts(run: &Run) -> Vec<&'static str> {
    let name = |verdict| match verdict {
        Some(Verdict::Match { .. }) => "match",
        Some(Verdict::Mismatch { .. }) => "mismatch",
        Some(Verdict::Absent { .. }) => "absent",
        other => panic!("{other:?}"),
    };
    run.fields.iter().map(|reported| name(reported.verdict)).collect()
}

#[test]
fn many_fields_in_one_file() {
    let cube = |c: &[u32]| Coordinates::new(c).expect("4 numbers");
    let cube = Hypercube::new(cube(&[0, 0, 1, 1]), cube(&[1, 0, 1, 2]), &lattice()).expect("inside");
    let slice = bytes(4 * 8, 3);
    let mut sums = Checksum::default();
    // The ranks x + 2 * (y + 1 * (z + 2 * t)) with z = 1 and t = 1, 2.
    for (rank, site) in [6, 7, 10, 11].into_iter().zip(slice.chunks(8)) {
        sums.add(rank, site);
    }
    let global = bytes(20, 4);
    let mut global_sums = Checksum::default();
    global_sums.add(0, &global);
    let messages = [
        file_message(),
        scidac_message(4, 1),
        scidac_message(24, 2),
        vec![
            private_record(Region::Hypercube(cube), 8),
            record_xml(),
            (scidac::BINARY_DATA, slice),
            checksum(sums),
        ],
        vec![
            private_record(Region::Global, 20),
            record_xml(),
            (scidac::BINARY_DATA, global),
            checksum(global_sums),
        ],
        vec![format("u1phase"), phases(5), lfn()],
        scidac_message(4, 6),
    ];
    let run = survey(&messages);
    assert_eq!(run.findings, []);
    assert_eq!(verdicts(&run), ["match", "match", "match", "match", "absent", "match"]);
    let ranks: Vec<u64> = run.fields[2].sites.iter().map(|site| site.rank).collect();
    assert_eq!(ranks, [6, 7, 10, 11]);
    assert_eq!(run.fields[4].field.described_by, DescribedBy::Ildg);
}

/// A message may contain more than one field.
#[test]
fn two_fields_in_one_message() {
    let message = [scidac_message(4, 1), scidac_message(8, 2)].concat();
    let run = survey(&[file_message(), message]);
    assert_eq!((run.findings.len(), verdicts(&run)), (0, vec!["match", "match"]));

    let messages = [vec![format("u1phase"), phases(1), format("u1gauge"), links(2), lfn()]];
    let run = survey(&messages);
    assert_eq!((run.findings.len(), verdicts(&run)), (0, vec!["absent", "absent"]));
    assert_eq!(run.fields[1].field.links.expect("links").parts, 2);
}

/// A description applies to one data record only.
#[test]
fn a_second_data_record_needs_a_description_of_its_own() {
    let mut message = scidac_message(4, 1);
    let (second, _) = data(4, 2);
    message.insert(3, second.clone());
    let messages = [file_message(), message];
    let run = survey(&messages);
    // The checksum of the first field can no longer follow; the one after the second data record belongs to no known
    // field.
    assert_eq!(run.rules(), ["checksum-missing", "data-undescribed"]);
    assert_eq!(
        run.findings[1],
        Error::new(at(&messages, 1, 3), ErrorKind::Field(field::ErrorKind::Undescribed))
    );
    assert_eq!(verdicts(&run), ["absent"]);

    let messages = [vec![format("u1phase"), phases(1), phases(2), lfn()]];
    let run = survey(&messages);
    assert_eq!(
        run.findings,
        [Error::new(at(&messages, 0, 2), ErrorKind::Field(field::ErrorKind::Undescribed))]
    );
}

/// Strict mode requires description and data in one message (ILDG 1.2, section 2.2).
#[test]
fn a_description_in_another_message_is_taken_and_reported() {
    let messages = [vec![format("u1phase"), lfn()], vec![("x", vec![1])], vec![phases(1)]];
    let run = survey(&messages);
    assert_eq!(run.findings, [Error::new(at(&messages, 2, 0), ErrorKind::DescribedElsewhere)]);
    assert_eq!(run.fields[0].sites.len(), 12);

    let (data, sums) = data(4, 1);
    let messages =
        [file_message(), vec![private_record(Region::Lattice, 4), record_xml()], vec![data, checksum(sums)]];
    let run = survey(&messages);
    assert_eq!(run.findings, [Error::new(at(&messages, 2, 0), ErrorKind::DescribedElsewhere)]);
    assert_eq!(verdicts(&run), ["match"]);
}

/// A description in the same message takes precedence over an earlier one without data, which is reported.
#[test]
fn a_description_without_data_is_reported_and_takes_no_other_data() {
    let messages = [
        file_message(),
        vec![private_record(Region::Lattice, 16), record_xml()],
        vec![format("u1phase"), phases(1), lfn()],
    ];
    let run = survey(&messages);
    let missing = Error::new(at(&messages, 1, 0), ErrorKind::DataMissing(DocumentName::PrivateRecord));
    assert_eq!(run.findings, [missing]);
    assert_eq!((run.fields.len(), run.fields[0].field.described_by), (1, DescribedBy::Ildg));

    let messages = [vec![format("u1gauge")], vec![format("u1phase"), phases(1), lfn()]];
    let run = survey(&messages);
    let missing = Error::new(at(&messages, 0, 0), ErrorKind::DataMissing(DocumentName::Format));
    assert_eq!((run.findings, run.fields.len()), (vec![missing], 1));

    let messages = [vec![format("u1phase"), phases(1), lfn()], vec![format("u1phase")]];
    let run = survey(&messages);
    assert_eq!(run.findings, [Error::new(at(&messages, 1, 0), ErrorKind::DataMissing(DocumentName::Format))]);
}

/// Checksums that can belong to no data. Checksums in other messages than their data are tested in `apart`.
#[test]
fn a_checksum_without_data_is_reported() {
    let alone = checksum(Checksum { suma: 1, sumb: 2 });
    for (messages, place, rules) in [
        (
            vec![file_message(), vec![alone.clone()]],
            (1, 0),
            &["checksum-without-data", "file-without-data"][..],
        ),
        (
            vec![file_message(), scidac_message(4, 1), vec![("x", vec![]), alone.clone()]],
            (2, 1),
            &["checksum-without-data"],
        ),
    ] {
        let run = survey(&messages);
        assert_eq!(run.rules(), rules, "{messages:?}");
        // At the payload, like all findings about a document.
        let payload = at(&messages, place.0, place.1) + 144;
        assert!(run.findings.contains(&Error::new(payload, ErrorKind::ChecksumWithoutData)));
    }
}

/// A checksum applies to one field. Another one, which may contradict the first, belongs to no data.
#[test]
fn a_second_checksum_is_reported() {
    for second in [data(4, 1).1, Checksum { suma: 1, sumb: 2 }] {
        let mut message = scidac_message(4, 1);
        message.push(checksum(second));
        let messages = [file_message(), message];
        let run = survey(&messages);
        let expected = Error::new(at(&messages, 1, 4) + 144, ErrorKind::ChecksumWithoutData);
        assert_eq!(run.findings, [expected], "{second}");
        assert_eq!(verdicts(&run), ["match"]);
    }
}

/// If only one sum is stored, it must match, and the field remains unverified.
#[test]
fn one_stored_sum_is_compared() {
    let with = |elements: String| {
        let mut message = scidac_message(4, 1);
        message[3].1 =
            format!("<scidacChecksum><version>1.0</version>{elements}</scidacChecksum>").into_bytes();
        let messages = [file_message(), message];
        (survey(&messages), at(&messages, 1, 3) + 144)
    };
    let sums = data(4, 1).1;
    for elements in
        [format!("<suma>{:x}</suma>", sums.suma), format!("<sumb>{:X}</sumb>", sums.sumb), String::new()]
    {
        let (run, at) = with(elements);
        assert_eq!(run.findings, [Error::new(at, ErrorKind::ChecksumAbsent)]);
        assert_eq!(verdicts(&run), ["absent"]);
    }
    for elements in [format!("<suma>{:x}</suma>", !sums.suma), format!("<sumb>{:x}</sumb>", !sums.sumb)] {
        let (run, at) = with(elements);
        assert_eq!(run.rules(), ["checksum-mismatch", "checksum-absent"]);
        assert_eq!(run.findings[0].at, at);
        let ErrorKind::Field(field::ErrorKind::ChecksumMismatch { computed, stored }) = run.findings[0].kind
        else {
            panic!("{run:?}")
        };
        assert_eq!(computed, sums);
        // The missing sum is not compared; event and finding agree.
        let one_differs = (stored.suma == sums.suma) != (stored.sumb == sums.sumb);
        assert!(one_differs, "{stored}");
        assert_eq!(
            run.fields[0].verdict,
            Some(Verdict::Mismatch { stored, computed: run.fields[0].computed.expect("read") })
        );
    }
}

/// If two fields have the same kind, every message with gauge data needs an `ildg-update` (ILDG 1.2, section 2.2).
#[test]
fn fields_of_one_kind_are_distinguished_by_their_update() {
    let message = |kind: &str, update: Option<Part>| -> Vec<Part> {
        let data = if kind == "u1phase" { phases(1) } else { links(1) };
        [Some(format(kind)), update, Some(data)].into_iter().flatten().collect()
    };
    let updated = |kind, n| message(kind, Some(update(n)));
    let bare = |kind| message(kind, None);
    let missing = ErrorKind::UpdateMissing { scidac: false };
    for (messages, places) in [
        (vec![bare("u1phase"), bare("u1gauge")], &[][..]),
        (vec![updated("u1phase", "1"), updated("u1phase", "2")], &[]),
        (vec![updated("u1phase", "1"), updated("u1gauge", "1"), updated("u1phase", "2")], &[]),
        (vec![updated("u1phase", "1"), bare("u1gauge")], &[]),
        (vec![bare("u1phase"), bare("u1phase")], &[(1, 1)]),
        (vec![bare("u1phase"), updated("u1phase", "1")], &[(1, 2)]),
        (vec![updated("u1phase", "1"), bare("u1phase")], &[(1, 1)]),
        (vec![bare("u1phase"), bare("u1phase"), bare("u1phase")], &[(1, 1), (2, 1)]),
        // Once a kind is repeated, messages of other kinds need an update as well.
        (vec![updated("u1phase", "1"), updated("u1phase", "2"), bare("u1gauge")], &[(2, 1)]),
        (vec![bare("u1gauge"), updated("u1phase", "1"), updated("u1phase", "2")], &[(2, 2)]),
    ] {
        let messages = [messages, vec![vec![lfn()]]].concat();
        let expected: Vec<_> = places
            .iter()
            .map(|(message, record)| Error::new(at(&messages, *message, *record), missing))
            .collect();
        assert_eq!(survey(&messages).findings, expected, "{messages:?}");
    }
}

/// "The order of the three records is fixed": an update before the format or after the data does not belong to this
/// field.
#[test]
fn an_update_belongs_between_format_and_data() {
    let first = vec![format("u1phase"), update("1"), phases(1)];
    let missing = ErrorKind::UpdateMissing { scidac: false };
    for (second, expected) in [
        (
            vec![update("2"), format("u1phase"), phases(2)],
            &[(0, ErrorKind::UpdateMisplaced), (2, missing)][..],
        ),
        (vec![format("u1phase"), phases(2), update("2")], &[(1, missing), (2, ErrorKind::UpdateMisplaced)]),
        // The first field's update does not apply to the second.
        (vec![format("u1gauge"), update("2"), links(2), format("u1phase"), phases(2)], &[(4, missing)]),
    ] {
        let messages = [first.clone(), second, vec![lfn()]];
        let expected: Vec<_> =
            expected.iter().map(|(record, kind)| Error::new(at(&messages, 1, *record), *kind)).collect();
        assert_eq!(survey(&messages).findings, expected, "{messages:?}");
    }
}

#[test]
fn an_update_is_one_string_of_digits() {
    let run = |update: &[u8]| {
        let messages = [vec![format("u1phase"), (ildg::UPDATE, update.to_vec()), phases(1), lfn()]];
        (survey(&messages), at(&messages, 0, 1) + 144)
    };
    for good in [&b"0"[..], b"100", b"100\0", b"100\n", b" 7 ", b"12345678901234567890123456789", b"1\0x\xff"]
    {
        assert_eq!(run(good).0.findings, [], "{good:?}");
    }
    for bad in [&b""[..], b"\0", b" ", b"-1", b"1.5", b"0x10", b"ten", b"1 2", b"1\n2", b"1_0"] {
        let (run, payload) = run(bad);
        assert_eq!(run.findings, [Error::new(payload, ErrorKind::UpdateNotDigits)], "{bad:?}");
    }
}

#[test]
fn an_lfn_holds_a_name() {
    let run = |name: &[u8]| {
        let messages = [vec![format("u1phase"), phases(1)], vec![(ildg::DATA_LFN, name.to_vec())]];
        (survey(&messages), at(&messages, 1, 0) + 144)
    };
    for name in [&b"lfn://x/y"[..], b"x\0", b"x\n", b" x "] {
        assert_eq!(run(name).0.findings, [], "{name:?}");
    }
    for name in [&b""[..], b"\0", b" \n\t", b"\0lfn://x"] {
        let (run, payload) = run(name);
        assert_eq!(run.findings, [Error::new(payload, ErrorKind::LfnEmpty)], "{name:?}");
        assert_eq!(run.fields.len(), 1);
    }
}

/// Printable ASCII, tab and line feed up to a NUL, in the three text records of ILDG and only in these.
#[test]
fn text_of_ildg_records_is_ascii() {
    let of = |position: usize, text: &[u8]| {
        let mut format = format("u1phase");
        let mut parts = [format.1.clone(), b"1".to_vec(), b"lfn".to_vec()];
        // Before the NUL of the format, after its root element; after the end of the other texts.
        let at_nul = format.1.len() - 1;
        if position == 0 {
            parts[0].splice(at_nul..at_nul, text.iter().copied());
        } else {
            parts[position].extend_from_slice(text);
        }
        format.1 = parts[0].clone();
        let messages =
            [vec![format, (ildg::UPDATE, parts[1].clone()), phases(1), (ildg::DATA_LFN, parts[2].clone())]];
        let record = [0, 1, 3][position];
        let before = if position == 0 { at_nul } else { parts[position].len() - text.len() };
        (survey(&messages), at(&messages, 0, record) + 144 + before as u64)
    };
    for position in 0..3 {
        assert_eq!(of(position, b"\n\t \0\x01\r\xff").0.findings, [], "{position}");
        for byte in (1..=255_u8).filter(|byte| !matches!(byte, b' '..=b'~' | b'\t' | b'\n')) {
            let (run, at) = of(position, &[b' ', byte, byte]);
            let first = run.findings.first().copied();
            assert_eq!(first, Some(Error::new(at + 1, ErrorKind::TextByte { found: byte })), "{position}");
            let more =
                run.findings.iter().filter(|error| matches!(error.kind, ErrorKind::TextByte { .. })).count();
            assert_eq!(more, 1, "only the first byte of a record must be reported");
            assert_eq!(run.fields.len(), 1, "harmless");
        }
    }
    // The rule does not apply to the texts of SciDAC.
    let mut messages = [file_message(), scidac_message(4, 1)];
    messages[0][0].1.pop();
    messages[0][0].1.extend_from_slice(b"\r\n<!-- \xc3\xa4 \x01 -->\0");
    messages[0][1].1 = b"\xff\r\x02".to_vec();
    let not_utf8 = ErrorKind::UserXml(UserText::File, xml::ErrorKind::NotUtf8);
    assert_eq!(survey(&messages).findings, [Error::new(at(&messages, 0, 1) + 144, not_utf8)]);
}

/// QIO stores four links at every site of an ILDG field, also for trivial directions, although ILDG 1.2 has no links
/// there. Its documents contain their number.
#[test]
fn qio_stores_four_links_also_in_trivial_directions() {
    let mut record = PrivateRecord::gauge_field(3, Precision::F32, 4);
    let (mut data, sums) = data(288, 9);
    data.0 = ildg::BINARY_DATA;
    let messages = [
        file_message(),
        vec![
            (scidac::PRIVATE_RECORD_XML, text(|to| record.emit(Spacing::Line, to))),
            record_xml(),
            format("su3gauge"),
            lfn(),
            data.clone(),
            checksum(sums),
        ],
    ];
    let run = survey(&messages);
    assert_eq!((run.findings.len(), verdicts(&run)), (0, vec!["match"]), "{:?}", run.findings);
    let site = &run.fields[0].sites[5];
    assert_eq!(site.links.len(), 4);
    assert_eq!(site.links[3].bytes, data.1[5 * 288 + 3 * 72..][..72]);

    // Three links per site are the alternative; any other number contradicts the format.
    for (datacount, rules) in [(3, &[][..]), (2, &["descriptions-differ"]), (5, &["descriptions-differ"])] {
        record = PrivateRecord::gauge_field(3, Precision::F32, datacount);
        let size = 72 * datacount as usize;
        let ((_, data), sums) = self::data(size, 9);
        let mut messages = messages.clone();
        messages[1][0].1 = text(|to| record.emit(Spacing::Line, to));
        messages[1][4].1 = data;
        messages[1][5] = checksum(sums);
        let run = survey(&messages);
        assert_eq!((run.rules(), verdicts(&run)), (rules.to_vec(), vec!["match"]), "{datacount}");
        assert_eq!(run.fields[0].field.described_by, DescribedBy::Scidac);
        assert_eq!(run.fields[0].sites[0].links.len(), datacount as usize);
    }
}

/// The user's XML is a required part of a SciDAC message.
#[test]
fn user_xml_is_missed() {
    let mut messages = [vec![private_file()], scidac_message(4, 1)];
    messages[1].remove(1);
    let expected = [
        Error::new(0, ErrorKind::FileXmlMissing),
        Error::new(at(&messages, 1, 0), ErrorKind::RecordXmlMissing),
    ];
    let run = survey(&messages);
    assert_eq!((&run.findings[..], verdicts(&run)), (&expected[..], vec!["match"]));
}

/// Without a file document, the lattice of a SciDAC record is unknown.
#[test]
fn a_scidac_record_needs_a_lattice() {
    let messages = [scidac_message(4, 1)];
    let run = survey(&messages);
    assert_eq!(
        run.findings,
        [Error::new(at(&messages, 0, 2), ErrorKind::Field(field::ErrorKind::FileMissing))]
    );
    assert_eq!(run.fields.len(), 0);
    // The file document may be in the same message, before the data.
    let mut message = scidac_message(4, 1);
    message.insert(2, private_file());
    message.insert(0, (scidac::FILE_XML, Vec::new()));
    assert_eq!(
        (survey(&[message.clone()]).findings.len(), verdicts(&survey(&[message]))),
        (0, vec!["match"])
    );
}

/// An ildg-format that describes the data completely is sufficient, whatever the SciDAC records lack. The file document
/// that QIO writes before them is missed.
#[test]
fn an_ildg_format_supplies_what_scidac_records_leave_open() {
    let messages =
        [vec![private_record(Region::Lattice, 12), record_xml(), format("u1phase"), phases(1), lfn()]];
    let run = survey(&messages);
    assert_eq!(run.findings, [Error::new(at(&messages, 0, 0), ErrorKind::FileAbsent)]);
    assert_eq!(verdicts(&run), ["absent"]);
    assert!(matches!(run.fields[0].field.described_by, DescribedBy::Ildg));
}

/// The data after a field belong to a damaged record document. The verdict on the field has its checksum even so.
#[test]
fn a_verdict_keeps_its_checksum_before_data_without_a_layout() {
    let (mut spoilt, phases) = (private_record(Region::Lattice, 4), phases(1));
    spoilt.1.truncate(40);
    let mut sums = Checksum::default();
    for (rank, site) in (0..).zip(phases.1.chunks(12)) {
        sums.add(rank, site);
    }
    let messages = [
        file_message(),
        vec![spoilt, record_xml()],
        vec![lfn(), format("u1phase"), phases, (scidac::BINARY_DATA, bytes(48, 2))],
    ];
    let run = survey(&messages);
    assert_eq!(run.fields.len(), 1);
    assert_eq!(run.fields[0].verdict, Some(Verdict::Absent { computed: sums }));
}

/// The decoder does not read volumes of a file set, and reports this once.
#[test]
fn a_volume_of_a_set_is_refused_as_such() {
    for volfmt in 1..=3 {
        let mut messages = [file_message(), scidac_message(4, 1), scidac_message(8, 2)];
        let document = String::from_utf8(messages[0][0].1.clone()).expect("ASCII");
        messages[0][0].1 = document.replace("<volfmt>0", &format!("<volfmt>{volfmt}")).into_bytes();
        messages[0].insert(1, (scidac::SITELIST, vec![0; 48]));
        let run = survey(&messages);
        assert_eq!((run.rules(), run.fields.len()), (vec!["scidac-volume-set"], 0));
        assert_eq!((run.findings[0].at, run.findings[0].kind.class()), (144, linkstream::Class::Unsupported));
    }
}
