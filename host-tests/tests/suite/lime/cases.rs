//! Individual cases of LIME reading and writing. Each was once handled incorrectly.

use embedded_io::{ErrorType, Read, Seek, SeekFrom};
use linkstream::io::{ReadError, Reader};
use linkstream::lime::{Decoder, EncodeErrorKind, Encoder, ErrorKind, Event, Header};
use linkstream::{Decode, Demand, Error, Mode, field};

fn record(kind: &[u8], payload: &[u8], begin: bool, end: bool) -> Vec<u8> {
    let header = Header::new(kind, payload.len() as u64, begin, end).expect("a short type");
    let mut bytes = header.as_bytes().to_vec();
    bytes.extend(payload);
    bytes.resize(bytes.len().next_multiple_of(8), 0);
    bytes
}

/// The decoder at the end, the findings, and the error that ended the reading.
fn run(mode: Mode, mut bytes: &[u8]) -> (Decoder, Vec<Error<ErrorKind>>, Option<Error<ErrorKind>>) {
    let mut decoder = Decoder::new(mode);
    let mut findings = Vec::new();
    let mut note = |event| {
        if let Event::Finding(error) = event {
            findings.push(error);
        }
    };
    let stopped = loop {
        match decoder.push(bytes) {
            Ok(step) => {
                bytes = &bytes[step.consumed..];
                let Some(event) = step.event else { break None };
                note(event);
            }
            Err(error) => break Some(error),
        }
    };
    let stopped = stopped.or_else(|| {
        loop {
            match decoder.finish() {
                Ok(Some(event)) => note(event),
                Ok(None) => break None,
                Err(error) => break Some(error),
            }
        }
    });
    (decoder, findings, stopped)
}

#[test]
fn invalid_headers_are_reported_at_their_beginning() {
    let short = Error::new(0, ErrorKind::Magic { found: u32::from_be_bytes(*b"hell") });
    assert_eq!(run(Mode::Strict, b"hello").2, Some(short));
    let mut file = record(b"t", b"", true, true);
    file.extend(b"1234567");
    assert_eq!(run(Mode::Strict, &file).2, Some(Error::new(144, ErrorKind::Trailing { count: 7 })));
}

#[test]
fn nothing_is_appended_to_an_invalid_file() {
    let mut garbage = record(b"t", b"", true, true);
    garbage.extend([b'x'; 144]);
    let (decoder, _, stopped) = run(Mode::Strict, &garbage);
    assert!(stopped.is_some());
    assert_eq!(Encoder::after(&decoder), None);

    let mut padding_missing = record(b"t", b"12345", true, true);
    padding_missing.truncate(150);
    let (decoder, _, stopped) = run(Mode::Lenient, &padding_missing);
    assert_eq!(stopped, None);
    assert_eq!(Encoder::after(&decoder), None, "the next header would be unaligned");

    let in_the_middle = Decoder::at(168, Mode::Strict);
    assert_eq!(Encoder::after(&in_the_middle), None, "it is unknown whether the message is open");
}

#[test]
fn only_headers_are_written() {
    let mut flags_only = [0; 144];
    flags_only[6] = 0xc0;
    let mut encoder = Encoder::new();
    assert_eq!(encoder.begin(&Header::from_bytes(flags_only)), Err(EncodeErrorKind::HeaderInvalid));
    let mut reserved = *Header::new(b"t", 0, true, true).expect("a short type").as_bytes();
    reserved[7] = 1;
    assert_eq!(encoder.begin(&Header::from_bytes(reserved)), Err(EncodeErrorKind::HeaderInvalid));
}

#[test]
fn trailing_bytes_do_not_hide_an_open_message() {
    let mut file = record(b"t", b"", true, false);
    file.extend(b"1234567");
    let (_, findings, stopped) = run(Mode::Lenient, &file);
    assert_eq!(stopped, None);
    assert_eq!(
        findings.iter().map(|f| f.kind).collect::<Vec<_>>(),
        [ErrorKind::Trailing { count: 7 }, ErrorKind::MessageOpen]
    );
}

