//! NERSC archives.

mod chunks;
mod fixtures;
pub mod support;
mod write;
