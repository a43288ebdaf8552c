//! `DML_Checksum`: the checksum of sites, as C programs see it.

use linkstream::lattice::Checksum;

/// `DML_Checksum` of `qio_parts.h`.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct DmlChecksum {
    /// First sum.
    pub suma: u32,
    /// Second sum.
    pub sumb: u32,
}

impl From<Checksum> for DmlChecksum {
    fn from(Checksum { suma, sumb }: Checksum) -> Self {
        Self { suma, sumb }
    }
}
