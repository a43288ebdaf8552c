//! Reasons why files cannot be opened or read.

use std::io;
use std::path::PathBuf;

use linkstream::io::ReadError;
use linkstream::{Class, Diagnostic};
use linkstream_memory::Short;

use crate::array::ElementType;
use crate::broken::Broken;
use crate::set::{FolderError, SetFault};
use crate::source::{MAX_SITE, ReadAtError, SourceError};
use crate::sources::NotAFile;
use crate::sums::Sum;
use crate::text::shown_path;
use crate::unknown::NOT_READ;

/// Reason why a file could not be opened or read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The source failed.
    #[error(transparent)]
    Io(io::Error),
    /// The path leads to a directory, a pipe or a device.
    #[error("{}: this is {}, not a file", shown_path(path), kind.as_str())]
    NotAFile { path: PathBuf, kind: NotAFile },
    /// The sink that received the data failed.
    #[error(transparent)]
    Sink(io::Error),
    /// The file breaks a rule of its format, so that its contents are not certain.
    #[error(transparent)]
    Broken(Box<Broken>),
    /// The volumes of a set do not belong together.
    #[error(transparent)]
    Set(#[from] SetFault),
    /// The volumes of a set were not found.
    #[error(transparent)]
    Folders(FolderError),
    /// No format that can be read begins with the first bytes of the file. The message says what they are instead.
    #[error("{}", of_format(.0))]
    UnrecognisedFormat(Box<Broken>),
    /// The file has become shorter since it was opened.
    #[error("the file has changed while it was read")]
    Changed,
    /// The data do not have the stored checksum.
    /// `broken` is the rule of the format.
    #[error("checksum mismatch: {}", differing(stored, computed, broken))]
    ChecksumMismatch { stored: Sum, computed: Sum, broken: Box<Broken> },
    /// A time slice differs from the one that was verified together with all others. `broken` is the rule that the
    /// whole field breaks.
    #[error("checksum mismatch in time slice {slice}: verified {verified}, computed {computed}")]
    SliceMismatch { slice: u64, verified: Sum, computed: Sum, broken: Box<Broken> },
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
    #[error("a site has {0} bytes; at most {MAX_SITE} are read")]
    LargeSites(u64),
    /// The record, section or other part with this index does not exist.
    #[error("there is no {what} {index}, only {count}")]
    NoSuch { what: &'static str, index: u64, count: u64 },
    /// The record with this index has data of a set, which are in its volumes.
    #[error("record {index} has data of a set, which are in its volumes: they are read as a field")]
    DataOfSet { index: usize },
    /// The file has more records or sections than are listed in memory.
    #[error("the file has more than {limit} {what}: it is not opened")]
    TooMany { what: &'static str, limit: usize },
}

impl Error {
    /// Class of the broken rule, and its name, as `check` reports them; it has more rules for files of other formats.
    /// `None` if the file breaks no rule: the source failed, or the call asked for something that the file does not
    /// have.
    #[must_use]
    pub fn rule(&self) -> Option<(Class, &'static str)> {
        match self {
            Self::Broken(broken)
            | Self::UnrecognisedFormat(broken)
            | Self::ChecksumMismatch { broken, .. }
            | Self::SliceMismatch { broken, .. } => Some((broken.class, broken.rule)),
            Self::Set(SetFault::Found { class, rule, .. }) => Some((*class, rule)),
            _ => None,
        }
    }

    /// Offset in bytes of the broken rule: in the file, or in the volume that [`Broken::file`] names. `None` if there
    /// is no such place.
    #[must_use]
    pub fn offset(&self) -> Option<u64> {
        match self {
            Self::Broken(broken)
            | Self::UnrecognisedFormat(broken)
            | Self::ChecksumMismatch { broken, .. }
            | Self::SliceMismatch { broken, .. } => Some(broken.offset),
            _ => None,
        }
    }
}

/// A format of another program has a name.
fn of_format(broken: &Broken) -> String {
    let unknown = if broken.rule == NOT_READ { "" } else { "unrecognised format: " };
    format!("{unknown}{}", broken.message)
}

/// The sums that differ. A NERSC archive has one, of words in one byte order; both have been computed.
fn differing(stored: &Sum, computed: &Sum, broken: &Broken) -> String {
    let ([sum, _], [big, little]) = (stored.0, computed.0);
    match broken.rule {
        "nersc-checksum" => {
            format!(
                "stored {sum:x}, computed {big:x} for big-endian and {little:x} for little-endian numbers"
            )
        }
        "nersc-byte-order" => {
            format!("stored {sum:x}, which is right in the other byte order: {}", broken.message)
        }
        _ => format!("stored {stored}, computed {computed}"),
    }
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

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl From<Short> for Error {
    fn from(short: Short) -> Self {
        Self::Io(short.into())
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
