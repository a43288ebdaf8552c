//! The entries of a matrix: the jobs of [`MatrixReader`](crate::io::MatrixReader), for any source.

use core::task::{Poll, ready};

use crate::bytes::{part_mut, prefix, prefix_mut, suffix_mut};
use crate::counter::Counter as _;
use crate::error::{Error, Misuse};
use crate::inebin::{Decoder, Entries, ErrorKind, Event, Header, Value};
use crate::io::buffer::Buffer;
use crate::io::error::ReadError;
use crate::io::frame::{Delivery, Findings, Frame, Job};
use crate::limits::Limits;
use crate::step::{Decode as _, SeekPayload as _};

/// The position among the entries, and what is left over of bytes consumed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cursor {
    /// Number of the next entry in reading order.
    index: u64,
    /// Bytes of the next entry where the input cuts it; the byte that the next entry shares with those before it.
    cut: [u8; 16],
    filled: usize,
    /// The bytes before the position in the next entry were consumed elsewhere: it cannot be given.
    is_lost: bool,
    /// Entries.
    pub(super) delivery: Delivery,
    pub(super) limits: Limits,
    pub(super) findings: Findings<ErrorKind>,
}

impl Cursor {
    pub(super) const START: Self = Self {
        index: 0,
        cut: [0; 16],
        filled: 0,
        is_lost: false,
        delivery: Delivery::NONE,
        limits: Limits::DEFAULT,
        findings: Findings::NONE,
    };

    /// After the entries that the decoder has consumed.
    pub(super) fn after(decoder: &Decoder) -> Self {
        let Some(header) = decoder.header() else { return Self::START };
        // No payload is open after the last entry.
        let consumed = decoder.payload_position().unwrap_or(header.data_length());
        let size = u64::from(header.matrix_type().bits()) >> 3;
        // An entry has 16 bytes at most; those of less than a byte begin at every byte.
        let filled = consumed.checked_rem(size).map_or(0, |filled| filled as usize);
        Self { index: header.entries_in(consumed), filled, is_lost: filled > 0, ..Self::START }
    }

    /// A number of entries that the header claims, if they are within the limit. Each takes a byte of memory at least.
    pub(super) fn claim<E>(&self, header: &Header, entries: u64) -> Result<usize, ReadError<E, ErrorKind>> {
        let size = u64::from(header.matrix_type().bits().div_ceil(8));
        let bytes = self.limits.check(entries.saturating_mul(size))?;
        Ok(bytes.checked_div(size as usize).unwrap_or(0))
    }

    /// The header, as soon as it is known.
    pub(super) fn header<E>(&mut self, frame: &mut Frame<impl Buffer, Decoder>) -> Job<Header, E, ErrorKind> {
        loop {
            if let Some(header) = frame.decoder.header() {
                return Poll::Ready(Ok(*header));
            }
            if ready!(self.event(frame)?).is_none() {
                return Poll::Ready(Err(frame.truncated()));
            }
        }
    }

    /// The next event; findings are counted.
    fn event<E>(&mut self, frame: &mut Frame<impl Buffer, Decoder>) -> Job<Option<Event>, E, ErrorKind> {
        let event = ready!(frame.next()?);
        if let Some(Event::Finding(finding)) = event {
            self.findings.note(finding);
        }
        Poll::Ready(Ok(event))
    }

    /// The next entries, as many as `out` holds or are left.
    pub(super) fn entries<T: Value, E>(
        &mut self,
        frame: &mut Frame<impl Buffer, Decoder>,
        out: &mut [T],
    ) -> Job<usize, E, ErrorKind> {
        let header = ready!(self.header(frame)?);
        check_type::<T, E>(frame, &header)?;
        if self.is_lost {
            return Poll::Ready(Err(ReadError::NotOpen));
        }
        while let Some(rest) = out.get_mut(self.delivery.done..).filter(|rest| !rest.is_empty()) {
            let n = ready!(self.some(frame, &header, rest)?);
            if n == 0 {
                break;
            }
            self.delivery.add(n);
        }
        Poll::Ready(Ok(self.delivery.end()))
    }

    /// The next row goes to the front of `out`. `false`: there is none, and the file ends as it must.
    pub(super) fn row<T: Value, E>(
        &mut self,
        frame: &mut Frame<impl Buffer, Decoder>,
        out: &mut [T],
    ) -> Job<bool, E, ErrorKind> {
        let header = ready!(self.header(frame)?);
        check_type::<T, E>(frame, &header)?;
        let needed = header.columns();
        let Some(row) = usize::try_from(needed).ok().and_then(|needed| out.get_mut(..needed)) else {
            self.claim(&header, needed.into())?;
            return Poll::Ready(Err(ReadError::TooSmall { needed: needed.into() }));
        };
        while self.index < header.entries() {
            let column = self.index.checked_rem(needed.into()).unwrap_or(0);
            // The rest of a row that was begun elsewhere is read and dropped.
            let in_row = self.delivery.done > 0 || (column == 0 && !self.is_lost);
            let rest = usize::try_from(column).ok().and_then(|column| row.get_mut(column..));
            let n = ready!(self.some(frame, &header, rest.unwrap_or_default())?);
            if in_row {
                self.delivery.add(n);
                if self.index.checked_rem(needed.into()) == Some(0) {
                    self.delivery.end();
                    return Poll::Ready(Ok(true));
                }
            }
        }
        ready!(self.end(frame)?);
        Poll::Ready(Ok(false))
    }

