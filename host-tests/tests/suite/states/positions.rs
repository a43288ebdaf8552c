//! Positions near the largest 64-bit offset: calls return an error and never wrap, and a loaded position must agree
//! with the rest of its state.

use crate::states::changed::{refused, resealed};
use linkstream::Resumable as _;
use linkstream::lime::{self, Header};
use linkstream::scda::{self, Count};
use linkstream::{Decode, Demand, Error, LoadError, Mode, State, inebin};

fn header(length: u64) -> [u8; 144] {
    *Header::new(b"t", length, true, true).expect("a short type").as_bytes()
}

/// For any cut of the bytes, the record is refused because its end exceeds 64-bit offsets, and no byte of it is
/// consumed.
#[test]
fn no_record_begins_where_its_header_does_not_fit() {
    for offset in [u64::MAX - 10, u64::MAX - 143, u64::MAX] {
        let error = Error::new(offset, lime::ErrorKind::LengthOverflow { length: 0 });
        for piece in [1, 11, 144] {
            let mut decoder = lime::Decoder::at(offset, Mode::Survey);
            assert_eq!(decoder.push(&header(0)[..piece]), Err(error));
            assert_eq!(decoder.position(), offset);
            assert_eq!(decoder.save(), Err(error));
            assert_eq!(decoder.finish(), Err(error));
        }
    }
}

/// The last record that fits, and one with another byte.
#[test]
fn the_last_record_that_fits_is_read() {
    let offset = u64::MAX - 144 - 7;
    for (length, error) in [(0, None), (7, Some(7)), (8, Some(8))] {
        let mut decoder = lime::Decoder::at(offset, Mode::Strict);
        let step = decoder.push(&header(length));
        let overflow = error.map(|length| Error::new(offset + 8, lime::ErrorKind::LengthOverflow { length }));
        assert_eq!(step.err(), overflow, "{length} bytes");
    }
    let mut decoder = lime::Decoder::at(offset, Mode::Strict);
    for event in ["a record", "its end"] {
        let bytes: &[u8] = if event == "a record" { &header(0) } else { &[] };
        assert!(decoder.push(bytes).expect("it fits").event.is_some(), "{event}");
    }
    // No record can follow, but the file can end.
    let at_end = decoder.position();
    assert_eq!(at_end, u64::MAX - 7);
    let mut loaded = lime::Decoder::load(&decoder.save().expect("no error")).expect("it was saved");
    let error = Error::new(at_end, lime::ErrorKind::LengthOverflow { length: 0 });
    assert_eq!(loaded.push(b"E"), Err(error));
    assert_eq!(decoder.finish(), Ok(None));
}

#[test]
fn no_section_begins_where_its_head_does_not_fit() {
    let offset = u64::MAX - 31;
    let error = Error::new(offset, scda::ErrorKind::TooLong { count: Count::default() });
    for piece in [1, 64] {
        let mut decoder = scda::PlainDecoder::at(offset, Mode::Survey);
        assert_eq!(decoder.push(&[b'I'; 64][..piece]), Err(error));
        assert_eq!((decoder.position(), decoder.save().err()), (offset, Some(error)));
        let mut decoder = scda::Decoder::at(offset, Mode::Survey, true);
        assert_eq!(decoder.push(&[b'I'; 64][..piece]), Err(error));
    }
    // The header fits, but not its counts.
    let mut encoder = scda::Encoder::append(128, scda::Style::Unix);
    let array = encoder.array(b"a", 0.into(), 0.into()).expect("legal").to_vec();
    let offset = u64::MAX - 95;
    let mut decoder = scda::PlainDecoder::at(offset, Mode::Survey);
    assert_eq!(decoder.push(&array), Err(Error::new(offset, error.kind)));
}

/// Bytes after a matrix that ends at the last offset are consumed, and the position stays.
#[test]
fn bytes_after_the_last_matrix_that_fits() {
    let header = inebin::Header::new(inebin::MatrixType::Boolean, u32::MAX, u32::MAX).expect("it fits");
    let mut decoder = inebin::Decoder::new(Mode::Lenient);
    let _ = decoder.push(&header.to_bytes()).expect("a header");
    let Demand::Skip(all) = decoder.demand() else { panic!("data come next") };
    decoder.skip(all).expect("announced");
    while decoder.push(b"x").expect("one byte more").event.is_some() {}
    assert_eq!(decoder.position(), header.file_length() + 1);
    assert_eq!(decoder.finish(), Ok(None));
}

/// A decoder in every part of a record, with the name of the part.
fn lime_states() -> Vec<(lime::Decoder, &'static str)> {
    let mut file = header(9).to_vec();
    file.extend_from_slice(b"nine byte\0\0\0\0\0\0\0");
    file.extend_from_slice(&header(0)[..70]);
    let mut states = Vec::new();
    for (place, part) in [(0, "start"), (100, "header"), (144, "record"), (150, "payload"), (155, "padding")]
    {
        states.push((read(&file[..place]), part));
    }
    states.push((read(&file[..160]), "between records"));
    states.push((read(&file), "second header"));
    let mut ended = read(&file[..160]);
    assert_eq!(ended.finish(), Ok(None));
    states.push((ended, "end"));
    states
}

