//! The common part of all readers: the buffer, the decoder, and the state of the source. Nothing here reads: a reader
//! calls a job, and reads into [`Frame::room`] if the job needs more input.

use core::ops::{ControlFlow, Range};
use core::task::{Poll, ready};

use embedded_io::ErrorKind;

use super::buffer::Buffer;
use super::error::ReadError;
use crate::bytes::{copy, part, part_mut, prefix, prefix_mut, split_mut};
use crate::callback::Outcome;
use crate::field::Site;
use crate::step::{Decode, Demand};

/// Result of asking for the next event: `None` at the end of the source.
pub type NextEvent<D, E> = Result<Option<<D as Decode>::Event>, ReadError<E, <D as Decode>::ErrorKind>>;

/// Result of a step of a job: [`Poll::Pending`] if the job needs more input. A job is a function of a [`Frame`] or of
/// the frame of a volume, and does no input itself.
pub(super) type Job<T, E, K> = Poll<Result<T, ReadError<E, K>>>;

/// Number of bytes that were read; `None` if the read was interrupted and must be repeated.
pub(super) fn read_or_again<E: embedded_io::Error, K>(
    read: Result<usize, E>,
) -> Result<Option<usize>, ReadError<E, K>> {
    match read {
        Ok(n) => Ok(Some(n)),
        Err(error) if error.kind() == ErrorKind::Interrupted => Ok(None),
        Err(error) => Err(ReadError::Io(error)),
    }
}

/// A decoder, and a buffer lent by the caller with input that the decoder has not consumed yet.
#[derive(Debug)]
pub(super) struct Frame<B, D> {
    buffer: B,
    /// 1 if only the first half of the buffer holds input, and the other half is for jobs that assemble units in it; 0
    /// if input has all of the buffer. A number to shift by takes fewer instructions than a condition.
    halvings: u32,
    /// Range of the buffer that has been read from the source and not consumed yet.
    unread: Range<usize>,
    /// The beginning of the part of the buffer that the last event consumed. It ends where `unread` begins, so whatever
    /// moves `unread` sets it.
    last: usize,
    pub(super) decoder: D,
    /// The source has reported its end.
    ended: bool,
    /// The last read has not made its task wait; see [`fair`](super::fair).
    pub(super) is_pause_due: bool,
    /// A seek failed: the position of the source is unknown.
    pub(super) desynchronised: bool,
}

impl<B, D> Frame<B, D> {
    pub(super) const fn new(buffer: B, is_halved: bool, decoder: D) -> Self {
        Self {
            buffer,
            halvings: is_halved as u32,
            unread: 0..0,
            last: 0,
            decoder,
            ended: false,
            is_pause_due: false,
            desynchronised: false,
        }
    }

    pub(super) const fn usable<E, K>(&self) -> Result<(), ReadError<E, K>> {
        if self.desynchronised { Err(ReadError::Lost) } else { Ok(()) }
    }

    /// Drops `n` unread bytes, or all if there are fewer. They are no event's.
    fn pass(&mut self, n: usize) {
        self.unread.start = self.unread.start.saturating_add(n).min(self.unread.end);
        self.last = self.unread.start;
    }

    /// Discards the input that was read ahead, after the source has moved.
    pub(super) const fn moved(&mut self) {
        self.unread = 0..0;
        self.last = 0;
        self.ended = false;
    }
}

impl<B: Buffer, D> Frame<B, D> {
    /// The bytes that the last event consumed.
    pub(super) fn last(&self) -> &[u8] {
        part(self.buffer.as_ref(), self.last..self.unread.start)
    }

    pub(super) fn unread(&self) -> &[u8] {
        part(self.buffer.as_ref(), self.unread.clone())
    }

