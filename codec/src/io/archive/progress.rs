//! How far an archive has been read: the jobs of [`ArchiveReader`](crate::io::ArchiveReader), for any source.

use core::ops::ControlFlow;
use core::task::{Poll, ready};

use super::error::ArchiveError;
use super::layout::{Signal, sealed};
use crate::callback::Outcome;
use crate::counter::Counter as _;
use crate::io::buffer::Buffer;
use crate::io::error::ReadError;
use crate::io::frame::{Delivery, Findings, Frame, Job};
use crate::lattice::ByteOrder;

/// What has been read. In this order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Stage {
    Nothing,
    Header,
    /// What precedes the data.
    Data,
    /// The data, and the verdict on them.
    Judged,
    Ended,
}

/// What has been done with the data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Access {
    Untouched,
    /// A call delivers them, or was interrupted.
    Delivered,
    /// They were delivered to their end, or skipped.
    Done,
}

/// How far the file has been read, and what was found on the way.
#[derive(Debug)]
pub(super) struct Progress<V, K> {
    pub(super) stage: Stage,
    access: Access,
    /// In bytes of the file.
    pub(super) delivery: Delivery,
    /// The caller has all ranks of a site list.
    pub(super) has_ranks: bool,
    pub(super) verdict: Option<V>,
    pub(super) findings: Findings<K>,
}

impl<V: Copy, K: Copy> Progress<V, K> {
    pub(super) const START: Self = Self {
        stage: Stage::Nothing,
        access: Access::Untouched,
        delivery: Delivery::NONE,
        has_ranks: false,
        verdict: None,
        findings: Findings::NONE,
    };

    /// Begins a call that delivers the data. One that was interrupted before it had delivered anything can be repeated.
    pub(super) fn begin<E>(&mut self) -> Result<(), ArchiveError<E, K>> {
        self.delivery.begin()?;
        if self.access == Access::Done || self.stage > Stage::Data {
            return Err(ArchiveError::AlreadyRead);
        }
        self.access = Access::Delivered;
        Ok(())
    }

    /// Begins a call that skips the data.
    pub(super) fn skip<E>(&mut self) -> Result<(), ArchiveError<E, K>> {
        self.begin()?;
        self.access = Access::Done;
        Ok(())
    }

    pub(super) fn settled<E>(&self) -> Result<V, ReadError<E, K>> {
        self.verdict.ok_or(ReadError::NoProgress)
    }

    /// Reads up to a stage. Passes payload on the way to a callback, counted if it `delivers`.
    pub(super) fn advance<E, D>(
        &mut self,
        frame: &mut Frame<impl Buffer, D>,
        to: Stage,
        delivers: bool,
        each: &mut impl FnMut(&[u8]),
    ) -> Job<(), E, K>
    where
        D: sealed::ArchiveFormat<Verdict = V, ErrorKind = K>,
    {
        while self.stage < to {
            let Some(event) = ready!(frame.next()?) else {
                self.stage = Stage::Ended;
                break;
            };
            match D::signal(&event) {
                Signal::Header { is_last } => self.stage = if is_last { Stage::Data } else { Stage::Header },
                Signal::Data => self.stage = Stage::Data,
                Signal::Payload => {
                    each(frame.last());
                    if delivers {
                        self.delivery.add(frame.last().len());
                    }
                }
                Signal::Verdict(verdict) => (self.verdict, self.stage) = (Some(verdict), Stage::Judged),
                Signal::Finding(finding) => self.findings.note(finding),
                Signal::Nothing => {}
            }
        }
        Poll::Ready(Ok(()))
    }

    /// Reads up to a stage.
    pub(super) fn pass<E, D>(&mut self, frame: &mut Frame<impl Buffer, D>, to: Stage) -> Job<(), E, K>
    where
        D: sealed::ArchiveFormat<Verdict = V, ErrorKind = K>,
    {
        self.advance(frame, to, false, &mut |_| {})
    }

    /// Delivers the data. A call is complete here: it is interrupted only if the source fails, or if its future is
    /// dropped.
    pub(super) fn deliver<E, D>(
        &mut self,
        frame: &mut Frame<impl Buffer, D>,
        each: &mut impl FnMut(&[u8]),
    ) -> Job<(), E, K>
    where
        D: sealed::ArchiveFormat<Verdict = V, ErrorKind = K>,
    {
        let advanced = ready!(self.advance(frame, Stage::Judged, true, each));
        self.access = Access::Done;
        self.delivery.end();
        Poll::Ready(advanced)
    }
}

/// Takes the words of a site list apart.
pub(super) struct Ranks<F, X> {
    pub(super) each: F,
    pub(super) word: [u8; 4],
    pub(super) filled: usize,
    /// Of the callback, which is not called again once it has failed or stopped.
    pub(super) outcome: Result<ControlFlow<()>, X>,
}

impl<O: Outcome, F: FnMut(u64) -> O> Ranks<F, O::Error> {
    pub(super) fn feed(&mut self, bytes: &[u8], order: ByteOrder) {
        for byte in bytes {
            if let Some(place) = self.word.get_mut(self.filled) {
                *place = *byte;
            }
            self.filled.increase(1);
            if self.filled == self.word.len() {
                self.filled = 0;
                if matches!(self.outcome, Ok(ControlFlow::Continue(()))) {
                    self.outcome = (self.each)(order.u32(self.word).into()).into_result();
                }
            }
        }
    }
}
