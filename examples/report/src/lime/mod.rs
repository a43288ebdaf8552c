//! LIME files with SciDAC and ILDG content.

mod contents;
mod data;
mod data_in_parts;
mod fields;
pub mod json;
mod survey;
mod texts;

pub use contents::{Contents, FieldEntry, RecordEntry, Stored};
pub use survey::survey;
pub use texts::{LONGEST, LONGEST_IN_ALL, Text};
