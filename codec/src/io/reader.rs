//! The pull reader: the frame of all readers of this module.

use core::task::Poll;

use embedded_io::{Error as _, ErrorKind, Read, Seek, SeekFrom};

use super::error::ReadError;
use super::frame::{Frame, Job, NextEvent, Target, read_or_again};
use crate::bytes::prefix;
use crate::io::both::both;
use crate::io::buffer::Buffer;
use crate::lime;
use crate::machine::DecoderBase as _;
use crate::step::{Decode, SeekPayload};

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
pub struct Reader<R, B, D> {
    pub(super) source: R,
    pub(super) frame: Frame<B, D>,
}

impl<R, B: Buffer, D> Reader<R, B, D> {
    /// A reader of `source` from its present position. The buffer must not be empty; a larger one means fewer reads.
    pub const fn new(source: R, buffer: B, decoder: D) -> Self {
        Self { source, frame: Frame::new(buffer, false, decoder) }
    }

    /// The bytes that the last event consumed: payload, if it was a payload event. Empty after skipping and after an error.
    pub fn bytes(&self) -> &[u8] {
        self.frame.last()
    }

    /// The decoder, which holds the current header, field or checksum.
    pub const fn decoder(&self) -> &D {
        &self.frame.decoder
    }

    /// The decoder, to change its settings, for example to leave a section compressed. Do not push input to it, skip
    /// or seek through this reference: the positions of decoder and source would no longer agree.
    pub const fn decoder_mut(&mut self) -> &mut D {
        &mut self.frame.decoder
    }

    /// Returns the source and the decoder. Bytes that were read ahead into the buffer are discarded.
    pub fn into_parts(self) -> (R, D) {
        (self.source, self.frame.decoder)
    }
}

impl<R, B, D> Reader<R, B, D> {
    /// A synchronous reader does not pause.
    #[allow(clippy::unused_self, reason = "the twin of the call below")]
    #[inline]
    const fn pause(&self) {}

    /// Lets other tasks run, if the last read has not.
    #[cfg(feature = "async")]
    async fn pause_async(&mut self) {
        if core::mem::take(&mut self.frame.is_pause_due) {
            super::fair::asynchronous::pause().await;
        }
    }
}

