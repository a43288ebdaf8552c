//! Reading: the push state machine for records and messages.
//!
//! # Invariants
//! | field | holds | changes |
//! |---|---|---|
//! | `phase` | `Header`, `Announce`, `Payload`, `Padding` and again, for each record; `Zeros` is left only by `finish`, `Ended` never | where the last byte of the part is consumed, or its event is reported |
//! | `filled` | bytes of `header`; still all of them after the record, until the first byte of the next header | with each byte of a header |
//! | `stage` | the next rule to check on the header | before the finding of a rule is returned, so that each is reported once |
//! | `record`, `message` | the last record that was announced, and what it has done to its message (LIME 1.2, section 2) | with the last stage |
//! | `cursor` | `left` is above 0 in `Payload` only; the end of the padding fits into 64 bits | `left` is set with the record |
//! | `padding_left` | bytes of padding after the payload, less than 8 | set with the record; by the bytes of the padding |

use super::error::ErrorKind;
use super::event::{Event, Record, Signal};
use super::header::{HEADER_LEN, Header, MAGIC, VERSION, end_of_record, padding};
use crate::bytes::{copy, prefix, suffix};
use crate::counter::{Counter as _, at_most};
use crate::error::{Error, Mode};
use crate::failed::{Failed, Stopped};
use crate::machine::{DecoderBase as _, StateMachine, decoder};
use crate::payload::PayloadCursor;
use crate::state::saved;
use crate::step::{Demand, Step};

/// Part of the file that the next byte belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    Header,
    /// The header is complete. Its broken rules are reported first, then the record.
    Announce,
    Payload,
    Padding,
    /// Zeros follow the last message instead of a header: the padding of the file, if nothing else comes.
    Zeros,
    /// [`Decode::finish`] has been called.
    Ended,
}

saved!(enum Phase: Header, Announce, Payload, Padding, Zeros, Ended);

/// Zeros after the last record are padding if they are fewer than these, and the file ends with a block of
/// [`SECTOR`] bytes: tapes and file systems have blocks of up to 1 MiB, and all are multiples of it.
pub(super) const MAX_ZEROS: u32 = 1 << 20;
pub(super) const SECTOR: u32 = 512;

/// Number of rules that are checked on a complete header.
pub(super) const STAGES: u8 = 4;

/// State of the current message, for the rule that MB follows ME (LIME 1.2, section 2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MessageState {
    /// No record yet, or the last one had ME.
    Closed,
    Open,
    /// The last record was a terminal null: the end of the file, or an ordinary record if its message goes on.
    Null,
    /// Reading began in the middle of a file.
    Unknown,
}

saved!(enum MessageState: Closed, Open, Null, Unknown);

/// Reads LIME records from input in chunks of any size.
///
/// It holds one header and a few counters (see [`State`](crate::State)), never payload. The
/// [`severity`](crate::Diagnostic::severity) of an [`ErrorKind`] and the [`Mode`] decide whether a broken rule is an
/// error or a finding.
///
/// # Example
/// ```
/// use linkstream::Resumable;
/// use linkstream::lime::{Decoder, Encoder, Event, Header};
/// use linkstream::{Decode, Demand, Mode};
///
/// let header = *Header::new(b"type", 8, true, true)?.as_bytes();
/// let file = [&header[..], b"payload!"].concat();
///
/// let mut decoder = Decoder::new(Mode::Strict);
/// let step = decoder.push(&file)?;
/// assert!(matches!(step.event, Some(Event::Record(record)) if record == decoder.record()));
/// assert_eq!((decoder.record_type(), decoder.header().length()), (&b"type"[..], 8));
/// assert!(!decoder.is_between_records());
///
/// // Continue elsewhere: the state is a few bytes.
/// let mut decoder = Decoder::load(&decoder.save()?)?;
/// let step = decoder.push(&file[step.consumed..])?;
/// assert_eq!((step.event, step.consumed), (Some(Event::Payload), 8));
/// assert_eq!(decoder.push(b"")?.event, Some(Event::End));
/// assert!(decoder.is_between_records());
/// assert_eq!(decoder.message_is_open(), Some(false));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Decoder {
    pub(crate) mode: Mode,
    pub(super) phase: Phase,
    pub(super) message: MessageState,
    /// The current header, or the last one until the first byte of the next.
    pub(super) header: Header,
    /// Number of header bytes received.
    pub(super) filled: usize,
    pub(super) record: Record,
    /// Next rule to check on the header; see [`Decoder::announce`].
    pub(super) stage: u8,
    /// A nonzero padding byte of this record has been reported.
    pub(super) padding_reported: bool,
    pub(super) padding_left: u8,
    pub(super) cursor: PayloadCursor,
    failed: Failed<ErrorKind>,
}

