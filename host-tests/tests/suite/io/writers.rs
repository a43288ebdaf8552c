//! The writers: asynchronous calls write the same as synchronous ones, a call for a complete section or row writes the
//! same as the calls for its parts, and a full sink causes an error at every byte.

use embedded_io::{ErrorType, Write};
use linkstream::inebin::{self, Header, MatrixType};
use linkstream::io::{MatrixWriter, RecordWriter, SectionWriter, WriteError};
use linkstream::lime;
use linkstream::scda::{self, Style};
use std::convert::Infallible;
use std::task::Poll;

/// A sink that accepts few bytes at a time, is sometimes pending, and is full after `room` bytes.
#[derive(Debug, Clone, Default)]
pub struct Narrow {
    pub bytes: Vec<u8>,
    room: usize,
    waited: bool,
}

impl Narrow {
    pub fn of(room: usize) -> Self {
        Self { room, ..Self::default() }
    }
}

impl ErrorType for Narrow {
    type Error = Infallible;
}

impl Write for Narrow {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, Infallible> {
        let n = bytes.len().min(self.room - self.bytes.len()).min(3);
        self.bytes.extend_from_slice(&bytes[..n]);
        Ok(n)
    }

    fn flush(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

impl embedded_io_async::Write for Narrow {
    async fn write(&mut self, bytes: &[u8]) -> Result<usize, Infallible> {
        std::future::poll_fn(|_| {
            self.waited = !self.waited;
            if self.waited { Poll::Pending } else { Poll::Ready(Write::write(self, bytes)) }
        })
        .await
    }

    async fn flush(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

type Records = WriteError<Infallible, lime::EncodeErrorKind>;
type Sections = WriteError<Infallible, scda::EncodeErrorKind>;
type Matrix = WriteError<Infallible, inebin::EncodeErrorKind>;

const MESSAGE: [(&[u8], &[u8]); 3] = [(b"one", b"hello"), (b"two", b""), (b"three", b"12345678")];

fn records(sink: &mut Narrow) -> Result<(), Records> {
    let mut file = RecordWriter::create(sink);
    file.write_message(MESSAGE)?;
    file.finish().map(drop)
}

/// Writes the same record by record.
fn single_records(sink: &mut Narrow) -> Result<(), Records> {
    let mut file = RecordWriter::create(sink);
    file.write_record(b"one", true, false, b"hello")?;
    file.write_record(b"two", false, false, b"")?;
    file.write_record(b"three", false, true, b"12345678")?;
    file.finish().map(drop)
}

const WORDS: [&[u8]; 3] = [b"one", b"", b"three"];

fn sections(sink: &mut Narrow) -> Result<(), Sections> {
    let mut file = SectionWriter::create(sink, Style::Unix);
    file.write_header(b"v", b"u")?;
    file.write_inline(b"inline", b"thirty-two bytes of data, exact\n")?;
    file.write_block(b"block", b"hello")?;
    file.write_array(b"ids", 3, b"abcdef")?;
    file.write_array_with(b"squares", 5, &mut [0; 2], |index, square| square.fill((index * index) as u8))?;
    file.write_varray(b"words", WORDS)?;
    file.finish().map(drop)
}

/// Writes the same by the calls for parts.
fn sections_in_parts(sink: &mut Narrow) -> Result<(), Sections> {
    let mut file = SectionWriter::create(sink, Style::Unix);
    file.write_header(b"v", b"u")?;
    file.write_inline(b"inline", b"thirty-two bytes of data, exact\n")?;
    file.begin_block(b"block", 5.into())?;
    file.put(b"hello")?;
    file.end()?;
    file.begin_array(b"ids", 2.into(), 3.into())?;
    file.put(b"abcdef")?;
    file.end()?;
    file.begin_array(b"squares", 5.into(), 2.into())?;
    file.put(&[0, 0, 1, 1, 4, 4, 9, 9, 16, 16])?;
    file.end()?;
    file.begin_varray(b"words", 3, [3, 0, 5])?;
    file.put(b"onethree")?;
    file.end()?;
    file.finish().map(drop)
}

fn header() -> Header {
    Header::new(MatrixType::Boolean, 3, 5).expect("small")
}

const BITS: [bool; 15] =
    [true, false, false, true, true, false, false, true, true, false, false, false, false, true, false];

fn matrix(sink: &mut Narrow) -> Result<(), Matrix> {
    let mut buffer = [0; 1];
    let mut matrix = MatrixWriter::create(sink, &mut buffer, &header());
    matrix.put_rows(&BITS[..5])?;
    matrix.put_rows(&BITS[5..])?;
    matrix.finish().map(|_| ())
}

/// Writes the same entry by entry.
fn matrix_by_entries(sink: &mut Narrow) -> Result<(), Matrix> {
    let mut buffer = [0; 1];
    let mut matrix = MatrixWriter::create(sink, &mut buffer, &header());
    for bit in BITS {
        matrix.put([bit])?;
    }
    matrix.finish().map(|_| ())
}

/// Verifies that both write the same, and fail for every sink that is too small, which then contains the beginning of
/// the file.
fn same<K: std::fmt::Debug + PartialEq>(
    whole: impl Fn(&mut Narrow) -> Result<(), WriteError<Infallible, K>>,
    in_parts: impl Fn(&mut Narrow) -> Result<(), WriteError<Infallible, K>>,
) -> Vec<u8> {
    let mut sink = Narrow::of(usize::MAX);
    assert_eq!(whole(&mut sink), Ok(()));
    let file = sink.bytes;
    let mut sink = Narrow::of(usize::MAX);
    assert_eq!(in_parts(&mut sink), Ok(()));
    assert_eq!(sink.bytes, file);
    for room in 0..file.len() {
        for write in [&whole as &dyn Fn(&mut Narrow) -> _, &in_parts] {
            let mut sink = Narrow::of(room);
            assert_eq!(write(&mut sink), Err(WriteError::WriteZero), "{room}");
            assert_eq!(sink.bytes, file[..room]);
        }
    }
    file
}

#[test]
fn records_are_written_the_same() {
    same(records, single_records);
}

#[test]
fn sections_are_written_the_same() {
    same(sections, sections_in_parts);
}

#[test]
fn matrices_are_written_the_same() {
    let file = same(matrix, matrix_by_entries);
    assert_eq!(file, *b"INEBIN\0B\x03\0\0\0\x05\0\0\0\x99\x21");
}

#[test]
fn parts_of_rows_and_elements_are_refused_before_they_are_written() {
    let (mut sink, mut buffer) = (Narrow::of(usize::MAX), [0; 8]);
    let mut matrix = MatrixWriter::create(&mut sink, &mut buffer, &header());
    let refused = WriteError::Refused(inebin::EncodeErrorKind::TooFew { missing: 1 });
    assert_eq!(matrix.put_rows(&BITS[..4]), Err(refused));
    assert_eq!(matrix.put_rows(&BITS), Ok(()));
    assert!(matrix.finish().is_ok());
    let mut sink = Narrow::of(usize::MAX);
    let mut file = SectionWriter::create(&mut sink, Style::Unix);
    file.write_header(b"v", b"u").expect("there is room");
    let refused = WriteError::Refused(scda::EncodeErrorKind::DataTooLong { offered: 5, room: 3 });
    assert_eq!(file.write_array(b"ids", 3, b"abcde"), Err(refused));
    assert_eq!(file.write_array(b"ids", 3, b"abc"), Ok(()));
    assert_eq!(file.complete(), Ok(()));
}
