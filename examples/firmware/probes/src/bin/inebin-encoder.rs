//! Writes a matrix of real numbers: `inebin::Encoder`.
#![no_std]
#![no_main]

use linkstream::Encode as _;
use linkstream::inebin::{Encoder, Header, MatrixType};
use probes::{unknown, used};

probes::probe!({
    let Ok(header) = Header::new(unknown(MatrixType::Real), unknown(2), unknown(2)) else { return };
    used(header.to_bytes());
    let mut encoder = Encoder::new(&header);
    let mut out = [0; 64];
    let numbers: &[f64] = unknown(&[0.0; 4]);
    let mut numbers = numbers.iter().copied();
    while let Ok(1..) = encoder.encode(&mut numbers, &mut out) {
        used(&out);
    }
    used(encoder.finish());
});
