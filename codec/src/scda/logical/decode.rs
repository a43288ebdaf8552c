//! Reading: logical sections of raw ones.

use super::account::Account;
use super::convention::{self, is_text_length, second_half};
use super::error::ErrorKind;
use super::event::{Event, Section};
use crate::accumulate::accumulate;
use crate::error::{Diagnostic as _, Error, Misuse, Mode};
use crate::scda::count::{COUNT_LEN, Count, Letter};
use crate::scda::decode::Decoder as RawDecoder;
use crate::scda::error::ErrorKind as RawErrorKind;
use crate::scda::event::Event as RawEvent;
use crate::scda::section::{self, HEAD_LEN, SectionType};
use crate::state::{self, Failed, LoadError, Saved, saved};
use crate::step::{Decode, Demand, Step};

/// What the raw sections mean at present.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    /// What they are.
    Plain,
    /// A first half: its data are `U` entries.
    First,
    /// A first half in which something is wrong: its data are passed over.
    FirstBroken,
    /// The head of a second half must come.
    Second,
    /// A second half: sizes and texts of compressed elements.
    Text,
}

saved!(enum Part: Plain, First, FirstBroken, Second, Text);

/// Whether a section is still to be told, behind a finding about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Waiting {
    No,
    /// As what it is by itself, which may be a first half.
    Any,
    /// As it stands: what it seems to be the first half of is broken.
    Plain,
}

saved!(enum Waiting: No, Any, Plain);

/// Reads the sections of an scda file as they were meant, from input cut anywhere: where the compression
/// convention is met, two raw sections become one. Holds a raw decoder and a few counters (see
/// [`Decoder::SAVED`]).
#[derive(Debug, Clone)]
pub struct Decoder {
    raw: RawDecoder,
    decode: bool,
    part: Part,
    /// Of the logical section at hand: known is first the type and where it begins.
    section: Section,
    line: [u8; COUNT_LEN],
    filled: usize,
    /// A section is still to be told as what it is by itself.
    waiting: Waiting,
    /// What the `U` entries and the sizes of the texts said.
    uncompressed: Account,
    texts: Account,
    failed: Failed<ErrorKind>,
}

saved!(struct Decoder {
    raw, decode, part, section, line, filled, waiting, uncompressed, texts
} skipping { failed });

impl Decoder {
    /// Size of a saved state in bytes.
    pub const SAVED: usize = <Self as Saved>::SIZE.saturating_add(state::SEAL);
    const TAG: u8 = 9;

    /// A decoder for a file from its first byte. Without `decode`, compressed sections are told as the two raw
    /// sections they are (Table 2 of the paper).
    #[must_use]
    pub fn new(mode: Mode, decode: bool) -> Self {
        Self::of(RawDecoder::new(mode), decode)
    }

    /// A decoder for the rest of a file from `offset` on, where a section other than the file header must
    /// begin.
    #[must_use]
    pub fn at(offset: u64, mode: Mode, decode: bool) -> Self {
        Self::of(RawDecoder::at(offset, mode), decode)
    }

    fn of(raw: RawDecoder, decode: bool) -> Self {
        let section = Section::plain(*raw.section());
        let (uncompressed, texts) = (Account::default(), Account::default());
        Self {
            raw,
            decode,
            part: Part::Plain,
            section,
            line: [0; COUNT_LEN],
            filled: 0,
            waiting: Waiting::No,
            uncompressed,
            texts,
            failed: Failed::new(),
        }
    }

    /// Whether compressed sections that begin from here on are told as one.
    pub const fn set_decode(&mut self, decode: bool) {
        self.decode = decode;
    }

    /// The present section, the last one between two sections.
    #[must_use]
    pub const fn section(&self) -> &Section {
        &self.section
    }

    /// The raw sections, to be asked for strings and counts of the halves.
    #[must_use]
    pub const fn raw(&self) -> &RawDecoder {
        &self.raw
    }

    /// The user string of the present section. Not necessarily text.
    #[must_use]
    pub fn user(&self) -> &[u8] {
        self.raw.user()
    }

