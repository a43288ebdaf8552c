//! LIME records one by one.

use embedded_io::{Read, Seek};

use super::error::ReadError;
use super::reader::Reader;
use super::records::{Passed, Payload};
use crate::callback::{CallbackError, Outcome};
use crate::error::{Error, Mode};
use crate::lime::{Decoder, ErrorKind, Record};

/// Reads LIME records: the next one, its type, and its payload into a slice or to a callback. Payload that is not
/// read is skipped. The source is any [`embedded_io::Read`], or `embedded_io_async::Read`.
///
/// A call that failed because the source did can be repeated with the same slice; it goes on where it was.
/// Findings that the [`Mode`] does not refuse are [counted](Self::findings); a [`Reader`] reports each as an event.
///
/// ```
/// use linkstream::io::RecordReader;
/// # use linkstream::io::RecordWriter;
/// # let mut file = [0; 304];
/// # let mut writer = RecordWriter::new(&mut file[..], linkstream::lime::Encoder::new());
/// # writer.record(b"greeting", true, false, b"hello")?;
/// # writer.record(b"name", false, true, b"world")?;
/// # writer.finish()?;
///
/// let (mut buffer, mut payload) = ([0; 64], [0; 100]);
/// let mut records = RecordReader::new(&file[..], &mut buffer);
/// while let Some(record) = records.next_record()? {
///     let payload = records.read_into(&mut payload)?;
///     match record.number {
///         1 => assert_eq!(payload, b"hello"),
///         _ => assert_eq!((records.record_type(), records.record().length), (&b"name"[..], 5)),
///     }
/// }
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct RecordReader<'b, R> {
    pub(super) reader: Reader<'b, R, Decoder>,
    pub(super) payload: Payload,
}

impl<'b, R> RecordReader<'b, R> {
    /// A reader of a file from its first byte, in [`Mode::Strict`]. Any buffer that is not empty will do.
    pub const fn new(source: R, buffer: &'b mut [u8]) -> Self {
        Self::with_decoder(source, buffer, Decoder::new(Mode::Strict))
    }

    /// A reader with this decoder, which is before a record: another mode, or in the middle of a file.
    ///
    /// # Example
    /// ```
    /// use linkstream::Mode;
    /// use linkstream::io::RecordReader;
    /// use linkstream::lime::{Decoder, Header};
    ///
    /// let file = [&Header::new(b"type", 8, true, true)?.as_bytes()[..], b"payload!"].concat();
    /// let mut buffer = [0; 64];
    /// let mut records = RecordReader::with_decoder(file.as_slice(), &mut buffer, Decoder::new(Mode::Lenient));
    /// records.next_record()?;
    /// let mut length = 0;
    /// records.for_each(|bytes| length += bytes.len())?;
    /// assert_eq!((length, records.decoder().mode()), (8, Mode::Lenient));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub const fn with_decoder(source: R, buffer: &'b mut [u8], decoder: Decoder) -> Self {
        Self { reader: Reader::new(source, buffer, decoder), payload: Payload::START }
    }

    /// The type of the present record: its bytes before the first NUL.
    pub fn record_type(&self) -> &[u8] {
        self.reader.decoder().record_type()
    }

    /// The present record, or the last one.
    pub const fn record(&self) -> Record {
        self.reader.decoder().record()
    }

    /// The decoder.
    pub const fn decoder(&self) -> &Decoder {
        self.reader.decoder()
    }

    /// How many findings the mode has let pass so far.
    ///
    /// ```
    /// use linkstream::Mode;
    /// use linkstream::io::RecordReader;
    /// use linkstream::lime::{Decoder, Header};
    ///
    /// // The last record does not end its message.
    /// let file = *Header::new(b"type", 0, true, false)?.as_bytes();
    /// let mut buffer = [0; 64];
    /// let mut records = RecordReader::with_decoder(&file[..], &mut buffer, Decoder::new(Mode::Survey));
    /// while records.next_record()?.is_some() {}
    /// for finding in [records.first_finding(), records.last_finding()].into_iter().flatten() {
    ///     println!("{finding}");
    /// }
    /// assert_eq!(records.findings() > 0, records.first_finding().is_some());
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub const fn findings(&self) -> u64 {
        self.payload.findings.count
    }

    /// The first of the [`findings`](Self::findings).
    pub const fn first_finding(&self) -> Option<Error<ErrorKind>> {
        self.payload.findings.first
    }

    /// The last of the [`findings`](Self::findings) so far.
    pub const fn last_finding(&self) -> Option<Error<ErrorKind>> {
        self.payload.findings.last
    }

    /// Gives back the source and the decoder. Bytes that were read ahead are lost to the source.
    pub fn into_parts(self) -> (R, Decoder) {
        self.reader.into_parts()
    }
}

