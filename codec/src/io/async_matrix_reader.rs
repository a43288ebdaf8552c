//! The matrix of an INEBIN file, from an asynchronous source.

use embedded_io_async::Read;

use super::error::ReadError;
use super::matrix_reader::MatrixReader;
use crate::inebin::{ErrorKind, Header, Value};

/// The same calls over `embedded_io_async`: each does what its namesake without `_async` does.
///
/// ```
/// use linkstream::inebin::ErrorKind;
/// use linkstream::io::{MatrixReader, ReadError};
///
/// async fn sum<R: embedded_io_async::Read>(source: R) -> Result<f64, ReadError<R::Error, ErrorKind>> {
///     let (mut buffer, mut row) = ([0; 64], [0.0; 8]);
///     let mut matrix = MatrixReader::new(source, &mut buffer);
///     // Rows that fit, or else entries, 8 at a time.
///     let mut sum = 0.0;
///     if matrix.header_async().await?.columns() <= 8 {
///         while matrix.next_row_async(&mut row).await? {
///             sum += row.iter().sum::<f64>();
///         }
///     } else {
///         while let n @ 1.. = matrix.read_async(&mut row).await? {
///             sum += row.iter().take(n).sum::<f64>();
///         }
///         matrix.finish_async().await?;
///     }
///     Ok(sum)
/// }
///
/// async fn first_row<R: embedded_io_async::Read>(source: R) -> Result<Vec<f64>, ReadError<R::Error, ErrorKind>> {
///     let mut buffer = [0; 64];
///     let mut matrix = MatrixReader::new(source, &mut buffer);
///     println!("{} entries", matrix.entries_async().await?);
///     let mut row = vec![0.0; matrix.columns_async().await?];
///     matrix.next_row_async(&mut row).await?;
///     Ok(row)
/// }
/// ```
impl<R: Read> MatrixReader<'_, R> {
    /// Returns type and shape of the matrix; reads the header if necessary.
    ///
    /// # Errors
    /// The source failed, or the file is invalid.
    pub async fn header_async(&mut self) -> Result<Header, ReadError<R::Error, ErrorKind>> {
        self.reader.run_async(|frame| self.cursor.header(frame)).await
    }

    /// The length of a row, for allocating memory for it; reads the header if necessary. The sizes in
    /// [`header_async`](Self::header_async) are what the file claims, without a limit.
    ///
    /// # Errors
    /// The errors of [`header_async`](Self::header_async); [`ReadError::Limit`] if a row has more bytes than the
    /// [`Limits`](crate::Limits) of this reader.
    pub async fn columns_async(&mut self) -> Result<usize, ReadError<R::Error, ErrorKind>> {
        let header = self.header_async().await?;
        self.cursor.claim(&header, header.columns().into())
    }

    /// The number of entries, for allocating memory for them; reads the header if necessary.
    ///
    /// # Errors
    /// The errors of [`header_async`](Self::header_async); [`ReadError::Limit`] if they have more bytes than the
    /// [`Limits`](crate::Limits) of this reader.
    pub async fn entries_async(&mut self) -> Result<usize, ReadError<R::Error, ErrorKind>> {
        let header = self.header_async().await?;
        self.cursor.claim(&header, header.entries())
    }

    /// Reads the next row into the front of `row`. Returns `false` if there are no more rows; the file has then been
    /// read to its end and is valid. If some entries of the current row were read, the rest of it is skipped. A
    /// matrix without columns is treated as having no rows.
    ///
    /// # Errors
    /// The source failed, or the file is invalid; [`Misuse::OtherType`](crate::Misuse::OtherType);
    /// [`ReadError::TooSmall`] if `row` is shorter than a row, [`ReadError::Limit`] if the row is also above the limit;
    /// [`ReadError::Interrupted`].
    pub async fn next_row_async<T: Value>(
        &mut self,
        row: &mut [T],
    ) -> Result<bool, ReadError<R::Error, ErrorKind>> {
        self.cursor.delivery.begin()?;
        self.reader.run_async(|frame| self.cursor.row(frame, row)).await
    }

    /// Reads the next entries, row by row, into the front of `out`, until it is full or none are left, and returns
    /// their number.
    ///
    /// # Errors
    /// The source failed, or the file is invalid; [`Misuse::OtherType`](crate::Misuse::OtherType);
    /// [`ReadError::NotOpen`] if the decoder that the reader was given is inside an entry;
    /// [`ReadError::Interrupted`].
    pub async fn read_async<T: Value>(
        &mut self,
        out: &mut [T],
    ) -> Result<usize, ReadError<R::Error, ErrorKind>> {
        self.cursor.delivery.begin()?;
        self.reader.run_async(|frame| self.cursor.entries(frame, out)).await
    }

    /// Reads and checks the rest of the file.
    ///
    /// # Errors
    /// The source failed, or the file is invalid.
    pub async fn finish_async(&mut self) -> Result<(), ReadError<R::Error, ErrorKind>> {
        self.reader.run_async(|frame| self.cursor.end(frame)).await
    }
}
