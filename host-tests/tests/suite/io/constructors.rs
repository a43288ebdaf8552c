//! Constructors of the readers that take a mode, or a decoder at any position in the file.

use super::sources::{files, format};
use crate::inebin::model::Entry;
use embedded_io::{Seek as _, SeekFrom};
use host_tests::drive::Fitful;
use linkstream::Encode as _;
use linkstream::Resumable as _;
use linkstream::field::{self, OutgoingMessage};
use linkstream::inebin::{self, Complex, Event};
use linkstream::io::{
    ArchiveReader, FieldReader, FieldWriter, MatrixReader, ReadError, RecordReader, RecordWriter,
    SectionReader, SectionWriter,
};
use linkstream::lattice::{Extents, Precision};
use linkstream::lime::{self, Header};
use linkstream::scda::{self, Style};
use linkstream::scidac::PrivateRecord;
use linkstream::{Decode, Error, Limits, Misuse, Mode, SeekPayload as _, milc, nersc};

const MODES: [Mode; 3] = [Mode::Strict, Mode::Lenient, Mode::Survey];

/// The error that ends reading, and the number of findings.
fn records(file: &[u8], mode: Mode) -> (Option<ReadError<core::convert::Infallible, lime::ErrorKind>>, u64) {
    let mut buffer = [0; 64];
    let mut records = RecordReader::with_decoder(file, &mut buffer[..], lime::Decoder::new(mode));
    let failed = loop {
        match records.next_record() {
            Ok(Some(_)) => {}
            Ok(None) => break None,
            Err(error) => break Some(error),
        }
    };
    (failed, records.findings().count)
}

#[test]
fn records_are_read_in_the_given_mode() {
    // Padding that is not zero, and a message that the file does not end.
    let mut file = Header::new(b"type", 7, true, false).expect("short").as_bytes().to_vec();
    file.extend_from_slice(b"payload!");
    let found = MODES.map(|mode| records(&file, mode));
    let expected = MODES.map(|mode| {
        let mut decoder = lime::Decoder::new(mode);
        let mut findings = 0;
        let mut each = |event, _: &[u8], _: &lime::Decoder| {
            findings += u64::from(matches!(event, lime::Event::Finding(_)));
        };
        let driven = linkstream::drive(&mut decoder, &file, &mut each);
        let driven = driven.and_then(|_| linkstream::finish(&mut decoder, &mut each));
        (driven.err().map(|error| ReadError::Format(Error::from(error))), findings)
    });
    assert_eq!(found, expected);
    // No rule of LIME is refused in lenient mode only.
    assert!(found[0].0.is_some() && found[1] == (None, 2), "{found:?}");
}

#[test]
fn sections_are_read_in_the_given_mode() {
    let mut file = [0; 288];
    let mut writer = SectionWriter::create(&mut file[..], Style::Unix);
    writer.write_header(b"vendor", b"user").expect("there is room");
    writer.write_block(b"block", b"hello").expect("there is room");
    let length = writer.encoder().position() as usize;
    // The first byte of the padding after the data.
    let at = length - 28 + 1;
    file[at] = b'x';
    for mode in MODES {
        let mut buffer = [0; 64];
        let mut sections =
            SectionReader::with_decoder(&file[..length], &mut buffer[..], scda::Decoder::new(mode, false));
        let mut read = || -> Result<u64, ReadError<_, _>> {
            let mut count = 0;
            while sections.next_section()?.is_some() {
                count += 1;
            }
            Ok(count)
        };
        match (mode, read()) {
            (Mode::Strict, Err(ReadError::Format(error))) => assert_eq!(error.at, at as u64),
            (Mode::Lenient | Mode::Survey, Ok(count)) => {
                assert_eq!((count, sections.findings().count), (2, 1), "{mode:?}");
            }
            (_, other) => panic!("{mode:?}: {other:?}"),
        }
    }
}

/// Entries of a whole file, by their bits.
fn all<T: Entry>(file: &[u8]) -> Vec<u128> {
    let mut buffer = [0; 64];
    let mut matrix = MatrixReader::with_decoder(file, &mut buffer[..], inebin::Decoder::new(Mode::Lenient));
    let mut entries = vec![T::ANY; matrix.header().expect("a header").entry_count() as usize];
    assert_eq!(format(matrix.read(&mut entries)), Ok(entries.len()));
    entries.into_iter().map(Entry::bits).collect()
}

