//! The contents of one LIME message that is written: documents, texts, and data if there are any. Its records have the
//! order of QIO, which ILDG 1.2, section 2.2 permits.

use crate::field::error::EncodeErrorKind;
use crate::field::layout::Field;
use crate::ildg::{self, Format, GaugeKind};
use crate::lattice::{Extents, Precision};
use crate::lime::Record;
use crate::scidac::{self, Date, PrivateFile, PrivateRecord};
use crate::state::saved;
use crate::xml;

/// The records of a message in their order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd)]
pub(crate) enum Part {
    Foreign,
    PrivateFile,
    FileXml,
    PrivateRecord,
    RecordXml,
    Format,
    Update,
    Lfn,
    Data,
    Checksum,
}

saved!(enum Part:
    Foreign, PrivateFile, FileXml, PrivateRecord, RecordXml, Format, Update, Lfn, Data, Checksum
);

impl Part {
    pub(crate) const ALL: [Self; 10] = [
        Self::Foreign,
        Self::PrivateFile,
        Self::FileXml,
        Self::PrivateRecord,
        Self::RecordXml,
        Self::Format,
        Self::Update,
        Self::Lfn,
        Self::Data,
        Self::Checksum,
    ];

    /// The type of the record, as far as it does not depend on the message.
    const fn name(self) -> &'static str {
        match self {
            Self::Foreign => "",
            Self::PrivateFile => scidac::PRIVATE_FILE_XML,
            Self::FileXml => scidac::FILE_XML,
            Self::PrivateRecord => scidac::PRIVATE_RECORD_XML,
            Self::RecordXml => scidac::RECORD_XML,
            Self::Format => ildg::FORMAT,
            Self::Update => ildg::UPDATE,
            Self::Lfn => ildg::DATA_LFN,
            Self::Data => scidac::BINARY_DATA,
            Self::Checksum => scidac::CHECKSUM,
        }
    }

    /// Returns whether a record of this type can be this part of a message.
    pub(crate) fn has_type(self, record_type: &[u8]) -> bool {
        let ildg_data = record_type == ildg::BINARY_DATA.as_bytes();
        let has_name = |part: Self| record_type == part.name().as_bytes();
        match self {
            Self::Foreign => !ildg_data && !Self::ALL.into_iter().skip(1).any(has_name),
            Self::Data if ildg_data => true,
            part => has_name(part),
        }
    }
}

/// One message to be written by an [`Encoder`](crate::field::Encoder). Texts are given without a terminating NUL.
///
/// ```
/// use linkstream::field::{EncodeErrorKind, Encoder, OutgoingMessage};
/// use linkstream::ildg::{Format, GaugeKind};
/// use linkstream::lattice::Precision;
/// use linkstream::scidac::PrivateRecord;
///
/// let format = Format::new(GaugeKind::SU3, Precision::F32, [4, 4, 4, 8]);
/// // A field with the records that ILDG requires and no others,
/// let plain = OutgoingMessage::ildg(&format).with_update("100");
///
/// // the same field for both SciDAC and ILDG programs,
/// let record = PrivateRecord::gauge_field(3, Precision::F32, 4);
/// let both = OutgoingMessage::scidac(&record, b"<info>thermalised</info>").with_format(&format);
///
/// // and the name of the file, as a message of its own.
/// let name = OutgoingMessage::lfn("lfn://example/lat.0100");
/// for message in [plain, name] {
///     assert!(Encoder::new().begin(&message, &mut [0; 512]).is_ok());
/// }
/// // A SciDAC record comes after a file message, which has the lattice.
/// assert_eq!(Encoder::new().begin(&both, &mut [0; 512]).err(), Some(EncodeErrorKind::FileMissing));
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct OutgoingMessage<'a> {
    pub(crate) foreign: Option<(&'a [u8], &'a [u8])>,
    pub(crate) file: Option<(&'a PrivateFile, &'a [u8])>,
    pub(crate) record: Option<(&'a PrivateRecord, &'a [u8])>,
    pub(crate) format: Option<&'a Format>,
    pub(crate) update: Option<&'a str>,
    pub(crate) lfn: Option<&'a str>,
    pub(crate) lfn_ends_in_nul: bool,
    pub(crate) checksum: bool,
    pub(crate) spacing: xml::Spacing,
    /// A text or a date was given, but no document has a place for it.
    pub(crate) has_stray_text: bool,
}

/// A digest that distinguishes a message from others: only the same message can be continued.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Fingerprint {
    pub(super) value: u32,
}

saved!(struct Fingerprint { value });

impl Fingerprint {
    pub(crate) const NONE: Self = Self { value: 0 };
}

