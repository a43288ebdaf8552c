//! Reading fields: the decoder, the documents and the data that it understands.

pub(super) mod data;
pub(crate) mod decoder;
mod describe;
pub(crate) mod description;
pub(crate) mod document;
pub(super) mod event;
pub(crate) mod judge;
mod phases;
mod reading;
pub(crate) mod record_kind;