/// A decoder that has consumed the first `n` bytes of the file, saved and restored.
fn decoder_at(file: &[u8], n: usize) -> inebin::Decoder {
    let (mut decoder, mut rest) = (inebin::Decoder::new(Mode::Lenient), &file[..n]);
    while !rest.is_empty() {
        rest = &rest[decoder.push(rest).expect("valid").consumed..];
    }
    inebin::Decoder::load(&decoder.save().expect("valid")).expect("its own state")
}

/// A reader with a decoder at each byte of the file reads the remaining entries and rows, and reaches the end.
fn goes_on<T: Entry>(name: &str, file: &[u8]) {
    let expected = all::<T>(file);
    let mut buffer = [0; 7];
    for n in 0..=file.len() {
        let what = format!("{name}, after {n} bytes");
        let decoder = decoder_at(file, n);
        let header = decoder.header().copied();
        let done = header.map_or(0, |_| decoder.payload_position().unwrap_or((n - 16) as u64));
        let bits = u64::from(T::TYPE.bits());
        let (index, is_inside) = ((done * 8 / bits) as usize, done * 8 % bits != 0);
        let left = expected.get(index..).unwrap_or_default();

        let mut matrix = MatrixReader::with_decoder(&file[n..], &mut buffer[..], decoder.clone());
        let whole = matrix.header().expect(&what);
        assert!(header.is_none_or(|header| header == whole), "{what}");
        let mut out = vec![T::ANY; expected.len() + 1];
        if is_inside {
            assert_eq!(matrix.read(&mut out), Err(ReadError::NotOpen), "{what}");
        } else {
            assert_eq!(matrix.read(&mut out), Ok(left.len()), "{what}");
            assert!(out.iter().map(|entry| entry.bits()).zip(left).all(|(out, left)| out == *left), "{what}");
        }
        matrix.finish().expect(&what);

        let mut matrix =
            MatrixReader::with_decoder(Fitful::new(&file[n..], 3), &mut buffer[..], decoder.clone());
        assert_eq!(matrix.header(), Ok(whole), "{what}");
        if is_inside {
            assert_eq!(matrix.read(&mut out), Err(ReadError::NotOpen), "{what}");
        } else {
            assert_eq!(matrix.read(&mut out), Ok(left.len()), "{what}");
        }

        // The rows that begin at this byte or after it.
        let columns = whole.columns() as usize;
        let first = (index + usize::from(is_inside)).next_multiple_of(columns);
        let rows = expected.get(first..).unwrap_or_default();
        let mut matrix = MatrixReader::with_decoder(&file[n..], &mut buffer[..], decoder);
        let mut row = vec![T::ANY; columns];
        for known in rows.chunks(columns) {
            assert_eq!(matrix.next_row(&mut row), Ok(true), "{what}");
            assert!(row.iter().map(|entry| entry.bits()).eq(known.iter().copied()), "{what}");
        }
        assert_eq!(matrix.next_row(&mut row), Ok(false), "{what}");
    }
}

#[test]
fn a_matrix_is_read_on_after_every_byte() {
    let mut count = 0;
    for (name, file) in files(&["inebin"]) {
        if file.len() > 400 || name.contains("empty") {
            continue;
        }
        count += 1;
        match file[7] {
            b'B' => goes_on::<bool>(&name, &file),
            b'Z' => goes_on::<i64>(&name, &file),
            b'C' => goes_on::<Complex>(&name, &file),
            _ => goes_on::<f64>(&name, &file),
        }
    }
    assert!(count > 5, "{count} matrices");
}