    /// The room for the next read. Only called if nothing is unread.
    pub(super) fn room<E, K>(&mut self) -> Result<&mut [u8], ReadError<E, K>> {
        let buffer = self.buffer.as_mut();
        // It does not wrap: a slice has at most `isize::MAX` bytes.
        let length = buffer.len().wrapping_add(self.halvings as usize).wrapping_shr(self.halvings);
        let room = prefix_mut(buffer, length);
        // Nothing is unread. `filled` takes the length of the room from here.
        self.unread = room.len()..room.len();
        self.last = room.len();
        if room.is_empty() { Err(ReadError::NoBuffer) } else { Ok(room) }
    }

    /// Reports the number of bytes read into the room, after [`room`](Self::room). 0 means the end of the source.
    pub(super) fn filled(&mut self, n: usize) {
        // A source that claims to have read more than there was room for is taken to have filled the room.
        self.unread = 0..n.min(self.unread.end);
        self.last = 0;
        self.ended = n == 0;
    }

    /// The length of the half of the buffer that holds no input.
    pub(super) fn room_beside(&mut self) -> usize {
        halves(self.buffer.as_mut()).1.len()
    }

    /// Calls with the decoder, the bytes that the last step consumed, and the half of the buffer that holds no input.
    pub(super) fn with_other_half<T>(&mut self, call: impl FnOnce(&D, &[u8], &mut [u8]) -> T) -> T {
        let (first, other) = halves(self.buffer.as_mut());
        call(&self.decoder, part(first, self.last..self.unread.start), other)
    }
}

impl<B: Buffer, D: Decode> Frame<B, D> {
    /// Returns the next event; `None` at the end of the source.
    pub(super) fn next<E>(&mut self) -> Job<Option<D::Event>, E, D::ErrorKind> {
        loop {
            let input = part(self.buffer.as_ref(), self.unread.clone());
            let (start, available, position) = (self.unread.start, input.len(), self.decoder.position());
            let step = match self.decoder.push(input) {
                Ok(step) => step,
                Err(error) => {
                    // The bytes that led to the error are consumed, so that reading can continue from a known position.
                    // (`D` can be a decoder of another crate, whose positions nothing here guarantees.)
                    let consumed = self.decoder.position().saturating_sub(position);
                    self.pass(usize::try_from(consumed).unwrap_or(usize::MAX));
                    return Poll::Ready(Err(error.into()));
                }
            };
            self.pass(step.consumed);
            self.last = start;
            if step.event.is_some() {
                return Poll::Ready(Ok(step.event));
            }
            if available == 0 {
                return if self.ended { Poll::Ready(Ok(self.decoder.finish()?)) } else { Poll::Pending };
            }
            if step.consumed == 0 {
                return Poll::Ready(Err(ReadError::NoProgress));
            }
        }
    }

    /// The number of payload bytes that follow, if the decoder is in a payload.
    pub(super) fn payload(&self) -> u64 {
        if let Demand::Skip(left) = self.decoder.demand() { left } else { 0 }
    }

    /// Passes the next payload bytes, at most `most`, to `each`. No bytes are passed if no payload is open, if `most`
    /// is 0, or at the end of the source.
    pub(super) fn take<E, T>(
        &mut self,
        most: usize,
        each: impl FnOnce(&[u8]) -> T,
    ) -> Job<T, E, D::ErrorKind> {
        let most = usize::try_from(self.payload()).unwrap_or(usize::MAX).min(most);
        if most > 0 && self.unread.is_empty() && !self.ended {
            return Poll::Pending;
        }
        let unread = part(self.buffer.as_ref(), self.unread.clone());
        let (n, start) = (unread.len().min(most), self.unread.start);
        Self::consume(&mut self.decoder, prefix(unread, n))?;
        self.pass(n);
        self.last = start;
        Poll::Ready(Ok(each(self.last())))
    }

    /// The number of payload bytes in the buffer, at least 1. The end of the source inside the payload is an error,
    /// as is that no payload is open.
    pub(super) fn available<E>(&mut self) -> Job<usize, E, D::ErrorKind> {
        let payload = self.payload();
        match (payload, self.unread.len(), self.ended) {
            (0, ..) => Poll::Ready(Err(ReadError::NotOpen)),
            (_, 0, true) => Poll::Ready(Err(self.truncated())),
            (_, 0, false) => Poll::Pending,
            (_, unread, _) => Poll::Ready(Ok(usize::try_from(payload).unwrap_or(usize::MAX).min(unread))),
        }
    }

