//! Makes SciDAC files and files of the USQCD formats from raw data or NumPy arrays.

mod arguments;
mod array;
mod command;
mod field;
mod propagator;
mod records;
mod texts;

pub use command::{Command, EXAMPLES, run};
