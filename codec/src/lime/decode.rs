//! Reading: the push state machine for records and messages.

use super::error::ErrorKind;
use super::event::{Event, Record};
use super::header::{HEADER_LEN, Header, MAGIC, VERSION, padding};
use crate::error::{Diagnostic as _, Error, Misuse, Mode};
use crate::state::{self, Failed, LoadError, Saved, saved};
use crate::step::{Decode, Demand, SeekPayload, Step};

/// What the next byte belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Header,
    /// The header is complete; what is odd about it is told first, then the record.
    Announce,
    Payload,
    Padding,
    /// [`Decode::finish`] has been called.
    Ended,
}

saved!(enum Part: Header, Announce, Payload, Padding, Ended);

/// What may come next by the rule that MB follows ME.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum MessageState {
    /// No record yet, or the last one had ME.
    Closed,
    Open,
    /// The last record was a terminal null: an end, or an odd but ordinary record if its message goes on.
    Null,
    /// Reading began in the middle of a file.
    Unknown,
}

saved!(enum MessageState: Closed, Open, Null, Unknown);

/// Reads LIME records from input cut anywhere.
///
/// Holds one header and a few counters (see [`Decoder::SAVED`]), never payload. What a file may break under
/// which [`Mode`] is told by the [`severity`](crate::Diagnostic::severity) of each [`ErrorKind`].
#[derive(Debug, Clone)]
pub struct Decoder {
    mode: Mode,
    part: Part,
    message: MessageState,
    /// The present header, or the last one until a byte of the next comes.
    header: Header,
    /// Bytes of it that are there.
    filled: usize,
    record: Record,
    /// The next of the header's oddities to look for; see [`Decoder::announce`].
    stage: u8,
    /// A nonzero padding byte of this record has been told.
    padding_reported: bool,
    padding_left: u8,
    payload_left: u64,
    position: u64,
    failed: Failed<ErrorKind>,
}

saved!(struct Decoder {
    mode, part, message, header, filled, record, stage, padding_reported, padding_left, payload_left,
    position
} skipping { failed });

impl Decoder {
    /// Size of a saved state in bytes.
    pub const SAVED: usize = <Self as Saved>::SIZE.saturating_add(state::SEAL);
    const TAG: u8 = 1;

    /// A decoder for a file from its first byte.
    #[must_use]
    pub const fn new(mode: Mode) -> Self {
        Self {
            mode,
            part: Part::Header,
            message: MessageState::Closed,
            header: Header::from_bytes([0; HEADER_LEN]),
            filled: 0,
            record: Record { offset: 0, length: 0, message: 0, number: 0, begin: false, end: false },
            stage: 0,
            padding_reported: false,
            padding_left: 0,
            payload_left: 0,
            position: 0,
            failed: Failed::new(),
        }
    }

