//! What can be wrong with the content of a file. Where each rule stands is in `clauses.rs`, what a person reads in
//! `sentences.rs`.

use super::boundary::Place;
use super::clauses::clause;
use crate::error::{Class, Diagnostic, Severity};
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
pub enum ErrorKind {
    /// The LIME records themselves.
    Lime(lime::ErrorKind),
    /// A document.
    Document(DocumentName, xml::ErrorKind),
    /// The file is one volume of a set.
    VolumeSet(VolumeFormat),
    /// Data without a document that describes them.
    Undescribed,
    /// The description of the data stands in another message (ILDG 1.2, section 2.2).
    DescribedElsewhere,
    /// A description without data.
    DataMissing(DocumentName),
    /// The data have the type of ILDG, and only SciDAC documents describe them, as Grid and the converters of QIO
    /// write them (ILDG 1.2, section 2.2).
    FormatMissing,
    /// An `ildg-format` behind the data of its message (section 2.2).
    FormatBehindData,
    /// A second `ildg-format` in a message, in front of the data: which one is meant is not known.
    FormatRepeated,
    /// An `ildg-update` that does not stand between the format and the data of its message (section 2.2).
    UpdateMisplaced,
    /// A second `ildg-update` for the same data.
    UpdateRepeated,
    /// Two gauge fields of the same kind and the same update: they have no name of their own (section 2.2).
    FieldRepeated,
    /// More gauge fields than are remembered: from here on it is not judged whether each is unique and, if more
    /// kinds than are remembered, whether it needs an `ildg-update`.
    FieldsNotJudged,
    /// A second `ildg-data-lfn`: a file has one logical file name (section 2.2).
    LfnRepeated {
        /// It holds the same name, as QIO writes it with every field.
        same: bool,
    },
    /// The logical file name has white space inside: it is not a single string (section 2.6).
    LfnNotSingle,
    /// A type in the namespace `ildg-`, which is reserved, that ILDG does not have (section 2.2).
    TypeUnknown,
    /// All links of a direction may be unphysical on its last slice; elsewhere one is (section 2.5.1).
    LinkUnphysical(Place),
    /// On the last slice of a direction some links are unphysical and some are not (section 2.5.1).
    BoundaryMixed(Place),
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
    /// Two gauge fields of the same kind (section 2.2) or of different updates (section 2.4), and one without
    /// `ildg-update`.
    UpdateMissing {
        /// The data are described by SciDAC documents: not a broken rule for a SciDAC file.
        scidac: bool,
    },
}

impl From<lime::ErrorKind> for ErrorKind {
    fn from(kind: lime::ErrorKind) -> Self {
        Self::Lime(kind)
    }
}

impl Diagnostic for ErrorKind {
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

    fn severity(&self) -> Severity {
        match self {
            Self::Lime(kind) => kind.severity(),
            Self::Document(_, kind) => kind.severity(),
            Self::ChecksumAbsent
            | Self::FormatMissing
            | Self::FieldsNotJudged
            | Self::LfnMissing
            | Self::LfnRepeated { same: true }
            | Self::UpdateMissing { scidac: true } => Severity::Info,
            Self::DescribedElsewhere
            | Self::DescriptionsDiffer
            | Self::ChecksumMissing
            | Self::ChecksumWithoutData
            | Self::FileXmlMissing
            | Self::RecordXmlMissing
            | Self::TextByte { .. }
            | Self::LfnEmpty
            | Self::LfnNotSingle
            | Self::LfnRepeated { same: false }
            | Self::FormatBehindData
            | Self::FieldRepeated
            | Self::TypeUnknown
            | Self::UpdateMisplaced
            | Self::UpdateRepeated
            | Self::UpdateNotDigits
            | Self::UpdateMissing { scidac: false }
            | Self::LinkUnphysical(_)
            | Self::BoundaryMixed(_) => Severity::Warning,
            Self::VolumeSet(_)
            | Self::Undescribed
            | Self::DataMissing(_)
            | Self::FormatRepeated
            | Self::FileMissing
            | Self::DataOverflow
            | Self::DataLength { .. }
            | Self::ChecksumMismatch { .. } => Severity::Error,
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
            Self::FormatMissing => "ildg-format-missing",
            Self::FormatBehindData => "ildg-format-behind-data",
            Self::FormatRepeated => "ildg-format-repeated",
            Self::UpdateMisplaced => "ildg-update-misplaced",
            Self::UpdateRepeated => "ildg-update-repeated",
            Self::FieldRepeated => "ildg-field-repeated",
            Self::FieldsNotJudged => "ildg-fields-not-judged",
            Self::LfnRepeated { .. } => "ildg-lfn-repeated",
            Self::LfnNotSingle => "ildg-lfn-not-single",
            Self::TypeUnknown => "ildg-type-unknown",
            Self::LinkUnphysical(_) => "ildg-link-unphysical",
            Self::BoundaryMixed(_) => "ildg-boundary-mixed",
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

    fn clause(&self) -> &'static str {
        clause(self)
    }
}

impl core::error::Error for ErrorKind {}
