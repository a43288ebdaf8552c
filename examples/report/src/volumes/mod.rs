//! QIO's file sets: all volumes, reported as one file.

mod contents;
mod count;
mod data;
mod fault;
mod gather;
mod joined;
pub mod json;
mod merge;
mod open;
mod open_volume;
mod reader;
mod recognise;
mod run;
mod single;
mod survey;

pub use contents::{SetContents, VolumeEntry};
pub use fault::SetFault;
pub use open::VolumeSource;
pub use reader::PartsReader;
pub use recognise::{FIRST, is_volume};
pub use single::SetAsFile;
pub use survey::survey;
