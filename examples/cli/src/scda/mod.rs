//! scda files: sections of bytes, some of them compressed.

mod cat;
mod command;
mod create;
pub mod human;
mod pick;

pub use command::{Command, EXAMPLES, run};
