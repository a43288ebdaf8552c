//! The LIME writer over a blocking stream.

use embedded_io::{Seek, Write};

use super::error::WriteError;
use super::sink::Sink;
use crate::lime::{EncodeErrorKind, Encoder, Header};

/// Writes LIME records to a sink.
///
/// Short writes and interruptions are dealt with; a sink that takes nothing is an error, not a panic and not
/// an endless loop. After a failure of the sink every call is refused.
///
/// ```
/// use linkstream::io::RecordWriter;
/// use linkstream::lime::{Encoder, Header};
///
/// let mut file = [0; 152];
/// let mut writer = RecordWriter::new(&mut file[..], Encoder::new());
/// writer.begin(&Header::new(b"greeting", 5, true, true)?)?;
/// writer.write(b"hel")?;
/// writer.write(b"lo")?;
/// writer.end()?;
/// writer.finish()?;
/// assert_eq!(&file[144..], b"hello\0\0\0");
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct RecordWriter<W> {
    sink: Sink<W>,
    encoder: Encoder,
}

impl<W> RecordWriter<W> {
    /// A writer that continues in `sink` at the position of `encoder`.
    pub const fn new(sink: W, encoder: Encoder) -> Self {
        Self { sink: Sink::new(sink), encoder }
    }

    /// A writer of a new file.
    pub const fn create(sink: W) -> Self {
        Self::new(sink, Encoder::new())
    }

    /// The encoder, which has position and room.
    pub const fn encoder(&self) -> &Encoder {
        &self.encoder
    }

    /// Gives back the sink and the encoder, also in mid-record: to go on elsewhere.
    pub fn into_parts(self) -> (W, Encoder) {
        (self.sink.into_inner(), self.encoder)
    }
}

impl<W: Write> RecordWriter<W> {
    /// Opens a record.
    ///
    /// # Errors
    /// The header breaks a rule, or the sink failed.
    pub fn begin(&mut self, header: &Header) -> Result<(), WriteError<W::Error, EncodeErrorKind>> {
        self.sink.usable()?;
        let bytes = self.encoder.begin(header)?;
        self.sink.put(bytes)
    }

    /// Writes payload at the present place.
    ///
    /// # Errors
    /// More than the record has room for (nothing is written then), or the sink failed.
    pub fn write(&mut self, payload: &[u8]) -> Result<(), WriteError<W::Error, EncodeErrorKind>> {
        self.sink.usable()?;
        self.encoder.payload(payload.len() as u64)?;
        self.sink.put(payload)
    }

    /// Closes the record.
    ///
    /// # Errors
    /// Payload is missing, or was written out of order ([`RecordWriter::end_seeking`] can help), or the sink failed.
    pub fn end(&mut self) -> Result<(), WriteError<W::Error, EncodeErrorKind>> {
        self.sink.usable()?;
        let at_end = self.encoder.room() == 0;
        let mut closed = self.encoder.clone();
        let padding = closed.end()?;
        if !at_end {
            return Err(WriteError::NotAtEnd);
        }
        self.encoder = closed;
        self.sink.put(padding)
    }

    /// Writes one whole record.
    ///
    /// # Errors
    /// As the three calls it replaces.
    pub fn record(
        &mut self,
        record_type: &[u8],
        begin: bool,
        end: bool,
        payload: &[u8],
    ) -> Result<(), WriteError<W::Error, EncodeErrorKind>> {
        self.begin(&Header::new(record_type, payload.len() as u64, begin, end)?)?;
        self.write(payload)?;
        self.end()
    }

    /// Writes a message: records of these types and payloads, of which the first begins it and the last ends it.
    ///
    /// ```
    /// use linkstream::io::RecordWriter;
    ///
    /// let mut file = [0; 304];
    /// let mut writer = RecordWriter::create(&mut file[..]);
    /// writer.message([(&b"greeting"[..], &b"hello"[..]), (b"name", b"world")])?;
    /// writer.finish()?;
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`record`](Self::record), for each.
    pub fn message<'r>(
        &mut self,
        records: impl IntoIterator<Item = (&'r [u8], &'r [u8])>,
    ) -> Result<(), WriteError<W::Error, EncodeErrorKind>> {
        let (mut records, mut begin) = (records.into_iter().peekable(), true);
        while let Some((record_type, payload)) = records.next() {
            self.record(record_type, begin, records.peek().is_none(), payload)?;
            begin = false;
        }
        Ok(())
    }

    /// Declares the end of the file, and flushes the sink.
    ///
    /// # Errors
    /// A record is still open, or the sink failed.
    pub fn finish(&mut self) -> Result<(), WriteError<W::Error, EncodeErrorKind>> {
        self.sink.usable()?;
        self.encoder.finish()?;
        self.sink.flush()
    }
}

impl<W: Write + Seek> RecordWriter<W> {
    /// Moves to the place `to` of the open payload, from its start.
    ///
    /// # Errors
    /// A place outside the payload is refused, not clamped.
    pub fn seek(&mut self, to: u64) -> Result<(), WriteError<W::Error, EncodeErrorKind>> {
        self.sink.usable()?;
        let before = self.encoder.position();
        self.encoder.seek(to)?;
        let after = self.encoder.position();
        if before == after {
            return Ok(());
        }
        self.sink.shift(after.wrapping_sub(before))
    }

    /// Closes a record that was written in any order.
    ///
    /// # Errors
    /// Payload is missing, or the sink failed.
    pub fn end_seeking(&mut self) -> Result<(), WriteError<W::Error, EncodeErrorKind>> {
        self.sink.usable()?;
        self.encoder.clone().end()?;
        let length = self.encoder.payload_length();
        self.seek(length)?;
        self.end()
    }
}