saved!(struct Decoder {
    mode, phase, message, header, filled, record, stage, padding_reported, padding_left, cursor
} skipping { failed });

impl Decoder {
    /// A decoder for a file from its first byte.
    #[must_use]
    pub const fn new(mode: Mode) -> Self {
        Self {
            mode,
            phase: Phase::Header,
            message: MessageState::Closed,
            header: Header::from_bytes([0; HEADER_LEN]),
            filled: 0,
            record: Record { offset: 0, length: 0, message: 0, number: 0, begin: false, end: false },
            stage: 0,
            padding_reported: false,
            padding_left: 0,
            cursor: PayloadCursor::at(0),
            failed: Failed::new(),
        }
    }

    /// A decoder for the rest of a file from the absolute byte `offset` on, where a record must begin. Messages and
    /// records are numbered from there, and the first record may be any record of its message.
    ///
    /// If no record fits between `offset` and the largest 64-bit offset, the first call returns
    /// [`ErrorKind::LengthOverflow`].
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
        decoder.cursor = PayloadCursor::at(offset);
        decoder.message = MessageState::Unknown;
        if offset.checked_add(HEADER_LEN as u64).is_none() {
            let _ = decoder.failed.set(Error::new(offset, ErrorKind::LengthOverflow { length: 0 }));
        }
        decoder
    }

    /// The header of the current record. Between two records it is incomplete, while the bytes of the next header
    /// arrive.
    #[must_use]
    pub const fn header(&self) -> &Header {
        &self.header
    }

    /// The type of the current record: its bytes before the first NUL.
    #[must_use]
    pub fn record_type(&self) -> &[u8] {
        self.header.record_type()
    }

    /// The current record; between two records, the previous one.
    #[must_use]
    pub const fn record(&self) -> Record {
        self.record
    }

    /// True if the last record left its message open; `None` if reading began in the middle of a file and no record
    /// has come yet.
    #[must_use]
    pub const fn message_is_open(&self) -> Option<bool> {
        match self.message {
            MessageState::Open => Some(true),
            MessageState::Closed | MessageState::Null => Some(false),
            MessageState::Unknown => None,
        }
    }

    /// True if no record is open: the next byte, if there is one, begins a header.
    #[must_use]
    pub const fn is_between_records(&self) -> bool {
        self.failed.check().is_ok()
            && matches!(self.phase, Phase::Header | Phase::Ended)
            && self.header_is_untouched()
    }

    pub(super) const fn header_is_untouched(&self) -> bool {
        self.filled == 0 || self.filled == HEADER_LEN
    }

    /// Takes all of `input` as payload if more payload follows, so that nothing else is due before or after it. Returns
    /// whether it has.
    #[inline]
    pub(crate) fn take_inside_payload(&mut self, input: &[u8]) -> bool {
        let is_inside = self.phase == Phase::Payload && self.cursor.left() > input.len() as u64;
        if is_inside {
            self.cursor.take(input.len());
        }
        is_inside
    }

    fn push_header(&mut self, input: &[u8]) -> Result<Step<Signal>, Stopped> {
        if self.header_is_untouched() && !input.is_empty() {
            self.filled = 0;
            let offset = self.cursor.position();
            if offset.checked_add(HEADER_LEN as u64).is_none() {
                return self.failed.fail(offset, ErrorKind::LengthOverflow { length: 0 });
            }
        }
        let consumed = self.header.accumulate(&mut self.filled, input);
        self.cursor.advance(consumed);
        // No byte was consumed: what fills the header is the last record.
        if self.filled < HEADER_LEN || consumed == 0 {
            return Ok(Step::more(consumed));
        }
        let offset = self.header_offset();
        let header = &self.header;
        if self.message == MessageState::Closed
            && self.record.message > 0
            && header.as_bytes().iter().all(|byte| *byte == 0)
        {
            // Not an error yet: a device with blocks may have filled up the last one.
            self.phase = Phase::Zeros;
            return self.push_zeros(input, consumed);
        }
        if header.magic() != MAGIC {
            let found = header.magic();
            return self.failed.fail(offset, ErrorKind::Magic { found });
        }
        if header.version() != VERSION {
            let found = header.version();
            return self.failed.fail(offset.plus(4), ErrorKind::Version { found });
        }
        let length = header.length();
        // The record can be addressed to its last byte of padding, so that no later position overflows.
        if end_of_record(self.cursor.position(), length).is_none() {
            return self.failed.fail(offset.plus(8), ErrorKind::LengthOverflow { length });
        }
        self.phase = Phase::Announce;
        self.stage = 0;
        self.announce(consumed)
    }

    /// Takes zeros after the last message; `done` bytes of the input are consumed before. Other bytes, and more zeros than
    /// padding has, show that the records have been lost that should be there.
    fn push_zeros(&mut self, input: &[u8], done: usize) -> Result<Step<Signal>, Stopped> {
        let rest = suffix(input, done);
        let room = u64::from(MAX_ZEROS).saturating_sub(1).saturating_sub(self.zeros());
        // The position after an error must not depend on how the input is cut.
        let zeros = prefix(rest, at_most(room, rest.len())).iter().take_while(|byte| **byte == 0).count();
        self.cursor.advance(zeros);
        if zeros < rest.len() {
            return self.failed.fail(self.zeros_offset(), ErrorKind::Magic { found: 0 });
        }
        Ok(Step::more(input.len()))
    }

    /// Absolute offset of the first byte after the last record, and its padding.
    // Not inlined: it has four callers.
    #[inline(never)]
    fn zeros_offset(&self) -> u64 {
        end_of_record(self.record.payload_offset(), self.record.length).unwrap_or(0)
    }

    /// Number of bytes after the last record.
    pub(super) fn zeros(&self) -> u64 {
        self.cursor.position().saturating_sub(self.zeros_offset())
    }

    /// Absolute offset of the header that is being read or has just been read.
    pub(super) fn header_offset(&self) -> u64 {
        self.cursor.position().minus(self.filled as u64)
    }

    /// Reports the rules that the complete header breaks, one per step, and then the record.
    fn announce(&mut self, consumed: usize) -> Result<Step<Signal>, Stopped> {
        const FLAGS: usize = 6;
        while self.stage < STAGES {
            let stage = self.stage;
            // Before a finding is returned: the next call continues with the rule after it.
            self.stage = stage.plus(1);
            let header = &self.header;
            let odd = match stage {
                0 if header.reserved() != 0 => {
                    Some((FLAGS, ErrorKind::ReservedBits { found: header.reserved() }))
                }
                1 => self.flags_rule(header).map(|kind| (FLAGS, kind)),
                2 => header.type_garbage().map(|within| (within, ErrorKind::TypeGarbage)),
                3 if header.is_terminal_null() => Some((0, ErrorKind::TerminalNull)),
                _ => None,
            };
            if let Some((within, kind)) = odd {
                let at = self.header_offset().plus(within as u64);
                return self.report(consumed, at, kind);
            }
        }
        self.begin_record();
        Ok(Step::event(consumed, Signal::Record))
    }

    /// Checks the rule that a record has MB if and only if it is the first record or follows one with ME.
    fn flags_rule(&self, header: &Header) -> Option<ErrorKind> {
        match (self.message, header.begins_message()) {
            (MessageState::Closed, false) if !header.is_terminal_null() || self.record.message == 0 => {
                Some(ErrorKind::BeginMissing)
            }
            (MessageState::Open, true) => Some(ErrorKind::BeginUnexpected),
            _ => None,
        }
    }

    fn begin_record(&mut self) {
        self.record.offset = self.header_offset();
        let header = &self.header;
        let (begin, end) = (header.begins_message(), header.ends_message());
        // Counted as in the tools of c-lime: a message begins at MB and at the first record.
        if begin || self.record.message == 0 {
            self.record.message.increase(1);
            self.record.number = 0;
        }
        self.record.number.increase(1);
        self.record.length = header.length();
        self.record.begin = begin;
        self.record.end = end;
        self.message = match end {
            true => MessageState::Closed,
            // A terminal null ends an open message. After a message that has ended it changes nothing.
            false if header.is_terminal_null() && self.message == MessageState::Closed => {
                MessageState::Closed
            }
            false if header.is_terminal_null() => MessageState::Null,
            false => MessageState::Open,
        };
        self.phase = Phase::Payload;
        self.cursor.open(self.record.length);
        self.padding_left = padding(self.record.length);
        self.padding_reported = false;
    }

    fn push_padding(&mut self, input: &[u8]) -> Result<Step<Signal>, Stopped> {
        let padding = prefix(input, input.len().min(usize::from(self.padding_left)));
        // Up to the first bad byte, the offset of the finding. The next step consumes it, and all others with it.
        let nonzero = padding.iter().position(|byte| *byte != 0).filter(|_| !self.padding_reported);
        let consumed = nonzero.unwrap_or(padding.len());
        self.cursor.advance(consumed);
        self.padding_left.take_away(consumed as u8);
        if let Some(found) = nonzero.and_then(|at| padding.get(at)) {
            self.padding_reported = true;
            let at = self.cursor.position();
            return self.report(consumed, at, ErrorKind::PaddingNonzero { found: *found });
        }
        if self.padding_left > 0 {
            return Ok(Step::more(consumed));
        }
        self.phase = Phase::Header;
        Ok(Step::event(consumed, Signal::End))
    }
}

