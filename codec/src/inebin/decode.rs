//! Reading: the push state machine for one matrix, and its events.

use super::error::ErrorKind;
use super::header::{HEADER_LEN, Header, MAGIC};
use crate::bytes::accumulate;
use crate::counter::Counter as _;
use crate::error::{Error, Mode};
use crate::failed::{Failed, Stopped};
use crate::machine::{DecoderBase as _, StateMachine, decoder};
use crate::payload::{PayloadCursor, Trailing};
use crate::state::saved;
use crate::step::{Demand, Step};

/// The events of a [`Decoder`](super::Decoder).
///
/// # Example
/// ```
/// use linkstream::inebin::{Decoder, Event, MatrixType};
/// use linkstream::{Mode, drive, finish};
///
/// // A 1x1 matrix of integers.
/// let file = b"INEBIN\0Z\x01\0\0\0\x01\0\0\0\x2a\0\0\0\0\0\0\0";
/// let mut decoder = Decoder::new(Mode::Strict);
/// let (mut shape, mut bytes) = (None, 0);
/// drive(&mut decoder, file, |event, data, _| match event {
///     Event::Header(header) => shape = Some((header.matrix_type(), header.rows(), header.columns())),
///     Event::Data => bytes += data.len(),
///     _ => {}
/// })?;
/// finish(&mut decoder, |_, _, _| {})?;
/// assert_eq!((shape, bytes), (Some((MatrixType::Integer, 1, 1)), 8));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Event {
    /// Type and shape are known. The data follow.
    Header(Header),
    /// The bytes consumed by this step are data; [`Entries`](super::Entries) converts them to numbers.
    Data,
    /// The matrix is complete; the file should end here.
    End,
    /// A broken rule that the [`Mode`](crate::Mode) does not refuse, or a remark. Reading continues.
    Finding(Error<ErrorKind>),
}

/// An [`Event`] without its contents, which the decoder has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Signal {
    Header,
    Data,
    End,
    Finding,
}

/// Offsets of the reserved byte, the type and the shape.
mod at {
    pub const RESERVED: u64 = 6;
    pub const TYPE: u64 = 7;
    pub const ROWS: u64 = 8;
}

/// Part of the file that the next byte belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Header,
    /// The header is complete; its reserved byte is checked first, then the other fields.
    Reserved,
    Announce,
    Data,
    /// The matrix is complete.
    After,
    /// [`Decode::finish`] has been called.
    Ended,
}

saved!(enum Phase: Header, Reserved, Announce, Data, After, Ended);

/// Reads an INEBIN file from input in chunks of any size. It stores the header and a few counters (see
/// [`State`](crate::State)), but no data.
///
/// # Example
/// ```
/// use linkstream::Resumable;
/// use linkstream::inebin::{Decoder, Event};
/// use linkstream::{Decode, Mode};
///
/// let file = b"INEBIN\0Z\x01\0\0\0\x01\0\0\0\x2a\0\0\0\0\0\0\0";
/// let mut decoder = Decoder::new(Mode::Strict);
/// let step = decoder.push(file)?;
/// assert_eq!(decoder.header().map(|header| header.entry_count()), Some(1));
///
/// // Continue elsewhere: the state is a few bytes.
/// let mut decoder = Decoder::load(&decoder.save()?)?;
/// assert_eq!(decoder.push(&file[step.consumed..])?.event, Some(Event::Data));
/// while decoder.finish()?.is_some() {}
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Decoder {
    mode: Mode,
    phase: Phase,
    raw: [u8; HEADER_LEN],
    /// Number of header bytes read.
    filled: usize,
    header: Option<Header>,
    /// Bits set in the last byte that belong to no entry; 0 until that byte has been read. They stay known if the caller
    /// moves away.
    unused: u8,
    trailing: Trailing,
    cursor: PayloadCursor,
    failed: Failed<ErrorKind>,
}

saved!(struct Decoder {
    mode, phase, raw, filled, header, unused, trailing, cursor
} skipping { failed });

impl Decoder {
    /// A decoder for a file from its first byte.
    #[must_use]
    pub const fn new(mode: Mode) -> Self {
        Self {
            mode,
            phase: Phase::Header,
            raw: [0; HEADER_LEN],
            filled: 0,
            header: None,
            unused: 0,
            trailing: Trailing::new(),
            cursor: PayloadCursor::at(0),
            failed: Failed::new(),
        }
    }

    /// Type and shape of the matrix; `None` until the header is complete.
    #[must_use]
    pub const fn header(&self) -> Option<&Header> {
        self.header.as_ref()
    }

    /// True if the position is the number of header bytes read, and nothing after the header has been read.
    const fn is_in_header(&self) -> bool {
        self.cursor.position() == self.filled as u64
            && self.cursor.left() == 0
            && self.unused == 0
            && !self.trailing.is_reported()
    }

    fn push_header(&mut self, input: &[u8]) -> Result<Step<Signal>, Stopped> {
        let consumed = accumulate(&mut self.raw, &mut self.filled, input);
        self.cursor.advance(consumed);
        if self.filled < HEADER_LEN {
            return Ok(Step::more(consumed));
        }
        if let Err(kind @ ErrorKind::Magic { .. }) = Header::from_bytes(&self.raw) {
            return self.fail(0, kind);
        }
        self.phase = Phase::Reserved;
        self.reserved(consumed)
    }

    fn reserved(&mut self, consumed: usize) -> Result<Step<Signal>, Stopped> {
        self.phase = Phase::Announce;
        let [_, _, _, _, _, _, found, ..] = self.raw;
        if found != 0 {
            return self.report(consumed, at::RESERVED, ErrorKind::Reserved { found });
        }
        self.announce(consumed)
    }

