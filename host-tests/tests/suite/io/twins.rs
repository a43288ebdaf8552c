//! Seeking in an asynchronous source, and the findings that readers count.

use linkstream::Encode as _;
use linkstream::inebin;
use std::convert::Infallible;

use embedded_io::{ErrorType, SeekFrom};
use host_tests::drive::block_on;
use linkstream::Mode;
use linkstream::io::{MatrixReader, RecordReader, RecordWriter, SectionReader, SectionWriter};
use linkstream::lime::{self, Decoder, Header};
use linkstream::scda::{self, Style};

/// A file that counts the bytes read.
struct Counting<'f> {
    file: &'f [u8],
    at: u64,
    read: usize,
}

impl ErrorType for Counting<'_> {
    type Error = Infallible;
}

impl embedded_io_async::Read for Counting<'_> {
    async fn read(&mut self, out: &mut [u8]) -> Result<usize, Infallible> {
        let rest = self.file.get(self.at as usize..).unwrap_or_default();
        let n = rest.len().min(out.len());
        out[..n].copy_from_slice(&rest[..n]);
        (self.at, self.read) = (self.at + n as u64, self.read + n);
        Ok(n)
    }
}

impl embedded_io_async::Seek for Counting<'_> {
    async fn seek(&mut self, to: SeekFrom) -> Result<u64, Infallible> {
        self.at = match to {
            SeekFrom::Start(at) => at,
            SeekFrom::Current(by) => self.at.checked_add_signed(by).expect("inside"),
            SeekFrom::End(by) => (self.file.len() as u64).checked_add_signed(by).expect("inside"),
        };
        Ok(self.at)
    }
}

#[test]
fn an_asynchronous_source_is_skipped_by_seeking() {
    let mut file = vec![0; 144 + (1 << 20) + 152];
    let mut writer = RecordWriter::create(&mut file[..]);
    writer
        .write_message([(&b"long"[..], &vec![7; 1 << 20][..]), (b"name", b"world")])
        .expect("there is room");
    // Also truncated inside the long payload, which is reported as if it had been read.
    for (length, expected) in [(file.len(), true), (5000, false)] {
        let mut buffer = [0; 512];
        let mut source = Counting { file: &file[..length], at: 0, read: 0 };
        let mut records = RecordReader::new(&mut source, &mut buffer);
        block_on(records.next_record_async()).expect("a record");
        block_on(records.skip_seeking_async()).expect("it can seek");
        let next = block_on(records.next_record_async());
        assert_eq!(next.is_ok(), expected, "{next:?}");
        assert!(source.read < 2000, "{} bytes are read", source.read);
    }
}

#[test]
fn short_readers_count_findings() {
    // A message that is still open at the end of the file.
    let file = *Header::new(b"type", 0, true, false).expect("short").as_bytes();
    let mut decoder = Decoder::new(Mode::Survey);
    let mut expected = Vec::new();
    let mut each = |event, _: &[u8], _: &Decoder| {
        if let lime::Event::Finding(finding) = event {
            expected.push(finding);
        }
    };
    linkstream::drive(&mut decoder, &file, &mut each).expect("a survey");
    linkstream::finish(&mut decoder, &mut each).expect("a survey");
    assert!(!expected.is_empty());
    let mut buffer = [0; 64];
    let mut records = RecordReader::with_decoder(&file[..], &mut buffer, Decoder::new(Mode::Survey));
    while records.next_record().expect("a survey").is_some() {}
    assert_eq!(records.findings().count, expected.len() as u64);
    assert_eq!(records.findings().first, expected.first().copied());
    assert_eq!(records.findings().last, expected.last().copied());
}

/// Findings of sections and matrices: none, one, and two that differ.
#[test]
fn readers_of_sections_and_matrices_count_findings() {
    let mut sections = vec![0; 1000];
    let mut writer = SectionWriter::create(&mut sections[..], Style::Unix);
    writer.write_header(b"v", b"u").expect("there is room");
    writer.write_block(b"one", b"hello").expect("there is room");
    writer.write_block(b"two", b"world").expect("there is room");
    let length = writer.encoder().position() as usize;
    sections.truncate(length);
    // Wrong bytes in the padding after each block.
    let padding: Vec<usize> = [b"hello", b"world"]
        .map(|text| sections.windows(5).position(|bytes| bytes == text).expect("data") + 16)
        .to_vec();
    for wrong in 0..=2 {
        let mut file = sections.clone();
        padding[..wrong].iter().for_each(|at| file[*at] = b'x');
        let mut buffer = [0; 64];
        let mut reader =
            SectionReader::with_decoder(&file[..], &mut buffer, scda::Decoder::new(Mode::Survey, false));
        while reader.next_section().expect("a survey").is_some() {}
        let offset = |error: linkstream::Error<_>| error.at;
        assert_eq!(reader.findings().count, wrong as u64);
        let (first, last) = (reader.findings().first.map(offset), reader.findings().last.map(offset));
        let place = |nth: Option<usize>| nth.and_then(|nth| padding.get(nth)).map(|at| *at as u64);
        assert_eq!(first.is_some(), wrong > 0);
        assert!(first.is_none_or(|at| Some(at) <= place(Some(0))), "{first:?}");
        assert_eq!(last > first, wrong == 2, "{first:?} {last:?}");
        assert_eq!(last.is_some(), wrong > 0);
    }
    for (trailing, findings) in [(&b""[..], 0), (b"!", 1)] {
        let file = [b"INEBIN\0B\x01\0\0\0\x08\0\0\0\x99", trailing].concat();
        let mut buffer = [0; 64];
        let mut matrix =
            MatrixReader::with_decoder(&file[..], &mut buffer, inebin::Decoder::new(Mode::Lenient));
        matrix.finish().expect("tolerated");
        assert_eq!(matrix.findings().count, findings);
        assert_eq!(matrix.findings().first.map(|error| error.at), (findings > 0).then_some(17));
        assert_eq!(matrix.findings().last, matrix.findings().first);
    }
}
