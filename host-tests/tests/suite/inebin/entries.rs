//! Entries and rows as values: from any position on, in pieces of any size, saved and restored at every byte, and by
//! seeking; and the calls that are refused.

use crate::inebin::model::{Entry, Known, bits, matrix_type, of_type, read_at, small, values};
use embedded_io::{Seek as _, SeekFrom};
use host_tests::drive::{Fitful, Random};
use linkstream::Resumable as _;
use linkstream::inebin::{
    Complex, Decoder, EncodeErrorKind, Entries, EntriesError, EntryPlace, ErrorKind, Event, HEADER_LEN,
    Header, MatrixType, Rows,
};
use linkstream::io::{MatrixReader, ReadError, Reader};
use linkstream::{Decode, Error, LoadError, Misuse, Mode, SeekPayload, State};

const LETTERS: [char; 4] = ['B', 'Z', 'R', 'C'];

fn through_bytes<T: Entry>(entries: &Entries<T>) -> Entries<T> {
    let loaded = Entries::load(&entries.save()).expect("what was saved can be loaded");
    assert_eq!(loaded, *entries);
    loaded
}

/// Reads from every entry on, in pieces of random length, some of them empty, and saves and restores before each.
fn from_every_place<T: Entry>(file: &Known) {
    let header = file.header();
    let mut random = Random(file.bytes.len() as u64);
    for first in 0..file.entries.len() {
        let (row, column) = (first / file.cols as usize, first % file.cols as usize);
        let bit = first * usize::from(header.matrix_type().bits());
        let place = EntryPlace { offset: 16 + bit as u64 / 8, bit: (bit % 8) as u8 };
        assert_eq!(header.place(row as u32, column as u32), Some(place), "{}: {row}, {column}", file.path);
        let entries = Entries::<T>::at(&header, row as u32, column as u32).expect("the matrix has this type");
        let mut entries = entries.expect("inside");
        let mut found = Vec::new();
        let mut rest = &file.bytes[place.offset as usize..];
        while !rest.is_empty() {
            let (piece, behind) = rest.split_at(rest.len().min(random.below(20)));
            rest = behind;
            entries = through_bytes(&entries);
            let fed = entries.feed(piece, |run| {
                let at = first + found.len();
                let place = ((at / file.cols as usize) as u32, (at % file.cols as usize) as u32);
                assert_eq!((run.row, run.column), place, "{}", file.path);
                found.extend(run.values().map(Entry::bits));
            });
            assert_eq!(fed, Ok(()), "{} from {row}, {column}", file.path);
        }
        assert_eq!(found, file.entries[first..], "{} from {row}, {column}", file.path);
        assert_eq!(entries.left(), 0, "{} from {row}, {column}", file.path);
        // Bytes after the last entry are refused.
        let surplus = entries.feed(&[0xFF], |_| panic!("{}: more entries than the matrix has", file.path));
        assert_eq!(surplus, Err(EntriesError::TooManyBytes), "{} from {row}, {column}", file.path);
        assert_eq!(entries.feed(&[], |_| {}), Ok(()));
    }
    for (row, column) in [(file.rows, 0), (0, file.cols), (file.rows, file.cols), (u32::MAX, u32::MAX)] {
        assert_eq!(header.place(row, column), None, "{}: {row}, {column}", file.path);
        assert_eq!(Entries::<T>::at(&header, row, column), Ok(None), "{}: {row}, {column}", file.path);
    }
}

#[test]
fn entries_begin_anywhere_and_go_through_bytes() {
    for file in small() {
        of_type!(file.letter, from_every_place(&file));
    }
}

/// A piece may be empty, even before the first entry if that begins inside a byte.
#[test]
fn nothing_fed_is_nothing_changed() {
    let header = Header::new(MatrixType::Boolean, 3, 5).expect("small");
    let mut entries = Entries::<bool>::at(&header, 1, 1).expect("the matrix has this type").expect("inside");
    let before = entries;
    assert_eq!(entries.feed(&[], |_| panic!("there is no entry without data")), Ok(()));
    assert_eq!(entries, before);
    let mut found = Vec::new();
    let fed = entries.feed(&[0b1000_0000, 0b0111_1111], |run| found.extend(run.values()));
    assert_eq!(fed, Ok(()));
    assert_eq!(found, [false, true, true, true, true, true, true, true, true]);
}

