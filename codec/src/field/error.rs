//! The errors of fields: errors that make SciDAC and ILDG files unreadable or their data wrong, errors of sites, and
//! errors of the encoder.

use crate::error::Diagnostic as _;
use crate::lattice::{Checksum, Precision};
use crate::limits::OverLimit;
use crate::messages::messages;
use crate::rules::rules;
use crate::scidac::{Contradiction, VolumeFormat};
use crate::xml::EmitError;
use crate::{lime, xml};
use core::fmt;

/// A document that this crate interprets.
///
/// # Example
/// ```
/// assert_eq!(linkstream::field::DocumentName::Format.to_string(), "ildg-format");
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
    /// `etmc-propagator-format`, or another one of [`FERMION_FORMATS`](crate::scidac::FERMION_FORMATS)
    Fermion,
}

impl DocumentName {
    /// The type of its LIME record.
    #[must_use]
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::PrivateFile => crate::scidac::PRIVATE_FILE_XML,
            Self::PrivateRecord => crate::scidac::PRIVATE_RECORD_XML,
            Self::Checksum => crate::scidac::CHECKSUM,
            Self::Format => crate::ildg::FORMAT,
            Self::Fermion => crate::scidac::FERMION_FORMATS[0],
        }
    }
}

impl fmt::Display for DocumentName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

rules! {
    /// The errors that make SciDAC and ILDG files unreadable, or their data wrong. The errors of the other rules are in
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
            "no document describes these data: they need a scidac-private-record-xml or an ildg-format before them"
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
        /// The length of the record differs from the length that its description requires.
        DataLength {
            /// The length in bytes that the description requires.
            expected: u64,
            /// The length of the record in bytes.
            found: u64,
        } => (
            "data-length", Error, Format, "QIO 2.3, section 4.2; ILDG 1.2, section 2.5",
            "the data record has {found} bytes, but its description requires {expected}"
        ),
        /// The checksum of the data differs from the checksum in the file.
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

/// The clause about the contents of a document, unless XML itself is violated.
fn document_clause(name: DocumentName, kind: xml::ErrorKind) -> &'static str {
    match (name, kind.clause()) {
        (_, clause) if clause.starts_with("XML") => clause,
        (DocumentName::PrivateRecord, _) => "QIO 2.3, section 4.2",
        (DocumentName::PrivateFile | DocumentName::Checksum | DocumentName::Fermion, _) => {
            "QIO 2.3, section 2.1.1"
        }
        // The schema allows rows in any number and in any version.
        (DocumentName::Format, _) => match kind {
            xml::ErrorKind::RowsTooEarly => "ILDG 1.2, section 2.3",
            xml::ErrorKind::Value(xml::ElementName::Rows) => "ILDG 1.2, section 2.5.1",
            _ => "ILDG 1.2, appendix A.1",
        },
    }
}

messages! {
    /// Reason why a site or a link cannot be read or written as requested. A refused call changes nothing.
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
            /// The index of the first such number, counted from 0: in the slice, or in the site or link where one is
            /// set.
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
        /// Another place must be set first: the numbers of sites with more than 512 numbers are set in stored order;
        /// see [`SiteMut`](super::SiteMut).
        NotInOrder {
            /// The byte of the site that must be put first.
            next: u64,
        } => (
            "this site is too large to be set in any order: byte {next} of the site must be set first; `put` all of it \
             before (zeros, for example), and then set numbers in any order"
        ),
    }
}

