//! Neither memory nor work grows with the matrix: an entry in 1 TiB is found with a few calls, and 2 GiB are read and
//! written through a buffer of 64 KiB without an allocation.

use crate::counting::{Counted, without_allocation};
use embedded_io::{ErrorType, Read, Write};
use linkstream::Encode as _;
use linkstream::Resumable as _;
use linkstream::inebin::{
    Complex, Decoder, Encoder, Entries, ErrorKind, Event, HEADER_LEN, Header, MatrixType, Rows,
};
use linkstream::io::{MatrixReader, MatrixWriter, ReadError, Reader};
use linkstream::{Decode, Error, Mode};
use std::io::{Seek as _, SeekFrom, Write as _};

const HEADER: u64 = HEADER_LEN as u64;
const CHUNK: usize = 64 * 1024;

/// A matrix of 1 TiB, all zeros except a few numbers. The file is sparse.
const ROWS: u32 = 1 << 20;
const COLUMNS: u32 = 1 << 17;
const WRITTEN: [(u32, u32); 5] =
    [(0, 0), (0, COLUMNS - 1), (77, 3), (ROWS - 1, COLUMNS / 2), (ROWS - 1, COLUMNS - 1)];

fn number(row: u32, column: u32) -> f64 {
    if WRITTEN.contains(&(row, column)) { f64::from(row) + f64::from(column) / 1e6 + 1.0 } else { 0.0 }
}

fn long_file() -> (Header, std::fs::File) {
    let header = Header::new(MatrixType::Real, ROWS, COLUMNS).expect("it fits");
    let mut file = tempfile::tempfile().expect("a temporary file");
    file.write_all(&header.to_bytes()).expect("the temporary directory is writable");
    file.set_len(header.file_length()).expect("sparse files of 1 TiB are possible");
    for (row, column) in WRITTEN {
        let at = HEADER + 8 * (u64::from(row) * u64::from(COLUMNS) + u64::from(column));
        file.seek(SeekFrom::Start(at)).expect("seeking succeeds");
        file.write_all(&number(row, column).to_le_bytes()).expect("the temporary directory is writable");
    }
    file.rewind().expect("seeking succeeds");
    (header, file)
}

#[test]
fn entries_of_a_terabyte_are_found_by_seeking() {
    let (_, file) = long_file();
    let mut source = Counted { file, reads: 0, seeks: 0 };
    let mut buffer = [0; 256];
    let mut entries = [9.0; 20];
    for (row, column) in WRITTEN.into_iter().rev().chain([(5, 5), (ROWS - 1, 0)]) {
        (source.reads, source.seeks) = (0, 0);
        source.file.rewind().expect("seeking succeeds");
        let count = 20.min(COLUMNS - column) as usize;
        without_allocation(|| {
            let mut matrix = MatrixReader::new(&mut source, &mut buffer);
            matrix.read_entries_seeking(row, column, &mut entries[..count]).expect("inside");
        });
        for (at, found) in (column..).zip(&entries[..count]) {
            assert_eq!(*found, number(row, at), "{row}, {at}");
        }
        // One read for the header and one for the entries; seeks to get the position and the length, and to move.
        assert!(source.reads <= 2, "{} reads", source.reads);
        assert!(source.seeks <= 3, "{} seeks", source.seeks);
    }
}

#[test]
fn a_terabyte_short_of_a_byte_is_reported_without_reading_it() {
    let (header, file) = long_file();
    file.set_len(header.file_length() - 1).expect("a shorter file");
    let mut source = Counted { file, reads: 0, seeks: 0 };
    let mut buffer = [0; 256];
    let mut matrix = MatrixReader::new(&mut source, &mut buffer);
    let kind = ErrorKind::DataTruncated { entries: header.entry_count() - 1, missing: 1 };
    let error = Error::new(header.file_length() - 1, kind);
    let mut entries = [0.0; 2];
    matrix.read_entries_seeking(ROWS - 1, COLUMNS - 3, &mut entries).expect("they are there");
    let reported = matrix.read_entries_seeking(ROWS - 1, COLUMNS - 2, &mut entries);
    assert!(matches!(reported, Err(ReadError::Format(found)) if found == error), "{reported:?}");
    assert!(source.seeks <= 6 && source.reads <= 4, "{} seeks, {} reads", source.seeks, source.reads);
}

