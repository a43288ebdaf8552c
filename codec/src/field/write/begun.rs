//! The message that an encoder has begun: whether its documents are right, what they describe, and how they are written.

use super::message::{OutgoingMessage, Part};
use crate::bytes::prefix;
use crate::crc::crc32;
use crate::field::describe::Documents;
use crate::field::error::DocumentName;
use crate::field::layout::Field;
use crate::field::write_error::EncodeErrorKind;
use crate::lattice::{Checksum, Extents};
use crate::lime::Record;
use crate::scidac::{StoredChecksum, VolumeFormat};
use crate::state::saved;
use crate::xml::{self, Document, Element, EmitError, Form};

/// A message that an encoder has begun. [`Encoder::begin`](crate::field::Encoder::begin) of this module or of
/// [`volume`](crate::volume) returns it, and `next` of the same encoder takes it.
///
/// It borrows the documents and texts of the message, so that they cannot change while the message is written. An encoder
/// compares a digest of them, which is computed once. To continue with a restored encoder, or when the message has been
/// given up in between, call `resume`, which compares the whole message with the one that was begun.
///
/// ```
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

/// A digest that distinguishes a message from others: only the same message can be continued.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Fingerprint {
    value: u32,
}

saved!(struct Fingerprint { value });

/// Compares the digests.
impl PartialEq for BegunMessage<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.fingerprint == other.fingerprint
    }
}

impl Eq for BegunMessage<'_> {}

impl<'a> BegunMessage<'a> {
    /// Documents are written to `scratch` to be part of the digest.
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

    /// Whether it is the message with this fingerprint.
    pub(crate) fn check(&self, fingerprint: Fingerprint) -> Result<(), EncodeErrorKind> {
        if self.fingerprint == fingerprint { Ok(()) } else { Err(EncodeErrorKind::MessageOther) }
    }
}

/// Whether the documents say all that is needed, and nothing that contradicts itself.
pub(crate) fn check_documents(message: &OutgoingMessage<'_>) -> Result<(), EncodeErrorKind> {
    if let Some((record, _)) = message.record {
        for (number, element) in
            [(record.typesize, Element::Typesize), (record.datacount, Element::Datacount)]
        {
            if number == 0 {
                let kind = xml::ErrorKind::Value(element);
                return Err(EncodeErrorKind::Document(DocumentName::PrivateRecord, kind));
            }
        }
        record.consistency().map_err(EncodeErrorKind::Contradiction)?;
        // All else that a record must have is written, be it empty.
        if record.version().is_empty() {
            let kind = xml::ErrorKind::Missing(Element::Version);
            return Err(EncodeErrorKind::Document(DocumentName::PrivateRecord, kind));
        }
    }
    match message.format {
        Some(format) => complete(DocumentName::Format, format),
        None => Ok(()),
    }
}

/// What distinguishes this message from others: its form, the types of its records, its texts and documents. All
/// documents are written to `scratch` for that.
pub(crate) fn fingerprint(message: &OutgoingMessage<'_>, scratch: &mut [u8]) -> Result<u32, EncodeErrorKind> {
    let mut sum = crc32(0, &[u8::from(message.form == Form::Lines)]);
    for part in Part::ALL.into_iter().filter(|part| message.has(*part)) {
        let content = match message.text(part) {
            Some(text) => text,
            None => {
                let worst = Checksum { suma: u32::MAX, sumb: u32::MAX };
                let length = emit(message, part, worst, scratch)?;
                prefix(scratch, length)
            }
        };
        sum = crc32(sum, message.record_type(part));
        // Where one ends and the next begins.
        sum = crc32(sum, &(content.len() as u64).to_be_bytes());
        sum = crc32(sum, content);
    }
    Ok(sum)
}

/// A document that is read back.
pub(crate) fn complete(name: DocumentName, document: &dyn Document) -> Result<(), EncodeErrorKind> {
    let missing =
        |kind: &xml::ErrorKind| !matches!(kind, xml::ErrorKind::Version | xml::ErrorKind::RowsTooEarly);
    match document.problems().find(missing) {
        Some(kind) => Err(EncodeErrorKind::Document(name, kind)),
        None => Ok(()),
    }
}

/// Writes the document that is this part of the message; 0 for parts that are none.
pub(crate) fn emit(
    message: &OutgoingMessage<'_>,
    part: Part,
    sum: Checksum,
    scratch: &mut [u8],
) -> Result<usize, EncodeErrorKind> {
    let form = message.form;
    let (name, emitted): (_, Result<usize, EmitError>) = match part {
        Part::PrivateFile => {
            let Some((file, _)) = message.file else { return Ok(0) };
            (DocumentName::PrivateFile, file.emit_as(form, scratch))
        }
        Part::PrivateRecord => {
            let Some((record, _)) = message.record else { return Ok(0) };
            (DocumentName::PrivateRecord, record.emit_as(form, scratch))
        }
        Part::Format => {
            let Some(format) = message.format else { return Ok(0) };
            (DocumentName::Format, format.emit_as(form, scratch))
        }
        Part::Checksum => (DocumentName::Checksum, StoredChecksum::new(sum).emit_as(form, scratch)),
        Part::Foreign | Part::FileXml | Part::RecordXml | Part::Update | Part::Lfn | Part::Data => {
            return Ok(0);
        }
    };
    emitted.map_err(|error| EncodeErrorKind::Emit(name, error))
}

impl OutgoingMessage<'_> {
    /// The lattice of the file once this message is written, where `known` is what it was before.
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

    /// The layout of its data, in a file of this `lattice`.
    pub(crate) fn layout(&self, lattice: Option<Extents>) -> Result<Field, EncodeErrorKind> {
        let documents = Documents {
            lattice: lattice.as_ref().map_or(&[], Extents::as_slice),
            record: self.record.map(|(record, _)| record),
            format: self.format,
        };
        let mut field = Field::undescribed(Record::default());
        let differ = documents.describe(&mut field, None)?;
        let other_numbers = self.format.is_some_and(|format| field.precision != Some(format.precision()));
        if differ || other_numbers {
            return Err(EncodeErrorKind::DescriptionsDiffer);
        }
        Ok(field)
    }
}
