//! Reading: the push state machine for one matrix.

use super::error::ErrorKind;
use super::event::Event;
use super::header::{HEADER_LEN, Header, MAGIC};
use crate::accumulate::accumulate;
use crate::error::{Diagnostic as _, Error, Misuse, Mode};
use crate::state::{self, Failed, LoadError, Saved, saved};
use crate::step::{Decode, Demand, SeekPayload, Step};

/// Where the reserved byte, the type and the shape stand.
mod at {
    pub const RESERVED: u64 = 6;
    pub const TYPE: u64 = 7;
    pub const ROWS: u64 = 8;
}

/// What the next byte belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Header,
    /// The header's bytes are there; its reserved byte comes first, then what it says.
    Reserved,
    Announce,
    Data,
    /// The matrix is complete.
    Behind,
    /// [`Decode::finish`] has been called.
    Ended,
}

saved!(enum Part: Header, Reserved, Announce, Data, Behind, Ended);

/// Reads an INEBIN file from input cut anywhere. Holds the header and a few counters (see
/// [`Decoder::SAVED`]), never data.
#[derive(Debug, Clone)]
pub struct Decoder {
    mode: Mode,
    part: Part,
    raw: [u8; HEADER_LEN],
    /// Bytes of the header that are there.
    filled: usize,
    header: Option<Header>,
    data_left: u64,
    /// Bits of the last byte, if it has been seen, that belong to no entry.
    unused: u8,
    trailing_told: bool,
    position: u64,
    failed: Failed<ErrorKind>,
}

saved!(struct Decoder {
    mode, part, raw, filled, header, data_left, unused, trailing_told, position
} skipping { failed });

impl Decoder {
    /// Size of a saved state in bytes.
    pub const SAVED: usize = <Self as Saved>::SIZE.saturating_add(state::SEAL);
    const TAG: u8 = 4;

    /// A decoder for a file from its first byte.
    #[must_use]
    pub const fn new(mode: Mode) -> Self {
        Self {
            mode,
            part: Part::Header,
            raw: [0; HEADER_LEN],
            filled: 0,
            header: None,
            data_left: 0,
            unused: 0,
            trailing_told: false,
            position: 0,
            failed: Failed::new(),
        }
    }

    /// Type and shape of the matrix, as soon as they are known.
    #[must_use]
    pub const fn header(&self) -> Option<&Header> {
        self.header.as_ref()
    }

    /// The mode in force.
    #[must_use]
    pub const fn mode(&self) -> Mode {
        self.mode
    }

    /// The state as bytes: to be kept, or handed to another process.
    ///
    /// # Errors
    /// A decoder that has met an error is not saved; the error is returned.
    pub fn save(&self) -> Result<[u8; Self::SAVED], Error<ErrorKind>> {
        self.failed.check()?;
        Ok(state::seal(Self::TAG, self))
    }

    /// Puts back a state that [`Decoder::save`] gave.
    ///
    /// # Errors
    /// The bytes are not such a state.
    pub fn load(saved: &[u8; Self::SAVED]) -> Result<Self, LoadError> {
        let decoder: Self = state::open(Self::TAG, saved)?;
        if decoder.is_consistent() { Ok(decoder) } else { Err(LoadError::Inconsistent) }
    }

    fn is_consistent(&self) -> bool {
        let header_fits = match (self.part, &self.header) {
            (Part::Header, None) => self.filled < HEADER_LEN,
            (Part::Reserved | Part::Announce, None) => self.filled == HEADER_LEN,
            (Part::Data | Part::Behind | Part::Ended, Some(_)) => true,
            _ => false,
        };
        let place_fits = self.header.is_none_or(|header| {
            let end = self.data_left.checked_add(self.position);
            let unused_fits = self.unused & !header.unused_bits() == 0;
            let position_fits = match self.part {
                Part::Data => self.data_left <= header.data_length() && end == Some(header.file_length()),
                _ => self.data_left == 0 && self.position >= header.file_length(),
            };
            Header::from_bytes(&self.raw) == Ok(header) && unused_fits && position_fits
        });
        header_fits && place_fits
    }

