//! LIME records one by one: the jobs of [`RecordReader`](super::RecordReader), for any source.

use core::ops::ControlFlow;
use core::task::{Poll, ready};

use super::error::ReadError;
use super::findings::Findings;
use super::frame::{Frame, Job};
use crate::callback::{CallbackError, Outcome};
use crate::counter::Counter as _;
use crate::lime::{Decoder, ErrorKind, Event, Record};

/// What a call gives that takes a callback.
pub(super) type Passed<E, C> = Result<(), CallbackError<ReadError<E, ErrorKind>, C>>;

/// What is kept about the payload of the current record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Payload {
    /// There is a record, and its payload was not skipped.
    pub(super) open: bool,
    /// Bytes that a call which failed has put into its slice: it goes on there when it is repeated.
    pub(super) done: usize,
    pub(super) findings: Findings<ErrorKind>,
}

impl Payload {
    pub(super) const START: Self = Self { open: false, done: 0, findings: Findings::NONE };

    /// The rest of the payload is not read any more.
    pub(super) const fn close(&mut self) {
        (self.open, self.done) = (false, 0);
    }

    pub(super) const fn usable<E>(self) -> Result<(), ReadError<E, ErrorKind>> {
        if self.open { Ok(()) } else { Err(ReadError::NotOpen) }
    }

    /// The front of `out` that the rest of the payload fills.
    pub(super) fn room<'o, E>(
        self,
        frame: &Frame<'_, Decoder>,
        out: &'o mut [u8],
    ) -> Result<&'o mut [u8], ReadError<E, ErrorKind>> {
        self.usable()?;
        let needed = frame.payload().plus(self.done as u64);
        let room = usize::try_from(needed).ok().and_then(|needed| out.get_mut(..needed));
        room.ok_or(ReadError::TooSmall { needed })
    }

    /// The next record, after what is left of the current one.
    pub(super) fn next<E>(&mut self, frame: &mut Frame<'_, Decoder>) -> Job<Option<Record>, E, ErrorKind> {
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
    pub(super) fn find<E>(
        &mut self,
        frame: &mut Frame<'_, Decoder>,
        record_type: &[u8],
    ) -> Job<Option<Record>, E, ErrorKind> {
        loop {
            let record = ready!(self.next(frame)?);
            if record.is_none() || frame.decoder.record_type() == record_type {
                return Poll::Ready(Ok(record));
            }
        }
    }

    /// The next bytes of the payload, at most `most`.
    pub(super) fn copy<E>(
        &mut self,
        frame: &mut Frame<'_, Decoder>,
        out: &mut [u8],
    ) -> Job<usize, E, ErrorKind> {
        self.usable()?;
        self.done = 0;
        if frame.payload() > 0 && !out.is_empty() {
            ready!(frame.available()?);
        }
        frame.copy(out)
    }

    /// The rest of the payload goes to a callback, as the buffer holds it.
    pub(super) fn each<E, O: Outcome>(
        &mut self,
        frame: &mut Frame<'_, Decoder>,
        each: &mut impl FnMut(&[u8]) -> O,
    ) -> Job<Passed<E, O::Error>, E, ErrorKind> {
        self.usable()?;
        self.done = 0;
        while frame.payload() > 0 {
            ready!(frame.available()?);
            match ready!(frame.take(usize::MAX, |bytes| each(bytes).into_result())?) {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => break,
                Err(error) => return Poll::Ready(Ok(Err(CallbackError::Callback(error)))),
            }
        }
        Poll::Ready(Ok(Ok(())))
    }
}
