//! The writer that drives any encoder, and its sink, which is given up at its first failure: the frame of all writers
//! of this module.

use core::convert::Infallible;

use embedded_io::{Error, ErrorKind, Seek, SeekFrom, Write};

use super::error::WriteError;
use crate::bytes::{prefix, suffix};
use crate::callback::{CallbackError, Outcome};
use crate::counter::Counter as _;
use crate::encode::Encode;
use crate::io::both::both;

pub(super) type Written<W, E> = Result<(), WriteError<W, <E as Encode>::ErrorKind>>;
/// Result of a call that writes pieces.
type Called<W, K, C> = Result<(), CallbackError<WriteError<W, K>, C>>;

/// Drives an encoder, and writes the bytes that it returns to any [`embedded_io::Write`], one after the other. After an
/// error of the sink, every call returns [`WriteError::Broken`](super::WriteError::Broken).
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

    /// The encoder, with its position.
    pub const fn encoder(&self) -> &E {
        &self.encoder
    }

    /// Returns the sink and the encoder.
    pub fn into_parts(self) -> (W, E) {
        (self.output.sink, self.encoder)
    }
}

both! {
impl<W: Write, E: Encode> Writer<W, E> {
    #[asynchronous(emit_async)]
    /// Calls the encoder and writes the bytes that it returns.
    ///
    /// # Errors
    /// The encoder refused the call and nothing was written, or the sink failed.
    pub fn emit(
        &mut self,
        call: impl for<'e> FnOnce(&'e mut E) -> Result<&'e [u8], E::ErrorKind>,
    ) -> Written<W::Error, E> {
        self.output.usable()?;
        let bytes = call(&mut self.encoder).map_err(WriteError::Refused)?;
        wait!(self.output.put | put_async(bytes))
    }

    #[asynchronous(write_async)]
    /// Writes payload.
    ///
    /// # Errors
    /// The encoder refused the call and nothing was written, or the sink failed.
    pub fn write(&mut self, payload: &[u8]) -> Written<W::Error, E> {
        self.output.usable()?;
        self.encoder.put(payload).map_err(WriteError::Refused)?;
        wait!(self.output.put | put_async(payload))
    }

    #[asynchronous(finish_async)]
    /// Checks that the file can end here, flushes the sink and returns it. Call it after the last write.
    ///
    /// # Errors
    /// A record or section is still open, data are missing, or the sink failed.
    pub fn finish(mut self) -> Result<W, WriteError<W::Error, E::ErrorKind>> {
        wait!(self.complete | complete_async())?;
        Ok(self.into_parts().0)
    }

    #[asynchronous(complete_async)]
    /// Does the same for a writer that is borrowed. A refused call changes nothing.
    ///
    /// # Errors
    /// A record or section is still open, data are missing, or the sink failed.
    pub fn complete(&mut self) -> Written<W::Error, E> {
        wait!(self.close | close_async(E::finish))
    }
}
}

both! {
impl<W: Write, E> Writer<W, E> {
    #[asynchronous(run_async)]
    /// Writes all pieces of a call.
    pub(super) fn run<P: Pieces<E> >(&mut self, mut pieces: P) -> Called<W::Error, P::ErrorKind, P::Callback> {
        self.output.usable()?;
        loop {
            let piece = pieces.next(&mut self.encoder);
            match piece.map_err(|error| error.map_failed(WriteError::Refused))? {
                Some(bytes) => wait!(self.output.put | put_async(bytes))?,
                None => return Ok(()),
            }
        }
    }

    #[asynchronous(close_async)]
    /// Flushes the sink, if the file can end here.
    pub(super) fn close<K>(
        &mut self,
        check: impl FnOnce(&E) -> Result<(), K>,
    ) -> Result<(), WriteError<W::Error, K>> {
        self.output.usable()?;
        check(&self.encoder).map_err(WriteError::Refused)?;
        wait!(self.output.flush | flush_async())
    }
}
}

/// The next bytes of the file; none after the last ones. The callback of the call can fail with `C`.
pub(super) type NextPiece<'s, K, C> = Result<Option<&'s [u8]>, CallbackError<K, C>>;

/// The pieces of one call of a writer whose encoder is an `E`.
pub(super) trait Pieces<E> {
    /// Reason why the encoder refuses a piece.
    type ErrorKind;
    /// Error type of the callback; [`Infallible`] if the call takes none.
    type Callback;

    /// The next piece; `None` after the last one.
    fn next<'s>(&'s mut self, encoder: &'s mut E) -> NextPiece<'s, Self::ErrorKind, Self::Callback>;
}

/// Lines that are written at once.
const LINES: usize = 16;

/// Lines of equal length, one for each number.
#[derive(Debug)]
pub(super) struct Lines<I, F, K, const N: usize> {
    numbers: I,
    line: F,
    lines: [[u8; N]; LINES],
    /// Reason why the next line is refused. It is returned after the lines before it have been written.
    refused: Option<K>,
}

impl<I: Iterator<Item = u64>, F, K, const N: usize> Lines<I, F, K, N> {
    /// The lines that `line` makes of these numbers.
    pub(super) fn new(numbers: impl IntoIterator<IntoIter = I>, line: F) -> Self {
        Self { numbers: numbers.into_iter(), line, lines: [[0; N]; LINES], refused: None }
    }
}

