//! What a writer of fields knows of the file that it creates, besides the fields.

use crate::field::{EncodeErrorKind, FieldDocuments, OutgoingMessage};
use crate::lattice::Extents;
use crate::scidac::Date;

/// The file as it is planned.
#[derive(Debug)]
pub(super) struct Plan<'b> {
    /// `None` where the caller writes the messages.
    pub(super) lattice: Option<Extents>,
    /// Of the file message.
    pub(super) title: &'b str,
    pub(super) next: Next<'b>,
}

impl Plan<'_> {
    pub(super) const fn new(lattice: Option<Extents>) -> Self {
        Self { lattice, title: "", next: Next { text: None, date: None, update: None, lfn: None } }
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
