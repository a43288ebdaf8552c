//! The lattice: extents, order of sites, hypercubes, and the checksum over sites.
//!
//! This is common to SciDAC and ILDG. Sites are numbered by their rank, coordinate 0 running fastest (QIO 2.3,
//! "Lattice layout"; ILDG binary format 1.2, section 2.5.1: x fastest, then y, z, t).

mod checksum;
mod extents;
mod site_order;
mod word;

pub use checksum::{Checksum, Residues};
pub use extents::{Coordinates, Extents, ExtentsError, MAX_DIMENSIONS};
pub use site_order::{Hypercube, HypercubeError, Region, SiteOrder};
pub use word::{ByteOrder, Float, Precision, Word, reverse_words};

pub(crate) use checksum::SiteSum;
pub(crate) use site_order::Cursor;
