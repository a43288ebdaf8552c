//! Reading the sections as they are stored: a compressed one is two sections.
//!
//! # Invariants
//! | fields | hold |
//! |---|---|
//! | `filled` | bytes of the head or of the count that is being read, less than its length; 0 among data and padding |
//! | `cursor` | at the next byte of the file; its payload is open exactly from the first to the last byte of data |
//! | `section` | the section of the head that was read last; `offset`, type and counts of a section that can be addressed with 64 bits |
//! | `sizes_left` | entries of a variable array that are still to come; more than 0 exactly in `Phase::Sizes` |
//! | `data_length` | length of the data; of a variable array, the sum of the sizes read so far |
//! | `padding_left` | bytes of padding that are still to come; `section.padding(data_length)` up to the first of them |
//! | `fits` | never 0 before a finding: the forms that the padding can still have |
//!
//! `saved.rs` checks all of them when a state is loaded.

use crate::bytes::{accumulate, prefix, suffix};
use crate::counter::Counter as _;
use crate::error::{Error, Mode, Rule};
use crate::failed::{Failed, Stopped};
use crate::machine::{DecoderBase as _, StateMachine, decoder};
use crate::payload::PayloadCursor;
use crate::scda::count::{COUNT_LEN, Count, Letter};
use crate::scda::error::ErrorKind;
use crate::scda::event::Event;
use crate::scda::padding::{self, fits};
use crate::scda::section::{HEAD_LEN, MAGIC, Section, SectionType, StoredSection, VERSION};
use crate::state::saved;
use crate::step::{Demand, Step};

/// An [`Event`] without the contents that the decoder has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Signal {
    Section,
    Size(u64),
    Data,
    End,
    Finding,
}

/// Part of the file that the next byte belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Phase {
    /// Magic and vendor string.
    Opening,
    Head,
    N,
    E,
    Sizes,
    Data,
    Padding,
    /// [`Decode::finish`] has been called.
    Ended,
}

saved!(enum Phase: Opening, Head, N, E, Sizes, Data, Padding, Ended);

/// Reads the sections of an scda file from input in chunks of any size as they are stored: a compressed section is
/// reported as two. It holds the strings of one section and a few counters (see [`State`](crate::State)), but no data.
///
/// [`Decoder`](crate::scda::Decoder) reports the same events if it does not decode. This decoder is for boards: it takes
/// about half the flash and the memory.
///
/// In [`Mode::Lenient`] the padding after data may have any content, as scda 2.1.2 requires of readers.
/// [`Mode::Strict`] requires padding in Unix or MIME style.
///
/// # Example
/// ```
/// use linkstream::Resumable;
/// use linkstream::scda::{Encoder, Event, PlainDecoder, Style};
/// use linkstream::{Decode, Mode};
///
/// let mut encoder = Encoder::new(Style::Unix);
/// let mut file = encoder.header(b"vendor", b"file")?.to_vec();
/// file.extend_from_slice(encoder.block(b"numbers", 3.into())?);
///
/// let mut decoder = PlainDecoder::new(Mode::Strict);
/// let mut rest = &file[..];
/// while !rest.is_empty() {
///     rest = &rest[decoder.push(rest)?.consumed..];
/// }
/// assert_eq!((decoder.vendor(), decoder.user()), (&b"vendor"[..], &b"numbers"[..]));
/// assert_eq!((decoder.section().offset, decoder.data_length()), (128, 3));
/// assert!(!decoder.is_between_sections());
///
/// // Continue elsewhere: the state is a few bytes.
/// let mut decoder = PlainDecoder::load(&decoder.save()?)?;
/// assert_eq!(decoder.push(b"abc")?.event, Some(Event::Data));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct PlainDecoder {
    pub(crate) mode: Mode,
    pub(crate) phase: Phase,
    /// Magic and vendor string, or the count that is being read.
    pub(crate) line: [u8; COUNT_LEN],
    pub(crate) head: [u8; HEAD_LEN],
    /// Number of bytes read of the line or the head, whichever is being read.
    pub(crate) filled: usize,
    pub(crate) vendor: [u8; COUNT_LEN],
    pub(crate) section: StoredSection,
    /// Number of element sizes of a variable array that are still to come.
    pub(crate) sizes_left: u64,
    pub(crate) data_length: u64,
    /// Paddings that may follow the data, as bits of [`fits`]. They depend on the last byte of the data, if it was
    /// read.
    pub(crate) fits: u8,
    pub(crate) padding_reported: bool,
    pub(crate) padding_left: u8,
    pub(crate) cursor: PayloadCursor,
    pub(crate) failed: Failed<ErrorKind>,
}

