//! The contents of an INEBIN file, as far as they were found.

use linkstream::inebin::{Header, MatrixType};

use super::figures::Figures;

/// Everything about an INEBIN file except its findings.
#[derive(Debug, Default)]
pub struct Contents {
    /// `None` if the header is missing or cannot be read.
    pub header: Option<Header>,
    /// `None` if the data were not read to their end.
    pub figures: Option<Figures>,
}

/// The type of the matrix as a word.
pub const fn word(matrix: MatrixType) -> &'static str {
    match matrix {
        MatrixType::Boolean => "boolean",
        MatrixType::Integer => "integer",
        MatrixType::Real => "real",
        MatrixType::Complex => "complex",
    }
}
