//! Collective reading and writing: the ranks of a job read or write one file together, and the file is the one that a
//! single process would write.
#![forbid(unsafe_code)]
#![warn(missing_docs)]

#[cfg(not(unix))]
compile_error!("linkstream-parallel needs Unix: it locks files with flock, and reads and writes at offsets");

mod arguments;
pub mod comm;
pub mod error;
pub mod field;
pub mod file;
pub mod scda;
mod session;

pub use arguments::{Arguments, DIFFERENT};
pub use error::{Error, ErrorKind, Fault};
pub use session::Session;
