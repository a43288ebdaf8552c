//! The writers: asynchronous calls write the same as synchronous ones, a call for a complete section or row writes the
//! same as the calls for its parts, and a full sink causes an error at every byte.

use embedded_io::{ErrorType, Write};
use host_tests::drive::block_on;
use linkstream::inebin::{self, Header, MatrixType};
use linkstream::io::{MatrixWriter, RecordWriter, SectionWriter, WriteError};
use linkstream::lime;
use linkstream::scda::{self, Style};
use std::convert::Infallible;
use std::future::Future as _;
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
    file.message(MESSAGE)?;
    file.finish().map(drop)
}

async fn records_async(sink: &mut Narrow) -> Result<(), Records> {
    let mut file = RecordWriter::create(sink);
    file.message_async(MESSAGE).await?;
    file.finish_async().await.map(drop)
}

const WORDS: [&[u8]; 3] = [b"one", b"", b"three"];

fn sections(sink: &mut Narrow) -> Result<(), Sections> {
    let mut file = SectionWriter::create(sink, Style::Unix);
    file.header(b"v", b"u")?;
    file.inline(b"inline", b"thirty-two bytes of data, exact\n")?;
    file.write_block(b"block", b"hello")?;
    file.write_array(b"ids", 3, b"abcdef")?;
    file.write_array_with(b"squares", 5, &mut [0; 2], |index, square| square.fill((index * index) as u8))?;
    file.write_varray(b"words", WORDS)?;
    file.finish().map(drop)
}

async fn sections_async(sink: &mut Narrow) -> Result<(), Sections> {
    let mut file = SectionWriter::create(sink, Style::Unix);
    file.header_async(b"v", b"u").await?;
    file.inline_async(b"inline", b"thirty-two bytes of data, exact\n").await?;
    file.write_block_async(b"block", b"hello").await?;
    file.write_array_async(b"ids", 3, b"abcdef").await?;
    let fill = |index: u64, square: &mut [u8]| square.fill((index * index) as u8);
    file.write_array_with_async(b"squares", 5, &mut [0; 2], fill).await?;
    file.write_varray_async(b"words", WORDS).await?;
    file.finish_async().await.map(drop)
}

/// Writes the same by the calls for parts.
fn sections_in_parts(sink: &mut Narrow) -> Result<(), Sections> {
    let mut file = SectionWriter::create(sink, Style::Unix);
    file.header(b"v", b"u")?;
    file.inline(b"inline", b"thirty-two bytes of data, exact\n")?;
    file.block(b"block", 5.into())?;
    file.write(b"hello")?;
    file.end()?;
    file.array(b"ids", 2.into(), 3.into())?;
    file.write(b"abcdef")?;
    file.end()?;
    file.array(b"squares", 5.into(), 2.into())?;
    file.write(&[0, 0, 1, 1, 4, 4, 9, 9, 16, 16])?;
    file.end()?;
    file.varray(b"words", 3, [3, 0, 5])?;
    file.write(b"onethree")?;
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
    matrix.rows(&BITS[..5])?;
    matrix.rows(&BITS[5..])?;
    matrix.finish().map(|_| ())
}

async fn matrix_async(sink: &mut Narrow) -> Result<(), Matrix> {
    let mut buffer = [0; 1];
    let mut matrix = MatrixWriter::create(sink, &mut buffer, &header());
    matrix.rows_async(&BITS[..5]).await?;
    matrix.rows_async(&BITS[5..]).await?;
    matrix.finish_async().await.map(|_| ())
}

/// Verifies that both write the same, and fail for every sink that is too small, which then contains the beginning of
/// the file.
fn same<K: std::fmt::Debug + PartialEq>(
    pull: impl Fn(&mut Narrow) -> Result<(), WriteError<Infallible, K>>,
    waiting: impl Fn(&mut Narrow) -> Result<(), WriteError<Infallible, K>>,
) -> Vec<u8> {
    let mut sink = Narrow::of(usize::MAX);
    assert_eq!(pull(&mut sink), Ok(()));
    let file = sink.bytes;
    let mut sink = Narrow::of(usize::MAX);
    assert_eq!(waiting(&mut sink), Ok(()));
    assert_eq!(sink.bytes, file);
    for room in 0..file.len() {
        for write in [&pull as &dyn Fn(&mut Narrow) -> _, &waiting] {
            let mut sink = Narrow::of(room);
            assert_eq!(write(&mut sink), Err(WriteError::WriteZero), "{room}");
            assert_eq!(sink.bytes, file[..room]);
        }
    }
    file
}

#[test]
fn records_are_written_the_same() {
    let file = same(records, |sink| block_on(records_async(sink)));
    let mut sink = Narrow::of(usize::MAX);
    let mut parts = RecordWriter::create(&mut sink);
    parts.record(b"one", true, false, b"hello").expect("there is room");
    parts.record(b"two", false, false, b"").expect("there is room");
    parts.record(b"three", false, true, b"12345678").expect("there is room");
    assert_eq!(sink.bytes, file);
}

#[test]
fn sections_are_written_the_same() {
    let file = same(sections, |sink| block_on(sections_async(sink)));
    let mut sink = Narrow::of(usize::MAX);
    assert_eq!(sections_in_parts(&mut sink), Ok(()));
    assert_eq!(sink.bytes, file);
}

#[test]
fn matrices_are_written_the_same() {
    let file = same(matrix, |sink| block_on(matrix_async(sink)));
    assert_eq!(file, *b"INEBIN\0B\x03\0\0\0\x05\0\0\0\x99\x21");
}

#[test]
fn parts_of_rows_and_elements_are_refused_before_they_are_written() {
    let (mut sink, mut buffer) = (Narrow::of(usize::MAX), [0; 8]);
    let mut matrix = MatrixWriter::create(&mut sink, &mut buffer, &header());
    let refused = WriteError::Refused(inebin::EncodeErrorKind::TooFew { missing: 1 });
    assert_eq!(matrix.rows(&BITS[..4]), Err(refused));
    assert_eq!(matrix.rows(&BITS), Ok(()));
    assert!(matrix.finish().is_ok());
    let mut sink = Narrow::of(usize::MAX);
    let mut file = SectionWriter::create(&mut sink, Style::Unix);
    file.header(b"v", b"u").expect("there is room");
    let refused = WriteError::Refused(scda::EncodeErrorKind::DataTooLong { offered: 5, room: 3 });
    assert_eq!(file.write_array(b"ids", 3, b"abcde"), Err(refused));
    assert_eq!(file.write_array(b"ids", 3, b"abc"), Ok(()));
    assert_eq!(file.complete(), Ok(()));
}

/// After a future was dropped while it wrote, the writer refuses to continue.
#[test]
fn a_dropped_write_is_not_forgotten() {
    let mut sink = Narrow::of(usize::MAX);
    let mut file = RecordWriter::create(&mut sink);
    {
        let mut begun = Box::pin(file.record_async(b"one", true, true, b"hello"));
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        assert!(begun.as_mut().poll(&mut context).is_pending());
    }
    assert_eq!(block_on(file.complete_async()), Err(WriteError::Broken));
}
