//! A message is checked as a whole before a byte of it is written, documents included. Then its records are
//! written, one piece after the other.
//!
//! | phase | record in the LIME encoder | due |
//! |---|---|---|
//! | `Idle` | none, and no message is open | `begin`; `part` is `Foreign` |
//! | `Header` | none | the header of `part` |
//! | `Text` | open, without a byte of payload | text or document |
//! | `Terminator` | open, at most one byte is missing | the NUL of a text, or nothing |
//! | `Data` | open; `data` has the same record, and counts its bytes | data; then, without a byte of its own, padding |
//! | `Padding` | open, the payload is complete | padding |
//!
//! A phase changes together with the LIME encoder: what was returned counts as written. `message` and `number` count the
//! messages and the records of the message, from 1. `begun` is the fingerprint of the message; every piece compares it.
//! `Encoder::is_consistent` checks this in a loaded state.

use super::encoder::{Encoder, Phase};
use super::message::{Fingerprint, OutgoingMessage, Part};
use crate::bytes::prefix;
use crate::counter::Counter as _;
use crate::crc::crc32;
use crate::encode::Encode as _;
use crate::field::error::{DocumentName, EncodeErrorKind};
use crate::field::inventory::{Digest, Inventory};
use crate::field::layout::{Documents, Field};
use crate::field::read::record::Data;
use crate::lattice::{Checksum, Extents};
use crate::lime::{Header, Record};
use crate::scidac::{PrivateFile, StoredChecksum, VolumeFormat};
use crate::xml::{self, Document, ElementName, EmitError, Spacing};

/// The next request of the encoder.
///
/// ```
/// use linkstream::field::{Encoder, OutgoingMessage, Want};
///
/// let message = OutgoingMessage::foreign(b"my-notes", b"any bytes");
/// let (mut encoder, mut scratch) = (Encoder::new(), [0; 512]);
/// let begun = encoder.begin(&message, &mut scratch)?;
/// // The header of the record comes first.
/// assert!(matches!(encoder.next(&begun, &mut scratch)?, Want::Bytes(bytes) if bytes.len() == 144));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Want<'a> {
    /// Write these bytes, at the [`Encoder::position`] before the call.
    Bytes(&'a [u8]),
    /// This number of bytes of data is expected; see [`Encoder::put`].
    Data(u64),
    /// The message is complete.
    Nothing,
}

/// A message that an encoder has begun. [`Encoder::begin`](crate::field::Encoder::begin) of this module or of
/// [`volume`](crate::volume) returns it, and `next` of the same encoder takes it.
///
/// It borrows the documents and texts of the message, so that they cannot change while the message is written. An
/// encoder compares a digest of them, which is computed once. To continue with a restored encoder, or when the message
/// has been given up in between, call `resume`, which compares the whole message with the one that was begun.
///
/// ```
/// use linkstream::Resumable;
/// use linkstream::field::{EncodeErrorKind, Encoder, OutgoingMessage, Want};
///
/// let message = OutgoingMessage::foreign(b"my-notes", b"any bytes");
/// let (mut encoder, mut scratch) = (Encoder::new(), [0; 512]);
/// let begun = encoder.begin(&message, &mut scratch)?;
/// assert!(matches!(encoder.next(&begun, &mut scratch)?, Want::Bytes(_)));
///
/// // Continue elsewhere, where the same message lies at another address.
/// let mut encoder = Encoder::load(&encoder.save())?;
/// let payload = b"any bytes".to_vec();
/// let begun = encoder.resume(&OutgoingMessage::foreign(b"my-notes", &payload), &mut scratch)?;
/// assert_eq!(encoder.next(&begun, &mut scratch)?, Want::Bytes(b"any bytes"));
/// let other = encoder.resume(&OutgoingMessage::foreign(b"my-notes", b"other text"), &mut scratch);
/// assert_eq!(other.err(), Some(EncodeErrorKind::MessageOther));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// A text that is modified while its message is written does not compile:
///
/// ```compile_fail,E0502
/// use linkstream::field::{Encoder, OutgoingMessage};
///
/// let (mut text, mut encoder, mut scratch) = (*b"any bytes", Encoder::new(), [0; 512]);
/// let begun = encoder.begin(&OutgoingMessage::foreign(b"my-notes", &text), &mut scratch)?;
/// text.fill(0);
/// encoder.next(&begun, &mut scratch)?;
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy)]
#[must_use = "the message is not written: pass it to `next` until nothing is left"]
pub struct BegunMessage<'a> {
    pub(crate) message: OutgoingMessage<'a>,
    fingerprint: Fingerprint,
}

