//! The errors of the rules of ILDG and QIO that readers of the data do not need, and the findings of a phase.

use core::fmt;

use crate::error::Error;
use crate::field::{self, DocumentName};
use crate::rules::rules;
use crate::state::saved;
use crate::{usqcd, xml};

/// A text whose content is left to the user.
///
/// # Example
/// ```
/// assert_eq!(linkstream::conformance::UserText::Record.to_string(), "scidac-record-xml");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum UserText {
    /// `scidac-file-xml`
    File,
    /// `scidac-record-xml`
    Record,
}

impl UserText {
    /// The type of its LIME record.
    #[must_use]
    pub(crate) const fn as_str(self) -> &'static str {
        match self {
            Self::File => crate::scidac::FILE_XML,
            Self::Record => crate::scidac::RECORD_XML,
        }
    }
}

impl fmt::Display for UserText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The position of a link in a gauge field.
///
/// ```
/// use linkstream::conformance::LinkPlace;
///
/// let place = LinkPlace { direction: 3, rank: 511 };
/// assert_eq!(place.to_string(), "the link in t at the site of rank 511");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct LinkPlace {
    /// Its direction in the lattice: 0 to 3 for x, y, z, t.
    pub direction: u8,
    /// The rank of its site in the lattice.
    pub rank: u64,
}

saved!(struct LinkPlace { direction, rank });

impl fmt::Display for LinkPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the link in {} at the site of rank {}", letter(self.direction), self.rank)
    }
}

/// `x`, `y`, `z` or `t`.
pub(super) fn letter(direction: u8) -> &'static str {
    ["x", "y", "z", "t"].get(usize::from(direction)).copied().unwrap_or("?")
}

