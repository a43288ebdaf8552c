//! LIME records one by one: the jobs of [`RecordReader`](crate::io::RecordReader), for any source.

use core::ops::ControlFlow;
use core::task::{Poll, ready};

use crate::bytes::prefix;
use crate::callback::{CallbackError, Outcome};
use crate::counter::at_most;
use crate::io::buffer::Buffer;
use crate::io::error::ReadError;
use crate::io::frame::{Delivery, Findings, Frame, Job, Target};
use crate::lime::{Decoder, ErrorKind, Event, Record};
use crate::limits::Limits;

/// What a call gives that takes a callback.
pub(super) type Passed<E, C> = Result<(), CallbackError<ReadError<E, ErrorKind>, C>>;

/// What is kept about the payload of the current record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Payload {
    /// There is a record, and its payload was not skipped.
    pub(super) open: bool,
    /// `for_each_record` has gone to the record, and has not passed it to its callback yet.
    pub(super) is_due: bool,
    pub(super) delivery: Delivery,
    pub(super) limits: Limits,
    pub(super) findings: Findings<ErrorKind>,
}

impl Payload {
    pub(super) const START: Self = Self {
        open: false,
        is_due: false,
        delivery: Delivery::NONE,
        limits: Limits::DEFAULT,
        findings: Findings::NONE,
    };

    /// The rest of the payload is not read any more.
    pub(super) const fn close(&mut self) {
        (self.open, self.is_due) = (false, false);
        self.delivery.end();
    }

    /// Begins a call that reads payload.
    pub(super) fn begin<E>(
        &mut self,
        frame: &Frame<impl Buffer, Decoder>,
    ) -> Result<(), ReadError<E, ErrorKind>> {
        frame.usable()?;
        if !self.open {
            return Err(ReadError::NotOpen);
        }
        self.delivery.begin()?;
        self.is_due = false;
        Ok(())
    }

    /// Begins a call that reads the rest of the payload into `room` bytes: how many it fills.
    pub(super) fn rest<E>(
        &mut self,
        frame: &Frame<impl Buffer, Decoder>,
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

    /// What was delivered by a call that was interrupted.
    pub(super) const fn resume(&mut self) -> usize {
        self.is_due = false;
        self.delivery.end()
    }

    /// The next record, after what is left of the current one.
    pub(super) fn next<E>(
        &mut self,
        frame: &mut Frame<impl Buffer, Decoder>,
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
    pub(super) fn find<E>(
        &mut self,
        frame: &mut Frame<impl Buffer, Decoder>,
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
        frame: &mut Frame<impl Buffer, Decoder>,
        out: &mut [u8],
    ) -> Job<usize, E, ErrorKind> {
        if frame.payload() > 0 && !out.is_empty() {
            ready!(frame.available()?);
        }
        frame.copy(out)
    }

    /// The payload of each following record goes to a target, and from there to a callback. `rest`: how much of the
    /// current one, once that has begun.
    pub(super) fn each_record<E, O: Outcome>(
        &mut self,
        frame: &mut Frame<impl Buffer, Decoder>,
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
            match each(frame.decoder.record_type(), prefix(target.out, n)).into_result() {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => return Poll::Ready(Ok(Ok(()))),
                Err(error) => return Poll::Ready(Ok(Err(CallbackError::Callback(error)))),
            }
        }
    }

    /// The rest of the payload goes to a callback, as the buffer holds it.
    pub(super) fn each<E, O: Outcome>(
        &mut self,
        frame: &mut Frame<impl Buffer, Decoder>,
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
