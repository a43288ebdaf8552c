//! What the readers of volumes do between reads of their source.

use core::convert::Infallible;
use core::ops::ControlFlow;
use core::task::Poll;

use crate::bytes::{copy, keep, part, prefix, suffix, suffix_mut};
use crate::callback::{CallbackError, Outcome};
use crate::counter::{Counter as _, at_most};
use crate::error::Error;
use crate::field::{Field, Site};
use crate::io::buffer::Buffer;
use crate::io::error::ReadError;
use crate::io::frame::Delivery;
use crate::lime::Record;
use crate::limits::Limits;
use crate::step::{Decode as _, Demand, SeekPayload as _};
use crate::volume::{Decoder, ErrorKind, Event, SitePositions, SiteStream, SitesRead};

pub(super) type VolumeError<E> = ReadError<E, ErrorKind>;

/// What a job comes to: `T`, or an error of the volume or of a callback.
pub(super) type Run<T, E, C> = Result<T, CallbackError<VolumeError<E>, C>>;

/// What a job needs of the source.
#[derive(Debug)]
pub(super) enum Need<'n> {
    /// The offset of its end.
    End,
    /// Bytes from this offset on, as many as there are.
    Bytes { at: u64, into: &'n mut [u8] },
}

/// A job that is run until it is ready; before each further run it gets what it needs.
pub(super) trait Job<E> {
    type Done;
    /// What a callback can return.
    type Callback;

    fn run(&mut self) -> Poll<Run<Self::Done, E, Self::Callback>>;

    /// What it waits for.
    fn need(&mut self) -> Result<Need<'_>, VolumeError<E>>;

    /// The end of the source is at this offset.
    fn end_is(&mut self, end: u64) -> Result<(), VolumeError<E>> {
        let _ = end;
        Ok(())
    }

    /// So many bytes have been read; 0 at the end of the source.
    fn filled(&mut self, n: usize);
}

/// The next bytes of a payload.
fn window_need<'n, E>(window: &mut Window, buffer: &'n mut [u8]) -> Result<Need<'n>, VolumeError<E>> {
    let (at, into) = window.room(buffer).ok_or(ReadError::NoBuffer)?;
    Ok(Need::Bytes { at, into })
}

/// A decoder and the buffers of its reader.
#[derive(Debug)]
pub(super) struct VolumeFrame<L, B> {
    pub(super) decoder: Decoder,
    /// A part of the site list.
    pub(super) list: L,
    /// Bytes of the file.
    pub(super) buffer: B,
    pub(super) limits: Limits,
    /// Sites of the current field that a call has passed to its callback.
    pub(super) delivery: Delivery,
    /// Bytes in the buffer that are read and not consumed, from the decoder's position on.
    from: usize,
    to: usize,
}

impl<L: Buffer, B: Buffer> VolumeFrame<L, B> {
    pub(super) const fn new(list: L, buffer: B, decoder: Decoder) -> Self {
        Self { list, buffer, decoder, limits: Limits::DEFAULT, delivery: Delivery::NONE, from: 0, to: 0 }
    }

    /// What is in the buffer is not what follows.
    pub(super) const fn forget(&mut self) {
        (self.from, self.to) = (0, 0);
    }

    /// The field whose data have just begun, and have not been read in part.
    pub(super) fn field<E>(&self) -> Result<Field, VolumeError<E>> {
        self.delivery.begin()?;
        let is_begin = self.decoder.content().lime().payload_position() == Some(0);
        self.decoder.field().copied().filter(|_| is_begin).ok_or(ReadError::NotOpen)
    }

    /// Goes to the end of data that have been joined.
    pub(super) fn pass_joined<E>(&mut self, joined: &Joined) -> Result<(), VolumeError<E>> {
        self.forget();
        self.delivery.end();
        self.decoder.skip(joined.read)?;
        if joined.is_truncated {
            return Err(self.decoder.finish().err().map_or(ReadError::NoProgress, ReadError::from));
        }
        Ok(())
    }
}

