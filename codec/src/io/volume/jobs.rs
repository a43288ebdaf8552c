//! The frame of [`VolumeReader`](crate::io::VolumeReader), and its jobs. Like the jobs of the other readers, they are
//! functions of a frame and read nothing themselves. This frame has two buffers, which are filled from two parts of the
//! file: the site list is read a second time together with the data.

use core::ops::{ControlFlow, Range};
use core::task::Poll;

use crate::bytes::{copy, keep, prefix, prefix_mut, suffix, suffix_mut};
use crate::callback::Outcome;
use crate::counter::{Counter as _, at_most};
use crate::error::{Error, Misuse};
use crate::field::{Field, Site};
use crate::io::buffer::Buffer;
use crate::io::error::ReadError;
use crate::io::frame::{Delivery, Job};
use crate::limits::Limits;
use crate::step::{Decode as _, Demand, SeekPayload as _};
use crate::volume::{Decoder, ErrorKind, Event, SitePositions, SiteStream, SitesRead};

pub(super) type VolumeError<E> = ReadError<E, ErrorKind>;

/// Input that a pending job needs from the source.
#[derive(Debug, Clone, Copy)]
pub(super) enum Need {
    /// The offset of its end.
    End,
    /// The next bytes of the site list.
    List,
    /// The next bytes of the data, or of other input of the decoder.
    Data,
}

/// A decoder and the buffers of its reader.
#[derive(Debug)]
pub(super) struct VolumeFrame<L, B> {
    pub(super) decoder: Decoder,
    list: Window<L>,
    data: Window<B>,
    /// The limit of the caller, or of the source as soon as it has been asked for its length.
    pub(super) limits: Option<Limits>,
    /// Sites of the current field that a call has passed to its callback.
    pub(super) delivery: Delivery,
    pub(super) need: Need,
    /// The offset of the end of the source, if a job has asked for it.
    pub(super) end: Option<u64>,
    /// The last read found the end of the source, or of the payload.
    ended: bool,
}

impl<L: Buffer, B: Buffer> VolumeFrame<L, B> {
    pub(super) const fn new(list: L, buffer: B, decoder: Decoder) -> Self {
        Self {
            decoder,
            list: Window::new(list),
            data: Window::new(buffer),
            limits: None,
            delivery: Delivery::NONE,
            need: Need::Data,
            end: None,
            ended: false,
        }
    }

    /// Begins a job.
    pub(super) const fn begin(&mut self) {
        (self.end, self.ended) = (None, false);
    }

    /// The room for the bytes that the job needs, and their offset.
    pub(super) fn room<E>(&mut self) -> Result<(u64, &mut [u8]), VolumeError<E>> {
        let room = match self.need {
            Need::List => self.list.room(),
            Need::Data | Need::End => self.data.room(),
        };
        room.ok_or(ReadError::NoBuffer)
    }

    /// Reports the number of bytes read into the room. 0 means that there are no more.
    pub(super) fn filled(&mut self, n: usize) {
        self.ended = n == 0;
        match self.need {
            Need::List => self.list.filled(n),
            Need::Data | Need::End => self.data.filled(n),
        }
    }

    fn wait_for<T>(&mut self, need: Need) -> Poll<T> {
        self.need = need;
        Poll::Pending
    }

    /// Returns the next event; `None` at the end of the source.
    pub(super) fn next<E>(&mut self) -> Job<Option<Event>, E, ErrorKind> {
        self.data.go_to(self.decoder.position());
        loop {
            if self.ended {
                return Poll::Ready(Ok(self.decoder.finish()?));
            }
            if let Demand::Skip(payload) = self.decoder.demand() {
                let Some(end) = self.end.take() else { return self.wait_for(Need::End) };
                // Not beyond the end of the source, so that a truncated payload is reported as if it had been read.
                let there = end.saturating_sub(self.decoder.position());
                self.decoder.skip(payload.min(there))?;
                self.data.go_to(self.decoder.position());
            }
            let input = self.data.bytes();
            let available = input.len();
            let step = self.decoder.push(input)?;
            self.data.consume(step.consumed);
            if step.event.is_some() {
                return Poll::Ready(Ok(step.event));
            }
            if available == 0 {
                return self.wait_for(Need::Data);
            }
        }
    }

    /// The size of a site of the field, if the buffer holds one.
    pub(super) fn site_size(&self, field: &Field) -> Option<usize> {
        let room = self.data.buffer.as_ref().len();
        usize::try_from(field.bytes_per_site).ok().filter(|size| (1..=room).contains(size))
    }

    /// The field whose data have just begun, and have not been read in part.
    pub(super) fn field<E>(&self) -> Result<Field, VolumeError<E>> {
        self.delivery.begin()?;
        let lime = self.decoder.content().lime();
        let is_begin = lime.payload_position() == Some(0);
        // Until the decoder has reported the field of a record, it has the one of an earlier record.
        let field = self.decoder.field().copied().filter(|field| is_begin && field.record == lime.record());
        field.ok_or(ReadError::NotOpen)
    }

