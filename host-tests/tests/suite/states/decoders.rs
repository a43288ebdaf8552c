//! Saved states that were changed and given a matching checksum are refused or loaded without harm. A loaded decoder
//! may report nonsense about a file, but it neither panics nor hangs.

use crate::states::changed::{Forger, refused, resealed};
use linkstream::Encode as _;
use linkstream::Resumable as _;
use linkstream::inebin::{self, Complex, Entries, MatrixType};
use linkstream::{Decode, Demand, LoadError, Mode, SeekPayload as _, State, conformance, field, lime, scda};

/// Maximum number of events in a row without a byte consumed.
const IDLE: usize = 64;

/// A file with a field, truncated inside its data.
pub fn file() -> Vec<u8> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/su3-4x4x4x8.lime");
    let mut bytes = std::fs::read(path).expect("the sample is part of the repository");
    bytes.truncate(2500);
    bytes
}

/// Pushes all of `input`, then calls `finish`.
pub fn run<D: Decode>(mut decoder: D, mut input: &[u8]) {
    let mut idle = 0;
    loop {
        let before = decoder.position();
        let Ok(step) = decoder.push(input) else { break };
        assert!(
            step.event.is_some() || step.consumed == input.len(),
            "a step must report an event or consume everything"
        );
        let after = before.checked_add(step.consumed as u64);
        assert_eq!(Some(decoder.position()), after, "the position must count the bytes and must not wrap");
        input = &input[step.consumed..];
        if step.event.is_none() {
            break;
        }
        idle = if step.consumed > 0 { 0 } else { idle + 1 };
        assert!(idle < IDLE, "the decoder makes no progress");
    }
    let mut reported = 0;
    while let Ok(Some(_)) = decoder.finish() {
        reported += 1;
        assert!(reported < IDLE, "finish reports events without end");
    }
}

/// A decoder that has read these bytes and reported all events.
pub fn read<D: Decode>(mut decoder: D, mut bytes: &[u8]) -> D {
    loop {
        let Ok(step) = decoder.push(bytes) else { panic!("the file is complete so far") };
        bytes = &bytes[step.consumed..];
        if step.event.is_none() {
            return decoder;
        }
    }
}

/// Offsets of every kind: in headers, documents and data, and at the end.
const PLACES: [usize; 9] = [0, 70, 144, 300, 600, 1500, 2088, 2300, 2500];

/// Calls all methods of loaded boundaries, with the sites of the file.
#[test]
fn changed_states_of_boundaries() {
    let mut forger = Forger::new();
    let file = file();
    let mut decoder = conformance::Decoder::new(Mode::Survey);
    let mut rest = &file[..];
    let data = loop {
        let step = decoder.push(rest).expect("complete so far");
        rest = &rest[step.consumed..];
        if step.event == Some(field::Event::Field) {
            break rest;
        }
    };
    let mut buffer = [0; 288];
    let mut feed = |boundaries: &mut conformance::Boundaries, data: &[u8]| {
        let mut sites = field::Sites::new(&mut buffer);
        sites.begin(decoder.content().field()).expect("large enough");
        let fed = sites.feed(decoder.content().field(), data, |site| -> Result<(), field::SiteError> {
            boundaries.site(&site);
            Ok(())
        });
        assert!(fed.is_ok());
    };
    // After no sites, after one, and after one without links.
    let absent = [0; 288];
    for before in [&[][..], &data[..288], &absent[..]] {
        let mut boundaries =
            conformance::Boundaries::of(decoder.content()).expect("an ildg-format describes it");
        feed(&mut boundaries, before);
        forger.each(boundaries.save(), |saved| {
            let Ok(mut boundaries) = conformance::Boundaries::load(saved) else { return };
            feed(&mut boundaries, data);
            let fault = boundaries.fault().map(|fault| fault.to_string());
            assert!(fault.is_none_or(|fault| !fault.is_empty()));
            assert!(boundaries.open().all(|open| !open.letter().is_empty()));
        });
    }
}

