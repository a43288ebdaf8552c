//! LIME records one by one, from an asynchronous source.

use embedded_io_async::{Read, Seek};

use super::error::ReadError;
use super::record_reader::RecordReader;
use super::records::{Passed, Payload};
use crate::callback::{CallbackError, Outcome};
use crate::lime::{ErrorKind, Record};

/// The same calls over `embedded_io_async`: each does what its namesake without `_async` does.
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
    /// Goes to the next record; `None` at the end of the file. The unread rest of the current payload is read and
    /// discarded.
    ///
    /// # Errors
    /// The source failed, or the file is invalid.
    pub async fn next_record_async(&mut self) -> Result<Option<Record>, ReadError<R::Error, ErrorKind>> {
        self.reader.run_async(|frame| self.payload.next(frame)).await
    }

    /// Finds the next record of this type; `None` if there is none before the end of the file.
    ///
    /// # Errors
    /// As [`next_record_async`](Self::next_record_async).
    pub async fn find_async(
        &mut self,
        record_type: &[u8],
    ) -> Result<Option<Record>, ReadError<R::Error, ErrorKind>> {
        self.reader.run_async(|frame| self.payload.find(frame, record_type)).await
    }

    /// Reads the next bytes of the payload into the front of `out` and returns how many: at most `out.len()`, at
    /// least 1, and 0 at the end of the payload.
    ///
    /// # Errors
    /// The source failed or ends too early; [`ReadError::NotOpen`] if no record is open or its payload was skipped;
    /// [`ReadError::Interrupted`].
    pub async fn read_async(&mut self, out: &mut [u8]) -> Result<usize, ReadError<R::Error, ErrorKind>> {
        self.payload.begin(&self.reader.frame)?;
        self.reader.run_async(|frame| Payload::copy(frame, out)).await
    }

    /// Reads the rest of the payload, which is all of it if none was read before, into the front of `out`, and
    /// returns that part of `out`.
    ///
    /// # Errors
    /// As [`read_async`](Self::read_async); [`ReadError::TooSmall`] if `out` is shorter, [`ReadError::Limit`] if the
    /// payload is also above the limit.
    pub async fn read_into_async<'o>(
        &mut self,
        out: &'o mut [u8],
    ) -> Result<&'o mut [u8], ReadError<R::Error, ErrorKind>> {
        let room = self.payload.room(&self.reader.frame, out)?;
        self.reader.fill_async(room, &mut self.payload.delivery).await?;
        Ok(room)
    }

    /// Passes the rest of the payload to a callback, in pieces of any size. The callback may fail or stop; see
    /// [`Outcome`].
    ///
    /// # Errors
    /// As [`read_async`](Self::read_async), and what the callback returned.
    pub async fn for_each_async<O: Outcome>(
        &mut self,
        mut each: impl FnMut(&[u8]) -> O,
    ) -> Passed<R::Error, O::Error> {
        self.payload.begin(&self.reader.frame)?;
        self.reader.run_async(|frame| self.payload.each(frame, &mut each)).await?
    }

    /// Passes the type and payload of each following record to a callback. The payload is read into `out`, which
    /// must hold the longest one. The callback may fail or stop; see [`Outcome`]. A call that failed, or whose future
    /// was dropped, before it had read anything of a payload can be repeated; it begins with that record.
    ///
    /// # Errors
    /// As [`next_record_async`](Self::next_record_async) and [`read_into_async`](Self::read_into_async), and what
    /// the callback returned.
    pub async fn for_each_record_async<O: Outcome>(
        &mut self,
        out: &mut [u8],
        mut each: impl FnMut(&[u8], &[u8]) -> O,
    ) -> Passed<R::Error, O::Error> {
        while self.payload.is_due || self.next_record_async().await?.is_some() {
            let payload = self.payload.room_when_due(&self.reader.frame, out)?;
            self.reader.fill_async(payload, &mut self.payload.delivery).await?;
            self.payload.is_due = false;
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
    /// Skips the rest of the payload by seeking. If the file ends inside the payload,
    /// [`next_record_async`](Self::next_record_async) reports it.
    ///
    /// # Errors
    /// The source failed.
    pub async fn skip_seeking_async(&mut self) -> Result<(), ReadError<R::Error, ErrorKind>> {
        self.payload.close();
        self.reader.skip_seeking_async().await
    }
}
