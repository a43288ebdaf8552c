//! Reads a matrix: `inebin::Decoder`.
#![no_std]
#![no_main]

use linkstream::Mode;
use linkstream::inebin::Decoder;
use probes::{decode, unknown, used};

probes::probe!({
    let mut decoder = Decoder::new(unknown(Mode::Strict));
    decode(&mut decoder, |event, _, bytes| used((&event, bytes)));
});
