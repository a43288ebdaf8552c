//! The command `export`: data of a file as an array of NumPy.

mod array;
mod command;
mod field;
mod header;
mod matrix;
mod section;

pub use command::{EXAMPLES, Export, run};
pub use field::described_at;
pub use header::say;
