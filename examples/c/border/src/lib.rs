//! The border between C programs and all C libraries of linkstream: the last error of a thread, an end for panics,
//! handles, and the streams of the C library.

mod guard;
mod handles;
mod last;
mod stream;

pub use guard::guard;
pub use handles::Handles;
pub use last::{Failure, LastError, fail, last, linkstream_last_error};
pub use stream::Stream;