messages! {
    /// Errors of an [`Encoder`](super::Encoder). The call that returns one has no effect.
    ///
    /// # Example
    /// ```
    /// use linkstream::field::{EncodeErrorKind, Encoder, OutgoingMessage};
    ///
    /// let refused = Encoder::new().begin(&OutgoingMessage::lfn("two words"), &mut [0; 512]);
    /// assert_eq!(refused, Err(EncodeErrorKind::LfnNotOneString));
    /// ```
    pub enum EncodeErrorKind {
        /// An error in the LIME records, see [`lime::EncodeErrorKind`].
        Lime(kind: lime::EncodeErrorKind) => (..kind),
        /// A document cannot be written.
        Emit(name: DocumentName, error: EmitError) => (..error, "{name}: {error}"),
        /// A document that readers would refuse: an element is missing, or it contradicts itself.
        Document(name: DocumentName, kind: xml::ErrorKind) => (..kind, "in {name}: {kind}"),
        /// The SciDAC record contradicts itself.
        Contradiction(contradiction: Contradiction) => (..contradiction, "in scidac-private-record-xml: {contradiction}"),
        /// A message is open and must be ended first.
        MessageOpen => ("a message is open and must be ended first; a file whose message cannot be completed must be given up"),
        /// The message differs from the one passed to `begin`.
        MessageOther => ("the message differs from the one passed to `begin`"),
        /// No message is open, or its data are complete.
        NoData => ("no data are expected: no message is open, or its data are complete"),
        /// The message is empty, or combines parts of different messages.
        MessageInvalid => (
            "invalid message: it must be one of a file message, data, a logical file name, and a foreign record"
        ),
        /// A message with data was passed to a call for messages without data, or the other way round.
        DataUnexpected => ("messages with data and messages without data are written by different calls"),
        /// A SciDAC record in a file that does not begin with a file message, which contains the lattice.
        FileMissing => ("a SciDAC record needs a file message before it, which contains the lattice"),
        /// A second file message.
        FileRepeated => ("the file already has a file message"),
        /// The file message has another lattice than the writer was created for.
        LatticeOther => ("the file message has another lattice than the writer was created for"),
        /// The SciDAC record and the `ildg-format` describe different data.
        DescriptionsDiffer => ("the SciDAC record and the ildg-format describe different data"),
        /// The form does not support this field: SciDAC has no datatype for links of real numbers, and ILDG lattices
        /// have 4 dimensions.
        FormUnsuited => ("this form does not support this kind of field or this lattice (SciDAC: complex links; ILDG: 4 dimensions)"),
        /// A title, text or date for a field without SciDAC documents. Other documents have no place for it.
        NoPlaceForText => ("there is no place for a title, text or date: the field has no SciDAC documents"),
        /// The data are longer than 64 bits can count.
        DataOverflow => ("the length of the data in bytes does not fit in 64 bits"),
        /// The update is not a string of digits (ILDG 1.2, section 2.4).
        UpdateNotDigits => ("the update number is not a string of digits"),
        /// An update without an `ildg-format` (ILDG 1.2, section 2.2).
        UpdateWithoutFormat => ("an update number needs an ildg-format"),
        /// Two gauge fields of the same kind or of different updates, and one without update (ILDG 1.2, sections 2.2
        /// and 2.4). A field that SciDAC documents describe needs none: QIO writes none there.
        UpdateMissing => (
            "the file contains several gauge fields of the same kind, or several updates: each field needs an update number"
        ),
        /// Two gauge fields of the same kind and the same update (ILDG 1.2, section 2.2).
        UpdateRepeated => ("the file already contains a gauge field of this kind with the same update number"),
        /// The logical file name is not a single string (ILDG 1.2, section 2.6).
        LfnNotOneString => ("the logical file name must be a single string: not empty and without white space"),
        /// The file has a logical file name already (ILDG 1.2, section 2.2).
        LfnRepeated => ("the file already has a logical file name"),
        /// A byte that is not allowed in this text.
        TextByte {
            /// The byte in the file.
            found: u8,
        } => ("byte {found:02x} is not allowed in this text"),
        /// The message cannot be ended because data are missing.
        DataMissing {
            /// The number of missing bytes.
            missing: u64,
        } => ("the message cannot be ended: {missing} bytes of its data were never written"),
        /// A site does not fit into the buffer.
        SiteTooLarge {
            /// Size of a site in bytes.
            needed: u64,
        } => ("the buffer is too small: a site takes {needed} bytes"),
        /// The documents before the data of a message, or after them, do not fit into the buffer.
        BufferTooSmall {
            /// The length that the buffer must have, in bytes.
            needed: u64,
        } => ("the buffer is too small: the documents take {needed} bytes"),
        /// A callback has returned without filling all of its site. The sites before it have been written.
        SiteNotFilled {
            /// The first place that it has not filled.
            missing: MissingPlace,
        } => ("the next site is incomplete: the callback has not put {missing}"),
        /// A seek or sites while a site is incomplete, or numbers while a number is.
        InsideSite => ("the last site is incomplete: its remaining bytes must be written first"),
        /// The field does not have a site with this index.
        NoSuchSite {
            /// Its index in stored order.
            index: u64,
            /// The number of sites.
            sites: u64,
        } => ("there is no site with index {index}: the field has {sites} sites (counted from 0)"),
        /// These sites have already been written.
        SitesRepeated => ("these sites have already been written"),
    }
}

impl From<lime::EncodeErrorKind> for EncodeErrorKind {
    fn from(kind: lime::EncodeErrorKind) -> Self {
        Self::Lime(kind)
    }
}

/// The first place of a site that a callback has not filled.
///
/// ```
/// use linkstream::field::MissingPlace;
///
/// let missing = MissingPlace { link: Some(1), from: 72, to: 144 };
/// assert_eq!(missing.to_string(), "bytes 72 to 143, in the link with index 1");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct MissingPlace {
    /// The link, counted from 0 as in [`SiteMut::link_mut`](super::SiteMut::link_mut), if the field is a gauge field.
    pub link: Option<u32>,
    /// The first missing byte, counted from the beginning of the site.
    pub from: u64,
    /// The byte after the last one that is missing there.
    pub to: u64,
}

impl fmt::Display for MissingPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "bytes {} to {}", self.from, self.to.saturating_sub(1))?;
        match self.link {
            Some(link) => write!(f, ", in the link with index {link}"),
            None => Ok(()),
        }
    }
}
