//! Why a program stops: what the codec or the host said, in a form that defmt can send.

use linkstream::field::SitesError;
use linkstream::inebin::WriteKind as MatrixKind;
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
    Field(ReadError<HostError, field::Kind>),
    /// The same, told by the decoder itself.
    FieldPushed(linkstream::Error<field::Kind>),
    /// The matrix is wrong, or could not be read.
    Matrix(ReadError<HostError, inebin::Kind>),
    /// The scda file is wrong, or could not be read.
    Sections(ReadError<HostError, scda::logical::Kind>),
    /// The records are wrong, or could not be read.
    Lime(ReadError<HostError, lime::Kind>),
    /// The LIME file could not be written.
    Write(WriteError<HostError, field::WriteKind>),
    /// A site is larger than the site buffer.
    Sites(SitesError),
    /// A variable array has more elements than the table holds.
    Elements(ElementsError),
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
    ReadError<HostError, field::Kind> => Field,
    linkstream::Error<field::Kind> => FieldPushed,
    ReadError<HostError, inebin::Kind> => Matrix,
    ReadError<HostError, scda::logical::Kind> => Sections,
    ReadError<HostError, lime::Kind> => Lime,
    WriteError<HostError, field::WriteKind> => Write,
    SitesError => Sites,
    ElementsError => Elements,
    MatrixKind => Values,
    LoadError => Load,
}