/// Every bit of the surrounding bytes belongs to another entry or to none.
#[test]
fn bits_are_copied_from_any_place_to_any_length() {
    let header = Header::new(MatrixType::Boolean, 1, 64).expect("small");
    let data: Vec<u8> = (0..8).map(|k| 0x35_u8.rotate_left(k) ^ k as u8).collect();
    let bit = |k: usize| data[k / 8] >> (k % 8) & 1 == 1;
    for first in 0..64 {
        for length in 0..=64 - first {
            let entries = Entries::<bool>::at(&header, 0, first as u32).expect("the matrix has this type");
            let fed = entries.expect("inside").feed(&data[first / 8..], |run| {
                assert_eq!(run.len(), 64 - first as u64);
                let mut out = vec![false; length];
                assert_eq!(run.copy_to(&mut out), length);
                let expected: Vec<bool> = (first..first + length).map(bit).collect();
                assert_eq!(out, expected, "{length} from {first}");
                let mut longer = vec![true; 70];
                assert_eq!(run.copy_to(&mut longer), 64 - first);
                assert!(
                    longer[64 - first..].iter().all(|untouched| *untouched),
                    "the rest of the buffer must not change"
                );
            });
            assert_eq!(fed, Ok(()));
        }
    }
}

/// Copies a run to buffers that are too short and too long, and compares its length.
fn copied<T: Entry>(file: &Known) {
    let mut entries = Entries::<T>::new(&file.header()).expect("the matrix has this type");
    let fed = entries.feed(file.data(), |run| {
        let all = bits(&run.values().collect::<Vec<T>>());
        assert_eq!(all.len() as u64, run.len());
        for n in 0..all.len() + 3 {
            let mut out = vec![T::ANY; n];
            assert_eq!(run.copy_to(&mut out), n.min(all.len()), "{}", file.path);
            assert_eq!(bits(&out)[..n.min(all.len())], all[..n.min(all.len())], "{}", file.path);
        }
        let mut values = run.values();
        for left in (0..=all.len()).rev() {
            assert_eq!(values.size_hint(), (left, Some(left)), "{}", file.path);
            assert_eq!(values.next().is_none(), left == 0, "{}", file.path);
        }
        assert!(values.next().is_none(), "no value may follow the end");
    });
    assert_eq!(fed, Ok(()), "{}", file.path);
}

#[test]
fn runs_are_copied_as_far_as_there_is_room() {
    for file in small() {
        of_type!(file.letter, copied(&file));
    }
}

fn refused_of<T: Entry>(header: &Header) {
    let matrix = header.matrix_type();
    let refusal = EncodeErrorKind::TypeMismatch { matrix, values: T::TYPE };
    let mut buffer = [T::ANY; 9];
    if matrix == T::TYPE {
        assert!(Entries::<T>::new(header).is_ok() && Rows::new(header, &mut buffer).is_ok());
        return;
    }
    assert_eq!(Entries::<T>::new(header), Err(refusal));
    assert_eq!(Entries::<T>::at(header, 1, 1), Err(refusal));
    assert_eq!(Rows::new(header, &mut buffer).err(), Some(EntriesError::Type(refusal)));
}

/// All pairs of a matrix and a requested type.
#[test]
fn other_types_are_refused() {
    for matrix in LETTERS {
        let header = Header::new(matrix_type(matrix), 2, 3).expect("small");
        for asked in LETTERS {
            of_type!(asked, refused_of(&header));
        }
    }
}

#[test]
fn saved_entries_of_another_type_are_refused() {
    let header = Header::new(MatrixType::Integer, 2, 3).expect("small");
    let saved = Entries::<i64>::new(&header).expect("the matrix has this type").save();
    assert!(Entries::<i64>::load(&saved).is_ok());
    let bytes = saved.as_bytes();
    let reals = State::from_bytes(bytes).and_then(|saved| Entries::<f64>::load(&saved));
    assert_eq!(reals, Err(LoadError::Foreign));
    let complex = State::from_bytes(bytes).and_then(|saved| Entries::<Complex>::load(&saved));
    assert_eq!(complex, Err(LoadError::Foreign));
    for at in 0..bytes.len() {
        let mut changed = bytes.to_vec();
        changed[at] ^= 0x10;
        assert_eq!(State::<Entries<i64>>::from_bytes(&changed), Err(LoadError::Damaged), "byte {at}");
    }
}

#[test]
fn rows_want_a_buffer_of_a_row() {
    let header = Header::new(MatrixType::Real, 2, 5).expect("small");
    for room in 0..5 {
        let mut buffer = vec![0.0; room];
        let refused = Rows::new(&header, &mut buffer).err();
        assert_eq!(refused, Some(EntriesError::BufferTooSmall { needed: 5 }));
    }
    assert!(Rows::new(&header, &mut [0.0; 5]).is_ok());
    // Rows without entries are not reported, however many there are.
    let header = Header::new(MatrixType::Real, u32::MAX, 0).expect("empty");
    let mut rows = Rows::<f64>::new(&header, &mut []).expect("no room is needed");
    let surplus = rows.feed(b"surplus bytes", |_, _| panic!("a row without entries"));
    assert_eq!(surplus, Err(EntriesError::TooManyBytes));
}