    /// The error of the decoder if the source ends inside the open payload.
    pub(super) fn truncated<E>(&mut self) -> ReadError<E, D::ErrorKind> {
        match self.decoder.finish() {
            Err(error) => error.into(),
            // No decoder accepts the end of the input inside a payload.
            Ok(_) => ReadError::NoProgress,
        }
    }

    /// Fills the front of `out` with payload from the buffer. Returns the number of bytes.
    pub(super) fn copy<E>(&mut self, out: &mut [u8]) -> Job<usize, E, D::ErrorKind> {
        self.take(out.len(), |bytes| copy(out, bytes))
    }

    /// The front of `out` that a read can fill with payload directly; `None` if input is buffered.
    pub(super) fn direct<'o>(&self, out: &'o mut [u8]) -> Option<&'o mut [u8]> {
        let most = usize::try_from(self.payload()).unwrap_or(usize::MAX).min(out.len());
        if self.unread.is_empty() && most > 0 { out.get_mut(..most) } else { None }
    }

    /// Reports payload bytes that were read directly. No bytes mean the end of the source.
    pub(super) fn payload_read<E>(&mut self, bytes: &[u8]) -> Result<usize, ReadError<E, D::ErrorKind>> {
        self.ended = bytes.is_empty();
        Self::consume(&mut self.decoder, bytes)?;
        Ok(bytes.len())
    }

    /// Reads payload into a part of a target. Returns the number of bytes: at least 1, unless the part is empty or the
    /// payload is at its end.
    pub(super) fn read<E>(
        &mut self,
        target: &mut Target<'_>,
        to: Range<usize>,
    ) -> Job<usize, E, D::ErrorKind> {
        match target.arrived.take() {
            Some(0) => return Poll::Ready(Err(self.truncated())),
            Some(n) => return Poll::Ready(Ok(n)),
            None => {}
        }
        let start = to.start;
        let room = part_mut(target.out, to);
        match self.direct(room) {
            Some(direct) => {
                target.direct = start..start.saturating_add(direct.len());
                Poll::Pending
            }
            None => self.copy(room),
        }
    }

    /// Fills the first `n` bytes of a target with payload. The bytes are counted until the target is full.
    pub(super) fn fill<E>(
        &mut self,
        target: &mut Target<'_>,
        n: usize,
        delivery: &mut Delivery,
    ) -> Job<(), E, D::ErrorKind> {
        while delivery.done < n {
            match ready!(self.read(target, delivery.done..n)?) {
                0 => return Poll::Ready(Err(self.truncated())),
                n => delivery.add(n),
            }
        }
        delivery.end();
        Poll::Ready(Ok(()))
    }

    /// Reports the number of bytes read: into the target if the job has requested that, otherwise into the room.
    pub(super) fn arrived<E>(
        &mut self,
        target: &mut Target<'_>,
        n: usize,
    ) -> Result<(), ReadError<E, D::ErrorKind>> {
        let direct = core::mem::take(&mut target.direct);
        if direct.is_empty() {
            self.filled(n);
        } else {
            let room = part(target.out, direct);
            let bytes = prefix(room, n.min(room.len()));
            target.arrived = Some(self.payload_read(bytes)?);
        }
        Ok(())
    }

    /// Pushes payload through the decoder.
    fn consume<E>(decoder: &mut D, payload: &[u8]) -> Result<(), ReadError<E, D::ErrorKind>> {
        let mut rest = payload;
        while !rest.is_empty() {
            let step = decoder.push(rest)?;
            if step.consumed == 0 && step.event.is_none() {
                return Err(ReadError::NoProgress);
            }
            rest = rest.get(step.consumed..).unwrap_or_default();
        }
        Ok(())
    }

    /// Skips the payload that follows, at most to the end of the source.
    pub(super) fn skip<E>(&mut self) -> Job<(), E, D::ErrorKind> {
        loop {
            let left = self.payload();
            if left == 0 {
                return Poll::Ready(Ok(()));
            }
            if self.unread.is_empty() {
                return if self.ended { Poll::Ready(Ok(())) } else { Poll::Pending };
            }
            let n = self.unread.len().min(usize::try_from(left).unwrap_or(usize::MAX));
            self.decoder.skip(n as u64)?;
            self.pass(n);
        }
    }

    /// True if all of the payload that follows is in the buffer, so that no seek is needed to skip it.
    pub(super) fn has_payload(&self) -> bool {
        self.payload() <= self.unread().len() as u64
    }

    /// Returns the offset where the payload ends, for a seek of the source, and skips it in the decoder. The source is
    /// at `at` and has `length` bytes. The offset is at most the end of the source, so that a truncated payload is
    /// reported as if it had been read.
    pub(super) fn skip_to<E>(&mut self, at: u64, length: u64) -> Result<u64, ReadError<E, D::ErrorKind>> {
        let here = at.saturating_sub(self.unread().len() as u64);
        let n = self.payload().min(length.saturating_sub(here));
        self.decoder.skip(n)?;
        self.moved();
        Ok(here.saturating_add(n))
    }

    /// Takes the result of a seek. After a failed seek the position of the source is unknown.
    pub(super) fn sought<E>(&mut self, seek: Result<u64, E>) -> Result<u64, ReadError<E, D::ErrorKind>> {
        self.desynchronised = seek.is_err();
        seek.map_err(ReadError::Io)
    }
}

