//! Writing fields: messages of documents and data.

pub(crate) mod begin;
pub(crate) mod begun;
mod consistency;
mod data;
pub(super) mod documents;
pub(crate) mod emit;
pub(super) mod encoder;
pub(super) mod fill;
pub(crate) mod layout;
pub(crate) mod message;
pub(super) mod next;