/// A refused call changes nothing, even inside an entry.
#[test]
fn surplus_bytes_are_refused() {
    let header = Header::new(MatrixType::Real, 2, 2).expect("small");
    let data: Vec<u8> = [1.0_f64, 2.0, 3.0, 4.0].iter().flat_map(|number| number.to_le_bytes()).collect();
    for cut in 0..=data.len() {
        let (first, rest) = data.split_at(cut);
        let long = [rest, b"!"].concat();
        let mut buffer = [0.0; 2];
        let mut rows = Rows::new(&header, &mut buffer).expect("room for a row");
        let mut seen = Vec::new();
        assert_eq!(rows.feed(first, |_, row| seen.extend_from_slice(row)), Ok(()));
        assert_eq!(
            rows.feed(&long, |_, row| panic!("{row:?}")),
            Err(EntriesError::TooManyBytes),
            "after {cut}"
        );
        assert_eq!(rows.feed(rest, |_, row| seen.extend_from_slice(row)), Ok(()));
        assert_eq!(seen, [1.0, 2.0, 3.0, 4.0], "after {cut}");
    }
    // Bits after the last entry are not surplus if they are in the last byte: 15 bits take 2 bytes.
    let header = Header::new(MatrixType::Boolean, 3, 5).expect("small");
    let mut entries = Entries::<bool>::new(&header).expect("bits");
    assert_eq!(entries.feed(&[0; 3], |run| panic!("{run:?}")), Err(EntriesError::TooManyBytes));
    assert_eq!(entries.feed(&[0xff; 2], |_| {}), Ok(()));
    assert_eq!((entries.left(), entries.feed(&[0], |_| {})), (0, Err(EntriesError::TooManyBytes)));
}

/// After a call that reads entries, the reader continues after them, to the end of the file.
fn goes_on<T: Entry>(file: &Known) {
    for buffer in [1, 10, 100, 1000] {
        let mut buffer = vec![0; buffer];
        let mut matrix = MatrixReader::new(Fitful::new(&file.bytes, 3), &mut buffer);
        let mut out = [T::ANY; 1];
        matrix.read_entries_seeking(file.rows - 1, 0, &mut out).expect("inside");
        matrix.read_entries_seeking(0, 0, &mut out).expect("inside, and before");
        assert_eq!(bits(&out), file.entries[..1], "{}", file.path);
        assert!(matrix.decoder().position() > HEADER_LEN as u64, "{}", file.path);
        let mut rest = vec![T::ANY; file.entries.len()];
        let n = matrix.read(&mut rest).expect("a valid file");
        assert_eq!(bits(&rest[..n]), file.entries[1..], "{}", file.path);
        matrix.finish().expect("a valid file");
        assert_eq!(matrix.decoder().position(), file.bytes.len() as u64, "{}", file.path);
    }
}

#[test]
fn the_reader_continues_after_entries() {
    for file in small().iter().filter(|file| !file.entries.is_empty()) {
        of_type!(file.letter, goes_on(file));
    }
}

fn misuse<E: std::fmt::Debug>(result: Result<(), ReadError<E, ErrorKind>>) -> Misuse {
    match result {
        Err(ReadError::Format(Error { kind: ErrorKind::Misuse(misuse), .. })) => misuse,
        other => panic!("not refused: {other:?}"),
    }
}

#[test]
fn places_outside_and_other_types_are_refused_without_harm() {
    let file = Known::new('Z', 2, 3, (1..=6).collect());
    let mut buffer = [0; 30];
    let mut matrix = MatrixReader::new(Fitful::new(&file.bytes, 5), &mut buffer);
    for (row, column, count) in [(2, 0, 1), (0, 3, 1), (2, 0, 0), (1, 2, 2), (0, 0, 7), (u32::MAX, 0, 1)] {
        let mut out = vec![9_i64; count];
        assert_eq!(
            misuse(matrix.read_entries_seeking(row, column, &mut out)),
            Misuse::Outside,
            "{row}, {column}"
        );
        assert!(out.iter().all(|untouched| *untouched == 9));
        assert_eq!(misuse(matrix.read_entries_seeking(0, 0, &mut [0.0])), Misuse::OtherType);
        assert_eq!(misuse(matrix.read_entries_seeking(0, 0, &mut [false])), Misuse::OtherType);
    }
    let mut out = [9_i64; 5];
    matrix.read_entries_seeking(0, 1, &mut out).expect("refusals change nothing");
    assert_eq!(out, [2, 3, 4, 5, 6]);
    matrix.read_entries_seeking(1, 1, &mut [0_i64; 0]).expect("nothing is asked for");
}

