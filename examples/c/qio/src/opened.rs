//! State of a record that a program reads or writes piece by piece.

use linkstream::lattice::Checksum;
use linkstream::lime::Record;

use crate::factory::Indices;

/// A record of data that a program has opened, to write all data in one call or single sites.
#[derive(Debug)]
pub(crate) struct Writing {
    pub(crate) record: Record,
    pub(crate) size: usize,
    pub(crate) record_type: String,
    pub(crate) flags: [bool; 2],
    /// Set if the header has been written.
    pub(crate) sites: Option<Sites>,
}

/// Single sites that this rank has written.
#[derive(Debug)]
pub(crate) struct Sites {
    /// The sites, by their place in the volume.
    pub(crate) done: Indices,
    pub(crate) sum: Checksum,
    pub(crate) bytes: u64,
}

/// A record of data that a program has opened to read single sites.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reading {
    /// The record in the only file; of a set, each rank has its own.
    pub(crate) record: Record,
    pub(crate) size: usize,
    /// Checksum and number of bytes of this rank.
    pub(crate) sum: Checksum,
    pub(crate) bytes: u64,
}
