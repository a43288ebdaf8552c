//! The writer of LIME records.

use embedded_io::{Seek, Write};

use crate::encode::Encode as _;
use crate::io::error::WriteError;
use crate::io::writer::{Writer, Written};
use crate::lime::{EncodeErrorKind, Encoder, Header};

/// Writes LIME records to any [`embedded_io::Write`].
///
/// Short and interrupted writes are continued; a sink that accepts no bytes is an error ([`WriteError::WriteZero`]).
/// After an error of the sink, every call returns [`WriteError::Broken`].
///
/// ```
/// use linkstream::io::RecordWriter;
/// use linkstream::lime::Header;
///
/// let mut file = [0; 152];
/// let mut writer = RecordWriter::create(&mut file[..]);
/// writer.begin(&Header::new(b"greeting", 5, true, true)?)?;
/// writer.put(b"hel")?;
/// writer.put(b"lo")?;
/// writer.end()?;
/// writer.finish()?;
/// assert_eq!(&file[144..], b"hello\0\0\0");
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// [`with_encoder`](Writer::with_encoder) continues a file, or appends to it:
/// ```
/// use linkstream::Resumable;
/// use linkstream::io::RecordWriter;
/// use linkstream::lime::{Encoder, Header};
///
/// let mut file = [0; 152];
/// let (start, rest) = file.split_at_mut(146);
/// let mut writer = RecordWriter::create(start);
/// writer.begin(&Header::new(b"greeting", 5, true, true)?)?;
/// writer.put(b"he")?;
///
/// // Continue elsewhere, in the middle of the record.
/// let (_, encoder) = writer.into_parts();
/// let mut writer = RecordWriter::with_encoder(rest, Encoder::load(&encoder.save())?);
/// writer.put(b"llo")?;
/// writer.end()?;
/// writer.finish()?;
/// assert_eq!(&file[144..], b"hello\0\0\0");
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub type RecordWriter<W> = Writer<W, Encoder>;

impl<W> RecordWriter<W> {
    /// A writer of a new file.
    pub const fn create(sink: W) -> Self {
        Self::with_encoder(sink, Encoder::new())
    }
}

impl<W: Write> RecordWriter<W> {
    /// Opens a record.
    ///
    /// # Errors
    /// The header breaks a rule, or the sink failed.
    pub fn begin(&mut self, header: &Header) -> Written<W::Error, EncodeErrorKind> {
        self.emit(|encoder| Ok(encoder.begin(header)?))
    }

    /// Closes the record.
    ///
    /// # Errors
    /// Payload is missing, or was written out of order (call [`RecordWriter::end_seeking`] instead), or the sink
    /// failed.
    pub fn end(&mut self) -> Written<W::Error, EncodeErrorKind> {
        self.at_end()?;
        self.emit(|encoder| encoder.end())
    }

    /// Writes one whole record.
    ///
    /// # Errors
    /// The errors of [`begin`](Self::begin), [`put`](Self::put) and [`end`](Self::end).
    pub fn write_record(
        &mut self,
        record_type: &[u8],
        begin: bool,
        end: bool,
        payload: &[u8],
    ) -> Written<W::Error, EncodeErrorKind> {
        self.begin(&Header::new(record_type, payload.len() as u64, begin, end)?)?;
        self.put(payload)?;
        self.end()
    }

    /// Writes a whole message: records with these types and payloads. The message-begin flag is set on the first, the
    /// message-end flag on the last. The iterator is cloned and run twice, so that nothing is written if a record is
    /// refused.
    ///
    /// ```
    /// use linkstream::io::RecordWriter;
    ///
    /// let mut file = [0; 304];
    /// let mut writer = RecordWriter::create(&mut file[..]);
    /// writer.write_message([(&b"greeting"[..], &b"hello"[..]), (b"name", b"world")])?;
    /// writer.finish()?;
    /// assert_eq!((&file[144..149], &file[296..301]), (&b"hello"[..], &b"world"[..]));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`write_record`](Self::write_record).
    pub fn write_message<'r>(
        &mut self,
        records: impl IntoIterator<Item = (&'r [u8], &'r [u8]), IntoIter: Clone>,
    ) -> Written<W::Error, EncodeErrorKind> {
        let records = records.into_iter();
        self.check_message(records.clone())?;
        for (record_type, begin, end, payload) in flagged(records) {
            self.write_record(record_type, begin, end, payload)?;
        }
        Ok(())
    }
}

impl<W: Write + Seek> RecordWriter<W> {
    /// Moves to byte `to` of the open payload, counted from its start.
    ///
    /// # Errors
    /// `to` is outside the payload (nothing moves then), or the sink failed.
    pub fn seek(&mut self, to: u64) -> Written<W::Error, EncodeErrorKind> {
        let Writer { output, encoder } = self;
        output.usable()?;
        let before = encoder.position();
        encoder.seek(to)?;
        match encoder.position().wrapping_sub(before) {
            0 => Ok(()),
            by => output.shift(by),
        }
    }

    /// Closes a record whose payload was written out of order, after seeking to its end.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn core::error::Error>> {
    /// use linkstream::io::RecordWriter;
    /// use linkstream::lime::Header;
    /// # use linkstream_example::Disk;
    /// # let disk = Disk::default();
    ///
    /// let mut writer = RecordWriter::create(disk.clone());
    /// writer.begin(&Header::new(b"greeting", 5, true, true)?)?;
    /// writer.seek(3)?;
    /// writer.put(b"lo")?;
    /// writer.seek(0)?;
    /// writer.put(b"hel")?;
    /// writer.end_seeking()?;
    /// assert_eq!(&disk.bytes.borrow()[144..], b"hello\0\0\0");
    /// # Ok(())
    /// # }
    /// # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
    /// ```
    ///
    /// # Errors
    /// Payload is missing, or the sink failed.
    pub fn end_seeking(&mut self) -> Written<W::Error, EncodeErrorKind> {
        self.output.usable()?;
        self.encoder().clone().end()?;
        self.seek(self.encoder().payload_length())?;
        self.end()
    }
}

impl<W> RecordWriter<W> {
    /// Checks that these records can be written as a message.
    fn check_message<'r, E>(
        &self,
        records: impl Iterator<Item = (&'r [u8], &'r [u8])>,
    ) -> Written<E, EncodeErrorKind> {
        self.output.usable()?;
        let mut trial = self.encoder().clone();
        for (record_type, begin, end, payload) in flagged(records) {
            let length = payload.len() as u64;
            trial.begin(&Header::new(record_type, length, begin, end)?)?;
            trial.payload(length)?;
            trial.end()?;
        }
        Ok(())
    }

    /// Checks that the record can be closed here: all of it is written, and the sink is at its end.
    fn at_end<E>(&self) -> Written<E, EncodeErrorKind> {
        self.output.usable()?;
        self.encoder().clone().end()?;
        if self.encoder().room() == 0 { Ok(()) } else { Err(WriteError::NotAtEnd) }
    }
}

/// Records of a message with their flags: the first begins it, the last ends it.
fn flagged<'r>(
    records: impl IntoIterator<Item = (&'r [u8], &'r [u8])>,
) -> impl Iterator<Item = (&'r [u8], bool, bool, &'r [u8])> {
    let (mut records, mut begin) = (records.into_iter().peekable(), true);
    core::iter::from_fn(move || {
        let (record_type, payload) = records.next()?;
        Some((record_type, core::mem::take(&mut begin), records.peek().is_none(), payload))
    })
}
