//! The reader of LIME records, and its jobs.

use core::borrow::BorrowMut;
use core::ops::ControlFlow;
use core::task::{Poll, ready};

use crate::bytes::{prefix, prefix_mut};
use crate::callback::{CallbackError, Outcome};
use crate::counter::at_most;
use crate::error::Mode;
use crate::io::both::both;
use crate::io::buffer::Buffer;
use crate::io::error::ReadError;
use crate::io::findings::Findings;
use crate::io::frame::{Delivery, Frame, Job, Target};
use crate::io::held::Held;
use crate::io::reader::Reader;
use crate::lime::{Decoder, ErrorKind, Event, Record};
use crate::limits::{Limits, OverLimit};

/// Reads LIME records one after the other: type, flags, and the payload into a slice or to a callback. Payload that
/// is not read is skipped. The source is any [`embedded_io::Read`] or `embedded_io_async::Read`.
///
/// After a call that was interrupted by a failure of the source, reading continues with [`resume`](Self::resume).
/// Broken rules that the [`Mode`] does not refuse are [counted](Self::findings); a [`Reader`] reports each of them
/// as an event.
///
/// ```
/// use linkstream::io::RecordReader;
/// # use linkstream::io::RecordWriter;
/// # let mut file = [0; 304];
/// # let mut writer = RecordWriter::create(&mut file[..]);
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
pub struct RecordReader<R, B, D = Decoder> {
    reader: Reader<R, B, Held<Decoder, D>>,
    payload: Payload,
}

impl<R, B: Buffer> RecordReader<R, B> {
    /// A reader of a file from its first byte, in [`Mode::Strict`]. The buffer must not be empty.
    pub const fn new(source: R, buffer: B) -> Self {
        Self::with_decoder(source, buffer, Decoder::new(Mode::Strict))
    }
}

impl<R, B: Buffer, D: BorrowMut<Decoder>> RecordReader<R, B, D> {
    /// A reader with a given decoder: in another mode ([`findings`](Self::findings) counts the broken rules that it does
    /// not refuse), from the middle of a file, or to continue. The source must be at the position of the decoder. If the decoder is inside a record, reading continues with the next one. A decoder in a
    /// `static` is lent as `&mut Decoder`.
    ///
    /// ```
    /// use linkstream::Mode;
    /// use linkstream::io::RecordReader;
    /// # use linkstream::io::RecordWriter;
    /// use linkstream::lime::Decoder;
    /// # let mut file = [0; 304];
    /// # RecordWriter::create(&mut file[..]).message([(&b"greeting"[..], &b"hello"[..]), (b"name", b"world")])?;
    ///
    /// // The second record begins at 152.
    /// let mut buffer = [0; 64];
    /// let decoder = Decoder::at(152, Mode::Strict);
    /// let mut records = RecordReader::with_decoder(&file[152..], &mut buffer, decoder);
    /// records.next_record()?;
    /// assert_eq!(records.record_type(), b"name");
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub const fn with_decoder(source: R, buffer: B, decoder: D) -> Self {
        Self { reader: Reader::new(source, buffer, Held::new(decoder)), payload: Payload::START }
    }

    /// Sets the limit of [`payload_length`](Self::payload_length).
    #[must_use]
    pub fn with_limits(mut self, limits: Limits) -> Self {
        self.payload.limits = limits;
        self
    }

    /// The type of the current record: its bytes before the first NUL.
    pub fn record_type(&self) -> &[u8] {
        self.decoder().record_type()
    }

    /// The current record, or the last one.
    pub fn record(&self) -> Record {
        self.decoder().record()
    }

    /// The decoder, with its position and findings.
    pub fn decoder(&self) -> &Decoder {
        self.reader.decoder().get()
    }

