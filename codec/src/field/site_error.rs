//! Errors of reading and writing a site or a link.

use crate::lattice::Precision;
use crate::limits::OverLimit;
use crate::messages::messages;

messages! {
    /// Why a site or a link cannot be read or written as requested. A refused call changes nothing.
    ///
    /// # Example
    /// ```
    /// use linkstream::field::SiteError;
    /// use linkstream::lattice::Precision;
    ///
    /// let error = SiteError::WordType { stored: Precision::F32 };
    /// assert_eq!(
    ///     error.to_string(),
    ///     "the field stores 32-bit floating-point numbers, but the words are of another type"
    /// );
    /// ```
    pub enum SiteError {
        /// The type of the words is not the type of the numbers that the field stores.
        WordType {
            /// The precision of the numbers that the field stores.
            stored: Precision,
        } => ("the field stores {}-bit floating-point numbers, but the words are of another type", stored.bits()),
        /// There are too few or too many words for the site, the link or the field.
        Length {
            /// The length of the data in bytes.
            needed: u64,
            /// The length in bytes that the words would have in the file.
            given: u64,
        } => ("wrong number of words: the data have {needed} bytes, but the words would take {given}"),
        /// The field is larger than the limit of the reader.
        Limit(error: OverLimit) => (..error),
        /// The field does not store floating-point numbers.
        NotNumbers => ("the field does not store floating-point numbers"),
        /// A finite number would be infinite when it is rounded to single precision, which the field stores.
        Overflow {
            /// The index of the first such number, counted from 0: in the slice, or in the site or link where one is set.
            index: u64,
        } => ("the number with index {index} (counted from 0) is too large for single precision, in which the field is stored"),
        /// The field has no links: it is not a gauge field.
        NoLinks => ("the field has no links: it is not a gauge field"),
        /// A site of the field does not have a link with this index.
        NoSuchLink {
            /// The index of the link, counted from 0.
            index: usize,
            /// The number of links of a site.
            links: u32,
        } => ("there is no link with index {index}: a site of this field has {links} links (counted from 0)"),
        /// The site has no number with this index, or the element is not in the stored part of the matrix.
        NoSuchElement => ("the index is outside the site, or outside the stored part of the matrix"),
        /// The place is set before one that must be set first: numbers of sites with more than 512 numbers are set in
        /// stored order; see [`SiteMut`](super::SiteMut).
        NotInOrder {
            /// The byte of the site that must be put first.
            next: u64,
        } => (
            "this site is too large to be set in any order: byte {next} of the site must be set first; `put` all of it \
             before (zeros, for example), and then set numbers in any order"
        ),
    }
}
