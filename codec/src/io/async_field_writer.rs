//! The writer of SciDAC and ILDG content over an asynchronous stream.

use embedded_io_async::Write;

use super::async_sink::AsyncSink;
use super::error::WriteError;
use super::field_plan::{Next, Plan};
use super::field_writer::{DOCUMENT, refused};
use crate::callback::CallbackError;
use crate::field::{
    DocumentName, EncodeErrorKind, Encoder, Field, FieldDocuments, OutgoingMessage, SiteError, SiteMut, Want,
};
use crate::lattice::{Extents, Float};
use crate::scidac::PrivateFile;
use crate::xml::EmitError;

type Done<W> = Result<(), WriteError<<W as embedded_io::ErrorType>::Error, EncodeErrorKind>>;
type Filled<W, E> =
    Result<(), CallbackError<WriteError<<W as embedded_io::ErrorType>::Error, EncodeErrorKind>, E>>;

/// [`FieldWriter`](super::FieldWriter) for asynchronous sinks: the same calls, to be awaited. Callbacks are ordinary
/// ones.
///
/// A future that is dropped before it is done may leave bytes unwritten that count as written: every call after
/// that is refused.
///
/// ```
/// use linkstream::CallbackError;
/// use linkstream::field::{EncodeErrorKind, Form, SiteError};
/// use linkstream::ildg::GaugeKind;
/// use linkstream::io::{AsyncFieldWriter, WriteError};
/// use linkstream::lattice::{Extents, Precision};
///
/// async fn save<W: embedded_io_async::Write>(
///     sink: W,
///     lattice: Extents,
///     links: &[[f32; 72]],
/// ) -> Result<(), CallbackError<WriteError<W::Error, EncodeErrorKind>, SiteError>> {
///     let mut buffer = [0; 4096];
///     let mut file = AsyncFieldWriter::create(sink, &mut buffer, lattice).map_err(WriteError::from)?;
///     file.gauge_field(GaugeKind::SU3, Precision::F32, Form::Both, |site| site.put(&links[site.index()])).await?;
///     Ok(file.finish().await?)
/// }
/// ```
#[derive(Debug)]
pub struct AsyncFieldWriter<'b, W> {
    sink: AsyncSink<W>,
    encoder: Encoder,
    buffer: &'b mut [u8],
    pub(super) plan: Plan<'b>,
}

impl<'b, W> AsyncFieldWriter<'b, W> {
    /// A writer that continues in `sink` at the position of `encoder`.
    pub const fn new(sink: W, encoder: Encoder, buffer: &'b mut [u8]) -> Self {
        Self { sink: AsyncSink::new(sink), encoder, buffer, plan: Plan::new(None) }
    }

    /// A writer of a new file on this lattice, for [`gauge_field`](Self::gauge_field) and the calls like it.
    ///
    /// # Errors
    /// [`EncodeErrorKind::Emit`] if the buffer holds fewer than 512 bytes, which the documents may need.
    pub fn create(sink: W, buffer: &'b mut [u8], lattice: Extents) -> Result<Self, EncodeErrorKind> {
        if buffer.len() < DOCUMENT {
            let error = EmitError::TooSmall { needed: DOCUMENT };
            return Err(EncodeErrorKind::Emit(DocumentName::PrivateRecord, error));
        }
        let plan = Plan::new(Some(lattice));
        Ok(Self { sink: AsyncSink::new(sink), encoder: Encoder::new(), buffer, plan })
    }

    /// The encoder, to be asked for position, field and checksum.
    pub const fn encoder(&self) -> &Encoder {
        &self.encoder
    }

    /// Gives back the sink and the encoder, also in mid-data: to go on elsewhere.
    pub fn into_parts(self) -> (W, Encoder) {
        (self.sink.into_inner(), self.encoder)
    }
}