/// In a truncated matrix, existing entries can be read. A missing one is reported with the same error as by a reader
/// that has read everything: it contains the number of missing bytes and the end of the file.
#[test]
fn missing_entries_are_reported_as_by_a_complete_read() {
    let file = Known::new('Z', 4, 5, (1..=20).collect());
    for end in HEADER_LEN..file.bytes.len() {
        let bytes = &file.bytes[..end];
        let whole = (end - HEADER_LEN) / 8;
        let reported =
            ErrorKind::DataTruncated { entries: whole as u64, missing: (file.bytes.len() - end) as u64 };
        for first in 0..20 {
            let mut buffer = [0; 24];
            let mut matrix = MatrixReader::new(Fitful::new(bytes, 5), &mut buffer);
            let mut out = [0_i64; 1];
            let read = matrix.read_entries_seeking(first as u32 / 5, first as u32 % 5, &mut out);
            if first < whole {
                assert_eq!(read, Ok(()), "entry {first} of a file cut at {end}");
                assert_eq!(out, values::<i64>(&file.entries[first..=first])[..]);
            } else {
                let error = Error::new(end as u64, reported);
                assert_eq!(read, Err(ReadError::Format(error)), "entry {first} of a file cut at {end}");
            }
        }
    }
}

/// After a seek to any position, a truncation is reported at the end of the file.
#[test]
fn a_seek_past_the_end_reports_the_truncation_there() {
    let file = Known::new('Z', 4, 5, (1..=20).collect());
    let end = HEADER_LEN + 67;
    let reported = ErrorKind::DataTruncated { entries: 8, missing: 160 - 67 };
    for to in 0..=160 {
        let mut buffer = [0; 24];
        let source = Fitful::new(&file.bytes[..end], to);
        let mut reader = Reader::new(source, &mut buffer, Decoder::new(Mode::Strict));
        assert!(matches!(reader.next(), Ok(Some(Event::Header(_)))));
        reader.seek_payload(to).expect("inside the matrix");
        assert_eq!(reader.decoder().payload_position(), Some(to.min(67)));
        let error = loop {
            match reader.next() {
                Ok(event) => assert_eq!(event, Some(Event::Data), "after {to}"),
                Err(error) => break error,
            }
        };
        assert_eq!(error, ReadError::Format(Error::new(end as u64, reported)), "after {to}");
    }
}

/// After reaching the end of a truncated file, a reader can still go back to existing entries.
#[test]
fn the_end_of_a_file_that_is_cut_can_be_left_again() {
    let file = Known::new('Z', 4, 5, (1..=20).collect());
    let mut buffer = [0; 24];
    let mut reader = Reader::new(Fitful::new(&file.bytes[..100], 2), &mut buffer, Decoder::new(Mode::Strict));
    assert!(matches!(reader.next(), Ok(Some(Event::Header(_)))));
    reader.skip().expect("the end is reported by what comes next");
    assert_eq!(reader.decoder().position(), 100);
    let mut out = [0_i64; 3];
    read_at(&mut reader, 1, 0, &mut out).expect("they are there");
    assert_eq!(out, [6, 7, 8]);
}

/// The matrix is somewhere in a source that continues after it.
#[test]
fn places_count_from_where_the_matrix_begins() {
    let file = Known::new('R', 3, 5, (1..=15).collect());
    let around = [&[0xEE; 100][..], &file.bytes, &[0xEE; 50]].concat();
    let mut source = Fitful::new(&around, 7);
    source.seek(SeekFrom::Start(100)).expect("seeking succeeds");
    let mut buffer = [0; 40];
    let mut matrix = MatrixReader::new(source, &mut buffer);
    for (row, first) in [(2, 10), (0, 0), (1, 5)] {
        let mut out = [0.0; 5];
        matrix.read_entries_seeking(row, 0, &mut out).expect("inside");
        assert_eq!(bits(&out), file.entries[first..first + 5], "row {row}");
    }
}

/// An invalid header, and a file that ends in its header, are reported when they are reached.
#[test]
fn broken_headers_are_met_on_the_way() {
    let mut bytes = Known::new('B', 3, 5, vec![1; 15]).bytes;
    bytes[7] = b'X';
    let mut buffer = [0; 5];
    for (end, error) in [
        (18, Error::new(7, ErrorKind::Type { found: b'X' })),
        (12, Error::new(12, ErrorKind::HeaderTruncated { have: 12 })),
    ] {
        let source = Fitful::new(&bytes[..end], 1);
        let mut matrix = MatrixReader::with_decoder(source, &mut buffer, Decoder::new(Mode::Survey));
        for _ in 0..2 {
            let read = matrix.read_entries_seeking(0, 0, &mut [false]);
            assert_eq!(read, Err(ReadError::Format(error)));
        }
    }
}
