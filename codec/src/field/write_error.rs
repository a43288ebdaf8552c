//! Why something is not written as content of a file.

use core::fmt;

use super::error::DocumentName;
use crate::lime;
use crate::xml::{self, EmitError};

/// Why the encoder refuses. What was refused has changed nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum EncodeErrorKind {
    /// The LIME records themselves.
    Lime(lime::EncodeErrorKind),
    /// A document cannot be written.
    Emit(DocumentName, EmitError),
    /// A document that would not be read: something is missing in it, or contradicts itself.
    Document(DocumentName, xml::ErrorKind),
    /// A message is being written: it must be ended first.
    MessageOpen,
    /// Not the message that was begun.
    MessageOther,
    /// No message is being written, or its data are complete.
    NoData,
    /// The message has nothing in it, or more than one message should have.
    MessageInvalid,
    /// A message without data was asked for with them, or the other way round.
    DataUnexpected,
    /// A SciDAC record in a file that does not begin with a file message, which tells the lattice.
    FileMissing,
    /// A second file message.
    FileRepeated,
    /// The SciDAC record and the `ildg-format` describe different data.
    DescriptionsDiffer,
    /// More bytes than 64 bits can count.
    DataOverflow,
    /// The update is not a string of digits (ILDG 1.2, section 2.4).
    UpdateNotDigits,
    /// An update without an `ildg-format` (ILDG 1.2, section 2.2).
    UpdateWithoutFormat,
    /// Two gauge fields of the same kind or of different updates, and one without update (ILDG 1.2, sections 2.2
    /// and 2.4).
    UpdateMissing,
    /// Two gauge fields of the same kind and the same update (ILDG 1.2, section 2.2).
    UpdateRepeated,
    /// The logical file name is not a single string (ILDG 1.2, section 2.6).
    LfnNotOneString,
    /// The file has a logical file name (ILDG 1.2, section 2.2).
    LfnRepeated,
    /// A byte that may not stand in this text.
    TextByte {
        /// The byte.
        found: u8,
    },
    /// The message is to be ended, but data are missing.
    DataMissing {
        /// How many bytes.
        missing: u64,
    },
    /// The buffer does not hold a site.
    SiteTooLarge {
        /// Bytes of a site.
        needed: u64,
    },
    /// In the middle of a site there is no going elsewhere.
    InsideSite,
    /// A site outside of the field.
    NoSuchSite {
        /// Its index in stored order.
        index: u64,
        /// How many there are.
        sites: u64,
    },
    /// Sites that have been written already.
    SitesRepeated,
}

impl From<lime::EncodeErrorKind> for EncodeErrorKind {
    fn from(kind: lime::EncodeErrorKind) -> Self {
        Self::Lime(kind)
    }
}

impl fmt::Display for EncodeErrorKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Lime(kind) => return kind.fmt(f),
            Self::Emit(name, error) => return write!(f, "{}: {error}", name.as_str()),
            Self::Document(name, kind) => return write!(f, "in {}: {kind}", name.as_str()),
            Self::MessageOpen => "a message is being written: it must be ended first",
            Self::MessageOther => "this is another message than the one that was begun: go on with that one",
            Self::NoData => "no data are expected: no message is being written, or its data are complete",
            Self::MessageInvalid => {
                "the message is none that can be written: a file message, data, a logical file name and a \
                 foreign record cannot be mixed, and one of them is needed"
            }
            Self::DataUnexpected => "messages with data are written by other calls than those without",
            Self::FileMissing => "a SciDAC record needs a file message before it, which tells the lattice",
            Self::FileRepeated => "the file has a file message already",
            Self::DescriptionsDiffer => "the SciDAC record and the ildg-format describe different data",
            Self::DataOverflow => "the description demands more bytes than 64 bits can count",
            Self::UpdateNotDigits => "the update number is not a string of digits",
            Self::UpdateWithoutFormat => "an update number belongs to an ildg-format, which is not there",
            Self::UpdateMissing => {
                "the file holds gauge fields of the same kind or of several updates: each needs its update number"
            }
            Self::UpdateRepeated => "the file holds a gauge field of this kind and this update already",
            Self::LfnNotOneString => {
                "the logical file name must be a single string: not empty, without white space"
            }
            Self::LfnRepeated => "the file has a logical file name already",
            Self::TextByte { found } => {
                return write!(f, "the byte {found:02x} may not stand in this text");
            }
            Self::DataMissing { missing } => {
                return write!(
                    f,
                    "the message cannot be ended: {missing} bytes of its data were never written"
                );
            }
            Self::SiteTooLarge { needed } => {
                return write!(f, "a site of this field takes {needed} bytes, more than the buffer holds");
            }
            Self::InsideSite => "a site has been written in part: it must be completed first",
            Self::NoSuchSite { index, sites } => {
                return write!(f, "there is no site of index {index}: the field has {sites} sites");
            }
            Self::SitesRepeated => "these sites have been written already",
        })
    }
}

impl core::error::Error for EncodeErrorKind {}