    /// Goes to the end of data that have been joined with the site list.
    pub(super) fn pass_joined<E>(&mut self, joined: &Joined) -> Result<(), VolumeError<E>> {
        self.delivery.end();
        self.decoder.skip(joined.read)?;
        if joined.is_truncated {
            return Err(self.decoder.finish().err().map_or(ReadError::NoProgress, ReadError::from));
        }
        Ok(())
    }
}

/// Joins the site list and the data of a field.
#[derive(Debug)]
pub(super) struct Join<F> {
    field: Field,
    positions: SitePositions,
    size: usize,
    stream: SiteStream,
    joined: Joined,
    each: F,
    /// The data belong to the current field, and are read once.
    is_current: bool,
    /// Only a part of the list is read.
    is_part: bool,
}

impl<F> Join<F> {
    pub(super) fn new<E>(
        frame: &mut VolumeFrame<impl Buffer, impl Buffer>,
        field: &Field,
        is_current: bool,
        each: F,
    ) -> Result<Self, VolumeError<E>> {
        let list = frame.decoder.site_list().ok_or(ReadError::NotOpen)?;
        let Some(size) = frame.site_size(field) else {
            frame.limits.unwrap_or_default().check(field.bytes_per_site)?;
            return Err(ReadError::TooSmall { needed: field.bytes_per_site.max(1) });
        };
        frame.list.open(list.payload_offset(), list.length);
        frame.data.open(field.record.payload_offset(), field.record.length);
        let (field, positions) = (*field, SitePositions::new(field.extents));
        let stream = SiteStream::new(&field, frame.decoder.entry_width());
        let (joined, is_part) = (Joined::default(), false);
        Ok(Self { field, positions, size, stream, joined, each, is_current, is_part })
    }

    /// The sites of the entries `entries` of the list; the first of them with data has the index `first` in the data.
    pub(super) fn part<E>(
        frame: &mut VolumeFrame<impl Buffer, impl Buffer>,
        field: &Field,
        entries: Range<u64>,
        first: u64,
        each: F,
    ) -> Result<Self, VolumeError<E>> {
        let mut join = Self::new(frame, field, false, each)?;
        let outside = || {
            let at = if field.record.length > 0 { field.record.offset } else { frame.decoder.position() };
            Error::new(at, crate::lime::ErrorKind::Misuse(Misuse::Outside).into())
        };
        let list = frame.decoder.site_list().ok_or(ReadError::NotOpen)?;
        let width = frame.decoder.entry_width().size() as u64;
        let (from, to) = (entries.start.checked_mul(width), entries.end.checked_mul(width));
        let (from, to) = from.zip(to).ok_or_else(outside)?;
        let skipped = first.checked_mul(field.bytes_per_site);
        let skipped = skipped.filter(|skipped| *skipped <= field.record.length).ok_or_else(outside)?;
        if from > to || to > list.length {
            return Err(outside().into());
        }
        // No more than the data of these entries: what follows belongs to other sites.
        let most = entries.end.minus(entries.start).saturating_mul(field.bytes_per_site);
        let length = field.record.length.minus(skipped).min(most);
        frame.list.open(list.payload_offset().saturating_add(from), to.minus(from));
        frame.data.open(field.record.payload_offset().saturating_add(skipped), length);
        join.positions.go_to(first);
        join.is_part = true;
        Ok(join)
    }

    fn finish<E, X>(&mut self) -> Job<Result<Joined, X>, E, ErrorKind> {
        let mut joined = core::mem::take(&mut self.joined);
        // Data after a part belong to other sites.
        let unread = if self.is_part { 0 } else { self.field.record.length.saturating_sub(joined.read) };
        let is_cut = joined.is_truncated || joined.is_stopped;
        joined.fault = if is_cut { None } else { self.stream.fault(unread) };
        joined.sites = self.stream.sites_read();
        Poll::Ready(Ok(Ok(joined)))
    }

    pub(super) fn run<E, O: Outcome>(
        &mut self,
        frame: &mut VolumeFrame<impl Buffer, impl Buffer>,
    ) -> Job<Result<Joined, O::Error>, E, ErrorKind>
    where
        F: FnMut(Site<'_>) -> O,
    {
        loop {
            let rest = frame.data.bytes();
            if rest.len() < self.size && !frame.data.is_read() {
                if frame.ended {
                    self.joined.is_truncated = true;
                    return self.finish();
                }
                return frame.wait_for(Need::Data);
            }
            let site = prefix(rest, self.size.min(rest.len()));
            let step = self.stream.push(frame.list.bytes(), site);
            frame.list.consume(step.list);
            let Some(piece) = step.piece else {
                return if frame.ended { self.finish() } else { frame.wait_for(Need::List) };
            };
            if self.is_current {
                frame.delivery.add(1);
            }
            // Ranks outside the lattice have no position, and are not passed on.
            let position = self.positions.next(piece.rank).filter(|_| site.len() == self.size);
            let outcome =
                position.map(|position| (self.each)(Site::new(&self.field, position, site)).into_result());
            frame.data.consume(step.data);
            self.joined.read = self.joined.read.plus(step.data as u64);
            match outcome.unwrap_or(Ok(ControlFlow::Continue(()))) {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => {
                    self.joined.is_stopped = true;
                    return self.finish();
                }
                Err(error) => return Poll::Ready(Ok(Err(error))),
            }
        }
    }
}

/// Passes the ranks of the site list to a callback.
#[derive(Debug)]
pub(super) struct Ranks<F> {
    /// The first bytes of an entry whose rest is not in the buffer yet.
    entry: [u8; 8],
    begun: usize,
    each: F,
}

impl<F> Ranks<F> {
    pub(super) fn new<E>(
        frame: &mut VolumeFrame<impl Buffer, impl Buffer>,
        each: F,
    ) -> Result<Self, VolumeError<E>> {
        let list = frame.decoder.site_list().ok_or(ReadError::NotOpen)?;
        frame.list.open(list.payload_offset(), list.length);
        Ok(Self { entry: [0; 8], begun: 0, each })
    }

