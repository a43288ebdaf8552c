//! Reading: the push state machine for one archive.
//!
//! # Invariants
//! | field | holds | changes |
//! |---|---|---|
//! | `phase` | part of the file; between header and data, and after the data, the finding that may be due next | to the next before a finding is returned, so that each is reported once |
//! | `line`, `filled` | the first bytes of the line at `line_at`, without its line feed; `is_cut` if it has more of them | kept from the event of the line to the next byte |
//! | `draft`, `header` | what the lines say; the header that follows from it | `header` is set after END_HEADER, and `draft` stays as it is from then on |
//! | `data_at` | offset of the data, whose end fits into 64 bits | set with `header` |
//! | `seen`, `sums` | bytes of the data that were summed, and their sums in both byte orders | with the data, up to the first byte that was skipped |

use super::data::{DataSum, Verdict, WordSums};
use super::error::ErrorKind;
use super::header::{Draft, Header, Key, key_and_value};
use crate::bytes::{accumulate, copy, prefix, split, suffix_mut};
use crate::counter::{Counter as _, at_most};
use crate::error::{Error, Mode};
use crate::failed::{Failed, Stopped};
use crate::lattice::ByteOrder;
use crate::machine::{DecoderBase as _, StateMachine, decoder};
use crate::payload::{PayloadCursor, Seen, Trailing};
use crate::state::saved;
use crate::step::{Demand, Step};

/// The events of a [`Decoder`].
///
/// # Example
/// ```
/// # fn main() -> Result<(), Box<dyn core::error::Error>> {
/// use linkstream::nersc::{Decoder, Event};
/// use linkstream::{Mode, drive, finish};
/// # let file = linkstream_example::nersc();
///
/// let mut decoder = Decoder::new(Mode::Strict);
/// let (mut lines, mut bytes, mut verdict) = (0, 0, None);
/// drive(&mut decoder, &file, |event, data, _| match event {
///     Event::Line => lines += 1,
///     Event::Data => bytes += data.len(),
///     Event::Verdict(found) => verdict = Some(found.is_match()),
///     _ => {}
/// })?;
/// finish(&mut decoder, |_, _, _| {})?;
/// assert_eq!((lines, bytes, verdict), (9, 192, Some(true)));
/// # Ok(())
/// # }
/// # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Event {
    /// A line of the header between the first and the last; [`Decoder::line`] has it until the
    /// next step.
    Line,
    /// The header is complete. The data follow.
    Header(Header),
    /// The bytes consumed by this step are data: for each site, x fastest, the links in the directions x, y, z, t.
    Data,
    /// The data are complete; the file should end here.
    Verdict(Verdict),
    /// A broken rule that the [`Mode`](crate::Mode) does not refuse, or a remark. Reading continues.
    Finding(Error<ErrorKind>),
}

/// An [`Event`] without its contents, which the decoder has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Signal {
    Line,
    Header,
    Data,
    Verdict,
    Finding,
}

/// The first bytes of every archive.
pub const MAGIC: [u8; 12] = *b"BEGIN_HEADER";
/// The line before the data.
pub(super) const END: &[u8] = b"END_HEADER";
/// The maximum length of a line in bytes, as in QIO and MILC.
pub const LINE_LEN: usize = 1023;
/// The maximum length of a header in bytes, with its first and last line. The longest of known files has 522.
pub const MAX_HEADER: u64 = 16 << 20;

/// Part of the file that the next byte belongs to, or the event that is due next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Magic,
    /// The rest of the first line.
    First,
    Line,
    /// A line is complete, and a finding about it has been reported. The line is reported next.
    Named,
    /// The line has been reported. It is kept until the next one begins.
    Between,
    /// The header is complete. Missing keys are reported first.
    FloatingPoint,
    Checksum,
    Announce,
    Data,
    /// The data are complete, and a finding about their checksum has been reported.
    Judged,
    After,
    /// [`Decode::finish`] has been called.
    Ended,
}

saved!(enum Phase:
    Magic, First, Line, Named, Between, FloatingPoint, Checksum, Announce, Data, Judged, After, Ended
);