saved!(struct PlainDecoder {
    mode, phase, line, head, filled, vendor, section, sizes_left, data_length, fits, padding_reported,
    padding_left, cursor
} skipping { failed });

/// Number of rules that the plain decoder finds.
const RULES: usize = 15;

impl PlainDecoder {
    /// The rules that this decoder finds: all of [`ErrorKind`] except the rules of compressed sections.
    pub const RULES: &'static [Rule] = {
        // A copy, so that the other rules take no flash.
        const ALL: &[Rule] = ErrorKind::RULES;
        const OWN: [Rule; RULES] = match ALL.first_chunk() {
            Some(rules) => *rules,
            None => panic!("more rules than there are"),
        };
        &OWN
    };

    /// A decoder for a file from its first byte.
    #[must_use]
    pub const fn new(mode: Mode) -> Self {
        let none = Count::ZERO;
        Self {
            mode,
            phase: Phase::Opening,
            line: [0; COUNT_LEN],
            head: [0; HEAD_LEN],
            filled: 0,
            vendor: [0; COUNT_LEN],
            section: StoredSection { offset: 0, section_type: SectionType::Header, n: none, e: none },
            sizes_left: 0,
            data_length: 0,
            fits: fits::ALL,
            padding_reported: false,
            padding_left: 0,
            cursor: PayloadCursor::at(0),
            failed: Failed::new(),
        }
    }

    /// A decoder for the rest of a file from the absolute byte `offset` on, where a section other than the file
    /// header must begin.
    ///
    /// If no section fits between `offset` and the largest 64-bit offset, the first call returns
    /// [`ErrorKind::TooLong`].
    ///
    /// # Example
    /// ```
    /// use linkstream::scda::{Encoder, Event, PlainDecoder, SectionType, Style};
    /// use linkstream::{Decode, Mode};
    ///
    /// let mut encoder = Encoder::append(128, Style::Unix);
    /// let section = encoder.block(b"numbers", 3.into())?;
    /// let step = PlainDecoder::at(128, Mode::Strict).push(section)?;
    /// let Some(Event::Section(section)) = step.event else { return Err("no section".into()) };
    /// assert_eq!((section.offset, section.section_type), (128, SectionType::Block));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn at(offset: u64, mode: Mode) -> Self {
        let mut decoder = Self { phase: Phase::Head, cursor: PayloadCursor::at(offset), ..Self::new(mode) };
        if !can_begin(offset) {
            decoder.failed.set(Error::new(offset, ErrorKind::TooLong { count: Count::ZERO }));
        }
        decoder
    }

    /// The current section; between two sections, the previous one.
    #[must_use]
    pub const fn section(&self) -> Section {
        Section::plain(self.section)
    }

    pub(crate) const fn stored(&self) -> &StoredSection {
        &self.section
    }

    /// The user string of the current section. It may contain any bytes.
    #[must_use]
    pub fn user(&self) -> &[u8] {
        string(suffix(&self.head, 2))
    }

    /// The vendor string of the file. It may contain any bytes; empty if reading began in the middle of a file.
    #[must_use]
    pub fn vendor(&self) -> &[u8] {
        string(suffix(&self.vendor, 8))
    }

    /// Length of the data of the current section in bytes; for a variable array, the sum of the sizes read so far.
    #[must_use]
    pub const fn data_length(&self) -> u64 {
        self.data_length
    }

    /// True if a section may begin here, or the file may end.
    #[must_use]
    pub const fn is_between_sections(&self) -> bool {
        // The line with the magic and the head after it are one section, the file header.
        let in_a_head = self.filled > 0 || self.cursor.position() <= COUNT_LEN as u64;
        self.failed.check().is_ok() && matches!(self.phase, Phase::Head | Phase::Ended) && !in_a_head
    }

    /// Offset of the line of `length` bytes that has just been completed.
    pub(crate) fn start_of(&self, length: usize) -> u64 {
        self.cursor.position().minus(length as u64)
    }

    /// Takes the missing bytes of a line. Returns their number, and true if the line is complete.
    fn accumulate_line(&mut self, input: &[u8]) -> (usize, bool) {
        let consumed = accumulate(&mut self.line, &mut self.filled, input);
        self.cursor.advance(consumed);
        let complete = self.filled == COUNT_LEN;
        if complete {
            self.filled = 0;
        }
        (consumed, complete)
    }

    fn push_opening(&mut self, input: &[u8]) -> Result<Step<Signal>, Stopped> {
        let (consumed, complete) = self.accumulate_line(input);
        if !complete {
            return Ok(Step::more(consumed));
        }
        let [m0, m1, m2, m3, m4, v0, v1, space, field @ ..] = &self.line;
        let found = [*m0, *m1, *m2, *m3, *m4, *v0, *v1];
        match version(found) {
            None => return self.failed.fail(0, ErrorKind::Magic { found }),
            Some(VERSION) => {}
            Some(found) => return self.failed.fail(0, ErrorKind::Version { found }),
        }
        if *space != b' ' {
            let found = *space;
            return self.failed.fail(7, ErrorKind::NoSpace { found });
        }
        if padding::content(field).is_none() {
            return self.failed.fail(8, ErrorKind::Vendor);
        }
        self.vendor = self.line;
        self.phase = Phase::Head;
        // The first event comes with the head, which follows.
        let step = self.push_head(suffix(input, consumed))?;
        Ok(Step { consumed: consumed.plus(step.consumed), event: step.event })
    }

    fn push_head(&mut self, input: &[u8]) -> Result<Step<Signal>, Stopped> {
        let offset = self.start_of(self.filled);
        if !input.is_empty() && !can_begin(offset) {
            return self.failed.fail(offset, ErrorKind::TooLong { count: Count::ZERO });
        }
        let consumed = accumulate(&mut self.head, &mut self.filled, input);
        self.cursor.advance(consumed);
        if self.filled < HEAD_LEN {
            return Ok(Step::more(consumed));
        }
        self.filled = 0;
        let [letter, space, field @ ..] = &self.head;
        // The file header follows the line with the magic.
        let is_first = offset == COUNT_LEN as u64;
        let section_type = match SectionType::from_letter(*letter) {
            Some(found) if (found == SectionType::Header) == is_first => found,
            Some(SectionType::Header) => return self.failed.fail(offset, ErrorKind::SecondHeader),
            _ => {
                let found = *letter;
                return self.failed.fail(offset, ErrorKind::SectionLetter { found });
            }
        };
        if *space != b' ' {
            let found = *space;
            return self.failed.fail(offset.plus(1), ErrorKind::NoSpace { found });
        }
        if padding::content(field).is_none() {
            return self.failed.fail(offset.plus(2), ErrorKind::User);
        }
        let none = Count::ZERO;
        if offset.checked_add(section_type.head_length()).is_none() {
            return self.failed.fail(offset, ErrorKind::TooLong { count: none });
        }
        let offset = if is_first { 0 } else { offset };
        self.section = StoredSection { offset, section_type, n: none, e: none };
        match section_type {
            SectionType::Header | SectionType::Inline => self.begin_section(consumed),
            SectionType::Block => {
                self.phase = Phase::E;
                self.go_on(consumed, input)
            }
            SectionType::Array | SectionType::Varray => {
                self.phase = Phase::N;
                self.go_on(consumed, input)
            }
        }
    }

    /// Continues with the rest of the input, since there is no event yet.
    fn go_on(&mut self, consumed: usize, input: &[u8]) -> Result<Step<Signal>, Stopped> {
        let step = self.push_counts(suffix(input, consumed))?;
        Ok(Step { consumed: consumed.plus(step.consumed), event: step.event })
    }

    /// The counts `N` and `E` of a head.
    fn push_counts(&mut self, input: &[u8]) -> Result<Step<Signal>, Stopped> {
        let mut consumed = 0_usize;
        loop {
            let (taken, complete) = self.accumulate_line(suffix(input, consumed));
            consumed.increase(taken);
            if !complete {
                return Ok(Step::more(consumed));
            }
            let letter = if self.phase == Phase::N { Letter::N } else { Letter::E };
            let count = match Count::parse(letter, &self.line) {
                Ok(count) => count,
                Err((within, error)) => {
                    return self.failed.fail(self.start_of(COUNT_LEN).plus(within), error.into());
                }
            };
            match letter {
                Letter::N => self.section.n = count,
                _ => self.section.e = count,
            }
            if letter != Letter::N || self.section.section_type != SectionType::Array {
                return self.begin_section(consumed);
            }
            self.phase = Phase::E;
        }
    }

    fn begin_section(&mut self, consumed: usize) -> Result<Step<Signal>, Stopped> {
        let section = self.section;
        // The length of a variable array is not known yet. Its sizes and the padding of no data are the least it can
        // have.
        let length = section.data_length();
        let is_varray = section.section_type == SectionType::Varray;
        let length = if is_varray { Some(0) } else { length };
        let Some(length) = length.filter(|length| section.next_offset(*length).is_some()) else {
            return self
                .failed
                .fail(self.start_of(COUNT_LEN), ErrorKind::TooLong { count: section.n.max(section.e) });
        };
        self.data_length = length;
        // So many lines could be addressed, so their number fits.
        self.sizes_left = if is_varray { section.n.to_u64().unwrap_or(0) } else { 0 };
        if self.sizes_left > 0 {
            self.phase = Phase::Sizes;
        } else {
            self.begin_data();
        }
        Ok(Step::event(consumed, Signal::Section))
    }

    /// All counts are known.
    pub(crate) fn begin_data(&mut self) {
        self.phase = Phase::Data;
        self.cursor.open(self.data_length);
        // The padding of an empty section begins with a line break, as after data that do not end in a line feed.
        self.fits = if self.data_length == 0 { fits::AFTER_OTHER } else { fits::ALL };
        self.padding_left = self.section.padding(self.data_length);
        self.padding_reported = false;
    }

    fn push_size(&mut self, input: &[u8]) -> Result<Step<Signal>, Stopped> {
        // The input usually holds the whole line, which is then not copied.
        let (consumed, parsed) = match input.first_chunk() {
            Some(line) if self.filled == 0 => {
                self.cursor.advance(COUNT_LEN);
                (COUNT_LEN, Count::parse(Letter::E, line))
            }
            _ => match self.accumulate_line(input) {
                (consumed, false) => return Ok(Step::more(consumed)),
                (consumed, true) => (consumed, Count::parse(Letter::E, &self.line)),
            },
        };
        let at = self.start_of(COUNT_LEN);
        let count = match parsed {
            Ok(count) => count,
            Err((within, error)) => return self.failed.fail(at.plus(within), error.into()),
        };
        let size = count.to_u64();
        let length = size.and_then(|size| self.data_length.checked_add(size));
        let fits = length.filter(|length| self.section.next_offset(*length).is_some());
        let (Some(size), Some(length)) = (size, fits) else {
            return self.failed.fail(at, ErrorKind::TooLong { count });
        };
        self.data_length = length;
        self.sizes_left.take_away(1);
        if self.sizes_left == 0 {
            self.begin_data();
        }
        Ok(Step::event(consumed, Signal::Size(size)))
    }

    /// Consumes bytes of data that a layer above has parsed.
    pub(crate) fn skip_seen(&mut self, bytes: &[u8]) {
        let _ = self.push_data(bytes);
    }

    fn push_data(&mut self, input: &[u8]) -> Step<Signal> {
        let n = self.cursor.take(input.len());
        let Some(last) = n.checked_sub(1).and_then(|last| input.get(last)) else { return Step::more(0) };
        if self.cursor.left() == 0 {
            // The form of the padding depends on whether the data end in a line feed (scda 2.1.2).
            self.fits = fits::after(*last);
        }
        Step::event(n, Signal::Data)
    }

    /// Called when all data have been read. Padding follows, except in an inline section.
    fn end_data(&mut self, input: &[u8]) -> Result<Step<Signal>, Stopped> {
        if self.padding_left == 0 {
            self.phase = Phase::Head;
            return Ok(Step::event(0, Signal::End));
        }
        if input.is_empty() {
            return Ok(Step::more(0));
        }
        self.phase = Phase::Padding;
        self.push_padding(input)
    }

    fn push_padding(&mut self, input: &[u8]) -> Result<Step<Signal>, Stopped> {
        let all = self.section.padding(self.data_length);
        let padding = prefix(input, input.len().min(usize::from(self.padding_left)));
        let mut consumed = 0_u8;
        let mut wrong = None;
        for byte in padding {
            let place = all.minus(self.padding_left).plus(consumed);
            // Each byte excludes the paddings that have another one in this place. No form left means a broken rule.
            let still = self.fits & fits::with(all, place, *byte);
            if still == 0 && !self.padding_reported {
                wrong = Some(*byte);
                break;
            }
            // After its finding, the rest of the padding can be anything.
            self.fits = still;
            consumed.increase(1);
        }
        self.padding_left.take_away(consumed);
        let consumed = usize::from(consumed);
        self.cursor.advance(consumed);
        if let Some(found) = wrong {
            self.padding_reported = true;
            return self.report(consumed, self.cursor.position(), ErrorKind::Padding { found });
        }
        if self.padding_left > 0 {
            return Ok(Step::more(consumed));
        }
        self.phase = Phase::Head;
        Ok(Step::event(consumed, Signal::End))
    }
}

