//! LIME records one by one, from an asynchronous stream.

use embedded_io_async::Read;

use super::async_reader::AsyncReader;
use super::error::ReadError;
use super::records::Payload;
use crate::drive::Outcome;
use crate::error::Mode;
use crate::lime::{Decoder, ErrorKind, Record};

/// [`RecordReader`](super::RecordReader) for asynchronous sources. It does not seek.
///
/// ```
/// use linkstream::io::{AsyncRecordReader, ReadError};
/// use linkstream::lime::ErrorKind;
///
/// async fn name<R: embedded_io_async::Read>(source: R) -> Result<usize, ReadError<R::Error, ErrorKind>> {
///     let (mut buffer, mut name) = ([0; 64], [0; 100]);
///     let mut records = AsyncRecordReader::new(source, &mut buffer);
///     match records.find(b"ildg-data-lfn").await? {
///         Some(_) => Ok(records.read_into(&mut name).await?.len()),
///         None => Ok(0),
///     }
/// }
/// ```
#[derive(Debug)]
pub struct AsyncRecordReader<'b, R> {
    reader: AsyncReader<'b, R, Decoder>,
    payload: Payload,
}

impl<'b, R> AsyncRecordReader<'b, R> {
    /// A reader of a file from its first byte, in [`Mode::Strict`]. Any buffer that is not empty will do.
    pub const fn new(source: R, buffer: &'b mut [u8]) -> Self {
        Self::with_decoder(source, buffer, Decoder::new(Mode::Strict))
    }

    /// A reader with this decoder, which is before a record: another mode, or in the middle of a file.
    pub const fn with_decoder(source: R, buffer: &'b mut [u8], decoder: Decoder) -> Self {
        Self { reader: AsyncReader::new(source, buffer, decoder), payload: Payload::CLOSED }
    }

    /// The type of the present record: its bytes before the first NUL.
    pub fn record_type(&self) -> &[u8] {
        self.reader.decoder().record_type()
    }

    /// The present record, or the last one.
    pub const fn record(&self) -> Record {
        self.reader.decoder().record()
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

impl<R: Read> AsyncRecordReader<'_, R> {
    /// As [`RecordReader::next_record`](super::RecordReader::next_record).
    ///
    /// # Errors
    /// As there.
    pub async fn next_record(&mut self) -> Result<Option<Record>, ReadError<R::Error, ErrorKind>> {
        self.reader.run(|frame| self.payload.next(frame)).await
    }

    /// As [`RecordReader::find`](super::RecordReader::find).
    ///
    /// # Errors
    /// As there.
    pub async fn find(
        &mut self,
        record_type: &[u8],
    ) -> Result<Option<Record>, ReadError<R::Error, ErrorKind>> {
        self.reader.run(|frame| self.payload.find(frame, record_type)).await
    }

    /// As [`RecordReader::read`](super::RecordReader::read).
    ///
    /// # Errors
    /// As there.
    pub async fn read(&mut self, out: &mut [u8]) -> Result<usize, ReadError<R::Error, ErrorKind>> {
        self.reader.run(|frame| self.payload.copy(frame, out)).await
    }

    /// As [`RecordReader::read_into`](super::RecordReader::read_into).
    ///
    /// # Errors
    /// As there.
    pub async fn read_into<'o>(
        &mut self,
        out: &'o mut [u8],
    ) -> Result<&'o mut [u8], ReadError<R::Error, ErrorKind>> {
        let room = self.payload.room(&self.reader.frame, out)?;
        self.reader.fill(room, &mut self.payload.done).await?;
        self.payload.done = 0;
        Ok(room)
    }

    /// As [`RecordReader::for_each`](super::RecordReader::for_each).
    ///
    /// # Errors
    /// As there.
    pub async fn for_each<O: Outcome<ReadError<R::Error, ErrorKind>>>(
        &mut self,
        mut each: impl FnMut(&[u8]) -> O,
    ) -> Result<(), O::Error> {
        self.reader.run(|frame| self.payload.each(frame, &mut each)).await?
    }
}
