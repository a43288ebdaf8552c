//! Errors of the encoder.

use core::fmt;

use super::error::DocumentName;
use super::places::MissingPlace;
use crate::lime;
use crate::messages::messages;
use crate::scidac::Contradiction;
use crate::xml::{self, EmitError};

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
        /// The message is empty, or combines what belongs in different messages.
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
        /// A title, text or date for a field without SciDAC documents, which alone have a place for it.
        NoPlaceForText => ("there is no place for a title, text or date: the field has no SciDAC documents"),
        /// The title is set after the file message was written, or in a writer that does not write the file message.
        TitleTooLate => ("the title cannot be written: the file message has been written, or the caller writes it"),
        /// Something was set for the file or the next field, but no field was written that has it.
        NotWritten(setting: Setting) => ("{setting} was set, but has not been written: no field followed"),
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
            /// The byte.
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
        /// A callback has returned without filling all of its site. The sites before it have been written.
        SiteNotFilled {
            /// The first place that it has not filled.
            missing: MissingPlace,
        } => ("the next site is incomplete: the callback has not put {missing}"),
        /// A seek while a site is incomplete.
        InsideSite => ("the last site is incomplete: its remaining bytes must be written first"),
        /// The field does not have a site with this index.
        NoSuchSite {
            /// Its index in stored order.
            index: u64,
            /// The number of sites.
            sites: u64,
        } => ("there is no site with index {index}: the field has {sites} sites (counted from 0)"),
        /// A range of sites ends before it begins.
        SitesReversed {
            /// The first site of the range.
            start: u64,
            /// The site after the last one.
            end: u64,
        } => ("the range of sites {start}..{end} ends before it begins"),
        /// These sites have already been written.
        SitesRepeated => ("these sites have already been written"),
    }
}

impl From<lime::EncodeErrorKind> for EncodeErrorKind {
    fn from(kind: lime::EncodeErrorKind) -> Self {
        Self::Lime(kind)
    }
}

/// A property of the file or of the next field, which is set before the field is written.
///
/// ```
/// use linkstream::field::{EncodeErrorKind, Setting};
/// use linkstream::io::{FieldWriter, WriteError};
/// use linkstream::lattice::Extents;
///
/// let (mut sink, mut buffer) = ([0; 1024], [0; 512]);
/// let mut file = FieldWriter::create(&mut sink[..], &mut buffer, Extents::new(&[2, 2, 2, 2])?)?;
/// file.next_lfn("lfn://example/lattice.0100");
/// // No field follows, so the name is not in the file.
/// assert_eq!(file.finish(), Err(WriteError::Refused(EncodeErrorKind::NotWritten(Setting::Lfn))));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Setting {
    /// The text of the `scidac-file-xml`.
    Title,
    /// The text of the `scidac-record-xml`.
    Text,
    /// The date of the SciDAC record.
    Date,
    /// The `ildg-update`.
    Update,
    /// The logical file name.
    Lfn,
}

impl fmt::Display for Setting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Title => "the title",
            Self::Text => "the text of the next field",
            Self::Date => "the date of the next field",
            Self::Update => "the update number of the next field",
            Self::Lfn => "the logical file name",
        })
    }
}
