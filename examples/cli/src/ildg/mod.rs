//! ILDG files made, and named.

mod array;
mod command;
mod interrupted;
mod lock;
mod make;
mod make_arguments;
mod set_lfn;

pub use command::{Command, run};
pub use make_arguments::extents;
