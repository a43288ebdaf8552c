//! Reading: the push state machine for raw sections.

use super::count::{COUNT_LEN, Count, Letter};
use super::entry::{self, Style, data_padding_byte};
use super::error::ErrorKind;
use super::event::Event;
use super::section::{HEAD_LEN, Section, SectionType};
use crate::accumulate::accumulate;
use crate::error::{Diagnostic as _, Error, Misuse, Mode};
use crate::state::{self, Failed, LoadError, Saved, saved};
use crate::step::{Decode, Demand, SeekPayload, Step};

/// The first five bytes of every file; two hexadecimal digits of the version follow.
pub const MAGIC: [u8; 5] = *b"scdat";
/// The only version there is.
pub const VERSION: u8 = 0xa0;

/// What the next byte belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
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

saved!(enum Part: Opening, Head, N, E, Sizes, Data, Padding, Ended);

/// The paddings that are still possible after the bytes seen: two styles, behind a line feed or not.
mod fits {
    pub const ALL: u8 = 0b1111;
    pub const AFTER_LINE_FEED: u8 = 0b1100;
    pub const AFTER_OTHER: u8 = 0b0011;
}

/// Reads the raw sections of an scda file from input cut anywhere: as they stand, compressed ones in two
/// halves. Holds the strings of one section and a few counters (see [`Decoder::SAVED`]), never data.
///
/// What the paper asks of a reader is [`Mode::Lenient`]: padding behind data is not looked at.
/// [`Mode::Strict`] wants it to be that of Unix or of MIME.
#[derive(Debug, Clone)]
pub struct Decoder {
    mode: Mode,
    part: Part,
    /// Magic and vendor string, or the count that is coming in.
    line: [u8; COUNT_LEN],
    head: [u8; HEAD_LEN],
    /// Bytes that are there of the line or the head, whichever comes in.
    filled: usize,
    vendor: [u8; COUNT_LEN],
    section: Section,
    /// Sizes of a variable array that are still to come.
    sizes_left: u64,
    data_length: u64,
    data_left: u64,
    /// Paddings that may follow the data, by their last byte if it has been seen.
    fits: u8,
    padding_reported: bool,
    padding_left: u8,
    position: u64,
    failed: Failed<ErrorKind>,
}

saved!(struct Decoder {
    mode, part, line, head, filled, vendor, section, sizes_left, data_length, data_left, fits,
    padding_reported, padding_left, position
} skipping { failed });

impl Decoder {
    /// Size of a saved state in bytes.
    pub const SAVED: usize = <Self as Saved>::SIZE.saturating_add(state::SEAL);
    const TAG: u8 = 7;

    /// A decoder for a file from its first byte.
    #[must_use]
    pub fn new(mode: Mode) -> Self {
        let none = Count::default();
        Self {
            mode,
            part: Part::Opening,
            line: [0; COUNT_LEN],
            head: [0; HEAD_LEN],
            filled: 0,
            vendor: [0; COUNT_LEN],
            section: Section { offset: 0, section_type: SectionType::Header, n: none, e: none },
            sizes_left: 0,
            data_length: 0,
            data_left: 0,
            fits: fits::ALL,
            padding_reported: false,
            padding_left: 0,
            position: 0,
            failed: Failed::new(),
        }
    }

    /// A decoder for the rest of a file from `offset` on, where a section other than the file header must
    /// begin.
    #[must_use]
    pub fn at(offset: u64, mode: Mode) -> Self {
        Self { part: Part::Head, position: offset, ..Self::new(mode) }
    }

    /// The present section, the last one between two sections.
    #[must_use]
    pub const fn section(&self) -> &Section {
        &self.section
    }

    /// The user string of the present section. Not necessarily text.
    #[must_use]
    pub fn user(&self) -> &[u8] {
        let field = self.head.get(2..).unwrap_or_default();
        entry::content(field).and_then(|length| field.get(..length)).unwrap_or_default()
    }

    /// The vendor string of the file. Not necessarily text; empty where reading began in the middle of a file.
    #[must_use]
    pub fn vendor(&self) -> &[u8] {
        let field = self.vendor.get(8..).unwrap_or_default();
        entry::content(field).and_then(|length| field.get(..length)).unwrap_or_default()
    }

