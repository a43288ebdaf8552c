//! LIME files: with SciDAC and ILDG content for `inspect` and `check`, and as mere records for the tools.

mod command;
mod contents;
mod fields;
pub mod human;
pub mod json;
mod survey;
mod tools;

pub use command::{Command, is_files_fault, run};
pub use contents::Contents;
pub use survey::survey;
