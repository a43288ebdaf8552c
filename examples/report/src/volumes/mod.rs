//! QIO's file sets: all volumes, reported as one file.

mod contents;
mod fields;
mod gather;
pub mod json;
mod open_volume;
mod reader;
mod survey;

pub use contents::{SetContents, VolumeEntry};
pub use reader::PartsReader;
pub use survey::{VolumeSource, survey};
