//! Compressed files and archives of tar, which are read as they are: the content passes by once, and little of it is in
//! memory at any time.
//!
//! Damage of a compression, or of an archive, ends the content early. Whoever reads the content must look at
//! [`Unpacked::fault`] at the end, even if everything in it is as it should be.

#[cfg(feature = "packed")]
mod archive;
#[cfg(feature = "packed")]
mod compression;
#[cfg(feature = "packed")]
mod content;
#[cfg(feature = "packed")]
mod counted;
mod fault;
#[cfg(feature = "packed")]
mod zstandard;

#[cfg(feature = "packed")]
pub use archive::Kind;
#[cfg(feature = "packed")]
pub use compression::{Compression, Unpacker};
#[cfg(feature = "packed")]
pub use content::{Content, FIRST, Unpacked, is_packed, unpack};
pub use fault::{Fault, What, unpacked_name};
