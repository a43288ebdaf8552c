//! LIME files with SciDAC and ILDG content.

mod contents;
mod fields;
pub mod json;
mod survey;

pub use contents::{Contents, FieldEntry, RecordEntry, Stored};
pub use survey::survey;
