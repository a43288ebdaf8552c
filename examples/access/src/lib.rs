//! Any file of lattice QCD through one layer: a single file, a set of volumes or an archive is opened, listed strictly,
//! and read or written in parallel, with typed errors.

#![forbid(unsafe_code)]

pub mod data;
pub mod findings;
pub mod set;
pub mod source;
mod source_reader;
pub mod system;
pub mod text;
pub mod write;

pub use source_reader::SourceReader;
