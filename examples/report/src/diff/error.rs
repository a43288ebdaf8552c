//! Reasons why two files could not be compared.

use std::fmt::Display;

use linkstream::io::ReadError;
use linkstream::{Class, Diagnostic};

/// One of the two files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    First,
    Second,
}

/// An error that stopped a comparison.
#[derive(Debug, thiserror::Error)]
pub enum DiffError {
    /// A source failed.
    #[error("{message}")]
    Source { side: Side, message: String },
    /// A file is damaged and cannot be read further.
    #[error("at byte {at}: {message}")]
    Damaged { side: Side, at: u64, rule: &'static str, class: Class, message: String },
    /// The first bytes of a file match none of the known formats.
    #[error("unrecognised format")]
    UnknownFormat { side: Side },
    /// A file has become shorter since its structure was read.
    #[error("the file has changed while it was read")]
    Changed { side: Side },
}

impl DiffError {
    /// The file that the error concerns.
    pub const fn side(&self) -> Side {
        match self {
            Self::Source { side, .. }
            | Self::Damaged { side, .. }
            | Self::UnknownFormat { side }
            | Self::Changed { side } => *side,
        }
    }

    pub(super) fn source(side: Side, error: &impl Display) -> Self {
        Self::Source { side, message: error.to_string() }
    }

    pub(super) fn read<E: Display, K: Diagnostic>(side: Side, error: ReadError<E, K>) -> Self {
        match error {
            ReadError::Io(error) => Self::source(side, &error),
            ReadError::Format(error) => Self::Damaged {
                side,
                at: error.at,
                rule: error.kind.rule(),
                class: error.kind.class(),
                message: error.kind.to_string(),
            },
            other => Self::source(side, &other),
        }
    }
}
