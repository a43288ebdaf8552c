//! [`RecordReader`] and its asynchronous calls, compared with the decoder.

use super::sources::{Hiccups, again, cuts, files, format, resumed};
use host_tests::drive::{Fitful, block_on};
use linkstream::io::{ReadError, Reader, RecordReader};
use linkstream::lime::{Decoder, ErrorKind, Event};
use linkstream::{Error, Mode, drive, finish};
use std::ops::ControlFlow;

/// Types and payloads up to the end or to the first error.
type Records = (Vec<(Vec<u8>, Vec<u8>)>, Option<Error<ErrorKind>>);

/// The records as read by the decoder in chunks. A record with an error is left out.
fn decoded(file: &[u8], chunk: usize) -> Records {
    let mut records = Vec::new();
    let mut decoder = Decoder::new(Mode::Strict);
    let mut open = false;
    let mut each = |event, bytes: &[u8], decoder: &Decoder| match event {
        Event::Record(record) => {
            records.push((decoder.record_type().to_vec(), Vec::new()));
            open = record.length > 0;
        }
        Event::Payload => {
            let payload: &mut Vec<u8> = &mut records.last_mut().expect("a record").1;
            payload.extend_from_slice(bytes);
            open = (payload.len() as u64) < decoder.record().length;
        }
        _ => {}
    };
    let driven = file
        .chunks(chunk)
        .try_for_each(|chunk| drive(&mut decoder, chunk, &mut each).map(|_| ()))
        .and_then(|()| finish(&mut decoder, &mut each));
    if open {
        records.pop();
    }
    (records, driven.err().map(Error::from))
}

/// A macro, because synchronous and asynchronous calls have no trait in common.
macro_rules! read {
    ($records:ident, $how:expr, $wait:ident) => {{
        let (mut found, mut out) = (Vec::new(), vec![0xEE; 300_000]);
        let end = loop {
            match format($wait!($records, next_record, next_record_async, ())) {
                Ok(Some(_)) => {}
                Ok(None) => break None,
                Err(error) => break Some(error),
            }
            let payload = match $how {
                0 => format($wait!($records, read_into, read_into_async, (&mut out)))
                    .map(|payload| payload.to_vec()),
                _ => {
                    let mut all = Vec::new();
                    loop {
                        match format($wait!($records, read, read_async, (&mut out[..$how]))) {
                            Ok(0) => break Ok(all),
                            Ok(n) => all.extend_from_slice(&out[..n]),
                            Err(error) => break Err(error),
                        }
                    }
                }
            };
            match payload {
                Ok(payload) => found.push(($records.record_type().to_vec(), payload)),
                Err(error) => break Some(error),
            }
        };
        (found, end)
    }};
}

macro_rules! awaited {
    ($reader:expr, $call:ident, $twin:ident, $arguments:tt) => {
        block_on($reader.$twin $arguments)
    };
}

macro_rules! plain {
    ($reader:expr, $call:ident, $twin:ident, $arguments:tt) => {
        $reader.$call $arguments
    };
}

fn same(name: &str, file: &[u8], buffers: &[usize]) {
    let expected = decoded(file, file.len().max(1));
    assert_eq!(decoded(file, 1), expected, "{name}: driven byte by byte");
    for size in buffers {
        let mut buffer = vec![0; *size];
        // Broken files describe payloads that are too large for any slice.
        for how in [0, 1, 100].into_iter().skip(usize::from(name.contains("broken"))) {
            let mut records = RecordReader::new(file, &mut buffer);
            let found: Records = read!(records, how, plain);
            assert_eq!(found, expected, "{name}: {size} {how}");
            let mut records = RecordReader::new(Fitful::new(file, 5), &mut buffer);
            let found: Records = read!(records, how, plain);
            assert_eq!(found, expected, "{name}: {size} {how}, fitful");
            let mut records = RecordReader::new(Fitful::new(file, 6), &mut buffer);
            let found: Records = read!(records, how, awaited);
            assert_eq!(found, expected, "{name}: {size} {how}, awaited");
        }
    }
}

