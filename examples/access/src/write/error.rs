//! Reasons why a file is not written.

use std::fmt;
use std::io;
use std::path::PathBuf;

use linkstream::conformance::ErrorKind;
use linkstream::field::{EncodeErrorKind, SitesError};
use linkstream::inebin;
use linkstream::io::{ReadError, WriteError};
use linkstream::nersc;
use linkstream::scda;
use linkstream::volume;
use linkstream::{Class, Diagnostic as _};

use super::atomic::FileError;
use super::fault::Fault;
use super::input::{Place, Rereadable};
use super::kind::ShapeError;
use super::refusal::Refusal;
use crate::set::LayoutError;
use crate::text::{bytes, shown_path};

/// Reason why a file is not written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The input cannot be read.
    #[error(transparent)]
    Input(io::Error),
    /// The input breaks a rule of its format.
    #[error("at {place}: {kind}")]
    Format {
        /// Place of the broken rule.
        place: Place,
        /// The rule that the file breaks.
        kind: ErrorKind,
    },
    /// The content of the input cannot be written as requested.
    #[error("{}{fault}", Location::prefix(at.as_deref()))]
    Fault {
        /// Place, unless the fault contains it.
        at: Option<Box<Location>>,
        /// Reason why it cannot be written.
        fault: Fault,
    },
    /// No file has the requested form.
    #[error("{}{refusal}", Location::prefix(at.as_deref()))]
    Refused {
        /// The data record concerned.
        at: Option<Box<Location>>,
        /// Reason why it cannot be written.
        refusal: Refusal,
    },
    /// The input has changed since its records were listed.
    #[error("the file has changed while it was read")]
    Changed,
    /// The data cannot be divided into sites.
    #[error(transparent)]
    Sites(#[from] SitesError),
    /// The codec refuses the documents of the output.
    #[error(transparent)]
    Encode(EncodeErrorKind),
    /// The output cannot be written.
    #[error(transparent)]
    Output(io::Error),
    /// An array is not the field that it shall be.
    #[error(transparent)]
    Shape(#[from] ShapeError),
    /// The output cannot be created or given its name.
    #[error(transparent)]
    File(#[from] FileError),
    /// The codec refuses the documents or the sites of a file set.
    #[error(transparent)]
    EncodeVolume(#[from] volume::EncodeErrorKind),
    /// There are more sites than the lattice has.
    #[error("the data have more sites than the lattice")]
    TooManySites,
    /// A set has no place for a volume.
    #[error(transparent)]
    Layout(#[from] LayoutError),
    /// This volume exists, and would be taken for part of the new set.
    #[error("{} is a volume of another file set of that name; remove that file set first", shown_path(.0))]
    OtherSet(PathBuf),
    /// A temporary file cannot be written or read.
    #[error(transparent)]
    Temporary(io::Error),
    /// The codec refuses the header or the links of an archive.
    #[error(transparent)]
    EncodeArchive(#[from] nersc::EncodeErrorKind),
    /// The written archive does not read back as expected. The input is not at fault.
    #[error("the written archive does not read back as expected: {0}")]
    ReadBackArchive(String),
    /// The codec refuses a section of an scda file.
    #[error(transparent)]
    EncodeSection(#[from] scda::EncodeErrorKind),
    /// The codec refuses a matrix.
    #[error(transparent)]
    EncodeMatrix(#[from] inebin::EncodeErrorKind),
    /// An element of a section that is too long to be compressed.
    #[error("an element of {}; at most {} can be compressed", bytes(*size), bytes(*most))]
    LongElement {
        /// Its size in bytes.
        size: u64,
        /// The largest size in bytes.
        most: u64,
    },
    /// Elements cannot be compressed.
    #[error("{0}")]
    Compressor(String),
    /// The written file does not read back as expected. The input is not at fault.
    #[error("the written file does not read back as expected: {0}")]
    ReadBack(String),
}

impl Error {
    pub(super) fn at_byte(at: u64, fault: Fault) -> Self {
        Self::Fault { at: Some(Box::new(Location::Byte(Place::byte(at)))), fault }
    }

    /// True if the input does not begin like a LIME file.
    #[must_use]
    pub fn is_other_format(&self) -> bool {
        matches!(self, Self::Format { place, kind } if place.at == 0 && kind.class() == Class::Magic)
    }

    /// Names the data record concerned.
    pub(super) fn in_record(self, number: usize, place: &Place) -> Self {
        let at = Some(Box::new(Location::Record { number, place: place.clone() }));
        match self {
            Self::Fault { fault, .. } => Self::Fault { at, fault },
            Self::Refused { refusal, .. } => Self::Refused { at, refusal },
            other => other,
        }
    }

    /// Replaces an offset in the source by its place: if the source is a set, the bytes are in several files.
    pub(super) fn placed(mut self, source: &dyn Rereadable) -> Self {
        // An input of another format is one file.
        let is_one_file = self.is_other_format();
        let place = match &mut self {
            Self::Format { place, .. } if !is_one_file => Some(place),
            Self::Fault { at: Some(at), .. } => match &mut **at {
                Location::Byte(place) => Some(place),
                Location::Record { .. } => None,
            },
            _ => None,
        };
        if let Some(place) = place {
            *place = source.place(place.at);
        }
        self
    }
}

impl From<Fault> for Error {
    fn from(fault: Fault) -> Self {
        Self::Fault { at: None, fault }
    }
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        Self::Refused { at: None, refusal }
    }
}

impl<K: Into<ErrorKind> + linkstream::Diagnostic + fmt::Debug + Send + Sync + 'static>
    From<ReadError<io::Error, K>> for Error
{
    fn from(error: ReadError<io::Error, K>) -> Self {
        match error {
            ReadError::Format(error) => {
                Self::Format { place: Place::byte(error.at), kind: error.kind.into() }
            }
            ReadError::Io(error) => Self::Input(error),
            other => Self::Input(io::Error::other(other)),
        }
    }
}

macro_rules! from_write_error {
    ($($kind:ty => $variant:ident;)*) => {$(
        impl From<WriteError<io::Error, $kind>> for Error {
            fn from(error: WriteError<io::Error, $kind>) -> Self {
                match error {
                    WriteError::Io(error) => Self::Output(error),
                    WriteError::WriteZero => Self::Output(io::ErrorKind::WriteZero.into()),
                    WriteError::Refused(kind) => Self::$variant(kind),
                    other => Self::Output(io::Error::other(other)),
                }
            }
        }
    )*};
}

from_write_error! {
    EncodeErrorKind => Encode;
    scda::EncodeErrorKind => EncodeSection;
    inebin::EncodeErrorKind => EncodeMatrix;
}

/// Object that an error is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Location {
    /// A byte of the input.
    Byte(Place),
    /// A data record of the input.
    Record {
        /// Its number, counted from 0.
        number: usize,
        /// Place of the record.
        place: Place,
    },
}

impl Location {
    fn prefix(at: Option<&Self>) -> String {
        match at {
            None => String::new(),
            Some(Self::Byte(place)) => format!("at {place}: "),
            Some(Self::Record { number, place }) => format!("field {number} at {place}: "),
        }
    }
}
