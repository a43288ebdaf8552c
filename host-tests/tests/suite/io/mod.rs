//! The typed readers and writers of `io`, compared with the decoders and encoders, for every kind of source and sink.

mod any_calls;
mod archives;
mod constructors;
mod dropped;
mod dropped_writes;
mod fair;
mod field_sources;
mod matrices;
mod misuse;
mod misuse_of_sizes;
mod misuse_of_volumes;
mod misuse_of_writers;
mod records;
mod refused_whole;
mod sections;
mod sources;
mod twins;
mod writer_misuse;
pub mod writers;
