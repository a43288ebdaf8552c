//! The codec for controllers as a C library: see `include/linkstream_embedded.h`.
//!
//! No std, no allocator, no path to a panic. `memory` turns the caller's pointers into references, `decoder` and the
//! encoders do the work on references, and the files in `calls` have the C functions, which only translate.
#![no_std]

mod calls {
    mod field;
    mod inebin;
    mod lime;
    mod macros;
    mod scda;
}

mod decoder;
mod encoder;
mod events;
mod formats;
mod header;
mod kinds;
mod layout;
mod memory;
mod message;
mod panics;
mod sizes;
mod status;
