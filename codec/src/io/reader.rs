//! The pull reader over a blocking stream.

use embedded_io::{Error as _, ErrorKind, Read};

use super::error::ReadError;
use super::window::{NextEvent, Window};
use crate::step::{Decode, Demand};

/// Turns a decoder with what it reads from a source, through a buffer lent by the caller.
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
    pub(super) window: Window<'b>,
    pub(super) decoder: D,
    pub(super) ended: bool,
    /// A seek failed: where the source stands is not known.
    pub(super) desynchronised: bool,
}

impl<'b, R, D> Reader<'b, R, D> {
    /// A reader of `source` from where it stands. Any buffer that is not empty will do; a larger one means
    /// fewer reads.
    pub const fn new(source: R, buffer: &'b mut [u8], decoder: D) -> Self {
        Self { source, window: Window::new(buffer), decoder, ended: false, desynchronised: false }
    }

    /// The bytes that the last event consumed: payload, if the event says so.
    pub fn bytes(&self) -> &[u8] {
        self.window.last()
    }

    /// The decoder, to be asked for the present header, field or checksum.
    pub const fn decoder(&self) -> &D {
        &self.decoder
    }

    /// The decoder, to be told what to do with what comes: a section to be left packed, say. Input is the
    /// reader's business: a decoder that is pushed to, skips or seeks by itself no longer knows its place.
    pub const fn decoder_mut(&mut self) -> &mut D {
        &mut self.decoder
    }

    /// Gives back the source and the decoder. Bytes that were read ahead are lost to the source.
    pub fn into_parts(self) -> (R, D) {
        (self.source, self.decoder)
    }
}

impl<R: Read, D: Decode> Reader<'_, R, D> {
    /// The next event; `None` at the end of the source.
    ///
    /// # Errors
    /// The source failed, or the file is wrong.
    #[allow(clippy::should_implement_trait, reason = "an iterator could not lend the decoder")]
    pub fn next(&mut self) -> NextEvent<D, R::Error> {
        self.found()?;
        loop {
            if let Some(event) = self.window.turn(&mut self.decoder)? {
                return Ok(Some(event));
            }
            if self.ended {
                return Ok(self.decoder.finish()?);
            }
            let n = read_some(&mut self.source, self.window.room()?)?;
            self.window.filled(n);
            self.ended = n == 0;
        }
    }

    /// Fills `out` with payload that comes next, without a detour through the buffer where possible. Returns
    /// how much was read; 0 when no payload is open, or its end is reached, or the source is at its end: then
    /// [`Reader::next`] says what is missing.
    ///
    /// # Errors
    /// The source failed.
    pub fn read(&mut self, out: &mut [u8]) -> Result<usize, ReadError<R::Error, D::ErrorKind>> {
        self.found()?;
        let Demand::Skip(left) = self.decoder.demand() else { return Ok(0) };
        let want = usize::try_from(left).unwrap_or(usize::MAX).min(out.len());
        let out = out.get_mut(..want).unwrap_or_default();
        if out.is_empty() {
            return Ok(0);
        }
        let buffered = self.window.unread();
        let n = if buffered.is_empty() {
            read_some(&mut self.source, out)?
        } else {
            let n = buffered.len().min(out.len());
            for (to, from) in out.iter_mut().zip(buffered) {
                *to = *from;
            }
            self.window.pass(n);
            n
        };
        self.ended = n == 0;
        let mut rest = out.get(..n).unwrap_or_default();
        while !rest.is_empty() {
            let step = self.decoder.push(rest)?;
            if step.consumed == 0 && step.event.is_none() {
                return Err(ReadError::NoProgress);
            }
            rest = rest.get(step.consumed..).unwrap_or_default();
        }
        Ok(n)
    }

    /// Passes over the payload that comes next by reading it away. Does nothing where the decoder needs to
    /// see the bytes. A source that ends inside the payload is reported by [`Reader::next`].
    ///
    /// # Errors
    /// The source failed.
    pub fn skip(&mut self) -> Result<(), ReadError<R::Error, D::ErrorKind>> {
        self.found()?;
        let Demand::Skip(mut left) = self.decoder.demand() else { return Ok(()) };
        while left > 0 {
            if self.window.unread().is_empty() {
                let n = read_some(&mut self.source, self.window.room()?)?;
                self.window.filled(n);
                self.ended = n == 0;
                if n == 0 {
                    return Ok(());
                }
            }
            let n = self.window.unread().len().min(usize::try_from(left).unwrap_or(usize::MAX));
            self.decoder.skip(n as u64)?;
            self.window.pass(n);
            left = left.saturating_sub(n as u64);
        }
        Ok(())
    }
}

impl<R, D> Reader<'_, R, D> {
    pub(super) const fn found<E, K>(&self) -> Result<(), ReadError<E, K>> {
        if self.desynchronised { Err(ReadError::Lost) } else { Ok(()) }
    }
}

/// One read that is not an interruption.
fn read_some<R: Read, K>(source: &mut R, room: &mut [u8]) -> Result<usize, ReadError<R::Error, K>> {
    loop {
        match source.read(room) {
            Ok(n) => return Ok(n),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(ReadError::Io(error)),
        }
    }
}
