//! What distinguishes one kind of document from another.

use super::element::Seen;

/// What distinguishes one kind of document from another.
#[derive(Debug)]
pub(crate) struct Schema {
    /// Name of the root element.
    pub(crate) root: &'static str,
    /// The elements that have a meaning in this document. Others are skipped with all their content.
    pub(crate) elements: Seen,
    /// Those of them that a document must have, unless its other elements say otherwise.
    pub(crate) required: Seen,
    /// The digit of the latest version 1.x.
    pub(crate) latest: u8,
    /// The elements are of the namespace of the schema of ILDG and in the order of its sequence; integers may have
    /// a plus sign.
    pub(crate) namespaced: bool,
}
