//! Writes scda sections: `scda::Encoder`.
#![no_std]
#![no_main]

use linkstream::Encode as _;
use linkstream::scda::{Encoder, Style};
use probes::{unknown, used};

probes::probe!({
    let mut encoder = Encoder::new(unknown(Style::Unix));
    let user: &[u8] = unknown(b"user");
    used(encoder.header(user, user));
    loop {
        used(encoder.array(user, unknown(2).into(), unknown(8).into()));
        used(encoder.varray(user, unknown(2).into()));
        used(encoder.size(unknown(8)));
        used(encoder.block(user, unknown(8).into()));
        used(encoder.put(user));
        if encoder.end().is_err() {
            break;
        }
    }
});
