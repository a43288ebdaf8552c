//! liblime: the C interface of LIME 1.2, on streams of the C library. `include/lime.h` documents the calls, `CALLS.md`
//! lists them.
//!
//! [`reading`] and [`writing`] do the work, in safe Rust. [`shown`] has the structures that C programs see, and
//! [`state`] the bytes that one process sends to another one. [`calls_reader`] and [`calls_writer`] are
//! the functions that C programs call: they check pointers, and pass on results.

mod calls;
pub mod calls_reader;
pub mod calls_writer;
pub mod code;
mod coverage;
pub mod header;
pub mod reading;
mod run;
mod seek;
pub mod shown;
pub mod state;
pub mod writing;