/// Reads a NERSC archive from input in chunks of any size. It stores one line of the header and a few counters (see
/// [`State`](crate::State)), but no data.
///
/// # Example
/// ```
/// # fn main() -> Result<(), Box<dyn core::error::Error>> {
/// use linkstream::Resumable;
/// use linkstream::nersc::{Decoder, Event};
/// use linkstream::{Decode, Mode};
/// # let file = linkstream_example::nersc();
///
/// let mut decoder = Decoder::new(Mode::Strict);
/// let step = decoder.push(&file)?;
/// assert_eq!((step.event, decoder.line()), (Some(Event::Line), Some((&b"DATATYPE"[..], &b"4D_SU3_GAUGE"[..]))));
///
/// // Continue elsewhere: the state is a few bytes.
/// let mut decoder = Decoder::load(&decoder.save()?)?;
/// let mut rest = &file[step.consumed..];
/// while decoder.header().is_none() {
///     let step = decoder.push(rest)?;
///     rest = &rest[step.consumed..];
/// }
/// assert_eq!(decoder.header().map(|header| header.data_length()), Some(rest.len() as u64));
/// # Ok(())
/// # }
/// # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
/// ```
#[derive(Debug, Clone)]
pub struct Decoder {
    mode: Mode,
    phase: Phase,
    magic: [u8; MAGIC.len()],
    line: [u8; LINE_LEN],
    /// Number of bytes read of the magic, later of the line.
    filled: usize,
    /// The line was longer than [`LINE_LEN`].
    is_cut: bool,
    line_at: u64,
    line_end_reported: bool,
    trailing: Trailing,
    draft: Draft,
    header: Option<Header>,
    data_at: u64,
    sums: WordSums,
    seen: Seen,
    cursor: PayloadCursor,
    failed: Failed<ErrorKind>,
}

saved!(struct Decoder {
    mode, phase, magic, line, filled, is_cut, line_at, line_end_reported, trailing, draft, header, data_at, sums,
    seen, cursor
} skipping { failed });

impl Decoder {
    /// A decoder for a file from its first byte.
    #[must_use]
    pub const fn new(mode: Mode) -> Self {
        Self {
            mode,
            phase: Phase::Magic,
            magic: [0; MAGIC.len()],
            line: [0; LINE_LEN],
            filled: 0,
            is_cut: false,
            line_at: 0,
            line_end_reported: false,
            trailing: Trailing::new(),
            draft: Draft::new(),
            header: None,
            data_at: 0,
            sums: WordSums::new(),
            seen: Seen::new(),
            cursor: PayloadCursor::at(0),
            failed: Failed::new(),
        }
    }

    /// The header; `None` until it is complete.
    #[must_use]
    pub const fn header(&self) -> Option<&Header> {
        self.header.as_ref()
    }

    /// Key and value of the line that [`Event::Line`] has reported, without white space around them. A line without `=`
    /// is returned as a key with an empty value. `None` at other times.
    #[must_use]
    pub fn line(&self) -> Option<(&[u8], &[u8])> {
        let line = prefix(&self.line, self.filled);
        (self.phase == Phase::Between).then(|| key_and_value(line).unwrap_or((line.trim_ascii(), &[])))
    }