#[test]
fn findings_about_a_header_come_in_the_order_of_its_bytes() {
    let mut file = record(b"t", b"", false, true);
    file[7] = 1;
    file[30] = 1;
    let (_, findings, _) = run(Mode::Lenient, &file);
    assert_eq!(findings.len(), 3);
    assert!(findings.is_sorted_by_key(|finding| finding.at), "{findings:?}");
}

#[test]
fn a_terminal_null_does_not_open_a_message_again() {
    let mut file = record(b"t", b"", true, true);
    file.extend(record(b"", b"", false, false));
    file.extend(record(b"x", b"", false, true));
    assert_eq!(run(Mode::Strict, &file).2, Some(Error::new(294, ErrorKind::BeginMissing)));
}

#[test]
fn a_record_stays_the_last_one_until_the_next_is_complete() {
    let mut file = record(b"first", b"", true, false);
    file.extend(record(b"second", b"", false, true));
    let mut decoder = Decoder::new(Mode::Strict);
    let first = decoder.push(&file).expect("a header");
    let _ = decoder.push(&[]).expect("an end");
    let before = decoder.record();
    let _ = decoder.push(&file[first.consumed..][..30]).expect("a part of a header");
    assert_eq!(decoder.record(), before);
}

#[test]
fn an_announced_event_comes_without_more_input() {
    for payload in [&b""[..], b"x"] {
        let file = record(b"t", payload, true, false);
        let mut decoder = field::Decoder::new(Mode::Strict);
        let _ = decoder.push(&file[..144]).expect("a header");
        match decoder.demand() {
            Demand::Bytes(0) => assert!(decoder.push(&[]).expect("no error").event.is_some()),
            demand => assert_eq!(demand, Demand::Skip(1)),
        }
    }
}

/// A source whose seek number `fail` fails.
struct Brittle {
    bytes: Vec<u8>,
    at: u64,
    fail: u32,
}

#[derive(Debug, PartialEq)]
struct Failure;

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("failed as reported")
    }
}

impl core::error::Error for Failure {}

impl embedded_io::Error for Failure {
    fn kind(&self) -> embedded_io::ErrorKind {
        embedded_io::ErrorKind::Other
    }
}

impl ErrorType for Brittle {
    type Error = Failure;
}

impl Read for Brittle {
    fn read(&mut self, out: &mut [u8]) -> Result<usize, Failure> {
        let at = usize::try_from(self.at).unwrap_or(usize::MAX);
        let rest = &self.bytes[at.min(self.bytes.len())..];
        let n = rest.len().min(out.len());
        out[..n].copy_from_slice(&rest[..n]);
        self.at += n as u64;
        Ok(n)
    }
}

impl Seek for Brittle {
    fn seek(&mut self, to: SeekFrom) -> Result<u64, Failure> {
        self.fail = self.fail.wrapping_sub(1);
        if self.fail == 0 {
            return Err(Failure);
        }
        self.at = match to {
            SeekFrom::Start(n) => n,
            SeekFrom::End(n) => self.bytes.len() as u64 + n as u64,
            SeekFrom::Current(n) => self.at.checked_add_signed(n).expect("inside"),
        };
        Ok(self.at)
    }
}

fn brittle(fail: u32) -> Brittle {
    let payload: Vec<u8> = (0..200).collect();
    Brittle { bytes: record(b"t", &payload, true, true), at: 0, fail }
}

#[test]
fn after_a_failed_seek_nothing_is_delivered() {
    for fail in 1..=3 {
        let mut buffer = [0; 144];
        let mut reader = Reader::new(brittle(fail), &mut buffer, Decoder::new(Mode::Strict));
        reader.next().expect("a header");
        let moved = if fail < 3 { reader.seek_payload(100) } else { reader.skip_seeking() };
        assert_eq!(moved, Err(ReadError::Io(Failure)), "seek {fail}");
        assert_eq!(reader.read(&mut [0]), Err(ReadError::Lost));
        assert_eq!(reader.next(), Err(ReadError::Lost));
        assert_eq!(reader.seek_record(0), Err(ReadError::Lost));
    }
}

