//! The writer of SciDAC and ILDG content, over an asynchronous sink.

use embedded_io_async::Write;

use super::field_pieces::{Documents, Numbers, Sites};
use super::field_writer::{FieldWriter, Filled, Written};
use crate::field::{OutgoingMessage, SiteError, SiteMut};
use crate::lattice::Float;

/// The same calls over `embedded_io_async`: each does what its namesake without `_async` does.
///
/// ```
/// use linkstream::CallbackError;
/// use linkstream::field::{EncodeErrorKind, Encoder, OutgoingMessage, SiteError};
/// use linkstream::io::{FieldWriter, WriteError};
///
/// async fn save<W: embedded_io_async::Write>(
///     sink: W,
///     title: &OutgoingMessage<'_>,
///     fields: &[OutgoingMessage<'_>; 3],
/// ) -> Result<(), CallbackError<WriteError<W::Error, EncodeErrorKind>, SiteError>> {
///     let mut buffer = [0; 4096];
///     let mut file = FieldWriter::with_encoder(sink, &mut buffer, Encoder::new());
///     file.message_async(title).await?;
///     // Whole, in pieces of bytes, and from numbers and a callback by turns.
///     file.field_async(&fields[0], |site| site.put(&[0.5_f64; 8])).await?;
///     file.begin_async(&fields[1]).await?;
///     file.data_async(&[0; 1024]).await?;
///     file.end_async(&fields[1]).await?;
///     file.begin_async(&fields[2]).await?;
///     file.numbers_async(&[0.5_f64; 8]).await?;
///     file.sites_async(15, |site| site.put(&[0.5_f64; 8])).await?;
///     file.end_async(&fields[2]).await?;
///     Ok(file.finish_async().await?)
/// }
/// ```
impl<W: Write> FieldWriter<'_, W> {
    /// Writes a message that has no data.
    ///
    /// # Errors
    /// The encoder refused the message and nothing was written, for example with
    /// [`EncodeErrorKind::DataUnexpected`](crate::field::EncodeErrorKind::DataUnexpected); or the sink failed.
    pub async fn message_async(&mut self, message: &OutgoingMessage<'_>) -> Written<W::Error> {
        let begun = &self.begun(message, false)?;
        Ok(self.writer.run_async(Documents { begun, before_data: false }).await?)
    }

    /// Writes the part of a message that precedes its data.
    ///
    /// # Errors
    /// As [`FieldWriter::message`].
    pub async fn begin_async(&mut self, message: &OutgoingMessage<'_>) -> Written<W::Error> {
        let begun = &self.begun(message, true)?;
        Ok(self.writer.run_async(Documents { begun, before_data: true }).await?)
    }

    /// Writes data as the bytes of the file: big-endian numbers, sites in stored order, in pieces of any size.
    ///
    /// # Errors
    /// As [`FieldWriter::message`].
    pub async fn data_async(&mut self, bytes: &[u8]) -> Written<W::Error> {
        self.writer.write_async(bytes).await
    }

    /// Writes the next `count` sites, each filled by a callback, or all that are left if there are fewer.
    ///
    /// # Errors
    /// What the callback returned; the sites before the failed one have been written, and the next call continues
    /// with that site. As [`FieldWriter::message`];
    /// [`EncodeErrorKind::SiteTooLarge`](crate::field::EncodeErrorKind::SiteTooLarge),
    /// [`EncodeErrorKind::InsideSite`](crate::field::EncodeErrorKind::InsideSite).
    pub async fn sites_async<E>(
        &mut self,
        count: u64,
        fill: impl FnMut(&mut SiteMut<'_>) -> Result<(), E>,
    ) -> Filled<W::Error, E> {
        self.writer.run_async(Sites::new(count, fill)).await
    }

    /// Writes the next numbers of the field, converted to its precision: `f32` to `f64` exactly, `f64` to `f32`
    /// rounded to nearest.
    ///
    /// # Errors
    /// [`SiteError::NotNumbers`], or [`SiteError::Length`] for more numbers than the field has left; nothing is
    /// written then. [`SiteError::Overflow`] for a number that is too large for single precision; numbers before it may
    /// have been written. As [`FieldWriter::message`].
    pub async fn numbers_async<T: Float>(&mut self, numbers: &[T]) -> Filled<W::Error, SiteError> {
        self.writer.run_async(Numbers::new(numbers)).await
    }

    /// Writes the part of a message that follows its data.
    ///
    /// # Errors
    /// As [`FieldWriter::message`]; [`EncodeErrorKind::DataMissing`](crate::field::EncodeErrorKind::DataMissing), [`EncodeErrorKind::NoData`](crate::field::EncodeErrorKind::NoData).
    pub async fn end_async(&mut self, message: &OutgoingMessage<'_>) -> Written<W::Error> {
        self.writer.output.usable()?;
        let begun = &self.writer.encoder.resume(message)?;
        Ok(self.writer.run_async(Documents { begun, before_data: false }).await?)
    }

    /// Writes a whole message with data; each site is filled by a callback.
    ///
    /// # Errors
    /// What the callback returned; the message is then still open and can be completed with
    /// [`sites_async`](Self::sites_async) and [`end_async`](Self::end_async). As [`FieldWriter::message`];
    /// [`EncodeErrorKind::SiteTooLarge`](crate::field::EncodeErrorKind::SiteTooLarge).
    pub async fn field_async<E>(
        &mut self,
        message: &OutgoingMessage<'_>,
        fill: impl FnMut(&mut SiteMut<'_>) -> Result<(), E>,
    ) -> Filled<W::Error, E> {
        self.site_fits(message)?;
        self.begin_async(message).await?;
        self.sites_async(u64::MAX, fill).await?;
        Ok(self.end_async(message).await?)
    }

    /// Checks that the file can end here, and flushes the sink. Call it after the last write.
    ///
    /// # Errors
    /// A message is still open; [`EncodeErrorKind::NotWritten`](crate::field::EncodeErrorKind::NotWritten) if a title, a
    /// text, a date, an update number or a name was set and no field followed; or the sink failed.
    pub async fn finish_async(&mut self) -> Written<W::Error> {
        self.can_finish()?;
        self.writer.finish_async().await
    }
}
