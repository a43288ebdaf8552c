//! The lattice: extents, order of sites, hypercubes, and the checksum over sites.
//!
//! This is common to SciDAC and ILDG. A site is numbered by its rank, with coordinate 0 running fastest (QIO 2.3,
//! section 2.1.1; ILDG 1.2, section 2.5.1: x fastest, then y, z, t):
//!
//! ```text
//! rank = c0 + L0 * (c1 + L1 * (c2 + L2 * c3))        extents L0 L1 L2 L3 = Lx Ly Lz Lt
//! ```
//!
//! | data of | sites, in stored order | rank of a site in the checksum |
//! | --- | --- | --- |
//! | [`Region::Lattice`] | all, by ascending rank | its rank |
//! | [`Region::Hypercube`] | the sites of the box, by ascending rank | its rank in the full lattice |
//! | [`Region::Global`] | none; the data count as one site | 0 |
//!
//! In a [volume](crate::volume) of a file set, the site list of the volume replaces the order. A lattice has 1 to 8
//! dimensions, as in QIO, and at most 2^64 - 1 sites.
//!
//! All numbers in LIME files are big-endian: [`Precision`] reads and writes floating-point numbers, [`Word`] also
//! integers.

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
