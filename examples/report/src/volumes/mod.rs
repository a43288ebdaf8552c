//! QIO's file sets: all volumes, reported as one file.

mod contents;
mod data;
pub mod json;
mod survey;

pub use contents::SetContents;
pub use survey::survey;