    /// The vendor string of the file. Not necessarily text.
    #[must_use]
    pub fn vendor(&self) -> &[u8] {
        self.raw.vendor()
    }

    /// The mode in force.
    #[must_use]
    pub const fn mode(&self) -> Mode {
        self.raw.mode()
    }

    /// The state as bytes: to be kept, or handed to another process.
    ///
    /// # Errors
    /// A decoder that has met an error is not saved; the error is returned.
    pub fn save(&self) -> Result<[u8; Self::SAVED], Error<ErrorKind>> {
        self.check()?;
        Ok(state::seal(Self::TAG, self))
    }

    /// Puts back a state that [`Decoder::save`] gave.
    ///
    /// # Errors
    /// The bytes are not such a state.
    pub fn load(saved: &[u8; Self::SAVED]) -> Result<Self, LoadError> {
        let decoder: Self = state::open(Self::TAG, saved)?;
        // The data of a first half are whole entries, with what has come of one.
        let entries = match (decoder.part, decoder.raw.demand()) {
            (Part::First, Demand::Skip(left)) => {
                left.wrapping_add(decoder.filled as u64).is_multiple_of(COUNT_LEN as u64)
            }
            _ => decoder.filled == 0,
        };
        let fits = decoder.raw.is_consistent() && decoder.filled < COUNT_LEN && entries;
        // What is told once more is told as what it is.
        let waits = decoder.waiting != Waiting::No && decoder.part != Part::Plain;
        if fits && !waits { Ok(decoder) } else { Err(LoadError::Inconsistent) }
    }

    /// The error that has ended the reading, of this layer or the one below.
    pub(crate) fn check(&self) -> Result<(), Error<ErrorKind>> {
        self.failed.check()?;
        self.raw.check().map_err(Error::into_kind)
    }

    /// Passing over is not possible here.
    #[cfg(feature = "inflate")]
    pub(crate) fn refuse_skip(&self, asked: u64) -> Result<(), Error<ErrorKind>> {
        self.check()?;
        Err(Error::new(self.position(), Misuse::SkipTooFar { asked, available: 0 }.into()))
    }

    /// What the counts of a compressed section say about its texts, and about their elements where those have
    /// sizes of their own.
    #[cfg(feature = "inflate")]
    pub(crate) const fn accounts(&self) -> (Account, Account) {
        (self.texts, self.uncompressed)
    }

    /// Whether the payload that comes next is the text of compressed elements.
    #[cfg(feature = "inflate")]
    pub(crate) fn is_in_text(&self) -> bool {
        self.part == Part::Text && matches!(self.demand(), Demand::Skip(_))
    }

    /// Gives up for good.
    pub(crate) fn fail<T>(&mut self, error: Error<ErrorKind>) -> Result<T, Error<ErrorKind>> {
        Err(self.failed.set(error))
    }

    /// Refuses or reports, as the mode has it.
    fn report(&mut self, consumed: usize, at: u64, kind: ErrorKind) -> Result<Step<Event>, Error<ErrorKind>> {
        let error = Error::new(at, kind);
        if self.mode().refuses(kind.severity()) {
            return self.fail(error);
        }
        Ok(Step::event(consumed, Event::Finding(error)))
    }