#[test]
fn records_equal_the_decoder() {
    for (name, file) in files(&["lime", "broken"]) {
        same(&name, &file, if file.len() < 20_000 { &[1, 63, 4096] } else { &[4096] });
    }
}

#[test]
fn a_file_cut_anywhere_gives_the_error_of_the_decoder() {
    for (name, file) in files(&["lime"]) {
        for part in cuts(&file) {
            let expected = decoded(part, part.len().max(1));
            let mut buffer = [0; 50];
            let mut records = RecordReader::new(part, &mut buffer);
            let found: Records = read!(records, 0, plain);
            assert_eq!(found, expected, "{name} cut to {}", part.len());
        }
    }
}

/// The source fails at every third byte; each call is repeated with the rest of its slice.
#[test]
fn a_failing_source_loses_nothing() {
    for (name, file) in files(&["lime"]) {
        if file.len() > 10_000 {
            continue;
        }
        let mut buffer = [0; 50];
        let mut records = RecordReader::new(Hiccups::new(&file), &mut buffer);
        let (mut found, mut out) = (Vec::new(), vec![0; 10_000]);
        let end = loop {
            match format(again(|| records.next_record())) {
                Ok(Some(_)) => {
                    let read = resumed(&mut records, RecordReader::resume, |records, done| {
                        records.read_into(&mut out[done..]).map(|payload| payload.len())
                    });
                    let length =
                        format(read).map(|(done, rest)| done + rest).expect("no file here is truncated");
                    found.push((records.record_type().to_vec(), out[..length].to_vec()));
                }
                Ok(None) => break None,
                Err(error) => break Some(error),
            }
        };
        assert_eq!((found, end), decoded(&file, 7), "{name}");
    }
}

/// A source that claims to have read one byte more than there was room for, whenever it has filled the room.
struct Boastful<'f>(&'f [u8]);

impl embedded_io::ErrorType for Boastful<'_> {
    type Error = std::convert::Infallible;
}

impl embedded_io::Read for Boastful<'_> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize, Self::Error> {
        let n = self.0.len().min(out.len());
        let (now, rest) = self.0.split_at(n);
        out[..n].copy_from_slice(now);
        self.0 = rest;
        Ok(n + usize::from(n == out.len() && n > 0))
    }
}

#[test]
fn a_source_that_claims_too_much_has_filled_the_room() {
    let file = two_records();
    let (mut buffer, mut out) = ([0; 50], [0; 12]);
    let mut records = RecordReader::new(Boastful(&file), &mut buffer);
    let mut payloads = Vec::new();
    while records.next_record().expect("valid").is_some() {
        payloads.push(records.read_into(&mut out).expect("all bytes").to_vec());
    }
    assert_eq!(payloads, [&b"hello"[..], b"hello, world"]);
}

fn two_records() -> Vec<u8> {
    let mut file = vec![0; 144 + 8 + 144 + 16];
    let encoder = linkstream::lime::Encoder::new();
    let mut writer = linkstream::io::RecordWriter::with_encoder(&mut file[..], encoder);
    writer.write_record(b"one", true, false, b"hello").expect("there is room");
    writer.write_record(b"two", false, true, b"hello, world").expect("there is room");
    writer.finish().expect("complete");
    file
}

