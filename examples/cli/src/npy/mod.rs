//! NPY files, in which NumPy keeps an array: its type and shape, and then the numbers.

mod dtype;
mod header;

pub use dtype::{ByteOrder, Dtype, Kind};
pub use header::{Header, MAGIC, tuple};
