//! INEBIN files: matrices of booleans, integers, real and complex numbers.

mod command;
mod csv;
pub mod human;

pub use command::{Command, EXAMPLES, run};
