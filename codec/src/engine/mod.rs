//! The parts shared by all decoders and encoders: the step of a decoder and its contract, the same for an encoder, their
//! derivation from state machines, and the loops that drive them.

pub(crate) mod callback;
#[cfg(feature = "contract")]
pub mod contract;
pub(crate) mod encode;
pub(crate) mod machine;
pub(crate) mod payload;
pub(crate) mod step;
