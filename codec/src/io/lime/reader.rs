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
use crate::io::format_reader::{FormatFrame, FormatReader, Progress, ReadState, Resume};
use crate::io::frame::{Job, Target};
use crate::lime::{Decoder, ErrorKind, Event, Record};
use crate::limits::OverLimit;

/// Reads LIME records one after the other: type, flags, and the payload into a slice or to a callback. Payload that
/// is not read is skipped. The source is any [`embedded_io::Read`] or `embedded_io_async::Read`.
///
/// After a call that was interrupted by a failure of the source, reading continues with [`resume`](FormatReader::resume).
/// Broken rules that the [`Mode`] does not refuse are [counted](FormatReader::findings).
///
/// ```
/// use linkstream::io::RecordReader;
/// # use linkstream::io::RecordWriter;
/// # let mut file = [0; 304];
/// # let mut writer = RecordWriter::create(&mut file[..]);
/// # writer.write_record(b"greeting", true, false, b"hello")?;
/// # writer.write_record(b"name", false, true, b"world")?;
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
///
/// The decoder of a reader [`with_decoder`](FormatReader::with_decoder) is a [`Decoder`], or a `&mut Decoder`.
pub type RecordReader<R, B, D = Decoder> = FormatReader<R, B, D, RecordState>;

impl<R, B: Buffer> RecordReader<R, B> {
    /// A reader of a file from its first byte, in [`Mode::Strict`]. The buffer must not be empty.
    pub const fn new(source: R, buffer: B) -> Self {
        Self::with_decoder(source, buffer, Decoder::new(Mode::Strict))
    }
}

impl<R, B: Buffer, D: BorrowMut<Decoder>> RecordReader<R, B, D> {
    /// The type of the current record: its bytes before the first NUL.
    pub fn record_type(&self) -> &[u8] {
        self.decoder().record_type()
    }

    /// The current record, or the last one.
    pub fn record(&self) -> Record {
        self.decoder().record()
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
    /// [`OverLimit`]: the file claims more than the [`Limits`](crate::Limits) of this reader.
    pub fn payload_length(&self) -> Result<usize, OverLimit> {
        self.progress.limits.check(self.reader.frame.payload())
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
        wait!(self.reader.run | run_async(|frame| self.progress.next(frame)))
    }

    #[asynchronous(find_async)]
    /// Finds the next record of this type; `None` if there is none before the end of the file.
    ///
    /// # Errors
    /// The errors of [`next_record`](Self::next_record).
    pub fn find(&mut self, record_type: &[u8]) -> Result<Option<Record>, ReadError<R::Error, ErrorKind>> {
        wait!(self.reader.run | run_async(|frame| self.progress.find(frame, record_type)))
    }

    #[asynchronous(read_async)]
    /// Reads the next bytes of the payload into the front of `out` and returns their number: at least 1 and at most
    /// `out.len()`, or 0 at the end of the payload.
    ///
    /// # Errors
    /// The source failed or ends too early; [`ReadError::NotOpen`] if no record is open or its payload was skipped;
    /// [`ReadError::Interrupted`].
    pub fn read(&mut self, out: &mut [u8]) -> Result<usize, ReadError<R::Error, ErrorKind>> {
        self.progress.begin(&self.reader.frame)?;
        wait!(self.reader.run | run_async(|frame| copy_payload(frame, out)))
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
        let Self { reader, progress } = self;
        let n = progress.begin_rest(&reader.frame, out.len())?;
        wait!(reader.run_into | run_into_async(out, |frame, target| frame.fill(target, n, &mut progress.delivery)))?;
        Ok(prefix_mut(out, n))
    }

    #[asynchronous(for_each_async)]
    /// Passes the rest of the payload to a callback, in pieces of any size. The callback may fail or stop; see
    /// [`Outcome`].
    ///
    /// # Errors
    /// The errors of [`read`](Self::read), and the error of the callback.
    pub fn for_each<O: Outcome>(&mut self, mut each: impl FnMut(&[u8]) -> O) -> Passed<R::Error, O::Error> {
        self.progress.begin(&self.reader.frame)?;
        wait!(self.reader.run | run_async(|frame| self.progress.pass_payload(frame, &mut each)))?
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
    /// # writer.write_message([(&b"greeting"[..], &b"hello"[..]), (b"name", b"world")])?;
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
        let (Self { reader, progress }, mut rest) = (self, None);
        let job = |frame: &mut LimeFrame<B, D>, target: &mut Target<'_>| {
            progress.pass_records(frame, target, &mut rest, &mut each)
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
        self.progress.close();
        wait!(self.reader.skip_seeking | skip_seeking_async())
    }
}
}

/// The frame of this reader.
type LimeFrame<B, D> = FormatFrame<B, D, RecordState>;

/// Result of a call that takes a callback.
type Passed<E, C> = Result<(), CallbackError<ReadError<E, ErrorKind>, C>>;

/// State of the payload of the current record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RecordState {
    /// A record has been read, and its payload was not skipped.
    is_open: bool,
    /// `for_each_record` has gone to the record, and has not passed it to its callback yet.
    is_next: bool,
}

impl ReadState for RecordState {
    type Decoder = Decoder;
    type ErrorKind = ErrorKind;

    const START: Self = Self { is_open: false, is_next: false };
}

impl Resume for RecordState {
    fn resume(&mut self, done: usize) {
        // If nothing was delivered, the record is still the next one.
        self.is_next &= done == 0;
    }
}

impl Progress<RecordState> {
    /// The rest of the payload is not read any more.
    const fn close(&mut self) {
        self.state = RecordState::START;
        self.delivery.end();
    }

    /// Begins a call that reads payload.
    fn begin<E>(
        &mut self,
        frame: &LimeFrame<impl Buffer, impl BorrowMut<Decoder>>,
    ) -> Result<(), ReadError<E, ErrorKind>> {
        frame.usable()?;
        if !self.state.is_open {
            return Err(ReadError::NotOpen);
        }
        self.delivery.begin()?;
        self.state.is_next = false;
        Ok(())
    }

    /// Begins a call that reads the rest of the payload into `room` bytes. Returns the number of bytes that it fills.
    fn begin_rest<E>(
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
                    self.state.is_open = true;
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

    /// Reads the payload of each following record into a target, and passes it to a callback. `rest` is the number of
    /// bytes of the current record, once it has begun.
    fn pass_records<E, O: Outcome>(
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
                    if !self.state.is_next && ready!(self.next(frame)?).is_none() {
                        return Poll::Ready(Ok(Ok(())));
                    }
                    let n = self.begin_rest(frame, target.out.len());
                    // An error leaves the record to the next call.
                    self.state.is_next = self.state.is_open;
                    *rest.insert(n?)
                }
            };
            ready!(frame.fill(target, n, &mut self.delivery)?);
            (*rest, self.state.is_next) = (None, false);
            match each(frame.decoder.get().record_type(), prefix(target.out, n)).into_result() {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => return Poll::Ready(Ok(Ok(()))),
                Err(error) => return Poll::Ready(Ok(Err(CallbackError::Callback(error)))),
            }
        }
    }

    /// Passes the rest of the payload to a callback, in the pieces that the buffer holds.
    fn pass_payload<E, O: Outcome>(
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

/// Copies the next bytes of the payload into the front of a slice.
fn copy_payload<E>(
    frame: &mut LimeFrame<impl Buffer, impl BorrowMut<Decoder>>,
    out: &mut [u8],
) -> Job<usize, E, ErrorKind> {
    if frame.payload() > 0 && !out.is_empty() {
        ready!(frame.available()?);
    }
    frame.copy(out)
}
