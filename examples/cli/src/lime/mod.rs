//! LIME files: `inspect` and `check` read their SciDAC and ILDG content, the tools only their records.

mod command;
pub mod human;
mod tools;
mod usqcd;

pub use command::{Command, EXAMPLES, run};
