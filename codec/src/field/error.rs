//! The errors that make SciDAC and ILDG files unreadable, or their data wrong.

use crate::error::Diagnostic as _;
use crate::lattice::Checksum;
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
