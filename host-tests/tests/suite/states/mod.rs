//! Saved states.

mod archives;
mod changed;
mod decoders;
mod encoders;
mod golden;
mod positions;
mod volumes;
