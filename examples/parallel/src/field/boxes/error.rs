//! The errors of parts of fields.

use linkstream::field::SiteError;
use linkstream::lattice::HypercubeError;

/// Reason why the numbers or bytes of a [`BoxPart`](super::BoxPart) are refused.
///
/// # Example
/// ```
/// use linkstream::field::FieldDocuments;
/// use linkstream_parallel::field::{BoxError, BoxPart};
/// use linkstream::lattice::{Extents, Precision};
/// use linkstream::scidac::PrivateRecord;
///
/// let record = PrivateRecord::real_field(Precision::F64);
/// let field = FieldDocuments::scidac(record).layout(&Extents::new(&[4, 4])?)?;
/// let part = BoxPart::whole(&field);
/// assert_eq!(part.fill(&[0.5_f64; 16], &mut [0; 100]), Err(BoxError::TooSmall { needed: 128 }));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BoxError {
    /// The numbers do not have the length of the box, or are not of the field.
    #[error(transparent)]
    Site(#[from] SiteError),
    /// The box is not in the lattice of the field.
    #[error(transparent)]
    Cube(#[from] HypercubeError),
    /// The part does not have these sites.
    #[error("there is no window of the sites {start}..{end}: the box has {sites} sites (counted from 0)")]
    NoSuchSites {
        /// The first site of the window.
        start: u64,
        /// The site after the last one.
        end: u64,
        /// The number of sites of the box.
        sites: u64,
    },
    /// The bytes do not have the length of the window.
    #[error("the sites have {needed} bytes, but the slice has {given}")]
    Bytes {
        /// Length of the window in bytes.
        needed: u64,
        /// Length of the slice.
        given: u64,
    },
    /// The buffer is too small for the window.
    #[error("the buffer is too small: it must have {needed} bytes")]
    TooSmall {
        /// The length that it must have, in bytes.
        needed: u64,
    },
    /// The function of the caller returned a place that its memory does not have.
    #[error(
        "the site of rank {rank} has no place {place} in memory, which has {places} sites (counted from 0)"
    )]
    NoSuchPlace {
        /// Rank of the site in the full lattice.
        rank: u64,
        /// Index of the place in memory, in sites.
        place: usize,
        /// The number of sites in memory.
        places: usize,
    },
}
