//! INEBIN matrices. Checks the contract of the decoder in every mode; that entries, rows and seeking give the same
//! values; and that a file without errors is the same when its values are written again.

use linkstream::Encode as _;
use linkstream::Resumable as _;
use linkstream::inebin::{
    Complex, Decoder, Encoder, Entries, ErrorKind, Event, Header, MatrixType, Rows, Value,
};
use linkstream::io::{MatrixReader, MatrixWriter, ReadError};
use linkstream::{Class, Diagnostic as _, Error, Mode};

use crate::Dice;
use crate::source::Trickle;
use crate::stream::{self, Checked, FEW_WAYS, Item, Reported, WAYS};

impl Checked for Decoder {
    fn is_payload(event: &Event) -> bool {
        *event == Event::Data
    }

    fn finding(event: &Event) -> Option<Error<ErrorKind>> {
        match event {
            Event::Finding(finding) => Some(*finding),
            _ => None,
        }
    }

    fn is_about_payload(kind: &ErrorKind) -> bool {
        matches!(kind, ErrorKind::UnusedBits { .. })
    }

    fn through_bytes(&self) -> Result<Self, Error<ErrorKind>> {
        Ok(Self::load(&self.save()?).expect("a saved state loads"))
    }
}

/// Checks the decoder, the encoder, and the conversion to values with this file.
pub fn check(file: &[u8]) {
    let strict = stream::check(|| Decoder::new(Mode::Strict), file, &FEW_WAYS);
    let lenient = stream::check(|| Decoder::new(Mode::Lenient), file, &FEW_WAYS);
    let survey = stream::check(|| Decoder::new(Mode::Survey), file, &WAYS);
    stream::milder::<Decoder>(&strict, &lenient);
    assert_eq!(lenient, survey, "INEBIN has no errors that only `Mode::Survey` accepts");
    let header = survey.events.iter().find_map(|item| match item {
        Item::Event(Event::Header(header), _) => Some(*header),
        _ => None,
    });
    let Some(header) = header else { return };
    assert_eq!(header.to_bytes()[7..], file[7..16]);
    match header.matrix_type() {
        MatrixType::Boolean => of_type::<bool>(file, &header, &survey),
        MatrixType::Integer => of_type::<i64>(file, &header, &survey),
        MatrixType::Real => of_type::<f64>(file, &header, &survey),
        MatrixType::Complex => of_type::<Complex>(file, &header, &survey),
    }
    if strict.end.is_ok() {
        assert_eq!(strict, lenient);
    }
}

/// A value whose bits can be compared.
trait Entry: Value {
    const ANY: Self;
    fn bits(self) -> [u64; 2];
}

impl Entry for bool {
    const ANY: Self = true;
    fn bits(self) -> [u64; 2] {
        [u64::from(self), 0]
    }
}

impl Entry for i64 {
    const ANY: Self = 5;
    fn bits(self) -> [u64; 2] {
        [self as u64, 0]
    }
}

impl Entry for f64 {
    const ANY: Self = 0.5;
    fn bits(self) -> [u64; 2] {
        [self.to_bits(), 0]
    }
}

impl Entry for Complex {
    const ANY: Self = Self { re: 0.5, im: 0.5 };
    fn bits(self) -> [u64; 2] {
        [self.re.to_bits(), self.im.to_bits()]
    }
}

fn same<T: Entry>(left: &[T], right: &[T]) -> bool {
    left.len() == right.len() && left.iter().zip(right).all(|(a, b)| a.bits() == b.bits())
}

/// The bits of the entry at `index`, computed from the specification.
fn expected<T: Entry>(data: &[u8], index: usize) -> [u64; 2] {
    let word =
        |n: usize| data[8 * n..8 * n + 8].iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
    match T::TYPE {
        MatrixType::Boolean => [u64::from(data[index / 8] >> (index % 8) & 1), 0],
        MatrixType::Integer | MatrixType::Real => [word(index), 0],
        MatrixType::Complex => [word(2 * index), word(2 * index + 1)],
    }
}