/// A matrix that is generated: its data repeat these bytes.
struct Endless<'a> {
    header: Header,
    period: usize,
    /// Two periods and one chunk.
    bytes: &'a [u8],
    at: u64,
}

impl<'a> Endless<'a> {
    /// `bytes` must exceed its period by at least a chunk.
    fn new(header: Header, period: usize, bytes: &'a [u8]) -> Self {
        assert!(bytes.len() >= period + CHUNK && bytes[..CHUNK] == bytes[period..][..CHUNK]);
        Self { header, period, bytes, at: 0 }
    }

    /// The next bytes, at most a chunk.
    fn piece(&self, most: usize) -> &'a [u8] {
        let place = self.at - HEADER;
        let left = usize::try_from(self.header.data_length() - place).unwrap_or(CHUNK);
        let start = (place % self.period as u64) as usize;
        &self.bytes[start..start + most.min(left).min(CHUNK)]
    }
}

impl ErrorType for Endless<'_> {
    type Error = core::convert::Infallible;
}

impl Read for Endless<'_> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize, Self::Error> {
        let header = self.header.to_bytes();
        let bytes = if self.at < HEADER { &header[self.at as usize..] } else { self.piece(out.len()) };
        let n = bytes.len().min(out.len());
        out[..n].copy_from_slice(&bytes[..n]);
        self.at += n as u64;
        Ok(n)
    }
}

/// The sink compares what is written with the matrix.
impl Write for Endless<'_> {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, Self::Error> {
        if self.at < HEADER {
            assert_eq!(bytes, self.header.to_bytes());
            self.at = HEADER;
            return Ok(bytes.len());
        }
        let expected = self.piece(bytes.len());
        assert!(!expected.is_empty() && bytes[..expected.len()] == *expected, "written at {}", self.at);
        self.at += expected.len() as u64;
        Ok(expected.len())
    }

    fn flush(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }
}

/// Length of a row: all rows are equal, and their ends are at varying positions in the buffer.
const ROW: usize = 8191;

fn row() -> Vec<f64> {
    (0..ROW).map(|column| (column as f64).sqrt()).collect()
}

fn rows_of_bytes() -> Vec<u8> {
    row().iter().flat_map(|value| value.to_le_bytes()).collect::<Vec<u8>>().repeat(3)
}

fn two_gibibytes() -> Header {
    Header::new(MatrixType::Real, 32_772, ROW as u32).expect("it fits")
}

#[test]
fn two_gibibytes_of_rows_are_read_without_allocation() {
    let (header, expected, bytes) = (two_gibibytes(), row(), rows_of_bytes());
    assert!(header.data_length() >= 2_000 << 20);
    let (mut buffer, mut values) = (vec![0; CHUNK], vec![0.0; ROW]);
    let mut seen = 0;
    let mut ended = false;
    without_allocation(|| {
        let source = Endless::new(header, 8 * ROW, &bytes);
        let mut reader = Reader::new(source, &mut buffer, Decoder::new(Mode::Strict));
        let mut rows = Rows::new(&header, &mut values).expect("room for a row");
        while let Some(event) = reader.next().expect("a valid file") {
            match event {
                Event::Data => {
                    let fed = rows.feed(reader.bytes(), |row, values| {
                        assert!(row == seen && values == expected, "row {row}");
                        seen += 1;
                    });
                    assert_eq!(fed, Ok(()));
                }
                Event::End => ended = true,
                _ => {}
            }
        }
    });
    assert_eq!((seen, ended), (header.rows(), true));
}

