//! The calls that write a whole field.

use super::pieces::{Content, Numbers, Sites};
use super::plan::{Next, Planned};
use super::writer::{FieldWriter, Filled};
use crate::callback::{CallbackError, Outcome};
use crate::field::{EncodeErrorKind, Field, FieldDocuments, Form, OutgoingMessage, SiteError, SiteMut};
use crate::ildg::GaugeKind;
use crate::io::both::both;
use crate::io::buffer::Buffer;
use crate::io::error::WriteError;
use crate::io::writer::Pieces;
use crate::lattice::{Float, Precision};
use crate::scidac::PrivateRecord;

both! {
impl<W: Sink, B: Buffer> FieldWriter<'_, W, B> {
    /// Writes a gauge field. A callback fills each site: its links, direction 0 first; of each link the elements,
    /// row by row; of each element the real part, then the imaginary part.
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
    /// What the callback returned. [`EncodeErrorKind::UpdateMissing`] for a second plain ILDG field of the same kind
    /// unless both have a [`next_update`](Self::next_update); [`EncodeErrorKind::FormUnsuited`];
    /// [`EncodeErrorKind::SiteTooLarge`]; as [`message`](Self::message). All of these except the callback's error
    /// occur before the first byte is written.
    pub fn gauge_field | gauge_field_async[O: Outcome](
        &mut self,
        kind: GaugeKind,
        precision: Precision,
        form: Form,
        fill: impl FnMut(&mut SiteMut<'_>) -> O,
    ) -> Filled<W::Error, O::Error> {
        let documents = self.plan.gauge_field(kind, precision, form).map_err(WriteError::from)?;
        wait!(self.planned | planned_async(documents, Sites::<(), _>::fit, Sites::new(u64::MAX, fill)))
    }

    /// Writes a gauge field from a slice of all its numbers: sites ordered by rank; at each site the links,
    /// direction 0 first; of each link the elements, row by row; of each element the real part, then the imaginary
    /// part. They are stored with the given precision, rounded to nearest if necessary.
    ///
    /// # Errors
    /// [`SiteError::Length`] if the slice does not have the length of the field. Otherwise as
    /// [`gauge_field`](Self::gauge_field).
    pub fn gauge_field_from | gauge_field_from_async[T: Float](
        &mut self,
        kind: GaugeKind,
        precision: Precision,
        form: Form,
        numbers: &[T],
    ) -> Filled<W::Error, SiteError> {
        let documents = self.plan.gauge_field(kind, precision, form).map_err(WriteError::from)?;
        wait!(self.planned | planned_async(documents, |field, _| Numbers::fit(numbers, field), Numbers::new(numbers)))
    }

    /// Writes data that a SciDAC record describes; each site is filled by a callback. Common records have
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
    pub fn scidac_field | scidac_field_async[O: Outcome](
        &mut self,
        record: PrivateRecord,
        fill: impl FnMut(&mut SiteMut<'_>) -> O,
    ) -> Filled<W::Error, O::Error> {
        wait!(self.planned | planned_async(FieldDocuments::scidac(record), Sites::<(), _>::fit, Sites::new(u64::MAX, fill)))
    }

    /// Writes data that a SciDAC record describes, from a slice of all their numbers, with the sites in stored
    /// order.
    ///
    /// # Errors
    /// As [`gauge_field_from`](Self::gauge_field_from).
    pub fn scidac_field_from | scidac_field_from_async[T: Float](
        &mut self,
        record: PrivateRecord,
        numbers: &[T],
    ) -> Filled<W::Error, SiteError> {
        let documents = FieldDocuments::scidac(record);
        wait!(self.planned | planned_async(documents, |field, _| Numbers::fit(numbers, field), Numbers::new(numbers)))
    }

    /// Writes a propagator, which has 4 x 4 x 3 x 3 complex numbers at each site, from a slice of all its numbers;
    /// see [`PrivateRecord::propagator`].
    ///
    /// # Errors
    /// As [`gauge_field_from`](Self::gauge_field_from).
    pub fn propagator_from | propagator_from_async[T: Float](
        &mut self,
        precision: Precision,
        numbers: &[T],
    ) -> Filled<W::Error, SiteError> {
        wait!(self.scidac_field_from | scidac_field_from_async(PrivateRecord::propagator(precision), numbers))
    }

    /// Writes a field of one complex number per site from a slice of all its numbers, real part before imaginary
    /// part; see [`PrivateRecord::complex_field`].
    ///
    /// # Errors
    /// As [`gauge_field_from`](Self::gauge_field_from).
    pub fn complex_field_from | complex_field_from_async[T: Float](
        &mut self,
        precision: Precision,
        numbers: &[T],
    ) -> Filled<W::Error, SiteError> {
        wait!(self.scidac_field_from | scidac_field_from_async(PrivateRecord::complex_field(precision), numbers))
    }

    /// Writes global data, numbers that belong to no site; see [`PrivateRecord::global`].
    ///
    /// # Errors
    /// [`EncodeErrorKind::DataOverflow`] for more numbers than 32 bits can count. As
    /// [`gauge_field_from`](Self::gauge_field_from).
    pub fn global_from | global_from_async[T: Float](
        &mut self,
        precision: Precision,
        numbers: &[T],
    ) -> Filled<W::Error, SiteError> {
        let record = global(precision, numbers.len()).map_err(WriteError::from)?;
        wait!(self.scidac_field_from | scidac_field_from_async(record, numbers))
    }

    /// Writes a planned field; before it the file message, if one is due.
    fn planned | planned_async[E](
        &mut self,
        documents: FieldDocuments,
        fits: impl FnOnce(&Field, usize) -> Result<(), CallbackError<EncodeErrorKind, E>>,
        data: impl Pieces<Content<B>, ErrorKind = EncodeErrorKind, Callback = E>,
    ) -> Filled<W::Error, E> {
        let Planned { documents, file } = self.prepare(documents, fits)?;
        if let Some(file) = &file {
            let title = self.plan.title.unwrap_or_default();
            wait!(self.message | message_async(&OutgoingMessage::file(file, title.as_bytes())))?;
            self.plan.title = None;
        }
        let message = self.plan.next.message(&documents);
        wait!(self.begin | begin_async(&message))?;
        self.plan.next = Next::default();
        wait!(self.writer.run | run_async(data))?;
        Ok(wait!(self.end | end_async(&message))?)
    }
}
}

/// The record of so many numbers that belong to no site.
pub(super) fn global(precision: Precision, count: usize) -> Result<PrivateRecord, EncodeErrorKind> {
    let count = u32::try_from(count).map_err(|_| EncodeErrorKind::DataOverflow)?;
    Ok(PrivateRecord::global(precision, count))
}
