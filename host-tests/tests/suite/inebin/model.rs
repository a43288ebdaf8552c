//! A model of the INEBIN decoder: a second reader in the simplest form, which works on a complete file in memory and
//! was written from `formats/inebin-on-disk.md` and the public documentation of [`ErrorKind`], [`Event`] and [`Mode`].
//! Also the entries of matrices of every type in a common form, their bits.

use embedded_io::{Read, Seek};
use host_tests::drive::{Drive, Item, Trace};
use host_tests::fixtures::Fixtures;
use host_tests::matrices::{self, width};
use linkstream::Resumable as _;
use linkstream::inebin::{
    Complex, Decoder, Entries, ErrorKind, Event, HEADER_LEN, Header, MatrixType, Value,
};
use linkstream::io::{Buffer, ReadError, Reader};
use linkstream::{Error, Mode};

/// The trace of an INEBIN decoder. The note at a header is the header written again.
pub type InebinTrace = Trace<Event, ErrorKind>;

pub const MODES: [Mode; 3] = [Mode::Strict, Mode::Lenient, Mode::Survey];

/// A value, convertible to and from its bits in a matrix, as in [`host_tests::matrices`].
pub trait Entry: Value + PartialEq + std::fmt::Debug {
    fn bits(self) -> u128;
    fn from_bits(bits: u128) -> Self;
    /// A value that will be overwritten.
    const ANY: Self;
}

impl Entry for bool {
    fn bits(self) -> u128 {
        u128::from(self)
    }
    fn from_bits(bits: u128) -> Self {
        bits == 1
    }
    const ANY: Self = true;
}

impl Entry for i64 {
    fn bits(self) -> u128 {
        u128::from(self as u64)
    }
    fn from_bits(bits: u128) -> Self {
        bits as Self
    }
    const ANY: Self = 0x5A5A;
}

impl Entry for f64 {
    fn bits(self) -> u128 {
        u128::from(self.to_bits())
    }
    fn from_bits(bits: u128) -> Self {
        Self::from_bits(bits as u64)
    }
    const ANY: Self = 0.1;
}

impl Entry for Complex {
    fn bits(self) -> u128 {
        Entry::bits(self.re) | Entry::bits(self.im) << 64
    }
    fn from_bits(bits: u128) -> Self {
        Self { re: Entry::from_bits(bits), im: Entry::from_bits(bits >> 64) }
    }
    const ANY: Self = Self { re: 0.1, im: 0.2 };
}

/// The bits of values.
pub fn bits<T: Entry>(values: &[T]) -> Vec<u128> {
    values.iter().map(|value| value.bits()).collect()
}

/// The values with these bits.
pub fn values<T: Entry>(bits: &[u128]) -> Vec<T> {
    bits.iter().map(|bits| T::from_bits(*bits)).collect()
}

/// Calls a function that is generic over [`Entry`] with the type of a letter.
macro_rules! of_type {
    ($letter:expr, $function:ident($($argument:expr),* $(,)?)) => {
        match $letter {
            'B' => $function::<bool>($($argument),*),
            'Z' => $function::<i64>($($argument),*),
            'R' => $function::<f64>($($argument),*),
            'C' => $function::<linkstream::inebin::Complex>($($argument),*),
            other => panic!("type {other}"),
        }
    };
}
pub(crate) use of_type;

/// The type of a letter.
pub fn matrix_type(letter: char) -> MatrixType {
    match letter {
        'B' => MatrixType::Boolean,
        'Z' => MatrixType::Integer,
        'R' => MatrixType::Real,
        'C' => MatrixType::Complex,
        other => panic!("type {other}"),
    }
}

/// A matrix with its known content.
#[derive(Debug, Clone)]
pub struct Known {
    pub path: String,
    pub letter: char,
    pub rows: u32,
    pub cols: u32,
    pub entries: Vec<u128>,
    pub bytes: Vec<u8>,
}

impl Known {
    pub fn new(letter: char, rows: u32, cols: u32, entries: Vec<u128>) -> Self {
        let bytes = matrices::file(letter, rows, cols, &entries);
        Self { path: format!("{letter} {rows}x{cols}"), letter, rows, cols, entries, bytes }
    }

    pub fn header(&self) -> Header {
        Header::new(matrix_type(self.letter), self.rows, self.cols).expect("it is in memory")
    }

    pub fn data(&self) -> &[u8] {
        &self.bytes[16..]
    }
}

/// All files of the directory `inebin`.
pub fn files() -> Vec<Known> {
    let known = |file: &matrices::Matrix| Known {
        path: file.path.clone(),
        letter: file.letter,
        rows: file.rows,
        cols: file.cols,
        entries: file.entries(),
        bytes: file.bytes(),
    };
    matrices::load(Fixtures::Ours).iter().map(known).collect()
}

/// Small matrices of every type, some of them with rows that end inside a byte.
pub fn small() -> Vec<Known> {
    let entry = |letter, k: u128| match letter {
        'B' => u128::from(k * 5 % 7 < 3),
        _ => k.wrapping_mul(0x9E37_79B9_7F4A_7C15_F39C_C060_5CED_C835) & (u128::MAX >> (128 - width(letter))),
    };
    let matrix = |(letter, rows, cols)| {
        let count = u128::from(rows) * u128::from(cols);
        Known::new(letter, rows, cols, (1..=count).map(|k| entry(letter, k)).collect())
    };
    let shapes = [
        ('B', 3, 5),
        ('B', 5, 3),
        ('B', 1, 8),
        ('B', 4, 13),
        ('B', 13, 1),
        ('B', 2, 40),
        ('B', 0, 9),
        ('Z', 3, 2),
        ('Z', 1, 1),
        ('R', 2, 3),
        ('R', 4, 0),
        ('C', 2, 2),
        ('C', 1, 3),
    ];
    shapes.map(matrix).into()
}

