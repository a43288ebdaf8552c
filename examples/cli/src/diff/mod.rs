//! The command `diff`.

mod command;
mod human;

pub use command::{Diff, EXAMPLES, run};