/// If the source can seek, entries can be read although the decoder is inside one.
#[test]
fn a_decoder_inside_an_entry_can_be_moved() {
    let mut file = b"INEBIN\0R\x02\0\0\0\x02\0\0\0".to_vec();
    file.extend((1..=4).flat_map(|value| f64::from(value).to_le_bytes()));
    let mut source = Fitful::new(&file, 4);
    source.seek(SeekFrom::Start(21)).expect("a file");
    let mut buffer = [0; 10];
    let mut matrix = MatrixReader::with_decoder(source, &mut buffer[..], decoder_at(&file, 21));
    let mut out = [0.0; 2];
    assert_eq!(matrix.read(&mut out), Err(ReadError::NotOpen));
    assert_eq!(format(matrix.read(&mut [0_i64; 2])).err(), Some(misuse(21)));
    matrix.read_entries_seeking(0, 0, &mut out).expect("inside");
    assert_eq!(out, [1.0, 2.0]);
    assert_eq!(matrix.read(&mut out), Ok(2));
    assert_eq!(out, [3.0, 4.0]);
    matrix.finish().expect("valid");
}

fn misuse(at: u64) -> Error<inebin::ErrorKind> {
    Error::new(at, inebin::ErrorKind::Misuse(Misuse::OtherType))
}

/// Firmware holds a reader in a `static`: every one is made by a constant expression, also with a decoder in another mode.
#[test]
fn readers_are_constants() {
    type Owned = [u8; 64];
    const FILE: &[u8] = b"INEBIN\0B\x03\0\0\0\x05\0\0\0\x99\x21";
    const RECORDS: RecordReader<&[u8], Owned> = RecordReader::new(FILE, [0; 64]);
    const FIELDS: FieldReader<&[u8], Owned> = FieldReader::new(FILE, [0; 64]);
    const SECTIONS: SectionReader<'static, &[u8], Owned> = SectionReader::new(FILE, [0; 64]);
    const NERSC: ArchiveReader<&[u8], Owned, nersc::Decoder> = ArchiveReader::nersc(FILE, [0; 64]);
    const MILC: ArchiveReader<&[u8], Owned, milc::Decoder> = ArchiveReader::milc(FILE, [0; 64]);
    const MATRIX: MatrixReader<&[u8], Owned> =
        MatrixReader::with_decoder(FILE, [0; 64], inebin::Decoder::new(Mode::Lenient))
            .with_limits(Limits::DEFAULT);

    assert!(
        RECORDS.into_parts().0 == FILE && FIELDS.into_parts().0 == FILE && SECTIONS.into_parts().0 == FILE
    );
    assert!(NERSC.into_parts().0 == FILE && MILC.into_parts().0 == FILE);
    let mut matrix = MATRIX;
    assert_eq!(matrix.columns(), Ok(5));
}

/// A decoder that is lent has read what the reader has, and continues in another reader.
#[test]
fn the_decoder_of_a_matrix_can_be_lent() {
    let file = b"INEBIN\0B\x03\0\0\0\x05\0\0\0\x99\x21";
    let (mut decoder, mut buffer, mut out) = (inebin::Decoder::new(Mode::Strict), [0; 1], [false; 8]);
    let mut matrix = MatrixReader::with_decoder(&file[..], &mut buffer[..], &mut decoder);
    assert_eq!((matrix.read(&mut out), out), (Ok(8), [true, false, false, true, true, false, false, true]));
    assert_eq!(decoder.position(), 17);
    let mut matrix = MatrixReader::with_decoder(&file[17..], &mut buffer[..], &mut decoder);
    assert_eq!(
        (matrix.read(&mut out), out[..7].to_vec()),
        (Ok(7), vec![true, false, false, false, false, true, false])
    );
    matrix.finish().expect("valid");
}

/// The entries that `finish` has skipped are not delivered by a later call.
#[test]
fn nothing_is_read_after_the_end_of_a_matrix() {
    let file = b"INEBIN\0B\x03\0\0\0\x05\0\0\0\x99\x21";
    for is_known in [false, true] {
        let mut matrix = MatrixReader::new(&file[..], [0; 64]);
        if is_known {
            assert_eq!(matrix.columns(), Ok(5));
        }
        matrix.finish().expect("valid");
        assert_eq!(matrix.read(&mut [false; 8]), Err(ReadError::NotOpen));
        assert_eq!(matrix.next_row(&mut [false; 5]), Err(ReadError::NotOpen));
    }
}

