//! Reason for the failure of a program: an error of the codec or of the host, in a form that defmt can send.

use linkstream::field::SitesError;
use linkstream::inebin::{EncodeErrorKind as MatrixKind, EntriesError};
use linkstream::io::{ReadError, WriteError};
use linkstream::scda::ElementsError;
use linkstream::{Diagnostic as _, Error, LoadError, conformance, field, inebin, lime, scda};

use crate::file::HostError;

/// Any error that a program can end with. `?` converts the error of each call.
#[derive(Debug, Clone, Copy, defmt::Format)]
pub enum Failure {
    /// A call of the host failed.
    Host(HostError),
    /// The LIME file breaks a rule, or could not be read.
    Field(ReadError<HostError, field::ErrorKind>),
    /// The LIME file breaks a rule; returned by a decoder without a reader.
    FieldPushed(linkstream::Error<field::ErrorKind>),
    /// The matrix breaks a rule, or could not be read.
    Matrix(ReadError<HostError, inebin::ErrorKind>),
    /// The scda file breaks a rule, or could not be read.
    Sections(ReadError<HostError, scda::ErrorKind>),
    /// The LIME records break a rule, or could not be read.
    Lime(ReadError<HostError, lime::ErrorKind>),
    /// The LIME records break a rule; returned by a decoder without a reader.
    LimePushed(linkstream::Error<lime::ErrorKind>),
    /// The LIME file could not be written.
    Write(WriteError<HostError, field::EncodeErrorKind>),
    /// The data could not be split into sites: for example, a site is larger than the site buffer.
    Sites(SitesError),
    /// An scda section could not be divided into elements.
    Elements(ElementsError),
    /// More bytes than the matrix has.
    Entries(EntriesError),
    /// The values were read as another type than the type of the matrix.
    Values(MatrixKind),
    /// A saved state could not be loaded.
    Load(LoadError),
    /// An error of the program itself.
    Other(&'static str),
}

macro_rules! from {
    ($($source:ty => $member:ident),* $(,)?) => {$(
        impl From<$source> for Failure {
            fn from(error: $source) -> Self {
                Self::$member(error)
            }
        }
    )*};
}

from! {
    HostError => Host,
    ReadError<HostError, field::ErrorKind> => Field,
    linkstream::Error<field::ErrorKind> => FieldPushed,
    ReadError<HostError, inebin::ErrorKind> => Matrix,
    ReadError<HostError, scda::ErrorKind> => Sections,
    ReadError<HostError, lime::ErrorKind> => Lime,
    linkstream::Error<lime::ErrorKind> => LimePushed,
    WriteError<HostError, field::EncodeErrorKind> => Write,
    SitesError => Sites,
    ElementsError => Elements,
    EntriesError => Entries,
    MatrixKind => Values,
    LoadError => Load,
}

/// For a rule that only the validation checks, the name is sent: the error itself would be linked into each program.
impl From<ReadError<HostError, conformance::ErrorKind>> for Failure {
    fn from(error: ReadError<HostError, conformance::ErrorKind>) -> Self {
        match error {
            ReadError::Format(Error { at, kind: conformance::ErrorKind::Field(kind), .. }) => {
                Self::Field(ReadError::Format(Error::new(at, kind)))
            }
            ReadError::Format(error) => Self::Other(error.kind.rule()),
            ReadError::Io(error) => Self::Field(ReadError::Io(error)),
            ReadError::NoBuffer => Self::Field(ReadError::NoBuffer),
            _ => Self::Other("the file cannot be read"),
        }
    }
}