#[test]
fn changed_states_of_the_field_decoders() {
    let (mut forger, mut contents) = (Forger::new(), Forger::new());
    let file = file();
    for place in PLACES {
        let decoder = read(conformance::Decoder::new(Mode::Survey), &file[..place]);
        forger.each(decoder.save().expect("no error yet"), |saved| {
            if let Ok(decoder) = conformance::Decoder::load(saved) {
                run(decoder, &file[place..]);
            }
        });
        let decoder = read(field::Decoder::new(Mode::Survey), &file[..place]);
        contents.each(decoder.save().expect("no error yet"), |saved| {
            if let Ok(decoder) = field::Decoder::load(saved) {
                run(decoder, &file[place..]);
            }
        });
    }
}

/// The current and the next phase follow the LIME decoder's state. All pairs are tested, because a change of one of
/// them alone does not make a cycle.
#[test]
fn cycles_of_phases_are_refused() {
    const TURN: usize = State::<lime::Decoder>::LEN - 4;
    const AFTER: usize = TURN + 2;
    let saved = conformance::Decoder::new(Mode::Survey).save().expect("no error yet");
    let mut refused = 0;
    for (turn, after) in (0..8).flat_map(|turn| (0..8).map(move |after| (turn, after))) {
        let mut changed = saved.as_bytes().to_vec();
        (changed[TURN], changed[AFTER]) = (turn, after);
        match resealed(changed).and_then(|state| conformance::Decoder::load(&state)) {
            Ok(decoder) => run(decoder, &file()),
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 8, "the changed bytes are not those of the phases: {refused}");
}

#[test]
fn changed_states_of_the_lime_decoder_and_encoder() {
    let mut forger = Forger::new();
    let file = file();
    for place in PLACES {
        let decoder = read(lime::Decoder::new(Mode::Survey), &file[..place]);
        forger.each(decoder.save().expect("no error yet"), |saved| {
            if let Ok(decoder) = lime::Decoder::load(saved) {
                run(decoder, &file[place..]);
            }
        });
    }
    let mut forger = Forger::new();
    let mut encoder = lime::Encoder::new();
    let header = lime::Header::new(b"t", 100, true, false).expect("a short type");
    encoder.begin(&header).expect("a first record");
    for payload in [0, 10, 90] {
        encoder.payload(payload).expect("there is room");
        forger.each(encoder.save(), |saved| {
            if let Ok(mut encoder) = lime::Encoder::load(saved) {
                let _ = (encoder.payload(90), encoder.seek(5), encoder.payload(1));
                let _ = (encoder.end(), encoder.finish());
            }
        });
    }
}

/// A header and the data of a matrix.
pub fn matrix(matrix_type: MatrixType, rows: u32, columns: u32) -> (inebin::Header, Vec<u8>) {
    let header = inebin::Header::new(matrix_type, rows, columns).expect("small");
    let mut file = header.to_bytes().to_vec();
    file.resize(header.file_length() as usize, 0x5A);
    if let Some(last) = file.last_mut() {
        *last &= !header.unused_bits();
    }
    (header, file)
}

#[test]
fn changed_states_of_the_inebin_decoder() {
    let mut forger = Forger::new();
    for (_, file) in [matrix(MatrixType::Boolean, 3, 5), matrix(MatrixType::Complex, 2, 2)] {
        // All positions in the header and the data, and the end, where an event is still pending.
        for place in 0..=file.len() {
            let mut decoder = inebin::Decoder::new(Mode::Survey);
            let mut rest = &file[..place];
            while !rest.is_empty() {
                rest = &rest[decoder.push(rest).expect("complete so far").consumed..];
            }
            forger.each(decoder.save().expect("no error yet"), |saved| {
                if let Ok(decoder) = inebin::Decoder::load(saved) {
                    run(decoder.clone(), &file[place..]);
                    run(decoder, b"");
                }
            });
        }
    }
}

/// A loaded state returns no entry twice, and none outside the matrix.
fn feed<T: inebin::Value>(saved: &[u8]) {
    let state = State::from_bytes(saved).expect("entries of all types have the same size");
    let Ok(mut entries) = Entries::<T>::load(&state) else { return };
    for _ in 0..3 {
        let (left, mut given) = (entries.left(), 0);
        let fed = entries.feed(&[0xA5; 37], |run| {
            assert!(run.values().count() as u64 == run.len(), "a run must return all its values");
            given += run.len();
        });
        if fed.is_err() {
            // Feeds all bytes that are left, one by one.
            while left > 0 && entries.feed(&[0xA5], |run| given += run.len()).is_ok() {}
        }
        assert_eq!(entries.left() + given, left, "more entries than were left");
    }
}

#[test]
fn changed_states_of_entries() {
    let mut forger = Forger::new();
    for (matrix_type, rows, columns) in [
        (MatrixType::Boolean, 3, 50),
        (MatrixType::Integer, 2, 3),
        (MatrixType::Complex, 2, 2),
        (MatrixType::Complex, 0, 2),
    ] {
        let (header, file) = matrix(matrix_type, rows, columns);
        for place in 0..=file.len() - 16 {
            let take = |saved: &[u8]| {
                feed::<bool>(saved);
                feed::<i64>(saved);
                feed::<Complex>(saved);
            };
            let data = &file[16..16 + place];
            match matrix_type {
                MatrixType::Boolean => {
                    forger.each(fed::<bool>(&header, data), |saved| take(saved.as_bytes()))
                }
                MatrixType::Complex => {
                    forger.each(fed::<Complex>(&header, data), |saved| take(saved.as_bytes()))
                }
                _ => forger.each(fed::<i64>(&header, data), |saved| take(saved.as_bytes())),
            }
        }
    }
}

fn fed<T: inebin::Value>(header: &inebin::Header, data: &[u8]) -> State<Entries<T>> {
    let mut entries = Entries::<T>::new(header).expect("the matrix has this type");
    entries.feed(data, |_| {}).expect("not more than there are");
    entries.save()
}

/// A loaded encoder never writes more than the matrix, and returns everything that it has accepted.
#[test]
fn changed_states_of_the_inebin_encoder() {
    let mut forger = Forger::new();
    for (matrix_type, rows, columns) in [(MatrixType::Boolean, 3, 5), (MatrixType::Complex, 2, 2)] {
        let (header, file) = matrix(matrix_type, rows, columns);
        for room in 0..=file.len() - 16 {
            let mut encoder = inebin::Encoder::new(&header);
            let mut out = vec![0; room];
            let given = match matrix_type {
                MatrixType::Boolean => encoder.encode(&mut [true; 11].into_iter(), &mut out),
                _ => encoder.encode(&mut [Complex::default(); 4].into_iter(), &mut out),
            };
            assert!(given.is_ok());
            forger.each(encoder.save(), |saved| {
                if let Ok(encoder) = inebin::Encoder::load(saved) {
                    write_on(encoder);
                }
            });
        }
    }
}

fn write_on(encoder: inebin::Encoder) {
    let end = encoder.header().file_length();
    let mut raw = encoder.clone();
    let _ = (raw.put(&[0; 3]), raw.put(&[]), raw.finish());
    assert!(raw.position() <= end, "raw bytes must not be accepted after the matrix");
    match encoder.header().matrix_type() {
        MatrixType::Boolean => write_values(encoder, true),
        MatrixType::Integer => write_values(encoder, 1_i64),
        MatrixType::Real => write_values(encoder, 1.0),
        MatrixType::Complex => write_values(encoder, Complex::default()),
    }
}

fn write_values<T: inebin::Value>(mut encoder: inebin::Encoder, value: T) {
    let end = encoder.header().file_length();
    let mut values = core::iter::repeat_n(value, 40);
    let mut turns = 0;
    while let Ok(given) = encoder.encode(&mut values, &mut [0; 7]) {
        assert!(encoder.position() <= end, "values must not be accepted after the matrix");
        turns += 1;
        assert!(turns < 10 * IDLE, "the encoder makes no progress");
        if given == 0 {
            break;
        }
    }
    if encoder.position() == end {
        assert_eq!(encoder.finish(), Ok(()));
        assert!(values.len() > 0 || end > 16 + 40 * 16, "all values must be written");
    }
}

#[test]
fn states_that_contradict_themselves_are_refused() {
    let (header, file) = matrix(MatrixType::Boolean, 3, 5);

    // Tag, version, type; rows, columns, row, column, entries left, bits before, pieces, bytes present.
    let changes = [(2, 1), (6, 4), (10, 6), (14, 0), (18, 4), (26, 9), (27, 1), (44, 1)];
    let entries = Entries::<bool>::at(&header, 1, 2).expect("bits").expect("inside");
    refused(entries.save(), &changes, |saved| Entries::<bool>::load(saved).map(|_| ()));

    // The same number of complex entries would end beyond 64-bit offsets.
    let long = inebin::Header::new(MatrixType::Real, (1 << 31) - 1, 1 << 30).expect("it fits");
    let saved = Entries::<f64>::new(&long).expect("numbers").save();
    let saved = State::<Entries<Complex>>::from_bytes(saved.as_bytes()).expect("of the same size");
    refused(saved, &[(2, 3)], |saved| {
        // The unchanged state is valid, but belongs to another type.
        Entries::<Complex>::load(saved).map(|_| ()).or_else(|error| match error {
            LoadError::Foreign => Ok(()),
            other => Err(other),
        })
    });
    let saved = inebin::Encoder::new(&long).save();
    refused(saved, &[(2, 3)], |saved| inebin::Encoder::load(saved).map(|_| ()));

    // Tag, version, mode, part, the header's bytes and their number; header, bytes left, unused bits, whether trailing
    // bytes were reported, position.
    let mut decoder = inebin::Decoder::new(Mode::Survey);
    let _ = decoder.push(&file).expect("a header");
    let load = |saved: &_| inebin::Decoder::load(saved).map(|_| ());
    let saved = decoder.save().expect("no error");
    let changes = [
        (3, 0),
        (3, 1),
        (3, 2),
        (3, 4),
        (3, 5),
        (4, 0),
        (12, 4),
        (28, 0),
        (29, 1),
        (33, 4),
        (37, 6),
        (45, 1),
        (45, 3),
    ];
    refused(saved, &changes, load);
    refused(saved, &[(46, 1), (55, 15), (55, 17), (48, 1)], load);
    let fresh = inebin::Decoder::new(Mode::Survey).save().expect("no error");
    refused(fresh, &[(3, 1), (3, 2), (3, 3), (3, 4), (3, 5), (27, 16)], load);

    // Tag, version; header, values left, bits and their number, the incomplete entry and its bytes left, position.
    let load = |saved: &_| inebin::Encoder::load(saved).map(|_| ());
    let mut encoder = inebin::Encoder::new(&header);
    assert_eq!(encoder.encode(&mut [true; 10].into_iter(), &mut [0; 1]), Ok(1));
    assert_eq!(encoder.encode(&mut [true; 2].into_iter(), &mut [0; 1]), Ok(0));
    let changes =
        [(2, 1), (6, 4), (10, 6), (18, 6), (19, 4), (20, 1), (20, 8), (37, 1), (45, 15), (45, 16), (45, 19)];
    refused(encoder.save(), &changes, load);
    let (header, _) = matrix(MatrixType::Complex, 2, 2);
    let mut encoder = inebin::Encoder::new(&header);
    assert_eq!(encoder.encode(&mut [Complex::default(); 2].into_iter(), &mut [0; 20]), Ok(20));
    refused(
        encoder.save(),
        &[(18, 3), (19, 1), (20, 1), (37, 11), (37, 13), (45, 35), (45, 37), (45, 48)],
        load,
    );
}

type Begin = fn(&mut scda::Encoder) -> Vec<u8>;

/// A file with a section of each type, and the states of an encoder between all calls.
fn sections() -> (Vec<u8>, Vec<scda::Encoder>) {
    let mut encoder = scda::Encoder::new(scda::Style::Mime);
    let mut states = vec![encoder.clone()];
    let mut file = encoder.header(b"vendor", b"user").expect("the header comes first").to_vec();
    file.extend_from_slice(encoder.varray(b"v", 2.into()).expect("legal"));
    states.push(encoder.clone());
    for size in [3, 0] {
        file.extend_from_slice(&encoder.size(size).expect("the encoder expects it"));
        states.push(encoder.clone());
    }
    let data: [(Begin, &[u8]); 4] = [
        (|_| Vec::new(), b"ab\n"),
        (|encoder| encoder.inline(b"i").expect("legal").to_vec(), &[7; 32]),
        (|encoder| encoder.block(b"b", 1.into()).expect("legal").to_vec(), b"x"),
        (|encoder| encoder.array(b"a", 2.into(), 1.into()).expect("legal").to_vec(), b"yz"),
    ];
    for (begin, data) in data {
        file.extend(begin(&mut encoder));
        states.push(encoder.clone());
        encoder.put(data).expect("there is room");
        states.push(encoder.clone());
        file.extend_from_slice(data);
        file.extend_from_slice(encoder.end().expect("complete"));
        states.push(encoder.clone());
    }
    (file, states)
}

#[test]
fn changed_states_of_the_plain_scda_decoder() {
    let mut forger = Forger::new();
    let (file, _) = sections();
    for place in (0..=file.len()).filter(|place| place % 5 == 0 || place % 32 < 2) {
        let mut decoder = scda::PlainDecoder::new(Mode::Survey);
        let mut rest = &file[..place];
        while !rest.is_empty() {
            rest = &rest[decoder.push(rest).expect("complete so far").consumed..];
        }
        forger.each(decoder.save().expect("no error yet"), |saved| {
            if let Ok(decoder) = scda::PlainDecoder::load(saved) {
                assert!(decoder.payload_position().is_none_or(|place| place <= decoder.data_length()));
                let end = match decoder.demand() {
                    Demand::Skip(n) => decoder.position().checked_add(n),
                    // No part is longer than the header of a file.
                    Demand::Bytes(n) => decoder.position().checked_add(n).filter(|_| n <= 96),
                    Demand::End => Some(0),
                };
                assert!(
                    end.is_some(),
                    "the decoder waits for bytes that cannot come: {:?}",
                    decoder.demand()
                );
                run(decoder.clone(), &file[place..]);
                run(decoder, b"");
            }
        });
    }
}

/// The beginning of a section, its length and the position determine each other, and the section must end within 64-bit
/// offsets. The position and the bytes left are the last values in a state before its checksum.
#[test]
fn states_that_end_beyond_64_bits_are_refused() {
    const LEFT: usize = State::<scda::PlainDecoder>::LEN - 12;
    const POSITION: usize = LEFT - 8;
    const LENGTH: usize = POSITION - 11;
    // The lower half of a count of 16 bytes.
    const E: usize = LENGTH - 16;
    const OFFSET: usize = E - 33;
    let mut encoder = scda::Encoder::new(scda::Style::Unix);
    let mut file = encoder.header(b"", b"").expect("the header comes first").to_vec();
    file.extend_from_slice(encoder.block(b"", (1 << 40).into()).expect("legal"));
    let mut decoder = scda::PlainDecoder::new(Mode::Strict);
    let mut rest = file.as_slice();
    while !rest.is_empty() {
        rest = &rest[decoder.push(rest).expect("complete so far").consumed..];
    }
    let changed = |places: &[usize]| {
        let mut saved = decoder.save().expect("no error yet").as_bytes().to_vec();
        places.iter().for_each(|place| saved[*place] = 0xfe);
        resealed(saved).and_then(|state| scda::PlainDecoder::load(&state))
    };
    const HIGH: u64 = 0xfe << 56;
    assert!(changed(&[OFFSET, POSITION]).is_ok_and(|decoder| decoder.position() == HIGH + 224));
    let long = changed(&[E, LENGTH, LEFT]).map(|decoder| decoder.demand());
    assert_eq!(long, Ok(Demand::Skip(HIGH + (1 << 40))));
    for places in [&[OFFSET, POSITION, E, LENGTH, LEFT][..], &[POSITION], &[OFFSET], &[E, LENGTH], &[LEFT]] {
        assert_eq!(changed(places).err(), Some(LoadError::Inconsistent), "{places:?}");
    }
}

/// In any loaded encoder, data and sections can be completed.
#[test]
fn changed_states_of_the_scda_encoder() {
    let mut forger = Forger::new();
    let (_, states) = sections();
    let (mut loaded, mut refused) = (0, 0);
    for state in states {
        forger.each(state.save(), |saved| {
            let Ok(mut encoder) = scda::Encoder::load(saved) else { return refused += 1 };
            loaded += 1;
            let _ = (encoder.size(1), encoder.put(b"ab\n"), encoder.put(&[]));
            let room = encoder.room();
            if let Ok(room) = usize::try_from(room)
                && room < 1000
                && encoder.put(&vec![1; room]).is_ok()
            {
                assert!(
                    encoder.end().is_ok_and(|padding| padding.len() < 39),
                    "a section with all its data must end"
                );
                assert_eq!(encoder.end().err(), Some(scda::EncodeErrorKind::NoSection));
            }
            let _ = (encoder.header(b"", b"").is_ok(), encoder.inline(b"").is_ok(), encoder.finish());
        });
    }
    assert!(loaded > 2000 && refused > 1000, "{loaded} loaded, {refused} refused");
}

/// Both halves of compressed sections of each type, at all positions where a state can be saved.
#[test]
fn changed_states_of_the_scda_decoder() {
    let mut forger = Forger::new();
    let mut encoder = scda::Encoder::new(scda::Style::Unix);
    let mut file = encoder.header(b"vendor", b"user").expect("the header comes first").to_vec();
    let text = b"AAAAAAAAAAF6eNpLBAAAYgBi=\n";
    file.extend_from_slice(encoder.compressed_block(b"b", 1.into(), 26).expect("legal"));
    file.extend_from_slice(text);
    encoder.put(text).expect("there is room");
    file.extend_from_slice(encoder.end().expect("complete"));
    file.extend_from_slice(encoder.compressed_varray(2.into()).expect("legal"));
    for _ in 0..2 {
        file.extend_from_slice(&encoder.uncompressed(1).expect("the encoder expects it"));
    }
    file.extend_from_slice(encoder.second_half(b"v").expect("all sizes are given"));
    for _ in 0..2 {
        file.extend_from_slice(&encoder.size(26).expect("the encoder expects it"));
    }
    for _ in 0..2 {
        file.extend_from_slice(text);
        encoder.put(text).expect("there is room");
    }
    file.extend_from_slice(encoder.end().expect("complete"));
    for place in (0..=file.len()).filter(|place| place % 7 == 0 || place % 32 < 2) {
        let mut decoder = scda::Decoder::new(Mode::Survey, true);
        let mut rest = &file[..place];
        while !rest.is_empty() {
            rest = &rest[decoder.push(rest).expect("complete so far").consumed..];
        }
        forger.each(decoder.save().expect("no error yet"), |saved| {
            if let Ok(decoder) = scda::Decoder::load(saved) {
                run(decoder.clone(), &file[place..]);
                run(decoder.clone(), b"");
                run(scda::Unpacker::new(decoder, [0; 8]), &file[place..]);
            }
        });
    }
}
