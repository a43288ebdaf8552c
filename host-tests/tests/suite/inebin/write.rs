//! Every file of `fixtures/inebin` is written again byte for byte: from its values, as raw bytes, and with both mixed.
//! Values and bytes that do not fit are refused.

use crate::inebin::model::{Entry, Known, files, matrix_type, of_type, small, values};
use crate::io::writers::Narrow;
use crate::sinks::{Frail, Full, contents, disk};
use host_tests::drive::Random;
use linkstream::Encode as _;
use linkstream::Resumable as _;
use linkstream::inebin::{EncodeErrorKind, Encoder, HEADER_LEN, Header, MatrixType};
use linkstream::io::{MatrixWriter, WriteError};
use linkstream::{LoadError, State};

const BUFFERS: [usize; 9] = [1, 2, 3, 7, 8, 13, 16, 64, 4096];

fn assert_bytes(found: &[u8], expected: &[u8], what: &str) {
    let differs = found.iter().zip(expected).position(|(a, b)| a != b);
    assert!(differs.is_none(), "{what}: differs at byte {differs:?}");
    assert_eq!(found.len(), expected.len(), "{what}: length");
}

fn through_bytes(encoder: &Encoder) -> Encoder {
    let loaded = Encoder::load(&encoder.save()).expect("what was saved can be loaded");
    assert_eq!(loaded, *encoder);
    loaded
}

/// Writes all values with one iterator through a buffer of this size. Every call except the last fills the buffer.
fn encoded<T: Entry>(file: &Known, size: usize) {
    let what = format!("{}, buffer of {size}", file.path);
    let header = file.header();
    let mut bytes = header.to_bytes().to_vec();
    let mut encoder = Encoder::new(&header);
    let mut values = values::<T>(&file.entries).into_iter();
    let mut buffer = vec![0xEE; size];
    loop {
        let n = encoder.encode(&mut values, &mut buffer).unwrap_or_else(|error| panic!("{what}: {error}"));
        let left = file.bytes.len() - bytes.len();
        assert_eq!(n, size.min(left), "{what}: the buffer must be filled while there are bytes");
        bytes.extend_from_slice(&buffer[..n]);
        assert_eq!(encoder.position(), bytes.len() as u64, "{what}");
        if n == 0 {
            break;
        }
    }
    assert!(values.next().is_none(), "{what}: all values must be consumed");
    assert_eq!((encoder.finish(), encoder.header()), (Ok(()), &header), "{what}");
    assert_bytes(&bytes, &file.bytes, &what);
}

/// Writes values through the writer in calls with random numbers of values, some with none.
fn written<T: Entry>(file: &Known, size: usize) {
    let what = format!("{}, writer with a buffer of {size}", file.path);
    let mut random = Random(size as u64);
    let mut buffer = vec![0; size];
    let sink = Frail::new(file.bytes.len(), Full::Fails);
    let mut writer = MatrixWriter::create(sink, &mut buffer, &file.header());
    let mut rest = file.entries.as_slice();
    while !rest.is_empty() {
        let (some, behind) = rest.split_at(random.below(rest.len().min(999) + 1));
        rest = behind;
        writer.put(values::<T>(some)).expect(&what);
    }
    assert_eq!(writer.encoder().position(), file.bytes.len() as u64, "{what}");
    assert_bytes(&writer.finish().expect(&what).bytes, &file.bytes, &what);
}

#[test]
fn every_file_is_written_again_from_its_values() {
    for file in files().into_iter().chain(small()) {
        for size in BUFFERS {
            of_type!(file.letter, encoded(&file, size));
            of_type!(file.letter, written(&file, size));
        }
    }
}

#[test]
fn every_file_is_written_again_as_raw_bytes() {
    for file in files().into_iter().chain(small()) {
        let mut random = Random(file.bytes.len() as u64);
        let mut buffer = [0];
        let mut writer = MatrixWriter::create(disk(Vec::new()), &mut buffer, &file.header());
        let mut encoder = Encoder::new(&file.header());
        let mut rest = file.data();
        while !rest.is_empty() {
            let (piece, behind) = rest.split_at(random.below(rest.len().min(500) + 1));
            rest = behind;
            writer.put_bytes(piece).unwrap_or_else(|error| panic!("{}: {error}", file.path));
            encoder.put(piece).expect("the writer has accepted the same call");
            encoder = through_bytes(&encoder);
            assert_eq!(encoder, *writer.encoder());
        }
        let sink = writer.finish().unwrap_or_else(|error| panic!("{}: {error}", file.path));
        assert_bytes(&contents(sink), &file.bytes, &file.path);
    }
}

