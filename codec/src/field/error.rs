//! What can be wrong with the content of a file.

use core::fmt;

use crate::error::{Class, Gravity, Kind as AnyKind};
use crate::lattice::Checksum;
use crate::scidac::VolumeFormat;
use crate::{lime, xml};

/// One of the documents that are interpreted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum DocumentName {
    /// `scidac-private-file-xml`
    PrivateFile,
    /// `scidac-private-record-xml`
    PrivateRecord,
    /// `scidac-checksum`
    Checksum,
    /// `ildg-format`
    Format,
}

impl DocumentName {
    /// The type of its LIME record.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::PrivateFile => crate::scidac::PRIVATE_FILE_XML,
            Self::PrivateRecord => crate::scidac::PRIVATE_RECORD_XML,
            Self::Checksum => crate::scidac::CHECKSUM,
            Self::Format => crate::ildg::FORMAT,
        }
    }
}

/// What is wrong with the content of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Kind {
    /// The LIME records themselves.
    Lime(lime::Kind),
    /// A document.
    Document(DocumentName, xml::Kind),
    /// The file is one volume of a set.
    VolumeSet(VolumeFormat),
    /// Data without a document that describes them.
    Undescribed,
    /// The description of the data stands in another message (ILDG 1.2, section 2.2).
    DescribedElsewhere,
    /// A description without data.
    DataMissing(DocumentName),
    /// A SciDAC record without a file document that tells the lattice.
    FileMissing,
    /// More bytes than 64 bits can count.
    DataOverflow,
    /// The record is not as long as its description demands.
    DataLength {
        /// Bytes that the description demands.
        expected: u64,
        /// Bytes of the record.
        found: u64,
    },
    /// The SciDAC and the ILDG documents of the same data contradict each other.
    DescriptionsDiffer,
    /// The data differ from those of which the stored checksum was made.
    ChecksumMismatch {
        /// Of the data.
        computed: Checksum,
        /// In the file.
        stored: Checksum,
    },
    /// A SciDAC record without a checksum record.
    ChecksumMissing,
    /// A checksum record that lacks one or both sums. QIO leaves out both if either is zero.
    ChecksumAbsent,
    /// A checksum record that no data precede.
    ChecksumWithoutData,
    /// No `scidac-file-xml` beside the private file document.
    FileXmlMissing,
    /// No `scidac-record-xml` beside the private record document.
    RecordXmlMissing,
    /// A byte that ILDG does not allow in its text records (section 2.2).
    TextByte {
        /// The byte.
        found: u8,
    },
    /// The logical file name is empty (section 2.6).
    LfnEmpty,
    /// An ILDG file without logical file name: it may be appended later (section 2.6, note 4).
    LfnMissing,
    /// The update is not a string of digits (section 2.4).
    UpdateNotDigits,
    /// Two gauge fields of the same kind, and one without `ildg-update` (section 2.2).
    UpdateMissing {
        /// The data are described by SciDAC documents: not a broken rule for a SciDAC file.
        scidac: bool,
    },
}

impl From<lime::Kind> for Kind {
    fn from(kind: lime::Kind) -> Self {
        Self::Lime(kind)
    }
}

impl AnyKind for Kind {
    fn class(&self) -> Class {
        match self {
            Self::Lime(kind) => kind.class(),
            Self::Document(_, kind) => kind.class(),
            Self::VolumeSet(_) => Class::Unsupported,
            Self::DataOverflow => Class::Limit,
            Self::DataLength { .. } => Class::Format,
            Self::ChecksumMismatch { .. } | Self::ChecksumMissing | Self::ChecksumAbsent => Class::Checksum,
            _ => Class::Rule,
        }
    }

    fn gravity(&self) -> Gravity {
        match self {
            Self::Lime(kind) => kind.gravity(),
            Self::Document(_, kind) => kind.gravity(),
            Self::ChecksumAbsent | Self::LfnMissing | Self::UpdateMissing { scidac: true } => Gravity::Note,
            Self::DescribedElsewhere
            | Self::DescriptionsDiffer
            | Self::ChecksumMissing
            | Self::ChecksumWithoutData
            | Self::FileXmlMissing
            | Self::RecordXmlMissing
            | Self::TextByte { .. }
            | Self::LfnEmpty
            | Self::UpdateNotDigits
            | Self::UpdateMissing { scidac: false } => Gravity::Harmless,
            Self::VolumeSet(_)
            | Self::Undescribed
            | Self::DataMissing(_)
            | Self::FileMissing
            | Self::DataOverflow
            | Self::DataLength { .. }
            | Self::ChecksumMismatch { .. } => Gravity::Damage,
        }
    }