    /// Bytes of data of the present section; of a variable array, as far as its sizes have come.
    #[must_use]
    pub const fn data_length(&self) -> u64 {
        self.data_length
    }

    /// The mode in force.
    #[must_use]
    pub const fn mode(&self) -> Mode {
        self.mode
    }

    /// Whether a section may begin here, and the file end.
    #[must_use]
    pub const fn is_between_sections(&self) -> bool {
        let in_a_head = self.filled > 0 || self.position <= COUNT_LEN as u64;
        self.failed.check().is_ok() && matches!(self.part, Part::Head | Part::Ended) && !in_a_head
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

    /// The error that has ended the reading.
    pub(super) const fn check(&self) -> Result<(), Error<ErrorKind>> {
        self.failed.check()
    }

    pub(super) fn is_consistent(&self) -> bool {
        let gathered = if self.part == Part::Head { HEAD_LEN } else { COUNT_LEN };
        let padding = self.section.padding(self.data_length);
        // What lies behind the present place can be addressed.
        let rest = self.data_left.checked_add(u64::from(padding));
        let end = rest.and_then(|rest| rest.checked_add(self.sizes_left.checked_mul(COUNT_LEN as u64)?));
        let in_padding = match self.part {
            // None left: told that it is missing.
            Part::Padding => self.padding_left <= padding,
            Part::Data => self.padding_left == padding,
            _ => true,
        };
        self.filled < gathered
            && self.data_left <= self.data_length
            && self.fits <= fits::ALL
            && in_padding
            && end.and_then(|end| end.checked_add(self.position)).is_some()
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

    /// Where the line of `length` bytes begins that has just been completed.
    const fn behind(&self, length: usize) -> u64 {
        self.position.wrapping_sub(length as u64)
    }

    /// Takes what is missing of a line. `None` while it is not complete.
    fn gather_line(&mut self, input: &[u8]) -> (usize, bool) {
        let consumed = accumulate(&mut self.line, &mut self.filled, input);
        self.advance(consumed);
        let complete = self.filled == COUNT_LEN;
        if complete {
            self.filled = 0;
        }
        (consumed, complete)
    }

    fn push_opening(&mut self, input: &[u8]) -> Result<Step<Event>, Error<ErrorKind>> {
        let (consumed, complete) = self.gather_line(input);
        if !complete {
            return Ok(Step::more(consumed));
        }
        let [m0, m1, m2, m3, m4, v0, v1, space, field @ ..] = &self.line;
        match version([*m0, *m1, *m2, *m3, *m4, *v0, *v1]) {
            Err(kind) => return self.fail(0, kind),
            Ok(VERSION) => {}
            Ok(found) => return self.fail(0, ErrorKind::Version { found }),
        }
        if *space != b' ' {
            let found = *space;
            return self.fail(7, ErrorKind::NoSpace { found });
        }
        if entry::content(field).is_none() {
            return self.fail(8, ErrorKind::Vendor);
        }
        self.vendor = self.line;
        self.part = Part::Head;
        // The head follows, and with it the first thing to be told.
        let rest = input.get(consumed..).unwrap_or_default();
        let step = self.push_head(rest)?;
        Ok(Step { consumed: consumed.saturating_add(step.consumed), event: step.event })
    }

    fn push_head(&mut self, input: &[u8]) -> Result<Step<Event>, Error<ErrorKind>> {
        let consumed = accumulate(&mut self.head, &mut self.filled, input);
        self.advance(consumed);
        if self.filled < HEAD_LEN {
            return Ok(Step::more(consumed));
        }
        self.filled = 0;
        let offset = self.behind(HEAD_LEN);
        let [letter, space, field @ ..] = &self.head;
        // The file header stands behind the line with the magic.
        let is_first = offset == COUNT_LEN as u64;
        let section_type = match SectionType::from_letter(*letter) {
            Some(found) if (found == SectionType::Header) == is_first => found,
            Some(SectionType::Header) => return self.fail(offset, ErrorKind::SecondHeader),
            _ => {
                let found = *letter;
                return self.fail(offset, ErrorKind::SectionLetter { found });
            }
        };
        if *space != b' ' {
            let found = *space;
            return self.fail(offset.wrapping_add(1), ErrorKind::NoSpace { found });
        }
        if entry::content(field).is_none() {
            return self.fail(offset.wrapping_add(2), ErrorKind::User);
        }
        let none = Count::default();
        let offset = if is_first { 0 } else { offset };
        self.section = Section { offset, section_type, n: none, e: none };
        match section_type {
            SectionType::Header | SectionType::Inline => self.begin_section(consumed),
            SectionType::Block => {
                self.part = Part::E;
                self.go_on(consumed, input)
            }
            SectionType::Array | SectionType::Varray => {
                self.part = Part::N;
                self.go_on(consumed, input)
            }
        }
    }

    /// Nothing is to be told yet: goes on with the rest of the input.
    fn go_on(&mut self, consumed: usize, input: &[u8]) -> Result<Step<Event>, Error<ErrorKind>> {
        let rest = input.get(consumed..).unwrap_or_default();
        if rest.is_empty() {
            return Ok(Step::more(consumed));
        }
        let step = self.push_count(rest)?;
        Ok(Step { consumed: consumed.saturating_add(step.consumed), event: step.event })
    }

    /// The counts `N` and `E` of a head.
    fn push_count(&mut self, input: &[u8]) -> Result<Step<Event>, Error<ErrorKind>> {
        let (consumed, complete) = self.gather_line(input);
        if !complete {
            return Ok(Step::more(consumed));
        }
        let letter = if self.part == Part::N { Letter::N } else { Letter::E };
        let count = match Count::parse(letter, &self.line) {
            Ok(count) => count,
            Err((within, kind)) => return self.fail(self.behind(COUNT_LEN).wrapping_add(within), kind),
        };
        match letter {
            Letter::N => self.section.n = count,
            _ => self.section.e = count,
        }
        if letter == Letter::N && self.section.section_type == SectionType::Array {
            self.part = Part::E;
            return self.go_on(consumed, input);
        }
        self.begin_section(consumed)
    }

    fn begin_section(&mut self, consumed: usize) -> Result<Step<Event>, Error<ErrorKind>> {
        let section = self.section;
        // Of a variable array, at least the sizes and the padding of no data.
        let length = section.data_length();
        let is_varray = section.section_type == SectionType::Varray;
        let length = if is_varray { Some(0) } else { length };
        let Some(length) = length.filter(|length| section.next_offset(*length).is_some()) else {
            return self.fail(self.behind(COUNT_LEN), ErrorKind::TooLong { count: section.n.max(section.e) });
        };
        self.data_length = length;
        self.sizes_left = if is_varray { section.n.to_u64().unwrap_or(0) } else { 0 };
        if self.sizes_left > 0 {
            self.part = Part::Sizes;
        } else {
            self.begin_data();
        }
        Ok(Step::event(consumed, Event::Section(section)))
    }

    /// All counts are known.
    fn begin_data(&mut self) {
        self.part = Part::Data;
        self.data_left = self.data_length;
        // Behind no data stands what stands behind data that do not end in a line feed.
        self.fits = if self.data_length == 0 { fits::AFTER_OTHER } else { fits::ALL };
        self.padding_left = self.section.padding(self.data_length);
        self.padding_reported = false;
    }

    fn push_size(&mut self, input: &[u8]) -> Result<Step<Event>, Error<ErrorKind>> {
        // A whole line in the input is the common case, and is not copied.
        let (consumed, parsed) = match input.first_chunk() {
            Some(line) if self.filled == 0 => {
                self.advance(COUNT_LEN);
                (COUNT_LEN, Count::parse(Letter::E, line))
            }
            _ => match self.gather_line(input) {
                (consumed, false) => return Ok(Step::more(consumed)),
                (consumed, true) => (consumed, Count::parse(Letter::E, &self.line)),
            },
        };
        let at = self.behind(COUNT_LEN);
        let count = match parsed {
            Ok(count) => count,
            Err((within, kind)) => return self.fail(at.wrapping_add(within), kind),
        };
        let size = count.to_u64();
        let length = size.and_then(|size| self.data_length.checked_add(size));
        let fits = length.filter(|length| self.section.next_offset(*length).is_some());
        let (Some(size), Some(length)) = (size, fits) else {
            return self.fail(at, ErrorKind::TooLong { count });
        };
        self.data_length = length;
        self.sizes_left = self.sizes_left.saturating_sub(1);
        if self.sizes_left == 0 {
            self.begin_data();
        }
        Ok(Step::event(consumed, Event::Size(size)))
    }

    /// A layer above has looked at these bytes, which are data.
    pub(super) fn skip_seen(&mut self, bytes: &[u8]) {
        let _ = self.push_data(bytes);
    }

    fn push_data(&mut self, input: &[u8]) -> Step<Event> {
        let n = usize::try_from(self.data_left).unwrap_or(usize::MAX).min(input.len());
        let Some(last) = n.checked_sub(1).and_then(|last| input.get(last)) else { return Step::more(0) };
        self.data_left = self.data_left.wrapping_sub(n as u64);
        self.advance(n);
        if self.data_left == 0 {
            self.fits = if *last == b'\n' { fits::AFTER_LINE_FEED } else { fits::AFTER_OTHER };
        }
        Step::event(n, Event::Data)
    }

    /// All data have come: padding follows, but for those of an inline section.
    fn end_data(&mut self, input: &[u8]) -> Result<Step<Event>, Error<ErrorKind>> {
        if self.padding_left == 0 {
            self.part = Part::Head;
            return Ok(Step::event(0, Event::End));
        }
        if input.is_empty() {
            return Ok(Step::more(0));
        }
        self.part = Part::Padding;
        self.push_padding(input)
    }

    fn push_padding(&mut self, input: &[u8]) -> Result<Step<Event>, Error<ErrorKind>> {
        let all = self.section.padding(self.data_length);
        let mut consumed = 0_usize;
        for byte in input.iter().take(usize::from(self.padding_left)) {
            let place = all.wrapping_sub(self.padding_left);
            let still = self.fits & fitting(all, place, *byte);
            if still == 0 && !self.padding_reported {
                self.padding_reported = true;
                return self.report(consumed, self.position, ErrorKind::Padding { found: *byte });
            }
            self.fits = still;
            self.padding_left = self.padding_left.wrapping_sub(1);
            consumed = consumed.wrapping_add(1);
            self.advance(1);
        }
        if self.padding_left > 0 {
            return Ok(Step::more(consumed));
        }
        self.part = Part::Head;
        Ok(Step::event(consumed, Event::End))
    }

    /// What the end of the input means at this place.
    fn end(&self) -> Option<ErrorKind> {
        let have = self.filled as u8;
        match self.part {
            Part::Opening => {
                let [m0, m1, m2, m3, m4, v0, v1, ..] = self.line;
                let found = [m0, m1, m2, m3, m4, v0, v1];
                let seen = found.iter().take(self.filled.min(MAGIC.len()));
                let is_magic = seen.zip(&MAGIC).all(|(seen, magic)| seen == magic);
                let wrong = if self.filled >= found.len() { version(found).err() } else { None };
                match (is_magic, wrong) {
                    (true, None) => Some(ErrorKind::HeadTruncated { have, of: 128 }),
                    (_, Some(kind)) => Some(kind),
                    (false, None) => Some(ErrorKind::Magic { found }),
                }
            }
            Part::Head if self.filled == 0 && self.position > COUNT_LEN as u64 => None,
            Part::Head if self.position < SectionType::Header.head_length() => {
                Some(ErrorKind::HeadTruncated { have: have.wrapping_add(COUNT_LEN as u8), of: 128 })
            }
            Part::Head => {
                let found = self.head.first().copied().unwrap_or(0);
                Some(match SectionType::from_letter(found) {
                    Some(_) => ErrorKind::HeadTruncated { have, of: HEAD_LEN as u8 },
                    None => ErrorKind::SectionLetter { found },
                })
            }
            Part::N | Part::E => Some(ErrorKind::HeadTruncated { have, of: COUNT_LEN as u8 }),
            Part::Sizes => Some(ErrorKind::SizesTruncated { missing: self.sizes_left }),
            Part::Data if self.data_left > 0 => Some(ErrorKind::DataTruncated { missing: self.data_left }),
            Part::Data | Part::Padding => {
                (self.padding_left > 0).then_some(ErrorKind::PaddingTruncated { missing: self.padding_left })
            }
            Part::Ended => None,
        }
    }
}

/// The version behind the magic: `a0` to `ff` in lower case.
fn version(found: [u8; 7]) -> Result<u8, ErrorKind> {
    let [magic @ .., v0, v1] = found;
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Some(byte & 0x0f),
        b'a'..=b'f' => Some(byte.wrapping_sub(b'a').wrapping_add(10)),
        _ => None,
    };
    match (digit(v0), digit(v1)) {
        (Some(high @ 10..), Some(low)) if magic == MAGIC => Ok(high << 4 | low),
        _ => Err(ErrorKind::Magic { found }),
    }
}

/// The paddings of `length` bytes that have this byte at `place`.
fn fitting(length: u8, place: u8, byte: u8) -> u8 {
    let candidates = [(Style::Unix, false), (Style::Mime, false), (Style::Unix, true), (Style::Mime, true)];
    let mut fits = 0_u8;
    for (bit, (style, after)) in (0_u32..).zip(candidates) {
        if data_padding_byte(style, after, length, place) == byte {
            fits |= 1_u8.wrapping_shl(bit);
        }
    }
    fits
}

impl Decode for Decoder {
    type Event = Event;
    type ErrorKind = ErrorKind;

