//! NERSC archives.

mod chunks;
mod fixtures;
mod groups;
pub mod support;
mod write;