/// The content of a string's field; empty until the field has been read.
fn string(field: &[u8]) -> &[u8] {
    padding::content(field).map_or(&[], |length| prefix(field, length))
}

/// The version after the magic: `a0` to `ff` in lower case; `None` for another magic.
fn version(found: [u8; 7]) -> Option<u8> {
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Some(byte & 0x0f),
        b'a'..=b'f' => Some(byte.minus(b'a').plus(10)),
        _ => None,
    };
    let [magic @ .., high, low] = found;
    let (high, low) = (digit(high)?, digit(low)?);
    (magic == *b"scdat" && high >= 0xa).then_some(high << 4 | low)
}

/// True if the head of a section at `offset` can be addressed with 64 bits.
pub(crate) const fn can_begin(offset: u64) -> bool {
    offset.checked_add(HEAD_LEN as u64).is_some()
}

impl StateMachine for PlainDecoder {
    fn take_input(&mut self, input: &[u8]) -> Result<Step<Signal>, Stopped> {
        match self.phase {
            Phase::Data if self.cursor.left() > 0 => Ok(self.push_data(input)),
            Phase::Sizes => self.push_size(input),
            Phase::Data => self.end_data(input),
            Phase::Padding => self.push_padding(input),
            Phase::Head => self.push_head(input),
            Phase::N | Phase::E => self.push_counts(input),
            Phase::Opening => self.push_opening(input),
            Phase::Ended if input.is_empty() => Ok(Step::more(0)),
            Phase::Ended => Err(Stopped),
        }
    }

