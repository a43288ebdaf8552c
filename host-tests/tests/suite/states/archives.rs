//! Changed states of the decoders of NERSC archives and MILC files, and of the encoder of archives.

use crate::milc::support::{LIST, good};
use crate::nersc::support::{LINES, file};
use crate::states::changed::{Forger, refused};
use linkstream::Resumable as _;
use linkstream::lattice::{ByteOrder, Extents, Precision};
use linkstream::nersc::{Encoder, Header, StoredRows};
use linkstream::{Decode, Encode as _, Mode, milc, nersc};

/// A decoder that has read the first bytes of a file. An event may be pending.
fn read<D: Decode>(mut decoder: D, mut bytes: &[u8]) -> D {
    while !bytes.is_empty() {
        bytes = &bytes[decoder.push(bytes).expect("complete so far").consumed..];
    }
    decoder
}

/// Reads to the end without a panic or an endless sequence of events.
fn run<D: Decode>(mut decoder: D, mut bytes: &[u8]) {
    for _ in 0..1000 {
        let Ok(step) = decoder.push(bytes) else { return };
        bytes = &bytes[step.consumed..];
        if step.event.is_none() {
            break;
        }
    }
    for _ in 0..10 {
        if !matches!(decoder.finish(), Ok(Some(_))) {
            return;
        }
    }
    panic!("finish reports events without end");
}

#[test]
fn changed_states_of_the_nersc_decoder() {
    let mut forger = Forger::new();
    let file = file(&LINES);
    let data_at = file.len() - crate::nersc::support::DATA;
    for place in [0, 5, 12, 13, 40, data_at - 1, data_at, data_at + 3, file.len()] {
        let decoder = read(nersc::Decoder::new(Mode::Survey), &file[..place]);
        forger.each(decoder.save().expect("no error yet"), |saved| {
            if let Ok(decoder) = nersc::Decoder::load(saved) {
                run(decoder.clone(), &file[place..]);
                run(decoder, b"");
            }
        });
    }
}

#[test]
fn changed_states_of_the_milc_decoder() {
    let mut forger = Forger::new();
    for file in [good(None, true), good(Some(&LIST), false)] {
        for place in [0, 4, 87, 88, 90, 96, 112, 115, 120, 300, file.len()] {
            let decoder = read(milc::Decoder::new(Mode::Survey), &file[..place]);
            forger.each(decoder.save().expect("no error yet"), |saved| {
                if let Ok(decoder) = milc::Decoder::load(saved) {
                    run(decoder.clone(), &file[place..]);
                    run(decoder, b"");
                }
            });
        }
    }
}

#[test]
fn changed_states_of_the_nersc_encoder() {
    let mut forger = Forger::new();
    let extents = Extents::new(&[1, 2, 1, 1]).expect("small");
    let header = Header::new(extents, Precision::F32, StoredRows::Reduced, ByteOrder::Big)
        .expect("a lattice of four dimensions");
    for done in [0, 3, 384] {
        let mut encoder = Encoder::new(&header, 300).expect("small");
        encoder.put(&[7; 384][..done]).expect("there is room");
        forger.each(encoder.save(), |saved| {
            if let Ok(mut encoder) = Encoder::load(saved) {
                let room = usize::try_from(encoder.room()).unwrap_or(0).min(1000);
                encoder.put(&[7; 1000][..room]).expect("there is room");
                let _ = encoder.final_header();
                let _ = encoder.finish();
            }
        });
    }
}

/// States that cannot result from calls: a position outside the data, and a sum of more bytes than were read.
#[test]
fn states_that_contradict_themselves() {
    let file = file(&LINES);
    let load = |saved: &_| nersc::Decoder::load(saved).map(|_| ());
    let saved = read(nersc::Decoder::new(Mode::Survey), &file[..file.len() - 100]).save().expect("no error");
    let end = saved.as_bytes().len() - 4;
    // The bytes left, the position and the bytes read come last in the state.
    refused(saved, &[(end - 1, 0), (end - 9, 0), (end - 17, 1)], load);
    let load = |saved: &_| milc::Decoder::load(saved).map(|_| ());
    let file = good(None, true);
    let saved = read(milc::Decoder::new(Mode::Survey), &file[..file.len() - 100]).save().expect("no error");
    let end = saved.as_bytes().len() - 4;
    refused(saved, &[(end - 1, 0), (end - 9, 0)], load);
}