    /// The findings so far: broken rules and remarks that the mode does not refuse.
    ///
    /// ```
    /// use linkstream::Mode;
    /// use linkstream::io::RecordReader;
    /// use linkstream::lime::{Decoder, ErrorKind, Header};
    ///
    /// // The last record does not end its message.
    /// let file = *Header::new(b"type", 0, true, false)?.as_bytes();
    /// let mut buffer = [0; 64];
    /// let mut records = RecordReader::with_decoder(&file[..], &mut buffer, Decoder::new(Mode::Survey));
    /// while records.next_record()?.is_some() {}
    /// let findings = records.findings();
    /// assert_eq!((findings.count, findings.first), (1, findings.last));
    /// assert!(findings.first.is_some_and(|finding| finding.kind == ErrorKind::MessageOpen));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub const fn findings(&self) -> &Findings<ErrorKind> {
        &self.payload.findings
    }

    /// The length in bytes of the rest of the payload, for allocating memory for it. The length in
    /// [`record`](Self::record) is what the file claims, without a limit.
    ///
    /// ```
    /// use linkstream::io::RecordReader;
    /// use linkstream::lime::Header;
    ///
    /// let file = [&Header::new(b"type", 8, true, true)?.as_bytes()[..], b"payload!"].concat();
    /// let mut buffer = [0; 64];
    /// let mut records = RecordReader::new(file.as_slice(), &mut buffer);
    /// records.next_record()?;
    /// let mut payload = vec![0; records.payload_length()?];
    /// records.read_into(&mut payload)?;
    /// assert_eq!(payload, b"payload!");
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`OverLimit`]: the file claims more than the [`Limits`] of this reader.
    pub fn payload_length(&self) -> Result<usize, OverLimit> {
        self.payload.limits.check(self.reader.frame.payload())
    }

    /// Returns the number of bytes that an interrupted call has delivered of the current payload, and lets reading
    /// continue after them. A call is interrupted if the source fails, or if its future is dropped, after it has
    /// delivered a part; until this call, the other reading calls then return [`ReadError::Interrupted`].
    ///
    /// ```
    /// use linkstream::io::{Buffer, ReadError, RecordReader};
    /// use linkstream::lime::ErrorKind;
    ///
    /// /// Reads a payload from a source that may fail for a while.
    /// fn payload<R: embedded_io::Read, B: Buffer>(
    ///     records: &mut RecordReader<R, B>,
    ///     out: &mut [u8],
    /// ) -> Result<(), ReadError<R::Error, ErrorKind>> {
    ///     let mut done = 0;
    ///     while let Err(error) = records.read_into(&mut out[done..]) {
    ///         match error {
    ///             // The rest goes after what is in the slice.
    ///             ReadError::Io(_) => done += records.resume(),
    ///             error => return Err(error),
    ///         }
    ///     }
    ///     Ok(())
    /// }
    /// ```
    #[must_use = "the next call must not overwrite what has been delivered"]
    pub const fn resume(&mut self) -> usize {
        self.payload.resume()
    }

    /// Returns the source and the decoder. Bytes that were read ahead into the buffer are discarded.
    pub fn into_parts(self) -> (R, D) {
        let (source, decoder) = self.reader.into_parts();
        (source, decoder.into_inner())
    }
}

