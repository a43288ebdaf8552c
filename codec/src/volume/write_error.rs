//! Why a call of the volume encoder is refused.

use crate::field;
use crate::lime;
use crate::messages::messages;

messages! {
    /// Why an [`Encoder`](super::Encoder) refuses a call. A refused call has no effect.
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
        /// More sites than the lattice or the region has, or than the site list.
        TooManySites {
            /// Sites of the volume.
            sites: u64,
            /// At most.
            most: u64,
        } => ("the volume would have {sites} sites of the {most} that there are"),
        /// No entries of the site list are expected.
        NoList => ("no entries of a site list are expected"),
        /// A rank outside the lattice, larger than the largest that was announced, or not above the last in a partition.
        Rank {
            /// The rank.
            rank: u64,
        } => ("rank {rank} cannot be the next entry of the site list"),
        /// A site of another length than the field has.
        SiteLength {
            /// Bytes that a site must have.
            needed: u64,
        } => ("a site of this field has {needed} bytes"),
        /// The sites of the data are not those of the site list, in its order.
        SitesDiffer => ("the sites that were written are not those of the site list, in its order"),
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