    /// What an event of the raw sections means; `None`: nothing is to be told.
    fn translate(
        &mut self,
        consumed: usize,
        event: RawEvent,
    ) -> Result<Option<Step<Event>>, Error<ErrorKind>> {
        let event = match (event, self.part) {
            (RawEvent::Finding(error), _) => Event::Finding(error.into_kind()),
            (RawEvent::Section(raw), Part::Second) => return self.begin_second(consumed, raw).map(Some),
            (RawEvent::Section(raw), _) => return self.begin(consumed, raw).map(Some),
            (RawEvent::Size(size), Part::Text) => {
                self.texts.add(size);
                if is_text_length(size) {
                    return Ok(Some(Step::event(consumed, Event::TextSize(size))));
                }
                let at = self.raw.position().wrapping_sub(COUNT_LEN as u64);
                return self.report(consumed, at, ErrorKind::TextLength { found: size.into() }).map(Some);
            }
            (RawEvent::Size(size), _) => Event::Size(size),
            (RawEvent::Data, Part::Text) => Event::Text,
            (RawEvent::Data, Part::Plain) => Event::Data,
            (RawEvent::Data, _) => return Ok(None),
            (RawEvent::End, Part::First | Part::FirstBroken) => {
                self.part = if self.part == Part::First { Part::Second } else { Part::Plain };
                return Ok(None);
            }
            (RawEvent::End, _) => {
                self.part = Part::Plain;
                Event::End
            }
        };
        Ok(Some(Step::event(consumed, event)))
    }

    /// A raw section that is not the second half of another.
    fn begin(&mut self, consumed: usize, raw: section::Section) -> Result<Step<Event>, Error<ErrorKind>> {
        self.section = Section::plain(raw);
        self.part = Part::Plain;
        let recognised =
            if self.decode { convention::recognise(raw.section_type, self.raw.user()) } else { None };
        let Some(logical) = recognised else {
            return Ok(Step::event(consumed, Event::Section(self.section)));
        };
        if logical == SectionType::Varray && raw.e.get() != COUNT_LEN as u128 {
            self.waiting = Waiting::Plain;
            let at = raw.offset.wrapping_add(place::SECOND_COUNT);
            return self.report(consumed, at, ErrorKind::EntrySize { found: raw.e });
        }
        self.part = Part::First;
        self.section.section_type = logical;
        self.section.e = Count::ZERO;
        self.uncompressed = Account::default();
        self.texts = Account::default();
        Ok(Step::event(consumed, Event::Compressed(logical)))
    }

    fn begin_second(
        &mut self,
        consumed: usize,
        raw: section::Section,
    ) -> Result<Step<Event>, Error<ErrorKind>> {
        let logical = self.section.section_type;
        let expected = second_half(logical);
        let count_at = raw.offset.wrapping_add(place::FIRST_COUNT);
        let wrong = if raw.section_type != expected {
            Some((raw.offset, ErrorKind::SecondHalf { expected, found: raw.section_type }))
        } else if logical == SectionType::Varray && raw.n != self.section.n {
            Some((count_at, ErrorKind::ElementsDiffer { first: self.section.n, second: raw.n }))
        } else if logical == SectionType::Block && !raw.e.to_u64().is_some_and(is_text_length) {
            Some((count_at, ErrorKind::TextLength { found: raw.e }))
        } else {
            None
        };
        if let Some((at, kind)) = wrong {
            // It is told once more, as what it is by itself.
            self.part = Part::Plain;
            self.waiting = Waiting::Any;
            return self.report(consumed, at, kind);
        }
        self.part = Part::Text;
        self.section.raw = raw;
        match logical {
            SectionType::Block => self.texts.add(raw.e.to_u64().unwrap_or(0)),
            _ => self.section.n = raw.n,
        }
        Ok(Step::event(consumed, Event::Section(self.section)))
    }

    /// The data of a first half: `U` entries. Returns what was consumed, and the step if there is something to
    /// tell or no entry was completed.
    fn push_entry(&mut self, input: &[u8]) -> Result<(usize, Option<Step<Event>>), Error<ErrorKind>> {
        // A whole entry in the input is the common case, and is not copied.
        let (consumed, entry) = match input.first_chunk() {
            Some(entry) if self.filled == 0 => (COUNT_LEN, *entry),
            _ => (accumulate(&mut self.line, &mut self.filled, input), self.line),
        };
        // The data are whole entries, so all of it lies in them.
        self.raw.skip_seen(input.get(..consumed).unwrap_or_default());
        if consumed < COUNT_LEN {
            if self.filled < COUNT_LEN {
                return Ok((consumed, Some(Step::more(consumed))));
            }
            self.filled = 0;
        }
        let at = self.raw.position().wrapping_sub(COUNT_LEN as u64);
        let is_varray = self.section.section_type == SectionType::Varray;
        let wrong = match Count::parse(Letter::U, &entry) {
            Err(wrong) => wrong,
            Ok(count) if !is_varray => {
                self.section.e = count;
                return Ok((consumed, None));
            }
            Ok(count) => match count.to_u64() {
                None => (0, RawErrorKind::TooLong { count }),
                Some(size) => {
                    self.uncompressed.add(size);
                    return Ok((consumed, Some(Step::event(consumed, Event::Size(size)))));
                }
            },
        };
        self.part = Part::FirstBroken;
        let (within, kind) = wrong;
        let step = self.report(consumed, at.wrapping_add(within), ErrorKind::Uncompressed(kind))?;
        Ok((consumed, Some(step)))
    }
}

