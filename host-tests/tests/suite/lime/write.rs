//! The output equals the output of c-lime byte for byte. Calls against the rules, which c-lime accepts silently, are
//! refused. An error of the sink is permanent.

use crate::sinks::{Disk, Fault, Frail, Full, contents, disk};
use embedded_io::ErrorKind;
use host_tests::drive::Random;
use host_tests::fixtures::Fixtures;
use host_tests::formula::lime_payload;
use host_tests::manifest::{Entry, load};
use host_tests::oracle;
use linkstream::Encode as _;
use linkstream::Resumable as _;
use linkstream::io::{RecordWriter, WriteError};
use linkstream::lime::{Decoder, EncodeErrorKind, Encoder, Header};
use linkstream::{Decode, Mode};

/// A file of `fixtures/lime`: the expected bytes, and the records to write.
struct File {
    path: String,
    bytes: Vec<u8>,
    records: Vec<(oracle::Record, Vec<u8>)>,
}

impl File {
    fn of(entry: &Entry) -> Self {
        let bytes = entry.bytes();
        let listed = entry.records().expect("a LIME file");
        let all = oracle::records(&bytes);
        assert!(all.starts_with(&listed) && Some(all.len()) == entry.record_count(), "{}", entry.path);
        let with_payload = |(n, record): (usize, oracle::Record)| {
            let payload = lime_payload(entry, n, record.length);
            let payload = payload.unwrap_or_else(|| record.payload(&bytes).to_vec());
            (record, payload)
        };
        let records = all.into_iter().enumerate().map(with_payload).collect();
        Self { path: entry.path.clone(), bytes, records }
    }

    fn header(&self, n: usize) -> Header {
        let (record, payload) = &self.records[n];
        Header::new(&record.kind, payload.len() as u64, record.mb, record.me).expect("a legal header")
    }
}

fn files() -> Vec<File> {
    load(Fixtures::Ours, "lime").iter().map(File::of).collect()
}

fn file(path: &str) -> File {
    let entries = load(Fixtures::Ours, "lime");
    File::of(entries.iter().find(|entry| entry.path == path).expect("listed"))
}

fn assert_bytes(found: &[u8], expected: &[u8], what: &str) {
    let differs = found.iter().zip(expected).position(|(a, b)| a != b);
    assert!(differs.is_none(), "{what}: differs at byte {differs:?}");
    assert_eq!(found.len(), expected.len(), "{what}: length");
}

/// The only file with records that c-lime wrote and that this writer refuses. Other calls against the rules
/// (`type-128-truncated`, `overlong-write`, `short-write-pad`) led to valid files, so that only the calls are refused:
/// see [`calls_that_c_lime_accepts_silently_are_refused`].
const ILLEGAL: &str = "mbme-unchecked.lime";

#[test]
fn every_file_of_c_lime_is_written_again() {
    for file in files() {
        if file.path == ILLEGAL {
            continue;
        }
        // Record by record.
        let mut writer = RecordWriter::create(disk(Vec::new()));
        for (record, payload) in &file.records {
            writer.write_record(&record.kind, record.mb, record.me, payload).expect(&file.path);
        }
        assert_eq!(writer.encoder().position(), file.bytes.len() as u64);
        assert_bytes(&contents(writer.finish().expect(&file.path)), &file.bytes, &file.path);

        // In pieces of 7 bytes, as c-lime wrote piecewise.lime, to a sink that accepts few bytes at a time.
        let mut writer = RecordWriter::create(Frail::new(file.bytes.len(), Full::Fails));
        for (n, (_, payload)) in file.records.iter().enumerate() {
            writer.begin(&file.header(n)).expect(&file.path);
            for piece in payload.chunks(7) {
                writer.put(piece).expect(&file.path);
            }
            writer.end().expect(&file.path);
        }
        assert_bytes(&writer.finish().expect(&file.path).bytes, &file.bytes, &file.path);
    }
}

