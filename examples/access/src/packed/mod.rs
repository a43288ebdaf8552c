//! Compressed files and archives of tar, which are read as they are: the content passes by once, and little of it is in
//! memory at any time.
//!
//! Damage of a compression, or of an archive, ends the content early. Whoever reads the content must look at
//! [`Unpacked::fault`] at the end, even if everything in it is as it should be.

mod archive;
mod compression;
mod content;
mod counted;
mod fault;
mod zstandard;

pub use archive::Kind;
pub use compression::{Compression, Unpacker};
pub use content::{Content, FIRST, Unpacked, is_packed, unpack};
pub use fault::{Fault, What};