impl<'a> OutgoingMessage<'a> {
    /// The first message of a SciDAC file: its document and the user's text, in QIO's form.
    #[must_use]
    pub fn file(file: &'a PrivateFile, text: &'a [u8]) -> Self {
        Self { file: Some((file, text)), ..Self::default() }
    }

    /// A field, hypercube or global record of a SciDAC file with the user's text and its checksum, in QIO's form.
    #[must_use]
    pub fn scidac(record: &'a PrivateRecord, text: &'a [u8]) -> Self {
        Self { record: Some((record, text)), checksum: true, ..Self::default() }
    }

    /// A gauge field with only the records that ILDG requires: without a checksum (which is part of SciDAC), its
    /// document indented and without a terminating NUL.
    #[must_use]
    pub fn ildg(format: &'a Format) -> Self {
        Self { format: Some(format), spacing: xml::Spacing::Lines, ..Self::default() }
    }

    /// The logical file name in a message of its own, as it can be appended to a file (ILDG 1.2, note 4).
    #[must_use]
    pub fn lfn(name: &'a str) -> Self {
        Self { lfn: Some(name), lfn_ends_in_nul: true, spacing: xml::Spacing::Lines, ..Self::default() }
    }

    /// One record of any other type; the payload is written unchanged.
    ///
    /// # Example
    /// ```
    /// use linkstream::field::{Encoder, OutgoingMessage, Want};
    ///
    /// let message = OutgoingMessage::foreign(b"my-notes", b"any bytes");
    /// let (mut encoder, mut scratch, mut file) = (Encoder::new(), [0; 512], Vec::new());
    /// let begun = encoder.begin(&message, &mut scratch)?;
    /// while let Want::Bytes(bytes) = encoder.next(&begun, &mut scratch)? {
    ///     file.extend_from_slice(bytes);
    /// }
    /// assert_eq!(file.len(), 144 + 16);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub fn foreign(record_type: &'a [u8], payload: &'a [u8]) -> Self {
        Self { foreign: Some((record_type, payload)), ..Self::default() }
    }

    /// Adds an `ildg-format` to the SciDAC record; the type of the data becomes `ildg-binary-data`.
    #[must_use]
    pub fn with_format(self, format: &'a Format) -> Self {
        Self { format: Some(format), ..self }
    }

    /// Adds the number of the update (ILDG 1.2, section 2.4), a string of digits. If two fields of the file are of
    /// the same kind, or of different updates, each field without SciDAC documents needs one.
    #[must_use]
    pub fn with_update(self, update: &'a str) -> Self {
        Self { update: Some(update), ..self }
    }

    /// Adds the logical file name.
    #[must_use]
    pub fn with_lfn(self, name: &'a str) -> Self {
        Self { lfn: Some(name), lfn_ends_in_nul: true, ..self }
    }

    /// Adds the logical file name without the terminating NUL that QIO writes and ILDG 1.2, section 2.2, advises
    /// against.
    #[must_use]
    pub fn with_bare_lfn(self, name: &'a str) -> Self {
        Self { lfn: Some(name), lfn_ends_in_nul: false, ..self }
    }

    /// Sets whether a `scidac-checksum` is written after the data. A message with a checksum but without data is
    /// refused.
    #[must_use]
    pub fn with_checksum(self, checksum: bool) -> Self {
        Self { checksum, ..self }
    }

    /// Sets the spacing of the documents, which includes whether texts end in a NUL.
    #[must_use]
    pub fn with_spacing(self, spacing: xml::Spacing) -> Self {
        Self { spacing, ..self }
    }

    /// True if the message has data.
    pub(crate) const fn has_data(&self) -> bool {
        self.record.is_some() || self.format.is_some()
    }

    pub(crate) const fn has(&self, part: Part) -> bool {
        match part {
            Part::Foreign => self.foreign.is_some(),
            Part::PrivateFile | Part::FileXml => self.file.is_some(),
            Part::PrivateRecord | Part::RecordXml => self.record.is_some(),
            Part::Format => self.format.is_some(),
            Part::Update => self.update.is_some(),
            Part::Lfn => self.lfn.is_some(),
            Part::Data => self.has_data(),
            Part::Checksum => self.checksum && self.has_data(),
        }
    }

    /// The record after `part`, or the first one.
    pub(crate) fn next(&self, part: Option<Part>) -> Option<Part> {
        Part::ALL.into_iter().find(|next| self.has(*next) && part.is_none_or(|part| *next > part))
    }

    pub(crate) const fn record_type(&self, part: Part) -> &'a [u8] {
        match (part, self.foreign) {
            (Part::Foreign, Some((record_type, _))) => record_type,
            (Part::Data, _) if self.format.is_some() => ildg::BINARY_DATA.as_bytes(),
            _ => part.name().as_bytes(),
        }
    }

    /// A text that the caller gave.
    pub(crate) fn text(&self, part: Part) -> Option<&'a [u8]> {
        match part {
            Part::Foreign => self.foreign.map(|(_, payload)| payload),
            Part::FileXml => self.file.map(|(_, text)| text),
            Part::RecordXml => self.record.map(|(_, text)| text),
            Part::Update => self.update.map(str::as_bytes),
            Part::Lfn => self.lfn.map(str::as_bytes),
            _ => None,
        }
    }

    /// The terminator of such a text in its record. Documents contain their own.
    pub(crate) const fn terminator(&self, part: Part) -> &'static [u8] {
        match (part, self.spacing) {
            (Part::Lfn, _) if !self.lfn_ends_in_nul => b"",
            (Part::FileXml | Part::RecordXml | Part::Update | Part::Lfn, xml::Spacing::Line) => b"\0",
            _ => b"",
        }
    }

    /// Checks that the parts belong in one message, and that there is a place for each text.
    pub(crate) fn check_parts(&self) -> Result<(), EncodeErrorKind> {
        let alone = [self.foreign.is_some(), self.file.is_some(), self.has_data()];
        let is_empty = self.next(None).is_none();
        let name_elsewhere = self.lfn.is_some() && !self.has_data() && self.next(None) != Some(Part::Lfn);
        let checksum_of_nothing = self.checksum && !self.has_data();
        let several = alone.into_iter().filter(|part| *part).count() > 1;
        if is_empty || several || name_elsewhere || checksum_of_nothing {
            return Err(EncodeErrorKind::MessageInvalid);
        }
        if self.has_stray_text { Err(EncodeErrorKind::NoPlaceForText) } else { Ok(()) }
    }

    /// Checks that the texts are permitted in their places (ILDG 1.2, sections 2.2, 2.4 and 2.6).
    pub(crate) fn check_texts(&self) -> Result<(), EncodeErrorKind> {
        for (part, text) in [(Part::Update, self.update), (Part::Lfn, self.lfn)] {
            let Some(text) = text else { continue };
            if let Some(found) = text.bytes().find(|byte| !ildg::is_text(*byte)) {
                return Err(EncodeErrorKind::TextByte { found });
            }
            let one_string = !text.is_empty() && !text.bytes().any(|byte| byte.is_ascii_whitespace());
            match part {
                Part::Update if !one_string || !text.bytes().all(|byte| byte.is_ascii_digit()) => {
                    return Err(EncodeErrorKind::UpdateNotDigits);
                }
                Part::Lfn if !one_string => return Err(EncodeErrorKind::LfnNotOneString),
                _ => {}
            }
        }
        let user = [self.file.map(|(_, text)| text), self.record.map(|(_, text)| text)];
        if user.into_iter().flatten().any(|text| text.contains(&0)) {
            return Err(EncodeErrorKind::TextByte { found: 0 });
        }
        if self.update.is_some() && self.format.is_none() {
            return Err(EncodeErrorKind::UpdateWithoutFormat);
        }
        Ok(())
    }
}