/// Number of entries in the smallest unit that can be written as raw bytes: entries are complete, and so are bytes.
fn unit(letter: char) -> usize {
    if letter == 'B' { 8 } else { 1 }
}

/// Writes values and raw bytes in turns that change between entries. The encoder is saved and loaded at every byte.
fn mixed<T: Entry>(file: &Known, seed: u64) {
    let header = file.header();
    let mut random = Random(seed);
    let mut bytes = header.to_bytes().to_vec();
    let mut encoder = Encoder::new(&header);
    let (unit, width) = (unit(file.letter), usize::from(header.matrix_type().bits()));
    let mut at = 0;
    while at < file.entries.len() {
        let n = (unit * random.below(4)).min(file.entries.len() - at);
        if random.below(2) == 0 {
            let data = &file.data()[at * width / 8..((at + n) * width).div_ceil(8)];
            for byte in data {
                encoder.put(&[*byte]).expect("there is room");
                encoder = through_bytes(&encoder);
                bytes.push(*byte);
            }
        } else {
            let mut values = values::<T>(&file.entries[at..at + n]).into_iter();
            loop {
                let mut byte = [0];
                let given = encoder.encode(&mut values, &mut byte).expect("there is room");
                encoder = through_bytes(&encoder);
                if given == 0 {
                    break;
                }
                bytes.push(byte[0]);
            }
        }
        at += n;
    }
    encoder.finish().unwrap_or_else(|error| panic!("{}: {error}", file.path));
    assert_bytes(&bytes, &file.bytes, &file.path);
}

#[test]
fn values_and_raw_bytes_change_places_between_entries() {
    for file in small() {
        for seed in 0..50 {
            of_type!(file.letter, mixed(&file, seed));
        }
    }
}

/// After each raw byte and after each value: raw bytes are accepted only at the end of an entry, values only at the
/// beginning of one. The number of missing bytes is reported.
#[test]
fn entries_are_not_written_half_as_values_and_half_as_bytes() {
    let header = Header::new(MatrixType::Complex, 2, 2).expect("small");
    let one = linkstream::inebin::Complex { re: 1.0, im: 0.0 };
    for at in 0..=64 {
        let inside = at % 16 != 0;
        let missing = EncodeErrorKind::TooFew { missing: 4 - at / 16 };
        let mut encoder = Encoder::new(&header);
        encoder.put(&vec![1; at as usize]).expect("there is room");
        assert_eq!(encoder.finish(), if at == 64 { Ok(()) } else { Err(missing) }, "{at} raw bytes");
        if at < 64 {
            let before = encoder.clone();
            let given = encoder.encode(&mut [one].into_iter(), &mut [0; 40]);
            assert_eq!(
                given,
                if inside { Err(EncodeErrorKind::InsideEntry) } else { Ok(16) },
                "{at} raw bytes"
            );
            assert!(!inside || encoder == before, "a refused call must change nothing");
        }

        let mut encoder = Encoder::new(&header);
        let given = encoder.encode(&mut [one; 4].into_iter(), &mut vec![0; at as usize]);
        assert_eq!(given, Ok(at as usize));
        assert_eq!(encoder.finish(), if at == 64 { Ok(()) } else { Err(missing) }, "{at} bytes of values");
        let before = encoder.clone();
        let room = 64 - at as usize;
        let refused = if inside { Err(EncodeErrorKind::InsideEntry) } else { Ok(()) };
        assert_eq!(encoder.put(&vec![1; room]), refused, "{at} bytes of values");
        assert!(!inside || encoder == before, "a refused call must change nothing");
    }
    // Bits that do not fill a byte.
    let header = Header::new(MatrixType::Boolean, 3, 5).expect("small");
    for n in 1..15 {
        let mut encoder = Encoder::new(&header);
        let given = encoder.encode(&mut vec![true; n].into_iter(), &mut [0; 2]);
        assert_eq!(given, Ok(n / 8));
        let raw = encoder.put(&[0]);
        assert_eq!(raw, if n == 8 { Ok(()) } else { Err(EncodeErrorKind::InsideEntry) }, "{n} bits");
        let missing = EncodeErrorKind::TooFew { missing: 15 - 8 * (n as u64 / 8) };
        assert_eq!(encoder.finish(), if n == 8 { Ok(()) } else { Err(missing) }, "{n} bits");
    }
}

