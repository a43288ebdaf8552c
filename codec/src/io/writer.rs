//! The writer that drives any encoder: the frame of all writers of this module.

use super::error::WriteError;
use super::output::Output;
use super::pieces::Pieces;
use super::sink::Sink;
use crate::callback::CallbackError;
use crate::encode::Encode;

pub(super) type Written<W, E> = Result<(), WriteError<W, <E as Encode>::ErrorKind>>;
/// What a call gives that takes a callback.
pub(super) type Called<W, E, C> = Result<(), CallbackError<WriteError<W, <E as Encode>::ErrorKind>, C>>;

/// Drives an encoder and writes the bytes that it returns to a [`Sink`]: one after the other, or each piece at its
/// position if the sink is [`Positioned`](super::Positioned). After an error of the sink, every call returns
/// [`WriteError::Broken`](super::WriteError::Broken).
///
/// ```
/// use linkstream::io::Writer;
/// use linkstream::lime::{Encoder, Header};
///
/// let (mut file, header) = ([0; 152], Header::new(b"greeting", 5, true, true)?);
/// let mut writer = Writer::new(&mut file[..], Encoder::new());
/// writer.emit(|encoder| encoder.begin(&header).map(|header| &header[..]))?;
/// writer.write(b"hello")?;
/// writer.emit(|encoder| encoder.end())?;
/// writer.finish()?;
/// assert_eq!(&file[144..], b"hello\0\0\0");
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug)]
#[must_use = "what is written is complete when `finish` has returned `Ok`"]
pub struct Writer<W, E> {
    pub(super) output: Output<W>,
    pub(super) encoder: E,
}

impl<W, E> Writer<W, E> {
    /// A writer that continues in `sink` at the position of `encoder`.
    pub const fn new(sink: W, encoder: E) -> Self {
        Self { output: Output::new(sink), encoder }
    }

    /// The encoder.
    pub const fn encoder(&self) -> &E {
        &self.encoder
    }

    /// Returns the sink and the encoder.
    pub fn into_parts(self) -> (W, E) {
        (self.output.sink, self.encoder)
    }
}

impl<W: Sink, E: Encode> Writer<W, E> {
    /// Calls the encoder and writes the bytes that it returns.
    ///
    /// # Errors
    /// The encoder refused the call and nothing was written, or the sink failed.
    pub fn emit(
        &mut self,
        call: impl for<'e> FnOnce(&'e mut E) -> Result<&'e [u8], E::ErrorKind>,
    ) -> Written<W::Error, E> {
        self.output.usable()?;
        let offset = self.encoder.position();
        let bytes = call(&mut self.encoder).map_err(WriteError::Refused)?;
        self.output.put(offset, bytes)
    }

    /// Writes payload.
    ///
    /// # Errors
    /// The encoder refused the call and nothing was written, or the sink failed.
    pub fn write(&mut self, payload: &[u8]) -> Written<W::Error, E> {
        self.output.usable()?;
        let offset = self.encoder.position();
        self.encoder.put(payload).map_err(WriteError::Refused)?;
        self.output.put(offset, payload)
    }

    /// Checks that the file can end here, and flushes the sink. Call it after the last write.
    ///
    /// # Errors
    /// A record or section is still open, data are missing, or the sink failed.
    pub fn finish(&mut self) -> Written<W::Error, E> {
        self.output.usable()?;
        self.encoder.finish().map_err(WriteError::Refused)?;
        self.output.flush()
    }

    /// Writes all pieces of a call.
    pub(super) fn run<P: Pieces<E>>(&mut self, mut pieces: P) -> Called<W::Error, E, P::Callback> {
        self.output.usable()?;
        loop {
            let offset = self.encoder.position();
            let piece = pieces.next(&mut self.encoder);
            match piece.map_err(|error| error.map_failed(WriteError::Refused))? {
                Some(bytes) => self.output.put(offset, bytes)?,
                None => return Ok(()),
            }
        }
    }
}