impl StateMachine for Decoder {
    fn take_input(&mut self, input: &[u8]) -> Result<Step<Signal>, Stopped> {
        match self.phase {
            Phase::Payload if self.cursor.left() > 0 => match self.cursor.take(input.len()) {
                0 => Ok(Step::more(0)),
                n => Ok(Step::event(n, Signal::Payload)),
            },
            Phase::Payload => {
                self.phase = Phase::Padding;
                self.push_padding(input)
            }
            Phase::Padding => self.push_padding(input),
            Phase::Header => self.push_header(input),
            Phase::Announce => self.announce(0),
            Phase::Zeros => self.push_zeros(input, 0),
            Phase::Ended if input.is_empty() => Ok(Step::more(0)),
            Phase::Ended => Err(Stopped),
        }
    }

    fn take_end(&mut self) -> Result<Step<Signal>, Stopped> {
        // The header is complete: report its findings and the record before the truncation.
        if self.phase == Phase::Announce {
            return self.announce(0);
        }
        if let Some(error) = self.end_of_input() {
            let step = self.report(0, error.at, error.kind)?;
            match error.kind {
                // The payload is complete: close the record, then look at the message.
                ErrorKind::PaddingTruncated { .. } => {
                    self.padding_left = 0;
                    self.phase = Phase::Padding;
                }
                // As if the bytes were not there.
                ErrorKind::Trailing { .. } => (self.filled, self.phase) = (0, Phase::Header),
                _ => self.phase = Phase::Ended,
            }
            return Ok(step);
        }
        if matches!(self.phase, Phase::Padding | Phase::Payload) {
            self.phase = Phase::Header;
            return Ok(Step::event(0, Signal::End));
        }
        self.phase = Phase::Ended;
        Ok(Step::more(0))
    }