    /// The checksum of the data; `None` until all data have been read.
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn core::error::Error>> {
    /// use linkstream::lattice::ByteOrder;
    /// use linkstream::nersc::Decoder;
    /// use linkstream::{Mode, drive};
    /// # let file = linkstream_example::nersc();
    ///
    /// let mut decoder = Decoder::new(Mode::Strict);
    /// assert_eq!(decoder.computed(), None);
    /// drive(&mut decoder, &file, |_, _, _| {})?;
    /// assert_eq!(decoder.computed().map(|sums| sums.of(ByteOrder::Big)), Some(0xfc00_0000));
    /// # Ok(())
    /// # }
    /// # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
    /// ```
    #[must_use]
    pub fn computed(&self) -> Option<WordSums> {
        let length = self.header.as_ref()?.data_length();
        (self.seen.length() == length).then_some(self.sums)
    }

    /// True if the header follows from the lines, and the position is inside its data or after them.
    fn fits_data(&self, header: &Header) -> bool {
        let length = header.data_length();
        let Some(end) = self.data_at.checked_add(length) else { return false };
        let place = match self.phase {
            Phase::Data => {
                self.cursor.left() <= length && self.cursor.end() == Some(end) && !self.trailing.is_reported()
            }
            _ => self.trailing.fits(&self.cursor, end),
        };
        let is_header = header.is_consistent() && self.draft.header().as_ref() == Ok(header);
        self.is_after_header() && is_header && place && self.seen.length() <= length
    }

    const fn is_after_header(&self) -> bool {
        matches!(self.phase, Phase::Data | Phase::Judged | Phase::After | Phase::Ended)
    }

    fn push_magic(&mut self, input: &[u8]) -> Result<Step<Signal>, Stopped> {
        let consumed = accumulate(&mut self.magic, &mut self.filled, input);
        self.cursor.advance(consumed);
        if self.filled < MAGIC.len() {
            return Ok(Step::more(consumed));
        }
        if self.magic != MAGIC {
            return self.fail(0, ErrorKind::Magic { found: self.magic });
        }
        self.phase = Phase::First;
        self.filled = 0;
        self.push_line(input, consumed)
    }

    /// Takes bytes of a line up to its line feed; `done` bytes of the input are consumed before.
    fn push_line(&mut self, input: &[u8], done: usize) -> Result<Step<Signal>, Stopped> {
        let mut done = done;
        loop {
            let (_, rest) = split(input, done);
            let allowed = MAX_HEADER.saturating_sub(self.cursor.position());
            if allowed == 0 && !rest.is_empty() {
                return self.fail(MAX_HEADER, ErrorKind::HeaderTooLong);
            }
            // The loop comes again for what lies beyond the limit, and fails there, however the input is cut.
            let (rest, _) = split(rest, at_most(allowed, rest.len()));
            let end = rest.iter().position(|byte| *byte == b'\n');
            let (text, _) = split(rest, end.unwrap_or(rest.len()));
            let copied = copy(suffix_mut(&mut self.line, self.filled), text);
            self.filled.increase(copied);
            self.is_cut |= copied < text.len();
            let consumed = text.len().plus(usize::from(end.is_some()));
            self.cursor.advance(consumed);
            done.increase(consumed);
            if end.is_none() {
                if done < input.len() {
                    continue;
                }
                return Ok(Step::more(done));
            }
            let is_first = self.phase == Phase::First;
            if let Some(step) = self.end_line(done, is_first) {
                return step;
            }
        }
    }

    /// Handles a complete line. `None` if it is the first one and there is nothing to report about it.
    fn end_line(&mut self, consumed: usize, is_first: bool) -> Option<Result<Step<Signal>, Stopped>> {
        let line = prefix(&self.line, self.filled);
        let text = line.trim_ascii_end();
        let is_end = !is_first && text == END;
        // A blank after the equals sign belongs to the form `KEY = value`, even if the value is empty: CPS writes
        // `ENSEMBLE_ID = ` for an ensemble without a name.
        let is_empty_value = text.ends_with(b"=") && line.strip_prefix(text) == Some(b" ");
        let has_white_end = text.len() < line.len() && !is_empty_value && !self.is_cut;
        let finding = if is_first {
            (!text.is_empty()).then_some(ErrorKind::Line)
        } else if is_end {
            None
        } else {
            let found = self.draft.take(text, self.is_cut);
            if self.is_cut { found.or(Some(ErrorKind::LineTooLong)) } else { found }
        };
        let line_end = (has_white_end && !self.line_end_reported).then_some(ErrorKind::LineEnd);
        let finding = finding.or(line_end);
        self.line_end_reported |= finding == Some(ErrorKind::LineEnd);
        self.phase = match (is_first, is_end) {
            (true, _) => Phase::Line,
            (_, true) => Phase::FloatingPoint,
            _ => Phase::Named,
        };
        let at = if is_first { 0 } else { self.line_at };
        // Other lines are reported first, and their text is kept until the next one begins.
        if is_first || is_end {
            self.start_line();
        }
        if let Some(kind) = finding {
            return Some(self.report(consumed, at, kind));
        }
        match self.phase {
            Phase::Line => None,
            Phase::Named => Some(Ok(self.name_line(consumed))),
            _ => Some(self.floating_point(consumed)),
        }
    }

    /// Begins a line at the next byte.
    const fn start_line(&mut self) {
        self.filled = 0;
        self.is_cut = false;
        self.line_at = self.cursor.position();
    }

    const fn name_line(&mut self, consumed: usize) -> Step<Signal> {
        self.phase = Phase::Between;
        Step::event(consumed, Signal::Line)
    }

    fn floating_point(&mut self, consumed: usize) -> Result<Step<Signal>, Stopped> {
        self.phase = Phase::Checksum;
        if self.draft.lacks(Key::FloatingPoint) {
            return self.report(consumed, self.cursor.position(), ErrorKind::FloatingPointMissing);
        }
        self.checksum(consumed)
    }

    fn checksum(&mut self, consumed: usize) -> Result<Step<Signal>, Stopped> {
        self.phase = Phase::Announce;
        if self.draft.lacks(Key::Checksum) {
            return self.report(consumed, self.cursor.position(), ErrorKind::ChecksumMissing);
        }
        self.announce(consumed)
    }

    fn announce(&mut self, consumed: usize) -> Result<Step<Signal>, Stopped> {
        let at = self.cursor.position();
        let header = self.draft.header().and_then(|header| {
            let end = at.checked_add(header.data_length());
            end.map(|_| header).ok_or(ErrorKind::SizeOverflow)
        });
        match header {
            Ok(header) => {
                self.header = Some(header);
                self.data_at = at;
                self.phase = Phase::Data;
                self.cursor.open(header.data_length());
                Ok(Step::event(consumed, Signal::Header))
            }
            Err(kind) => self.fail(at, kind),
        }
    }

    fn push_data(&mut self, input: &[u8]) -> Step<Signal> {
        let length = self.open_length().unwrap_or(0);
        let (n, new) = self.seen.consume(&mut self.cursor, length, input);
        self.sums.feed(new);
        if n == 0 { Step::more(0) } else { Step::event(n, Signal::Data) }
    }

    /// Compares the checksums after all data have been read.
    fn end_data(&mut self) -> Result<Step<Signal>, Stopped> {
        self.phase = Phase::Judged;
        let order = self.header.and_then(|header| header.order());
        let finding = match self.verdict() {
            Verdict::Mismatch { stored, computed } => {
                Some(ErrorKind::Checksum { stored, computed: computed.value() })
            }
            Verdict::Match { computed: DataSum { order: found, .. }, .. }
                if order.is_some_and(|order| order != found) =>
            {
                Some(ErrorKind::OtherByteOrder { found })
            }
            _ => None,
        };
        match finding {
            Some(kind) => self.report(0, self.data_at, kind),
            None => Ok(self.end_judged()),
        }
    }

    const fn end_judged(&mut self) -> Step<Signal> {
        self.phase = Phase::After;
        Step::event(0, Signal::Verdict)
    }

    /// Result of comparing the checksums.
    fn verdict(&self) -> Verdict {
        let (Some(sums), Some(header)) = (self.computed(), self.header) else { return Verdict::Unchecked };
        // The order that the header names is tried first: both sums can be equal, for example if all data are zero.
        let named = header.order().unwrap_or(ByteOrder::Big);
        let [computed, other] = [named, named.other()].map(|order| DataSum::new(sums, order));
        match header.checksum {
            None => Verdict::Absent { computed },
            Some(stored) if computed.value() == stored => Verdict::Match { stored, computed },
            Some(stored) if other.value() == stored => Verdict::Match { stored, computed: other },
            Some(stored) => Verdict::Mismatch { stored, computed },
        }
    }

    fn push_after(&mut self, input: &[u8]) -> Result<Step<Signal>, Stopped> {
        match self.trailing.take(&mut self.cursor, input) {
            Some(at) => self.report(0, at, ErrorKind::Trailing),
            None => Ok(Step::more(input.len())),
        }
    }
}

impl StateMachine for Decoder {
    fn take_input(&mut self, input: &[u8]) -> Result<Step<Signal>, Stopped> {
        match self.phase {
            Phase::Data if self.cursor.left() > 0 => Ok(self.push_data(input)),
            Phase::Data => self.end_data(),
            Phase::Magic => self.push_magic(input),
            Phase::First | Phase::Line => self.push_line(input, 0),
            Phase::Between if input.is_empty() => Ok(Step::more(0)),
            Phase::Between => {
                self.phase = Phase::Line;
                self.start_line();
                self.push_line(input, 0)
            }
            Phase::Named => Ok(self.name_line(0)),
            Phase::FloatingPoint => self.floating_point(0),
            Phase::Checksum => self.checksum(0),
            Phase::Announce => self.announce(0),
            Phase::Judged => Ok(self.end_judged()),
            Phase::After => self.push_after(input),
            Phase::Ended if input.is_empty() => Ok(Step::more(0)),
            Phase::Ended => Err(Stopped),
        }
    }

