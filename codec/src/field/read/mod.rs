//! Reading fields: the decoder and what it understands.

pub(super) mod audit;
pub(super) mod data;
pub(super) mod decoder;
pub(super) mod describe;
pub(super) mod document;
pub(super) mod event;
pub(super) mod record_kind;
pub(super) mod summary;