/// Compares the digests.
impl PartialEq for BegunMessage<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.fingerprint == other.fingerprint
    }
}

impl Eq for BegunMessage<'_> {}

impl<'a> BegunMessage<'a> {
    /// Begins a message. Documents are written to `scratch` to compute the digest.
    pub(crate) fn new(message: &OutgoingMessage<'a>, scratch: &mut [u8]) -> Result<Self, EncodeErrorKind> {
        let fingerprint = Fingerprint { value: fingerprint(message, scratch)? };
        Ok(Self { message: *message, fingerprint })
    }

    /// The message with this fingerprint.
    pub(crate) fn again(
        message: &OutgoingMessage<'a>,
        fingerprint: Fingerprint,
        scratch: &mut [u8],
    ) -> Result<Self, EncodeErrorKind> {
        let begun = Self::new(message, scratch)?;
        begun.check(fingerprint)?;
        Ok(begun)
    }

    pub(crate) const fn fingerprint(&self) -> Fingerprint {
        self.fingerprint
    }

    /// Fails if the message has another fingerprint.
    pub(crate) fn check(&self, fingerprint: Fingerprint) -> Result<(), EncodeErrorKind> {
        if self.fingerprint == fingerprint { Ok(()) } else { Err(EncodeErrorKind::MessageOther) }
    }
}