    fn event(&mut self, signal: Signal) -> Option<Event> {
        match signal {
            Signal::Record => Some(Event::Record(self.record)),
            Signal::Payload => Some(Event::Payload),
            Signal::End => Some(Event::End),
            Signal::Finding => Some(Event::Finding(self.finding())),
        }
    }

    fn next_demand(&self) -> Demand {
        match self.phase {
            Phase::Header if self.header_is_untouched() => Demand::Bytes(HEADER_LEN as u64),
            Phase::Header => Demand::Bytes(HEADER_LEN.minus(self.filled) as u64),
            Phase::Announce => Demand::Bytes(0),
            Phase::Payload if self.cursor.left() > 0 => Demand::Skip(self.cursor.left()),
            Phase::Payload | Phase::Padding => Demand::Bytes(u64::from(self.padding_left)),
            Phase::Zeros => Demand::Bytes(HEADER_LEN as u64),
            Phase::Ended => Demand::End,
        }
    }

    fn open_length(&self) -> Option<u64> {
        (self.phase == Phase::Payload).then_some(self.record.length)
    }

    fn is_consistent(&self) -> bool {
        Self::is_consistent(self)
    }
}

decoder!(Decoder, 1);

impl Decoder {
    /// The error if the input ends here; `None` if it may end here.
    pub(super) fn end_of_input(&self) -> Option<Error<ErrorKind>> {
        let position = self.cursor.position();
        let kind = match self.phase {
            Phase::Header if self.header_is_untouched() => {
                (self.message == MessageState::Open).then_some(ErrorKind::MessageOpen)?
            }
            Phase::Header => return Some(self.end_in_header()),
            Phase::Zeros => {
                let is_padding = position.is_multiple_of(u64::from(SECTOR));
                let padding = ErrorKind::Trailing { count: self.zeros() as u32 };
                let kind = if is_padding { padding } else { ErrorKind::Magic { found: 0 } };
                return Some(Error::new(self.zeros_offset(), kind));
            }
            Phase::Payload if self.cursor.left() > 0 => {
                ErrorKind::PayloadTruncated { missing: self.cursor.left() }
            }
            Phase::Payload | Phase::Padding if self.padding_left > 0 => {
                ErrorKind::PaddingTruncated { missing: self.padding_left }
            }
            Phase::Announce | Phase::Payload | Phase::Padding | Phase::Ended => return None,
        };
        Some(Error::new(position, kind))
    }

