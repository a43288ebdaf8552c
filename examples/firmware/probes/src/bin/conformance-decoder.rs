//! Reads a LIME file, verifies its fields and checks all rules: `conformance::Decoder`.
#![no_std]
#![no_main]

use linkstream::Mode;
use linkstream::conformance::Decoder;
use probes::{decode, unknown, used};

probes::probe!({
    let mut decoder = Decoder::new(unknown(Mode::Strict));
    decode(&mut decoder, |event, decoder, bytes| used((&event, decoder.content().field(), bytes)));
});
