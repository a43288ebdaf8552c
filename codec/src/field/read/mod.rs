//! Reading fields: the decoder, the documents and the data that it understands.

pub(super) mod data;
pub(crate) mod decoder;
pub(crate) mod describe;
pub(crate) mod description;
pub(super) mod event;
pub(crate) mod judge;
mod phases;
