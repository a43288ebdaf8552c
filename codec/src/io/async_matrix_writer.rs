//! The INEBIN writer over an asynchronous stream.

use embedded_io_async::Write;

use super::async_sink::AsyncSink;
use super::error::WriteError;

use crate::inebin::{EncodeErrorKind, Encoder, Header, Value};

/// [`AsyncMatrixWriter`](super::AsyncMatrixWriter) for asynchronous sinks. After a failure of the sink, or a call of which the
/// future was dropped, every call is refused.
///
/// ```
/// use linkstream::inebin::{EncodeErrorKind, Header, MatrixType};
/// use linkstream::io::{AsyncMatrixWriter, WriteError};
///
/// async fn unit<W: embedded_io_async::Write>(sink: W) -> Result<W, WriteError<W::Error, EncodeErrorKind>> {
///     let mut buffer = [0; 64];
///     let header = Header::new(MatrixType::Real, 2, 2)?;
///     let mut matrix = AsyncMatrixWriter::begin(sink, &mut buffer, &header).await?;
///     matrix.rows(&[1.0, 0.0, 0.0, 1.0]).await?;
///     matrix.finish().await
/// }
/// ```
#[derive(Debug)]
pub struct AsyncMatrixWriter<'b, W> {
    sink: AsyncSink<W>,
    buffer: &'b mut [u8],
    encoder: Encoder,
}

impl<'b, W: Write> AsyncMatrixWriter<'b, W> {
    /// Writes the header. The buffer must not be empty.
    ///
    /// # Errors
    /// The sink failed, or there is no buffer.
    pub async fn begin(
        sink: W,
        buffer: &'b mut [u8],
        header: &Header,
    ) -> Result<Self, WriteError<W::Error, EncodeErrorKind>> {
        if buffer.is_empty() {
            return Err(WriteError::NoBuffer);
        }
        let mut sink = AsyncSink::new(sink);
        sink.put(&header.to_bytes()).await?;
        Ok(Self { sink, buffer, encoder: Encoder::new(header) })
    }

    /// Continues in `sink` at the position of `encoder`.
    pub const fn resume(sink: W, buffer: &'b mut [u8], encoder: Encoder) -> Self {
        Self { sink: AsyncSink::new(sink), buffer, encoder }
    }

    /// As [`MatrixWriter::write`](super::MatrixWriter::write).
    ///
    /// # Errors
    /// As there.
    pub async fn write<T: Value>(
        &mut self,
        values: impl IntoIterator<Item = T>,
    ) -> Result<(), WriteError<W::Error, EncodeErrorKind>> {
        self.sink.usable()?;
        if self.buffer.is_empty() {
            return Err(WriteError::NoBuffer);
        }
        let mut values = values.into_iter();
        loop {
            let n = self.encoder.encode(&mut values, self.buffer)?;
            if n == 0 {
                return Ok(());
            }
            self.sink.put(self.buffer.get(..n).unwrap_or_default()).await?;
        }
    }

    /// As [`MatrixWriter::rows`](super::MatrixWriter::rows).
    ///
    /// # Errors
    /// As there.
    pub async fn rows<T: Value>(
        &mut self,
        values: &[T],
    ) -> Result<(), WriteError<W::Error, EncodeErrorKind>> {
        let columns = u64::from(self.encoder.header().columns());
        let left = (values.len() as u64).checked_rem(columns).unwrap_or(0);
        if left > 0 {
            return Err(EncodeErrorKind::TooFew { missing: columns.saturating_sub(left) }.into());
        }
        self.write(values.iter().copied()).await
    }

    /// As [`MatrixWriter::write_raw`](super::MatrixWriter::write_raw).
    ///
    /// # Errors
    /// As there.
    pub async fn write_raw(&mut self, bytes: &[u8]) -> Result<(), WriteError<W::Error, EncodeErrorKind>> {
        self.sink.usable()?;
        self.encoder.raw(bytes)?;
        self.sink.put(bytes).await
    }

    /// As [`MatrixWriter::finish`](super::MatrixWriter::finish).
    ///
    /// # Errors
    /// As there.
    pub async fn finish(mut self) -> Result<W, WriteError<W::Error, EncodeErrorKind>> {
        self.sink.usable()?;
        self.encoder.finish()?;
        self.sink.flush().await?;
        Ok(self.sink.into_inner())
    }

    /// The encoder, to be asked for its position.
    pub const fn encoder(&self) -> &Encoder {
        &self.encoder
    }

    /// Gives back the sink and the encoder, also inside the matrix: to go on elsewhere.
    pub fn into_parts(self) -> (W, Encoder) {
        (self.sink.into_inner(), self.encoder)
    }
}
