//! What is kept of the document that is being read.

use crate::state::saved;
use crate::xml::{Found, Parser};

/// The document that is being read.
#[derive(Debug, Clone)]
pub(crate) struct Reading {
    pub(crate) parser: Parser,
    /// Something in it cannot be understood: it will describe nothing.
    pub(crate) spoilt: bool,
    /// What is wrong with the next byte as a part of the document, until it is reported.
    pub(super) found: Found,
    /// The parser has taken the next byte.
    pub(super) ahead: bool,
}

saved!(struct Reading { parser, spoilt, found, ahead });

impl Reading {
    pub(super) const fn new() -> Self {
        Self { parser: Parser::new(), spoilt: false, found: Found::Nothing, ahead: false }
    }
}
