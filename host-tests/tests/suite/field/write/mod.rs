//! Writing fields.

mod files;
mod misuse;
mod order;
mod properties;
mod refusals;
mod sinks;
mod sites;
mod styles;
mod written;