impl Decode for Decoder {
    type Event = Event;
    type ErrorKind = ErrorKind;

    fn push(&mut self, input: &[u8]) -> Result<Step<Event>, Error<ErrorKind>> {
        self.check()?;
        match core::mem::replace(&mut self.waiting, Waiting::No) {
            Waiting::No => {}
            Waiting::Any => return self.begin(0, *self.raw.section()),
            Waiting::Plain => return Ok(Step::event(0, Event::Section(self.section))),
        }
        let mut done = 0_usize;
        // Some of what the raw sections tell is told no further.
        loop {
            let rest = input.get(done..).unwrap_or_default();
            if self.part == Part::First && matches!(self.raw.demand(), Demand::Skip(_)) {
                let (consumed, step) = self.push_entry(rest)?;
                done = done.saturating_add(consumed);
                if let Some(step) = step {
                    return Ok(Step { consumed: done, event: step.event });
                }
                continue;
            }
            let step = self.raw.push(rest).map_err(Error::into_kind)?;
            done = done.saturating_add(step.consumed);
            let Some(event) = step.event else { return Ok(Step::more(done)) };
            if let Some(step) = self.translate(done, event)? {
                return Ok(step);
            }
        }
    }

    fn finish(&mut self) -> Result<Option<Event>, Error<ErrorKind>> {
        self.check()?;
        if self.waiting != Waiting::No {
            return self.push(&[]).map(|step| step.event);
        }
        while let Some(event) = self.raw.finish().map_err(Error::into_kind)? {
            if let Some(step) = self.translate(0, event)? {
                return Ok(step.event);
            }
        }
        if self.part == Part::Second {
            self.part = Part::Plain;
            return self.report(0, self.raw.position(), ErrorKind::SecondHalfMissing).map(|step| step.event);
        }
        Ok(None)
    }

    fn demand(&self) -> Demand {
        let entry = COUNT_LEN.saturating_sub(self.filled) as u64;
        match (self.raw.demand(), self.part) {
            _ if self.waiting != Waiting::No => Demand::Bytes(0),
            // These have to be looked at.
            (Demand::Skip(_), Part::First) => Demand::Bytes(entry),
            (Demand::Skip(left), Part::FirstBroken) => Demand::Bytes(left),
            // The end of a first half is not told; behind it comes a head.
            (Demand::Bytes(0), Part::First | Part::FirstBroken) => Demand::Bytes(HEAD_LEN as u64),
            (demand, _) => demand,
        }
    }

    fn skip(&mut self, n: u64) -> Result<(), Error<ErrorKind>> {
        self.check()?;
        match self.demand() {
            Demand::Skip(_) => self.raw.skip(n).map_err(Error::into_kind),
            _ if n == 0 => Ok(()),
            _ => {
                let misuse = Misuse::SkipTooFar { asked: n, available: 0 };
                Err(Error::new(self.position(), misuse.into()))
            }
        }
    }

    fn position(&self) -> u64 {
        self.raw.position()
    }
}

/// Where the counts of a section stand.
mod place {
    pub const FIRST_COUNT: u64 = 64;
    pub const SECOND_COUNT: u64 = 96;
}