impl Encoder {
    /// Begins a message, which is then passed to [`next`](Self::next). Its documents are written to `scratch` as a
    /// check. `scratch` must hold the longest of them: 512 bytes are enough unless dates or data types are very long.
    ///
    /// # Errors
    /// The message is invalid, or not allowed in this file; see [`EncodeErrorKind`].
    pub fn begin<'m>(
        &mut self,
        message: &OutgoingMessage<'m>,
        scratch: &mut [u8],
    ) -> Result<BegunMessage<'m>, EncodeErrorKind> {
        let extents = self.check_message(message, self.extents)?;
        let begun = BegunMessage::new(message, scratch)?;
        let first = message.next(None).ok_or(EncodeErrorKind::MessageInvalid)?;
        // The last check and the first change: nothing is refused from here on.
        admit(&mut self.inventory, message)?;
        self.extents = extents;
        self.part = first;
        self.phase = Phase::Header;
        self.data = None;
        self.begun = begun.fingerprint();
        // A file that is continued may end inside a message: these records are then a part of it.
        if !self.lime.message_is_open() {
            self.message.increase(1);
            self.number = 0;
        }
        Ok(begun)
    }

    /// Continues the message that was begun: with a restored encoder, or in another function. The whole message is
    /// compared. `scratch` has the requirements of [`begin`](Self::begin).
    ///
    /// # Errors
    /// [`EncodeErrorKind::MessageOther`]; [`EncodeErrorKind::NoData`] if no message is open; the buffer is too small.
    pub fn resume<'m>(
        &self,
        message: &OutgoingMessage<'m>,
        scratch: &mut [u8],
    ) -> Result<BegunMessage<'m>, EncodeErrorKind> {
        if self.phase == Phase::Idle {
            return Err(EncodeErrorKind::NoData);
        }
        BegunMessage::again(message, self.begun, scratch)
    }

    /// The lattice of the last file message.
    pub(crate) const fn lattice(&self) -> Option<&Extents> {
        self.extents.as_ref()
    }

    /// The document of the file message that must be written before this message, if it has a SciDAC record and there
    /// has been no file message: the document of this lattice. It is only returned if [`begin`](Self::begin) accepts the
    /// message after it.
    ///
    /// ```
    /// use linkstream::field::{Encoder, FieldDocuments, OutgoingMessage, Want};
    /// use linkstream::lattice::{Extents, Precision};
    /// use linkstream::scidac::PrivateRecord;
    ///
    /// let lattice = Extents::new(&[2, 2])?;
    /// let documents = FieldDocuments::scidac(PrivateRecord::real_field(Precision::F64));
    /// let (mut encoder, mut scratch, mut out) = (Encoder::new(), [0; 512], Vec::new());
    /// let message = documents.message(b"");
    /// if let Some(file) = encoder.due_file(&message, lattice, &mut scratch)? {
    ///     let begun = encoder.begin(&OutgoingMessage::file(&file, b""), &mut scratch)?;
    ///     while let Want::Bytes(bytes) = encoder.next(&begun, &mut scratch)? {
    ///         out.extend_from_slice(bytes);
    ///     }
    /// }
    /// assert!(encoder.begin(&message, &mut scratch).is_ok());
    /// assert_eq!(encoder.due_file(&message, lattice, &mut scratch), Ok(None));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`begin`](Self::begin) for this message.
    pub fn due_file(
        &self,
        message: &OutgoingMessage<'_>,
        lattice: Extents,
        scratch: &mut [u8],
    ) -> Result<Option<PrivateFile>, EncodeErrorKind> {
        if message.record.is_none() || self.extents.is_some() {
            return Ok(None);
        }
        self.check_message(message, Some(lattice))?;
        fingerprint(message, scratch)?;
        check_inventory(&self.inventory, message)?;
        Ok(Some(PrivateFile::new(&lattice)))
    }

    /// The checks of [`begin`](Self::begin) that need neither the inventory nor the buffer, in a file whose last file
    /// message has the lattice `extents`. Returns the lattice after this message.
    fn check_message(
        &self,
        message: &OutgoingMessage<'_>,
        extents: Option<Extents>,
    ) -> Result<Option<Extents>, EncodeErrorKind> {
        if self.phase != Phase::Idle {
            return Err(EncodeErrorKind::MessageOpen);
        }
        message.check_parts()?;
        if message.next(None).is_none() {
            return Err(EncodeErrorKind::MessageInvalid);
        }
        message.check_texts()?;
        if let Some((record_type, _)) = message.foreign {
            if !Part::Foreign.has_type(record_type) {
                return Err(EncodeErrorKind::MessageInvalid);
            }
            Header::new(record_type, 0, true, true)?;
        }
        let lattice = message.lattice(extents)?;
        check_documents(message)?;
        if message.has_data() {
            let mut field = Field::undescribed(Record::default());
            message.lay_out(extents.as_ref(), &mut field)?;
            let length = field.data_length().ok_or(EncodeErrorKind::DataOverflow)?;
            // All documents and headers together are much shorter than 4 GiB, so no later offset can overflow.
            length
                .checked_add(self.lime.position())
                .and_then(|end| end.checked_add(1 << 32))
                .ok_or(EncodeErrorKind::DataOverflow)?;
        }
        Ok(lattice)
    }

    /// Returns the bytes that must be written next, or the request for data. `begun` is the message that
    /// [`begin`](Self::begin) or [`resume`](Self::resume) returned, and `scratch` must be as long as for that call.
    ///
    /// # Errors
    /// [`EncodeErrorKind::MessageOther`], or the buffer is too small.
    pub fn next<'b>(
        &'b mut self,
        begun: &'b BegunMessage<'_>,
        scratch: &'b mut [u8],
    ) -> Result<Want<'b>, EncodeErrorKind> {
        let missing = self.room();
        if missing > 0 {
            return Ok(Want::Data(missing));
        }
        if self.phase == Phase::Idle {
            return Ok(Want::Nothing);
        }
        begun.check(self.begun)?;
        let message = &begun.message;
        // A forged state can be at a part that its message does not have.
        if !message.has(self.part) {
            return Err(EncodeErrorKind::MessageOther);
        }
        // No data are missing.
        if self.phase == Phase::Data {
            self.phase = Phase::Padding;
        }
        let bytes = match self.phase {
            Phase::Idle | Phase::Data => return Ok(Want::Nothing),
            Phase::Header => {
                let length = match self.part {
                    // The layout gives the length, see `open_record`.
                    Part::Data => 0,
                    part => message.length(part, self.sum(), scratch)?,
                };
                self.open_record(message, length)?
            }
            Phase::Text => {
                let text = message.content(self.part, self.sum(), scratch)?;
                self.lime.payload(text.len() as u64)?;
                self.phase = Phase::Terminator;
                text
            }
            Phase::Terminator => {
                let terminator = message.terminator(self.part);
                self.lime.payload(terminator.len() as u64)?;
                self.phase = Phase::Padding;
                terminator
            }
            Phase::Padding => self.close_record(message)?,
        };
        Ok(Want::Bytes(bytes))
    }

    /// Opens the record of the current part, which has this length, unless it is the data. Returns its header.
    pub(super) fn open_record(
        &mut self,
        message: &OutgoingMessage<'_>,
        length: u64,
    ) -> Result<&[u8], EncodeErrorKind> {
        let is_data = self.part == Part::Data;
        let length = if is_data { self.lay_out(message)? } else { length };
        let offset = self.lime.position();
        let begin = !self.lime.message_is_open();
        let end = message.next(Some(self.part)).is_none();
        // The last step that can fail: from here on the header counts as written.
        let header = Header::new(message.record_type(self.part), length, begin, end);
        if let Err(error) = header.and_then(|header| self.lime.begin(&header)) {
            if is_data {
                self.data = None;
            }
            return Err(error.into());
        }
        self.number.increase(1);
        self.phase = Phase::Text;
        if let Some(data) = self.data.as_mut().filter(|_| is_data) {
            data.field_mut().record =
                Record { offset, length, message: self.message, number: self.number, begin, end };
            self.phase = Phase::Data;
        }
        Ok(self.lime.header().as_bytes())
    }

    /// Lays out the data of the message, before their record is opened. Returns their length.
    // Not inlined: other records would pay for its stack.
    #[inline(never)]
    fn lay_out(&mut self, message: &OutgoingMessage<'_>) -> Result<u64, EncodeErrorKind> {
        // One value from here on: each copy of it would be on the stack.
        let mut data = Data::new(Field::undescribed(Record::default()));
        message.lay_out(self.extents.as_ref(), data.field_mut())?;
        let length = data.field().data_length().ok_or(EncodeErrorKind::DataOverflow)?;
        data.go_to_first();
        self.data = Some(data);
        Ok(length)
    }

    /// Closes the record of the current part and goes to the next one. Returns its padding.
    pub(super) fn close_record(
        &mut self,
        message: &OutgoingMessage<'_>,
    ) -> Result<&'static [u8], EncodeErrorKind> {
        let padding = self.lime.end()?;
        (self.part, self.phase) = match message.next(Some(self.part)) {
            Some(part) => (part, Phase::Header),
            // A fixed part, so that encoders between two messages are equal and have equal saved states.
            None => (Part::Foreign, Phase::Idle),
        };
        Ok(padding)
    }
}

