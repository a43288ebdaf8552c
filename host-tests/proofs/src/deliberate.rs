//! The counter-test: indexes a slice with an unknown number, so this program must not link.
#![no_std]
#![no_main]

use proofs::{unknown, used};

#[unsafe(no_mangle)]
extern "C" fn main() -> core::ffi::c_int {
    let bytes: &[u8] = unknown(&[1, 2, 3]);
    used(bytes[unknown(2_usize)]);
    0
}