    pub(super) fn run<E, O: Outcome>(
        &mut self,
        frame: &mut VolumeFrame<impl Buffer, impl Buffer>,
    ) -> Job<Result<(), O::Error>, E, ErrorKind>
    where
        F: FnMut(u64) -> O,
    {
        let width = frame.decoder.entry_width();
        loop {
            let bytes = frame.list.bytes();
            if bytes.is_empty() {
                return if frame.ended { Poll::Ready(Ok(Ok(()))) } else { frame.wait_for(Need::List) };
            }
            let missing = width.size().minus(self.begun);
            let n = copy(suffix_mut(&mut self.entry, self.begun), prefix(bytes, missing.min(bytes.len())));
            frame.list.consume(n);
            self.begun = self.begun.plus(n);
            if self.begun < width.size() {
                continue;
            }
            self.begun = 0;
            let Some(rank) = width.rank(prefix(&self.entry, width.size())) else { continue };
            match (self.each)(rank).into_result() {
                Ok(ControlFlow::Continue(())) => {}
                Ok(ControlFlow::Break(())) => return Poll::Ready(Ok(Ok(()))),
                Err(error) => return Poll::Ready(Ok(Err(error))),
            }
        }
    }
}

/// Result of joining a site list and data.
#[derive(Debug, Default)]
pub(super) struct Joined {
    pub(super) sites: SitesRead,
    /// Bytes of the data that were read.
    pub(super) read: u64,
    pub(super) fault: Option<ErrorKind>,
    /// The source ends before the data do.
    pub(super) is_truncated: bool,
    /// The callback has stopped.
    pub(super) is_stopped: bool,
}

impl Joined {
    /// The sites that were read, or the fault.
    pub(super) fn result(self, field: &Field) -> Result<SitesRead, Error<ErrorKind>> {
        match self.fault {
            Some(kind) => Err(Error::new(field.record.offset, kind)),
            None => Ok(self.sites),
        }
    }
}

/// A buffer, and the range of the file that it holds.
#[derive(Debug)]
struct Window<B> {
    buffer: B,
    /// Absolute offset of the first byte that has not been read.
    at: u64,
    /// Number of bytes that can be read from that offset on.
    left: u64,
    /// Range of the buffer that has not been consumed.
    from: usize,
    to: usize,
}

impl<B: Buffer> Window<B> {
    const fn new(buffer: B) -> Self {
        Self { buffer, at: 0, left: 0, from: 0, to: 0 }
    }

    /// Begins to read `length` bytes of a payload.
    const fn open(&mut self, offset: u64, length: u64) {
        (self.at, self.left) = (offset, length);
        (self.from, self.to) = (0, 0);
    }

    /// Goes to an offset. Bytes of the buffer from that offset on are kept.
    fn go_to(&mut self, offset: u64) {
        let unread = self.to.minus(self.from);
        match self.at.checked_sub(offset).and_then(|n| unread.checked_sub(usize::try_from(n).ok()?)) {
            Some(passed) => self.from = self.from.plus(passed),
            None => (self.at, self.from, self.to) = (offset, 0, 0),
        }
        self.left = u64::MAX;
    }

    /// The bytes of the buffer that have not been consumed.
    fn bytes(&self) -> &[u8] {
        suffix(prefix(self.buffer.as_ref(), self.to), self.from)
    }

    fn consume(&mut self, n: usize) {
        self.from = self.from.plus(n);
    }

    /// True if all bytes of the payload have been read into the buffer.
    const fn is_read(&self) -> bool {
        self.left == 0
    }

    /// Offset of the next bytes, and room for them after the bytes that are not consumed. `None` if the buffer is
    /// empty.
    fn room(&mut self) -> Option<(u64, &mut [u8])> {
        let buffer = self.buffer.as_mut();
        if buffer.is_empty() {
            return None;
        }
        keep(buffer, self.from..self.to);
        (self.from, self.to) = (0, self.to.minus(self.from));
        let room = suffix_mut(buffer, self.to);
        let n = at_most(self.left, room.len());
        Some((self.at, prefix_mut(room, n)))
    }

    /// Reports the number of bytes read into the room.
    fn filled(&mut self, n: usize) {
        self.to = self.to.plus(n);
        self.at = self.at.saturating_add(n as u64);
        self.left = self.left.minus(n as u64);
    }
}
