//! liblinkstream: files of all formats for new C programs. `include/linkstream.h` documents the calls.
//!
//! [`calls`] are the functions that C programs call; with [`memory`], they are the only unsafe code, besides the source
//! that reads the memory of a caller. All other modules are safe Rust on top of `linkstream-access` and
//! `linkstream-report`.

pub mod answer;
pub mod calls;
pub mod fields;
pub mod matrix;
pub mod memory;
pub mod new_file;
pub mod opened;
pub mod progress;
pub mod reports;
pub mod sections;
pub mod sources;
pub mod structures;
pub mod writer;
