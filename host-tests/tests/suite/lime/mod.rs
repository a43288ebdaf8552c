//! LIME records.

mod cases;
mod chunks;
mod fixtures;
mod model;
mod pieces;
mod properties;
mod write;
