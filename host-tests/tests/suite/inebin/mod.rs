//! INEBIN matrices.

mod chunks;
mod entries;
mod fixtures;
pub mod model;
mod properties;
mod sinks;
mod sniff;
mod write;
