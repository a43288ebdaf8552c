//! Saved states.

mod changed;
mod decoders;
mod encoders;
mod positions;
