//! Verifies a gauge configuration whose lattice and datatype are known: the code of the page `guide::known_geometry`.
#![no_std]
#![no_main]

#[path = "../../../../../codec/src/guide/known_geometry.rs"]
mod known_geometry;

use known_geometry::Verifier;
use probes::{unknown, used};

probes::probe!({
    let mut verifier = Verifier::<288>::new(unknown(512));
    let buffer = [0; 64];
    loop {
        let chunk: &[u8] = unknown(&buffer);
        if chunk.is_empty() {
            break;
        }
        used(verifier.block(chunk));
    }
    used(verifier.end());
});