fn read(mut bytes: &[u8]) -> lime::Decoder {
    let mut decoder = lime::Decoder::new(Mode::Survey);
    while let step = decoder.push(bytes).expect("a legal file")
        && step.event.is_some()
    {
        bytes = &bytes[step.consumed..];
    }
    decoder
}

#[test]
fn a_lime_state_with_another_position_is_refused() {
    // The position and the bytes left come last, before the checksum.
    const POSITION: usize = State::<lime::Decoder>::LEN - 20;
    for (decoder, part) in lime_states() {
        let saved = decoder.save().expect("no error");
        assert!(lime::Decoder::load(&saved).is_ok(), "{part}");
        let position = decoder.position();
        for other in [u64::MAX, u64::MAX - 8, position + 1000, position + (1 << 40)] {
            let mut changed = saved.as_bytes().to_vec();
            changed[POSITION..POSITION + 8].copy_from_slice(&other.to_be_bytes());
            let loaded = resealed(changed).and_then(|state| lime::Decoder::load(&state));
            let loaded = loaded.map(|decoder| decoder.position());
            assert_eq!(loaded, Err(LoadError::Inconsistent), "{part}: {position} became {other}");
        }
    }
}

/// Impossible counters, each changed alone.
#[test]
fn lime_counters_that_contradict_the_record_are_refused() {
    // Tag, version, mode; part, message, header, number of its bytes; offset, length, numbers and flags of the record.
    const MESSAGE: usize = 4;
    const HEADER: usize = 5;
    const FILLED: usize = HEADER + 144 + 7;
    const OFFSET: usize = FILLED + 1;
    const LENGTH: usize = OFFSET + 8;
    const NUMBERS: usize = LENGTH + 8;
    const FLAGS: usize = NUMBERS + 16;
    const PADDING_LEFT: usize = FLAGS + 4;
    const LEFT: usize = State::<lime::Decoder>::LEN - 12;
    let load = |saved: &_| lime::Decoder::load(saved).map(|_| ());
    let states = lime_states();
    let of = |part: &str| {
        let (decoder, _) = states.iter().find(|(_, name)| *name == part).expect("one of them");
        decoder.save().expect("no error")
    };
    let changes = [
        (3, 0),
        (3, 4),
        (MESSAGE, 1),
        (MESSAGE, 3),
        (HEADER, 0),
        (HEADER + 15, 8),
        (FILLED, 143),
        (OFFSET + 7, 8),
        (LENGTH + 7, 8),
        (NUMBERS + 7, 0),
        (NUMBERS + 7, 2),
        (NUMBERS + 15, 0),
        (NUMBERS, 1),
        (FLAGS, 0),
        (FLAGS + 1, 0),
        (PADDING_LEFT, 6),
        (LEFT + 7, 4),
        (LEFT + 7, 10),
        (LEFT, 1),
    ];
    refused(of("payload"), &changes, load);
    refused(of("padding"), &[(3, 2), (PADDING_LEFT, 4), (PADDING_LEFT, 6), (LEFT + 7, 1)], load);
    refused(of("start"), &[(3, 1), (3, 2), (3, 3), (MESSAGE, 1), (MESSAGE, 2), (LEFT, 1), (LENGTH, 1)], load);
    refused(of("end"), &[(3, 1), (3, 2), (3, 3), (MESSAGE, 3), (LEFT, 1)], load);
}

/// An open record and the position in it.
#[test]
fn lime_encoders_that_end_beyond_64_bits_are_refused() {
    // The offset of the record, the position in it and the ranges written, before the checksum.
    const COVERAGE: usize = 16 * 16 + 1;
    const PLACE: usize = State::<lime::Encoder>::LEN - 4 - COVERAGE - 8;
    const OFFSET: usize = PLACE - 8;
    const OPEN: usize = OFFSET - 2;
    let load = |saved: &_| lime::Encoder::load(saved).map(|_| ());
    let mut encoder = lime::Encoder::new();
    let header = Header::new(b"t", 1 << 40, true, false).expect("a short type");
    encoder.begin(&header).expect("a first record");
    encoder.payload(10).expect("there is room");
    let changes = [(PLACE, 1), (OPEN + 1, 1), (2, 0), (PLACE + 8 + 8, 1)];
    refused(encoder.save(), &changes, load);
    let mut changed = encoder.save().as_bytes().to_vec();
    changed[OFFSET..OFFSET + 8].copy_from_slice(&(u64::MAX - (1 << 40)).to_be_bytes());
    let loaded = resealed(changed).and_then(|state| lime::Encoder::load(&state));
    assert_eq!(loaded.err(), Some(LoadError::Inconsistent));
    // A record that was never begun cannot be open.
    refused(lime::Encoder::new().save(), &[(OPEN, 1), (PLACE, 1)], load);
}