/// Checks that a message is allowed in a file with this inventory.
fn check_inventory(inventory: &Inventory, message: &OutgoingMessage<'_>) -> Result<(), EncodeErrorKind> {
    let update = message.update.map(Digest::of);
    if let Some(format) = message.format {
        // SciDAC files that lack updates break no rule, and QIO knows none.
        if message.record.is_none() && inventory.update_is_missing(format.kind(), update) {
            return Err(EncodeErrorKind::UpdateMissing);
        }
        if inventory.field_is_repeated(format.kind(), update) {
            return Err(EncodeErrorKind::UpdateRepeated);
        }
    }
    if message.lfn.is_some() && inventory.lfn.is_some() {
        return Err(EncodeErrorKind::LfnRepeated);
    }
    Ok(())
}

/// Adds a message to the inventory of its file, or refuses it and changes nothing.
pub(crate) fn admit(inventory: &mut Inventory, message: &OutgoingMessage<'_>) -> Result<(), EncodeErrorKind> {
    check_inventory(inventory, message)?;
    if let Some(format) = message.format {
        inventory.insert(format.kind(), message.update.map(Digest::of));
    }
    inventory.lfn = inventory.lfn.or(message.lfn.map(Digest::of));
    Ok(())
}

/// Checks that the documents are complete and do not contradict themselves.
pub(crate) fn check_documents(message: &OutgoingMessage<'_>) -> Result<(), EncodeErrorKind> {
    if let Some((record, _)) = message.record {
        for (number, element) in
            [(record.typesize, ElementName::Typesize), (record.datacount, ElementName::Datacount)]
        {
            if number == 0 {
                let kind = xml::ErrorKind::Value(element);
                return Err(EncodeErrorKind::Document(DocumentName::PrivateRecord, kind));
            }
        }
        record.data().consistency().map_err(EncodeErrorKind::Contradiction)?;
        // All other required elements are written even if they are empty.
        if record.version().is_empty() {
            let kind = xml::ErrorKind::Missing(ElementName::Version);
            return Err(EncodeErrorKind::Document(DocumentName::PrivateRecord, kind));
        }
    }
    match message.format {
        Some(format) => complete(DocumentName::Format, format),
        None => Ok(()),
    }
}

