//! The documents of a message: whether they are right, and how they are written.

use super::message::{OutgoingMessage, Part};
use crate::bytes::prefix;
use crate::crc::crc32;
use crate::field::error::DocumentName;
use crate::field::write_error::EncodeErrorKind;
use crate::lattice::Checksum;
use crate::scidac::StoredChecksum;
use crate::xml::{self, Document, Element, EmitError, Form};

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
