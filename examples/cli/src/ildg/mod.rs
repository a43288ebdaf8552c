//! The commands that make ILDG files and set their logical file names.

mod array;
mod command;
mod interrupted;
mod lock;
mod make;
mod make_arguments;
mod set_lfn;

pub use command::{Command, EXAMPLES, run};
pub use lock::{is_same_file, locked};
pub use make_arguments::extents;