    fn take_end(&mut self) -> Result<Step<Signal>, Stopped> {
        let at = self.cursor.position();
        match self.phase {
            Phase::Magic => {
                let seen = self.magic.iter().take(self.filled);
                if seen.zip(&MAGIC).all(|(seen, magic)| seen == magic) {
                    return self.fail(at, ErrorKind::HeaderTruncated);
                }
                self.fail(0, ErrorKind::Magic { found: self.magic })
            }
            Phase::First | Phase::Line | Phase::Between => self.fail(at, ErrorKind::HeaderTruncated),
            Phase::Data if self.cursor.left() > 0 => {
                let done = self.open_length().map_or(0, |length| self.cursor.place(length));
                let site = self.header.map_or(1, |header| header.site_bytes());
                let sites = done.checked_div(site).unwrap_or(0);
                self.fail(at, ErrorKind::DataTruncated { sites, missing: self.cursor.left() })
            }
            // Events that are already due come first.
            Phase::Named
            | Phase::FloatingPoint
            | Phase::Checksum
            | Phase::Announce
            | Phase::Data
            | Phase::Judged => self.take_input(&[]),
            Phase::After | Phase::Ended => {
                self.phase = Phase::Ended;
                Ok(Step::more(0))
            }
        }
    }

    #[inline(never)]
    fn event(&mut self, signal: Signal) -> Option<Event> {
        match signal {
            Signal::Line => Some(Event::Line),
            Signal::Header => self.header.map(Event::Header),
            Signal::Data => Some(Event::Data),
            Signal::Verdict => Some(Event::Verdict(self.verdict())),
            Signal::Finding => Some(Event::Finding(self.finding())),
        }
    }