#[test]
fn offsets_need_not_begin_where_the_source_does() {
    let mut buffer = [0; 64];
    let decoder = Decoder::at(1000, Mode::Strict);
    let mut reader = Reader::new(brittle(0), &mut buffer, decoder);
    assert!(matches!(reader.next(), Ok(Some(Event::Record(record))) if record.offset == 1000));
    reader.seek_payload(100).expect("inside");
    let mut out = [0; 2];
    assert_eq!(reader.read(&mut out), Ok(2));
    assert_eq!(out, [100, 101]);
}

#[test]
fn reading_continues_after_damage() {
    // The second record has no magic number, and the third is valid.
    let mut file = record(b"first", b"abcdefgh", true, true);
    let second = file.len() as u64;
    file.extend(record(b"second", b"", true, true));
    let third = file.len() as u64;
    file.extend(record(b"third", b"xyz", true, true));
    file[second as usize] = 0;
    for size in [1, 7, 144, 1000] {
        let mut buffer = vec![0; size];
        let source = Brittle { bytes: file.clone(), at: 0, fail: 0 };
        let mut reader = Reader::new(source, &mut buffer, Decoder::new(Mode::Strict));
        let error = loop {
            match reader.next() {
                Ok(event) => assert!(event.is_some(), "the damage must be reported"),
                Err(error) => break error,
            }
        };
        assert!(matches!(error, ReadError::Format(error) if error.at == second));
        reader.seek_record(third).expect("a source that can seek");
        assert!(matches!(reader.next(), Ok(Some(Event::Record(record))) if record.offset == third));
        assert_eq!(reader.decoder().record_type(), b"third");
    }
}

/// Zeros up to the end of a block, after a message that has ended.
#[test]
fn zeros_up_to_the_end_of_a_block_are_padding() {
    let record = |begin, end| {
        let mut bytes = Header::new(b"t", 8, begin, end).expect("a header").as_bytes().to_vec();
        bytes.extend_from_slice(b"payload.");
        bytes
    };
    let padded = |mut file: Vec<u8>, length: usize| {
        file.resize(length, 0);
        file
    };
    for length in [512, 1024, 4096, 10_240, 1 << 20] {
        let file = padded(record(true, true), length);
        let trailing = Error::new(152, ErrorKind::Trailing { count: length as u32 - 152 });
        assert_eq!(run(Mode::Strict, &file).2, Some(trailing), "{length}");
        let (_, findings, end) = run(Mode::Lenient, &file);
        assert_eq!((end, findings.last()), (None, Some(&trailing)), "{length}");
    }
    let lost = Error::new(152, ErrorKind::Magic { found: 0 });
    let mut later = padded(record(true, true), 4096);
    later[3000] = 1;
    // The length of a file that was to be longer; more zeros than a block has; a byte among them; a message that goes on.
    for file in [
        padded(record(true, true), 4097),
        padded(record(true, true), (1 << 20) + 512),
        later,
        padded(record(true, false), 4096),
    ] {
        assert_eq!(run(Mode::Lenient, &file).2, Some(lost), "{}", file.len());
        // However the file is cut, the decoder stops at the same byte.
        let stops = [1, 40, 512, file.len()].map(|length| {
            let mut decoder = Decoder::new(Mode::Lenient);
            for mut chunk in file.chunks(length) {
                while !chunk.is_empty() {
                    let Ok(step) = decoder.push(chunk) else { return decoder.position() };
                    chunk = &chunk[step.consumed..];
                }
            }
            decoder.position()
        });
        assert_eq!(stops, [stops[0]; 4], "{}", file.len());
    }
}