rules! {
    /// The errors of SciDAC and ILDG files: the errors of [`field::ErrorKind`], and the rules that readers of the data
    /// do not need.
    ///
    /// # Example
    /// ```
    /// use linkstream::Diagnostic;
    /// use linkstream::conformance::ErrorKind;
    ///
    /// let kind = ErrorKind::TextByte { found: 0xe4 };
    /// assert_eq!((kind.rule(), kind.clause()), ("ildg-text-byte", "ILDG 1.2, section 2.2"));
    /// ```
    pub enum ErrorKind {
        /// An error that makes the file unreadable, or its data wrong, see [`field::ErrorKind`].
        Field(kind: field::ErrorKind) => (..kind),

        /// An error in a document of the USQCD formats or in a propagator file, see [`usqcd::ErrorKind`].
        Usqcd(kind: usqcd::ErrorKind) => (..kind),
        /// The description of the data is in another message.
        DescribedElsewhere => (
            "data-described-in-another-message", Warning, Rule, "ILDG 1.2, section 2.2",
            "the document that describes these data is in another message"
        ),
        /// A description without data.
        DataMissing(name: DocumentName) =>
            (
                "data-missing" if *name == DocumentName::Format, Error, Rule, "ILDG 1.2, section 2.2",
                "this {name} is not followed by the data that it describes"
            )
            (
                "data-missing", Error, Rule, "QIO 2.3, section 2.1.1",
                "this {name} is not followed by the data that it describes"
            ),
        /// The file has documents of a lattice or of an ILDG file, but no data: it may have been cut off between two
        /// records, which LIME cannot show. A job that ends after it has opened a file leaves such a file.
        DataAbsent => (
            "file-without-data", Error, Truncated, "QIO 2.3, section 2.1.1; ILDG 1.2, section 2.2",
            "the file has no data, only documents about them: it may have been cut off between two records"
        ),
        /// A SciDAC record without a file document, whose data an `ildg-format` describes: the beginning of the file
        /// may be missing.
        FileAbsent => (
            "scidac-file-absent", Warning, Rule, "QIO 2.3, section 2.1.1",
            "no scidac-private-file-xml precedes this SciDAC record: the beginning of the file may be missing"
        ),
        /// The SciDAC and the ILDG documents of the same data contradict each other.
        DescriptionsDiffer {
            /// The `ildg-format` describes the whole lattice, but the data are a hypercube or global. In its ILDG
            /// mode, QIO writes an `ildg-format` for every record with the datatype of a gauge field.
            part: bool,
        } =>
            (
                "descriptions-differ" if *part, Info, Rule, "ILDG 1.2, section 2.3",
                "the ildg-format describes the whole lattice, the SciDAC record a part of it, as QIO writes them; the \
                 SciDAC record is used"
            )
            (
                "descriptions-differ", Error, Rule, "ILDG 1.2, section 2.3",
                "the SciDAC record and the ildg-format describe different data"
            ),

        /// Elements of a `scidac-private-record-xml` contradict its datatype, such as `USQCD_F3_ColorMatrix`.
        RecordContradiction {
            /// The element that differs.
            element: xml::ElementName,
            /// The width or the number of the numbers is not certain. Otherwise, datatype and size of an item agree.
            ambiguous: bool,
        } =>
            (
                "scidac-record-contradiction" if *ambiguous, Error, Rule, "QIO 2.3, section 4.2",
                "<{element}> contradicts the datatype or the size of an item: it is not certain which numbers the data are"
            )
            (
                "scidac-record-contradiction", Info, Rule, "QIO 2.3, section 4.2",
                "<{element}> contradicts the datatype, with which the size of an item agrees"
            ),
        /// A SciDAC record without a checksum record.
        ChecksumMissing => (
            "checksum-missing", Warning, Checksum, "QIO 2.3, section 2.1.1", "no scidac-checksum follows the data"
        ),
        /// A checksum record that lacks one or both sums. QIO omits both if either is zero.
        ChecksumAbsent => (
            "checksum-absent", Info, Checksum, "QIO 2.3, section 2.1.1",
            "the checksum record does not have both sums (QIO omits them if one is zero)"
        ),
        /// A checksum record that no data precede.
        ChecksumWithoutData => (
            "checksum-without-data", Warning, Rule, "QIO 2.3, section 2.1.1", "no data precede this checksum"
        ),

        // Records of QIO's messages.

        /// A `scidac-private-file-xml` without a `scidac-file-xml` in its message.
        FileXmlMissing => (
            "scidac-file-xml-missing", Warning, Rule, "QIO 2.3, section 2.1.1",
            "no scidac-file-xml follows the scidac-private-file-xml"
        ),
        /// A `scidac-private-record-xml` without a `scidac-record-xml` in its message.
        RecordXmlMissing => (
            "scidac-record-xml-missing", Warning, Rule, "QIO 2.3, section 2.1.1",
            "the message of this SciDAC record has no scidac-record-xml"
        ),

        /// A text of the user is not well-formed XML. Neither QIO nor the data depend on it, but programs that parse
        /// the text may refuse the file. A text that does not begin like XML is not checked.
        UserXml(name: UserText, kind: xml::ErrorKind) => (
            "scidac-user-xml", Info, Format, "XML 1.0, section 2.1", "{name} is not well-formed: {kind}"
        ),

        // Records of ILDG's messages.

        /// The data have the type of ILDG, but only SciDAC documents describe them. Grid and the converters of QIO
        /// write such files.
        FormatMissing => (
            "ildg-format-missing", Info, Rule, "ILDG 1.2, section 2.2",
            "no ildg-format precedes this ildg-binary-data; SciDAC documents describe it"
        ),
        /// An `ildg-format` after the data of its message.
        FormatBehindData => (
            "ildg-format-behind-data", Warning, Rule, "ILDG 1.2, section 2.2",
            "this ildg-format follows the data of its message; it must precede them"
        ),
        /// A second `ildg-format` in a message before the data: it is unknown which of them is intended.
        FormatRepeated => (
            "ildg-format-repeated", Error, Rule, "ILDG 1.2, section 2.2",
            "duplicate ildg-format before the data; the last one is used"
        ),
        /// An `ildg-update` that is not between the format and the data of its message.
        UpdateMisplaced => (
            "ildg-update-misplaced", Warning, Rule, "ILDG 1.2, section 2.2",
            "this ildg-update is not between the ildg-format and the data of its message"
        ),
        /// A second `ildg-update` for the same data.
        UpdateRepeated => (
            "ildg-update-repeated", Warning, Rule, "ILDG 1.2, section 2.2", "duplicate ildg-update for the same data"
        ),
        /// The update is not a string of digits.
        UpdateNotDigits => (
            "ildg-update-not-digits", Warning, Rule, "ILDG 1.2, section 2.4",
            "the update number is not a string of digits"
        ),
        /// A gauge field without `ildg-update` in a file with two gauge fields of the same kind (section 2.2), or of
        /// different updates (section 2.4).
        UpdateMissing {
            /// The data are described by SciDAC documents: a SciDAC file that lacks updates breaks no rule.
            scidac: bool,
        } =>
            (
                "ildg-update-missing" if *scidac, Info, Rule, "ILDG 1.2, sections 2.2 and 2.4",
                "the file contains gauge fields of the same kind or of several updates, but not each message has an \
                 ildg-update"
            )
            (
                "ildg-update-missing", Warning, Rule, "ILDG 1.2, sections 2.2 and 2.4",
                "the file contains gauge fields of the same kind or of several updates, but not each message has an \
                 ildg-update"
            ),
        /// Two gauge fields of the same kind and the same update, which cannot be distinguished.
        FieldRepeated => (
            "ildg-field-repeated", Warning, Rule, "ILDG 1.2, section 2.2",
            "the file contains another gauge field of this kind with the same ildg-update"
        ),
        /// More gauge fields than the decoder can remember: from here on, the rules about several gauge fields in a
        /// file are not checked.
        FieldsNotJudged => (
            "ildg-fields-not-judged", Info, Rule, "ILDG 1.2, section 2.2",
            "too many gauge fields: from here on it is not checked whether they are unique and have an ildg-update"
        ),
        /// A record type with the reserved prefix `ildg-` that ILDG does not define.
        TypeUnknown => (
            "ildg-type-unknown", Warning, Rule, "ILDG 1.2, section 2.2",
            "unknown ILDG record type: the prefix ildg- is reserved"
        ),
        /// A byte that ILDG does not allow in its text records.
        TextByte {
            /// The byte in the file.
            found: u8,
        } => (
            "ildg-text-byte", Warning, Rule, "ILDG 1.2, section 2.2",
            "byte {found:02x} is not allowed in an ILDG text record (printable ASCII, tab, line feed)"
        ),

        // The logical file name.

        /// A second `ildg-data-lfn`: a file has one logical file name.
        LfnRepeated {
            /// It contains the same name as the first one: QIO writes the name with every field.
            same: bool,
        } =>
            (
                "ildg-lfn-repeated" if *same, Info, Rule, "ILDG 1.2, section 2.2",
                "the logical file name is repeated"
            )
            (
                "ildg-lfn-repeated", Warning, Rule, "ILDG 1.2, section 2.2",
                "a second logical file name that differs from the first; a file has one"
            ),
        /// An ILDG file without logical file name. It may be appended later (section 2.6, note 4).
        LfnMissing => (
            "ildg-lfn-missing", Info, Rule, "ILDG 1.2, section 2.2",
            "the file has no logical file name (ildg-data-lfn); one can be appended"
        ),
        /// The logical file name is empty.
        LfnEmpty => ("ildg-lfn-empty", Warning, Rule, "ILDG 1.2, section 2.6", "the logical file name is empty"),
        /// The logical file name contains white space: it is not a single string.
        LfnNotSingle => (
            "ildg-lfn-not-single", Warning, Rule, "ILDG 1.2, section 2.6",
            "the logical file name is not a single string: it contains white space"
        ),

        // Unphysical links, found by `Boundaries`.

        /// An unphysical link elsewhere than on the last slice of its direction.
        LinkUnphysical(place: LinkPlace) => (
            "ildg-link-unphysical", Warning, Rule, "ILDG 1.2, section 2.5.1",
            "{place} is unphysical (all bits are the same), which is allowed only on the last slice of its direction"
        ),
        /// On the last slice of a direction some links are unphysical and some are not.
        BoundaryMixed(place: LinkPlace) => (
            "ildg-boundary-mixed", Warning, Rule, "ILDG 1.2, section 2.5.1",
            "{place} is unphysical and links before it on the last slice of its direction are not, or the other way \
             round: all links there must be unphysical, or none"
        ),
    }
}

