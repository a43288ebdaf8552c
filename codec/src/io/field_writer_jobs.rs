//! The short calls of the writer of fields: a whole field each.

use super::error::WriteError;
use super::field_pieces::{Content, Numbers, Sites};
use super::field_plan::{Next, Planned};
use super::field_writer::{FieldWriter, Filled};
use super::pieces::Pieces;
use super::sink::Sink;
use crate::callback::CallbackError;
use crate::field::{EncodeErrorKind, Field, FieldDocuments, Form, OutgoingMessage, SiteError, SiteMut};
use crate::ildg::GaugeKind;
use crate::lattice::{Float, Precision};
use crate::scidac::PrivateRecord;

impl<W: Sink> FieldWriter<'_, W> {
    /// Writes a gauge field, every site filled by a callback: its links, direction 0 first, each row by row.
    ///
    /// ```
    /// use linkstream::field::Form;
    /// use linkstream::ildg::GaugeKind;
    /// use linkstream::io::FieldWriter;
    /// use linkstream::lattice::{Extents, Precision};
    ///
    /// let links = vec![[0.5_f32; 72]; 16];
    /// let (mut sink, mut buffer) = (vec![0; 8192], [0; 4096]);
    /// let mut file = FieldWriter::create(&mut sink[..], &mut buffer, Extents::new(&[2, 2, 2, 2])?)?;
    /// file.gauge_field(GaugeKind::SU3, Precision::F32, Form::Both, |site| site.put(&links[site.index()]))?;
    /// file.finish()?;
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// What the callback returned. [`EncodeErrorKind::UpdateMissing`] for a second plain ILDG field of the same kind where not
    /// both have a [`next_update`](Self::next_update); [`EncodeErrorKind::FormUnsuited`];
    /// [`EncodeErrorKind::SiteTooLarge`]; as [`message`](Self::message). What is refused is so before the first byte.
    pub fn gauge_field<E>(
        &mut self,
        kind: GaugeKind,
        precision: Precision,
        form: Form,
        fill: impl FnMut(&mut SiteMut<'_>) -> Result<(), E>,
    ) -> Filled<W::Error, E> {
        let documents = self.plan.gauge_field(kind, precision, form).map_err(WriteError::from)?;
        self.planned(documents, Sites::<(), _>::fit, Sites::new(u64::MAX, fill))
    }

    /// Writes a gauge field from a slice of all its numbers: sites in rank order, at each its links, direction 0 first,
    /// row by row, re before im. They are stored with the precision given, rounded to nearest if need be.
    ///
    /// # Errors
    /// [`SiteError::Length`] if they are not as many as the field has. Otherwise as
    /// [`gauge_field`](Self::gauge_field).
    pub fn gauge_field_from<T: Float>(
        &mut self,
        kind: GaugeKind,
        precision: Precision,
        form: Form,
        numbers: &[T],
    ) -> Filled<W::Error, SiteError> {
        let documents = self.plan.gauge_field(kind, precision, form).map_err(WriteError::from)?;
        self.planned(documents, |field, _| Numbers::fit(numbers, field), Numbers::new(numbers))
    }

    /// Writes data that a SciDAC record describes, every site filled by a callback. The usual records have
    /// constructors: [`PrivateRecord::propagator`], [`PrivateRecord::complex_field`] and others.
    ///
    /// ```
    /// use linkstream::io::FieldWriter;
    /// use linkstream::lattice::{Extents, Precision};
    /// use linkstream::scidac::PrivateRecord;
    ///
    /// let (mut sink, mut buffer) = (vec![0; 8192], [0; 4096]);
    /// let mut file = FieldWriter::create(&mut sink[..], &mut buffer, Extents::new(&[2, 2, 2, 2])?)?;
    /// file.scidac_field(PrivateRecord::complex_field(Precision::F64), |site| site.put(&[1.0_f64, 0.0]))?;
    /// file.finish()?;
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`gauge_field`](Self::gauge_field).
    pub fn scidac_field<E>(
        &mut self,
        record: PrivateRecord,
        fill: impl FnMut(&mut SiteMut<'_>) -> Result<(), E>,
    ) -> Filled<W::Error, E> {
        self.planned(FieldDocuments::scidac(record), Sites::<(), _>::fit, Sites::new(u64::MAX, fill))
    }

    /// Writes data that a SciDAC record describes from a slice of all their numbers, sites in stored order.
    ///
    /// # Errors
    /// As [`gauge_field_from`](Self::gauge_field_from).
    pub fn scidac_field_from<T: Float>(
        &mut self,
        record: PrivateRecord,
        numbers: &[T],
    ) -> Filled<W::Error, SiteError> {
        let documents = FieldDocuments::scidac(record);
        self.planned(documents, |field, _| Numbers::fit(numbers, field), Numbers::new(numbers))
    }

    /// Writes a propagator, 4 x 4 x 3 x 3 complex numbers at a site, from a slice of all its numbers; see
    /// [`PrivateRecord::propagator`].
    ///
    /// # Errors
    /// As [`gauge_field_from`](Self::gauge_field_from).
    pub fn propagator_from<T: Float>(
        &mut self,
        precision: Precision,
        numbers: &[T],
    ) -> Filled<W::Error, SiteError> {
        self.scidac_field_from(PrivateRecord::propagator(precision), numbers)
    }

    /// Writes a complex number at each site, re before im, from a slice of all of them; see
    /// [`PrivateRecord::complex_field`].
    ///
    /// # Errors
    /// As [`gauge_field_from`](Self::gauge_field_from).
    pub fn complex_field_from<T: Float>(
        &mut self,
        precision: Precision,
        numbers: &[T],
    ) -> Filled<W::Error, SiteError> {
        self.scidac_field_from(PrivateRecord::complex_field(precision), numbers)
    }

    /// Writes numbers that belong to no site; see [`PrivateRecord::global`].
    ///
    /// # Errors
    /// [`EncodeErrorKind::DataOverflow`] for more than 32 bits can count. As
    /// [`gauge_field_from`](Self::gauge_field_from).
    pub fn global_from<T: Float>(
        &mut self,
        precision: Precision,
        numbers: &[T],
    ) -> Filled<W::Error, SiteError> {
        let record = global(precision, numbers.len()).map_err(WriteError::from)?;
        self.scidac_field_from(record, numbers)
    }

    /// Writes a planned field; before it the file message, if one is due.
    fn planned<E>(
        &mut self,
        documents: FieldDocuments,
        fits: impl FnOnce(&Field, usize) -> Result<(), CallbackError<EncodeErrorKind, E>>,
        data: impl for<'c> Pieces<Content<'c>, Callback = E>,
    ) -> Filled<W::Error, E> {
        let Planned { documents, file } = self.prepare(documents, fits)?;
        if let Some(file) = &file {
            self.message(&OutgoingMessage::file(file, self.plan.title.as_bytes()))?;
        }
        let message = self.plan.next.message(&documents).map_err(WriteError::from)?;
        self.begin(&message)?;
        self.plan.next = Next::default();
        self.writer.run(data)?;
        Ok(self.end(&message)?)
    }
}

/// The record of so many numbers that belong to no site.
pub(super) fn global(precision: Precision, count: usize) -> Result<PrivateRecord, EncodeErrorKind> {
    let count = u32::try_from(count).map_err(|_| EncodeErrorKind::DataOverflow)?;
    Ok(PrivateRecord::global(precision, count))
}
