//! The CRC-32 alone, with its tables.
#![no_std]
#![no_main]

use probes::{unknown, used};

probes::probe!({
    let bytes: &[u8] = unknown(b"bytes");
    used(linkstream::crc::crc32(unknown(0), bytes));
});