/// A harness for INEBIN. Bits after the last entry are reported only if the last byte was read.
pub fn drive<'a>(decoder: &'a Decoder, input: &'a [u8]) -> Drive<'a, Decoder> {
    Drive::new(decoder, input, |event| *event == Event::Data)
        .noting(|decoder, event| match event {
            Event::Header(header) => {
                assert_eq!(decoder.header(), Some(header));
                header.to_bytes().to_vec()
            }
            _ => Vec::new(),
        })
        .unseen(|event| match event {
            Event::Finding(Error { kind: ErrorKind::UnusedBits { .. }, .. }) => None,
            other => Some(other),
        })
}

/// A decoder, saved and restored.
pub fn restored(decoder: Decoder) -> Decoder {
    let saved = decoder.save().expect("a decoder without an error can be saved");
    Decoder::load(&saved).expect("what was saved can be loaded")
}

/// The expected trace for a file.
pub fn expected(bytes: &[u8], mode: Mode) -> InebinTrace {
    note_event(bytes, mode, true)
}

/// The expected trace if the data are skipped.
pub fn expected_unseen(bytes: &[u8], mode: Mode) -> InebinTrace {
    note_event(bytes, mode, false)
}

fn note_event(bytes: &[u8], mode: Mode, seen: bool) -> InebinTrace {
    let mut trace = Trace { items: Vec::new(), end: Ok(()), position: 0 };
    trace.end = file(bytes, mode, seen, &mut trace);
    trace
}

fn file(bytes: &[u8], mode: Mode, seen: bool, trace: &mut InebinTrace) -> Result<(), Error<ErrorKind>> {
    let finding = |trace: &mut InebinTrace, at: usize, kind| {
        let error = Error::new(at as u64, kind);
        if mode == Mode::Strict {
            return Err(error);
        }
        let event = Event::Finding(error);
        trace.items.push(Item::Event { event, after: trace.position, note: Vec::new() });
        Ok(())
    };
    trace.position = bytes.len().min(16) as u64;
    if bytes.len() < 16 && b"INEBIN".iter().zip(bytes).all(|(a, b)| a == b) {
        let have = u8::try_from(bytes.len()).expect("less than 16");
        return Err(Error::new(trace.position, ErrorKind::HeaderTruncated { have }));
    }
    if !bytes.starts_with(b"INEBIN") {
        let mut found = [0; 6];
        found.iter_mut().zip(bytes).for_each(|(to, from)| *to = *from);
        return Err(Error::new(0, ErrorKind::Magic { found }));
    }
    if bytes[6] != 0 {
        finding(trace, 6, ErrorKind::Reserved { found: bytes[6] })?;
    }
    let letter = char::from(bytes[7]);
    if !"BZRC".contains(letter) {
        return Err(Error::new(7, ErrorKind::Type { found: bytes[7] }));
    }
    let word = |at: usize| u32::from_le_bytes(bytes[at..at + 4].try_into().expect("4 bytes"));
    let (rows, columns) = (word(8), word(12));
    let count = u128::from(rows) * u128::from(columns);
    let length = (count * width(letter) as u128).div_ceil(8);
    if length + 16 > u128::from(u64::MAX) {
        let kind = ErrorKind::SizeOverflow { bits: width(letter) as u8, rows, columns };
        return Err(Error::new(8, kind));
    }
    let header = Header::new(matrix_type(letter), rows, columns).expect("it fits");
    let note = matrices::header(letter, rows, columns);
    trace.items.push(Item::Event { event: Event::Header(header), after: 16, note });

    let data = &bytes[16..];
    let there = length.min(data.len() as u128) as usize;
    if there > 0 {
        let crc = seen.then(|| crc32fast::hash(&data[..there]));
        trace.items.push(Item::Payload { offset: 16, length: there as u64, crc });
    }
    trace.position = 16 + there as u64;
    if (there as u128) < length {
        let entries = (there * 8 / width(letter)) as u64;
        let missing = (length - there as u128) as u64;
        return Err(Error::new(trace.position, ErrorKind::DataTruncated { entries, missing }));
    }
    if letter == 'B' && count % 8 != 0 && seen {
        let found = data[there - 1] >> (count % 8) << (count % 8);
        if found != 0 {
            finding(trace, 15 + there, ErrorKind::UnusedBits { found })?;
        }
    }
    trace.items.push(Item::Event { event: Event::End, after: trace.position, note: Vec::new() });
    if data.len() > there {
        finding(trace, 16 + there, ErrorKind::Trailing)?;
        trace.position = bytes.len() as u64;
    }
    Ok(())
}

/// Reads entries inside the matrix with a reader of events, which is moved to them.
pub fn read_at<T: Entry, R: Read + Seek, B: Buffer>(
    reader: &mut Reader<R, B, Decoder>,
    row: u32,
    column: u32,
    out: &mut [T],
) -> Result<(), ReadError<R::Error, ErrorKind>> {
    let header = loop {
        match reader.decoder().header() {
            Some(header) => break *header,
            None => _ = reader.next()?,
        }
    };
    let place = header.place(row, column).expect("inside");
    reader.seek_payload(place.offset - HEADER_LEN as u64)?;
    let entries = Entries::<T>::at(&header, row, column).expect("the matrix has this type");
    let (mut entries, mut filled) = (entries.expect("inside"), 0);
    while filled < out.len() {
        if reader.next()? == Some(Event::Data) {
            let fed = entries.feed(reader.bytes(), |run| filled += run.copy_to(&mut out[filled..]));
            assert_eq!(fed, Ok(()));
        }
    }
    Ok(())
}