fn of_type<T: Entry>(file: &[u8], header: &Header, survey: &Reported<Event, ErrorKind>) {
    let end = header.file_length().min(file.len() as u64);
    let data = &file[16..end as usize];
    let values = entries::<T>(header, data);
    assert!(values.iter().enumerate().all(|(n, value)| value.bits() == expected::<T>(data, n)));
    if let Err(Error { kind: ErrorKind::DataTruncated { entries, missing }, .. }) = survey.end {
        assert_eq!(values.len() as u64, entries);
        assert_eq!(data.len() as u64 + missing, header.data_length());
    } else {
        assert_eq!(values.len() as u64, header.entry_count());
    }
    from_any_place(header, data, &values);
    rows(header, data, &values);
    seek(file, header, &values);
    if survey.end.is_ok() {
        let unused = data.last().map_or(0, |last| last & header.unused_bits());
        let mut right = header.to_bytes().to_vec();
        right.extend_from_slice(data);
        *right.last_mut().expect("the file has a header") &= !unused;
        write_again(header, &values, &right);
        write_by_turns(header, &values, &right);
    }
}

/// Reads the values with [`Entries`] from pieces of the data, saved and loaded before every piece.
fn entries<T: Entry>(header: &Header, data: &[u8]) -> Vec<T> {
    let mut dice = Dice::from_bytes(data);
    let mut entries = Entries::<T>::new(header).expect("the matrix has this type");
    let mut values = Vec::new();
    let mut rest = data;
    while !rest.is_empty() {
        let (piece, later) = rest.split_at(dice.below(50).min(rest.len()));
        rest = later;
        entries = Entries::load(&entries.save()).expect("a saved state loads");
        entries
            .feed(piece, |run| {
                assert_ne!(run.len(), 0);
                let index = u64::from(run.row) * u64::from(header.columns()) + u64::from(run.column);
                assert_eq!(index, values.len() as u64);
                assert!(u64::from(run.column) + run.len() <= u64::from(header.columns()));
                let mut copy = vec![T::ANY; run.len() as usize];
                assert_eq!(run.copy_to(&mut copy), copy.len());
                values.extend(run.values());
                assert!(same(&copy, &values[index as usize..]), "`copy_to` and `values` differ");
            })
            .expect("no more data than the matrix has");
    }
    assert_eq!(entries.left(), header.entry_count() - values.len() as u64);
    values
}

/// Reads with [`Entries`] that begin at a random entry, from pieces of the data, some of them empty.
fn from_any_place<T: Entry>(header: &Header, data: &[u8], values: &[T]) {
    let mut dice = Dice::from_bytes(data);
    let first = dice.below(values.len());
    let Some(row) = (first as u64).checked_div(u64::from(header.columns())) else { return };
    let (row, column) = (row as u32, (first as u64 % u64::from(header.columns())) as u32);
    let Some(place) = header.place(row, column) else { return };
    let mut entries = Entries::<T>::at(header, row, column)
        .expect("the matrix has this type")
        .expect("the entry is inside the matrix");
    let mut found = Vec::new();
    let mut rest = data.get(place.offset as usize - 16..).unwrap_or_default();
    while !rest.is_empty() {
        let (piece, later) = rest.split_at(dice.below(5).min(rest.len()));
        rest = later;
        entries.feed(piece, |run| found.extend(run.values())).expect("no more data than the matrix has");
        entries = Entries::load(&entries.save()).expect("a saved state loads");
    }
    assert!(same(&found, &values[first..]), "entries from row {row}, column {column} on differ");
}

/// Reads the values with [`Rows`], unless a row is longer than the file.
fn rows<T: Entry>(header: &Header, data: &[u8], values: &[T]) {
    let columns = header.columns() as usize;
    if columns > 8 * data.len() {
        return;
    }
    let mut dice = Dice::from_bytes(data);
    let mut buffer = vec![T::ANY; columns];
    let mut rows = Rows::new(header, &mut buffer).expect("the buffer holds a row");
    let mut expected = values.chunks_exact(columns.max(1)).zip(0..);
    let mut rest = data;
    while !rest.is_empty() {
        let (piece, later) = rest.split_at(dice.below(70).min(rest.len()));
        rest = later;
        rows.feed(piece, |row, values| {
            let (expected, number) = expected.next().expect("no more rows than the matrix has");
            assert!(row == number && same(values, expected), "row {row}");
        })
        .expect("no more data than the matrix has");
    }
    assert!(expected.next().is_none(), "a row is missing");
}