/// Finds the next event.
#[derive(Debug)]
pub(super) struct NextEvent<'f, L, B> {
    frame: &'f mut VolumeFrame<L, B>,
    needs_end: bool,
    /// Payload has been passed over as far as the source goes.
    is_passed: bool,
    is_at_end: bool,
}

impl<'f, L: Buffer, B: Buffer> NextEvent<'f, L, B> {
    pub(super) const fn new(frame: &'f mut VolumeFrame<L, B>) -> Self {
        frame.delivery.end();
        Self { frame, needs_end: false, is_passed: false, is_at_end: false }
    }

    /// The payload that is to be passed over.
    fn demand(&self) -> Option<u64> {
        match self.frame.decoder.demand() {
            Demand::Skip(n) => Some(n),
            _ => None,
        }
    }
}

impl<E, L: Buffer, B: Buffer> Job<E> for NextEvent<'_, L, B> {
    type Done = Option<Event>;
    type Callback = Infallible;

    fn run(&mut self) -> Poll<Run<Option<Event>, E, Infallible>> {
        loop {
            if self.is_at_end {
                return Poll::Ready(
                    self.frame.decoder.finish().map_err(|error| ReadError::from(error).into()),
                );
            }
            self.needs_end = !self.is_passed && self.demand().is_some();
            if self.needs_end {
                return Poll::Pending;
            }
            self.is_passed = false;
            let frame = &mut *self.frame;
            let input = part(frame.buffer.as_ref(), frame.from..frame.to);
            let available = input.len();
            match frame.decoder.push(input) {
                Ok(step) => {
                    frame.from = frame.from.plus(step.consumed);
                    if step.event.is_some() {
                        return Poll::Ready(Ok(step.event));
                    }
                }
                Err(error) => return Poll::Ready(Err(ReadError::from(error).into())),
            }
            if available == 0 {
                return Poll::Pending;
            }
        }
    }

    fn need(&mut self) -> Result<Need<'_>, VolumeError<E>> {
        if self.needs_end {
            return Ok(Need::End);
        }
        if self.frame.buffer.as_ref().is_empty() {
            return Err(ReadError::NoBuffer);
        }
        Ok(Need::Bytes { at: self.frame.decoder.position(), into: self.frame.buffer.as_mut() })
    }

    fn end_is(&mut self, end: u64) -> Result<(), VolumeError<E>> {
        let there = end.saturating_sub(self.frame.decoder.position());
        let n = self.demand().map_or(0, |n| n.min(there));
        self.frame.decoder.skip(n)?;
        let unread = self.frame.to.minus(self.frame.from);
        self.frame.from = self.frame.from.plus(at_most(n, unread));
        self.is_passed = true;
        Ok(())
    }

    fn filled(&mut self, n: usize) {
        (self.frame.from, self.frame.to) = (0, n);
        self.is_at_end = n == 0;
    }
}

/// Joins the site list and the data of a field.
#[derive(Debug)]
pub(super) struct Join<'f, L, B, F> {
    frame: &'f mut VolumeFrame<L, B>,
    field: Field,
    positions: SitePositions,
    size: usize,
    list: Window,
    data: Window,
    stream: SiteStream,
    joined: Joined,
    each: F,
    /// The data are those of the current field, and are read once.
    is_current: bool,
    needs_list: bool,
    is_at_end: bool,
}

impl<'f, L: Buffer, B: Buffer, F> Join<'f, L, B, F> {
    pub(super) fn new<E>(
        frame: &'f mut VolumeFrame<L, B>,
        field: &Field,
        is_current: bool,
        each: F,
    ) -> Result<Self, VolumeError<E>> {
        frame.forget();
        let list = frame.decoder.site_list().ok_or(ReadError::NotOpen)?;
        let size =
            usize::try_from(field.bytes_per_site).ok().filter(|size| *size <= frame.buffer.as_ref().len());
        let Some(size) = size.filter(|size| *size > 0) else {
            frame.limits.check(field.bytes_per_site)?;
            return Err(ReadError::TooSmall { needed: field.bytes_per_site.max(1) });
        };
        let stream = SiteStream::new(field, frame.decoder.entry_width());
        Ok(Self {
            frame,
            field: *field,
            positions: SitePositions::new(field.extents),
            size,
            list: Window::of(&list),
            data: Window::of(&field.record),
            stream,
            joined: Joined::default(),
            each,
            is_current,
            needs_list: false,
            is_at_end: false,
        })
    }