    fn next_demand(&self) -> Demand {
        match self.phase {
            Phase::Magic => Demand::Bytes(MAGIC.len().minus(self.filled) as u64),
            Phase::First | Phase::Line | Phase::Between | Phase::After => Demand::Bytes(1),
            Phase::Named | Phase::FloatingPoint | Phase::Checksum | Phase::Announce | Phase::Judged => {
                Demand::Bytes(0)
            }
            Phase::Data if self.cursor.left() > 0 => Demand::Skip(self.cursor.left()),
            Phase::Data => Demand::Bytes(0),
            Phase::Ended => Demand::End,
        }
    }

    fn open_length(&self) -> Option<u64> {
        self.header.filter(|_| self.phase == Phase::Data).map(|header| header.data_length())
    }

    fn is_consistent(&self) -> bool {
        let position = self.cursor.position();
        let part_fits = match self.phase {
            Phase::Magic => self.filled < MAGIC.len() && position == self.filled as u64,
            Phase::First | Phase::Line | Phase::Named | Phase::Between => {
                self.filled <= LINE_LEN && self.line_at <= position
            }
            _ => self.filled <= LINE_LEN && self.header.is_some() == self.is_after_header(),
        };
        // No header is longer than any file, and counting on from here does not overflow.
        let is_before_data = !self.is_after_header() && position <= u64::MAX >> 1;
        let data_fit = match &self.header {
            None => {
                is_before_data
                    && self.cursor.left() == 0
                    && self.seen == Seen::new()
                    && !self.trailing.is_reported()
            }
            Some(header) => self.fits_data(header),
        };
        part_fits && data_fit && self.sums.is_consistent(self.seen.length())
    }
}

decoder!(Decoder, 17);
