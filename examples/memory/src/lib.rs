//! Without memory there is an error, never the end of the process.
//!
//! Rust ends the process if `Vec`, `Box` or `String` get no memory. Two things prevent that:
//! - Memory whose size comes from a file or from the caller is requested by [`zeroed`], [`room`] and [`push`], which
//!   return an error, or by their counterparts in [`unwinding`], for code that has no way to return one.
//! - All other requests are small. [`Reserve`], the allocator of programs and libraries, serves them from a reserve if the
//!   system has none, and [`check`], which each read of a file calls, then ends the work with an error.

mod reserve;
mod short;
mod thread;

pub use bytemuck::Zeroable;
pub use reserve::{Reserve, check};
pub use short::{Short, afford, collect, copied, extend, push, resize, room, unwinding, zeroed};
pub use thread::afford_thread;