impl From<field::ErrorKind> for ErrorKind {
    fn from(kind: field::ErrorKind) -> Self {
        Self::Field(kind)
    }
}

impl From<usqcd::ErrorKind> for ErrorKind {
    fn from(kind: usqcd::ErrorKind) -> Self {
        Self::Usqcd(kind)
    }
}

/// The findings of one phase. They are counted, and only one is kept: a list of all would take the largest part of the
/// stack. The phase is therefore evaluated once for each finding.
#[derive(Debug)]
pub(super) struct Findings {
    /// Number of findings before the one to be kept.
    before: u8,
    kept: Option<Error<ErrorKind>>,
}

impl Findings {
    /// Keeps the finding with number `index`, counted from 0.
    pub(super) const fn keeping(index: u8) -> Self {
        Self { before: index, kept: None }
    }

    pub(super) fn push<K: Into<ErrorKind>>(&mut self, error: Error<K>) {
        match self.before.checked_sub(1) {
            Some(before) => self.before = before,
            None if self.kept.is_none() => self.kept = Some(Error::new(error.at, error.kind.into())),
            None => {}
        }
    }

    pub(super) fn report(&mut self, at: u64, kind: impl Into<ErrorKind>) {
        self.push(Error::new(at, kind));
    }

    /// Reports a finding, if there is one.
    pub(super) fn report_at(&mut self, found: Option<(u64, impl Into<ErrorKind>)>) {
        found.into_iter().for_each(|(at, kind)| self.report(at, kind));
    }

    /// The finding that was kept; `None` if there are fewer.
    pub(super) const fn kept_finding(&self) -> Option<Error<ErrorKind>> {
        self.kept
    }
}
