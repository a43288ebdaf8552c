//! The pull reader: the frame of all readers of this module.

use core::task::Poll;

use embedded_io::Read;

use super::delivery::Delivery;
use super::error::ReadError;
use super::frame::{Frame, Job, NextEvent, read_or_again};
use crate::step::Decode;

/// Reads from a source into the caller's buffer and drives a decoder with it, event by event. The source is any
/// [`embedded_io::Read`], or `embedded_io_async::Read`.
///
/// ```
/// use linkstream::io::Reader;
/// use linkstream::lime::{Decoder, Event, Header};
/// use linkstream::Mode;
///
/// let mut file = Header::new(b"greeting", 5, true, true)?.as_bytes().to_vec();
/// file.extend_from_slice(b"hello\0\0\0");
///
/// let mut buffer = [0; 64];
/// let mut reader = Reader::new(file.as_slice(), &mut buffer, Decoder::new(Mode::Strict));
/// let mut text = Vec::new();
/// while let Some(event) = reader.next()? {
///     match event {
///         Event::Record(record) => assert_eq!(record.length, 5),
///         Event::Payload => text.extend_from_slice(reader.bytes()),
///         _ => {}
///     }
/// }
/// assert_eq!(text, b"hello");
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Reader<'b, R, D> {
    pub(super) source: R,
    pub(super) frame: Frame<'b, D>,
}

impl<'b, R, D> Reader<'b, R, D> {
    /// A reader of `source` from its present position. The buffer must not be empty; a larger one means fewer reads.
    pub const fn new(source: R, buffer: &'b mut [u8], decoder: D) -> Self {
        Self { source, frame: Frame::new(buffer, decoder) }
    }

    /// The bytes that the last event consumed: payload, if it was a payload event.
    pub fn bytes(&self) -> &[u8] {
        self.frame.last()
    }

    /// The decoder, which holds the current header, field or checksum.
    pub const fn decoder(&self) -> &D {
        &self.frame.decoder
    }

    /// The decoder, to change its settings, for example to leave a section compressed. Do not push input to it, skip
    /// or seek through this reference: its position would no longer match that of the source.
    ///
    /// ```
    /// use linkstream::io::Reader;
    /// use linkstream::{Mode, lime};
    ///
    /// let mut buffer = [0; 64];
    /// let mut reader = Reader::new(&b""[..], &mut buffer, lime::Decoder::new(Mode::Strict));
    /// // The next part of a file that is read from somewhere else.
    /// *reader.decoder_mut() = lime::Decoder::at(1024, Mode::Lenient);
    /// ```
    pub const fn decoder_mut(&mut self) -> &mut D {
        &mut self.frame.decoder
    }

    /// Returns the source and the decoder. Bytes that were read ahead into the buffer are discarded.
    pub fn into_parts(self) -> (R, D) {
        (self.source, self.frame.decoder)
    }
}

impl<'b, R: Read, D: Decode> Reader<'b, R, D> {
    /// Returns the next event; `None` at the end of the source.
    ///
    /// # Errors
    /// The source failed, or the file is invalid.
    #[allow(clippy::should_implement_trait, reason = "an iterator could not lend the decoder")]
    pub fn next(&mut self) -> NextEvent<D, R::Error> {
        self.run(Frame::next)
    }

    /// Reads payload into the front of `out`, directly where possible, and returns the number of bytes. 0 means that
    /// no payload is open, or that the end of the payload or of the source is reached; in the last case,
    /// [`Reader::next`] reports what is missing.
    ///
    /// # Errors
    /// The source failed.
    pub fn read(&mut self, out: &mut [u8]) -> Result<usize, ReadError<R::Error, D::ErrorKind>> {
        self.frame.usable()?;
        let Some(out) = self.frame.direct(out) else { return self.run(|frame| frame.copy(out)) };
        let n = read_some(&mut self.source, out)?;
        self.frame.took(out.get(..n).unwrap_or_default())
    }

    /// Skips the rest of the payload by reading it. Does nothing if the decoder needs to see the bytes, as in a
    /// document. If the source ends inside the payload, that is reported by [`Reader::next`].
    ///
    /// # Errors
    /// The source failed.
    pub fn skip(&mut self) -> Result<(), ReadError<R::Error, D::ErrorKind>> {
        self.run(Frame::skip)
    }

    /// Runs a job to its end, with what it needs of the source.
    pub(super) fn run<T>(
        &mut self,
        mut job: impl FnMut(&mut Frame<'b, D>) -> Job<T, R::Error, D::ErrorKind>,
    ) -> Result<T, ReadError<R::Error, D::ErrorKind>> {
        self.frame.usable()?;
        loop {
            if let Poll::Ready(done) = job(&mut self.frame) {
                return done;
            }
            let n = read_some(&mut self.source, self.frame.room()?)?;
            self.frame.filled(n);
        }
    }

    /// Fills `out` with payload, which is counted until all has come.
    pub(super) fn fill(
        &mut self,
        out: &mut [u8],
        delivery: &mut Delivery,
    ) -> Result<(), ReadError<R::Error, D::ErrorKind>> {
        while let Some(rest) = out.get_mut(delivery.done..).filter(|rest| !rest.is_empty()) {
            match self.read(rest)? {
                0 => return Err(self.frame.truncated()),
                n => delivery.add(n),
            }
        }
        delivery.end();
        Ok(())
    }
}

/// One read, repeated where it is interrupted.
fn read_some<R: Read, K>(source: &mut R, room: &mut [u8]) -> Result<usize, ReadError<R::Error, K>> {
    loop {
        if let Some(n) = read_or_again(source.read(room))? {
            return Ok(n);
        }
    }
}
