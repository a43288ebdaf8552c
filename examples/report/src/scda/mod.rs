//! scda files: sections of bytes, some of them compressed.

mod contents;
pub mod json;
mod survey;

pub use contents::{Compressed, Contents, Half, SectionEntry, text, words};
pub use survey::{ELEMENT, survey};
