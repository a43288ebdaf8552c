//! A function that can panic.
#![no_std]
#![allow(unsafe_code, reason = "a C function has a name that the linker sees")]

#[path = "../../src/panics.rs"]
mod panics;

/// An element of a list, or a panic.
#[unsafe(no_mangle)]
#[allow(clippy::indexing_slicing, reason = "the panic is wanted")]
pub extern "C" fn lse_deliberate(index: usize) -> u32 {
    [1, 2, 3][index]
}
