//! Reads LIME records: `lime::Decoder`.
#![no_std]
#![no_main]

use linkstream::Mode;
use linkstream::lime::Decoder;
use probes::{decode, unknown, used};

probes::probe!({
    let mut decoder = Decoder::new(unknown(Mode::Strict));
    decode(&mut decoder, |event, decoder, bytes| used((&event, decoder.record_type(), bytes)));
});