    fn rule(&self) -> &'static str {
        match self {
            Self::Lime(kind) => kind.rule(),
            Self::Document(_, kind) => kind.rule(),
            Self::VolumeSet(_) => "scidac-volume-set",
            Self::Undescribed => "data-undescribed",
            Self::DescribedElsewhere => "data-described-in-another-message",
            Self::DataMissing(_) => "data-missing",
            Self::FileMissing => "scidac-file-missing",
            Self::DataOverflow => "data-length-overflow",
            Self::DataLength { .. } => "data-length",
            Self::DescriptionsDiffer => "descriptions-differ",
            Self::ChecksumMismatch { .. } => "checksum-mismatch",
            Self::ChecksumMissing => "checksum-missing",
            Self::ChecksumAbsent => "checksum-absent",
            Self::ChecksumWithoutData => "checksum-without-data",
            Self::FileXmlMissing => "scidac-file-xml-missing",
            Self::RecordXmlMissing => "scidac-record-xml-missing",
            Self::TextByte { .. } => "ildg-text-byte",
            Self::LfnEmpty => "ildg-lfn-empty",
            Self::LfnMissing => "ildg-lfn-missing",
            Self::UpdateNotDigits => "ildg-update-not-digits",
            Self::UpdateMissing { .. } => "ildg-update-missing",
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lime(kind) => kind.fmt(f),
            Self::Document(name, kind) => write!(f, "in {}: {kind}", name.as_str()),
            Self::VolumeSet(_) => {
                f.write_str("the file is one volume of a set; only files that are whole by themselves are read")
            }
            Self::Undescribed => f.write_str(
                "no document describes this data: neither scidac-private-record-xml nor ildg-format precedes it",
            ),
            Self::DescribedElsewhere => {
                f.write_str("the document that describes this data stands in another message")
            }
            Self::DataMissing(name) => {
                write!(f, "this {} is not followed by the data that it describes", name.as_str())
            }
            Self::FileMissing => {
                f.write_str("no scidac-private-file-xml precedes, so that the lattice is not known")
            }
            Self::DataOverflow => f.write_str("the description demands more bytes than 64 bits can count"),
            Self::DataLength { expected, found } => {
                write!(f, "the data record has {found} bytes where its description demands {expected}")
            }
            Self::DescriptionsDiffer => {
                f.write_str("the SciDAC record and the ildg-format describe different data")
            }
            Self::ChecksumMismatch { computed, stored } => {
                write!(f, "the data were changed: their checksum is {computed}, but {stored} is stored")
            }
            Self::ChecksumMissing => f.write_str("no scidac-checksum follows the data"),
            Self::ChecksumAbsent => {
                f.write_str("the checksum record does not hold both sums (QIO leaves them out if one is zero)")
            }
            Self::ChecksumWithoutData => f.write_str("no data precede this checksum"),
            Self::FileXmlMissing => f.write_str("no scidac-file-xml follows the scidac-private-file-xml"),
            Self::RecordXmlMissing => {
                f.write_str("the message of this SciDAC record has no scidac-record-xml")
            }
            Self::TextByte { found } => write!(
                f,
                "the byte {found:02x} may not stand in an ILDG text record (printable ASCII, tab, line feed)"
            ),
            Self::LfnEmpty => f.write_str("the logical file name is empty"),
            Self::LfnMissing => {
                f.write_str("no ildg-data-lfn: the file has no logical file name (one can be appended)")
            }
            Self::UpdateNotDigits => f.write_str("the update number is not a string of digits"),
            Self::UpdateMissing { .. } => f.write_str(
                "the file holds several gauge fields of this kind, but not each message has an ildg-update",
            ),
        }
    }
}