/// A digest of everything that distinguishes messages: spacing, types of the records, texts and documents. Documents
/// are written to `scratch` for it.
fn fingerprint(message: &OutgoingMessage<'_>, scratch: &mut [u8]) -> Result<u32, EncodeErrorKind> {
    let mut sum = crc32(0, &[u8::from(message.spacing == Spacing::Lines)]);
    for part in Part::ALL.into_iter().filter(|part| message.has(*part)) {
        // The checksum of the data is not known yet. Its longest form shows whether the document will fit into the
        // buffer.
        let worst = Checksum { suma: u32::MAX, sumb: u32::MAX };
        let content = message.content(part, worst, scratch)?;
        sum = crc32(sum, message.record_type(part));
        // The length marks the end of the content, so that a shifted boundary changes the digest.
        sum = crc32(sum, &(content.len() as u64).to_be_bytes());
        sum = crc32(sum, content);
    }
    Ok(sum)
}

/// Checks that the document is complete, so that readers accept it.
pub(crate) fn complete(name: DocumentName, document: &dyn Document) -> Result<(), EncodeErrorKind> {
    // Readers use documents of unknown versions, and ignore `rows` in documents of older ones.
    let missing =
        |kind: &xml::ErrorKind| !matches!(kind, xml::ErrorKind::Version | xml::ErrorKind::RowsTooEarly);
    match document.problems().find(missing) {
        Some(kind) => Err(EncodeErrorKind::Document(name, kind)),
        None => Ok(()),
    }
}

/// Writes the document of this part of the message; returns its length, 0 for parts without a document.
fn emit(
    message: &OutgoingMessage<'_>,
    part: Part,
    sum: Checksum,
    scratch: &mut [u8],
) -> Result<usize, EncodeErrorKind> {
    let spacing = message.spacing;
    let (name, emitted): (_, Result<usize, EmitError>) = match part {
        Part::PrivateFile => {
            let Some((file, _)) = message.file else { return Ok(0) };
            (DocumentName::PrivateFile, file.emit(spacing, scratch))
        }
        Part::PrivateRecord => {
            let Some((record, _)) = message.record else { return Ok(0) };
            (DocumentName::PrivateRecord, record.emit(spacing, scratch))
        }
        Part::Format => {
            let Some(format) = message.format else { return Ok(0) };
            (DocumentName::Format, format.emit(spacing, scratch))
        }
        Part::Checksum => (DocumentName::Checksum, StoredChecksum::new(sum).emit(spacing, scratch)),
        Part::Foreign | Part::FileXml | Part::RecordXml | Part::Update | Part::Lfn | Part::Data => {
            return Ok(0);
        }
    };
    emitted.map_err(|error| EncodeErrorKind::Emit(name, error))
}

