//! What a writer of fields knows of the file that it creates, besides the fields.

use super::field_pieces::Content;
use crate::callback::CallbackError;
use crate::field::{EncodeErrorKind, Field, FieldDocuments, Form, OutgoingMessage};
use crate::ildg::GaugeKind;
use crate::lattice::{Extents, Precision};
use crate::scidac::{Date, PrivateFile};

/// The file as it is planned.
#[derive(Debug)]
pub(super) struct Plan<'b> {
    /// `None` where the caller writes the messages.
    lattice: Option<Extents>,
    /// Of the file message.
    pub(super) title: &'b str,
    pub(super) next: Next<'b>,
}

/// A field that can be written: what it needs is checked.
#[derive(Debug)]
pub(super) struct Planned {
    /// Those of the field, with their date.
    pub(super) documents: FieldDocuments,
    /// The document of the file message, if that is due before the field.
    pub(super) file: Option<PrivateFile>,
}

impl Plan<'_> {
    pub(super) const fn new(lattice: Option<Extents>) -> Self {
        Self { lattice, title: "", next: Next { text: None, date: None, update: None, lfn: None } }
    }

    pub(super) fn gauge_field(
        &self,
        kind: GaugeKind,
        precision: Precision,
        form: Form,
    ) -> Result<FieldDocuments, EncodeErrorKind> {
        let lattice = self.lattice.ok_or(EncodeErrorKind::FileMissing)?;
        FieldDocuments::gauge_field(kind, precision, form, &lattice)
    }

    /// Refuses what can be refused, before the first byte is written. `fits` judges the data, with the size of the
    /// buffer.
    pub(super) fn prepare<C>(
        &self,
        content: &mut Content<'_>,
        documents: FieldDocuments,
        fits: impl FnOnce(&Field, usize) -> Result<(), CallbackError<EncodeErrorKind, C>>,
    ) -> Result<Planned, CallbackError<EncodeErrorKind, C>> {
        let lattice = self.lattice.ok_or(EncodeErrorKind::FileMissing)?;
        fits(&documents.layout(&lattice)?, content.buffer.len())?;
        let documents = match self.next.date {
            Some(date) => documents.dated(date),
            None => documents,
        };
        content.encoder.would_begin(&self.next.message(&documents)?, lattice, content.buffer)?;
        let file_due = documents.is_scidac() && !content.encoder.has_lattice();
        Ok(Planned { documents, file: file_due.then(|| PrivateFile::new(&lattice)) })
    }
}

/// What the next field gets besides its documents.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Next<'b> {
    pub(super) text: Option<&'b str>,
    pub(super) date: Option<Date>,
    pub(super) update: Option<&'b str>,
    pub(super) lfn: Option<&'b str>,
}

impl<'b> Next<'b> {
    /// The message. A text or a date for a field without SciDAC record, which has no place for them, is refused.
    pub(super) fn message<'a>(
        &self,
        documents: &'a FieldDocuments,
    ) -> Result<OutgoingMessage<'a>, EncodeErrorKind>
    where
        'b: 'a,
    {
        if !documents.is_scidac() && (self.text.is_some() || self.date.is_some()) {
            return Err(EncodeErrorKind::FormUnsuited);
        }
        let mut message = documents.message(self.text.unwrap_or_default().as_bytes());
        if let Some(update) = self.update {
            message = message.with_update(update);
        }
        if let Some(lfn) = self.lfn {
            message = message.with_lfn(lfn);
        }
        Ok(message)
    }
}