    fn fail<T>(&mut self, at: u64, kind: ErrorKind) -> Result<T, Error<ErrorKind>> {
        Err(self.failed.set(Error::new(at, kind)))
    }

    /// Refuses or reports, as the mode has it.
    fn report(&mut self, consumed: usize, at: u64, kind: ErrorKind) -> Result<Step<Event>, Error<ErrorKind>> {
        if self.mode.refuses(kind.severity()) {
            return self.fail(at, kind);
        }
        Ok(Step::event(consumed, Event::Finding(Error::new(at, kind))))
    }

    fn advance(&mut self, n: usize) {
        self.position = self.position.wrapping_add(n as u64);
    }

    fn push_header(&mut self, input: &[u8]) -> Result<Step<Event>, Error<ErrorKind>> {
        let consumed = accumulate(&mut self.raw, &mut self.filled, input);
        self.advance(consumed);
        if self.filled < HEADER_LEN {
            return Ok(Step::more(consumed));
        }
        if let Err(kind @ ErrorKind::Magic { .. }) = Header::from_bytes(&self.raw) {
            return self.fail(0, kind);
        }
        self.part = Part::Reserved;
        self.reserved(consumed)
    }

    fn reserved(&mut self, consumed: usize) -> Result<Step<Event>, Error<ErrorKind>> {
        self.part = Part::Announce;
        let [_, _, _, _, _, _, found, ..] = self.raw;
        if found != 0 {
            return self.report(consumed, at::RESERVED, ErrorKind::Reserved { found });
        }
        self.announce(consumed)
    }

    fn announce(&mut self, consumed: usize) -> Result<Step<Event>, Error<ErrorKind>> {
        match Header::from_bytes(&self.raw) {
            Ok(header) => {
                self.header = Some(header);
                self.part = Part::Data;
                self.data_left = header.data_length();
                Ok(Step::event(consumed, Event::Header(header)))
            }
            Err(kind @ ErrorKind::Type { .. }) => self.fail(at::TYPE, kind),
            Err(kind) => self.fail(at::ROWS, kind),
        }
    }

    fn push_data(&mut self, input: &[u8]) -> Step<Event> {
        let n = usize::try_from(self.data_left).unwrap_or(usize::MAX).min(input.len());
        let Some(last) = n.checked_sub(1).and_then(|last| input.get(last)) else { return Step::more(0) };
        self.data_left = self.data_left.wrapping_sub(n as u64);
        self.advance(n);
        if self.data_left == 0 {
            self.unused = last & self.header.as_ref().map_or(0, Header::unused_bits);
        }
        Step::event(n, Event::Data)
    }

    /// The data are done with.
    fn end_data(&mut self) -> Result<Step<Event>, Error<ErrorKind>> {
        let found = core::mem::take(&mut self.unused);
        if found != 0 {
            return self.report(0, self.position.wrapping_sub(1), ErrorKind::UnusedBits { found });
        }
        self.part = Part::Behind;
        Ok(Step::event(0, Event::End))
    }

    fn push_behind(&mut self, input: &[u8]) -> Result<Step<Event>, Error<ErrorKind>> {
        if input.is_empty() {
            return Ok(Step::more(0));
        }
        if !self.trailing_told {
            self.trailing_told = true;
            return self.report(0, self.position, ErrorKind::Trailing);
        }
        self.advance(input.len());
        Ok(Step::more(input.len()))
    }

    /// What the input's end means inside the header.
    fn end_in_header(&self) -> ErrorKind {
        let [m0, m1, m2, m3, m4, m5, ..] = self.raw;
        let seen = self.raw.iter().take(self.filled);
        if seen.zip(&MAGIC).all(|(seen, magic)| seen == magic) {
            return ErrorKind::HeaderTruncated { have: self.filled as u8 };
        }
        ErrorKind::Magic { found: [m0, m1, m2, m3, m4, m5] }
    }
}

