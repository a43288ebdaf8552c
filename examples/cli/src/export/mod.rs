//! The command `export`: data of a file as an array of NumPy.

mod array;
mod command;
mod field;
mod matrix;
mod section;

pub use command::{EXAMPLES, Export, run, say};
pub use field::described_at;
