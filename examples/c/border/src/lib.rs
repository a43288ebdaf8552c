//! The border between C programs and all C libraries of linkstream: the last error of a thread, an end for panics,
//! handles, the streams of the C library, and what happens to old files.

#[cfg(not(unix))]
compile_error!("the C libraries need Unix: they share files and streams with the C library of the system");

mod buffer;
mod guard;
mod handles;
mod last;
mod replace;
mod stream;

pub use guard::{Unwound, guard, guarded};
pub use handles::Handles;
pub use last::{Failure, LastError, fail, last, linkstream_last_error};
pub use replace::replaces_when_complete;
pub use stream::{KeptStream, Stream};

/// Without memory, a call returns an error. Each library has this allocator, because each is linked with this package.
#[global_allocator]
static MEMORY: linkstream_memory::Reserve = linkstream_memory::Reserve;