    /// The error if the input ends inside a header: a truncated header if the bytes begin with the magic number (or
    /// a part of it), otherwise trailing bytes after the last record, or no LIME file at all.
    fn end_in_header(&self) -> Error<ErrorKind> {
        let have = self.filled as u8;
        let count = u32::from(have);
        let seen = prefix(self.header.as_bytes(), self.filled);
        let looks_like_a_header = seen.iter().zip(&MAGIC.to_be_bytes()).all(|(seen, magic)| seen == magic);
        match (looks_like_a_header, self.record.message) {
            (true, _) => Error::new(self.cursor.position(), ErrorKind::HeaderTruncated { have }),
            (false, 0) => Error::new(self.header_offset(), ErrorKind::Magic { found: leading_word(seen) }),
            (false, _) => Error::new(self.header_offset(), ErrorKind::Trailing { count }),
        }
    }
}

/// The first four bytes as a big-endian number; missing bytes count as zero.
fn leading_word(bytes: &[u8]) -> u32 {
    let mut word = [0; 4];
    copy(&mut word, bytes);
    u32::from_be_bytes(word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::Misuse;
    use crate::state::Resumable as _;
    use crate::step::{Decode as _, SeekPayload as _};

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
    fn missing_padding_is_reported_or_refused_and_the_record_still_ends() {
        let mut file = header(b"t", 3, true, true).to_vec();
        file.extend_from_slice(b"abc\0");
        let error = Error::new(148, ErrorKind::PaddingTruncated { missing: 4 });
        assert_eq!(run(Mode::Strict, &file).1, Some(error));
        let (events, end) = run(Mode::Lenient, &file);
        assert_eq!(end, None);
        assert_eq!(events[events.len() - 2..], [Event::Finding(error), Event::End]);
    }

    #[test]
    fn terminal_null_closes_a_message_without_a_finding_about_an_open_message() {
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