    fn push(&mut self, input: &[u8]) -> Result<Step<Event>, Error<ErrorKind>> {
        self.failed.check()?;
        match self.part {
            Part::Data if self.data_left > 0 => Ok(self.push_data(input)),
            Part::Sizes => self.push_size(input),
            Part::Data => self.end_data(input),
            Part::Padding => self.push_padding(input),
            Part::Head => self.push_head(input),
            Part::N | Part::E => self.push_count(input),
            Part::Opening => self.push_opening(input),
            Part::Ended if input.is_empty() => Ok(Step::more(0)),
            Part::Ended => Err(Error::new(self.position, ErrorKind::Misuse(Misuse::AfterEnd))),
        }
    }

    fn finish(&mut self) -> Result<Option<Event>, Error<ErrorKind>> {
        self.failed.check()?;
        if let Some(kind) = self.end() {
            let at = match kind {
                ErrorKind::Magic { .. } | ErrorKind::Version { .. } => 0,
                ErrorKind::SectionLetter { .. } => self.behind(self.filled),
                _ => self.position,
            };
            let step = self.report(0, at, kind)?;
            // Only padding can be missing without harm to what comes before: the section's end is told next.
            self.padding_left = 0;
            self.part = Part::Padding;
            return Ok(step.event);
        }
        match self.part {
            Part::Data | Part::Padding => {
                self.part = Part::Head;
                Ok(Some(Event::End))
            }
            _ => {
                self.part = Part::Ended;
                Ok(None)
            }
        }
    }

