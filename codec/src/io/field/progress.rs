//! What the readers of fields remember of past events, and the job that all their calls are.

use core::convert::Infallible;
use core::task::{Poll, ready};

use super::error::FieldError;
use crate::bytes::{copy, suffix_mut};
use crate::field::{Decoder, ErrorKind, Event, Verdict};
use crate::io::buffer::{Buffer, FirstHalf};
use crate::io::error::ReadError;
use crate::io::frame::{Delivery, Findings, Frame, Job};

/// What has been done with the data of the current field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Access {
    Untouched,
    /// A call delivers them, or was interrupted.
    Delivered,
    /// They were delivered to their end, or skipped.
    Done,
}

/// How far the current field has been read, and what was found on the way.
#[derive(Debug)]
pub(super) struct Progress {
    access: Access,
    /// In bytes.
    delivery: Delivery,
    pub(super) verdict: Option<Verdict>,
    /// Of the file.
    pub(super) findings: Findings<ErrorKind>,
}

impl Progress {
    pub(super) const fn new() -> Self {
        Self { access: Access::Untouched, delivery: Delivery::NONE, verdict: None, findings: Findings::NONE }
    }

    fn note(&mut self, event: &Event) {
        match event {
            Event::Field => {
                (self.access, self.verdict) = (Access::Untouched, None);
                self.delivery.end();
            }
            Event::Verdict(verdict) => self.verdict = Some(*verdict),
            Event::Finding(error) => self.findings.note(*error),
            _ => {}
        }
    }

    /// Begins a call that delivers the data. A call that was interrupted before it had delivered anything can be
    /// repeated.
    pub(super) fn begin<E>(&mut self) -> Result<(), FieldError<E>> {
        self.delivery.begin().map_err(FieldError::Read)?;
        if self.access == Access::Done {
            return Err(FieldError::AlreadyRead);
        }
        self.access = Access::Delivered;
        Ok(())
    }

    /// Begins a call that skips the data.
    pub(super) fn skip<E>(&mut self) -> Result<(), FieldError<E>> {
        self.begin()?;
        self.access = Access::Done;
        Ok(())
    }

    /// Begins a call that asks for the verdict; `true` if the rest of the field must be read for it.
    pub(super) fn judge<E>(&mut self) -> Result<bool, ReadError<E, ErrorKind>> {
        self.delivery.begin()?;
        self.access = Access::Done;
        Ok(self.verdict.is_none())
    }

    /// The verdict, which every field has, at the end of the file at the latest.
    pub(super) fn settled<E>(&self) -> Result<Verdict, ReadError<E, ErrorKind>> {
        self.verdict.ok_or(ReadError::NoProgress)
    }
}

/// Reads up to an event; passes data to a callback, with the half of the buffer that is free for it. The first error of the callback ends its part; reading goes on,
/// so that the field is verified.
#[derive(Debug)]
pub(super) struct Advance<F, X> {
    until: fn(&Event) -> bool,
    data: F,
    failed: Option<X>,
}

impl<F: FnMut(&Decoder, &[u8], &mut [u8]) -> Result<(), X>, X> Advance<F, X> {
    pub(super) const fn new(until: fn(&Event) -> bool, data: F) -> Self {
        Self { until, data, failed: None }
    }

    /// `false` at the end of the file. A call that delivers data is complete here: it is interrupted only if the
    /// source fails, or if its future is dropped.
    pub(super) fn run<E>(
        &mut self,
        progress: &mut Progress,
        frame: &mut Frame<FirstHalf<impl Buffer>, Decoder>,
    ) -> Job<Result<bool, X>, E, ErrorKind> {
        let advanced = ready!(self.advance(progress, frame));
        if progress.access == Access::Delivered {
            progress.access = Access::Done;
            progress.delivery.end();
        }
        Poll::Ready(advanced)
    }

    fn advance<E>(
        &mut self,
        progress: &mut Progress,
        frame: &mut Frame<FirstHalf<impl Buffer>, Decoder>,
    ) -> Job<Result<bool, X>, E, ErrorKind> {
        let mut found = false;
        while let Some(event) = ready!(frame.next()?) {
            progress.note(&event);
            if event == Event::Data {
                if progress.access == Access::Delivered {
                    progress.delivery.add(frame.last().len());
                }
                if self.failed.is_none() {
                    self.failed = frame.with_other_half(&mut self.data).err();
                }
            }
            found = (self.until)(&event);
            if found {
                break;
            }
        }
        Poll::Ready(Ok(match self.failed.take() {
            Some(error) => Err(error),
            None => Ok(found),
        }))
    }
}

pub(super) fn is_field(event: &Event) -> bool {
    matches!(event, Event::Field)
}

pub(super) fn is_end(event: &Event) -> bool {
    matches!(event, Event::FieldEnd(_))
}

pub(super) fn is_verdict(event: &Event) -> bool {
    matches!(event, Event::Verdict(_))
}

/// A callback for data that nobody wants.
#[allow(clippy::unnecessary_wraps, reason = "a callback that could fail")]
pub(super) const fn ignore(_: &Decoder, _: &[u8], _: &mut [u8]) -> Result<(), Infallible> {
    Ok(())
}

/// What a call gives of which the callback cannot fail.
pub(super) fn never(found: Result<bool, Infallible>) -> bool {
    let Ok(found) = found;
    found
}

/// Copies to the front of what is left.
#[allow(clippy::unnecessary_wraps, reason = "a callback that could fail")]
pub(super) fn copy_front(rest: &mut &mut [u8], bytes: &[u8]) -> Result<(), Infallible> {
    let n = copy(rest, bytes);
    *rest = suffix_mut(core::mem::take(rest), n);
    Ok(())
}