/// The form of a gauge field that is written.
///
/// ```
/// use linkstream::field::{FieldDocuments, Form};
/// use linkstream::ildg::GaugeKind;
/// use linkstream::lattice::{Extents, Precision};
///
/// let lattice = Extents::new(&[4, 4, 4, 8])?;
/// let documents = FieldDocuments::gauge_field(GaugeKind::SU3, Precision::F32, Form::Both, &lattice)?;
/// assert_eq!(documents.layout(&lattice)?.bytes_per_site, 4 * 9 * 2 * 4);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Form {
    /// SciDAC programs: a private record, the data as `scidac-binary-data`, and the checksum.
    Scidac,
    /// ILDG 1.2 only: an `ildg-format`, and the data as `ildg-binary-data` with one link in each direction that has
    /// more than one site. A `scidac-checksum` follows, which ILDG allows.
    Ildg,
    /// Both, as QIO writes ILDG files: a private record, an `ildg-format` of version 1.0, and four links at each
    /// site whatever the extents.
    Both,
}

/// The documents of one field: a SciDAC record, an `ildg-format`, or both. [`message`](Self::message) makes
/// the message for an [`Encoder`](crate::field::Encoder) or a writer.
///
/// ```
/// use linkstream::field::{Encoder, FieldDocuments, Form};
/// use linkstream::ildg::GaugeKind;
/// use linkstream::io::{FieldWriter, Fill};
/// use linkstream::lattice::{Extents, Precision};
///
/// let lattice = Extents::new(&[2, 2, 2, 2])?;
/// let documents = FieldDocuments::gauge_field(GaugeKind::SU3, Precision::F64, Form::Ildg, &lattice)?;
/// let (mut file, mut buffer) = ([0; 12_000], [0; 1024]);
/// let mut writer = FieldWriter::with_encoder(&mut file[..], &mut buffer, Encoder::new());
/// writer.write(&documents.message(b""), Fill::sites(|site| site.put(&[0.5_f64; 72])))?;
/// assert_eq!(writer.encoder().field().map(|field| field.record.length), Some(16 * 72 * 8));
/// writer.finish()?;
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldDocuments {
    record: Option<PrivateRecord>,
    format: Option<Format>,
    /// A date was given, but no document has a place for it.
    has_stray_date: bool,
}

