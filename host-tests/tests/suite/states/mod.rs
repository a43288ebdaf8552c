//! Saved states.

mod archives;
pub mod changed;
mod decoders;
mod encoders;
mod golden;
mod positions;
mod volumes;
