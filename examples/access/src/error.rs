//! Reasons why files cannot be opened or read.

use std::fmt;
use std::io;

use linkstream::io::ReadError;
use linkstream::{Class, Diagnostic};

use crate::array::ElementType;
use crate::findings::Finding;
use crate::set::{FolderError, SetFault};
use crate::source::{ReadAtError, SourceError};
use crate::sums::Sum;

/// Reason why a file could not be opened or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The source failed.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file breaks a rule of its format, so that what it contains is not certain.
    #[error(transparent)]
    Broken(Box<Broken>),
    /// The volumes of a set do not belong together.
    #[error(transparent)]
    Set(#[from] SetFault),
    /// The volumes of a set were not found.
    #[error(transparent)]
    Folders(FolderError),
    /// The first bytes of the file are those of no format that can be read.
    #[error("unrecognised format")]
    UnrecognisedFormat,
    /// The file has become shorter since it was opened.
    #[error("the file has changed while it was read")]
    Changed,
    /// The stored checksum is not that of the data.
    #[error("checksum mismatch: stored {stored}, computed {computed}")]
    ChecksumMismatch { stored: Sum, computed: Sum },
    /// A time slice differs from the one that was verified together with all others.
    #[error("checksum mismatch in time slice {slice}: verified {verified}, computed {computed}")]
    SliceMismatch { slice: u64, verified: Sum, computed: Sum },
    /// The numbers of the field have another type.
    #[error("the field has numbers of type {stored}, not {requested}")]
    ElementType { stored: ElementType, requested: ElementType },
    /// The memory for the data has another size.
    #[error("the selected data have {expected} bytes, but there is memory for {given}")]
    Length { expected: u64, given: u64 },
    /// The selection is not inside the field.
    #[error("{0}")]
    Selection(SelectionError),
    /// A site is larger than can be read.
    #[error("a site has {0} bytes, too many to be read")]
    LargeSites(u64),
    /// The record or section with this index does not exist.
    #[error("there is no {what} {index}, only {count}")]
    NoSuch { what: &'static str, index: u64, count: u64 },
    /// A record is too large to be returned as a whole.
    #[error("the record has {length} bytes; at most {limit} are read at once")]
    LargeRecord { length: u64, limit: u64 },
}

/// Reason why a selection does not fit a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum SelectionError {
    /// The data belong to the lattice as a whole.
    #[error("global data have no time slices")]
    Global,
    /// One range is needed for each axis of the lattice.
    #[error("{given} ranges for {axes} axes of sites")]
    Axes { axes: usize, given: usize },
    /// A range ends after the last index, or before it begins.
    #[error("the range {start}..{end} is not in 0..{extent}")]
    Range { start: u64, end: u64, extent: u64 },
}

/// A rule that the file breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    /// The volume of a set; `None` for a single file.
    pub file: Option<String>,
    /// Offset in bytes.
    pub offset: u64,
    pub class: Class,
    /// Name of the rule.
    pub rule: &'static str,
    /// Document and section that state the rule; empty if there is none.
    pub clause: &'static str,
    pub message: String,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{file}: ")?;
        }
        write!(f, "at byte {}: {}", self.offset, self.message)
    }
}

impl std::error::Error for Broken {}

impl Broken {
    /// A finding about a file, or about a volume of a set.
    pub(crate) fn of(finding: &Finding, file: Option<&str>) -> Self {
        Self {
            file: file.map(str::to_owned),
            offset: finding.offset,
            class: finding.class,
            rule: finding.rule,
            clause: finding.clause,
            message: finding.message.clone(),
        }
    }
}

impl<K: Diagnostic> From<linkstream::Error<K>> for Broken {
    fn from(error: linkstream::Error<K>) -> Self {
        Self {
            file: None,
            offset: error.at,
            class: error.kind.class(),
            rule: error.kind.rule(),
            clause: error.kind.clause(),
            message: error.kind.to_string(),
        }
    }
}

impl From<Broken> for Error {
    fn from(broken: Broken) -> Self {
        Self::Broken(Box::new(broken))
    }
}

impl<K: Diagnostic> From<linkstream::Error<K>> for Error {
    fn from(error: linkstream::Error<K>) -> Self {
        Broken::from(error).into()
    }
}

impl From<SelectionError> for Error {
    fn from(error: SelectionError) -> Self {
        Self::Selection(error)
    }
}

impl<K: Diagnostic> From<ReadError<io::Error, K>> for Error {
    fn from(error: ReadError<io::Error, K>) -> Self {
        match error {
            ReadError::Io(error) => Self::Io(error),
            ReadError::Format(error) => error.into(),
            other => Self::Io(io::Error::other(other.to_string())),
        }
    }
}

impl From<SourceError<io::Error>> for Error {
    fn from(error: SourceError<io::Error>) -> Self {
        match error {
            SourceError::Io(error) => Self::Io(error),
            other => Self::Io(io::Error::other(other.to_string())),
        }
    }
}

impl From<FolderError> for Error {
    fn from(error: FolderError) -> Self {
        match error {
            FolderError::Io(error) => Self::Io(error),
            other => Self::Folders(other),
        }
    }
}

impl From<ReadAtError<io::Error>> for Error {
    fn from(error: ReadAtError<io::Error>) -> Self {
        match error {
            ReadAtError::Io(error) => Self::Io(error),
            ReadAtError::Ended => Self::Changed,
        }
    }
}
