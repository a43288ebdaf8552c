//! The LIME writer, over an asynchronous sink.

use embedded_io_async::Write;

use super::record_writer::{RecordWriter, flagged};
use super::writer::Written;
use crate::lime::{Encoder, Header};

/// The same calls over `embedded_io_async`: each does what its namesake without `_async` does.
///
/// ```
/// use linkstream::io::{RecordWriter, WriteError};
/// use linkstream::lime::{EncodeErrorKind, Header};
///
/// async fn save<W: embedded_io_async::Write>(sink: W) -> Result<(), WriteError<W::Error, EncodeErrorKind>> {
///     let mut file = RecordWriter::create(sink);
///     file.message_async([(&b"greeting"[..], &b"hello"[..]), (b"name", b"world")]).await?;
///     file.record_async(b"whole", true, false, b"payload").await?;
///     file.begin_async(&Header::new(b"pieces", 4, false, true)?).await?;
///     file.write_async(b"pi").await?;
///     file.write_async(b"ec").await?;
///     file.end_async().await?;
///     file.finish_async().await
/// }
/// ```
impl<W: Write> RecordWriter<W> {
    /// Opens a record.
    ///
    /// # Errors
    /// The header breaks a rule, or the sink failed.
    pub async fn begin_async(&mut self, header: &Header) -> Written<W::Error, Encoder> {
        self.writer.emit_async(|encoder| Ok(encoder.begin(header)?)).await
    }

    /// Writes payload.
    ///
    /// # Errors
    /// The bytes are more than the record has room for (nothing is written then), or the sink failed.
    pub async fn write_async(&mut self, payload: &[u8]) -> Written<W::Error, Encoder> {
        self.writer.write_async(payload).await
    }

    /// Closes the record.
    ///
    /// # Errors
    /// Payload is missing, or the sink failed.
    pub async fn end_async(&mut self) -> Written<W::Error, Encoder> {
        self.at_end()?;
        self.writer.emit_async(|encoder| encoder.end()).await
    }

    /// Writes one whole record.
    ///
    /// # Errors
    /// Those of [`begin`](Self::begin), [`write`](Self::write) and [`end`](Self::end).
    pub async fn record_async(
        &mut self,
        record_type: &[u8],
        begin: bool,
        end: bool,
        payload: &[u8],
    ) -> Written<W::Error, Encoder> {
        self.begin_async(&Header::new(record_type, payload.len() as u64, begin, end)?).await?;
        self.write_async(payload).await?;
        self.end_async().await
    }

    /// Writes a whole message: records with these types and payloads. The message-begin flag is set on the first,
    /// the message-end flag on the last. The iterator is cloned and run twice, so that nothing is written if a record is
    /// refused.
    ///
    /// # Errors
    /// Those of [`record_async`](Self::record_async).
    pub async fn message_async<'r>(
        &mut self,
        records: impl IntoIterator<Item = (&'r [u8], &'r [u8]), IntoIter: Clone>,
    ) -> Written<W::Error, Encoder> {
        let records = records.into_iter();
        self.check_message(records.clone())?;
        for (record_type, begin, end, payload) in flagged(records) {
            self.record_async(record_type, begin, end, payload).await?;
        }
        Ok(())
    }

    /// Checks that the file can end here, and flushes the sink. Call it after the last write.
    ///
    /// # Errors
    /// A record is still open, or the sink failed.
    pub async fn finish_async(&mut self) -> Written<W::Error, Encoder> {
        self.writer.finish_async().await
    }
}