#[test]
fn flags_that_c_lime_does_not_check_are_refused() {
    let file = file(ILLEGAL);
    let mut writer = RecordWriter::create(disk(Vec::new()));
    writer.begin(&file.header(0)).expect("the first is legal");
    writer.end().expect("it is empty");
    let refused = writer.begin(&file.header(1)).expect_err("MB in an open message");
    assert!(matches!(refused, WriteError::Refused(EncodeErrorKind::BeginUnexpected)), "{refused}");
    writer.write_record(b"mb0-me1", false, true, b"").expect("the refused call has changed nothing");
    let refused = writer.begin(&file.header(2)).expect_err("MB is missing after ME");
    assert!(matches!(refused, WriteError::Refused(EncodeErrorKind::BeginMissing)), "{refused}");
    assert_eq!(
        contents(writer.finish().expect("a refused call changes nothing")).len(),
        288,
        "a refused header must not be written"
    );
}

#[test]
fn calls_that_c_lime_accepts_silently_are_refused() {
    let files = files();
    let find = |path: &str| files.iter().find(|file| file.path == path);

    // 20 bytes for a record with a length of 10.
    let overlong = find("overlong-write.lime").expect("listed");
    let mut writer = RecordWriter::create(disk(Vec::new()));
    writer.begin(&overlong.header(0)).expect("legal");
    let refused = writer.put(&[1; 20]).expect_err("too long");
    let kind = EncodeErrorKind::PayloadTooLong { offered: 20, room: 10 };
    assert!(matches!(refused, WriteError::Refused(found) if found == kind), "{refused}");
    writer.put(&overlong.records[0].1).expect("nothing of the 20 was written");
    writer.end().expect("complete");
    assert_bytes(&contents(writer.into_parts().0), &overlong.bytes, &overlong.path);

    // 5 of 13 bytes, followed by padding; and 5 of 16 bytes, without padding (broken/lime/short-write-nopad.lime).
    let short = find("short-write-pad.lime").expect("listed");
    for length in [13, 16] {
        let mut writer = RecordWriter::create(disk(Vec::new()));
        let header = Header::new(&short.records[0].0.kind, length, true, true).expect("legal");
        writer.begin(&header).expect("legal");
        writer.put(b"abcde").expect("there is room");
        for _ in 0..2 {
            let refused = writer.end().expect_err("too short");
            let kind = EncodeErrorKind::PayloadTooShort { missing: length - 5 };
            assert!(matches!(refused, WriteError::Refused(found) if found == kind), "{refused}");
            let refused = writer.end_seeking().expect_err("too short");
            assert!(matches!(refused, WriteError::Refused(found) if found == kind), "{refused}");
            let refused = writer.complete().expect_err("a record is open");
            assert!(matches!(refused, WriteError::Refused(EncodeErrorKind::RecordOpen)), "{refused}");
        }
        writer.put(&vec![0; usize::try_from(length).expect("small") - 5]).expect("there is room");
        writer.end().expect("complete");
        if length == 13 {
            assert_bytes(&contents(writer.into_parts().0), &short.bytes, &short.path);
        }
    }

    // Types of 128 and 200 characters, which c-lime cuts to 127.
    for length in [128, 200] {
        let refused = Header::new(&vec![b'A'; length], 8, true, true);
        assert_eq!(refused, Err(EncodeErrorKind::TypeTooLong { length }));
    }
    let cut = find("type-128-truncated.lime").expect("listed");
    assert!(cut.records.iter().all(|(record, _)| record.kind.len() == 127));
}

#[test]
fn three_sessions_append() {
    let file = file("appended.lime");
    let mut bytes = Vec::new();
    for session in [0..1, 1..3, 3..4] {
        let mut decoder = Decoder::new(Mode::Strict);
        let mut rest = bytes.as_slice();
        while !rest.is_empty() {
            let step = decoder.push(rest).expect("a valid file");
            rest = &rest[step.consumed..];
        }
        while decoder.finish().expect("a complete file").is_some() {}
        let encoder = Encoder::after(&decoder).expect("at a record's end");
        let mut writer = RecordWriter::with_encoder(disk(bytes), encoder);
        for n in session {
            let (record, payload) = &file.records[n];
            writer.write_record(&record.kind, record.mb, record.me, payload).expect("legal");
        }
        bytes = contents(writer.finish().expect("nothing is open"));
    }
    assert_bytes(&bytes, &file.bytes, &file.path);
}