/// Reads entries by seeking, at random places. A truncated file is reported as if all of it had been read.
fn seek<T: Entry>(file: &[u8], header: &Header, values: &[T]) {
    let mut dice = Dice::from_bytes(file);
    let mut buffer = vec![0; 1 + dice.below(40)];
    let mut matrix = MatrixReader::with_decoder(Trickle::new(file), &mut buffer, Decoder::new(Mode::Survey));
    let columns = u64::from(header.columns());
    for _ in 0..4 {
        // Sometimes a place after the last entry of the file.
        let first = dice.below(values.len() + 2);
        let mut out = vec![T::ANY; dice.below(20)];
        let (row, column) = match (first as u64).checked_div(columns) {
            Some(row) => (u32::try_from(row).unwrap_or(u32::MAX), (first as u64 % columns) as u32),
            None => (0, 0),
        };
        let end = first as u64 + out.len() as u64;
        let result = matrix.read_entries_seeking(row, column, &mut out);
        match result {
            Ok(()) => assert!(
                out.is_empty() || same(&out, &values[first..first + out.len()]),
                "entries from {first} on differ"
            ),
            Err(ReadError::Format(Error { kind: ErrorKind::DataTruncated { entries, .. }, at, .. })) => {
                assert!(end > values.len() as u64 && entries == values.len() as u64);
                assert_eq!(at, file.len() as u64);
                return;
            }
            Err(ReadError::Format(error)) => {
                assert_eq!(error.kind.class(), Class::Misuse, "{error}");
                assert!(end > header.entry_count() || first as u64 == header.entry_count(), "{error}");
            }
            Err(other) => panic!("{other:?}"),
        }
    }
}

/// Writes the values with the encoder, through a buffer of random size; the encoder is saved and loaded at every step.
fn write_again<T: Entry>(header: &Header, values: &[T], right: &[u8]) {
    let mut dice = Dice::from_bytes(right);
    let mut encoder = Encoder::new(header);
    let mut copy = header.to_bytes().to_vec();
    let mut rest = values.iter().copied();
    let mut out = vec![0; 1 + dice.below(30)];
    loop {
        let room = 1 + dice.below(out.len());
        let n = encoder.encode(&mut rest, &mut out[..room]).expect("values that were read can be written");
        if n == 0 {
            break;
        }
        copy.extend_from_slice(&out[..n]);
        assert_eq!(encoder.position(), copy.len() as u64);
        encoder = Encoder::load(&encoder.save()).expect("a saved state loads");
    }
    assert_eq!(encoder.finish(), Ok(()));
    assert!(copy == right, "the file differs when it is written again");
}

/// Writes values and raw bytes alternately with the writer. They only change where an entry ends at a byte boundary.
fn write_by_turns<T: Entry>(header: &Header, values: &[T], right: &[u8]) {
    let mut dice = Dice::from_bytes(right);
    let mut buffer = vec![0; 1 + dice.below(30)];
    let mut copy = vec![0; right.len()];
    let mut writer = MatrixWriter::create(&mut copy[..], &mut buffer, header);
    let bits = usize::from(T::TYPE.bits());
    let whole = if bits < 8 { 8 } else { 1 };
    let mut at = 0;
    while at < values.len() {
        let to = values.len().min(at + whole * dice.below(6));
        if dice.below(2) == 0 {
            let data = &right[16 + at * bits / 8..16 + (to * bits).div_ceil(8)];
            let (first, second) = data.split_at(dice.below(data.len() + 1));
            writer.put_bytes(first).expect("values that were read can be written");
            writer.put_bytes(second).expect("values that were read can be written");
        } else {
            writer.put(values[at..to].iter().copied()).expect("values that were read can be written");
        }
        at = to;
    }
    assert!(
        writer.put([T::ANY]).is_err() && writer.put_bytes(&[0]).is_err(),
        "more was written than the matrix holds"
    );
    assert!(writer.finish().expect("the matrix is complete").is_empty());
    assert!(copy == right, "the file differs when values and raw bytes alternate");
}

