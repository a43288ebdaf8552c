//! Neither memory nor work grows with the file: a record of 1 TiB is skipped with a few calls, and 2 GiB are read and
//! written through a buffer of 64 KiB without an allocation.

use crate::counting::{ALLOCATIONS, Counted, without_allocation};
use embedded_io::{ErrorType, Read};
use host_tests::drive::block_on;
use linkstream::Encode as _;
use linkstream::Resumable as _;
use linkstream::io::{Reader, RecordWriter};
use linkstream::lime::{Decoder, ErrorKind, Event, Header, Record};
use linkstream::{Decode, Error, Mode};
use std::io::{Seek as _, Write as _};

#[test]
fn the_count_counts() {
    let before = ALLOCATIONS.get();
    drop(std::hint::black_box(vec![0u8; 100]));
    assert_eq!(ALLOCATIONS.get(), before + 1);
}

const TIB: u64 = 1 << 40;

/// A record of 1 TiB of zeros and one more byte, so that there is padding, and a small record after it. The file is
/// sparse: only the bytes written occupy space on the disk.
fn long_file() -> std::fs::File {
    let mut file = tempfile::tempfile().expect("a temporary file");
    file.write_all(Header::new(b"long", TIB + 1, true, false).expect("legal").as_bytes())
        .expect("the temporary directory is writable");
    file.set_len(144 + TIB + 8).expect("sparse files of 1 TiB are possible");
    file.seek(std::io::SeekFrom::End(0)).expect("seeking succeeds");
    file.write_all(Header::new(b"behind", 5, false, true).expect("legal").as_bytes())
        .expect("the temporary directory is writable");
    file.write_all(b"hello\0\0\0").expect("the temporary directory is writable");
    file.rewind().expect("seeking succeeds");
    file
}

#[test]
fn a_terabyte_is_passed_over_by_seeking() {
    let mut source = Counted { file: long_file(), reads: 0, seeks: 0 };
    let mut buffer = [0; 256];
    let mut records = [None; 2];
    let mut payload = 0;
    without_allocation(|| {
        let mut reader = Reader::new(&mut source, &mut buffer, Decoder::new(Mode::Strict));
        let mut n = 0;
        while let Some(event) = reader.next().expect("a valid file") {
            match event {
                Event::Record(record) => {
                    records[n] = Some(record);
                    n += 1;
                    if record.length > TIB {
                        reader.skip_seeking().expect("a source that seeks");
                    }
                }
                Event::Payload => payload += reader.bytes().len(),
                Event::End => {}
                other => panic!("{other:?}"),
            }
        }
    });
    let first = Record { offset: 0, length: TIB + 1, message: 1, number: 1, begin: true, end: false };
    let second = Record { offset: 144 + TIB + 8, length: 5, message: 1, number: 2, begin: false, end: true };
    assert_eq!(records, [Some(first), Some(second)]);
    assert_eq!(payload, 5);
    // Seeks to get the position and the length, and to move; one read for each part between them, the end, and the end
    // again.
    assert!(source.seeks <= 4, "{} seeks", source.seeks);
    assert!(source.reads <= 4, "{} reads", source.reads);
}

/// One byte of the terabyte is missing, which c-lime does not notice.
#[test]
fn a_terabyte_short_of_a_byte_is_reported_without_reading_it() {
    let file = long_file();
    file.set_len(144 + TIB).expect("a shorter file");
    let mut source = Counted { file, reads: 0, seeks: 0 };
    let mut buffer = [0; 256];
    let mut reader = Reader::new(&mut source, &mut buffer, Decoder::new(Mode::Strict));
    assert!(matches!(reader.next(), Ok(Some(Event::Record(record))) if record.length == TIB + 1));
    reader.skip_seeking().expect("a source that seeks");
    let Err(linkstream::io::ReadError::Format(error)) = reader.next() else {
        panic!("the missing byte is not reported")
    };
    assert_eq!(error, Error::new(144 + TIB, ErrorKind::PayloadTruncated { missing: 1 }));
    assert!(source.seeks <= 4 && source.reads <= 4, "{} seeks, {} reads", source.seeks, source.reads);
}

const STREAM: u64 = 2 << 30;
const CHUNK: usize = 64 * 1024;

/// Payload for every offset: the pattern, shifted by an amount that depends on the offset.
static PATTERN: [u8; 2 * CHUNK] = {
    let mut pattern = [0; 2 * CHUNK];
    let mut i = 0;
    while i < pattern.len() {
        pattern[i] = (i % 251) as u8;
        i += 1;
    }
    pattern
};

fn pattern(at: u64, n: usize) -> &'static [u8] {
    let start = (at % 251) as usize;
    &PATTERN[start..start + n]
}

/// A file with one record of 2 GiB that is generated.
struct Synthetic {
    header: [u8; 144],
    at: u64,
}

