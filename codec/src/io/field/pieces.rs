//! The pieces that the calls of [`FieldWriter`](crate::io::FieldWriter) write, and the plan of a file that it creates.

use core::convert::Infallible;
use core::ops::ControlFlow;

use crate::bytes::{prefix, suffix};
use crate::callback::{CallbackError, Outcome};
use crate::counter::Counter as _;
use crate::encode::Encode;
use crate::field::{
    BegunMessage, EncodeErrorKind, Encoder, Field, FieldDocuments, Form, OutgoingMessage, Setting, SiteError,
    SiteMut, Want, check_overflow,
};
use crate::ildg::GaugeKind;
use crate::io::buffer::Buffer;
use crate::io::writer::{NextPiece, Pieces};
use crate::lattice::{Extents, Float, Precision};
use crate::scidac::{Date, PrivateFile};

/// The encoder with its buffer.
#[derive(Debug)]
pub(super) struct Content<B> {
    pub(super) encoder: Encoder,
    pub(super) buffer: B,
}

impl<B> Encode for Content<B> {
    type ErrorKind = EncodeErrorKind;

    fn room(&self) -> u64 {
        self.encoder.missing()
    }

    fn put(&mut self, payload: &[u8]) -> Result<(), EncodeErrorKind> {
        self.encoder.data(payload)
    }

    fn position(&self) -> u64 {
        self.encoder.position()
    }

    fn finish(&self) -> Result<(), EncodeErrorKind> {
        self.encoder.finish()
    }
}

impl<B: Buffer> Content<B> {
    /// Begins a message with data, or one without.
    pub(super) fn begin<'m>(
        &mut self,
        message: &OutgoingMessage<'m>,
        has_data: bool,
    ) -> Result<BegunMessage<'m>, EncodeErrorKind> {
        if message.has_data() != has_data {
            return Err(EncodeErrorKind::DataUnexpected);
        }
        self.encoder.begin(message, self.buffer.as_mut())
    }

    /// Resumes the open message to end it. Refused while data are missing.
    pub(super) fn resume<'m>(
        &mut self,
        message: &OutgoingMessage<'m>,
    ) -> Result<BegunMessage<'m>, EncodeErrorKind> {
        match (self.encoder.site(), self.encoder.missing()) {
            (None, _) => Err(EncodeErrorKind::NoData),
            (Some(_), 0) => self.encoder.resume(message, self.buffer.as_mut()),
            (Some(_), missing) => Err(EncodeErrorKind::DataMissing { missing }),
        }
    }
}

/// The records of a message, up to its data or from there on. As many as fit into the buffer are one piece.
#[derive(Debug)]
pub(super) struct Documents<'m, 'd> {
    pub(super) begun: &'m BegunMessage<'d>,
    /// Stops before the data, even if they have no bytes.
    pub(super) before_data: bool,
}

impl<B: Buffer> Pieces<Content<B>> for Documents<'_, '_> {
    type ErrorKind = EncodeErrorKind;
    type Callback = Infallible;

    fn next<'s>(&'s mut self, content: &'s mut Content<B>) -> NextPiece<'s, EncodeErrorKind, Infallible> {
        if self.before_data && content.encoder.site().is_some() {
            return Ok(None);
        }
        let bytes = match content.encoder.stage_some(self.begun, content.buffer.as_mut())? {
            // The next piece is longer than the buffer, or there is none.
            0 => match content.encoder.next(self.begun, content.buffer.as_mut())? {
                Want::Bytes(bytes) => bytes,
                Want::Data(_) | Want::Nothing => return Ok(None),
            },
            length => prefix(content.buffer.as_ref(), length),
        };
        Ok(Some(bytes))
    }
}

/// Sites that a callback fills.
#[derive(Debug)]
pub(super) struct Sites<F, C> {
    left: u64,
    fill: F,
    /// Error of the next site. It is returned after the sites before it have been written.
    failed: Option<CallbackError<EncodeErrorKind, C>>,
}

impl<F, C> Sites<F, C> {
    /// The next `count` sites, or all that are left.
    pub(super) const fn new(count: u64, fill: F) -> Self {
        Self { left: count, fill, failed: None }
    }

    /// Checks that a buffer of `room` bytes holds a site.
    pub(super) const fn fit(field: &Field, room: usize) -> Result<(), CallbackError<EncodeErrorKind, C>> {
        let needed = field.bytes_per_site;
        let fits = needed <= room as u64;
        if fits { Ok(()) } else { Err(CallbackError::Failed(EncodeErrorKind::SiteTooLarge { needed })) }
    }
}

