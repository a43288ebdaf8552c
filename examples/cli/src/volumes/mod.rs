//! QIO's file sets: which files they consist of, and how they are shown.

pub mod human;
mod names;

pub use names::{SetName, volume_number};