    fn finish(&mut self) -> Joined {
        let mut joined = core::mem::take(&mut self.joined);
        let unread = self.field.record.length.saturating_sub(joined.read);
        let is_cut = joined.is_truncated || joined.is_stopped;
        joined.fault = if is_cut { None } else { self.stream.fault(unread) };
        joined.sites = self.stream.sites_read();
        joined
    }
}

impl<E, L: Buffer, B: Buffer, O: Outcome, F: FnMut(Site<'_>) -> O> Job<E> for Join<'_, L, B, F> {
    type Done = Joined;
    type Callback = O::Error;

    fn run(&mut self) -> Poll<Run<Joined, E, O::Error>> {
        loop {
            let rest = self.data.bytes(self.frame.buffer.as_ref());
            self.needs_list = rest.len() >= self.size || self.data.is_read();
            if !self.needs_list {
                if self.is_at_end {
                    self.joined.is_truncated = true;
                    return Poll::Ready(Ok(self.finish()));
                }
                return Poll::Pending;
            }
            let site = prefix(rest, self.size.min(rest.len()));
            let step = self.stream.push(self.list.bytes(self.frame.list.as_ref()), site);
            self.list.consume(step.list);
            let Some(piece) = step.piece else {
                return if self.is_at_end { Poll::Ready(Ok(self.finish())) } else { Poll::Pending };
            };
            if self.is_current {
                self.frame.delivery.add(1);
            }
            // The lattice has no position for ranks that it does not have.
            let position = self.positions.next(piece.rank).filter(|_| site.len() == self.size);
            let outcome =
                position.map(|position| (self.each)(Site::new(&self.field, position, site)).into_result());
            self.data.consume(step.data);
            self.joined.read = self.joined.read.plus(step.data as u64);
            match outcome.unwrap_or(Ok(ControlFlow::Continue(()))) {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => {
                    self.joined.is_stopped = true;
                    return Poll::Ready(Ok(self.finish()));
                }
                Err(error) => return Poll::Ready(Err(CallbackError::Callback(error))),
            }
        }
    }

    fn need(&mut self) -> Result<Need<'_>, VolumeError<E>> {
        if self.needs_list {
            window_need(&mut self.list, self.frame.list.as_mut())
        } else {
            window_need(&mut self.data, self.frame.buffer.as_mut())
        }
    }

    fn filled(&mut self, n: usize) {
        self.is_at_end = n == 0;
        if self.needs_list {
            self.list.filled(n);
        } else {
            self.data.filled(n);
        }
    }
}

/// Passes the ranks of the site list on.
#[derive(Debug)]
pub(super) struct Ranks<'f, L, B, F> {
    frame: &'f mut VolumeFrame<L, B>,
    list: Window,
    /// The beginning of an entry of which the rest is not in the buffer.
    entry: [u8; 8],
    begun: usize,
    each: F,
    is_at_end: bool,
}

impl<'f, L: Buffer, B: Buffer, F> Ranks<'f, L, B, F> {
    pub(super) fn new<E>(frame: &'f mut VolumeFrame<L, B>, each: F) -> Result<Self, VolumeError<E>> {
        let list = Window::of(&frame.decoder.site_list().ok_or(ReadError::NotOpen)?);
        Ok(Self { frame, list, entry: [0; 8], begun: 0, each, is_at_end: false })
    }
}