    /// A decoder for the rest of a file from `offset` on, where a record must begin. Messages and records
    /// are numbered from there, and the first record may stand anywhere in its message.
    ///
    /// ```
    /// # use linkstream::{Decode, Mode, lime::{Decoder, Event, Header}};
    /// let second = *Header::new(b"second", 0, false, true)?.as_bytes();
    /// let mut decoder = Decoder::at(152, Mode::Strict);
    /// let step = decoder.push(&second)?;
    /// assert!(matches!(step.event, Some(Event::Record(record)) if record.offset == 152));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn at(offset: u64, mode: Mode) -> Self {
        let mut decoder = Self::new(mode);
        decoder.position = offset;
        decoder.message = MessageState::Unknown;
        decoder
    }

    /// The header of the present record. Between two records the bytes of the next one come in piece by
    /// piece.
    #[must_use]
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// The type of the present record: its bytes before the first NUL.
    #[must_use]
    pub fn record_type(&self) -> &[u8] {
        self.header.record_type()
    }

    /// The present record, the last one between two records.
    #[must_use]
    pub const fn record(&self) -> Record {
        self.record
    }

    /// The mode in force.
    #[must_use]
    pub const fn mode(&self) -> Mode {
        self.mode
    }

    /// Whether the last record left its message open; `None` where reading began in the middle of a file and
    /// no record has come yet.
    #[must_use]
    pub const fn message_is_open(&self) -> Option<bool> {
        match self.message {
            MessageState::Open => Some(true),
            MessageState::Closed | MessageState::Null => Some(false),
            MessageState::Unknown => None,
        }
    }

    /// Whether no record is open: the next byte, if there is one, begins a header.
    #[must_use]
    pub const fn is_between_records(&self) -> bool {
        self.failed.check().is_ok()
            && matches!(self.part, Part::Header | Part::Ended)
            && self.header_is_untouched()
    }

    const fn header_is_untouched(&self) -> bool {
        self.filled == 0 || self.filled == HEADER_LEN
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

    pub(crate) const fn is_consistent(&self) -> bool {
        self.filled <= HEADER_LEN && self.padding_left < 8 && self.payload_left <= self.record.length
    }

    fn fail<T>(&mut self, at: u64, kind: ErrorKind) -> Result<T, Error<ErrorKind>> {
        Err(self.failed.set(Error::new(at, kind)))
    }

    /// Refuses or reports, as the mode has it.
    fn report(&mut self, consumed: usize, error: Error<ErrorKind>) -> Result<Step<Event>, Error<ErrorKind>> {
        if self.mode.refuses(error.kind.severity()) {
            return self.fail(error.at, error.kind);
        }
        Ok(Step::event(consumed, Event::Finding(error)))
    }

    fn advance(&mut self, n: usize) {
        self.position = self.position.wrapping_add(n as u64);
    }

    fn push_header(&mut self, input: &[u8]) -> Result<Step<Event>, Error<ErrorKind>> {
        if self.header_is_untouched() && !input.is_empty() {
            self.filled = 0;
        }
        let consumed = self.header.accumulate(&mut self.filled, input);
        self.advance(consumed);
        if self.filled < HEADER_LEN || consumed == 0 {
            return Ok(Step::more(consumed));
        }
        let offset = self.header_offset();
        let header = &self.header;
        if header.magic() != MAGIC {
            let found = header.magic();
            return self.fail(offset, ErrorKind::Magic { found });
        }
        if header.version() != VERSION {
            let found = header.version();
            return self.fail(offset.wrapping_add(4), ErrorKind::Version { found });
        }
        let length = header.length();
        let end = length.checked_add(u64::from(padding(length))).and_then(|l| l.checked_add(self.position));
        if end.is_none() {
            return self.fail(offset.wrapping_add(8), ErrorKind::LengthOverflow { length });
        }
        self.part = Part::Announce;
        self.stage = 0;
        self.announce(consumed)
    }

    /// Where the header that is being read, or has just been read, begins.
    const fn header_offset(&self) -> u64 {
        self.position.wrapping_sub(self.filled as u64)
    }

    /// Tells what is odd about the complete header, one thing a step, and then the record.
    fn announce(&mut self, consumed: usize) -> Result<Step<Event>, Error<ErrorKind>> {
        let offset = self.header_offset();
        let flags_at = offset.wrapping_add(6);
        while self.stage < 4 {
            let stage = self.stage;
            self.stage = stage.wrapping_add(1);
            let header = &self.header;
            let odd = match stage {
                0 if header.reserved() != 0 => {
                    Some(Error::new(flags_at, ErrorKind::ReservedBits { found: header.reserved() }))
                }
                1 => self.flags_rule(header).map(|kind| Error::new(flags_at, kind)),
                2 => header
                    .type_garbage()
                    .map(|within| Error::new(offset.wrapping_add(within as u64), ErrorKind::TypeGarbage)),
                3 if header.is_terminal_null() => Some(Error::new(offset, ErrorKind::TerminalNull)),
                _ => None,
            };
            if let Some(odd) = odd {
                return self.report(consumed, odd);
            }
        }
        Ok(self.begin_record(consumed))
    }

    /// The rule that MB stands on the first record after ME and nowhere else.
    fn flags_rule(&self, header: &Header) -> Option<ErrorKind> {
        match (self.message, header.begins_message()) {
            (MessageState::Closed, false) if !header.is_terminal_null() || self.record.message == 0 => {
                Some(ErrorKind::BeginMissing)
            }
            (MessageState::Open, true) => Some(ErrorKind::BeginUnexpected),
            _ => None,
        }
    }

    fn begin_record(&mut self, consumed: usize) -> Step<Event> {
        self.record.offset = self.header_offset();
        let header = &self.header;
        let (begin, end) = (header.begins_message(), header.ends_message());
        // As c-lime's tools count: a message begins at MB, and at the first record.
        if begin || self.record.message == 0 {
            self.record.message = self.record.message.wrapping_add(1);
            self.record.number = 0;
        }
        self.record.number = self.record.number.wrapping_add(1);
        self.record.length = header.length();
        self.record.begin = begin;
        self.record.end = end;
        self.message = match end {
            true => MessageState::Closed,
            // It ends an open message; one that has ended already stays so.
            false if header.is_terminal_null() && self.message == MessageState::Closed => {
                MessageState::Closed
            }
            false if header.is_terminal_null() => MessageState::Null,
            false => MessageState::Open,
        };
        self.part = Part::Payload;
        self.payload_left = self.record.length;
        self.padding_left = padding(self.record.length);
        self.padding_reported = false;
        Step::event(consumed, Event::Record(self.record))
    }

    fn push_padding(&mut self, input: &[u8]) -> Result<Step<Event>, Error<ErrorKind>> {
        let n = input.len().min(usize::from(self.padding_left));
        let padding = input.get(..n).unwrap_or_default();
        let nonzero = padding.iter().position(|byte| *byte != 0).filter(|_| !self.padding_reported);
        let consumed = match nonzero {
            Some(at) => at,
            None => n,
        };
        self.advance(consumed);
        self.padding_left = self.padding_left.saturating_sub(consumed as u8);
        if let Some(found) = nonzero.and_then(|at| padding.get(at)) {
            self.padding_reported = true;
            return self
                .report(consumed, Error::new(self.position, ErrorKind::PaddingNonzero { found: *found }));
        }
        if self.padding_left > 0 {
            return Ok(Step::more(consumed));
        }
        self.part = Part::Header;
        Ok(Step::event(consumed, Event::End))
    }

    /// What the end of the input means at this place.
    fn end(&self) -> Option<ErrorKind> {
        match self.part {
            Part::Header if self.header_is_untouched() => {
                matches!(self.message, MessageState::Open).then_some(ErrorKind::MessageOpen)
            }
            Part::Header => {
                let have = self.filled as u8;
                let magic = MAGIC.to_be_bytes();
                let seen = self.header.as_bytes().get(..self.filled).unwrap_or_default();
                let looks_like_a_header = seen.iter().zip(&magic).all(|(seen, magic)| seen == magic);
                // A file of less than a header is a header cut short if its first bytes fit, not LIME else.
                Some(match (looks_like_a_header, self.record.message) {
                    (true, _) => ErrorKind::HeaderTruncated { have },
                    (false, 0) => ErrorKind::Magic { found: leading_word(seen) },
                    (false, _) => ErrorKind::Trailing { count: have },
                })
            }
            Part::Announce => None,
            Part::Payload if self.payload_left > 0 => {
                Some(ErrorKind::PayloadTruncated { missing: self.payload_left })
            }
            Part::Payload | Part::Padding => {
                (self.padding_left > 0).then_some(ErrorKind::PaddingTruncated { missing: self.padding_left })
            }
            Part::Ended => None,
        }
    }
}

