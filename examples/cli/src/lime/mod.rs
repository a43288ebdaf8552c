//! LIME files: with SciDAC and ILDG content for `inspect` and `check`, and as mere records for the tools.

mod command;
pub mod human;
mod tools;
mod usqcd;

pub use command::{Command, run};
