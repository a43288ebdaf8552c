//! NPY files, NumPy's format for an array: type and shape, followed by the numbers.

mod dtype;
mod header;
mod source;

pub use dtype::{ByteOrder, Dtype, Kind};
pub use header::{Header, too_large, tuple};
pub use source::{Numbers, open_numbers};
