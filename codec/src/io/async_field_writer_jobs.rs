//! The calls that write a whole field, over an asynchronous sink.

use embedded_io_async::Write;

use super::error::WriteError;
use super::field_pieces::{Content, Numbers, Sites};
use super::field_plan::{Next, Planned};
use super::field_writer::{FieldWriter, Filled};
use super::field_writer_jobs::global;
use super::pieces::Pieces;
use crate::callback::CallbackError;
use crate::field::{EncodeErrorKind, Field, FieldDocuments, Form, OutgoingMessage, SiteError, SiteMut};
use crate::ildg::GaugeKind;
use crate::lattice::{Float, Precision};
use crate::scidac::PrivateRecord;

/// The same calls over `embedded_io_async`: each does what its namesake without `_async` does.
///
/// ```
/// use linkstream::CallbackError;
/// use linkstream::field::{EncodeErrorKind, Form, SiteError};
/// use linkstream::ildg::GaugeKind;
/// use linkstream::io::{FieldWriter, WriteError};
/// use linkstream::lattice::{Extents, Precision::F32};
/// use linkstream::scidac::PrivateRecord;
///
/// async fn save<W: embedded_io_async::Write>(
///     sink: W,
///     lattice: Extents,
///     links: &[[f32; 72]],
///     quarks: &[f32],
/// ) -> Result<(), CallbackError<WriteError<W::Error, EncodeErrorKind>, SiteError>> {
///     let mut buffer = [0; 4096];
///     let mut file = FieldWriter::create(sink, &mut buffer, lattice).map_err(WriteError::from)?;
///     file.next_update("1");
///     file.gauge_field_async(GaugeKind::SU3, F32, Form::Both, |site| site.put(&links[site.index()])).await?;
///     file.next_update("2");
///     file.gauge_field_from_async(GaugeKind::SU3, F32, Form::Both, links.as_flattened()).await?;
///     file.propagator_from_async(F32, quarks).await?;
///     file.complex_field_from_async(F32, &quarks[..2 * links.len()]).await?;
///     file.scidac_field_async(PrivateRecord::real_field(F32), |site| site.put(&[1.0_f32])).await?;
///     file.scidac_field_from_async(PrivateRecord::real_field(F32), &quarks[..links.len()]).await?;
///     file.global_from_async(F32, &[5.7_f32]).await?;
///     Ok(file.finish_async().await?)
/// }
/// ```
impl<W: Write> FieldWriter<'_, W> {
    /// Writes a gauge field. A callback fills each site: its links, direction 0 first; of each link the elements,
    /// row by row; of each element the real part, then the imaginary part.
    ///
    /// # Errors
    /// What the callback returned. [`EncodeErrorKind::UpdateMissing`] for a second plain ILDG field of the same kind
    /// unless both have a [`next_update`](Self::next_update); [`EncodeErrorKind::FormUnsuited`];
    /// [`EncodeErrorKind::SiteTooLarge`]; as [`message_async`](Self::message_async). All of these except the
    /// callback's error occur before the first byte is written.
    pub async fn gauge_field_async<E>(
        &mut self,
        kind: GaugeKind,
        precision: Precision,
        form: Form,
        fill: impl FnMut(&mut SiteMut<'_>) -> Result<(), E>,
    ) -> Filled<W::Error, E> {
        let documents = self.plan.gauge_field(kind, precision, form).map_err(WriteError::from)?;
        self.planned_async(documents, Sites::<(), _>::fit, Sites::new(u64::MAX, fill)).await
    }

    /// Writes a gauge field from a slice of all its numbers: sites ordered by rank; at each site the links,
    /// direction 0 first; of each link the elements, row by row; of each element the real part, then the imaginary
    /// part. They are stored with the given precision, rounded to nearest if necessary.
    ///
    /// # Errors
    /// [`SiteError::Length`] if the slice does not have the length of the field. Otherwise as
    /// [`gauge_field_async`](Self::gauge_field_async).
    pub async fn gauge_field_from_async<T: Float>(
        &mut self,
        kind: GaugeKind,
        precision: Precision,
        form: Form,
        numbers: &[T],
    ) -> Filled<W::Error, SiteError> {
        let documents = self.plan.gauge_field(kind, precision, form).map_err(WriteError::from)?;
        self.planned_async(documents, |field, _| Numbers::fit(numbers, field), Numbers::new(numbers)).await
    }

    /// Writes data that a SciDAC record describes; each site is filled by a callback. Common records have
    /// constructors: [`PrivateRecord::propagator`], [`PrivateRecord::complex_field`] and others.
    ///
    /// # Errors
    /// As [`gauge_field_async`](Self::gauge_field_async).
    pub async fn scidac_field_async<E>(
        &mut self,
        record: PrivateRecord,
        fill: impl FnMut(&mut SiteMut<'_>) -> Result<(), E>,
    ) -> Filled<W::Error, E> {
        self.planned_async(FieldDocuments::scidac(record), Sites::<(), _>::fit, Sites::new(u64::MAX, fill))
            .await
    }

    /// Writes data that a SciDAC record describes, from a slice of all their numbers, with the sites in stored
    /// order.
    ///
    /// # Errors
    /// As [`gauge_field_from_async`](Self::gauge_field_from_async).
    pub async fn scidac_field_from_async<T: Float>(
        &mut self,
        record: PrivateRecord,
        numbers: &[T],
    ) -> Filled<W::Error, SiteError> {
        let documents = FieldDocuments::scidac(record);
        self.planned_async(documents, |field, _| Numbers::fit(numbers, field), Numbers::new(numbers)).await
    }

    /// Writes a propagator, which has 4 x 4 x 3 x 3 complex numbers at each site, from a slice of all its numbers;
    /// see [`PrivateRecord::propagator`].
    ///
    /// # Errors
    /// As [`gauge_field_from_async`](Self::gauge_field_from_async).
    pub async fn propagator_from_async<T: Float>(
        &mut self,
        precision: Precision,
        numbers: &[T],
    ) -> Filled<W::Error, SiteError> {
        self.scidac_field_from_async(PrivateRecord::propagator(precision), numbers).await
    }

    /// Writes a field of one complex number per site from a slice of all its numbers, real part before imaginary
    /// part; see [`PrivateRecord::complex_field`].
    ///
    /// # Errors
    /// As [`gauge_field_from_async`](Self::gauge_field_from_async).
    pub async fn complex_field_from_async<T: Float>(
        &mut self,
        precision: Precision,
        numbers: &[T],
    ) -> Filled<W::Error, SiteError> {
        self.scidac_field_from_async(PrivateRecord::complex_field(precision), numbers).await
    }

    /// Writes global data, numbers that belong to no site; see [`PrivateRecord::global`].
    ///
    /// # Errors
    /// [`EncodeErrorKind::DataOverflow`] for more numbers than 32 bits can count. As
    /// [`gauge_field_from_async`](Self::gauge_field_from_async).
    pub async fn global_from_async<T: Float>(
        &mut self,
        precision: Precision,
        numbers: &[T],
    ) -> Filled<W::Error, SiteError> {
        let record = global(precision, numbers.len()).map_err(WriteError::from)?;
        self.scidac_field_from_async(record, numbers).await
    }

    /// Writes a planned field; before it the file message, if one is due.
    async fn planned_async<E>(
        &mut self,
        documents: FieldDocuments,
        fits: impl FnOnce(&Field, usize) -> Result<(), CallbackError<EncodeErrorKind, E>>,
        data: impl for<'c> Pieces<Content<'c>, Callback = E>,
    ) -> Filled<W::Error, E> {
        let Planned { documents, file } = self.prepare(documents, fits)?;
        if let Some(file) = &file {
            let title = self.plan.title.unwrap_or_default();
            self.message_async(&OutgoingMessage::file(file, title.as_bytes())).await?;
            self.plan.title = None;
        }
        let message = self.plan.next.message(&documents);
        self.begin_async(&message).await?;
        self.plan.next = Next::default();
        self.writer.run_async(data).await?;
        Ok(self.end_async(&message).await?)
    }
}
