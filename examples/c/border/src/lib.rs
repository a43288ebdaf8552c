//! What all C libraries of linkstream need at their border: the last error of a thread, an end for panics, and the
//! streams of the C library.

mod guard;
mod last;
mod stream;

pub use guard::guard;
pub use last::{Failure, LastError, clear, fail, last};
pub use stream::Stream;
