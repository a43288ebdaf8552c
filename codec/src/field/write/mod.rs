//! Writing fields: messages of documents and data.

mod begin;
mod consistency;
mod data;
pub(super) mod documents;
mod emit;
pub(super) mod encoder;
pub(super) mod fill;
mod identity;
mod layout;
pub(super) mod message;
pub(super) mod next;
