//! QIO's file sets.

pub mod broken;
mod chunks;
mod fixtures;
pub mod support;
mod truncated;
mod write;
