//! Saved states that were changed and made to look whole again: refused, or taken without harm. What they then
//! tell of a file may be nonsense, but nothing panics, hangs or stands still.

use linkstream::{Decode, Mode, field, lime};

/// Steps that a file of this size can take at the very most: one event for each byte and a few more.
const IDLE: usize = 64;

/// A file with a field, cut inside its data.
fn file() -> Vec<u8> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../examples/su3-4x4x4x8.lime");
    let mut bytes = std::fs::read(path).expect("the sample lies in the repository");
    bytes.truncate(2500);
    bytes
}

/// Pushes all of `input`, then ends it.
fn run<D: Decode>(mut decoder: D, mut input: &[u8]) {
    let mut idle = 0;
    while let Ok(step) = decoder.push(input) {
        assert!(step.event.is_some() || step.consumed == input.len(), "a step tells or takes all");
        input = &input[step.consumed..];
        if step.event.is_none() {
            break;
        }
        idle = if step.consumed > 0 { 0 } else { idle + 1 };
        assert!(idle < IDLE, "the decoder stands still");
    }
    let mut told = 0;
    while let Ok(Some(_)) = decoder.finish() {
        told += 1;
        assert!(told < IDLE, "the end does not end");
    }
}

/// Every byte of a state takes several other values, the checksum follows.
fn each_changed<const N: usize>(saved: [u8; N], mut take: impl FnMut(&[u8; N])) {
    for at in 0..N - 4 {
        for value in [0, 1, 2, 3, 4, 5, 6, 7, 8, 0x7f, 0x80, 0xff] {
            let mut changed = saved;
            changed[at] = value;
            let sum = crc32fast::hash(&changed[..N - 4]);
            changed[N - 4..].copy_from_slice(&sum.to_be_bytes());
            take(&changed);
        }
    }
}

/// States at places of every kind: in headers, documents, data, and at the end.
const PLACES: [usize; 9] = [0, 70, 144, 300, 600, 1500, 2088, 2300, 2500];

#[test]
fn changed_states_of_the_field_decoder() {
    let file = file();
    for place in PLACES {
        let mut decoder = field::Decoder::new(Mode::Survey);
        let mut rest = &file[..place];
        while let Some(step) = Some(decoder.push(rest).expect("whole so far")) {
            rest = &rest[step.consumed..];
            if step.event.is_none() {
                break;
            }
        }
        each_changed(decoder.save().expect("no error yet"), |saved| {
            if let Ok(decoder) = field::Decoder::load(saved) {
                run(decoder, &file[place..]);
            }
        });
    }
}

/// Which turn it is and which comes after it stand behind the LIME decoder's state: all pairs, as one of them
/// alone does not make a circle.
#[test]
fn turns_that_lead_back_to_themselves_are_refused() {
    const TURN: usize = lime::Decoder::SAVED - 4;
    const AFTER: usize = TURN + 2;
    let saved = field::Decoder::new(Mode::Survey).save().expect("no error yet");
    let mut refused = 0;
    for (turn, after) in (0..8).flat_map(|turn| (0..8).map(move |after| (turn, after))) {
        let mut changed = saved;
        (changed[TURN], changed[AFTER]) = (turn, after);
        let (body, sum) = changed.split_last_chunk_mut::<4>().expect("longer than its checksum");
        *sum = crc32fast::hash(body).to_be_bytes();
        match field::Decoder::load(&changed) {
            Ok(decoder) => run(decoder, &file()),
            Err(_) => refused += 1,
        }
    }
    assert!(refused > 8, "the bytes changed are not those of the turns: {refused}");
}

#[test]
fn changed_states_of_the_lime_decoder_and_encoder() {
    let file = file();
    for place in PLACES {
        let mut decoder = lime::Decoder::new(Mode::Survey);
        let mut rest = &file[..place];
        while let Some(step) = Some(decoder.push(rest).expect("whole so far")) {
            rest = &rest[step.consumed..];
            if step.event.is_none() {
                break;
            }
        }
        each_changed(decoder.save().expect("no error yet"), |saved| {
            if let Ok(decoder) = lime::Decoder::load(saved) {
                run(decoder, &file[place..]);
            }
        });
    }
    let mut encoder = lime::Encoder::new();
    let header = lime::Header::new(b"t", 100, true, false).expect("a short type");
    encoder.begin(&header).expect("a first record");
    encoder.payload(10).expect("room");
    each_changed(encoder.save(), |saved| {
        if let Ok(mut encoder) = lime::Encoder::load(saved) {
            let _ =
                (encoder.payload(90), encoder.seek(5), encoder.payload(1), encoder.end(), encoder.finish());
        }
    });
}