    /// Reads to the end of the file, which may be wrong.
    pub(super) fn end<E>(&mut self, frame: &mut Frame<impl Buffer, Decoder>) -> Job<(), E, ErrorKind> {
        loop {
            ready!(frame.skip()?);
            if ready!(self.event(frame)?).is_none() {
                return Poll::Ready(Ok(()));
            }
        }
    }

    /// Goes to the entry of this number, to which the source is moved: the byte in which it begins.
    pub(super) const fn go_to(&mut self, index: u64) {
        *self = Self { index, limits: self.limits, findings: self.findings, ..Self::START };
    }

    /// After a move: the byte that the next entry shares with those before it.
    pub(super) fn shared_byte<E>(
        &mut self,
        frame: &mut Frame<impl Buffer, Decoder>,
    ) -> Job<(), E, ErrorKind> {
        ready!(frame.available()?);
        let first = ready!(frame.take(1, |bytes| bytes.first().copied())?);
        if let (Some(to), Some(first)) = (self.cut.first_mut(), first) {
            *to = first;
        }
        Poll::Ready(Ok(()))
    }

    /// At least one of the next entries, if there is one and room for it.
    fn some<T: Value, E>(
        &mut self,
        frame: &mut Frame<impl Buffer, Decoder>,
        header: &Header,
        out: &mut [T],
    ) -> Job<usize, E, ErrorKind> {
        let left = usize::try_from(header.entries().minus(self.index)).unwrap_or(usize::MAX);
        let most = left.min(out.len());
        let out = prefix_mut(out, most);
        if out.is_empty() {
            return Poll::Ready(Ok(0));
        }
        let bits = usize::from(T::TYPE.bits());
        if bits == 1 && self.index & 7 != 0 {
            // The byte is consumed: entries before this one are in it.
            let [byte, ..] = self.cut;
            return Poll::Ready(Ok(self.give(header, &[byte], out)));
        }
        let size = bits.div_ceil(8);
        loop {
            let available = ready!(frame.available()?);
            if self.filled == 0 && available >= size {
                let whole = available.minus(available.checked_rem(size).unwrap_or(0));
                let most = out.len().saturating_mul(bits).div_ceil(8).min(whole);
                return frame.take(most, |bytes| self.give(header, bytes, out));
            }
            // The buffer cuts the entry.
            let room = part_mut(&mut self.cut, self.filled..size);
            let n = ready!(frame.copy(room)?);
            self.filled.increase(n);
            if self.filled >= size {
                (self.filled, self.is_lost) = (0, false);
                let cut = self.cut;
                return Poll::Ready(Ok(self.give(header, prefix(&cut, size), out)));
            }
        }
    }

    /// Entries of these bytes, of which the first has the next entry.
    fn give<T: Value>(&mut self, header: &Header, bytes: &[u8], out: &mut [T]) -> usize {
        let columns = u64::from(header.columns());
        let row = self.index.checked_div(columns).and_then(|row| u32::try_from(row).ok());
        let column = self.index.checked_rem(columns).and_then(|column| u32::try_from(column).ok());
        let entries = row.zip(column).and_then(|(row, column)| Entries::at(header, row, column).ok()?);
        let all = out.len();
        let mut rest = out;
        if let Some(mut entries) = entries {
            // Not more than the matrix has: `out` is not longer than what is left of it.
            let fed = entries.feed(bytes, |run| {
                let n = run.copy_to(rest);
                rest = suffix_mut(core::mem::take(&mut rest), n);
            });
            debug_assert_eq!(fed, Ok(()), "bytes after the matrix");
        }
        let n = all.minus(rest.len());
        self.index.increase(n as u64);
        if let (Some(first), Some(last)) = (self.cut.first_mut(), bytes.last()) {
            *first = *last;
        }
        n
    }
}

/// Whether the matrix has values of this type.
pub(super) fn check_type<T: Value, E>(
    frame: &Frame<impl Buffer, Decoder>,
    header: &Header,
) -> Result<(), ReadError<E, ErrorKind>> {
    if header.matrix_type() == T::TYPE { Ok(()) } else { Err(misuse(frame, Misuse::OtherType)) }
}

pub(super) fn misuse<E>(frame: &Frame<impl Buffer, Decoder>, misuse: Misuse) -> ReadError<E, ErrorKind> {
    Error::new(frame.decoder.position(), ErrorKind::Misuse(misuse)).into()
}
