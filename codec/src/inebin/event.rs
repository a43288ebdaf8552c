//! What the decoder reports: the matrix, and where its entries are.

use super::error::ErrorKind;
use super::header::Header;
use crate::error::Error;

/// What a step of the [`Decoder`](super::Decoder) can be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Event {
    /// Type and shape are known. The data follow.
    Header(Header),
    /// The bytes consumed by this step are data; [`Entries`](super::Entries) makes numbers of them.
    Data,
    /// The matrix is complete; the file should end here.
    End,
    /// Something worth telling that the [`Mode`](crate::Mode) does not refuse. Reading goes on.
    Finding(Error<ErrorKind>),
}