/// Writes every wrong number of values.
fn counted<T: Entry>(file: &Known) {
    let all = values::<T>(&file.entries);
    for n in 0..all.len() + 3 {
        for size in [1, 9, 100] {
            let what = format!("{} with {n} values, buffer of {size}", file.path);
            let some = all.iter().copied().chain([T::ANY; 3]).take(n);
            let mut buffer = vec![0; size];
            let mut writer = MatrixWriter::create(disk(Vec::new()), &mut buffer, &file.header());
            let result = writer.put(some);
            if n > all.len() {
                assert!(
                    matches!(result, Err(WriteError::Refused(EncodeErrorKind::TooMany))),
                    "{what}: {result:?}"
                );
                // The values before have been written, and the matrix is complete.
                let sink = writer.finish().unwrap_or_else(|error| panic!("{what}: {error}"));
                assert_bytes(&contents(sink), &file.bytes, &what);
                continue;
            }
            result.unwrap_or_else(|error| panic!("{what}: {error}"));
            let position = writer.encoder().position() as usize;
            let result = writer.finish();
            if n == all.len() {
                assert_bytes(&contents(result.expect(&what)), &file.bytes, &what);
            } else {
                let whole = 8 * (position - HEADER_LEN) / host_tests::matrices::width(file.letter);
                let kind = EncodeErrorKind::TooFew { missing: (all.len() - whole) as u64 };
                let refused = result.map(contents).expect_err(&what);
                assert!(matches!(refused, WriteError::Refused(found) if found == kind), "{what}: {refused}");
            }
        }
    }
}

#[test]
fn too_few_and_too_many_values_are_refused() {
    for file in small() {
        of_type!(file.letter, counted(&file));
    }
}

#[test]
fn too_many_raw_bytes_are_refused() {
    for file in small() {
        for before in 0..=file.data().len() {
            let mut encoder = Encoder::new(&file.header());
            encoder.put(&file.data()[..before]).expect("there is room");
            let at = encoder.clone();
            let room = file.data().len() - before;
            assert_eq!(encoder.put(&vec![0; room + 1]), Err(EncodeErrorKind::TooMany), "{}", file.path);
            assert_eq!(encoder, at, "a refused call must change nothing");
            encoder.put(&file.data()[before..]).expect("there is room");
            encoder.put(&[]).expect("an empty piece is accepted");
            assert_eq!(encoder.finish(), Ok(()), "{}", file.path);
        }
    }
}

/// Raw bytes are written unchanged, so that set bits after the last entry are refused.
#[test]
fn raw_bits_after_the_last_entry_are_refused() {
    for (rows, columns) in [(1, 1), (3, 5), (1, 8), (13, 1), (2, 40)] {
        let header = Header::new(MatrixType::Boolean, rows, columns).expect("small");
        let used = (rows * columns - 1) % 8 + 1;
        let length = header.data_length() as usize;
        for bit in 0..8 {
            let mut data = vec![0xFF; length];
            data[length - 1] = 1 << bit;
            let mut encoder = Encoder::new(&header);
            let found = encoder.put(&data);
            let refused = Err(EncodeErrorKind::UnusedBits { found: 1 << bit });
            assert_eq!(found, if bit < used { Ok(()) } else { refused }, "{rows}x{columns}, bit {bit}");
            assert_eq!(encoder.position(), if bit < used { 16 + length as u64 } else { 16 });
        }
    }
}

fn other_type<T: Entry>(header: &Header) {
    let mut encoder = Encoder::new(header);
    let mut values = [T::ANY].into_iter();
    let given = encoder.encode(&mut values, &mut [0; 100]);
    let (matrix, asked) = (header.matrix_type(), T::TYPE);
    if matrix == asked {
        assert!(given.is_ok());
        return;
    }
    assert_eq!(given, Err(EncodeErrorKind::TypeMismatch { matrix, values: asked }));
    assert_eq!(encoder, Encoder::new(header), "a refused call must change nothing");
    assert_eq!(values.len(), 1, "no value must be consumed");
}

#[test]
fn values_of_another_type_are_refused() {
    for matrix in ['B', 'Z', 'R', 'C'] {
        let header = Header::new(matrix_type(matrix), 2, 3).expect("small");
        for letter in ['B', 'Z', 'R', 'C'] {
            of_type!(letter, other_type(&header));
        }
    }
}

