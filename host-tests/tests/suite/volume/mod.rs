//! QIO's file sets.

pub mod broken;
mod chunks;
mod fixtures;
mod places;
mod sites;
pub mod support;
mod truncated;
mod write;
