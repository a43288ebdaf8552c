//! The pull reader over an asynchronous stream.

use embedded_io::{Error as _, ErrorKind};
use embedded_io_async::Read;

use super::error::ReadError;
use super::window::{NextEvent, Window};
use crate::step::{Decode, Demand};

/// [`Reader`](super::Reader) for sources that are waited for; the same decoder, the same events.
///
/// Dropping the future of [`AsyncReader::next`] loses nothing that the source had not lost itself: what was
/// read stays in the buffer.
#[derive(Debug)]
pub struct AsyncReader<'b, R, D> {
    source: R,
    window: Window<'b>,
    decoder: D,
    ended: bool,
}

impl<'b, R, D> AsyncReader<'b, R, D> {
    /// A reader of `source` through `buffer`, which must not be empty.
    pub const fn new(source: R, buffer: &'b mut [u8], decoder: D) -> Self {
        Self { source, window: Window::new(buffer), decoder, ended: false }
    }

    /// The bytes that the last event consumed: payload, if the event says so.
    pub fn bytes(&self) -> &[u8] {
        self.window.last()
    }

    /// The decoder, to be asked for the present header, field or checksum.
    pub const fn decoder(&self) -> &D {
        &self.decoder
    }

    /// The decoder, to be told what to do with what comes, as [`Reader::decoder_mut`](super::Reader::decoder_mut).
    pub const fn decoder_mut(&mut self) -> &mut D {
        &mut self.decoder
    }

    /// Gives back the source and the decoder. Bytes that were read ahead are lost to the source.
    pub fn into_parts(self) -> (R, D) {
        (self.source, self.decoder)
    }
}

impl<R: Read, D: Decode> AsyncReader<'_, R, D> {
    /// The next event; `None` at the end of the source.
    ///
    /// # Errors
    /// The source failed, or the file is wrong.
    pub async fn next(&mut self) -> NextEvent<D, R::Error> {
        loop {
            if let Some(event) = self.window.turn(&mut self.decoder)? {
                return Ok(Some(event));
            }
            if self.ended {
                return Ok(self.decoder.finish()?);
            }
            self.fill().await?;
        }
    }

    /// Passes over the payload that comes next by reading it away.
    ///
    /// # Errors
    /// The source failed.
    pub async fn skip(&mut self) -> Result<(), ReadError<R::Error, D::ErrorKind>> {
        while let Demand::Skip(left) = self.decoder.demand() {
            if self.window.unread().is_empty() {
                self.fill().await?;
                if self.ended {
                    return Ok(());
                }
            }
            let n = self.window.unread().len().min(usize::try_from(left).unwrap_or(usize::MAX));
            self.decoder.skip(n as u64)?;
            self.window.pass(n);
        }
        Ok(())
    }

    async fn fill(&mut self) -> Result<(), ReadError<R::Error, D::ErrorKind>> {
        loop {
            match self.source.read(self.window.room()?).await {
                Ok(n) => {
                    self.window.filled(n);
                    self.ended = n == 0;
                    return Ok(());
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(ReadError::Io(error)),
            }
        }
    }
}
