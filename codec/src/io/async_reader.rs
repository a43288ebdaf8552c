//! The pull reader over an asynchronous stream.

use core::task::Poll;

use embedded_io::{Error as _, ErrorKind};
use embedded_io_async::Read;

use super::error::ReadError;
use super::frame::{Frame, Job, NextEvent};
use crate::step::Decode;

/// [`Reader`](super::Reader) for asynchronous sources: the same decoder, the same events.
///
/// Dropping a future of [`AsyncReader::next`] loses nothing that the source does not lose itself: what was read
/// stays in the buffer.
///
/// ```
/// use linkstream::Mode;
/// use linkstream::io::{AsyncReader, ReadError};
/// use linkstream::lime::{Decoder, ErrorKind, Event};
///
/// async fn records<R: embedded_io_async::Read>(source: R) -> Result<u64, ReadError<R::Error, ErrorKind>> {
///     let mut buffer = [0; 64];
///     let mut reader = AsyncReader::new(source, &mut buffer, Decoder::new(Mode::Strict));
///     let mut count = 0;
///     while let Some(event) = reader.next().await? {
///         count += u64::from(matches!(event, Event::Record(_)));
///     }
///     Ok(count)
/// }
/// ```
#[derive(Debug)]
pub struct AsyncReader<'b, R, D> {
    source: R,
    pub(super) frame: Frame<'b, D>,
}

impl<'b, R, D> AsyncReader<'b, R, D> {
    /// A reader of `source` through `buffer`, which must not be empty.
    pub const fn new(source: R, buffer: &'b mut [u8], decoder: D) -> Self {
        Self { source, frame: Frame::new(buffer, decoder) }
    }

    /// The bytes that the last event consumed: payload, if the event says so.
    pub fn bytes(&self) -> &[u8] {
        self.frame.last()
    }

    /// The decoder, which has the present header, field or checksum.
    pub const fn decoder(&self) -> &D {
        &self.frame.decoder
    }

    /// The decoder, for settings about what follows, as [`Reader::decoder_mut`](super::Reader::decoder_mut).
    pub const fn decoder_mut(&mut self) -> &mut D {
        &mut self.frame.decoder
    }

    /// Gives back the source and the decoder. Bytes that were read ahead are lost to the source.
    pub fn into_parts(self) -> (R, D) {
        (self.source, self.frame.decoder)
    }
}

impl<'b, R: Read, D: Decode> AsyncReader<'b, R, D> {
    /// The next event; `None` at the end of the source.
    ///
    /// # Errors
    /// The source failed, or the file is wrong.
    pub async fn next(&mut self) -> NextEvent<D, R::Error> {
        self.run(Frame::next).await
    }

    /// Fills the front of `out` with payload that follows, as [`Reader::read`](super::Reader::read).
    ///
    /// # Errors
    /// The source failed.
    pub async fn read(&mut self, out: &mut [u8]) -> Result<usize, ReadError<R::Error, D::ErrorKind>> {
        let Some(out) = self.frame.direct(out) else { return self.run(|frame| frame.copy(out)).await };
        let n = read_some(&mut self.source, out).await?;
        self.frame.took(out.get(..n).unwrap_or_default())
    }

    /// Passes over the payload that follows by reading it, as [`Reader::skip`](super::Reader::skip).
    ///
    /// # Errors
    /// The source failed.
    pub async fn skip(&mut self) -> Result<(), ReadError<R::Error, D::ErrorKind>> {
        self.run(Frame::skip).await
    }

    /// Runs a job to its end, with what it needs of the source.
    pub(super) async fn run<T>(
        &mut self,
        mut job: impl FnMut(&mut Frame<'b, D>) -> Job<T, R::Error, D::ErrorKind>,
    ) -> Result<T, ReadError<R::Error, D::ErrorKind>> {
        loop {
            if let Poll::Ready(done) = job(&mut self.frame) {
                return done;
            }
            let n = read_some(&mut self.source, self.frame.room()?).await?;
            self.frame.filled(n);
        }
    }

    /// Fills `out` with payload from its byte `done` on, which counts on.
    pub(super) async fn fill(
        &mut self,
        out: &mut [u8],
        done: &mut usize,
    ) -> Result<(), ReadError<R::Error, D::ErrorKind>> {
        while let Some(rest) = out.get_mut(*done..).filter(|rest| !rest.is_empty()) {
            match self.read(rest).await? {
                0 => return Err(self.frame.truncated()),
                n => *done = done.saturating_add(n),
            }
        }
        Ok(())
    }
}

/// One read, repeated where it is interrupted.
async fn read_some<R: Read, K>(source: &mut R, room: &mut [u8]) -> Result<usize, ReadError<R::Error, K>> {
    loop {
        match source.read(room).await {
            Ok(n) => return Ok(n),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(ReadError::Io(error)),
        }
    }
}