impl<E, L: Buffer, B: Buffer, O: Outcome, F: FnMut(u64) -> O> Job<E> for Ranks<'_, L, B, F> {
    type Done = ();
    type Callback = O::Error;

    fn run(&mut self) -> Poll<Run<(), E, O::Error>> {
        let width = self.frame.decoder.entry_width();
        loop {
            let bytes = self.list.bytes(self.frame.list.as_ref());
            if bytes.is_empty() {
                return if self.is_at_end { Poll::Ready(Ok(())) } else { Poll::Pending };
            }
            let missing = width.bytes().minus(self.begun);
            let n = copy(suffix_mut(&mut self.entry, self.begun), prefix(bytes, missing.min(bytes.len())));
            self.list.consume(n);
            self.begun = self.begun.plus(n);
            if self.begun < width.bytes() {
                continue;
            }
            self.begun = 0;
            let Some(rank) = width.rank(prefix(&self.entry, width.bytes())) else { continue };
            match (self.each)(rank).into_result() {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => return Poll::Ready(Ok(())),
                Err(error) => return Poll::Ready(Err(CallbackError::Callback(error))),
            }
        }
    }

    fn need(&mut self) -> Result<Need<'_>, VolumeError<E>> {
        window_need(&mut self.list, self.frame.list.as_mut())
    }

    fn filled(&mut self, n: usize) {
        self.is_at_end = n == 0;
        self.list.filled(n);
    }
}

/// A site list and data that have been joined, as far as they go.
#[derive(Debug, Default)]
pub(super) struct Joined {
    pub(super) sites: SitesRead,
    /// Bytes of the data that were read.
    pub(super) read: u64,
    pub(super) fault: Option<ErrorKind>,
    /// The source ends before the data do.
    pub(super) is_truncated: bool,
    /// The callback has ended it.
    pub(super) is_stopped: bool,
}

impl Joined {
    /// The sites.
    pub(super) fn result(self, field: &Field) -> Result<SitesRead, Error<ErrorKind>> {
        match self.fault {
            Some(kind) => Err(Error::new(field.record.offset, kind)),
            None => Ok(self.sites),
        }
    }
}

/// The part of a payload that lies in a buffer.
#[derive(Debug)]
pub(super) struct Window {
    /// Absolute offset of the first byte that has not been read.
    at: u64,
    left: u64,
    /// Bytes of the buffer that are not consumed.
    from: usize,
    to: usize,
}

impl Window {
    pub(super) const fn of(record: &Record) -> Self {
        Self { at: record.payload_offset(), left: record.length, from: 0, to: 0 }
    }

    /// What is in the buffer.
    pub(super) fn bytes<'l>(&self, buffer: &'l [u8]) -> &'l [u8] {
        suffix(prefix(buffer, self.to), self.from)
    }

    pub(super) fn consume(&mut self, n: usize) {
        self.from = self.from.plus(n);
    }

    /// Whether nothing is left after what is in the buffer.
    pub(super) const fn is_read(&self) -> bool {
        self.left == 0
    }

    /// Where the next bytes are, and the room for them after those that are not consumed. `None` without a buffer.
    pub(super) fn room<'n>(&mut self, buffer: &'n mut [u8]) -> Option<(u64, &'n mut [u8])> {
        if buffer.is_empty() {
            return None;
        }
        keep(buffer, self.from..self.to);
        (self.from, self.to) = (0, self.to.minus(self.from));
        let n = at_most(self.left, buffer.len().minus(self.to));
        Some((self.at, prefix_of(suffix_mut(buffer, self.to), n)))
    }

    /// So many bytes have been read into that room.
    pub(super) fn filled(&mut self, n: usize) {
        self.to = self.to.plus(n);
        self.at = self.at.saturating_add(n as u64);
        self.left = self.left.minus(n as u64);
    }
}

/// At most the first `n` bytes.
fn prefix_of(bytes: &mut [u8], n: usize) -> &mut [u8] {
    let n = n.min(bytes.len());
    bytes.get_mut(..n).unwrap_or_default()
}