/// The first four bytes as a number, zeros where there are less.
fn leading_word(bytes: &[u8]) -> u32 {
    let mut word = [0; 4];
    for (to, from) in word.iter_mut().zip(bytes) {
        *to = *from;
    }
    u32::from_be_bytes(word)
}

impl Decode for Decoder {
    type Event = Event;
    type ErrorKind = ErrorKind;

    fn push(&mut self, input: &[u8]) -> Result<Step<Event>, Error<ErrorKind>> {
        self.failed.check()?;
        match self.part {
            Part::Payload if self.payload_left > 0 => {
                let n = usize::try_from(self.payload_left).unwrap_or(usize::MAX).min(input.len());
                if n == 0 {
                    return Ok(Step::more(0));
                }
                self.payload_left = self.payload_left.wrapping_sub(n as u64);
                self.advance(n);
                Ok(Step::event(n, Event::Payload))
            }
            Part::Payload => {
                self.part = Part::Padding;
                self.push_padding(input)
            }
            Part::Padding => self.push_padding(input),
            Part::Header => self.push_header(input),
            Part::Announce => self.announce(0),
            Part::Ended if input.is_empty() => Ok(Step::more(0)),
            Part::Ended => Err(Error::new(self.position, ErrorKind::Misuse(Misuse::AfterEnd))),
        }
    }