    fn demand(&self) -> Demand {
        let line = COUNT_LEN.saturating_sub(self.filled) as u64;
        match self.part {
            Part::Opening => Demand::Bytes(line.wrapping_add(HEAD_LEN as u64)),
            Part::Head => Demand::Bytes(HEAD_LEN.saturating_sub(self.filled) as u64),
            Part::N | Part::E | Part::Sizes => Demand::Bytes(line),
            Part::Data if self.data_left > 0 => Demand::Skip(self.data_left),
            Part::Data | Part::Padding => Demand::Bytes(u64::from(self.padding_left)),
            Part::Ended => Demand::End,
        }
    }

    fn skip(&mut self, n: u64) -> Result<(), Error<ErrorKind>> {
        self.failed.check()?;
        let available = if self.part == Part::Data { self.data_left } else { 0 };
        match available.checked_sub(n) {
            Some(left) if n > 0 => {
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
        (self.part == Part::Data).then_some(self.data_length.wrapping_sub(self.data_left))
    }

    fn seek(&mut self, to: u64) -> Result<(), Error<ErrorKind>> {
        self.failed.check()?;
        if self.part != Part::Data {
            return Err(Error::new(self.position, ErrorKind::Misuse(Misuse::NoPayload)));
        }
        let Some(left) = self.data_length.checked_sub(to) else {
            let misuse = Misuse::SkipTooFar { asked: to, available: self.data_length };
            return Err(Error::new(self.position, ErrorKind::Misuse(misuse)));
        };
        let start = self.position.wrapping_sub(self.data_length.wrapping_sub(self.data_left));
        self.data_left = left;
        self.position = start.wrapping_add(to);
        if left > 0 {
            // The last byte is still to come.
            self.fits = fits::ALL;
        }
        Ok(())
    }
}
