//! The writer that drives any encoder, each piece at its position.

use embedded_io::{Seek, Write};

use super::error::WriteError;
use super::positioned_sink::PositionedSink;
use crate::encode::Encode;

type Written<W, E> = Result<(), WriteError<<W as embedded_io::ErrorType>::Error, <E as Encode>::ErrorKind>>;

/// Drives an encoder and writes each piece at its position in the file, which begins where the sink does: for several processes that write one file.
/// After a failure of the sink every call is refused.
///
/// ```
/// # fn main() -> Result<(), Box<dyn core::error::Error>> {
/// use linkstream::io::PositionedWriter;
/// use linkstream::lime::{Encoder, Header};
/// # use linkstream_example::Disk;
///
/// # let disk = Disk::default();
/// let header = Header::new(b"greeting", 5, true, true)?;
/// let mut writer = PositionedWriter::new(disk.clone(), Encoder::new());
/// writer.emit(|encoder| encoder.begin(&header).map(|header| &header[..]))?;
/// writer.write(b"hello")?;
/// writer.emit(|encoder| encoder.end())?;
/// writer.finish()?;
/// assert_eq!(&disk.bytes.borrow()[144..], b"hello\0\0\0");
/// # Ok(())
/// # }
/// # mod linkstream_example {
/// #     include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example_disk.rs"));
/// # }
/// ```
#[derive(Debug)]
pub struct PositionedWriter<W, E> {
    sink: PositionedSink<W>,
    encoder: E,
}

impl<W, E> PositionedWriter<W, E> {
    /// A writer that goes on in `sink` at the position of `encoder`.
    pub const fn new(sink: W, encoder: E) -> Self {
        Self { sink: PositionedSink::new(sink), encoder }
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

impl<W: Write + Seek, E: Encode> PositionedWriter<W, E> {
    /// Calls the encoder and writes the bytes that it returns.
    ///
    /// # Errors
    /// The encoder's, in which case nothing is written, or the sink failed.
    pub fn emit(
        &mut self,
        call: impl for<'e> FnOnce(&'e mut E) -> Result<&'e [u8], E::ErrorKind>,
    ) -> Written<W, E> {
        self.sink.usable()?;
        let offset = self.encoder.position();
        let bytes = call(&mut self.encoder).map_err(WriteError::Refused)?;
        self.sink.put(offset, bytes)
    }

    /// Writes payload.
    ///
    /// # Errors
    /// The encoder's, in which case nothing is written, or the sink failed.
    pub fn write(&mut self, payload: &[u8]) -> Written<W, E> {
        self.sink.usable()?;
        let offset = self.encoder.position();
        self.encoder.put(payload).map_err(WriteError::Refused)?;
        self.sink.put(offset, payload)
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
