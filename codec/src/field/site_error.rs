//! Why numbers or links do not go with a site.

use crate::lattice::Precision;
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
    ///     "the field stores 32-bit floating point numbers, the words are of another type"
    /// );
    /// ```
    pub enum SiteError {
        /// The words have another type than the numbers that the field stores.
        WordType {
            /// What the field stores.
            stored: Precision,
        } => ("the field stores {}-bit floating point numbers, the words are of another type", stored.bits()),
        /// The words are not as many as the site or the link holds.
        Length {
            /// Bytes of the site or the link.
            needed: u64,
            /// Bytes that the words take in the file.
            given: u64,
        } => ("{needed} bytes are stored here, the words given take {given}"),
        /// The field does not store floating-point numbers.
        NotNumbers => ("the field does not store floating point numbers"),
        /// The field has no links: it is not a gauge field.
        NoLinks => ("the field has no links: it is not a gauge field"),
        /// A link beyond those of the site.
        NoSuchLink {
            /// Its direction index.
            index: usize,
            /// How many links a site has.
            links: u32,
        } => ("there is no link of index {index}: a site of this field has {links}"),
        /// A number beyond those of the site, or an element outside the stored part of the matrix.
        NoSuchElement => ("the element is outside the stored part of the matrix, or the number outside the site"),
    }
}
