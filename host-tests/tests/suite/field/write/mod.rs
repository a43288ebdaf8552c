//! Writing fields.

mod files;
mod misuse;
mod order;
mod properties;
pub mod refusals;
mod sinks;
mod sites;
mod staged;
mod styles;
pub mod written;
