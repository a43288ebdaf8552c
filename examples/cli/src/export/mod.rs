//! The command `export`: data of a file as a NumPy array.

mod command;
mod field;
mod header;
mod matrix;
mod section;

pub use command::{EXAMPLES, Export, run};
pub use field::described_at;
pub use header::say;