/// After every byte of a file: an encoder can be made only at the end of a record, and it knows whether the message is
/// open.
#[test]
fn appending_is_possible_between_records_only() {
    for file in files() {
        if file.bytes.len() > 2048 {
            continue;
        }
        let ends: Vec<(u64, bool)> = file
            .records
            .iter()
            .map(|(record, _)| {
                let null = !record.mb && !record.me && record.length == 0 && record.kind.is_empty();
                (record.payload_offset + record.length.next_multiple_of(8), !record.me && !null)
            })
            .chain([(0, false)])
            .collect();
        for cut in 0..=file.bytes.len() {
            let mut decoder = Decoder::new(Mode::Lenient);
            let mut rest = &file.bytes[..cut];
            while !rest.is_empty() {
                rest = &rest[decoder.push(rest).expect("lenient").consumed..];
            }
            // The end of a record may still be pending.
            while let Ok(step) = decoder.push(&[])
                && step.event.is_some()
            {}
            let end = ends.iter().find(|(at, _)| *at == cut as u64);
            let found = Encoder::after(&decoder).map(|e| (e.position(), e.message_is_open()));
            assert_eq!(found, end.copied(), "{} at {cut}", file.path);
        }
    }
}

#[test]
fn payload_out_of_order_is_the_file_c_lime_wrote() {
    let file = file("seek-written.lime");
    let payload = &file.records[0].1;
    let pieces = [20..30, 40..50, 0..10, 45..50, 30..40, 5..15, 10..20];
    // The file follows 1000 foreign bytes, which the encoder does not count.
    for before in [0, 1000] {
        let mut writer = RecordWriter::create(disk(vec![0xEE; before]));
        writer.begin(&file.header(0)).expect("legal");
        for piece in pieces.clone() {
            let refused = writer.end_seeking().expect_err("not complete yet");
            assert!(
                matches!(refused, WriteError::Refused(EncodeErrorKind::PayloadTooShort { .. })),
                "{refused}"
            );
            writer.seek(piece.start as u64).expect("inside");
            writer.put(&payload[piece]).expect("there is room");
        }
        let refused = writer.end().expect_err("the sink is at 20");
        assert!(matches!(refused, WriteError::NotAtEnd), "{refused}");
        let outside = writer.seek(51).expect_err("outside");
        let kind = EncodeErrorKind::SeekOutside { to: 51, length: 50 };
        assert!(matches!(outside, WriteError::Refused(found) if found == kind), "{outside}");
        writer.end_seeking().expect("complete");
        let (record, payload) = &file.records[1];
        writer.write_record(&record.kind, record.mb, record.me, payload).expect("legal");
        let bytes = contents(writer.finish().expect("nothing is open"));
        assert!(bytes[..before].iter().all(|byte| *byte == 0xEE), "foreign bytes must not change");
        assert_bytes(&bytes[before..], &file.bytes, &file.path);
    }
}

/// The writer is replaced in the middle of a record, at every byte.
#[test]
fn another_writer_continues_at_any_position() {
    for path in ["piecewise.lime", "seek-written.lime", "two-messages.lime", "zero-length.lime"] {
        let file = file(path);
        let longest = file.records.iter().map(|(_, payload)| payload.len()).max().unwrap_or(0);
        for at in 0..=longest {
            let hand_on = |writer: RecordWriter<Disk>| {
                let (sink, encoder) = writer.into_parts();
                let loaded = Encoder::load(&encoder.save()).expect("what was saved can be loaded");
                assert_eq!(loaded, encoder);
                RecordWriter::with_encoder(sink, loaded)
            };
            let mut writer = RecordWriter::create(disk(Vec::new()));
            for (n, (_, payload)) in file.records.iter().enumerate() {
                let (first, second) = payload.split_at(at.min(payload.len()));
                writer.begin(&file.header(n)).expect("legal");
                writer.put(first).expect("there is room");
                writer = hand_on(writer);
                writer.put(second).expect("there is room");
                writer = hand_on(writer);
                writer.end().expect("complete");
                writer = hand_on(writer);
            }
            assert_bytes(&contents(writer.finish().expect("nothing is open")), &file.bytes, path);
        }
    }
}