impl<R: Read> RecordReader<'_, R> {
    /// The next record; `None` at the end of the file. What is left of the present payload is read and dropped.
    ///
    /// # Errors
    /// The source failed, or the file is wrong.
    pub fn next_record(&mut self) -> Result<Option<Record>, ReadError<R::Error, ErrorKind>> {
        self.reader.run(|frame| self.payload.next(frame))
    }

    /// The next record of this type; `None` if there is none up to the end of the file.
    ///
    /// # Errors
    /// As [`next_record`](Self::next_record).
    pub fn find(&mut self, record_type: &[u8]) -> Result<Option<Record>, ReadError<R::Error, ErrorKind>> {
        self.reader.run(|frame| self.payload.find(frame, record_type))
    }

    /// The next bytes of the payload, as many as `out` holds or the buffer has; 0 after the last.
    ///
    /// # Errors
    /// The source failed or ends too early; [`ReadError::NotOpen`] where there is no record or it was skipped.
    pub fn read(&mut self, out: &mut [u8]) -> Result<usize, ReadError<R::Error, ErrorKind>> {
        self.reader.run(|frame| self.payload.copy(frame, out))
    }

    /// The rest of the payload, all of it unless some was read: the front of `out`.
    ///
    /// # Errors
    /// As [`read`](Self::read); [`ReadError::TooSmall`] where `out` does not hold it.
    pub fn read_into<'o>(
        &mut self,
        out: &'o mut [u8],
    ) -> Result<&'o mut [u8], ReadError<R::Error, ErrorKind>> {
        let room = self.payload.room(&self.reader.frame, out)?;
        self.reader.fill(room, &mut self.payload.done)?;
        self.payload.done = 0;
        Ok(room)
    }

    /// Passes the rest of the payload to a callback, in pieces as they come. The callback may fail or stop, see
    /// [`Outcome`].
    ///
    /// # Errors
    /// As [`read`](Self::read), and the callback's.
    pub fn for_each<O: Outcome>(&mut self, mut each: impl FnMut(&[u8]) -> O) -> Passed<R::Error, O::Error> {
        self.reader.run(|frame| self.payload.each(frame, &mut each))?
    }

    /// Passes each record that follows to a callback: its type and its payload, which is read into `out`. The callback
    /// may fail or stop, see [`Outcome`].
    ///
    /// ```
    /// use linkstream::io::RecordReader;
    /// # use linkstream::io::RecordWriter;
    /// # let mut file = [0; 304];
    /// # let mut writer = RecordWriter::create(&mut file[..]);
    /// # writer.message([(&b"greeting"[..], &b"hello"[..]), (b"name", b"world")])?;
    ///
    /// let (mut buffer, mut out, mut types) = ([0; 64], [0; 100], Vec::new());
    /// let mut records = RecordReader::new(&file[..], &mut buffer);
    /// records.for_each_record(&mut out, |record_type, payload| types.push((record_type.to_vec(), payload.len())))?;
    /// assert_eq!(types, [(b"greeting".to_vec(), 5), (b"name".to_vec(), 5)]);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`next_record`](Self::next_record) and [`read_into`](Self::read_into), and the callback's.
    pub fn for_each_record<O: Outcome>(
        &mut self,
        out: &mut [u8],
        mut each: impl FnMut(&[u8], &[u8]) -> O,
    ) -> Passed<R::Error, O::Error> {
        while self.next_record()?.is_some() {
            let payload = self.read_into(out)?;
            let outcome = each(self.record_type(), payload).into_result();
            if outcome.map_err(CallbackError::Callback)?.is_break() {
                break;
            }
        }
        Ok(())
    }
}

impl<R: Read + Seek> RecordReader<'_, R> {
    /// Skips the rest of the payload by seeking. [`next_record`](Self::next_record) reports it if the file ends
    /// there.
    ///
    /// # Errors
    /// The source failed.
    pub fn skip_seeking(&mut self) -> Result<(), ReadError<R::Error, ErrorKind>> {
        self.payload.close();
        self.reader.skip_seeking()
    }
}
