//! LIME files with SciDAC and ILDG content.

mod contents;
mod fields;
pub mod human;
pub mod json;
mod survey;

pub use contents::Contents;
pub use survey::survey;
