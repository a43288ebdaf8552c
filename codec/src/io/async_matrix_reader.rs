//! The matrix of an INEBIN file, from an asynchronous stream.

use embedded_io_async::Read;

use super::async_reader::AsyncReader;
use super::error::ReadError;
use super::matrices::Cursor;

use crate::error::Mode;
use crate::inebin::{Decoder, ErrorKind, Header, Value};

/// [`MatrixReader`](super::MatrixReader) for asynchronous sources. It does not seek.
///
/// ```
/// use linkstream::inebin::ErrorKind;
/// use linkstream::io::{AsyncMatrixReader, ReadError};
///
/// async fn trace<R: embedded_io_async::Read>(source: R) -> Result<f64, ReadError<R::Error, ErrorKind>> {
///     let (mut buffer, mut row) = ([0; 64], [0.0; 8]);
///     let mut matrix = AsyncMatrixReader::new(source, &mut buffer);
///     let (mut trace, mut diagonal) = (0.0, 0..);
///     while matrix.next_row(&mut row).await? {
///         trace += diagonal.next().and_then(|i: usize| row.get(i)).unwrap_or(&0.0);
///     }
///     Ok(trace)
/// }
/// ```
#[derive(Debug)]
pub struct AsyncMatrixReader<'b, R> {
    reader: AsyncReader<'b, R, Decoder>,
    cursor: Cursor,
}

impl<'b, R> AsyncMatrixReader<'b, R> {
    /// A reader of a file from its first byte, in [`Mode::Strict`]. Any buffer that is not empty will do.
    pub const fn new(source: R, buffer: &'b mut [u8]) -> Self {
        Self::with_mode(source, buffer, Mode::Strict)
    }

    /// A reader in another mode.
    pub const fn with_mode(source: R, buffer: &'b mut [u8], mode: Mode) -> Self {
        Self { reader: AsyncReader::new(source, buffer, Decoder::new(mode)), cursor: Cursor::START }
    }

    /// The decoder.
    pub const fn decoder(&self) -> &Decoder {
        self.reader.decoder()
    }

    /// Gives back the source and the decoder. Bytes that were read ahead are lost to the source.
    pub fn into_parts(self) -> (R, Decoder) {
        self.reader.into_parts()
    }
}

impl<R: Read> AsyncMatrixReader<'_, R> {
    /// As [`MatrixReader::header`](super::MatrixReader::header).
    ///
    /// # Errors
    /// As there.
    pub async fn header(&mut self) -> Result<Header, ReadError<R::Error, ErrorKind>> {
        self.reader.run(Cursor::header).await
    }

    /// As [`MatrixReader::next_row`](super::MatrixReader::next_row).
    ///
    /// # Errors
    /// As there.
    pub async fn next_row<T: Value>(
        &mut self,
        row: &mut [T],
    ) -> Result<bool, ReadError<R::Error, ErrorKind>> {
        self.reader.run(|frame| self.cursor.row(frame, row)).await
    }

    /// As [`MatrixReader::read`](super::MatrixReader::read).
    ///
    /// # Errors
    /// As there.
    pub async fn read<T: Value>(&mut self, out: &mut [T]) -> Result<usize, ReadError<R::Error, ErrorKind>> {
        self.reader.run(|frame| self.cursor.entries(frame, out)).await
    }

    /// As [`MatrixReader::finish`](super::MatrixReader::finish).
    ///
    /// # Errors
    /// As there.
    pub async fn finish(&mut self) -> Result<(), ReadError<R::Error, ErrorKind>> {
        self.reader.run(Cursor::end).await
    }
}