    fn finish(&mut self) -> Result<Option<Event>, Error<ErrorKind>> {
        self.failed.check()?;
        // What is already known comes first.
        if self.part == Part::Announce {
            return self.push(&[]).map(|step| step.event);
        }
        let kind = self.end();
        if let Some(kind) = kind {
            let at = match kind {
                ErrorKind::Magic { .. } | ErrorKind::Trailing { .. } => self.header_offset(),
                _ => self.position,
            };
            let step = self.report(0, Error::new(at, kind))?;
            match kind {
                // The payload is whole: close the record, then look at the message.
                ErrorKind::PaddingTruncated { .. } => {
                    self.padding_left = 0;
                    self.part = Part::Padding;
                }
                // As if the bytes were not there.
                ErrorKind::Trailing { .. } => self.filled = 0,
                _ => self.part = Part::Ended,
            }
            return Ok(step.event);
        }
        match self.part {
            Part::Padding | Part::Payload => {
                self.part = Part::Header;
                Ok(Some(Event::End))
            }
            _ => {
                self.part = Part::Ended;
                Ok(None)
            }
        }
    }

    fn demand(&self) -> Demand {
        match self.part {
            Part::Header if self.header_is_untouched() => Demand::Bytes(HEADER_LEN as u64),
            Part::Header => Demand::Bytes(HEADER_LEN.saturating_sub(self.filled) as u64),
            Part::Announce => Demand::Bytes(0),
            Part::Payload if self.payload_left > 0 => Demand::Skip(self.payload_left),
            Part::Payload | Part::Padding => Demand::Bytes(u64::from(self.padding_left)),
            Part::Ended => Demand::End,
        }
    }