impl FieldDocuments {
    /// The documents of a gauge field whose links are stored with all rows.
    ///
    /// # Errors
    /// [`EncodeErrorKind::FormUnsuited`] if the form does not support this field: SciDAC has no datatype for links
    /// of real numbers, and ILDG lattices have 4 dimensions.
    pub fn gauge_field(
        kind: GaugeKind,
        precision: Precision,
        form: Form,
        lattice: &Extents,
    ) -> Result<Self, EncodeErrorKind> {
        let extents = <[u32; 4]>::try_from(lattice.as_slice());
        if form != Form::Ildg && kind.is_real() {
            return Err(EncodeErrorKind::FormUnsuited);
        }
        // QDP stores a link for each dimension. Files with an `ildg-format` have 4 dimensions, so 4 links.
        let record = (form != Form::Ildg)
            .then(|| PrivateRecord::gauge_field(kind.colors(), precision, u32::from(lattice.dimensions())));
        let format = match form {
            Form::Scidac => None,
            Form::Ildg => {
                Some(Format::new(kind, precision, extents.map_err(|_| EncodeErrorKind::FormUnsuited)?))
            }
            Form::Both => Some(Format::version_1_0(
                kind,
                precision,
                extents.map_err(|_| EncodeErrorKind::FormUnsuited)?,
            )),
        };
        Ok(Self { record, format, has_stray_date: false })
    }

    /// The documents of data that a SciDAC record describes; see the constructors of [`PrivateRecord`].
    #[must_use]
    pub const fn scidac(record: PrivateRecord) -> Self {
        Self { record: Some(record), format: None, has_stray_date: false }
    }

    /// The same documents with this date. Only a SciDAC record has a place for it: without one, the message of these
    /// documents is refused ([`EncodeErrorKind::NoPlaceForText`]).
    #[must_use]
    pub fn dated(mut self, date: Date) -> Self {
        match &mut self.record {
            Some(record) => record.set_date(date),
            None => self.has_stray_date = true,
        }
        self
    }

    /// The message of this field, checksum included. `text` is the user's text about the record. Only a SciDAC record
    /// has a place for it: without one, a message with a text that is not empty is refused
    /// ([`EncodeErrorKind::NoPlaceForText`]).
    #[must_use]
    pub fn message<'a>(&'a self, text: &'a [u8]) -> OutgoingMessage<'a> {
        let has_stray_text = self.has_stray_date || (self.record.is_none() && !text.is_empty());
        let message = match (&self.record, &self.format) {
            (Some(record), Some(format)) => OutgoingMessage::scidac(record, text).with_format(format),
            (Some(record), None) => OutgoingMessage::scidac(record, text),
            (None, Some(format)) => OutgoingMessage::ildg(format).with_checksum(true),
            (None, None) => OutgoingMessage::default(),
        };
        OutgoingMessage { has_stray_text, ..message }
    }

    /// The layout of the data on this lattice.
    ///
    /// # Errors
    /// The errors of [`Encoder::begin`](crate::field::Encoder::begin) that concern the layout: documents that are
    /// missing or contradict each other, and data of more than 64 bits.
    pub fn layout(&self, lattice: &Extents) -> Result<Field, EncodeErrorKind> {
        let mut field = Field::undescribed(Record::default());
        self.message(b"").lay_out(Some(lattice), &mut field)?;
        Ok(field)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_bare_name_has_no_nul_in_either_form() {
        for (spacing, terminator) in [(xml::Spacing::Line, &b"\0"[..]), (xml::Spacing::Lines, b"")] {
            let message = OutgoingMessage::default().with_spacing(spacing);
            assert_eq!(message.with_lfn("a").terminator(Part::Lfn), terminator);
            assert_eq!(message.with_bare_lfn("a").terminator(Part::Lfn), b"");
            assert_eq!(message.with_bare_lfn("a").terminator(Part::Update), terminator);
        }
    }
}
