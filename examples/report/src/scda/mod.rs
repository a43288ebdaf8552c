//! scda files: sections of bytes, some of them compressed.

mod contents;
pub mod json;
mod survey;
#[cfg(all(test, feature = "parallel"))]
mod tests;
mod unpacker;

pub use contents::{Compressed, Contents, SectionEntry, text, words};
pub use survey::survey;
pub use unpacker::Unpacker;
