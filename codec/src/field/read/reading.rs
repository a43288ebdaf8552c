//! What is kept of the document that is being read.

use crate::state::saved;
use crate::xml::{Found, Namespaces, Parser};

/// The document that is being read.
#[derive(Debug, Clone)]
pub(crate) struct Reading {
    pub(crate) parser: Parser,
    /// Which of its elements count.
    pub(super) names: Namespaces,
    /// Something in it cannot be understood: it will describe nothing.
    pub(crate) spoilt: bool,
    /// What is wrong with the next byte as a part of the document, until it is reported.
    pub(super) found: Found,
    /// The parser has taken the next byte.
    pub(super) ahead: bool,
}

saved!(struct Reading { parser, names, spoilt, found, ahead });

impl Reading {
    /// For a document whose elements have a namespace, or not.
    pub(super) const fn new(namespaced: bool) -> Self {
        Self {
            parser: Parser::START,
            names: Namespaces::new(namespaced),
            spoilt: false,
            found: Found::Nothing,
            ahead: false,
        }
    }
}