    fn take_end(&mut self) -> Result<Step<Signal>, Stopped> {
        if let Some(error) = self.end_of_input() {
            let step = self.report(0, error.at, error.kind)?;
            // `report` fails unless only padding is missing. The data are then complete, and the end is reported next.
            self.padding_left = 0;
            self.phase = Phase::Padding;
            return Ok(step);
        }
        if matches!(self.phase, Phase::Data | Phase::Padding) {
            self.phase = Phase::Head;
            return Ok(Step::event(0, Signal::End));
        }
        self.phase = Phase::Ended;
        Ok(Step::more(0))
    }

    fn event(&mut self, signal: Signal) -> Option<Event> {
        match signal {
            Signal::Section => Some(Event::Section(Section::plain(self.section))),
            Signal::Size(size) => Some(Event::Size(size)),
            Signal::Data => Some(Event::Data),
            Signal::End => Some(Event::End),
            Signal::Finding => Some(Event::Finding(self.finding())),
        }
    }

    fn next_demand(&self) -> Demand {
        let line = || COUNT_LEN.minus(self.filled) as u64;
        match self.phase {
            Phase::Opening => Demand::Bytes(line().plus(HEAD_LEN as u64)),
            Phase::Head => Demand::Bytes(HEAD_LEN.minus(self.filled) as u64),
            Phase::N | Phase::E | Phase::Sizes => Demand::Bytes(line()),
            Phase::Data if self.cursor.left() > 0 => Demand::Skip(self.cursor.left()),
            Phase::Data | Phase::Padding => Demand::Bytes(u64::from(self.padding_left)),
            Phase::Ended => Demand::End,
        }
    }

