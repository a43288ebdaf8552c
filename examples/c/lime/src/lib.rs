//! liblime: the C interface of LIME 1.2, on streams of the C library. `include/lime.h` documents the calls.
//!
//! [`reader`] and [`writer`] work on handles in safe Rust. [`calls`] are the functions that C programs call: they check
//! pointers, and pass on what the others return.

pub mod calls;
pub mod code;
pub mod header;
pub mod reader;
pub mod writer;