impl<B: Buffer, O: Outcome, F: FnMut(&mut SiteMut<'_>) -> O> Pieces<Content<B>> for Sites<F, O::Error> {
    type ErrorKind = EncodeErrorKind;
    type Callback = O::Error;

    fn next<'s>(&'s mut self, content: &'s mut Content<B>) -> NextPiece<'s, EncodeErrorKind, O::Error> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        if self.left == 0 {
            return Ok(None);
        }
        // `Err(None)` means that the callback stops.
        let fill = |site: &mut SiteMut<'_>| match (self.fill)(site).into_result() {
            Ok(ControlFlow::Continue(())) => Ok(()),
            Ok(ControlFlow::Break(())) => Err(None),
            Err(error) => Err(Some(error)),
        };
        let filled = content.encoder.fill(content.buffer.as_mut(), self.left, fill)?;
        self.left.take_away(filled.sites);
        match filled.outcome {
            Ok(()) => {}
            Err(CallbackError::Callback(None)) => self.left = 0,
            Err(CallbackError::Callback(Some(error))) => self.failed = Some(CallbackError::Callback(error)),
            Err(CallbackError::Failed(kind)) => self.failed = Some(CallbackError::Failed(kind)),
        }
        let is_last = filled.sites == 0 && self.failed.is_none();
        Ok((!is_last).then_some(filled.bytes))
    }
}

/// Numbers of a field, converted to its precision.
#[derive(Debug)]
pub(super) struct Numbers<'n, T> {
    left: &'n [T],
    done: bool,
}

impl<'n, T: Float> Numbers<'n, T> {
    pub(super) const fn new(numbers: &'n [T]) -> Self {
        Self { left: numbers, done: false }
    }

    /// Checks that these are as many numbers as the field has.
    pub(super) fn fit(numbers: &[T], field: &Field) -> Result<(), CallbackError<EncodeErrorKind, SiteError>> {
        let (given, needed) = (Self::length(numbers, field)?, field.data_length().unwrap_or(u64::MAX));
        let fits = needed == given;
        if fits { Ok(()) } else { Err(CallbackError::Callback(SiteError::Length { needed, given })) }
    }

    /// Their length in the file, in bytes, if they can be stored.
    fn length(numbers: &[T], field: &Field) -> Result<u64, CallbackError<EncodeErrorKind, SiteError>> {
        let precision = field.precision.ok_or(CallbackError::Callback(SiteError::NotNumbers))?;
        check_overflow(precision, numbers, 0).map_err(CallbackError::Callback)?;
        Ok((numbers.len() as u64).saturating_mul(precision.bytes() as u64))
    }
}

impl<B: Buffer, T: Float> Pieces<Content<B>> for Numbers<'_, T> {
    type ErrorKind = EncodeErrorKind;
    type Callback = SiteError;

    fn next<'s>(&'s mut self, content: &'s mut Content<B>) -> NextPiece<'s, EncodeErrorKind, SiteError> {
        // The encoder is called even without numbers, since it may refuse the call.
        if self.done {
            return Ok(None);
        }
        let (bytes, count) = content.encoder.store(content.buffer.as_mut(), self.left)?;
        self.left = suffix(self.left, count);
        self.done = self.left.is_empty();
        Ok(Some(bytes))
    }
}

/// The plan of a file.
#[derive(Debug)]
pub(super) struct Plan<'t> {
    /// `None` if the caller writes the messages.
    lattice: Option<Extents>,
    /// Text of the file message, which has not been written yet.
    pub(super) title: Option<&'t str>,
    pub(super) next: Next<'t>,
}

/// A field that has been checked and can be written.
#[derive(Debug)]
pub(super) struct Planned {
    /// Documents of the field, with their date.
    pub(super) documents: FieldDocuments,
    /// Document of the file message, if it must be written before the field.
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

    /// Checks everything that can be checked before the first byte is written. `fits` checks the data; it gets the size
    /// of the buffer.
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

    /// Refuses a message of the caller whose lattice is not the lattice of the planned fields.
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

    /// Checks that everything that was set has been written.
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

    /// Withdraws everything that was set and has not been written.
    pub(super) fn clear(&mut self) {
        (self.title, self.next) = (None, Next::default());
    }
}

/// Settings for the next field.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Next<'t> {
    pub(super) text: Option<&'t str>,
    pub(super) date: Option<Date>,
    pub(super) update: Option<&'t str>,
    pub(super) lfn: Option<&'t str>,
}

impl<'t> Next<'t> {
    /// The message. It is refused when it begins if it has no place for one of the settings.
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
