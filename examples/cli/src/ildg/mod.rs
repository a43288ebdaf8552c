//! ILDG files made, and named.

mod command;
mod make;
mod set_lfn;

pub use command::{Command, run};
