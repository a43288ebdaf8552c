//! The LIME writer over a blocking stream.

use embedded_io::{Error as _, ErrorKind, Seek, SeekFrom, Write};

use super::error::WriteError;
use crate::lime::{Encoder, Header};

/// Writes LIME records to a sink.
///
/// Short writes and interruptions are dealt with; a sink that takes nothing is an error, not a panic and not
/// an endless loop. After a failure of the sink every call is refused.
///
/// ```
/// use linkstream::io::Writer;
/// use linkstream::lime::{Encoder, Header};
///
/// let mut file = [0; 152];
/// let mut writer = Writer::new(&mut file[..], Encoder::new());
/// writer.begin(&Header::new(b"greeting", 5, true, true)?)?;
/// writer.write(b"hel")?;
/// writer.write(b"lo")?;
/// writer.end()?;
/// writer.finish()?;
/// assert_eq!(&file[144..], b"hello\0\0\0");
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Writer<W> {
    sink: W,
    encoder: Encoder,
    broken: bool,
}

impl<W> Writer<W> {
    /// A writer that goes on in `sink` where `encoder` stands.
    pub const fn new(sink: W, encoder: Encoder) -> Self {
        Self { sink, encoder, broken: false }
    }

    /// The encoder, to be asked for position and room.
    pub const fn encoder(&self) -> &Encoder {
        &self.encoder
    }

    /// Gives back the sink and the encoder, also in mid-record: to go on elsewhere.
    pub fn into_parts(self) -> (W, Encoder) {
        (self.sink, self.encoder)
    }
}

impl<W: Write> Writer<W> {
    /// Opens a record.
    ///
    /// # Errors
    /// The header breaks a rule, or the sink failed.
    pub fn begin(&mut self, header: &Header) -> Result<(), WriteError<W::Error>> {
        self.whole()?;
        let bytes = self.encoder.begin(header)?;
        put_all(&mut self.sink, &mut self.broken, bytes)
    }

    /// Writes payload at the present place.
    ///
    /// # Errors
    /// More than the record has room for (nothing is written then), or the sink failed.
    pub fn write(&mut self, payload: &[u8]) -> Result<(), WriteError<W::Error>> {
        self.whole()?;
        self.encoder.payload(payload.len() as u64)?;
        put_all(&mut self.sink, &mut self.broken, payload)
    }

    /// Closes the record.
    ///
    /// # Errors
    /// Payload is missing, or was written out of order ([`Writer::end_seeking`] can help), or the sink failed.
    pub fn end(&mut self) -> Result<(), WriteError<W::Error>> {
        self.whole()?;
        let at_end = self.encoder.room() == 0;
        let mut closed = self.encoder.clone();
        let padding = closed.end()?;
        if !at_end {
            return Err(WriteError::NotAtEnd);
        }
        self.encoder = closed;
        put_all(&mut self.sink, &mut self.broken, padding)
    }

    /// Writes one whole record.
    ///
    /// # Errors
    /// As the three calls it stands for.
    pub fn record(
        &mut self,
        record_type: &[u8],
        begin: bool,
        end: bool,
        payload: &[u8],
    ) -> Result<(), WriteError<W::Error>> {
        self.begin(&Header::new(record_type, payload.len() as u64, begin, end)?)?;
        self.write(payload)?;
        self.end()
    }

    /// Says that the file ends here, and flushes the sink.
    ///
    /// # Errors
    /// A record is still open, or the sink failed.
    pub fn finish(&mut self) -> Result<(), WriteError<W::Error>> {
        self.whole()?;
        self.encoder.finish()?;
        self.sink.flush().map_err(|error| {
            self.broken = true;
            WriteError::Io(error)
        })
    }

    const fn whole(&self) -> Result<(), WriteError<W::Error>> {
        if self.broken { Err(WriteError::Broken) } else { Ok(()) }
    }
}

impl<W: Write + Seek> Writer<W> {
    /// Moves to the place `to` of the open payload, from its start.
    ///
    /// # Errors
    /// A place outside the payload is refused, not clamped.
    pub fn seek(&mut self, to: u64) -> Result<(), WriteError<W::Error>> {
        self.whole()?;
        let before = self.encoder.position();
        self.encoder.seek(to)?;
        let after = self.encoder.position();
        if before == after {
            return Ok(());
        }
        let moved = self
            .sink
            .stream_position()
            .and_then(|here| self.sink.seek(SeekFrom::Start(here.wrapping_sub(before).wrapping_add(after))));
        match moved {
            Ok(_) => Ok(()),
            Err(error) => {
                self.broken = true;
                Err(WriteError::Io(error))
            }
        }
    }

    /// Closes a record that was written in any order.
    ///
    /// # Errors
    /// Payload is missing, or the sink failed.
    pub fn end_seeking(&mut self) -> Result<(), WriteError<W::Error>> {
        self.whole()?;
        self.encoder.clone().end()?;
        let length = self.encoder.payload_length();
        self.seek(length)?;
        self.end()
    }
}

/// Writes everything. Our own loop: `Write::write_all` panics where a sink takes nothing.
fn put_all<W: Write>(sink: &mut W, broken: &mut bool, mut bytes: &[u8]) -> Result<(), WriteError<W::Error>> {
    *broken = true;
    while !bytes.is_empty() {
        match sink.write(bytes) {
            Ok(0) => return Err(WriteError::WriteZero),
            Ok(n) => bytes = bytes.get(n..).unwrap_or_default(),
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(WriteError::Io(error)),
        }
    }
    *broken = false;
    Ok(())
}
