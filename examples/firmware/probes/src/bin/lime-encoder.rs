//! Writes LIME records: `lime::Encoder`.
#![no_std]
#![no_main]

use linkstream::Encode as _;
use linkstream::lime::{Encoder, Header};
use probes::{unknown, used};

probes::probe!({
    let mut encoder = Encoder::new();
    loop {
        let record_type: &[u8] = unknown(b"a type");
        let Ok(header) = Header::new(record_type, unknown(1), unknown(true), unknown(true)) else { break };
        used(encoder.begin(&header));
        used(encoder.payload(unknown(1)));
        used(encoder.end());
    }
    used(encoder.finish());
});
