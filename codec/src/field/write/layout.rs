//! What a message that is to be written says about the lattice and about its data.

use super::emit::complete;
use super::message::OutgoingMessage;
use crate::field::describe::Documents;
use crate::field::error::DocumentName;
use crate::field::layout::Field;
use crate::field::write_error::EncodeErrorKind;
use crate::lattice::Extents;
use crate::lime::Record;
use crate::scidac::VolumeFormat;

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
