//! The short calls of the asynchronous writer of fields: a whole field each.

use embedded_io_async::Write;

use super::async_field_writer::AsyncFieldWriter;
use super::error::WriteError;
use crate::callback::CallbackError;
use crate::field::{EncodeErrorKind, Field, FieldDocuments, Form, SiteError, SiteMut};
use crate::ildg::GaugeKind;
use crate::lattice::{Float, Precision};
use crate::scidac::{Date, PrivateRecord};

type Filled<W, E> =
    Result<(), CallbackError<WriteError<<W as embedded_io::ErrorType>::Error, EncodeErrorKind>, E>>;

/// What is written about the file and the next field.
impl<'b, W> AsyncFieldWriter<'b, W> {
    /// A text about the file, for its `scidac-file-xml`. Before the first field with a SciDAC record.
    pub const fn set_title(&mut self, text: &'b str) {
        self.plan.title = text;
    }

    /// A text about the next field, for its `scidac-record-xml`.
    pub const fn next_text(&mut self, text: &'b str) {
        self.plan.next.text = Some(text);
    }

    /// When the next field was made; without it 1 January 1970.
    pub const fn next_date(&mut self, date: Date) {
        self.plan.next.date = Some(date);
    }

    /// The `ildg-update` of the next field: digits. ILDG 1.2, section 2.2 demands one of every field of a file that
    /// has two gauge fields of the same kind.
    pub const fn next_update(&mut self, update: &'b str) {
        self.plan.next.update = Some(update);
    }

    /// The logical file name, with the next field. A file has one.
    pub const fn next_lfn(&mut self, name: &'b str) {
        self.plan.next.lfn = Some(name);
    }
}

impl<W: Write> AsyncFieldWriter<'_, W> {
    /// Writes a gauge field, every site filled by a callback: its links, direction 0 first, each row by row.
    ///
    /// # Errors
    /// What the callback returned. [`EncodeErrorKind::UpdateMissing`] for a second field of the same kind where not
    /// both have a [`next_update`](Self::next_update); [`EncodeErrorKind::FormUnsuited`];
    /// [`EncodeErrorKind::SiteTooLarge`]; as [`message`](Self::message). What is refused is so before the first byte.
    pub async fn gauge_field<E>(
        &mut self,
        kind: GaugeKind,
        precision: Precision,
        form: Form,
        fill: impl FnMut(&mut SiteMut<'_>) -> Result<(), E>,
    ) -> Filled<W, E> {
        let documents = self.gauge_documents(kind, precision, form)?;
        self.documented(&documents, fill).await
    }

    /// Writes a gauge field from a slice of all its numbers: sites in rank order, at each its links, direction 0 first,
    /// row by row, re before im. They are stored with the precision given, rounded to nearest if need be.
    ///
    /// # Errors
    /// [`SiteError::Length`] if they are not as many as the field has. Otherwise as
    /// [`gauge_field`](Self::gauge_field).
    pub async fn gauge_field_from<T: Float>(
        &mut self,
        kind: GaugeKind,
        precision: Precision,
        form: Form,
        numbers: &[T],
    ) -> Filled<W, SiteError> {
        let documents = self.gauge_documents(kind, precision, form)?;
        self.documented_from(&documents, numbers).await
    }

    /// Writes data that a SciDAC record describes, every site filled by a callback. The usual records have
    /// constructors: [`PrivateRecord::propagator`], [`PrivateRecord::complex_field`] and others.
    ///
    /// # Errors
    /// As [`gauge_field`](Self::gauge_field).
    pub async fn scidac_field<E>(
        &mut self,
        record: PrivateRecord,
        fill: impl FnMut(&mut SiteMut<'_>) -> Result<(), E>,
    ) -> Filled<W, E> {
        self.documented(&FieldDocuments::scidac(record), fill).await
    }

    /// Writes data that a SciDAC record describes from a slice of all their numbers, sites in stored order.
    ///
    /// # Errors
    /// As [`gauge_field_from`](Self::gauge_field_from).
    pub async fn scidac_field_from<T: Float>(
        &mut self,
        record: PrivateRecord,
        numbers: &[T],
    ) -> Filled<W, SiteError> {
        self.documented_from(&FieldDocuments::scidac(record), numbers).await
    }

    /// Writes a propagator, 4 x 4 x 3 x 3 complex numbers at a site, from a slice of all its numbers; see
    /// [`PrivateRecord::propagator`].
    ///
    /// # Errors
    /// As [`gauge_field_from`](Self::gauge_field_from).
    pub async fn propagator_from<T: Float>(
        &mut self,
        precision: Precision,
        numbers: &[T],
    ) -> Filled<W, SiteError> {
        self.scidac_field_from(PrivateRecord::propagator(precision), numbers).await
    }

    /// Writes a complex number at each site, re before im, from a slice of all of them; see
    /// [`PrivateRecord::complex_field`].
    ///
    /// # Errors
    /// As [`gauge_field_from`](Self::gauge_field_from).
    pub async fn complex_field_from<T: Float>(
        &mut self,
        precision: Precision,
        numbers: &[T],
    ) -> Filled<W, SiteError> {
        self.scidac_field_from(PrivateRecord::complex_field(precision), numbers).await
    }

    /// Writes numbers that belong to no site; see [`PrivateRecord::global`].
    ///
    /// # Errors
    /// [`EncodeErrorKind::DataOverflow`] for more than 32 bits can count. As
    /// [`gauge_field_from`](Self::gauge_field_from).
    pub async fn global_from<T: Float>(
        &mut self,
        precision: Precision,
        numbers: &[T],
    ) -> Filled<W, SiteError> {
        let count =
            u32::try_from(numbers.len()).map_err(|_| WriteError::from(EncodeErrorKind::DataOverflow))?;
        self.scidac_field_from(PrivateRecord::global(precision, count), numbers).await
    }

    fn gauge_documents<E>(
        &self,
        kind: GaugeKind,
        precision: Precision,
        form: Form,
    ) -> Result<FieldDocuments, CallbackError<WriteError<W::Error, EncodeErrorKind>, E>> {
        let lattice = self.plan.lattice.ok_or(EncodeErrorKind::FileMissing).map_err(WriteError::from)?;
        Ok(FieldDocuments::gauge_field(kind, precision, form, &lattice).map_err(WriteError::from)?)
    }

    async fn documented<E>(
        &mut self,
        documents: &FieldDocuments,
        fill: impl FnMut(&mut SiteMut<'_>) -> Result<(), E>,
    ) -> Filled<W, E> {
        let room = |field: &Field, room: usize| {
            let needed = field.bytes_per_site;
            let fits = needed <= room as u64;
            if fits { Ok(()) } else { Err(WriteError::from(EncodeErrorKind::SiteTooLarge { needed }).into()) }
        };
        self.planned(documents, room, async |writer: &mut Self| writer.sites(u64::MAX, fill).await).await
    }

    async fn documented_from<T: Float>(
        &mut self,
        documents: &FieldDocuments,
        numbers: &[T],
    ) -> Filled<W, SiteError> {
        let length = |field: &Field, _: usize| {
            let precision = field.precision.ok_or(CallbackError::Callback(SiteError::NotNumbers))?;
            let needed = field.data_length().unwrap_or(u64::MAX);
            let given = (numbers.len() as u64).saturating_mul(precision.bytes() as u64);
            let fits = needed == given;
            if fits { Ok(()) } else { Err(CallbackError::Callback(SiteError::Length { needed, given })) }
        };
        self.planned(documents, length, async |writer: &mut Self| writer.numbers(numbers).await).await
    }
}
