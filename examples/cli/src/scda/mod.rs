//! scda files: sections of bytes, some of them compressed.

mod cat;
mod command;
mod contents;
mod create;
pub mod human;
pub mod json;
mod pick;
mod survey;

pub use command::{Command, is_files_fault, run};
pub use contents::Contents;
pub use survey::survey;
