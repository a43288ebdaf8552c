//! The writer that drives any encoder, over an asynchronous stream.

use embedded_io_async::Write;

use super::async_sink::AsyncSink;
use super::error::WriteError;
use crate::encode::Encode;

type Written<W, E> = Result<(), WriteError<<W as embedded_io::ErrorType>::Error, <E as Encode>::ErrorKind>>;

/// [`Writer`](super::Writer) for asynchronous sinks. After a failure of the sink, or a call of which the future was
/// dropped while it wrote, every call is refused.
///
/// ```
/// use linkstream::io::{AsyncWriter, WriteError};
/// use linkstream::lime::{EncodeErrorKind, Encoder, Header};
///
/// async fn greet<W: embedded_io_async::Write>(sink: W) -> Result<(), WriteError<W::Error, EncodeErrorKind>> {
///     let header = Header::new(b"greeting", 5, true, true)?;
///     let mut writer = AsyncWriter::new(sink, Encoder::new());
///     writer.emit(|encoder| encoder.begin(&header).map(|header| &header[..])).await?;
///     writer.write(b"hello").await?;
///     writer.emit(|encoder| encoder.end()).await?;
///     writer.finish().await
/// }
/// ```
#[derive(Debug)]
pub struct AsyncWriter<W, E> {
    sink: AsyncSink<W>,
    encoder: E,
}

impl<W, E> AsyncWriter<W, E> {
    /// A writer that goes on in `sink` at the position of `encoder`.
    pub const fn new(sink: W, encoder: E) -> Self {
        Self { sink: AsyncSink::new(sink), encoder }
    }

    /// The encoder.
    pub const fn encoder(&self) -> &E {
        &self.encoder
    }

    /// Gives back the sink and the encoder.
    pub fn into_parts(self) -> (W, E) {
        (self.sink.into_inner(), self.encoder)
    }
}

impl<W: Write, E: Encode> AsyncWriter<W, E> {
    /// Calls the encoder and writes the bytes that it returns.
    ///
    /// # Errors
    /// The encoder's, in which case nothing is written, or the sink failed.
    pub async fn emit(
        &mut self,
        call: impl for<'e> FnOnce(&'e mut E) -> Result<&'e [u8], E::ErrorKind>,
    ) -> Written<W, E> {
        self.sink.usable()?;
        let bytes = call(&mut self.encoder).map_err(WriteError::Refused)?;
        self.sink.put(bytes).await
    }

    /// Writes payload.
    ///
    /// # Errors
    /// The encoder's, in which case nothing is written, or the sink failed.
    pub async fn write(&mut self, payload: &[u8]) -> Written<W, E> {
        self.sink.usable()?;
        self.encoder.put(payload).map_err(WriteError::Refused)?;
        self.sink.put(payload).await
    }

    /// Declares the end of the file, and flushes the sink.
    ///
    /// # Errors
    /// Something is open or missing, or the sink failed.
    pub async fn finish(&mut self) -> Written<W, E> {
        self.sink.usable()?;
        self.encoder.finish().map_err(WriteError::Refused)?;
        self.sink.flush().await
    }
}
