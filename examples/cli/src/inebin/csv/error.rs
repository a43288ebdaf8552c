//! Errors in a CSV text.

use std::fmt;

use linkstream::inebin::MatrixType;

use super::separator::Separator;
use crate::failure::Failure;
use crate::human::{counted, one_line};
use linkstream_report::inebin::word;

/// Why a text is not a matrix. Lines and fields are counted from 1.
#[derive(Debug)]
pub enum CsvError {
    /// A row with another number of fields than the first.
    Ragged { line: u64, found: usize, first_line: u64, expected: usize },
    /// A field that is not a value of the requested type.
    Unreadable { line: u64, field: usize, text: String, matrix: MatrixType },
    /// The first row contains more than one possible separator.
    Ambiguous { line: u64, separators: Vec<Separator> },
    /// A real part without an imaginary part.
    Odd { line: u64, found: usize },
    /// More rows or columns than the header of a matrix can hold.
    TooLarge { line: u64 },
}

/// Number of characters shown of an unreadable field.
const SHOWN: usize = 60;

impl fmt::Display for CsvError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Ragged { line, found, first_line, expected } => {
                let found = counted(*found, "field", "fields");
                write!(f, "line {line} has {found}, but line {first_line} has {expected}")
            }
            Self::Unreadable { line, field, text, matrix } => {
                let article = if *matrix == MatrixType::Integer { "an" } else { "a" };
                let word = word(*matrix);
                let shown: String = one_line(text).chars().take(SHOWN).collect();
                let cut = if text.chars().nth(SHOWN).is_some() { "…" } else { "" };
                write!(f, "line {line}, field {field}: \"{shown}\"{cut} is not {article} {word} value")
            }
            Self::Ambiguous { line, separators } => {
                let names: Vec<_> = separators.iter().map(|separator| separator.name()).collect();
                let names = names.join(" or ");
                write!(
                    f,
                    "line {line}: the separator may be {names}; choose it with --separator, or use --separator any for all of them"
                )
            }
            Self::Odd { line, found } => {
                let found = counted(*found, "field", "fields");
                write!(f, "line {line} has {found}, which does not make pairs of real and imaginary parts")
            }
            Self::TooLarge { line } => {
                write!(f, "line {line}: a matrix has at most 4294967295 rows and columns")
            }
        }
    }
}

impl From<CsvError> for Failure {
    fn from(error: CsvError) -> Self {
        Self::invalid(&error)
    }
}

impl CsvError {
    /// The part of a field that is shown; a field can be as long as the file.
    pub fn beginning(field: &[u8]) -> String {
        // A character has at most four bytes; one extra shows whether text was cut off.
        String::from_utf8_lossy(&field[..field.len().min(4 * (SHOWN + 1))]).into_owned()
    }
}