/// One process opens the record and passes its state to others. Each of them writes a part at its own position. The
/// first one counts all parts and closes the record. This is the purpose of c-lime's limeWriterSetState.
#[test]
fn processes_fill_a_record_side_by_side() {
    let file = file("piecewise.lime");
    let payload = &file.records[0].1;
    let mut bytes = vec![0xEE; file.bytes.len()];
    let mut first = Encoder::new();
    bytes[..144].copy_from_slice(first.begin(&file.header(0)).expect("legal"));
    let broadcast = first.save();
    for part in (0..10).rev() {
        let mut other = Encoder::load(&broadcast).expect("what was saved can be loaded");
        other.seek(10 * part).expect("inside");
        other.payload(10).expect("there is room");
        let end = usize::try_from(other.position()).expect("in memory");
        let part = usize::try_from(10 * part).expect("small");
        bytes[end - 10..end].copy_from_slice(&payload[part..part + 10]);
        assert_eq!(
            other.end(),
            Err(EncodeErrorKind::PayloadTooShort { missing: 90 }),
            "a process counts only its own part"
        );
    }
    first.payload(100).expect("there is room");
    let end = usize::try_from(first.position()).expect("in memory");
    bytes[end..].copy_from_slice(first.end().expect("complete"));
    assert_bytes(&bytes, &file.bytes, &file.path);
}

fn write_all(
    writer: &mut RecordWriter<Frail>,
    file: &File,
    random: &mut Random,
) -> Result<(), WriteError<Fault, EncodeErrorKind>> {
    for (n, (_, payload)) in file.records.iter().enumerate() {
        writer.begin(&file.header(n))?;
        let mut rest = payload.as_slice();
        while !rest.is_empty() {
            let (piece, behind) = rest.split_at(1 + random.below(rest.len()));
            writer.put(piece)?;
            rest = behind;
        }
        writer.end()?;
    }
    writer.complete().map(drop)
}

fn assert_broken(writer: &mut RecordWriter<Frail>, header: &Header, what: &str) {
    let before = writer.encoder().clone();
    for _ in 0..2 {
        let answers = [
            writer.begin(header),
            writer.put(b""),
            writer.put(b"x"),
            writer.end(),
            writer.write_record(b"t", true, true, b""),
            writer.seek(0),
            writer.end_seeking(),
            writer.complete(),
        ];
        assert_eq!(answers, [Err(WriteError::Broken); 8], "{what}");
    }
    assert_eq!(*writer.encoder(), before, "{what}: a refused call must change nothing");
}

/// A sink that becomes full after each byte of a file, in both ways.
#[test]
fn full_sinks_are_reported_at_every_byte() {
    for path in ["two-messages.lime", "zero-length.lime"] {
        let file = file(path);
        for room in 0..=file.bytes.len() {
            for full in [Full::TakesNothing, Full::Fails] {
                let what = format!("{path}, room for {room}, {full:?}");
                let mut writer = RecordWriter::create(Frail::new(room, full));
                let result = write_all(&mut writer, &file, &mut Random(room as u64));
                if room == file.bytes.len() {
                    assert_eq!(result, Ok(()), "{what}");
                } else {
                    let expected = match full {
                        Full::TakesNothing => WriteError::WriteZero,
                        Full::Fails => WriteError::Io(Fault(ErrorKind::OutOfMemory)),
                    };
                    assert_eq!(result, Err(expected), "{what}");
                    assert_broken(&mut writer, &file.header(0), &what);
                }
                assert_bytes(&writer.into_parts().0.bytes, &file.bytes[..room], &what);
            }
        }
    }
}

#[test]
fn failing_flush_and_seek_break_the_writer() {
    let header = Header::new(b"t", 10, true, true).expect("legal");
    let mut writer = RecordWriter::create(Frail { flush_fails: true, ..Frail::new(1000, Full::Fails) });
    writer.write_record(b"t", true, true, b"0123456789").expect("there is room");
    assert_eq!(writer.complete(), Err(WriteError::Io(Fault(ErrorKind::BrokenPipe))));
    assert_broken(&mut writer, &header, "flush");

    let mut writer = RecordWriter::create(Frail { seek_fails: true, ..Frail::new(1000, Full::Fails) });
    writer.begin(&header).expect("legal");
    writer.seek(0).expect("the sink is already at this position");
    assert_eq!(writer.seek(5), Err(WriteError::Io(Fault(ErrorKind::Unsupported))));
    assert_broken(&mut writer, &header, "seek");
}