impl OutgoingMessage<'_> {
    /// The text of this part, without its terminator, or its document, which is written to `scratch`.
    pub(crate) fn content<'b>(
        &'b self,
        part: Part,
        sum: Checksum,
        scratch: &'b mut [u8],
    ) -> Result<&'b [u8], EncodeErrorKind> {
        match self.text(part) {
            Some(text) => Ok(text),
            None => {
                let length = emit(self, part, sum, scratch)?;
                Ok(prefix(scratch, length))
            }
        }
    }

    /// Length of the content of this part. Nothing is written for it.
    pub(crate) fn content_length(&self, part: Part, sum: Checksum) -> Result<u64, EncodeErrorKind> {
        let length = match self.text(part) {
            Some(text) => text.len(),
            // The bytes that do not fit are counted, so that no buffer is needed.
            None => match emit(self, part, sum, &mut []) {
                Err(EncodeErrorKind::Emit(_, EmitError::TooSmall { needed })) => needed,
                other => other?,
            },
        };
        Ok(length as u64)
    }

    /// Length of the record of this part, which must not be the data. A document is written to `scratch`.
    pub(crate) fn length(
        &self,
        part: Part,
        sum: Checksum,
        scratch: &mut [u8],
    ) -> Result<u64, EncodeErrorKind> {
        let content = self.content(part, sum, scratch)?;
        Ok((content.len() as u64).plus(self.terminator(part).len() as u64))
    }

    /// The lattice of the file once this message is written; `known` is the lattice before.
    pub(crate) fn lattice(&self, known: Option<Extents>) -> Result<Option<Extents>, EncodeErrorKind> {
        let Some((file, _)) = self.file else { return Ok(known) };
        if known.is_some() {
            return Err(EncodeErrorKind::FileRepeated);
        }
        complete(DocumentName::PrivateFile, file)?;
        let extents = file.extents();
        let single = file.volume_format() == VolumeFormat::Single;
        if extents.is_none() || !single {
            return Err(EncodeErrorKind::MessageInvalid);
        }
        Ok(extents)
    }

    /// The layout of the message's data, in a file of this `lattice`.
    // Not inlined: it has several callers.
    #[inline(never)]
    pub(crate) fn lay_out(
        &self,
        lattice: Option<&Extents>,
        field: &mut Field,
    ) -> Result<(), EncodeErrorKind> {
        let documents = Documents {
            lattice: lattice.map_or(&[], Extents::as_slice),
            record: self.record.map(|(record, _)| record),
            format: self.format,
        };
        let differ = documents.describe(field, None)?;
        // Readers that use the other document would find other data.
        let other_numbers = self.format.is_some_and(|format| field.precision != Some(format.precision()));
        if differ || other_numbers {
            return Err(EncodeErrorKind::DescriptionsDiffer);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::Resumable as _;

    /// A header needs no scratch buffer, so without one only the comparison of the message can fail.
    #[test]
    fn a_message_is_read_when_it_begins_and_when_it_is_resumed() {
        let file = PrivateFile::new(&Extents::new(&[2, 2]).unwrap());
        let text = *b"text";
        let message = OutgoingMessage::file(&file, &text);
        let (mut encoder, mut scratch) = (Encoder::new(), [0; 512]);
        let begun = encoder.begin(&message, &mut scratch).unwrap();
        while encoder.part != Part::FileXml {
            let _ = encoder.next(&begun, &mut scratch).unwrap();
        }
        let mut loaded = Encoder::load(&encoder.save()).unwrap();
        assert_eq!(loaded, encoder);
        assert!(matches!(encoder.next(&begun, &mut []), Ok(Want::Bytes(_))));
        assert!(matches!(loaded.resume(&message, &mut []), Err(EncodeErrorKind::Emit(..))));
        let resumed = loaded.resume(&message, &mut scratch).unwrap();
        assert!(matches!(loaded.next(&resumed, &mut []), Ok(Want::Bytes(_))));
        assert!(matches!(loaded.next(&resumed, &mut []), Ok(Want::Bytes(b"text"))));

        // The same content elsewhere is the same message, another content is not.
        let elsewhere = (file.clone(), *b"text", *b"test");
        let other = OutgoingMessage::file(&elsewhere.0, &elsewhere.2);
        assert_eq!(encoder.resume(&other, &mut scratch).err(), Some(EncodeErrorKind::MessageOther));
        let other = Encoder::new().begin(&other, &mut scratch).unwrap();
        assert_eq!(encoder.next(&other, &mut scratch), Err(EncodeErrorKind::MessageOther));
        let same = encoder.resume(&OutgoingMessage::file(&elsewhere.0, &elsewhere.1), &mut scratch).unwrap();
        assert!(matches!(encoder.next(&same, &mut []), Ok(Want::Bytes(b"text"))));
    }
}
