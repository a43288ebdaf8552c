//! NPY files, in which NumPy keeps an array: its type and shape, and then the numbers.

mod dtype;
mod header;
mod source;

pub use dtype::{ByteOrder, Dtype, Kind};
pub use header::{Header, tuple};
pub use source::{Numbers, open_numbers};