impl<W: Write> AsyncFieldWriter<'_, W> {
    /// Writes a message that has no data.
    ///
    /// # Errors
    /// The encoder's, [`EncodeErrorKind::DataUnexpected`], or the sink failed; so for all calls.
    pub async fn message(&mut self, message: &OutgoingMessage<'_>) -> Done<W> {
        self.sink.usable()?;
        if message.has_data() {
            return Err(EncodeErrorKind::DataUnexpected.into());
        }
        self.encoder.begin(message, self.buffer)?;
        self.go_on(message).await
    }

    /// Writes the part of a message that precedes its data.
    ///
    /// # Errors
    /// As [`AsyncFieldWriter::message`].
    pub async fn begin(&mut self, message: &OutgoingMessage<'_>) -> Done<W> {
        self.sink.usable()?;
        if !message.has_data() {
            return Err(EncodeErrorKind::DataUnexpected.into());
        }
        self.encoder.begin(message, self.buffer)?;
        // Data of no bytes are data all the same: they are ended by `end`.
        while self.encoder.site().is_none()
            && let Want::Bytes(bytes) = self.encoder.next(message, self.buffer)?
        {
            self.sink.put(bytes).await?;
        }
        Ok(())
    }

    /// Writes data: big endian, sites in stored order, in pieces of any size.
    ///
    /// # Errors
    /// As [`AsyncFieldWriter::message`].
    pub async fn data(&mut self, bytes: &[u8]) -> Done<W> {
        self.sink.usable()?;
        self.encoder.data(bytes)?;
        self.sink.put(bytes).await
    }

    /// Has the next `count` sites filled by a callback and writes them; fewer if there are not so many.
    ///
    /// # Errors
    /// What the callback returned: the sites before are written then, and the next call goes on with that one.
    /// As [`AsyncFieldWriter::message`]; [`EncodeErrorKind::SiteTooLarge`], [`EncodeErrorKind::InsideSite`].
    pub async fn sites<E>(
        &mut self,
        count: u64,
        mut fill: impl FnMut(&mut SiteMut<'_>) -> Result<(), E>,
    ) -> Filled<W, E> {
        self.sink.usable()?;
        let mut left = count;
        while left > 0 {
            let filled = self.encoder.fill(self.buffer, left, &mut fill).map_err(WriteError::from)?;
            self.sink.put(filled.bytes).await?;
            filled.outcome.map_err(CallbackError::Callback)?;
            if filled.sites == 0 {
                break;
            }
            left = left.saturating_sub(filled.sites);
        }
        Ok(())
    }

    /// Writes the next numbers of the field, in its precision: `f32` as `f64` exactly, `f64` as `f32` rounded to
    /// nearest.
    ///
    /// # Errors
    /// [`SiteError::NotNumbers`], and [`SiteError::Length`] for more numbers than are missing: nothing is written
    /// then. As [`AsyncFieldWriter::message`].
    pub async fn numbers<T: Float>(&mut self, numbers: &[T]) -> Filled<W, SiteError> {
        self.sink.usable()?;
        let mut left = numbers;
        loop {
            let (bytes, count) = self.encoder.store(self.buffer, left).map_err(refused)?;
            self.sink.put(bytes).await?;
            left = left.get(count..).unwrap_or_default();
            if left.is_empty() {
                return Ok(());
            }
        }
    }

    /// Writes the part of a message that follows its data.
    ///
    /// # Errors
    /// As [`AsyncFieldWriter::message`]; [`EncodeErrorKind::DataMissing`], [`EncodeErrorKind::NoData`].
    pub async fn end(&mut self, message: &OutgoingMessage<'_>) -> Done<W> {
        self.sink.usable()?;
        if self.encoder.site().is_none() {
            return Err(EncodeErrorKind::NoData.into());
        }
        let missing = self.encoder.missing();
        if missing > 0 {
            return Err(EncodeErrorKind::DataMissing { missing }.into());
        }
        self.go_on(message).await
    }

    /// Writes a whole message with data, every site filled by a callback.
    ///
    /// # Errors
    /// What the callback returned: the message is still open then, and can be completed with
    /// [`sites`](Self::sites) and [`end`](Self::end). As [`AsyncFieldWriter::message`];
    /// [`EncodeErrorKind::SiteTooLarge`].
    pub async fn field<E>(
        &mut self,
        message: &OutgoingMessage<'_>,
        fill: impl FnMut(&mut SiteMut<'_>) -> Result<(), E>,
    ) -> Filled<W, E> {
        self.begin(message).await?;
        self.sites(u64::MAX, fill).await?;
        Ok(self.end(message).await?)
    }

    /// Says that the file ends here, and flushes the sink.
    ///
    /// # Errors
    /// A message is still open, or the sink failed.
    pub async fn finish(&mut self) -> Done<W> {
        self.sink.usable()?;
        self.encoder.finish()?;
        self.sink.flush().await
    }

    /// Writes a planned field, its data by `put`; before it the file message, if one is due. All that can be refused
    /// is refused before the first byte.
    pub(super) async fn planned<E>(
        &mut self,
        documents: &FieldDocuments,
        needed: impl FnOnce(&Field, usize) -> Filled<W, E>,
        put: impl AsyncFnOnce(&mut Self) -> Filled<W, E>,
    ) -> Filled<W, E> {
        self.sink.usable()?;
        let lattice = self.plan.lattice.ok_or(EncodeErrorKind::FileMissing).map_err(WriteError::from)?;
        needed(&documents.layout(&lattice).map_err(WriteError::from)?, self.buffer.len())?;
        let next = self.plan.next;
        let dated = next.date.map(|date| documents.clone().dated(date));
        let message = next.message(dated.as_ref().unwrap_or(documents)).map_err(WriteError::from)?;
        self.encoder.would_begin(&message, lattice, self.buffer).map_err(WriteError::from)?;
        if documents.is_scidac() && !self.encoder.has_lattice() {
            self.message(&OutgoingMessage::file(&PrivateFile::new(&lattice), self.plan.title.as_bytes()))
                .await?;
        }
        self.begin(&message).await?;
        self.plan.next = Next::default();
        put(self).await?;
        Ok(self.end(&message).await?)
    }

    async fn go_on(&mut self, message: &OutgoingMessage<'_>) -> Done<W> {
        while let Want::Bytes(bytes) = self.encoder.next(message, self.buffer)? {
            self.sink.put(bytes).await?;
        }
        Ok(())
    }
}
