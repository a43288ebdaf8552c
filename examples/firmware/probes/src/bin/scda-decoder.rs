//! Reads scda sections, compressed ones as one: `scda::Decoder`.
#![no_std]
#![no_main]

use linkstream::Mode;
use linkstream::scda::Decoder;
use probes::{decode, unknown, used};

probes::probe!({
    let mut decoder = Decoder::new(unknown(Mode::Lenient), true);
    decode(&mut decoder, |event, decoder, bytes| used((&event, decoder.user(), bytes)));
});
