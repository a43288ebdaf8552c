//! Saved states.

mod archives;
mod changed;
mod decoders;
mod encoders;
mod positions;
mod volumes;