impl Synthetic {
    fn new() -> Self {
        let header = Header::new(b"long", STREAM, true, true).expect("legal");
        Self { header: *header.as_bytes(), at: 0 }
    }
}

impl ErrorType for Synthetic {
    type Error = core::convert::Infallible;
}

impl Read for Synthetic {
    fn read(&mut self, out: &mut [u8]) -> Result<usize, Self::Error> {
        let n = match self.at.checked_sub(144) {
            None => {
                let rest = &self.header[self.at as usize..];
                let n = rest.len().min(out.len());
                out[..n].copy_from_slice(&rest[..n]);
                n
            }
            Some(place) => {
                let n = out.len().min(CHUNK).min(usize::try_from(STREAM - place).unwrap_or(CHUNK));
                out[..n].copy_from_slice(pattern(place, n));
                n
            }
        };
        self.at += n as u64;
        Ok(n)
    }
}

impl embedded_io_async::Read for Synthetic {
    async fn read(&mut self, out: &mut [u8]) -> Result<usize, Self::Error> {
        Read::read(self, out)
    }
}

/// Verifies that the payload read is the pattern, and counts it.
struct Seen(u64);

impl Seen {
    fn take(&mut self, bytes: &[u8]) {
        assert!(bytes == pattern(self.0, bytes.len()), "payload at {}", self.0);
        self.0 += bytes.len() as u64;
    }
}

#[test]
fn two_gibibytes_are_pulled_without_allocation() {
    let mut buffer = vec![0; CHUNK];
    let mut seen = Seen(0);
    let mut ends = 0;
    without_allocation(|| {
        let mut reader = Reader::new(Synthetic::new(), &mut buffer, Decoder::new(Mode::Strict));
        while let Some(event) = reader.next().expect("a valid file") {
            match event {
                Event::Payload => seen.take(reader.bytes()),
                Event::End => ends += 1,
                _ => {}
            }
        }
    });
    assert_eq!((seen.0, ends), (STREAM, 1));
}

#[test]
fn two_gibibytes_are_awaited_without_allocation() {
    let mut buffer = vec![0; CHUNK];
    let mut seen = Seen(0);
    without_allocation(|| {
        let mut reader = Reader::new(Synthetic::new(), &mut buffer, Decoder::new(Mode::Strict));
        while let Some(event) = block_on(reader.next_async()).expect("a valid file") {
            if event == Event::Payload {
                seen.take(reader.bytes());
            }
        }
    });
    assert_eq!(seen.0, STREAM);
}

/// A sink that stores nothing: it compares with the stream above.
struct Compared {
    source: Synthetic,
    expected: Vec<u8>,
}

impl ErrorType for Compared {
    type Error = core::convert::Infallible;
}

impl embedded_io::Write for Compared {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, Self::Error> {
        let n = bytes.len().min(self.expected.len());
        let at = self.source.at;
        let n = Read::read(&mut self.source, &mut self.expected[..n])?;
        assert!(bytes[..n] == self.expected[..n], "written at {at}");
        Ok(n)
    }

    fn flush(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }
}

#[test]
fn two_gibibytes_are_written_without_allocation() {
    let sink = Compared { source: Synthetic::new(), expected: vec![0; CHUNK] };
    let written = without_allocation(|| {
        let mut writer = RecordWriter::create(sink);
        writer.begin(&Header::new(b"long", STREAM, true, true).expect("legal")).expect("there is room");
        let mut place = 0;
        while place < STREAM {
            let n = CHUNK.min(usize::try_from(STREAM - place).unwrap_or(CHUNK));
            writer.put(pattern(place, n)).expect("there is room");
            place += n as u64;
        }
        writer.end().expect("complete");
        let encoder = writer.encoder().clone();
        (writer.finish().expect("nothing is open"), encoder)
    });
    assert_eq!((written.0.source.at, written.1.position()), (144 + STREAM, 144 + STREAM));
}

/// Pushing byte by byte and errors do not allocate.
#[test]
fn pushing_needs_no_memory() {
    let header = Synthetic::new().header;
    without_allocation(|| {
        let mut decoder = Decoder::new(Mode::Survey);
        for byte in header {
            let _ = decoder.push(&[byte]).expect("a valid header");
        }
        let saved = decoder.save().expect("no error yet");
        let mut decoder = Decoder::load(&saved).expect("saved");
        decoder.skip(STREAM).expect("payload");
        assert_eq!(decoder.push(&[]).expect("the end of the record").event, Some(Event::End));
        for _ in 0..143 {
            assert_eq!(decoder.push(b"x").expect("not known yet").consumed, 1);
        }
        let error = decoder.push(b"x").expect_err("the second header is invalid");
        assert_eq!(error, Error::new(144 + STREAM, ErrorKind::Magic { found: 0x7878_7878 }));
    });
}