#[test]
fn skipped_payload_cannot_be_read() {
    let file = two_records();
    let mut buffer = [0; 20];
    let mut source = Hiccups::new(&file);
    source.calls = 100;
    let mut records = RecordReader::new(source, &mut buffer);
    let mut out = [0; 20];
    assert_eq!(records.read(&mut out), Err(ReadError::NotOpen), "no record yet");
    assert_eq!(records.read_into(&mut out), Err(ReadError::NotOpen));
    again(|| records.next_record()).expect("complete");
    records.skip_seeking().expect("can seek");
    assert_eq!(records.read(&mut out), Err(ReadError::NotOpen));
    assert_eq!(records.read_into(&mut out), Err(ReadError::NotOpen));
    assert_eq!(records.for_each(|_| ()), Err(ReadError::NotOpen.into()));
    again(|| records.next_record()).expect("complete").expect("a record");
    assert_eq!(records.record_type(), b"two");
    assert_eq!(records.read_into(&mut out[..11]), Err(ReadError::TooSmall { needed: 12 }));
    let read = resumed(&mut records, RecordReader::resume, |records, done| {
        records.read_into(&mut out[done..]).map(|payload| payload.len())
    });
    assert_eq!(read.map(|(done, rest)| done + rest), Ok(12));
    assert_eq!(&out[..12], b"hello, world");
    assert_eq!(again(|| records.next_record()), Ok(None));
    assert_eq!(records.read(&mut out), Err(ReadError::NotOpen));
}

#[test]
fn there_are_no_bytes_after_a_skip_or_an_error_in_buffers_of_any_size() {
    let file = two_records();
    let mut damaged = file.clone();
    damaged[0] ^= 1;
    for size in [1, 100, 145, 1000] {
        let mut buffer = vec![0; size];
        let mut reader = Reader::new(&file[..], &mut buffer[..], Decoder::new(Mode::Strict));
        assert!(matches!(reader.next(), Ok(Some(Event::Record(_)))), "{size}");
        assert!(!reader.bytes().is_empty(), "{size}");
        reader.skip().expect("a payload");
        assert_eq!(reader.bytes(), b"", "{size}");

        let mut reader = Reader::new(&damaged[..], &mut buffer[..], Decoder::new(Mode::Strict));
        assert!(reader.next().is_err());
        assert_eq!(reader.bytes(), b"", "{size}");
    }
}

#[test]
fn a_payload_skipped_beyond_the_end_is_reported() {
    let file = two_records();
    for length in 144..152 {
        let mut buffer = [0; 20];
        let mut source = Fitful::new(&file[..length], 3);
        let mut records = RecordReader::new(&mut source, &mut buffer);
        records.next_record().expect("complete");
        records.skip_seeking().expect("can seek");
        let error = format(records.next_record()).expect_err("truncated");
        assert_eq!(error.at, length as u64, "{length}");
    }
}

#[test]
fn a_failed_seek_is_not_forgotten() {
    let file = two_records();
    let mut buffer = [0; 20];
    let mut source = Hiccups::new(&file);
    source.seeks_fail = true;
    let mut records = RecordReader::new(source, &mut buffer);
    // The header fills the buffer, which therefore contains no payload.
    again(|| records.next_record()).expect("complete");
    assert!(matches!(records.skip_seeking(), Err(ReadError::Io(_))));
    assert_eq!(records.next_record(), Err(ReadError::Lost));
    assert_eq!(records.read(&mut [0; 4]), Err(ReadError::Lost));
}

#[test]
fn records_are_found_by_type_and_callbacks_stop() {
    let file = two_records();
    let mut buffer = [0; 4];
    let mut records = RecordReader::new(&file[..], &mut buffer);
    assert_eq!(records.find(b"two").expect("complete").map(|record| record.length), Some(12));
    let mut seen = Vec::new();
    records
        .for_each(|bytes| {
            seen.extend_from_slice(bytes);
            ControlFlow::Break(())
        })
        .expect("stopped");
    assert_eq!(seen, b"hell");
    let mut out = [0; 20];
    assert_eq!(records.read_into(&mut out).expect("the rest"), b"o, world");
    assert_eq!(records.find(b"two"), Ok(None));
    let mut records = RecordReader::new(&file[..], &mut buffer);
    records.next_record().expect("complete");
    let failed = records.for_each(|_| -> Result<(), Box<dyn std::error::Error>> { Err("no".into()) });
    assert_eq!(failed.expect_err("the callback fails").to_string(), "no");
}