    fn open_length(&self) -> Option<u64> {
        (self.phase == Phase::Data).then_some(self.data_length)
    }

    fn is_consistent(&self) -> bool {
        Self::is_consistent(self)
    }
}

decoder!(PlainDecoder, 7);

impl PlainDecoder {
    /// Error if the input ends here, with its offset; `None` if the file may end here.
    pub(crate) fn end_of_input(&self) -> Option<Error<ErrorKind>> {
        let position = self.cursor.position();
        let have = self.filled as u8;
        let kind = match self.phase {
            Phase::Opening => return Some(self.end_in_opening()),
            Phase::Head if self.filled == 0 && position > COUNT_LEN as u64 => return None,
            // In the head of the file header, after the line with the magic: both count as one header of 128 bytes.
            Phase::Head if position < SectionType::Header.head_length() => {
                ErrorKind::HeadTruncated { have: have.plus(COUNT_LEN as u8), of: 128 }
            }
            Phase::Head => {
                // Bytes that begin no section are rather something else after the file than a truncated section.
                let [found, ..] = self.head;
                if SectionType::from_letter(found).is_none() {
                    return Some(Error::new(self.start_of(self.filled), ErrorKind::SectionLetter { found }));
                }
                ErrorKind::HeadTruncated { have, of: HEAD_LEN as u8 }
            }
            Phase::N | Phase::E => ErrorKind::HeadTruncated { have, of: COUNT_LEN as u8 },
            Phase::Sizes => ErrorKind::SizesTruncated { missing: self.sizes_left },
            Phase::Data if self.cursor.left() > 0 => ErrorKind::DataTruncated { missing: self.cursor.left() },
            Phase::Data | Phase::Padding if self.padding_left > 0 => {
                ErrorKind::PaddingTruncated { missing: self.padding_left }
            }
            Phase::Data | Phase::Padding | Phase::Ended => return None,
        };
        Some(Error::new(position, kind))
    }

    /// Error if the input ends inside the first 32 bytes: a truncated header if the bytes so far fit, otherwise another
    /// version or another format.
    fn end_in_opening(&self) -> Error<ErrorKind> {
        let [m0, m1, m2, m3, m4, v0, v1, ..] = self.line;
        let found = [m0, m1, m2, m3, m4, v0, v1];
        let seen = found.iter().take(self.filled.min(MAGIC.len()));
        let is_magic = seen.zip(&MAGIC).all(|(seen, magic)| seen == magic);
        if is_magic {
            let kind = ErrorKind::HeadTruncated { have: self.filled as u8, of: 128 };
            Error::new(self.cursor.position(), kind)
        } else {
            Error::new(0, ErrorKind::Magic { found })
        }
    }
}