    fn skip(&mut self, n: u64) -> Result<(), Error<ErrorKind>> {
        self.failed.check()?;
        let available = match self.demand() {
            Demand::Skip(available) => available,
            Demand::Bytes(_) | Demand::End => 0,
        };
        match available.checked_sub(n) {
            Some(left) => {
                if n > 0 {
                    self.payload_left = left;
                    self.position = self.position.wrapping_add(n);
                }
                Ok(())
            }
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
        match self.part {
            Part::Payload => Some(self.record.length.wrapping_sub(self.payload_left)),
            _ => None,
        }
    }

    fn seek(&mut self, to: u64) -> Result<(), Error<ErrorKind>> {
        self.failed.check()?;
        if self.part != Part::Payload {
            return Err(Error::new(self.position, ErrorKind::Misuse(Misuse::NoPayload)));
        }
        let Some(left) = self.record.length.checked_sub(to) else {
            let misuse = Misuse::SkipTooFar { asked: to, available: self.record.length };
            return Err(Error::new(self.position, ErrorKind::Misuse(misuse)));
        };
        self.payload_left = left;
        self.position = self.record.payload_offset().wrapping_add(to);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(kind: &[u8], length: u64, begin: bool, end: bool) -> [u8; 144] {
        *Header::new(kind, length, begin, end).unwrap().as_bytes()
    }

    fn run(mode: Mode, mut input: &[u8]) -> (std::vec::Vec<Event>, Option<Error<ErrorKind>>) {
        let mut decoder = Decoder::new(mode);
        let mut events = std::vec::Vec::new();
        loop {
            match decoder.push(input) {
                Ok(step) => {
                    assert!(step.event.is_some() || step.consumed > 0 || input.is_empty());
                    input = &input[step.consumed..];
                    events.extend(step.event);
                    if step.event.is_none() && input.is_empty() {
                        break;
                    }
                }
                Err(error) => {
                    assert_eq!(decoder.push(b"more"), Err(error), "errors are sticky");
                    assert_eq!(decoder.save(), Err(error));
                    return (events, Some(error));
                }
            }
        }
        loop {
            match decoder.finish() {
                Ok(Some(event)) => events.push(event),
                Ok(None) => return (events, None),
                Err(error) => return (events, Some(error)),
            }
        }
    }

    #[test]
    fn missing_padding_is_told_or_refused_and_the_record_still_ends() {
        let mut file = header(b"t", 3, true, true).to_vec();
        file.extend_from_slice(b"abc\0");
        let error = Error::new(148, ErrorKind::PaddingTruncated { missing: 4 });
        assert_eq!(run(Mode::Strict, &file).1, Some(error));
        let (events, end) = run(Mode::Lenient, &file);
        assert_eq!(end, None);
        assert_eq!(events[events.len() - 2..], [Event::Finding(error), Event::End]);
    }

    #[test]
    fn terminal_null_closes_a_message_without_a_word_about_it_being_open() {
        let mut file = header(b"t", 0, true, false).to_vec();
        file.extend_from_slice(&header(b"", 0, false, false));
        let (events, end) = run(Mode::Strict, &file);
        assert_eq!(end, None);
        assert!(events.contains(&Event::Finding(Error::new(144, ErrorKind::TerminalNull))));
        assert!(!events.iter().any(|e| matches!(e, Event::Finding(e) if e.kind == ErrorKind::MessageOpen)));
    }

    #[test]
    fn lengths_up_to_the_last_one_that_can_be_addressed() {
        let longest = u64::MAX - 144 - 7;
        let (events, end) = run(Mode::Strict, &header(b"t", longest, true, true));
        assert!(matches!(events[0], Event::Record(_)));
        assert_eq!(end, Some(Error::new(144, ErrorKind::PayloadTruncated { missing: longest })));
        let (_, end) = run(Mode::Strict, &header(b"t", longest + 1, true, true));
        assert_eq!(end, Some(Error::new(8, ErrorKind::LengthOverflow { length: longest + 1 })));
    }

    #[test]
    fn seek_moves_inside_the_payload_only() {
        let mut decoder = Decoder::new(Mode::Strict);
        assert!(decoder.seek(0).is_err());
        let _ = decoder.push(&header(b"t", 10, true, true)).unwrap();
        decoder.seek(10).unwrap();
        assert_eq!((decoder.position(), decoder.payload_position()), (154, Some(10)));
        decoder.seek(2).unwrap();
        assert_eq!(decoder.position(), 146);
        let past = Misuse::SkipTooFar { asked: 11, available: 10 };
        assert_eq!(decoder.seek(11), Err(Error::new(146, ErrorKind::Misuse(past))));
        assert_eq!(decoder.push(b"cdefghij\0\0\0\0\0\0").unwrap(), Step::event(8, Event::Payload));
        assert_eq!(decoder.push(b"\0\0\0\0\0\0").unwrap(), Step::event(6, Event::End));
    }
}
