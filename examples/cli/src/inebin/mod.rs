//! INEBIN files: matrices of booleans, integers, real and complex numbers.

mod command;
mod contents;
mod csv;
mod figures;
pub mod human;
pub mod json;
mod look;
mod survey;

pub use command::{Command, is_files_fault, run};
pub use contents::Contents;
pub use survey::survey;
