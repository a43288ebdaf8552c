//! The writer that drives any encoder, over an asynchronous sink.

use embedded_io_async::Write;

use super::error::WriteError;
use super::pieces::Pieces;
use super::writer::{Called, Writer, Written};
use crate::encode::Encode;

impl<W: Write, E: Encode> Writer<W, E> {
    /// Calls the encoder and writes the bytes that it returns.
    ///
    /// # Errors
    /// The encoder refused the call and nothing was written, or the sink failed.
    ///
    /// # Example
    /// ```
    /// use linkstream::io::{WriteError, Writer};
    /// use linkstream::lime::{EncodeErrorKind, Encoder, Header};
    ///
    /// async fn greet<W: embedded_io_async::Write>(sink: W) -> Result<(), WriteError<W::Error, EncodeErrorKind>> {
    ///     let header = Header::new(b"greeting", 5, true, true)?;
    ///     let mut writer = Writer::new(sink, Encoder::new());
    ///     writer.emit_async(|encoder| encoder.begin(&header).map(|header| &header[..])).await?;
    ///     writer.write_async(b"hello").await?;
    ///     writer.emit_async(|encoder| encoder.end()).await?;
    ///     writer.finish_async().await
    /// }
    /// ```
    pub async fn emit_async(
        &mut self,
        call: impl for<'e> FnOnce(&'e mut E) -> Result<&'e [u8], E::ErrorKind>,
    ) -> Written<W::Error, E> {
        self.output.usable()?;
        self.output.put_async(call(&mut self.encoder).map_err(WriteError::Refused)?).await
    }

    /// Writes payload.
    ///
    /// # Errors
    /// The encoder refused the call and nothing was written, or the sink failed.
    pub async fn write_async(&mut self, payload: &[u8]) -> Written<W::Error, E> {
        self.output.usable()?;
        self.encoder.put(payload).map_err(WriteError::Refused)?;
        self.output.put_async(payload).await
    }

    /// Checks that the file can end here, and flushes the sink. Call it after the last write.
    ///
    /// # Errors
    /// A record or section is still open, data are missing, or the sink failed.
    pub async fn finish_async(&mut self) -> Written<W::Error, E> {
        self.output.usable()?;
        self.encoder.finish().map_err(WriteError::Refused)?;
        self.output.flush_async().await
    }

    /// Writes all pieces of a call.
    pub(super) async fn run_async<P: Pieces<E>>(
        &mut self,
        mut pieces: P,
    ) -> Called<W::Error, E, P::Callback> {
        self.output.usable()?;
        loop {
            let piece = pieces.next(&mut self.encoder);
            match piece.map_err(|error| error.map_failed(WriteError::Refused))? {
                Some(bytes) => self.output.put_async(bytes).await?,
                None => return Ok(()),
            }
        }
    }
}
