//! Every file of `fixtures/lime` and `broken/lime` is compared with its manifest.
//!
//! The expected values come from the manifests' records and payload formula and from the two tables below, whose
//! entries follow from section 1 of `formats/qio-on-disk.md` and the `should` of the manifest.

use crate::lime::model::{LimeTrace, MODES, drive};
use host_tests::drive::{Item, Trace};
use host_tests::fixtures::Fixtures;
use host_tests::formula::lime_payload;
use host_tests::manifest::{Entry, load};
use host_tests::oracle;
use linkstream::lime::{Decoder, ErrorKind, Event, Record};
use linkstream::{Error, Mode};

/// The files of `fixtures/lime` with findings, which are listed in order; all others have none. The first finding is
/// the error in strict mode, unless it is only a remark (`Info`).
const ODD: [(&str, &[Error<ErrorKind>]); 3] = [
    // c-lime wrote this file although it breaks the rule that MB follows ME. The record at 288, the last one, also
    // lacks ME.
    (
        "mbme-unchecked.lime",
        &[
            Error::new(150, ErrorKind::BeginUnexpected),
            Error::new(294, ErrorKind::BeginMissing),
            Error::new(432, ErrorKind::MessageOpen),
        ],
    ),
    ("open-ended.lime", &[Error::new(480, ErrorKind::MessageOpen)]),
    // The null record ends the message, so that no message is open.
    ("terminal-null.lime", &[Error::new(320, ErrorKind::TerminalNull)]),
];

/// True for a finding that is reported in every mode and refused in none.
const fn is_note(kind: ErrorKind) -> bool {
    matches!(kind, ErrorKind::MessageOpen | ErrorKind::TerminalNull)
}

/// The records listed in a manifest, numbered as in c-lime's tools.
fn numbered(listed: &[oracle::Record]) -> Vec<Record> {
    let (mut message, mut number) = (0, 0);
    let mut count = |record: &oracle::Record| {
        if record.mb || message == 0 {
            message += 1;
            number = 0;
        }
        number += 1;
        let oracle::Record { offset, length, mb: begin, me: end, .. } = *record;
        Record { offset, length, message, number, begin, end }
    };
    listed.iter().map(&mut count).collect()
}

/// All records of an entry. For some long files the manifest lists only the first ones.
fn listed_records(entry: &Entry, bytes: &[u8]) -> Vec<oracle::Record> {
    let listed = entry.records().expect("a LIME file");
    if !entry.lime_truncated {
        return listed;
    }
    let all = oracle::records(bytes);
    assert_eq!(Some(all.len()), entry.record_count(), "{}", entry.path);
    assert_eq!(all[..listed.len()], listed, "{}", entry.path);
    all
}

/// The payload of records, also of those without a formula: the text of the example in the LIME specification, and
/// packed files.
fn payload(entry: &Entry, n: usize, record: &oracle::Record, bytes: &[u8]) -> Vec<u8> {
    lime_payload(entry, n, record.length).unwrap_or_else(|| match entry.path.as_str() {
        "single.lime" => b"LIME test message".to_vec(),
        "concat.lime" if n == 0 => b"LIME test message".to_vec(),
        "packed.lime" | "concat.lime" => record.payload(bytes).to_vec(),
        other => panic!("{other}: the payload of record {n} is not described"),
    })
}

fn manifest_trace(entry: &Entry, bytes: &[u8], mode: Mode) -> LimeTrace {
    let listed = listed_records(entry, bytes);
    let mut findings = ODD
        .iter()
        .filter(|(path, _)| *path == entry.path)
        .flat_map(|(_, findings)| findings.iter().copied())
        .peekable();
    let mut trace = Trace { items: Vec::new(), end: Ok(()), position: 0 };
    for ((n, at), record) in listed.iter().enumerate().zip(numbered(&listed)) {
        trace.position = at.payload_offset;
        while let Some(finding) = findings.next_if(|finding| finding.at < at.payload_offset) {
            if mode == Mode::Strict && !is_note(finding.kind) {
                trace.end = Err(finding);
                return trace;
            }
            trace.items.push(Item::Event {
                event: Event::Finding(finding),
                after: at.payload_offset,
                note: Vec::new(),
            });
        }
        let start = usize::try_from(at.offset).expect("in memory");
        let note = bytes[start..start + 144].to_vec();
        assert!(note[16..].starts_with(&at.kind), "{}: type of record {n}", entry.path);
        let event = Event::Record(record);
        trace.items.push(Item::Event { event, after: at.payload_offset, note: note.clone() });
        if at.length > 0 {
            let crc = Some(crc32fast::hash(&payload(entry, n, at, bytes)));
            trace.items.push(Item::Payload { offset: at.payload_offset, length: at.length, crc });
        }
        trace.position = at.payload_offset + at.length.next_multiple_of(8);
        trace.items.push(Item::Event { event: Event::End, after: trace.position, note });
    }
    for finding in findings {
        assert!(is_note(finding.kind) && finding.at == trace.position, "{}", entry.path);
        let event = Event::Finding(finding);
        trace.items.push(Item::Event { event, after: trace.position, note: Vec::new() });
    }
    trace
}