#[test]
fn changed_encoders_are_refused() {
    let saved = Encoder::new(&Header::new(MatrixType::Real, 2, 3).expect("small")).save();
    for at in 0..State::<Encoder>::LEN {
        let mut changed = saved.as_bytes().to_vec();
        changed[at] ^= 0x10;
        assert_eq!(State::<Encoder>::from_bytes(&changed), Err(LoadError::Damaged), "byte {at}");
    }
}

/// The writer is replaced before the first value and after every one; the bits that do not yet fill a byte are part of
/// its state.
fn handed_on<T: Entry>(file: &Known) {
    let mut sink = disk(Vec::new());
    let mut encoder = Encoder::new(&file.header());
    for value in values::<T>(&file.entries) {
        let mut buffer = [0; 5];
        let mut writer = MatrixWriter::with_encoder(sink, &mut buffer, through_bytes(&encoder));
        writer.put([T::ANY; 0]).expect("nothing to write");
        (sink, encoder) = writer.into_parts();
        let mut writer = MatrixWriter::with_encoder(sink, &mut buffer, through_bytes(&encoder));
        writer.put([value]).unwrap_or_else(|error| panic!("{}: {error}", file.path));
        (sink, encoder) = writer.into_parts();
    }
    let writer = MatrixWriter::with_encoder(sink, &mut [], encoder);
    assert_bytes(&contents(writer.finish().expect("complete")), &file.bytes, &file.path);
}

/// Replaces the writer as in [`handed_on`], and writes raw bytes.
fn handed_on_raw(file: &Known) {
    let mut sink = Narrow::of(usize::MAX);
    let mut encoder = Encoder::new(&file.header());
    for piece in file.data().chunks(3) {
        let mut writer = MatrixWriter::with_encoder(&mut sink, &mut [], through_bytes(&encoder));
        writer.put_bytes(piece).expect("whole");
        encoder = writer.into_parts().1;
    }
    let writer = MatrixWriter::with_encoder(&mut sink, &mut [], encoder);
    writer.finish().expect("whole");
    assert_bytes(&sink.bytes, &file.bytes, &file.path);
}

#[test]
fn another_writer_continues_at_any_position() {
    for file in small() {
        of_type!(file.letter, handed_on(&file));
        handed_on_raw(&file);
    }
}

/// The header is written with the first bytes of entries and not before. Until then, the encoder reports that it is
/// still to be written.
#[test]
fn calls_that_write_no_entries_write_no_header() {
    let bits = Header::new(MatrixType::Boolean, 1, 12).expect("small");
    let empty = Header::new(MatrixType::Boolean, 0, 12).expect("small");
    let other = WriteError::Refused(EncodeErrorKind::TypeMismatch {
        matrix: MatrixType::Boolean,
        values: MatrixType::Integer,
    });
    let too_many = WriteError::Refused(EncodeErrorKind::TooMany);
    let unused = WriteError::Refused(EncodeErrorKind::UnusedBits { found: 0x80 });
    for header in [bits, empty] {
        let (mut sink, mut buffer) = (Narrow::of(usize::MAX), [0; 8]);
        let mut writer = MatrixWriter::create(&mut sink, &mut buffer, &header);
        assert_eq!(writer.put([1_i64]), Err(other));
        assert_eq!(writer.put([true; 0]), Ok(()));
        assert_eq!(writer.put_bytes(b""), Ok(()));
        assert_eq!(writer.put_bytes(b"123"), Err(too_many));
        if header == empty {
            assert_eq!(writer.put([true]), Err(too_many));
        } else {
            assert_eq!(writer.put_bytes(&[0, 0x80]), Err(unused));
        }
        let encoder = writer.into_parts().1;
        assert_eq!((&sink.bytes[..], &encoder), (&b""[..], &Encoder::new(&header)));

        let values = vec![true; header.entry_count() as usize];
        let mut writer = MatrixWriter::with_encoder(&mut sink, &mut buffer, encoder);
        writer.put(values).expect("room");
        writer.finish().expect("whole");
        let data: &[u8] = if header == empty { b"" } else { b"\xFF\x0F" };
        assert_eq!(sink.bytes, [&header.to_bytes(), data].concat());
    }
    let (mut sink, mut buffer) = (Vec::new(), [0; 8]);
    let writer = MatrixWriter::create(&mut sink, &mut buffer, &bits);
    let missing = EncodeErrorKind::TooFew { missing: 12 };
    assert_eq!(writer.finish().err(), Some(WriteError::Refused(missing)));
    assert_eq!(sink, b"");
}
