//! What was found in an INEBIN file.

use linkstream::inebin::{Header, MatrixType};

use super::figures::Figures;

/// Everything about an INEBIN file but what is wrong with it.
#[derive(Debug, Default)]
pub struct Contents {
    /// `None`: there is none, or nothing can be made of it.
    pub header: Option<Header>,
    /// `None`: the data were not read to their end.
    pub figures: Option<Figures>,
}

/// The type in a word.
pub const fn word(matrix: MatrixType) -> &'static str {
    match matrix {
        MatrixType::Boolean => "boolean",
        MatrixType::Integer => "integer",
        MatrixType::Real => "real",
        MatrixType::Complex => "complex",
    }
}
