//! `save_into` and `load_into` do the same as `save` and `load`, in memory of the caller. A refused state changes
//! nothing, or leaves a new decoder or encoder.

use crate::field::support::driven::MODES;
use crate::states::changed::Forger;
use crate::states::decoders::{file, read};
use linkstream::Resumable as _;
use linkstream::field::{Encoder, OutgoingMessage};
use linkstream::{Decode as _, LoadError, Mode, State, conformance, field, volume};

/// Offsets in headers, documents and data.
const PLACES: [usize; 5] = [0, 70, 300, 1500, 2300];
/// The file is no volume of a set: a decoder of volumes stops at its first document.
const PLACES_OF_VOLUMES: [usize; 3] = [0, 70, 144];

/// Number of forged states that were loaded, and number of refused ones.
#[derive(Default)]
struct Count {
    loaded: usize,
    refused: usize,
}

macro_rules! decoder {
    ($name:ident, $decoder:ty, $places:expr) => {
        #[test]
        fn $name() {
            type Decoder = $decoder;
            const LEN: usize = State::<Decoder>::LEN;
            let saved_of = |decoder: &Decoder| {
                let mut memory = [0xa5; LEN];
                decoder.save_into(&mut memory).expect("no error yet");
                assert_eq!(memory[..], *decoder.save().expect("no error yet").as_bytes());
                memory
            };
            let (file, new) = (file(), MODES.map(|mode| saved_of(&Decoder::new(mode))));
            let (mut forger, mut count) = (Forger::new(), Count::default());
            for place in $places {
                let decoder = read(Decoder::new(Mode::Survey), &file[..place]);
                let memory = saved_of(&decoder);
                // A decoder with another state, whose fields are all replaced.
                let mut other = read(Decoder::new(Mode::Lenient), &file[..100]);
                let before = saved_of(&other);
                let mut damaged = memory;
                damaged[LEN / 2] ^= 1;
                assert_eq!(other.load_into(&damaged), Err(LoadError::Damaged));
                assert_eq!(other.load_into(&memory[1..]), Err(LoadError::Damaged));
                assert_eq!(other.load_into(&[]), Err(LoadError::Damaged));
                let foreign = linkstream::nersc::Decoder::new(Mode::Strict).save().expect("no error yet");
                assert_eq!(other.load_into(foreign.as_bytes()), Err(LoadError::Foreign));
                assert_eq!(saved_of(&other), before);
                assert_eq!(other.load_into(&memory), Ok(()));
                assert_eq!((saved_of(&other), other.position()), (memory, place as u64));
                forger.each(decoder.save().expect("no error yet"), |forged| {
                    // The mode comes first, after tag and version.
                    let mode = saved_of(&other)[2];
                    match (other.load_into(forged.as_bytes()), Decoder::load(forged)) {
                        (Ok(()), Ok(loaded)) => {
                            assert_eq!(saved_of(&other), saved_of(&loaded));
                            count.loaded += 1;
                        }
                        (Err(LoadError::Inconsistent), Err(LoadError::Inconsistent)) => {
                            // Not the mode of what was refused.
                            assert_eq!(Some(&saved_of(&other)), new.iter().find(|new| new[2] == mode));
                            count.refused += 1;
                        }
                        differ => panic!("load_into and load differ: {differ:?}"),
                    }
                });
            }
            assert!(count.loaded > 1000 && count.refused > 1000, "{} {}", count.loaded, count.refused);
            // A decoder that has stopped is not saved, and works again after loading.
            let mut stopped = Decoder::new(Mode::Strict);
            assert!(stopped.push(&[0; 144]).is_err());
            let mut memory = [0xa5; LEN];
            assert!(stopped.save_into(&mut memory).is_err() && memory == [0xa5; LEN]);
            assert_eq!(stopped.load_into(&new[2]), Ok(()));
            assert_eq!(saved_of(&stopped), new[2]);
        }
    };
}

decoder!(field_decoders, field::Decoder, PLACES);
decoder!(conformance_decoders, conformance::Decoder, PLACES);
decoder!(volume_decoders, volume::Decoder, PLACES_OF_VOLUMES);

#[test]
fn field_encoders() {
    let saved_of = |encoder: &Encoder| {
        let mut memory = [0xa5; State::<Encoder>::LEN];
        encoder.save_into(&mut memory);
        assert_eq!(memory[..], *encoder.save().as_bytes());
        memory
    };
    let (mut forger, mut count) = (Forger::new(), Count::default());
    let (message, mut scratch) = (OutgoingMessage::foreign(b"own", b"payload"), [0; 512]);
    let (mut encoder, mut other) = (Encoder::new(), Encoder::new());
    let begun = encoder.begin(&message, &mut scratch).expect("legal");
    for _ in 0..3 {
        let before = saved_of(&other);
        let memory = saved_of(&encoder);
        let mut damaged = memory;
        damaged[20] ^= 1;
        assert_eq!(other.load_into(&damaged), Err(LoadError::Damaged));
        assert_eq!(saved_of(&other), before);
        assert_eq!(other.load_into(&memory), Ok(()));
        assert_eq!(other, encoder);
        forger.each(encoder.save(), |forged| {
            match (other.load_into(forged.as_bytes()), Encoder::load(forged)) {
                (Ok(()), Ok(loaded)) => {
                    assert_eq!(other, loaded);
                    count.loaded += 1;
                }
                (Err(LoadError::Inconsistent), Err(LoadError::Inconsistent)) => {
                    assert_eq!(other, Encoder::new());
                    count.refused += 1;
                }
                differ => panic!("load_into and load differ: {differ:?}"),
            }
        });
        encoder.next(&begun, &mut scratch).expect("the same message");
    }
    assert!(count.loaded > 100 && count.refused > 1000, "{} {}", count.loaded, count.refused);
}
