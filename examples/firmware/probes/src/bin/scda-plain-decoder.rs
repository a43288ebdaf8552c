//! Reads scda sections as they are stored: `scda::PlainDecoder`.
#![no_std]
#![no_main]

use linkstream::Mode;
use linkstream::scda::PlainDecoder;
use probes::{decode, unknown, used};

probes::probe!({
    let mut decoder = PlainDecoder::new(unknown(Mode::Lenient));
    decode(&mut decoder, |event, decoder, bytes| used((&event, decoder.user(), bytes)));
});
