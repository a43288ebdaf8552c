//! The INEBIN writer, over an asynchronous sink.

use embedded_io_async::Write;

use super::error::WriteError;
use super::matrix_pieces::{Head, Values};
use super::matrix_writer::{MatrixWriter, Written};
use crate::inebin::{EncodeErrorKind, Value};

/// The same calls over `embedded_io_async`: each does what its namesake without `_async` does.
///
/// ```
/// use linkstream::inebin::{EncodeErrorKind, Header};
/// use linkstream::io::{MatrixWriter, WriteError};
///
/// async fn save<W: embedded_io_async::Write>(
///     sink: W,
///     header: &Header,
///     rows: &[f64],
/// ) -> Result<(), WriteError<W::Error, EncodeErrorKind>> {
///     let mut buffer = [0; 64];
///     let mut matrix = MatrixWriter::create(sink, &mut buffer, header);
///     matrix.rows_async(rows).await?;
///     matrix.write_async([0.5, 1.5]).await?;
///     matrix.write_raw_async(&2.5_f64.to_le_bytes()).await?;
///     matrix.finish_async().await?;
///     Ok(())
/// }
/// ```
impl<W: Write> MatrixWriter<'_, W> {
    /// Writes values in reading order. Bits that do not fill a byte are kept until the next call.
    ///
    /// # Errors
    /// Values of another type or too many of them, or the sink failed.
    pub async fn write_async<T: Value>(&mut self, values: impl IntoIterator<Item = T>) -> Written<W::Error> {
        self.has_buffer()?;
        self.writer.run_async(Head::DUE).await?;
        Ok(self.writer.run_async(Values(values.into_iter())).await?)
    }

    /// Writes rows, one or several: values in reading order.
    ///
    /// # Errors
    /// As [`write_async`](Self::write_async); [`EncodeErrorKind::TooFew`] where a row is not complete: nothing is written then.
    pub async fn rows_async<T: Value>(&mut self, values: &[T]) -> Written<W::Error> {
        self.are_rows(values.len())?;
        self.write_async(values.iter().copied()).await
    }

    /// Writes entries as stored in a file, split anywhere.
    ///
    /// # Errors
    /// Too many bytes, a byte in the middle of an entry that was given as a value, or the sink failed.
    pub async fn write_raw_async(&mut self, bytes: &[u8]) -> Written<W::Error> {
        self.writer.run_async(Head::DUE).await?;
        self.writer.write_async(bytes).await
    }

    /// Declares the matrix complete, flushes the sink and gives it back.
    ///
    /// # Errors
    /// Entries are missing, or the sink failed.
    pub async fn finish_async(mut self) -> Result<W, WriteError<W::Error, EncodeErrorKind>> {
        self.writer.run_async(Head::DUE).await?;
        self.writer.finish_async().await?;
        Ok(self.into_parts().0)
    }
}