/// A matrix that has been read to its end has no more entries, and is valid.
#[test]
fn a_decoder_after_the_end_has_no_entries() {
    let file = b"INEBIN\0B\x03\0\0\0\x05\0\0\0\x99\x21";
    let mut decoder = decoder_at(file, file.len());
    while decoder.finish().expect("valid").is_some_and(|event| event != Event::End) {}
    assert_eq!(decoder.finish(), Ok(None));
    let mut buffer = [0; 10];
    let mut matrix = MatrixReader::with_decoder(&b""[..], &mut buffer[..], decoder);
    assert_eq!(matrix.header().map(|header| header.entry_count()), Ok(15));
    assert_eq!(matrix.read(&mut [false; 4]), Ok(0));
    assert_eq!(matrix.next_row(&mut [false; 5]), Ok(false));
    matrix.finish().expect("valid");
}

/// After each byte of the file, a reader that is given the decoder finds what the decoder has not reported yet.
fn rest_is_found<D: Decode>(
    file: &[u8],
    new: impl Fn() -> D,
    begins: impl Fn(&D::Event) -> bool,
    found: impl Fn(&[u8], D) -> usize,
) where
    D::ErrorKind: std::fmt::Debug,
{
    let total = found(file, new());
    assert!(total > 1, "{total}");
    for n in 0..=file.len() {
        let (mut decoder, mut rest, mut begun) = (new(), &file[..n], 0);
        while !rest.is_empty() {
            let step = decoder.push(rest).expect("valid");
            begun += usize::from(step.event.is_some_and(|event| begins(&event)));
            rest = &rest[step.consumed..];
        }
        assert_eq!(begun + found(&file[n..], decoder), total, "after {n} bytes");
    }
}

#[test]
fn records_after_the_decoder_are_found() {
    let mut file = [0; 304];
    let mut writer = RecordWriter::create(&mut file[..]);
    writer.write_message([(&b"greeting"[..], &b"hello"[..]), (b"name", b"world")]).expect("there is room");
    let found = |rest: &[u8], decoder| {
        let mut buffer = [0; 11];
        let mut records = RecordReader::with_decoder(rest, &mut buffer[..], decoder);
        std::iter::from_fn(|| records.next_record().expect("valid")).count()
    };
    let begins = |event: &lime::Event| matches!(event, lime::Event::Record(_));
    rest_is_found(&file, || lime::Decoder::new(Mode::Strict), begins, found);
}

#[test]
fn sections_after_the_decoder_are_found() {
    let mut file = [0; 512];
    let mut writer = SectionWriter::create(&mut file[..], Style::Unix);
    writer.write_header(b"vendor", b"user").expect("there is room");
    writer.write_array(b"ids", 3, b"abcdef").expect("there is room");
    writer.write_varray(b"words", [&b"one"[..], b"", b"three"]).expect("there is room");
    let found = |rest: &[u8], decoder| {
        let mut buffer = [0; 11];
        let mut sections = SectionReader::with_decoder(rest, &mut buffer[..], decoder);
        std::iter::from_fn(|| sections.next_section().expect("valid")).count()
    };
    let begins = |event: &scda::Event| matches!(event, scda::Event::Section(_));
    rest_is_found(&file, || scda::Decoder::new(Mode::Strict, false), begins, found);
}

#[test]
fn fields_after_the_decoder_are_found() {
    let (mut sink, mut buffer) = (Vec::new(), [0; 1024]);
    let lattice = Extents::new(&[2, 2]).expect("small");
    let mut writer = FieldWriter::create(&mut sink, &mut buffer[..], lattice).expect("there is room");
    for _ in 0..2 {
        let record = PrivateRecord::complex_field(Precision::F32);
        writer.write(&OutgoingMessage::scidac(&record, b""), &[0.5_f32; 8][..]).expect("there is room");
    }
    let found = |rest: &[u8], decoder| {
        let (mut buffer, mut count) = ([0; 11], 0);
        let mut file = FieldReader::with_decoder(rest, &mut buffer, decoder);
        while let Some(mut field) = file.next_field().expect("valid") {
            assert!(field.verdict().expect("valid").is_match());
            count += 1;
        }
        count
    };
    let begins = |event: &field::Event| matches!(event, field::Event::Field);
    rest_is_found(&sink, || field::Decoder::new(Mode::Strict), begins, found);
}
