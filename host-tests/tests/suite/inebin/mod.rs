//! INEBIN matrices.

mod chunks;
mod entries;
mod fixtures;
mod model;
mod properties;
mod sinks;
mod sniff;
mod write;
