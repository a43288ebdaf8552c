//! Sections as they are stored, compressed or not.

mod decode;
mod encode;
mod pass;
mod saved;

pub use decode::PlainDecoder;
pub(super) use decode::{Phase, Signal};
pub(super) use encode::PlainEncoder;
