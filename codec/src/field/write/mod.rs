//! Writing fields: messages of documents and data.

mod announced;
mod emit;
pub(super) mod encoder;
pub(super) mod fill;
pub(super) mod message;