impl Decode for Decoder {
    type Event = Event;
    type ErrorKind = ErrorKind;

    fn push(&mut self, input: &[u8]) -> Result<Step<Event>, Error<ErrorKind>> {
        self.failed.check()?;
        match self.part {
            Part::Data if self.data_left > 0 => Ok(self.push_data(input)),
            Part::Data => self.end_data(),
            Part::Header => self.push_header(input),
            Part::Reserved => self.reserved(0),
            Part::Announce => self.announce(0),
            Part::Behind => self.push_behind(input),
            Part::Ended if input.is_empty() => Ok(Step::more(0)),
            Part::Ended => Err(Error::new(self.position, ErrorKind::Misuse(Misuse::AfterEnd))),
        }
    }

    fn finish(&mut self) -> Result<Option<Event>, Error<ErrorKind>> {
        self.failed.check()?;
        match self.part {
            Part::Header => match self.end_in_header() {
                kind @ ErrorKind::Magic { .. } => self.fail(0, kind),
                kind => self.fail(self.position, kind),
            },
            Part::Data if self.data_left > 0 => {
                let done = self.payload_position().unwrap_or(0);
                let entries = self.header.map_or(0, |header| header.entries_in(done));
                let kind = ErrorKind::DataTruncated { entries, missing: self.data_left };
                self.fail(self.position, kind)
            }
            // What is already known comes first.
            Part::Reserved | Part::Announce | Part::Data => self.push(&[]).map(|step| step.event),
            Part::Behind | Part::Ended => {
                self.part = Part::Ended;
                Ok(None)
            }
        }
    }

    fn demand(&self) -> Demand {
        match self.part {
            Part::Header => Demand::Bytes(HEADER_LEN.saturating_sub(self.filled) as u64),
            Part::Reserved | Part::Announce => Demand::Bytes(0),
            Part::Data if self.data_left > 0 => Demand::Skip(self.data_left),
            Part::Data => Demand::Bytes(0),
            Part::Behind => Demand::Bytes(1),
            Part::Ended => Demand::End,
        }
    }

    fn skip(&mut self, n: u64) -> Result<(), Error<ErrorKind>> {
        self.failed.check()?;
        let available = if self.part == Part::Data { self.data_left } else { 0 };
        match available.checked_sub(n) {
            Some(left) if self.part == Part::Data => {
                self.data_left = left;
                self.position = self.position.wrapping_add(n);
                Ok(())
            }
            Some(_) => Ok(()),
            None => {
                Err(Error::new(self.position, ErrorKind::Misuse(Misuse::SkipTooFar { asked: n, available })))
            }
        }
    }

    fn position(&self) -> u64 {
        self.position
    }
}

impl SeekPayload for Decoder {
    fn payload_position(&self) -> Option<u64> {
        match (self.part, &self.header) {
            (Part::Data, Some(header)) => Some(header.data_length().wrapping_sub(self.data_left)),
            _ => None,
        }
    }

    fn seek(&mut self, to: u64) -> Result<(), Error<ErrorKind>> {
        self.failed.check()?;
        let (Part::Data, Some(header)) = (self.part, &self.header) else {
            return Err(Error::new(self.position, ErrorKind::Misuse(Misuse::NoPayload)));
        };
        let length = header.data_length();
        let Some(left) = length.checked_sub(to) else {
            let misuse = Misuse::SkipTooFar { asked: to, available: length };
            return Err(Error::new(self.position, ErrorKind::Misuse(misuse)));
        };
        self.data_left = left;
        self.unused = 0;
        self.position = to.wrapping_add(HEADER_LEN as u64);
        Ok(())
    }
}