impl<E, I, F, K, const N: usize> Pieces<E> for Lines<I, F, K, N>
where
    I: Iterator<Item = u64>,
    F: FnMut(&mut E, u64) -> Result<[u8; N], K>,
{
    type ErrorKind = K;
    type Callback = Infallible;

    fn next<'s>(&'s mut self, encoder: &'s mut E) -> NextPiece<'s, K, Infallible> {
        if let Some(kind) = self.refused.take() {
            return Err(kind.into());
        }
        let mut filled = 0_usize;
        for (to, number) in self.lines.iter_mut().zip(&mut self.numbers) {
            match (self.line)(encoder, number) {
                Ok(line) => *to = line,
                Err(kind) => {
                    self.refused = Some(kind);
                    break;
                }
            }
            filled.increase(1);
        }
        if filled == 0 && self.refused.is_none() {
            return Ok(None);
        }
        Ok(Some(prefix(&self.lines, filled).as_flattened()))
    }
}

/// Payload that a callback makes, `n` times the same number of bytes.
#[derive(Debug)]
pub(super) struct Elements<'e, F> {
    pub(super) element: &'e mut [u8],
    pub(super) done: u64,
    pub(super) n: u64,
    pub(super) fill: F,
}

impl<E: Encode, O: Outcome, F: FnMut(u64, &mut [u8]) -> O> Pieces<E> for Elements<'_, F> {
    type ErrorKind = E::ErrorKind;
    type Callback = O::Error;

    fn next<'s>(&'s mut self, encoder: &'s mut E) -> NextPiece<'s, E::ErrorKind, O::Error> {
        // There can be any number of elements without bytes: they are not counted through.
        if self.done >= self.n || self.element.is_empty() {
            return Ok(None);
        }
        // Bytes that the callback does not set are zeros, not bytes of the previous element.
        self.element.fill(0);
        let outcome = (self.fill)(self.done, self.element).into_result();
        if outcome.map_err(CallbackError::Callback)?.is_break() {
            return Ok(None);
        }
        encoder.put(self.element)?;
        self.done.increase(1);
        Ok(Some(self.element))
    }
}

/// A sink, and a flag that is set when it has failed. Its content is then unknown, so every later call is refused.
#[derive(Debug)]
pub(super) struct Output<W> {
    pub(super) sink: W,
    pub(super) broken: bool,
    /// Bytes that an asynchronous writer has written since its task has waited.
    written: u16,
}

impl<W> Output<W> {
    pub(super) const fn new(sink: W) -> Self {
        Self { sink, broken: false, written: 0 }
    }

    pub(super) const fn usable<E, K>(&self) -> Result<(), WriteError<E, K>> {
        if self.broken { Err(WriteError::Broken) } else { Ok(()) }
    }

    /// A synchronous writer does not pause.
    #[allow(clippy::unused_self, reason = "the twin of the call below")]
    #[inline]
    const fn pause(&self) {}

    /// Lets other tasks run, if much has been written since they could.
    #[cfg(feature = "async")]
    async fn pause_async(&mut self) {
        if self.written >= super::fair::MOST_WRITTEN {
            self.written = 0;
            super::fair::asynchronous::pause().await;
        }
    }
}

/// Rest of `bytes` after one call of the sink. A sink that accepts no bytes is an error, neither a panic nor an endless
/// loop. A sink that claims to have accepted more bytes than it was given is taken to have accepted all.
pub(super) fn after_write<E: Error, K>(
    bytes: &[u8],
    written: Result<usize, E>,
) -> Result<&[u8], WriteError<E, K>> {
    match written {
        Ok(0) => Err(WriteError::WriteZero),
        Ok(n) => Ok(suffix(bytes, n.min(bytes.len()))),
        Err(error) if error.kind() == ErrorKind::Interrupted => Ok(bytes),
        Err(error) => Err(WriteError::Io(error)),
    }
}

both! {
impl<W: Write> Output<W> {
    #[asynchronous(put_async)]
    /// Writes everything. A future that is dropped leaves the sink broken.
    pub(super) fn put<K>(&mut self, bytes: &[u8]) -> Result<(), WriteError<W::Error, K>> {
        self.usable()?;
        self.broken = true;
        let mut rest = bytes;
        while !rest.is_empty() {
            wait!(self.pause | pause_async());
            rest = after_write(rest, wait!(self.sink.write_noting | write_noting(rest, &mut self.written)))?;
        }
        self.broken = false;
        Ok(())
    }

    #[asynchronous(flush_async)]
    pub(super) fn flush<K>(&mut self) -> Result<(), WriteError<W::Error, K>> {
        self.usable()?;
        self.broken = true;
        wait!(self.sink.flush | flush()).map_err(WriteError::Io)?;
        self.broken = false;
        Ok(())
    }
}
}

impl<W: Write + Seek> Output<W> {
    /// Moves by `by` bytes. A move backwards is a difference that wraps around.
    pub(super) fn shift<K>(&mut self, by: u64) -> Result<(), WriteError<W::Error, K>> {
        self.usable()?;
        self.broken = true;
        let here = self.sink.seek(SeekFrom::Current(0)).map_err(WriteError::Io)?;
        self.sink.seek(SeekFrom::Start(here.wrapping_add(by))).map_err(WriteError::Io)?;
        self.broken = false;
        Ok(())
    }
}
