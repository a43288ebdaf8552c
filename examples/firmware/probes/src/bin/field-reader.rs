//! Reads a LIME file from a stream and verifies its fields, without access to their sites: `io::Reader`.
#![no_std]
#![no_main]

use linkstream::Mode;
use linkstream::field::Decoder;
use linkstream::io::Reader;
use probes::{Port, unknown, used};

probes::probe!({
    let mut buffer = [0; 512];
    let mut reader = Reader::new(Port, &mut buffer[..], Decoder::new(unknown(Mode::Strict)));
    while let Ok(Some(event)) = reader.next() {
        used((&event, reader.bytes()));
    }
});