both! {
impl<R: Read, B: Buffer, D: BorrowMut<Decoder> > RecordReader<R, B, D> {
    #[asynchronous(next_record_async)]
    /// Goes to the next record; `None` at the end of the file. The unread rest of the current payload is read and
    /// discarded.
    ///
    /// # Errors
    /// The source failed, or the file is invalid.
    pub fn next_record(&mut self) -> Result<Option<Record>, ReadError<R::Error, ErrorKind>> {
        wait!(self.reader.run | run_async(|frame| self.payload.next(frame)))
    }

    #[asynchronous(find_async)]
    /// Finds the next record of this type; `None` if there is none before the end of the file.
    ///
    /// # Errors
    /// The errors of [`next_record`](Self::next_record).
    pub fn find(&mut self, record_type: &[u8]) -> Result<Option<Record>, ReadError<R::Error, ErrorKind>> {
        wait!(self.reader.run | run_async(|frame| self.payload.find(frame, record_type)))
    }

    #[asynchronous(read_async)]
    /// Reads the next bytes of the payload into the front of `out` and returns their number: at least 1 and at most
    /// `out.len()`, or 0 at the end of the payload.
    ///
    /// # Errors
    /// The source failed or ends too early; [`ReadError::NotOpen`] if no record is open or its payload was skipped;
    /// [`ReadError::Interrupted`].
    pub fn read(&mut self, out: &mut [u8]) -> Result<usize, ReadError<R::Error, ErrorKind>> {
        self.payload.begin(&self.reader.frame)?;
        wait!(self.reader.run | run_async(|frame| Payload::copy(frame, out)))
    }

    #[asynchronous(read_into_async)]
    /// Reads the rest of the payload, which is all of it if none was read before, into the front of `out`, and
    /// returns that part of `out`.
    ///
    /// # Errors
    /// The errors of [`read`](Self::read); [`ReadError::TooSmall`] if `out` is shorter, [`ReadError::Limit`] if the
    /// payload is also above the limit.
    pub fn read_into<'o>(
        &mut self,
        out: &'o mut [u8],
    ) -> Result<&'o mut [u8], ReadError<R::Error, ErrorKind>> {
        let Self { reader, payload } = self;
        let n = payload.rest(&reader.frame, out.len())?;
        wait!(reader.run_into | run_into_async(out, |frame, target| frame.fill(target, n, &mut payload.delivery)))?;
        Ok(prefix_mut(out, n))
    }

    #[asynchronous(for_each_async)]
    /// Passes the rest of the payload to a callback, in pieces of any size. The callback may fail or stop; see
    /// [`Outcome`].
    ///
    /// # Errors
    /// The errors of [`read`](Self::read), and the error of the callback.
    pub fn for_each<O: Outcome>(&mut self, mut each: impl FnMut(&[u8]) -> O) -> Passed<R::Error, O::Error> {
        self.payload.begin(&self.reader.frame)?;
        wait!(self.reader.run | run_async(|frame| self.payload.each(frame, &mut each)))?
    }

    #[asynchronous(for_each_record_async)]
    /// Passes the type and payload of each following record to a callback. The payload is read into `out`, which
    /// must hold the longest one. The callback may fail or stop; see [`Outcome`]. A call that failed before it had read
    /// anything of a payload can be repeated; it begins with that record.
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
    /// The errors of [`next_record`](Self::next_record) and [`read_into`](Self::read_into), and the error of the
    /// callback.
    pub fn for_each_record<O: Outcome>(
        &mut self,
        out: &mut [u8],
        mut each: impl FnMut(&[u8], &[u8]) -> O,
    ) -> Passed<R::Error, O::Error> {
        let (Self { reader, payload }, mut rest) = (self, None);
        let job = |frame: &mut LimeFrame<B, D>, target: &mut Target<'_>| {
            payload.each_record(frame, target, &mut rest, &mut each)
        };
        wait!(reader.run_into | run_into_async(out, job))?
    }
}
}

both! {
impl<R: Read + Seek, B: Buffer, D: BorrowMut<Decoder> > RecordReader<R, B, D> {
    #[asynchronous(skip_seeking_async)]
    /// Skips the rest of the payload by seeking. If the file ends inside the payload,
    /// [`next_record`](Self::next_record) reports it.
    ///
    /// # Errors
    /// The source failed.
    pub fn skip_seeking(&mut self) -> Result<(), ReadError<R::Error, ErrorKind>> {
        self.payload.close();
        wait!(self.reader.skip_seeking | skip_seeking_async())
    }
}
}

/// The frame of this reader.
type LimeFrame<B, D> = Frame<B, Held<Decoder, D>>;

/// Result of a call that takes a callback.
type Passed<E, C> = Result<(), CallbackError<ReadError<E, ErrorKind>, C>>;

/// State of the payload of the current record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Payload {
    /// A record has been read, and its payload was not skipped.
    open: bool,
    /// `for_each_record` has gone to the record, and has not passed it to its callback yet.
    is_due: bool,
    delivery: Delivery,
    limits: Limits,
    findings: Findings<ErrorKind>,
}

impl Payload {
    const START: Self = Self {
        open: false,
        is_due: false,
        delivery: Delivery::NONE,
        limits: Limits::DEFAULT,
        findings: Findings::NONE,
    };

    /// The rest of the payload is not read any more.
    const fn close(&mut self) {
        (self.open, self.is_due) = (false, false);
        self.delivery.end();
    }

    /// Begins a call that reads payload.
    fn begin<E>(
        &mut self,
        frame: &LimeFrame<impl Buffer, impl BorrowMut<Decoder>>,
    ) -> Result<(), ReadError<E, ErrorKind>> {
        frame.usable()?;
        if !self.open {
            return Err(ReadError::NotOpen);
        }
        self.delivery.begin()?;
        self.is_due = false;
        Ok(())
    }

