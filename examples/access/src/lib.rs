//! Any file of lattice QCD through one layer: a single file, a set of volumes or an archive is opened, listed strictly,
//! and read or written in parallel, with typed errors.

#![forbid(unsafe_code)]

pub mod text;
pub mod write;