    fn announce(&mut self, consumed: usize) -> Result<Step<Signal>, Stopped> {
        match Header::from_bytes(&self.raw) {
            Ok(header) => {
                self.header = Some(header);
                self.phase = Phase::Data;
                self.cursor.open(header.data_length());
                Ok(Step::event(consumed, Signal::Header))
            }
            Err(kind @ ErrorKind::Type { .. }) => self.fail(at::TYPE, kind),
            Err(kind) => self.fail(at::ROWS, kind),
        }
    }

    fn push_data(&mut self, input: &[u8]) -> Step<Signal> {
        let n = self.cursor.take(input.len());
        let Some(last) = n.checked_sub(1).and_then(|last| input.get(last)) else { return Step::more(0) };
        if self.cursor.left() == 0 {
            // This is the last byte of the matrix.
            self.unused = last & self.header.as_ref().map_or(0, Header::unused_bits);
        }
        Step::event(n, Signal::Data)
    }

    /// Called when all data have been read.
    fn end_data(&mut self) -> Result<Step<Signal>, Stopped> {
        let found = core::mem::take(&mut self.unused);
        if found != 0 {
            return self.report(0, self.cursor.position().minus(1), ErrorKind::UnusedBits { found });
        }
        self.phase = Phase::After;
        Ok(Step::event(0, Signal::End))
    }

    fn push_after(&mut self, input: &[u8]) -> Result<Step<Signal>, Stopped> {
        match self.trailing.take(&mut self.cursor, input) {
            Some(at) => self.report(0, at, ErrorKind::Trailing),
            None => Ok(Step::more(input.len())),
        }
    }

    /// Error if the input ends inside the header: truncated, or another format.
    fn end_in_header(&self) -> ErrorKind {
        let [m0, m1, m2, m3, m4, m5, ..] = self.raw;
        let seen = self.raw.iter().take(self.filled);
        if seen.zip(&MAGIC).all(|(seen, magic)| seen == magic) {
            return ErrorKind::HeaderTruncated { have: self.filled as u8 };
        }
        ErrorKind::Magic { found: [m0, m1, m2, m3, m4, m5] }
    }
}

impl StateMachine for Decoder {
    fn take_input(&mut self, input: &[u8]) -> Result<Step<Signal>, Stopped> {
        match self.phase {
            Phase::Data if self.cursor.left() > 0 => Ok(self.push_data(input)),
            Phase::Data => self.end_data(),
            Phase::Header => self.push_header(input),
            Phase::Reserved => self.reserved(0),
            Phase::Announce => self.announce(0),
            Phase::After => self.push_after(input),
            Phase::Ended if input.is_empty() => Ok(Step::more(0)),
            Phase::Ended => Err(Stopped),
        }
    }

    fn take_end(&mut self) -> Result<Step<Signal>, Stopped> {
        let kind = match self.phase {
            Phase::Header => self.end_in_header(),
            Phase::Data if self.cursor.left() > 0 => {
                let header = self.header.as_ref();
                let entries =
                    header.map_or(0, |header| header.entries_in(self.cursor.place(header.data_length())));
                ErrorKind::DataTruncated { entries, missing: self.cursor.left() }
            }
            // Events that are already due come first.
            Phase::Reserved | Phase::Announce | Phase::Data => return self.take_input(&[]),
            Phase::After | Phase::Ended => {
                self.phase = Phase::Ended;
                return Ok(Step::more(0));
            }
        };
        let at = if matches!(kind, ErrorKind::Magic { .. }) { 0 } else { self.cursor.position() };
        self.fail(at, kind)
    }

    #[inline(never)]
    fn event(&mut self, signal: Signal) -> Option<Event> {
        match signal {
            Signal::Header => self.header.map(Event::Header),
            Signal::Data => Some(Event::Data),
            Signal::End => Some(Event::End),
            Signal::Finding => Some(Event::Finding(self.finding())),
        }
    }

    fn next_demand(&self) -> Demand {
        match self.phase {
            Phase::Header => Demand::Bytes(HEADER_LEN.minus(self.filled) as u64),
            Phase::Data if self.cursor.left() > 0 => Demand::Skip(self.cursor.left()),
            Phase::Reserved | Phase::Announce | Phase::Data => Demand::Bytes(0),
            Phase::After => Demand::Bytes(1),
            Phase::Ended => Demand::End,
        }
    }

    fn open_length(&self) -> Option<u64> {
        self.header.filter(|_| self.phase == Phase::Data).map(|header| header.data_length())
    }

    fn is_consistent(&self) -> bool {
        let header_fits = match (self.phase, &self.header) {
            (Phase::Header, None) => self.filled < HEADER_LEN && self.is_in_header(),
            (Phase::Reserved | Phase::Announce, None) => self.filled == HEADER_LEN && self.is_in_header(),
            (Phase::Data | Phase::After | Phase::Ended, Some(_)) => true,
            _ => false,
        };
        let place_fits = self.header.is_none_or(|header| {
            let left = self.cursor.left();
            let unused_fits =
                self.unused & !header.unused_bits() == 0 && (self.unused == 0 || self.phase == Phase::Data);
            // In the data, position and bytes left add up to the length of the file; after it, only trailing bytes follow.
            let position_fits = match self.phase {
                Phase::Data => {
                    left <= header.data_length()
                        && self.cursor.end() == Some(header.file_length())
                        && !self.trailing.is_reported()
                }
                _ => self.trailing.fits(&self.cursor, header.file_length()),
            };
            let is_header = self.filled == HEADER_LEN && Header::from_bytes(&self.raw) == Ok(header);
            is_header && unused_fits && position_fits
        });
        header_fits && place_fits
    }
}

decoder!(Decoder, 4);
