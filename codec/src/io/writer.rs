//! The writer that drives any encoder, over a blocking stream.

use embedded_io::Write;

use super::error::WriteError;
use super::sink::Sink;
use crate::encode::Encode;

type Written<W, E> = Result<(), WriteError<<W as embedded_io::ErrorType>::Error, <E as Encode>::ErrorKind>>;

/// Drives an encoder and writes what it gives to a sink, forwards. After a failure of the sink every call is refused.
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
pub struct Writer<W, E> {
    sink: Sink<W>,
    encoder: E,
}

impl<W, E> Writer<W, E> {
    /// A writer that goes on in `sink` at the position of `encoder`.
    pub const fn new(sink: W, encoder: E) -> Self {
        Self { sink: Sink::new(sink), encoder }
    }

    /// The encoder.
    pub const fn encoder(&self) -> &E {
        &self.encoder
    }

    /// Gives back the sink and the encoder.
    pub fn into_parts(self) -> (W, E) {
        (self.sink.into_inner(), self.encoder)
    }
}

impl<W: Write, E: Encode> Writer<W, E> {
    /// Calls the encoder and writes the bytes that it returns.
    ///
    /// # Errors
    /// The encoder's, in which case nothing is written, or the sink failed.
    pub fn emit(
        &mut self,
        call: impl for<'e> FnOnce(&'e mut E) -> Result<&'e [u8], E::ErrorKind>,
    ) -> Written<W, E> {
        self.sink.usable()?;
        let bytes = call(&mut self.encoder).map_err(WriteError::Refused)?;
        self.sink.put(bytes)
    }

    /// Writes payload.
    ///
    /// # Errors
    /// The encoder's, in which case nothing is written, or the sink failed.
    pub fn write(&mut self, payload: &[u8]) -> Written<W, E> {
        self.sink.usable()?;
        self.encoder.put(payload).map_err(WriteError::Refused)?;
        self.sink.put(payload)
    }

    /// Declares the end of the file, and flushes the sink.
    ///
    /// # Errors
    /// Something is open or missing, or the sink failed.
    pub fn finish(&mut self) -> Written<W, E> {
        self.sink.usable()?;
        self.encoder.finish().map_err(WriteError::Refused)?;
        self.sink.flush()
    }
}
