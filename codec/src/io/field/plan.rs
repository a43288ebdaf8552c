//! What a writer of fields knows of the file that it creates, besides the fields.

use super::pieces::Content;
use crate::callback::CallbackError;
use crate::field::{EncodeErrorKind, Encoder, Field, FieldDocuments, Form, OutgoingMessage, Setting};
use crate::ildg::GaugeKind;
use crate::io::buffer::Buffer;
use crate::lattice::{Extents, Precision};
use crate::scidac::{Date, PrivateFile};

/// The file as it is planned.
#[derive(Debug)]
pub(super) struct Plan<'t> {
    /// `None` where the caller writes the messages.
    lattice: Option<Extents>,
    /// Of the file message, which has not been written.
    pub(super) title: Option<&'t str>,
    pub(super) next: Next<'t>,
}

/// A field that can be written: what it needs is checked.
#[derive(Debug)]
pub(super) struct Planned {
    /// Those of the field, with their date.
    pub(super) documents: FieldDocuments,
    /// The document of the file message, if that is due before the field.
    pub(super) file: Option<PrivateFile>,
}

impl<'t> Plan<'t> {
    pub(super) const fn new(lattice: Option<Extents>) -> Self {
        Self { lattice, title: None, next: Next { text: None, date: None, update: None, lfn: None } }
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
        content: &mut Content<impl Buffer>,
        documents: FieldDocuments,
        fits: impl FnOnce(&Field, usize) -> Result<(), CallbackError<EncodeErrorKind, C>>,
    ) -> Result<Planned, CallbackError<EncodeErrorKind, C>> {
        let lattice = self.lattice.ok_or(EncodeErrorKind::FileMissing)?;
        fits(&documents.layout(&lattice)?, content.buffer.as_ref().len())?;
        let documents = match self.next.date {
            Some(date) => documents.dated(date),
            None => documents,
        };
        content.encoder.would_begin(&self.next.message(&documents), lattice, content.buffer.as_mut())?;
        let file_due = documents.is_scidac() && !content.encoder.has_lattice();
        if self.title.is_some() && !file_due {
            return Err(EncodeErrorKind::NoPlaceForText.into());
        }
        Ok(Planned { documents, file: file_due.then(|| PrivateFile::new(&lattice)) })
    }

    /// Refuses a message of the caller with another lattice than that of the fields that are planned.
    pub(super) fn check_lattice(&self, message: &OutgoingMessage<'_>) -> Result<(), EncodeErrorKind> {
        let given = message.file.and_then(|(file, _)| file.extents());
        match (self.lattice, given) {
            (Some(planned), Some(given)) if planned != given => Err(EncodeErrorKind::LatticeOther),
            _ => Ok(()),
        }
    }

    /// Sets the title of a file whose file message this plan will write.
    pub(super) const fn set_title(
        &mut self,
        title: &'t str,
        encoder: &Encoder,
    ) -> Result<(), EncodeErrorKind> {
        if self.lattice.is_none() || encoder.has_lattice() {
            return Err(EncodeErrorKind::TitleTooLate);
        }
        self.title = Some(title);
        Ok(())
    }

    /// Whether all that was set has been written.
    pub(super) fn check_written(&self) -> Result<(), EncodeErrorKind> {
        let Next { text, date, update, lfn } = self.next;
        let settings = [
            (self.title.is_some(), Setting::Title),
            (text.is_some(), Setting::Text),
            (date.is_some(), Setting::Date),
            (update.is_some(), Setting::Update),
            (lfn.is_some(), Setting::Lfn),
        ];
        match settings.into_iter().find(|(is_set, _)| *is_set) {
            Some((_, setting)) => Err(EncodeErrorKind::NotWritten(setting)),
            None => Ok(()),
        }
    }

    /// Withdraws all that was set and has not been written.
    pub(super) fn clear(&mut self) {
        (self.title, self.next) = (None, Next::default());
    }
}

/// What the next field gets besides its documents.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Next<'t> {
    pub(super) text: Option<&'t str>,
    pub(super) date: Option<Date>,
    pub(super) update: Option<&'t str>,
    pub(super) lfn: Option<&'t str>,
}

impl<'t> Next<'t> {
    /// The message. One with a text or a date for which there is no place is refused when it begins.
    pub(super) fn message<'a>(&self, documents: &'a FieldDocuments) -> OutgoingMessage<'a>
    where
        't: 'a,
    {
        let mut message = documents.message(self.text.unwrap_or_default().as_bytes());
        if let Some(update) = self.update {
            message = message.with_update(update);
        }
        if let Some(lfn) = self.lfn {
            message = message.with_lfn(lfn);
        }
        message
    }
}
