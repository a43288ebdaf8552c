//! Reads logical scda sections, compressed ones recognised: `scda::logical::Decoder`.
#![no_std]
#![no_main]

use linkstream::Mode;
use linkstream::scda::logical::Decoder;
use probes::{decode, unknown, used};

probes::probe!({
    let mut decoder = Decoder::new(unknown(Mode::Lenient), true);
    decode(&mut decoder, |event, decoder, bytes| used((&event, decoder.user(), bytes)));
});
