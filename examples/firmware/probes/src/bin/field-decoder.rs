//! Reads a LIME file and verifies its fields: `field::Decoder`.
#![no_std]
#![no_main]

use linkstream::Mode;
use linkstream::field::Decoder;
use probes::{decode, unknown, used};

probes::probe!({
    let mut decoder = Decoder::new(unknown(Mode::Strict));
    decode(&mut decoder, |event, decoder, bytes| used((&event, decoder.field(), bytes)));
});
