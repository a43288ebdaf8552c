//! Writing fields: messages of documents and data.

pub(crate) mod begin;
pub(crate) mod begun;
pub(super) mod data;
pub(super) mod documents;
pub(super) mod encoder;
pub(crate) mod message;
