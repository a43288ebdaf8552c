//! Errors of the volume encoder.

use crate::field;
use crate::lime;
use crate::messages::messages;

messages! {
    /// Errors of an [`Encoder`](super::Encoder). The call that returns one has no effect.
    ///
    /// # Example
    /// ```
    /// use linkstream::volume::{EncodeErrorKind, Encoder, VolumeKind};
    ///
    /// // No site list is being written.
    /// assert_eq!(Encoder::new(VolumeKind::Other, 4, 3).entry(0), Err(EncodeErrorKind::NoList));
    /// ```
    pub enum EncodeErrorKind {
        /// An error in what a volume shares with single files, see [`field::EncodeErrorKind`].
        Field(kind: field::EncodeErrorKind) => (..kind),
        /// The file document is that of a single file.
        SingleFile => ("the file document is that of a single file, not of a volume"),
        /// The volume would have more sites than the lattice, the region, or the site list.
        TooManySites {
            /// The number of sites of the volume.
            sites: u64,
            /// The maximum.
            most: u64,
        } => ("the volume would have {sites} sites; at most {most} are possible"),
        /// No entries of the site list are expected.
        NoList => ("no entries of a site list are expected"),
        /// The rank is outside the lattice, larger than the declared largest rank, or repeated; or, in a partition,
        /// not larger than the previous one.
        Rank {
            /// The rank.
            rank: u64,
        } => ("rank {rank} cannot be the next entry of the site list"),
        /// The data of a site do not have the length that the field requires.
        SiteLength {
            /// The required length in bytes.
            needed: u64,
        } => ("wrong length of data: a site of this field has {needed} bytes"),
        /// The sites of the data are not those of the site list, in its order, or not in the hypercube of the field; or
        /// there are more or fewer ranks than sites.
        SitesDiffer => ("the sites that were written are not those of the site list, or are in another order"),
    }
}

impl From<field::EncodeErrorKind> for EncodeErrorKind {
    fn from(kind: field::EncodeErrorKind) -> Self {
        Self::Field(kind)
    }
}

impl From<lime::EncodeErrorKind> for EncodeErrorKind {
    fn from(kind: lime::EncodeErrorKind) -> Self {
        Self::Field(kind.into())
    }
}