both! {
impl<R: Read, B: Buffer, D: Decode> Reader<R, B, D> {
    #[asynchronous(next_async)]
    /// Returns the next event; `None` at the end of the source.
    ///
    /// # Errors
    /// The source failed, or the file is invalid.
    #[allow(clippy::should_implement_trait, reason = "an iterator could not lend the decoder")]
    pub fn next(&mut self) -> NextEvent<D, R::Error> {
        wait!(self.run | run_async(Frame::next))
    }

    #[asynchronous(read_async)]
    /// Reads payload into the front of `out`, directly where possible, and returns the number of bytes. 0 means that
    /// no payload is open, or that the end of the payload or of the source is reached; in the last case,
    /// [`Reader::next`] reports what is missing.
    ///
    /// # Errors
    /// The source failed.
    pub fn read(&mut self, out: &mut [u8]) -> Result<usize, ReadError<R::Error, D::ErrorKind>> {
        self.frame.usable()?;
        let Some(out) = self.frame.direct(out) else { return wait!(self.run | run_async(|frame| frame.copy(out))) };
        loop {
            wait!(self.pause | pause_async());
            let mut is_pause_due = false;
            let read = wait!(self.source.read_noting | read_noting(out, &mut is_pause_due));
            self.frame.is_pause_due = is_pause_due;
            if let Some(n) = read_or_again(read)? {
                return self.frame.payload_read(prefix(out, n.min(out.len())));
            }
        }
    }

    #[asynchronous(skip_async)]
    /// Skips the rest of the payload by reading it. Does nothing if the decoder needs to see the bytes, as in a
    /// document. If the source ends inside the payload, that is reported by [`Reader::next`].
    ///
    /// # Errors
    /// The source failed.
    pub fn skip(&mut self) -> Result<(), ReadError<R::Error, D::ErrorKind>> {
        wait!(self.run | run_async(Frame::skip))
    }

    #[asynchronous(run_async)]
    /// Runs a job to its end, and reads from the source when it needs input.
    pub(super) fn run<T>(
        &mut self,
        mut job: impl FnMut(&mut Frame<B, D>) -> Job<T, R::Error, D::ErrorKind>,
    ) -> Result<T, ReadError<R::Error, D::ErrorKind>> {
        self.frame.usable()?;
        loop {
            if let Poll::Ready(done) = job(&mut self.frame) {
                return done;
            }
            wait!(self.pause | pause_async());
            let room = self.frame.room()?;
            let mut is_pause_due = false;
            let read = wait!(self.source.read_noting | read_noting(room, &mut is_pause_due));
            self.frame.is_pause_due = is_pause_due;
            if let Some(n) = read_or_again(read)? {
                self.frame.filled(n);
            }
        }
    }

    #[asynchronous(run_into_async)]
    /// Runs a job that fills a slice of the caller; see [`run`](Self::run).
    pub(super) fn run_into<T>(
        &mut self,
        out: &mut [u8],
        mut job: impl FnMut(&mut Frame<B, D>, &mut Target<'_>) -> Job<T, R::Error, D::ErrorKind>,
    ) -> Result<T, ReadError<R::Error, D::ErrorKind>> {
        self.frame.usable()?;
        let mut target = Target::new(out);
        loop {
            if let Poll::Ready(done) = job(&mut self.frame, &mut target) {
                return done;
            }
            wait!(self.pause | pause_async());
            let room = match target.room() {
                Some(room) => room,
                None => self.frame.room()?,
            };
            let mut is_pause_due = false;
            let read = wait!(self.source.read_noting | read_noting(room, &mut is_pause_due));
            self.frame.is_pause_due = is_pause_due;
            if let Some(n) = read_or_again(read)? {
                self.frame.arrived(&mut target, n)?;
            }
        }
    }
}
}

both! {
impl<R: Read + Seek, B: Buffer, D: Decode> Reader<R, B, D> {
    #[asynchronous(skip_seeking_async)]
    /// Skips the rest of the payload by seeking, at most to the end of the source, so that a truncated payload is
    /// reported by the next [`Reader::next`] exactly as if it had been read. Dropping the future of the asynchronous
    /// variant leaves the position of the source unknown: every later call returns [`ReadError::Lost`].
    ///
    /// # Errors
    /// The source failed.
    pub fn skip_seeking(&mut self) -> Result<(), ReadError<R::Error, D::ErrorKind>> {
        self.frame.usable()?;
        if self.frame.has_payload() {
            return wait!(self.skip | skip_async());
        }
        let at = wait!(self.seek | seek_async(SeekFrom::Current(0)))?;
        let length = wait!(self.seek | seek_async(SeekFrom::End(0)))?;
        let to = self.frame.skip_to(at, length)?;
        wait!(self.seek | seek_async(SeekFrom::Start(to)))?;
        Ok(())
    }

    #[asynchronous(seek_async)]
    pub(super) fn seek(&mut self, to: SeekFrom) -> Result<u64, ReadError<R::Error, D::ErrorKind>> {
        // The position is unknown while the source seeks, since the future can be dropped.
        self.frame.desynchronised = true;
        let sought = wait!(self.source.seek | seek(to));
        self.frame.sought(sought)
    }
}
}

impl<R: Read + Seek, B: Buffer, D: Decode> Reader<R, B, D> {
    /// Absolute position in the source of the first byte that the decoder has not consumed.
    pub(super) fn source_position(&mut self) -> Result<u64, ReadError<R::Error, D::ErrorKind>> {
        self.frame.usable()?;
        let at = self.seek(SeekFrom::Current(0))?;
        Ok(at.saturating_sub(self.frame.unread().len() as u64))
    }

    fn move_source(&mut self, to: u64) -> Result<(), ReadError<R::Error, D::ErrorKind>> {
        self.frame.moved();
        self.seek(SeekFrom::Start(to)).map(|_| ())
    }

    /// Reads into `out` from the absolute `offset` of the file, and returns to the current position. Returns how
    /// many bytes there were before the end of the source.
    pub(super) fn read_at(
        &mut self,
        offset: u64,
        out: &mut [u8],
    ) -> Result<usize, ReadError<R::Error, D::ErrorKind>> {
        let ahead = self.frame.unread().len() as u64;
        let here = self.source_position()?;
        let start = here.wrapping_sub(self.frame.decoder.position());
        let read = PositionedRead::new(&mut self.source).fill(start.wrapping_add(offset), out);
        self.seek(SeekFrom::Start(here.saturating_add(ahead)))?;
        read.map_err(ReadError::Io)
    }
}

impl<R: Read + Seek, B: Buffer, D: SeekPayload> Reader<R, B, D> {
    /// Moves to byte `to` of the open payload, counted from its start, but at most to the end of the source: the
    /// next [`Reader::next`] then reports the truncation as if the payload had been read.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn core::error::Error>> {
    /// use linkstream::io::{Reader, RecordWriter};
    /// use linkstream::{Mode, lime};
    /// # use linkstream_example::Disk;
    /// # let disk = Disk::default();
    /// # RecordWriter::create(disk.clone()).write_message([(&b"greeting"[..], &b"hello"[..]), (b"name", b"world")])?;
    /// # let source = disk;
    ///
    /// let (mut buffer, mut out) = ([0; 64], [0; 2]);
    /// let mut reader = Reader::new(source, &mut buffer, lime::Decoder::new(Mode::Strict));
    /// // The second record begins at 152.
    /// reader.seek_record(152)?;
    /// reader.next()?;
    /// reader.seek_payload(3)?;
    /// reader.read(&mut out)?;
    /// assert_eq!(&out, b"ld");
    /// # Ok(())
    /// # }
    /// # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
    /// ```
    ///
    /// # Errors
    /// A position outside the payload is refused as [`Misuse`](crate::Misuse), not clamped, and nothing moves.
    pub fn seek_payload(&mut self, to: u64) -> Result<(), ReadError<R::Error, D::ErrorKind>> {
        let start = self.source_position()?.wrapping_sub(self.frame.decoder.position());
        self.frame.decoder.seek(to)?;
        let length = self.seek(SeekFrom::End(0))?.wrapping_sub(start);
        let beyond = self.frame.decoder.position().saturating_sub(length);
        if beyond > 0 {
            // Not beyond the end of the source: how much of the payload is missing could not be reported.
            self.frame.decoder.seek(to.saturating_sub(beyond))?;
        }
        self.move_source(start.wrapping_add(self.frame.decoder.position()))
    }
}

impl<R: Read + Seek, B: Buffer> Reader<R, B, lime::Decoder> {
    /// Moves to the record whose header begins at the absolute byte `offset` of the file; see
    /// [`lime::Decoder::at`].
    ///
    /// # Errors
    /// The source failed.
    pub fn seek_record(&mut self, offset: u64) -> Result<(), ReadError<R::Error, lime::ErrorKind>> {
        let here = self.source_position()?;
        let start = here.wrapping_sub(self.frame.decoder.position());
        self.frame.decoder = lime::Decoder::at(offset, self.frame.decoder.mode());
        self.move_source(start.wrapping_add(offset))
    }
}

/// A source that is read at given offsets, and its position, if known. The readers of volumes and of windows use it in
/// place of sequential reading.
#[derive(Debug)]
pub(super) struct PositionedRead<R> {
    pub(super) inner: R,
    pub(super) at: Option<u64>,
}

impl<R> PositionedRead<R> {
    pub(super) const fn new(inner: R) -> Self {
        Self { inner, at: None }
    }

    pub(super) fn into_inner(self) -> R {
        self.inner
    }
}

impl<R: Read + Seek> PositionedRead<R> {
    /// The end of the source.
    pub(super) fn end(&mut self) -> Result<u64, R::Error> {
        self.at = None;
        self.inner.seek(SeekFrom::End(0))
    }

    /// Fills `out` from the absolute `offset` on. Returns the number of bytes, which is smaller at the end of the
    /// source.
    pub(super) fn fill(&mut self, offset: u64, out: &mut [u8]) -> Result<usize, R::Error> {
        // The position of the source after a failure is unknown.
        if self.at.take() != Some(offset) {
            self.inner.seek(SeekFrom::Start(offset))?;
        }
        let all = out.len();
        let mut rest = out;
        while !rest.is_empty() {
            match self.inner.read(rest) {
                Ok(0) => break,
                Ok(n) => rest = rest.get_mut(n..).unwrap_or_default(),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        let filled = all.saturating_sub(rest.len());
        self.at = offset.checked_add(filled as u64);
        Ok(filled)
    }
}
