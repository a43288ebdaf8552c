//! Saved states.

mod archives;
pub mod changed;
mod decoders;
mod encoders;
mod golden;
mod in_place;
mod positions;
mod volumes;