    /// Begins a call that reads the rest of the payload into `room` bytes. Returns the number of bytes that it fills.
    fn rest<E>(
        &mut self,
        frame: &LimeFrame<impl Buffer, impl BorrowMut<Decoder>>,
        room: usize,
    ) -> Result<usize, ReadError<E, ErrorKind>> {
        self.begin(frame)?;
        let needed = frame.payload();
        if needed > room as u64 {
            self.limits.check(needed)?;
            return Err(ReadError::TooSmall { needed });
        }
        Ok(at_most(needed, room))
    }

    /// Returns the number of bytes that an interrupted call has delivered.
    const fn resume(&mut self) -> usize {
        self.is_due = false;
        self.delivery.end()
    }

    /// The next record, after what is left of the current one.
    fn next<E>(
        &mut self,
        frame: &mut LimeFrame<impl Buffer, impl BorrowMut<Decoder>>,
    ) -> Job<Option<Record>, E, ErrorKind> {
        self.close();
        loop {
            ready!(frame.skip()?);
            match ready!(frame.next()?) {
                Some(Event::Record(record)) => {
                    self.open = true;
                    return Poll::Ready(Ok(Some(record)));
                }
                Some(Event::Finding(finding)) => self.findings.note(finding),
                Some(_) => {}
                None => return Poll::Ready(Ok(None)),
            }
        }
    }

    /// The next record of a type.
    fn find<E>(
        &mut self,
        frame: &mut LimeFrame<impl Buffer, impl BorrowMut<Decoder>>,
        record_type: &[u8],
    ) -> Job<Option<Record>, E, ErrorKind> {
        loop {
            let record = ready!(self.next(frame)?);
            if record.is_none() || frame.decoder.get().record_type() == record_type {
                return Poll::Ready(Ok(record));
            }
        }
    }

    /// The next bytes of the payload, at most `most`.
    fn copy<E>(
        frame: &mut LimeFrame<impl Buffer, impl BorrowMut<Decoder>>,
        out: &mut [u8],
    ) -> Job<usize, E, ErrorKind> {
        if frame.payload() > 0 && !out.is_empty() {
            ready!(frame.available()?);
        }
        frame.copy(out)
    }

    /// Reads the payload of each following record into a target, and passes it to a callback. `rest` is the number of
    /// bytes of the current record, once it has begun.
    fn each_record<E, O: Outcome>(
        &mut self,
        frame: &mut LimeFrame<impl Buffer, impl BorrowMut<Decoder>>,
        target: &mut Target<'_>,
        rest: &mut Option<usize>,
        each: &mut impl FnMut(&[u8], &[u8]) -> O,
    ) -> Job<Passed<E, O::Error>, E, ErrorKind> {
        loop {
            let n = match *rest {
                Some(n) => n,
                None => {
                    if !self.is_due && ready!(self.next(frame)?).is_none() {
                        return Poll::Ready(Ok(Ok(())));
                    }
                    let n = self.rest(frame, target.out.len());
                    // An error leaves the record to the next call.
                    self.is_due = self.open;
                    *rest.insert(n?)
                }
            };
            ready!(frame.fill(target, n, &mut self.delivery)?);
            (*rest, self.is_due) = (None, false);
            match each(frame.decoder.get().record_type(), prefix(target.out, n)).into_result() {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => return Poll::Ready(Ok(Ok(()))),
                Err(error) => return Poll::Ready(Ok(Err(CallbackError::Callback(error)))),
            }
        }
    }

    /// Passes the rest of the payload to a callback, in the pieces that the buffer holds.
    fn each<E, O: Outcome>(
        &mut self,
        frame: &mut LimeFrame<impl Buffer, impl BorrowMut<Decoder>>,
        each: &mut impl FnMut(&[u8]) -> O,
    ) -> Job<Passed<E, O::Error>, E, ErrorKind> {
        let mut outcome = Ok(());
        while frame.payload() > 0 {
            ready!(frame.available()?);
            let (n, flow) = ready!(frame.take(usize::MAX, |bytes| (bytes.len(), each(bytes).into_result()))?);
            self.delivery.add(n);
            match flow {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => break,
                Err(error) => {
                    outcome = Err(CallbackError::Callback(error));
                    break;
                }
            }
        }
        self.delivery.end();
        Poll::Ready(Ok(outcome))
    }
}