/// The half of a buffer for input, and the other half.
fn halves(buffer: &mut [u8]) -> (&mut [u8], &mut [u8]) {
    let input = buffer.len().div_ceil(2);
    split_mut(buffer, input)
}

/// The slice of the caller that a job fills. Bytes that are not in the buffer are read directly into it.
#[derive(Debug)]
pub(super) struct Target<'o> {
    pub(super) out: &'o mut [u8],
    /// Range of `out` for the next read. If it is empty, the next read fills the buffer.
    direct: Range<usize>,
    /// Number of bytes that the last read has put into `out`.
    arrived: Option<usize>,
}

impl<'o> Target<'o> {
    pub(super) const fn new(out: &'o mut [u8]) -> Self {
        Self { out, direct: 0..0, arrived: None }
    }

    /// The room for the next read, if it fills the slice directly.
    pub(super) fn room(&mut self) -> Option<&mut [u8]> {
        if self.direct.is_empty() { None } else { Some(part_mut(self.out, self.direct.clone())) }
    }
}

/// Amount that the current call has put into the slice of the caller, or passed to the callback, in bytes or in
/// numbers. It is reset when the call completes. If the source fails or the future is dropped, it remains: the
/// delivered part is not in the reader any more, so the next call is refused until the caller has asked for the amount.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Delivery {
    pub(super) done: usize,
}

impl Delivery {
    pub(super) const NONE: Self = Self { done: 0 };

    /// Refuses a call after one that was interrupted.
    pub(super) const fn begin<E, K>(self) -> Result<(), ReadError<E, K>> {
        if self.done == 0 { Ok(()) } else { Err(ReadError::Interrupted { done: self.done as u64 }) }
    }

    /// Counts what has just been delivered. Callbacks can be passed more than memory can address.
    pub(super) const fn add(&mut self, n: usize) {
        self.done = self.done.saturating_add(n);
    }

    /// Resets the amount after a call is complete, or its data are given up. Returns the amount before.
    pub(super) const fn end(&mut self) -> usize {
        core::mem::replace(&mut self.done, 0)
    }
}

/// Wraps a callback for sites, so that it is not called again after it has stopped.
pub(super) fn until_stopped<O: Outcome>(
    mut each: impl FnMut(Site<'_>) -> O,
) -> impl FnMut(Site<'_>) -> Result<(), O::Error> {
    let mut flow = ControlFlow::Continue(());
    move |site| {
        if flow.is_continue() {
            flow = each(site).into_result()?;
        }
        Ok(())
    }
}
