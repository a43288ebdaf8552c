//! Why a program stops: what the codec or the host said, in a form that defmt can send.

use linkstream::field::SitesError;
use linkstream::inebin::{EncodeErrorKind as MatrixKind, EntriesError};
use linkstream::io::{ReadError, WriteError};
use linkstream::scda::ElementsError;
use linkstream::{LoadError, field, inebin, lime, scda};

use crate::file::HostError;

/// What went wrong. `?` makes one of whatever a call returns.
#[derive(Debug, Clone, Copy, defmt::Format)]
pub enum Failure {
    /// The host refused something.
    Host(HostError),
    /// The LIME file is wrong, or could not be read.
    Field(ReadError<HostError, field::ErrorKind>),
    /// The same, told by the decoder itself.
    FieldPushed(linkstream::Error<field::ErrorKind>),
    /// The matrix is wrong, or could not be read.
    Matrix(ReadError<HostError, inebin::ErrorKind>),
    /// The scda file is wrong, or could not be read.
    Sections(ReadError<HostError, scda::logical::ErrorKind>),
    /// The records are wrong, or could not be read.
    Lime(ReadError<HostError, lime::ErrorKind>),
    /// The LIME file could not be written.
    Write(WriteError<HostError, field::EncodeErrorKind>),
    /// A site is larger than the site buffer.
    Sites(SitesError),
    /// An scda section cannot be divided into elements.
    Elements(ElementsError),
    /// More bytes than the matrix has.
    Entries(EntriesError),
    /// Values were taken as another type than the file has.
    Values(MatrixKind),
    /// A saved state was refused.
    Load(LoadError),
    /// What a program found out by itself.
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
    ReadError<HostError, scda::logical::ErrorKind> => Sections,
    ReadError<HostError, lime::ErrorKind> => Lime,
    WriteError<HostError, field::EncodeErrorKind> => Write,
    SitesError => Sites,
    ElementsError => Elements,
    EntriesError => Entries,
    MatrixKind => Values,
    LoadError => Load,
}