fn raw(letter: u8, rows: u32, columns: u32, data: &[u8]) -> Vec<u8> {
    let mut file = b"INEBIN\0".to_vec();
    file.push(letter);
    file.extend_from_slice(&rows.to_le_bytes());
    file.extend_from_slice(&columns.to_le_bytes());
    file.extend_from_slice(data);
    file
}

fn words(words: &[u64]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

/// Small files: the examples of the specification, and one for each error.
#[must_use]
pub fn seeds() -> Vec<(String, Vec<u8>)> {
    let integers = words(&[1, 65536, 0x0102_0304_0506_0708, u64::MAX, !0xFFFF, 0xC0 << 56]);
    let reals = words(&[1.0, 1.5, 65536.0, -1.0, 0.375, 0.0002].map(f64::to_bits));
    let complex = [1.0, 1.5, 0.375, 1.75, 3.0, 5.0, 6.0, 7.0, 2.0, 0.0, 0.9375, 31.0].map(f64::to_bits);
    let special =
        words(&[1 << 63, 1, 0x7FF0 << 48, 0x7FF0_0000_0000_0001, 0xFFF8_DEAD_BEEF_0001, u64::MAX >> 12]);
    let whole = || raw(b'Z', 2, 3, &integers);
    let with = |mut file: Vec<u8>, at: usize, byte: u8| {
        file[at] = byte;
        file
    };
    let cut = |mut file: Vec<u8>, length: usize| {
        file.truncate(length);
        file
    };
    let and = |mut file: Vec<u8>, more: &[u8]| {
        file.extend_from_slice(more);
        file
    };
    [
        ("boolean", raw(b'B', 3, 5, &[0x99, 0x21])),
        ("boolean-one", raw(b'B', 1, 1, &[1])),
        ("boolean-whole-bytes", raw(b'B', 4, 6, &[0x12, 0x34, 0x56])),
        ("boolean-row-of-8", raw(b'B', 2, 8, &[0xA5, 0x5A])),
        ("boolean-column", raw(b'B', 13, 1, &[0xFF, 0x1F])),
        ("boolean-long-rows", raw(b'B', 3, 100, &[&[0x6D; 37][..], &[0x05]].concat())),
        ("integer", whole()),
        ("real", raw(b'R', 2, 3, &reals)),
        ("real-special", raw(b'R', 3, 2, &special)),
        ("complex", raw(b'C', 2, 3, &words(&complex))),
        ("empty", raw(b'C', 0, 0, b"")),
        ("no-rows", raw(b'R', 0, u32::MAX, b"")),
        ("no-columns", raw(b'B', u32::MAX, 0, b"")),
        ("reserved", with(whole(), 6, 1)),
        ("magic-wrong", with(whole(), 5, b'M')),
        ("csv", b"1,2,3\n4,5,6\n".to_vec()),
        ("type-wrong", with(whole(), 7, b'X')),
        ("type-as-printed", with(whole(), 7, b'B')),
        ("unused-bits", raw(b'B', 3, 5, &[0x99, 0xA1])),
        ("trailing", and(whole(), b"\n")),
        ("trailing-header", and(whole(), &raw(b'Z', 2, 3, b""))),
        ("no-rows-with-data", raw(b'Z', 0, 3, &integers)),
        ("all-findings", and(with(raw(b'B', 3, 5, &[0x99, 0xA1]), 6, 9), b"INEBIN")),
        ("cut-in-magic", cut(whole(), 3)),
        ("cut-in-header", cut(whole(), 11)),
        ("cut-after-header", cut(whole(), 16)),
        ("cut-in-entry", cut(whole(), 29)),
        ("cut-before-last", cut(whole(), 63)),
        ("cut-in-booleans", raw(b'B', 3, 5, &[0x99])),
        ("cut-in-complex", cut(raw(b'C', 2, 3, &words(&complex)), 24)),
        ("largest-boolean", raw(b'B', u32::MAX, u32::MAX, &[0xFF; 3])),
        ("largest-real", raw(b'R', (1 << 31) - 1, 1 << 30, &reals)),
        ("overflow-real", raw(b'R', 1 << 31, 1 << 30, &reals)),
        ("overflow-complex", raw(b'C', 1 << 30, 1 << 30, b"")),
    ]
    .map(|(name, file)| (name.to_owned(), file))
    .into()
}
