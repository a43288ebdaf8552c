//! The errors that make SciDAC and ILDG files unreadable, or their data wrong, and those of sites.

use crate::error::Diagnostic as _;
use crate::lattice::{Checksum, Precision};
use crate::limits::OverLimit;
use crate::messages::messages;
use crate::rules::rules;
use crate::scidac::VolumeFormat;
use crate::{lime, xml};

/// A document that this crate interprets.
///
/// # Example
/// ```
/// assert_eq!(linkstream::field::DocumentName::Format.as_str(), "ildg-format");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
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

impl core::fmt::Display for DocumentName {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.as_str())
    }
}

rules! {
    /// The errors that make SciDAC and ILDG files unreadable, or their data wrong. Those of the other rules are in
    /// [`conformance::ErrorKind`](crate::conformance::ErrorKind).
    ///
    /// # Example
    /// ```
    /// use linkstream::field::{DocumentName, ErrorKind};
    /// use linkstream::{Diagnostic, xml};
    ///
    /// let kind = ErrorKind::Document(DocumentName::Format, xml::ErrorKind::NotXml);
    /// assert_eq!((kind.rule(), kind.clause()), ("xml-not-xml", "XML 1.0, section 2.1"));
    /// assert_eq!(kind.to_string(), "in ildg-format: the record is not an XML document");
    /// ```
    pub enum ErrorKind {
        /// An error in the LIME records, see [`lime::ErrorKind`].
        Lime(kind: lime::ErrorKind) => (..kind),
        /// An error in a document, see [`xml::ErrorKind`].
        Document(name: DocumentName, kind: xml::ErrorKind)
            => (..kind, clause: document_clause(*name, *kind), "in {name}: {kind}"),
        /// The file is one volume of a set.
        VolumeSet(format: VolumeFormat) => (
            "scidac-volume-set", Error, Unsupported, "QIO 2.3, section 2.2",
            "the file is one volume of a set: its data are complete only with the other volumes"
        ),
        /// Data without a document that describes them.
        Undescribed => (
            "data-undescribed", Error, Rule, "ILDG 1.2, section 2.2",
            "no document describes this data: it needs a scidac-private-record-xml or an ildg-format before it"
        ),
        /// A SciDAC record without a file document, which contains the lattice.
        FileMissing => (
            "scidac-file-missing", Error, Rule, "QIO 2.3, section 2.1.1",
            "the lattice is unknown: no scidac-private-file-xml precedes this record"
        ),
        /// The data are longer than 64 bits can count.
        DataOverflow => (
            "data-length-overflow", Error, Limit, "QIO 2.3, section 4.2; ILDG 1.2, section 2.5",
            "the length of the data in bytes does not fit in 64 bits"
        ),
        /// The length of the record is not the one that its description requires.
        DataLength {
            /// The length in bytes that the description requires.
            expected: u64,
            /// The length of the record in bytes.
            found: u64,
        } => (
            "data-length", Error, Format, "QIO 2.3, section 4.2; ILDG 1.2, section 2.5",
            "the data record has {found} bytes, but its description requires {expected}"
        ),
        /// The checksum of the data differs from the one in the file.
        ChecksumMismatch {
            /// The checksum computed from the data.
            computed: Checksum,
            /// The checksum stored in the file.
            stored: Checksum,
        } => (
            "checksum-mismatch", Error, Checksum, "QIO 2.3, section 2.1.1",
            "checksum mismatch: the data have {computed}, the file has {stored}"
        ),
    }
}

impl From<lime::ErrorKind> for ErrorKind {
    fn from(kind: lime::ErrorKind) -> Self {
        Self::Lime(kind)
    }
}

/// The clause that says what a document must contain, unless XML itself is violated.
fn document_clause(name: DocumentName, kind: xml::ErrorKind) -> &'static str {
    match (name, kind.clause()) {
        (_, clause) if clause.starts_with("XML") => clause,
        (DocumentName::PrivateRecord, _) => "QIO 2.3, section 4.2",
        (DocumentName::PrivateFile | DocumentName::Checksum, _) => "QIO 2.3, section 2.1.1",
        // The schema allows rows in any number and in any version.
        (DocumentName::Format, _) => match kind {
            xml::ErrorKind::RowsTooEarly => "ILDG 1.2, section 2.3",
            xml::ErrorKind::Value(xml::Element::Rows) => "ILDG 1.2, section 2.5.1",
            _ => "ILDG 1.2, appendix A.1",
        },
    }
}

messages! {
    /// Why a site or a link cannot be read or written as requested. A refused call changes nothing.
    ///
    /// # Example
    /// ```
    /// use linkstream::field::SiteError;
    /// use linkstream::lattice::Precision;
    ///
    /// let error = SiteError::WordType { stored: Precision::F32 };
    /// assert_eq!(
    ///     error.to_string(),
    ///     "the field stores 32-bit floating-point numbers, but the words are of another type"
    /// );
    /// ```
    pub enum SiteError {
        /// The type of the words is not the type of the numbers that the field stores.
        WordType {
            /// The precision of the numbers that the field stores.
            stored: Precision,
        } => ("the field stores {}-bit floating-point numbers, but the words are of another type", stored.bits()),
        /// There are too few or too many words for the site, the link or the field.
        Length {
            /// The length of the data in bytes.
            needed: u64,
            /// The length in bytes that the words would have in the file.
            given: u64,
        } => ("wrong number of words: the data have {needed} bytes, but the words would take {given}"),
        /// The field is larger than the limit of the reader.
        Limit(error: OverLimit) => (..error),
        /// The field does not store floating-point numbers.
        NotNumbers => ("the field does not store floating-point numbers"),
        /// A finite number would be infinite when it is rounded to single precision, which the field stores.
        Overflow {
            /// The index of the first such number, counted from 0: in the slice, or in the site or link where one is set.
            index: u64,
        } => ("the number with index {index} (counted from 0) is too large for single precision, in which the field is stored"),
        /// The field has no links: it is not a gauge field.
        NoLinks => ("the field has no links: it is not a gauge field"),
        /// A site of the field does not have a link with this index.
        NoSuchLink {
            /// The index of the link, counted from 0.
            index: usize,
            /// The number of links of a site.
            links: u32,
        } => ("there is no link with index {index}: a site of this field has {links} links (counted from 0)"),
        /// The site has no number with this index, or the element is not in the stored part of the matrix.
        NoSuchElement => ("the index is outside the site, or outside the stored part of the matrix"),
        /// The place is set before one that must be set first: numbers of sites with more than 512 numbers are set in
        /// stored order; see [`SiteMut`](super::SiteMut).
        NotInOrder {
            /// The byte of the site that must be put first.
            next: u64,
        } => (
            "this site is too large to be set in any order: byte {next} of the site must be set first; `put` all of it \
             before (zeros, for example), and then set numbers in any order"
        ),
    }
}
