//! What is kept of the document that is being read.

use crate::state::saved;
use crate::xml::Parser;

/// The document that is being read.
#[derive(Debug, Clone)]
pub(crate) struct Reading {
    pub(crate) parser: Parser,
    /// Something in it cannot be understood: it will describe nothing.
    pub(crate) spoilt: bool,
    /// What is wrong with the next byte has been reported.
    pub(super) reported: bool,
}

saved!(struct Reading { parser, spoilt, reported });

impl Reading {
    pub(super) const fn new() -> Self {
        Self { parser: Parser::new(), spoilt: false, reported: false }
    }
}