#[test]
fn files_of_c_lime_are_read_as_the_manifest_says() {
    let entries = load(Fixtures::Ours, "lime");
    for (path, _) in ODD {
        assert!(entries.iter().any(|entry| entry.path == path), "{path} is among the fixtures");
    }
    assert!(entries.len() >= 33);
    for entry in &entries {
        let bytes = entry.bytes();
        for mode in MODES {
            let decoder = Decoder::new(mode);
            let what = format!("{} {mode:?}", entry.path);
            manifest_trace(entry, &bytes, mode).assert_same(&drive(&decoder, &bytes).whole(), &what);
        }
    }
}

/// A file of `broken/lime` and its expected treatment.
struct Broken {
    path: &'static str,
    /// The error in strict mode.
    strict: Option<Error<ErrorKind>>,
    /// The findings in lenient mode. Strict mode also reports them if they are only remarks (`Info`).
    findings: &'static [Error<ErrorKind>],
    /// The error in lenient mode.
    lenient: Option<Error<ErrorKind>>,
    /// Number of the manifest's records that can be read in lenient mode.
    records: usize,
}

/// An error in every mode.
const fn fatal(path: &'static str, at: u64, kind: ErrorKind, records: usize) -> Broken {
    let error = Some(Error::new(at, kind));
    Broken { path, strict: error, findings: &[], lenient: error, records }
}

/// An error in strict mode and a finding in the others.
const fn harmless(path: &'static str, finding: &'static [Error<ErrorKind>; 1], records: usize) -> Broken {
    Broken { path, strict: Some(finding[0]), findings: finding, lenient: None, records }
}

/// Nothing that strict mode refuses.
const fn accepted(path: &'static str, findings: &'static [Error<ErrorKind>], records: usize) -> Broken {
    Broken { path, strict: None, findings, lenient: None, records }
}

/// The length minus the 8 payload bytes of the 152-byte files with a long length.
const fn missing(length: u64) -> ErrorKind {
    ErrorKind::PayloadTruncated { missing: length - 8 }
}

const BROKEN: [Broken; 39] = [
    fatal("header-truncated-10", 10, ErrorKind::HeaderTruncated { have: 10 }, 0),
    fatal("header-truncated-143", 143, ErrorKind::HeaderTruncated { have: 143 }, 0),
    fatal("second-header-truncated", 284, ErrorKind::HeaderTruncated { have: 100 }, 1),
    harmless("trailing-7-bytes", &[Error::new(TRAILING_7, ErrorKind::Trailing { count: 7 })], 3),
    fatal("trailing-200-bytes", 544, ErrorKind::Magic { found: 0x7878_7878 }, 3),
    fatal("payload-truncated-half", 358, ErrorKind::PayloadTruncated { missing: 34 }, 2),
    fatal("payload-truncated-1", 148, ErrorKind::PayloadTruncated { missing: 1 }, 1),
    fatal("payload-truncated-long", 70143, ErrorKind::PayloadTruncated { missing: 1 }, 1),
    harmless("padding-truncated-all", &[Error::new(541, ErrorKind::PaddingTruncated { missing: 3 })], 3),
    harmless("padding-truncated-1", &[Error::new(543, ErrorKind::PaddingTruncated { missing: 1 })], 3),
    // The next header is in the place of three padding bytes; the bytes read as a header begin inside it.
    Broken {
        path: "padding-missing-between",
        strict: Some(Error::new(181, ErrorKind::PaddingNonzero { found: 0x45 })),
        findings: &[Error::new(181, ErrorKind::PaddingNonzero { found: 0x45 })],
        lenient: Some(Error::new(184, ErrorKind::Magic { found: 0xAB00_0140 })),
        records: 1,
    },
    fatal("magic-bad-first", 0, ErrorKind::Magic { found: 0x4567_89AC }, 0),
    fatal("magic-bad-second", 184, ErrorKind::Magic { found: 0 }, 1),
    fatal("magic-little-endian", 0, ErrorKind::Magic { found: 0xAB89_6745 }, 0),
    fatal("version-2", 4, ErrorKind::Version { found: 2 }, 0),
    fatal("version-0", 4, ErrorKind::Version { found: 0 }, 0),
    harmless("mb-missing-first", &[Error::new(6, ErrorKind::BeginMissing)], 2),
    harmless("mb-twice", &[Error::new(190, ErrorKind::BeginUnexpected)], 2),
    harmless("mb-missing-after-me", &[Error::new(190, ErrorKind::BeginMissing)], 2),
    accepted("me-missing-last", &[Error::new(392, ErrorKind::MessageOpen)], 2),
    harmless("reserved-bits", &[Error::new(6, ErrorKind::ReservedBits { found: 0x3FFF })], 1),
    harmless("padding-nonzero", &[Error::new(181, ErrorKind::PaddingNonzero { found: 1 })], 2),
    accepted("type-no-nul", &[], 1),
    accepted("type-not-utf8", &[], 1),
    // "type-c", NUL, "garbage".
    harmless("type-garbage-after-nul", &[Error::new(16 + 7, ErrorKind::TypeGarbage)], 1),
    accepted("type-empty", &[], 1),
    fatal("length-2e63", 152, missing(1 << 63), 1),
    fatal("length-2e63m1", 152, missing((1 << 63) - 1), 1),
    fatal("length-2e64m1", 8, ErrorKind::LengthOverflow { length: u64::MAX }, 0),
    fatal("length-2e64m8", 8, ErrorKind::LengthOverflow { length: u64::MAX - 7 }, 0),
    fatal("length-2e64m144", 8, ErrorKind::LengthOverflow { length: u64::MAX - 143 }, 0),
    // Ends 8 bytes before the largest 64-bit offset.
    fatal("length-2e64m152", 152, missing(u64::MAX - 151), 1),
    fatal("length-2e40", 152, missing(1 << 40), 1),
    fatal("length-2e32", 152, missing(1 << 32), 1),
    fatal("length-too-long-by-8", 152, missing(16), 1),
    // Payload bytes are in the place of three padding bytes.
    Broken {
        path: "length-too-short",
        strict: Some(Error::new(173, ErrorKind::PaddingNonzero { found: 0xF0 })),
        findings: &[Error::new(173, ErrorKind::PaddingNonzero { found: 0xF0 })],
        lenient: Some(Error::new(176, ErrorKind::Magic { found: 0x050C_131A })),
        records: 1,
    },
    fatal("short-write-nopad", 149, ErrorKind::PayloadTruncated { missing: 11 }, 1),
    fatal("all-zero-144", 0, ErrorKind::Magic { found: 0 }, 0),
    fatal("not-lime", 0, ErrorKind::Magic { found: 0x1F8B_0800 }, 0),
];

