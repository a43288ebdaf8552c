//! The LIME writer over an asynchronous stream.

use embedded_io_async::Write;

use super::async_sink::AsyncSink;
use super::error::WriteError;

use crate::lime::{EncodeErrorKind, Encoder, Header};

/// [`AsyncRecordWriter`](super::AsyncRecordWriter) for asynchronous sinks. It does not seek. After a failure of the sink, or a
/// call of which the future was dropped, every call is refused.
///
/// ```
/// use linkstream::io::{AsyncRecordWriter, WriteError};
/// use linkstream::lime::EncodeErrorKind;
///
/// async fn greet<W: embedded_io_async::Write>(sink: W) -> Result<(), WriteError<W::Error, EncodeErrorKind>> {
///     let mut file = AsyncRecordWriter::create(sink);
///     file.record(b"greeting", true, true, b"hello").await?;
///     file.finish().await
/// }
/// ```
#[derive(Debug)]
pub struct AsyncRecordWriter<W> {
    sink: AsyncSink<W>,
    encoder: Encoder,
}

impl<W> AsyncRecordWriter<W> {
    /// A writer that continues in `sink` at the position of `encoder`.
    pub const fn new(sink: W, encoder: Encoder) -> Self {
        Self { sink: AsyncSink::new(sink), encoder }
    }

    /// A writer of a new file.
    pub const fn create(sink: W) -> Self {
        Self::new(sink, Encoder::new())
    }

    /// The encoder, which has position and room.
    pub const fn encoder(&self) -> &Encoder {
        &self.encoder
    }

    /// Gives back the sink and the encoder, also in mid-record: to go on elsewhere.
    pub fn into_parts(self) -> (W, Encoder) {
        (self.sink.into_inner(), self.encoder)
    }
}

impl<W: Write> AsyncRecordWriter<W> {
    /// As [`RecordWriter::begin`](super::RecordWriter::begin).
    ///
    /// # Errors
    /// As there.
    pub async fn begin(&mut self, header: &Header) -> Result<(), WriteError<W::Error, EncodeErrorKind>> {
        self.sink.usable()?;
        let bytes = self.encoder.begin(header)?;
        self.sink.put(bytes).await
    }

    /// As [`RecordWriter::write`](super::RecordWriter::write).
    ///
    /// # Errors
    /// As there.
    pub async fn write(&mut self, payload: &[u8]) -> Result<(), WriteError<W::Error, EncodeErrorKind>> {
        self.sink.usable()?;
        self.encoder.payload(payload.len() as u64)?;
        self.sink.put(payload).await
    }

    /// As [`RecordWriter::end`](super::RecordWriter::end).
    ///
    /// # Errors
    /// As there.
    pub async fn end(&mut self) -> Result<(), WriteError<W::Error, EncodeErrorKind>> {
        self.sink.usable()?;
        let at_end = self.encoder.room() == 0;
        let mut closed = self.encoder.clone();
        let padding = closed.end()?;
        if !at_end {
            return Err(WriteError::NotAtEnd);
        }
        self.encoder = closed;
        self.sink.put(padding).await
    }

    /// As [`RecordWriter::record`](super::RecordWriter::record).
    ///
    /// # Errors
    /// As there.
    pub async fn record(
        &mut self,
        record_type: &[u8],
        begin: bool,
        end: bool,
        payload: &[u8],
    ) -> Result<(), WriteError<W::Error, EncodeErrorKind>> {
        self.begin(&Header::new(record_type, payload.len() as u64, begin, end)?).await?;
        self.write(payload).await?;
        self.end().await
    }

    /// As [`RecordWriter::message`](super::RecordWriter::message).
    ///
    /// # Errors
    /// As there.
    pub async fn message<'r>(
        &mut self,
        records: impl IntoIterator<Item = (&'r [u8], &'r [u8])>,
    ) -> Result<(), WriteError<W::Error, EncodeErrorKind>> {
        let (mut records, mut begin) = (records.into_iter().peekable(), true);
        while let Some((record_type, payload)) = records.next() {
            self.record(record_type, begin, records.peek().is_none(), payload).await?;
            begin = false;
        }
        Ok(())
    }

    /// As [`RecordWriter::finish`](super::RecordWriter::finish).
    ///
    /// # Errors
    /// As there.
    pub async fn finish(&mut self) -> Result<(), WriteError<W::Error, EncodeErrorKind>> {
        self.sink.usable()?;
        self.encoder.finish()?;
        self.sink.flush().await
    }
}
