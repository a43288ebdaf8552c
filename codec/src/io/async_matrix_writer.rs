//! The INEBIN writer, over an asynchronous sink.

use embedded_io_async::Write;

use super::error::WriteError;
use super::matrix_pieces::{LateHead, Raw, Values};
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
    /// Writes entries, row by row. Booleans that do not fill a byte are kept until the next call.
    ///
    /// # Errors
    /// The values are of another type than the matrix, or there are too many of them
    /// ([`EncodeErrorKind::TooMany`]; those for which there is room have been written), or the sink failed.
    pub async fn write_async<T: Value>(&mut self, values: impl IntoIterator<Item = T>) -> Written<W::Error> {
        self.has_buffer()?;
        Ok(self.writer.run_async(Values::new(values.into_iter())).await?)
    }

    /// Writes one or more whole rows.
    ///
    /// # Errors
    /// As [`write_async`](Self::write_async); [`EncodeErrorKind::TooFew`] if a row is incomplete. Nothing is written
    /// then, nor if there are too many rows.
    pub async fn rows_async<T: Value>(&mut self, values: &[T]) -> Written<W::Error> {
        self.are_rows(values.len())?;
        self.write_async(values.iter().copied()).await
    }

    /// Writes entries as the bytes of the file (little-endian), in pieces of any size.
    ///
    /// # Errors
    /// There are too many bytes, an entry given as a value is incomplete, or the sink failed.
    pub async fn write_raw_async(&mut self, bytes: &[u8]) -> Written<W::Error> {
        Ok(self.writer.run_async(Raw::new(bytes)).await?)
    }

    /// Checks that the matrix is complete, flushes the sink and returns it.
    ///
    /// # Errors
    /// Entries are missing, or the sink failed.
    pub async fn finish_async(mut self) -> Result<W, WriteError<W::Error, EncodeErrorKind>> {
        self.writer.run_async(LateHead::DUE).await?;
        self.writer.finish_async().await?;
        Ok(self.into_parts().0)
    }
}