/// Offset of the stray bytes.
const TRAILING_7: u64 = 544;

fn findings(trace: &LimeTrace) -> Vec<Error<ErrorKind>> {
    let finding = |event: &Event| match event {
        Event::Finding(error) => Some(*error),
        _ => None,
    };
    trace.events().filter_map(finding).collect()
}

fn records(trace: &LimeTrace) -> Vec<Record> {
    let record = |event: &Event| match event {
        Event::Record(record) => Some(*record),
        _ => None,
    };
    trace.events().filter_map(record).collect()
}

#[test]
fn broken_files_are_taken_as_the_table_says() {
    let entries: Vec<Entry> =
        load(Fixtures::Ours, "broken").into_iter().filter(|entry| entry.path.starts_with("lime/")).collect();
    assert_eq!(entries.len(), BROKEN.len(), "every file must be in the table");
    for broken in BROKEN {
        let path = format!("lime/{}.lime", broken.path);
        let entry = entries.iter().find(|entry| entry.path == path).unwrap_or_else(|| panic!("{path}"));
        let bytes = entry.bytes();
        let listed = numbered(&entry.records().unwrap_or_default());
        assert!(broken.records <= listed.len(), "{path}: the table has more records than the manifest");

        let decoder = Decoder::new(Mode::Strict);
        let strict = drive(&decoder, &bytes).whole();
        assert_eq!(strict.end.err(), broken.strict, "{path}, strict");
        let notes: Vec<_> = broken.findings.iter().copied().filter(|f| is_note(f.kind)).collect();
        assert_eq!(findings(&strict), notes, "{path}, strict");
        assert!(listed.starts_with(&records(&strict)), "{path}, strict: records");

        for mode in [Mode::Lenient, Mode::Survey] {
            let decoder = Decoder::new(mode);
            let trace = drive(&decoder, &bytes).whole();
            assert_eq!(trace.end.err(), broken.lenient, "{path}, {mode:?}");
            assert_eq!(findings(&trace), broken.findings, "{path}, {mode:?}");
            assert_eq!(records(&trace), listed[..broken.records], "{path}, {mode:?}");
        }
    }
}

/// The table above agrees with the requirements of the manifest.
#[test]
fn table_agrees_with_the_should_of_the_manifest() {
    let entries = load(Fixtures::Ours, "broken");
    for broken in BROKEN {
        let path = format!("lime/{}.lime", broken.path);
        let entry = entries.iter().find(|entry| entry.path == path).unwrap_or_else(|| panic!("{path}"));
        let (is_error, is_reported) = (broken.strict.is_some(), !broken.findings.is_empty());
        let agrees = match entry.should.as_deref().expect("every broken file has it") {
            "error" => is_error && (is_reported || broken.lenient.is_some()),
            "error (or documented leniency at end of file)"
            | "typed error in strict mode; a lenient mode may go on"
            | "accept, strict-mode error"
            | "accept or strict-mode error" => is_error && is_reported && broken.lenient.is_none(),
            "accept with a warning: current c-lime writers produce this" => !is_error && is_reported,
            "accept" | "accept as bytes" | "accept or typed error, never read past the field" => !is_error,
            other => panic!("{path}: {other:?}"),
        };
        assert!(agrees, "{path}: should be {:?}", entry.should);
    }
}
