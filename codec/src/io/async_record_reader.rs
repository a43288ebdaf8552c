//! LIME records one by one, from an asynchronous source.

use embedded_io_async::{Read, Seek};

use super::error::ReadError;
use super::record_reader::RecordReader;
use super::records::Passed;
use crate::callback::{CallbackError, Outcome};
use crate::lime::{ErrorKind, Record};

/// The calls over `embedded_io_async`, otherwise as those without `_async`.
///
/// ```
/// use linkstream::io::{ReadError, RecordReader};
/// use linkstream::lime::ErrorKind;
///
/// /// The logical file name, the length of the record after it, and how many follow.
/// async fn look<R: embedded_io_async::Read>(
///     source: R,
///     name: &mut [u8],
/// ) -> Result<(usize, usize, usize), ReadError<R::Error, ErrorKind>> {
///     let (mut buffer, mut found, mut length, mut others) = ([0; 64], 0, 0, 0);
///     let mut records = RecordReader::new(source, &mut buffer);
///     if records.find_async(b"ildg-data-lfn").await?.is_some() {
///         found = records.read_into_async(name).await?.len();
///     }
///     if records.next_record_async().await?.is_some() {
///         length = records.read_async(&mut [0; 8]).await?;
///         records.for_each_async(|bytes| length += bytes.len()).await?;
///     }
///     records.for_each_record_async(&mut [0; 100], |_, _| others += 1).await?;
///     Ok((found, length, others))
/// }
/// ```
impl<R: Read> RecordReader<'_, R> {
    /// The next record; `None` at the end of the file. What is left of the present payload is read and dropped.
    ///
    /// # Errors
    /// The source failed, or the file is wrong.
    pub async fn next_record_async(&mut self) -> Result<Option<Record>, ReadError<R::Error, ErrorKind>> {
        self.reader.run_async(|frame| self.payload.next(frame)).await
    }

    /// The next record of this type; `None` if there is none up to the end of the file.
    ///
    /// # Errors
    /// As [`next_record_async`](Self::next_record_async).
    pub async fn find_async(
        &mut self,
        record_type: &[u8],
    ) -> Result<Option<Record>, ReadError<R::Error, ErrorKind>> {
        self.reader.run_async(|frame| self.payload.find(frame, record_type)).await
    }

    /// The next bytes of the payload, as many as `out` holds or the buffer has; 0 after the last.
    ///
    /// # Errors
    /// The source failed or ends too early; [`ReadError::NotOpen`] where there is no record or it was skipped.
    pub async fn read_async(&mut self, out: &mut [u8]) -> Result<usize, ReadError<R::Error, ErrorKind>> {
        self.reader.run_async(|frame| self.payload.copy(frame, out)).await
    }

    /// The rest of the payload, all of it unless some was read: the front of `out`.
    ///
    /// # Errors
    /// As [`read_async`](Self::read_async); [`ReadError::TooSmall`] where `out` does not hold it.
    pub async fn read_into_async<'o>(
        &mut self,
        out: &'o mut [u8],
    ) -> Result<&'o mut [u8], ReadError<R::Error, ErrorKind>> {
        let room = self.payload.room(&self.reader.frame, out)?;
        self.reader.fill_async(room, &mut self.payload.done).await?;
        self.payload.done = 0;
        Ok(room)
    }

    /// Passes the rest of the payload to a callback, in pieces as they come. The callback may fail or stop, see
    /// [`Outcome`].
    ///
    /// # Errors
    /// As [`read_async`](Self::read_async), and the callback's.
    pub async fn for_each_async<O: Outcome>(
        &mut self,
        mut each: impl FnMut(&[u8]) -> O,
    ) -> Passed<R::Error, O::Error> {
        self.reader.run_async(|frame| self.payload.each(frame, &mut each)).await?
    }

    /// Passes each record that follows to a callback: its type and its payload, which is read into `out`. The callback
    /// may fail or stop, see [`Outcome`].
    ///
    /// # Errors
    /// As [`next_record_async`](Self::next_record_async) and [`read_into_async`](Self::read_into_async), and the callback's.
    pub async fn for_each_record_async<O: Outcome>(
        &mut self,
        out: &mut [u8],
        mut each: impl FnMut(&[u8], &[u8]) -> O,
    ) -> Passed<R::Error, O::Error> {
        while self.next_record_async().await?.is_some() {
            let payload = self.read_into_async(out).await?;
            let outcome = each(self.record_type(), payload).into_result();
            if outcome.map_err(CallbackError::Callback)?.is_break() {
                break;
            }
        }
        Ok(())
    }
}

///
/// ```
/// use embedded_io_async::{Read, Seek};
/// use linkstream::io::{ReadError, RecordReader};
/// use linkstream::lime::ErrorKind;
///
/// async fn count<R: Read + Seek>(source: R) -> Result<u64, ReadError<R::Error, ErrorKind>> {
///     let (mut buffer, mut count) = ([0; 64], 0);
///     let mut records = RecordReader::new(source, &mut buffer);
///     while records.next_record_async().await?.is_some() {
///         records.skip_seeking_async().await?;
///         count += 1;
///     }
///     Ok(count)
/// }
/// ```
impl<R: Read + Seek> RecordReader<'_, R> {
    /// Skips the rest of the payload by seeking. [`next_record_async`](Self::next_record_async) reports it if the file ends
    /// there.
    ///
    /// # Errors
    /// The source failed.
    pub async fn skip_seeking_async(&mut self) -> Result<(), ReadError<R::Error, ErrorKind>> {
        self.payload.close();
        self.reader.skip_seeking_async().await
    }
}