#[test]
fn a_gibibyte_is_written_without_allocation() {
    let header = Header::new(MatrixType::Real, 16_386, ROW as u32).expect("it fits");
    let (values, bytes) = (row(), rows_of_bytes());
    let mut buffer = vec![0; CHUNK - 3];
    let position = without_allocation(|| {
        let sink = Endless::new(header, 8 * ROW, &bytes);
        let mut writer = MatrixWriter::create(sink, &mut buffer, &header);
        for _ in 0..header.rows() {
            writer.put(values.iter().copied()).expect("the sink accepts everything");
        }
        let position = writer.encoder().position();
        assert_eq!(writer.finish().expect("complete").at, position);
        position
    });
    assert_eq!(position, header.file_length());
}

/// 2^34 - 4 bits, in rows that begin at every position in a byte.
#[test]
fn bits_in_rows_of_four_thousand_million() {
    let header = Header::new(MatrixType::Boolean, 4, u32::MAX).expect("it fits");
    let period = 251;
    let bytes: Vec<u8> = (0..period).map(|k| (k * 37 % 256) as u8).collect::<Vec<u8>>().repeat(600);
    let bit = |at: u64| bytes[(at / 8 % period as u64) as usize] >> (at % 8) & 1 == 1;
    let mut buffer = vec![0; CHUNK];
    let mut next = 0_u64;
    without_allocation(|| {
        let source = Endless::new(header, period, &bytes);
        let mut reader = Reader::new(source, &mut buffer, Decoder::new(Mode::Lenient));
        let mut entries = Entries::<bool>::new(&header).expect("bits");
        while let Some(event) = reader.next().expect("a valid file") {
            if event != Event::Data {
                continue;
            }
            let fed = entries.feed(reader.bytes(), |run| {
                let (row, column) = (next / u64::from(u32::MAX), next % u64::from(u32::MAX));
                assert_eq!((u64::from(run.row), u64::from(run.column)), (row, column));
                // Only the front of each run is compared, since all values would take too long.
                for (at, value) in (next..).zip(run.values().take(9)) {
                    assert_eq!(value, bit(at), "bit {at}");
                }
                next += run.len();
            });
            assert_eq!(fed, Ok(()));
        }
    });
    assert_eq!(next, header.entry_count());
}

/// Pushing byte by byte, saving, and refused calls do not allocate.
#[test]
fn pushing_needs_no_memory() {
    let header = Header::new(MatrixType::Complex, 3, 1 << 31).expect("it fits");
    without_allocation(|| {
        let mut decoder = Decoder::new(Mode::Survey);
        for byte in header.to_bytes() {
            let _ = decoder.push(&[byte]).expect("a valid header");
        }
        decoder = Decoder::load(&decoder.save().expect("no error yet")).expect("saved");
        decoder.skip(header.data_length() - 1).expect("data");
        let kind = ErrorKind::DataTruncated { entries: header.entry_count() - 1, missing: 1 };
        assert_eq!(decoder.finish(), Err(Error::new(header.file_length() - 1, kind)));

        let mut entries = Entries::<Complex>::at(&header, 2, 5).expect("numbers").expect("inside");
        let fed = entries.feed(&[0; 25], |run| assert_eq!((run.row, run.column, run.len()), (2, 5, 1)));
        assert_eq!(fed, Ok(()));
        let entries = Entries::<Complex>::load(&entries.save()).expect("saved");
        assert_eq!(entries.left(), (1 << 31) - 6);

        let mut encoder = Encoder::new(&header);
        let one = Complex { re: 1.0, im: 2.0 };
        let mut values = core::iter::repeat_n(one, 3);
        assert_eq!(encoder.encode(&mut values, &mut [0; 20]), Ok(20));
        assert_eq!(Encoder::load(&encoder.save()), Ok(encoder));
    });
}
