//! The pull reader over an asynchronous source.

use core::task::Poll;

use embedded_io::SeekFrom;
use embedded_io_async::{Read, Seek};

use super::delivery::Delivery;
use super::error::ReadError;
use super::frame::{Frame, Job, NextEvent, read_or_again};
use super::reader::Reader;
use crate::step::Decode;

/// The same calls over `embedded_io_async`: each does what its namesake without `_async` does. These calls are
/// cancel-safe if the source is: dropping a future loses no bytes that have been read.
impl<'b, R: Read, D: Decode> Reader<'b, R, D> {
    /// Returns the next event; `None` at the end of the source.
    ///
    /// # Errors
    /// The source failed, or the file is invalid.
    ///
    /// # Example
    /// ```
    /// use linkstream::Mode;
    /// use linkstream::io::{ReadError, Reader};
    /// use linkstream::lime::{Decoder, ErrorKind, Event};
    ///
    /// async fn records<R: embedded_io_async::Read>(source: R) -> Result<u64, ReadError<R::Error, ErrorKind>> {
    ///     let mut buffer = [0; 64];
    ///     let mut reader = Reader::new(source, &mut buffer, Decoder::new(Mode::Strict));
    ///     let mut count = 0;
    ///     while let Some(event) = reader.next_async().await? {
    ///         count += u64::from(matches!(event, Event::Record(_)));
    ///     }
    ///     Ok(count)
    /// }
    /// ```
    pub async fn next_async(&mut self) -> NextEvent<D, R::Error> {
        self.run_async(Frame::next).await
    }

    /// Reads payload into the front of `out`, directly where possible, and returns the number of bytes. 0 means that
    /// no payload is open, or that the end of the payload or of the source is reached; in the last case,
    /// [`next_async`](Self::next_async) reports what is missing.
    ///
    /// # Errors
    /// The source failed.
    pub async fn read_async(&mut self, out: &mut [u8]) -> Result<usize, ReadError<R::Error, D::ErrorKind>> {
        self.frame.usable()?;
        let Some(out) = self.frame.direct(out) else { return self.run_async(|frame| frame.copy(out)).await };
        let n = read_some(&mut self.source, out).await?;
        self.frame.took(out.get(..n).unwrap_or_default())
    }

    /// Skips the rest of the payload by reading it. Does nothing if the decoder needs to see the bytes, as in a
    /// document. If the source ends inside the payload, that is reported by [`next_async`](Self::next_async).
    ///
    /// # Errors
    /// The source failed.
    pub async fn skip_async(&mut self) -> Result<(), ReadError<R::Error, D::ErrorKind>> {
        self.run_async(Frame::skip).await
    }

    /// Runs a job to its end, with what it needs of the source.
    pub(super) async fn run_async<T>(
        &mut self,
        mut job: impl FnMut(&mut Frame<'b, D>) -> Job<T, R::Error, D::ErrorKind>,
    ) -> Result<T, ReadError<R::Error, D::ErrorKind>> {
        self.frame.usable()?;
        loop {
            if let Poll::Ready(done) = job(&mut self.frame) {
                return done;
            }
            let n = read_some(&mut self.source, self.frame.room()?).await?;
            self.frame.filled(n);
        }
    }

    /// Fills `out` with payload, which is counted until all has come.
    pub(super) async fn fill_async(
        &mut self,
        out: &mut [u8],
        delivery: &mut Delivery,
    ) -> Result<(), ReadError<R::Error, D::ErrorKind>> {
        while let Some(rest) = out.get_mut(delivery.done..).filter(|rest| !rest.is_empty()) {
            match self.read_async(rest).await? {
                0 => return Err(self.frame.truncated()),
                n => delivery.add(n),
            }
        }
        delivery.end();
        Ok(())
    }
}

///
/// ```
/// use embedded_io_async::{Read, Seek};
/// use linkstream::Mode;
/// use linkstream::io::{ReadError, Reader};
/// use linkstream::lime::{Decoder, ErrorKind, Event};
///
/// /// The payload of the third record.
/// async fn third<R: Read + Seek>(source: R, out: &mut [u8]) -> Result<usize, ReadError<R::Error, ErrorKind>> {
///     let mut buffer = [0; 64];
///     let mut reader = Reader::new(source, &mut buffer, Decoder::new(Mode::Strict));
///     while let Some(event) = reader.next_async().await? {
///         match event {
///             Event::Record(record) if record.number == 1 => reader.skip_async().await?,
///             Event::Record(record) if record.number == 2 => reader.skip_seeking_async().await?,
///             Event::Record(_) => return reader.read_async(out).await,
///             _ => {}
///         }
///     }
///     Ok(0)
/// }
/// ```
impl<R: Read + Seek, D: Decode> Reader<'_, R, D> {
    /// Skips the rest of the payload by seeking, at most to the end of the source, so that a truncated payload is
    /// reported by the next [`next_async`](Self::next_async) exactly as if it had been read. Dropping the future
    /// leaves the position of the source unknown: every later call returns [`ReadError::Lost`].
    ///
    /// # Errors
    /// The source failed.
    pub async fn skip_seeking_async(&mut self) -> Result<(), ReadError<R::Error, D::ErrorKind>> {
        self.frame.usable()?;
        if self.frame.has_payload() {
            return self.skip_async().await;
        }
        let at = self.seek_async(SeekFrom::Current(0)).await?;
        let length = self.seek_async(SeekFrom::End(0)).await?;
        let to = self.frame.skip_to(at, length)?;
        self.seek_async(SeekFrom::Start(to)).await?;
        Ok(())
    }

    async fn seek_async(&mut self, to: SeekFrom) -> Result<u64, ReadError<R::Error, D::ErrorKind>> {
        self.frame.desynchronised = true;
        let sought = self.source.seek(to).await;
        self.frame.desynchronised = false;
        self.frame.sought(sought)
    }
}

/// One read, repeated where it is interrupted.
async fn read_some<R: Read, K>(source: &mut R, room: &mut [u8]) -> Result<usize, ReadError<R::Error, K>> {
    loop {
        if let Some(n) = read_or_again(source.read(room).await)? {
            return Ok(n);
        }
    }
}
