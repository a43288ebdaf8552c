//! The drivers of `io` that people use: what they read is what the decoders give, over every source.

mod constructors;
mod matrices;
mod records;
mod sections;
mod sources;
mod twins;
pub mod writers;
