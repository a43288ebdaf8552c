//! The errors of parts of fields.

use crate::field::error::SiteError;
use crate::lattice::HypercubeError;
use crate::messages::messages;

messages! {
    /// Reason why the numbers or bytes of a [`BoxPart`](crate::field::BoxPart) are refused.
    ///
    /// # Example
    /// ```
    /// use linkstream::field::{BoxError, BoxPart, FieldDocuments};
    /// use linkstream::lattice::{Extents, Precision};
    /// use linkstream::scidac::PrivateRecord;
    ///
    /// let record = PrivateRecord::real_field(Precision::F64);
    /// let field = FieldDocuments::scidac(record).layout(&Extents::new(&[4, 4])?)?;
    /// let part = BoxPart::whole(&field);
    /// assert_eq!(part.fill(&[0.5_f64; 16], &mut [0; 100]), Err(BoxError::TooSmall { needed: 128 }));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub enum BoxError {
        /// The numbers do not have the length of the box, or are not of the field.
        Site(error: SiteError) => (..error),
        /// The box is not in the lattice of the field.
        Cube(error: HypercubeError) => (..error),
        /// The part does not have these sites.
        NoSuchSites {
            /// The first site of the window.
            start: u64,
            /// The site after the last one.
            end: u64,
            /// The number of sites of the box.
            sites: u64,
        } => ("there is no window of the sites {start}..{end}: the box has {sites} sites (counted from 0)"),
        /// The bytes do not have the length of the window.
        Bytes {
            /// Length of the window in bytes.
            needed: u64,
            /// Length of the slice.
            given: u64,
        } => ("the sites have {needed} bytes, but the slice has {given}"),
        /// The buffer is too small for the window.
        TooSmall {
            /// The length that it must have, in bytes.
            needed: u64,
        } => ("the buffer is too small: it must have {needed} bytes"),
        /// The function of the caller returned a place that its memory does not have.
        NoSuchPlace {
            /// Rank of the site in the full lattice.
            rank: u64,
            /// Index of the place in memory, in sites.
            place: usize,
            /// The number of sites in memory.
            places: usize,
        } => ("the site of rank {rank} has no place {place} in memory, which has {places} sites (counted from 0)"),
    }
}

impl From<SiteError> for BoxError {
    fn from(error: SiteError) -> Self {
        Self::Site(error)
    }
}

impl From<HypercubeError> for BoxError {
    fn from(error: HypercubeError) -> Self {
        Self::Cube(error)
    }
}
