//! Reading the sections: the two halves of a compressed section are one.
//!
//! # Invariants
//! | fields | hold |
//! |---|---|
//! | `plain` | reads the sections as they are stored; it has the position, the mode, and the error of both decoders |
//! | `phase` | role of the section in `plain`; `First` to `Text` only if `decode` was set when the section began |
//! | `section` | what is or was reported; `section.stored` is the section in `plain`, from its head to its padding |
//! | `line`, `filled` | in `First`, the part of a `U` entry so far, less than 32 bytes, and what is left of the data completes it; in `LikeInline` and `LikeArray`, the last entry, up to 32 bytes; in all others `filled` is 0 |
//! | `waiting` | not `No` only between a finding about a section and the report of this section: nothing after its head has been read |
//! | `uncompressed`, `texts` | number, sum and order of the sizes that the current compressed section has announced so far |
//!
//! `entry_fits`, `waiting_fits` and `part_fits` check them when a state is loaded.

use super::compressed::{Account, is_text_length, like_first_half, recognise, second_half};
use super::count::{COUNT_LEN, Count, CountError, Letter};
use super::error::ErrorKind;
use super::event::{Event, Signal};
use super::plain::{Phase as PlainPhase, PlainDecoder, Signal as PlainSignal};
use super::section::{HEAD_LEN, Section, SectionType, StoredSection};
use crate::bytes::{accumulate, prefix, suffix};
use crate::counter::{Counter as _, at_most};
use crate::error::{Error, Mode};
use crate::failed::Stopped;
use crate::machine::{DecoderBase as _, StateMachine, decoder};
use crate::state::saved;
use crate::step::{Decode, Demand, Step};

/// Role of the current section as it is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    /// A section that is not compressed.
    Plain,
    /// A first half: its data are `U` entries.
    First,
    /// A first half with an error in it: its data are passed over.
    FirstBroken,
    /// The head of a second half must come.
    Second,
    /// A second half: sizes and texts of compressed elements.
    Text,
    /// An inline section that differs from a first half in one byte. Its data so far are a `U` entry. It is reported as
    /// it is: only the next section shows whether it is damaged.
    LikeInline,
    /// The same for an array; its last entry is looked at.
    LikeArray,
    /// The section after [`LikeInline`](Self::LikeInline).
    AfterInline,
    /// The section after [`LikeArray`](Self::LikeArray).
    AfterArray,
}

saved!(enum Phase: Plain, First, FirstBroken, Second, Text, LikeInline, LikeArray, AfterInline, AfterArray);

impl Phase {
    /// The part of a section that may be a damaged first half.
    fn like_first(stored: &StoredSection, user: &[u8]) -> Option<Self> {
        Some(match like_first_half(stored, user)? {
            SectionType::Inline => Self::LikeInline,
            _ => Self::LikeArray,
        })
    }
}

/// A section that is still to be reported, after a finding about it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Waiting {
    No,
    /// To be reported by itself; it may be a first half.
    Any,
    /// To be reported as a section that is not compressed, since it is a broken first half.
    Plain,
}

saved!(enum Waiting: No, Any, Plain);

/// Reads the sections of an scda file from input in chunks of any size: the two halves of a compressed section are
/// reported as one. It holds the strings of one section and a few counters (see [`State`](crate::State)), but no data.
///
/// In [`Mode::Lenient`] the padding after data may have any content, as scda 2.1.2 requires of readers.
/// [`Mode::Strict`] requires padding in Unix or MIME style.
///
/// # Example
/// ```
/// use linkstream::Resumable;
/// use linkstream::scda::{Decoder, Encoder, Style};
/// use linkstream::{Decode, Mode};
///
/// let mut encoder = Encoder::new(Style::Unix);
/// let mut file = encoder.header(b"vendor", b"file")?.to_vec();
/// file.extend_from_slice(encoder.block(b"numbers", 3.into())?);
///
/// let mut decoder = Decoder::new(Mode::Strict, true);
/// let mut rest = &file[..];
/// while !rest.is_empty() {
///     rest = &rest[decoder.push(rest)?.consumed..];
/// }
/// assert_eq!((decoder.vendor(), decoder.user()), (&b"vendor"[..], &b"numbers"[..]));
/// assert_eq!((decoder.section().offset, decoder.section().is_compressed()), (128, false));
/// assert_eq!(decoder.data_length(), 3);
///
/// // Continue elsewhere, and leave compressed sections as they are stored.
/// let mut decoder = Decoder::load(&decoder.save()?)?;
/// decoder.set_decode(false);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Decoder {
    pub(super) plain: PlainDecoder,
    decode: bool,
    pub(super) phase: Phase,
    /// The current section. Its type and offset are known before its counts.
    pub(super) section: Section,
    line: [u8; COUNT_LEN],
    pub(super) filled: usize,
    /// A section is still to be reported by itself.
    pub(super) waiting: Waiting,
    /// Sums over the `U` entries and the sizes of the texts.
    uncompressed: Account,
    texts: Account,
}

saved!(struct Decoder { plain, decode, phase, section, line, filled, waiting, uncompressed, texts });

impl Decoder {
    /// A decoder for a file from its first byte. Without `decode`, a compressed section is reported as its two
    /// halves (Table 2 of the paper).
    #[must_use]
    pub const fn new(mode: Mode, decode: bool) -> Self {
        Self::of(PlainDecoder::new(mode), decode)
    }

    /// A decoder for the rest of a file from the absolute byte `offset` on, where a section other than the file
    /// header must begin.
    ///
    /// # Example
    /// ```
    /// use linkstream::scda::{Decoder, Encoder, Event, Style};
    /// use linkstream::{Decode, Mode};
    ///
    /// let mut encoder = Encoder::append(128, Style::Unix);
    /// let section = encoder.block(b"numbers", 3.into())?;
    /// let step = Decoder::at(128, Mode::Strict, true).push(section)?;
    /// let Some(Event::Section(section)) = step.event else { return Err("no section".into()) };
    /// assert_eq!((section.offset, section.elements().get()), (128, 1));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn at(offset: u64, mode: Mode, decode: bool) -> Self {
        Self::of(PlainDecoder::at(offset, mode), decode)
    }

    const fn of(plain: PlainDecoder, decode: bool) -> Self {
        let section = plain.section();
        let (uncompressed, texts) = (Account::NONE, Account::NONE);
        Self {
            plain,
            decode,
            phase: Phase::Plain,
            section,
            line: [0; COUNT_LEN],
            filled: 0,
            waiting: Waiting::No,
            uncompressed,
            texts,
        }
    }

    /// Begins another file, from its first byte, with the same mode and `decode`. Not even an error remains.
    pub const fn reset(&mut self) {
        *self = Self::new(self.plain.mode, self.decode);
    }

    /// Sets whether compressed sections that begin after this call are reported as one section.
    pub const fn set_decode(&mut self, decode: bool) {
        self.decode = decode;
    }

    /// The current section; between two sections, the previous one.
    #[must_use]
    pub const fn section(&self) -> &Section {
        &self.section
    }

    /// The section that has been read last, as it is stored: a half of a compressed section. If a half does not fit to the
    /// other one, a finding reports so before [`section`](Self::section) is the new section.
    #[must_use]
    pub const fn stored(&self) -> Section {
        self.plain.section()
    }

    /// Length in bytes of the stored data of the current section; of a variable array, the sum of the sizes read so far.
    #[must_use]
    pub const fn data_length(&self) -> u64 {
        self.plain.data_length()
    }

    /// The user string of the current section. It may contain any bytes.
    #[must_use]
    pub fn user(&self) -> &[u8] {
        self.plain.user()
    }

    /// The vendor string of the file. It may contain any bytes.
    #[must_use]
    pub fn vendor(&self) -> &[u8] {
        self.plain.vendor()
    }

    /// Passes over the sizes of a variable array, which others have read: they add up to `total`.
    ///
    /// # Errors
    /// [`ErrorKind::TooLong`] at the last size: the section would end beyond the largest 64-bit offset.
    /// [`Misuse::Outside`](crate::Misuse::Outside) if no sizes come next; the decoder does not change then.
    ///
    /// # Example
    /// ```
    /// use linkstream::scda::{Decoder, Encoder, Event, Style};
    /// use linkstream::{Decode, Mode};
    ///
    /// // A variable array of two elements, which have 8 bytes together.
    /// let mut encoder = Encoder::append(128, Style::Unix);
    /// let mut decoder = Decoder::at(128, Mode::Strict, true);
    /// decoder.push(encoder.varray(b"words", 2.into())?)?;
    /// decoder.pass_sizes(8)?;
    /// assert_eq!(decoder.position(), 128 + 96 + 2 * 32);
    /// // All of the data but the last byte, which decides on the padding.
    /// assert_eq!(decoder.pass_data(decoder.position() + 7, b"x")?, 0);
    /// assert_eq!(decoder.push(b"x")?.event, Some(Event::Data));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn pass_sizes(&mut self, total: u64) -> Result<(), Error<ErrorKind>> {
        self.check_usable()?;
        if !self.plain.is_before_sizes() {
            return Err(self.outside());
        }
        self.plain.pass_sizes(total).map_err(|error| self.failed_mut().set(error))
    }

    /// Passes over data that others read, up to the absolute offset `to` or the end of the data, whichever comes first;
    /// also over the sizes before compression of a variable array. `bytes` are the bytes of the file from `to` on. Returns
    /// the number of them that have been consumed, which is 0 except among such sizes: these are not read here, and
    /// `bytes` must reach their end.
    ///
    /// # Errors
    /// [`Misuse::Outside`](crate::Misuse::Outside) if `bytes` end among sizes before compression, or `to` is before the
    /// position. The decoder does not change then.
    pub fn pass_data(&mut self, to: u64, bytes: &[u8]) -> Result<usize, Error<ErrorKind>> {
        self.check_usable()?;
        if to < self.plain.position() {
            return Err(self.outside());
        }
        if self.phase != Phase::First {
            self.plain.pass_data(to);
            return Ok(0);
        }
        let Demand::Skip(left) = self.plain.demand() else { return Ok(0) };
        let end = self.plain.position().plus(left);
        let entries = prefix(bytes, at_most(end.saturating_sub(to), bytes.len()));
        if to.saturating_add(entries.len() as u64) < end {
            return Err(self.outside());
        }
        self.plain.pass_data(to);
        self.plain.skip_seen(entries);
        self.filled = 0;
        Ok(entries.len())
    }

    /// Checks that the file, which ends at the absolute offset `end`, has all sizes or data of the current section.
    ///
    /// # Errors
    /// [`ErrorKind::SizesTruncated`], [`ErrorKind::DataTruncated`].
    ///
    /// # Example
    /// ```
    /// use linkstream::scda::{Decoder, Encoder, Style};
    /// use linkstream::{Decode, Mode};
    ///
    /// // A block of 10 bytes; the file ends after 4 of them.
    /// let mut encoder = Encoder::append(128, Style::Unix);
    /// let mut decoder = Decoder::at(128, Mode::Strict, true);
    /// decoder.push(encoder.block(b"ten bytes", 10.into())?)?;
    /// assert_eq!(decoder.check_end(128 + 96 + 10), Ok(()));
    /// assert_eq!(decoder.check_end(128 + 96 + 4).map_err(|error| error.at), Err(128 + 96 + 4));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn check_end(&mut self, end: u64) -> Result<(), Error<ErrorKind>> {
        self.check_usable()?;
        let is_inside = self.plain.pass_to_end_in_sizes(end)
            || self.plain.open_data().is_some_and(|(_, end_of_data)| end_of_data > end);
        if is_inside {
            self.plain.pass_data(end);
            self.finish()?;
        }
        Ok(())
    }

    fn outside(&self) -> Error<ErrorKind> {
        Error::new(self.plain.position(), crate::Misuse::Outside.into())
    }

    /// The error of a skip where nothing can be skipped.
    #[cfg(feature = "inflate")]
    pub(crate) fn refuse_skip(&self, asked: u64) -> Result<(), Error<ErrorKind>> {
        self.check_usable()?;
        Err(Error::new(self.position(), crate::Misuse::SkipTooFar { asked, available: 0 }.into()))
    }

    /// Sums over the sizes that a compressed section announces for its texts, and for the elements of a variable
    /// array.
    #[cfg(feature = "inflate")]
    pub(crate) const fn accounts(&self) -> (Account, Account) {
        (self.texts, self.uncompressed)
    }

    /// True if the next payload is the text of compressed elements.
    #[cfg(feature = "inflate")]
    pub(crate) fn is_in_text(&self) -> bool {
        self.phase == Phase::Text && matches!(self.demand(), Demand::Skip(_))
    }

    /// Translates an event of the stored sections; `None` if it is not reported.
    fn translate(&mut self, consumed: usize, event: PlainSignal) -> Result<Option<Step<Signal>>, Stopped> {
        let event = match (event, self.phase) {
            (PlainSignal::Finding, _) => Signal::Finding,
            (PlainSignal::Section, Phase::Second) => return self.begin_second(consumed).map(Some),
            (PlainSignal::Section, _) => return self.begin(consumed).map(Some),
            (PlainSignal::Size(size), Phase::Text) => {
                self.texts.add(size);
                if is_text_length(size) {
                    return Ok(Some(Step::event(consumed, Signal::TextSize(size))));
                }
                let at = self.plain.position().minus(COUNT_LEN as u64);
                return self.report(consumed, at, ErrorKind::TextLength { found: size.into() }).map(Some);
            }
            (PlainSignal::Size(size), _) => Signal::Size(size),
            (PlainSignal::Data, Phase::Text) => Signal::Text,
            (PlainSignal::Data, Phase::Plain | Phase::LikeInline | Phase::LikeArray) => Signal::Data,
            (PlainSignal::Data, _) => return Ok(None),
            (PlainSignal::End, Phase::First | Phase::FirstBroken) => {
                self.phase = if self.phase == Phase::First { Phase::Second } else { Phase::Plain };
                return Ok(None);
            }
            (PlainSignal::End, phase) => {
                // Nothing is known of an entry that was skipped, even in part.
                let is_seen = self.filled == COUNT_LEN;
                self.filled = 0;
                let is_entries = self.plain.data_length().is_multiple_of(COUNT_LEN as u64);
                self.phase = match phase {
                    Phase::LikeInline if is_seen => Phase::AfterInline,
                    Phase::LikeArray if is_seen && is_entries => Phase::AfterArray,
                    _ => Phase::Plain,
                };
                Signal::End
            }
        };
        Ok(Some(Step::event(consumed, event)))
    }

    /// A section that is not the second half of another.
    fn begin(&mut self, consumed: usize) -> Result<Step<Signal>, Stopped> {
        let stored = *self.plain.stored();
        let follows_damage = self.decode
            && match (self.phase, stored.section_type) {
                (Phase::AfterInline, SectionType::Block) => stored.e.to_u64().is_some_and(is_text_length),
                (Phase::AfterInline, SectionType::Varray) => true,
                (Phase::AfterArray, SectionType::Varray) => stored.n == self.section.n,
                _ => false,
            };
        self.phase = Phase::Plain;
        if follows_damage {
            // It is reported once more, as a section of its own.
            self.waiting = Waiting::Any;
            return self.report(consumed, stored.offset, ErrorKind::FirstHalf);
        }
        self.section = Section::plain(stored);
        let recognised = if self.decode { recognise(stored.section_type, self.plain.user()) } else { None };
        let Some(section_type) = recognised else {
            if self.decode {
                self.phase = Phase::like_first(&stored, self.plain.user()).unwrap_or(Phase::Plain);
            }
            return Ok(Step::event(consumed, Signal::Section));
        };
        if section_type == SectionType::Varray && stored.e != Count::LINE {
            self.waiting = Waiting::Plain;
            let at = stored.offset.plus(place::SECOND_COUNT);
            return self.report(consumed, at, ErrorKind::EntrySize { found: stored.e });
        }
        self.phase = Phase::First;
        self.section.section_type = section_type;
        self.section.e = Count::ZERO;
        self.uncompressed = Account::NONE;
        self.texts = Account::NONE;
        Ok(Step::event(consumed, Signal::Compressed(section_type)))
    }

    /// Looks at data of a section that may be a damaged first half: it is none if its last entry is no `U` entry. The
    /// decoder of the stored sections has consumed these bytes.
    fn see_data(&mut self, bytes: &[u8]) {
        let left = match self.plain.demand() {
            Demand::Skip(left) => at_most(left, COUNT_LEN),
            _ => 0,
        };
        // Bytes of the last entry up to here, and before these bytes.
        let passed = COUNT_LEN.minus(left);
        let before = passed.minus(passed.min(bytes.len()));
        if self.filled != before {
            // Others have been skipped.
            return;
        }
        let new = suffix(bytes, bytes.len().minus(passed.minus(before)));
        accumulate(&mut self.line, &mut self.filled, new);
        // An entry that has been seen stays, up to the end of the section.
        if self.filled == COUNT_LEN && Count::parse(Letter::U, &self.line).is_err() {
            self.filled = 0;
            self.phase = Phase::Plain;
        }
    }

    fn begin_second(&mut self, consumed: usize) -> Result<Step<Signal>, Stopped> {
        let stored = *self.plain.stored();
        let section_type = self.section.section_type;
        let expected = second_half(section_type);
        let count_at = stored.offset.plus(place::FIRST_COUNT);
        let wrong = if stored.section_type != expected {
            Some((stored.offset, ErrorKind::SecondHalf { expected, found: stored.section_type }))
        } else if section_type == SectionType::Varray && stored.n != self.section.n {
            Some((
                count_at,
                ErrorKind::ElementsDiffer { first: number(self.section.n), second: number(stored.n) },
            ))
        } else if section_type == SectionType::Block && !stored.e.to_u64().is_some_and(is_text_length) {
            Some((count_at, ErrorKind::TextLength { found: stored.e }))
        } else {
            None
        };
        if let Some((at, kind)) = wrong {
            // It is reported once more, as a section of its own.
            self.phase = Phase::Plain;
            self.waiting = Waiting::Any;
            return self.report(consumed, at, kind);
        }
        self.phase = Phase::Text;
        self.section.stored = stored;
        match section_type {
            SectionType::Block => self.texts.add(stored.e.to_u64().unwrap_or(0)),
            _ => self.section.n = stored.n,
        }
        Ok(Step::event(consumed, Signal::Section))
    }

    /// Reads the data of a first half, which are `U` entries. Returns the number of bytes consumed, and a step if there
    /// is something to report or no entry was completed.
    fn push_entry(&mut self, input: &[u8]) -> Result<(usize, Option<Step<Signal>>), Stopped> {
        // The input usually holds the whole entry, which is then not copied.
        let (consumed, entry) = match input.first_chunk() {
            Some(entry) if self.filled == 0 => (COUNT_LEN, *entry),
            _ => (accumulate(&mut self.line, &mut self.filled, input), self.line),
        };
        // The data are whole entries, so the decoder of the stored sections can consume all of these bytes as data.
        self.plain.skip_seen(prefix(input, consumed));
        if consumed < COUNT_LEN {
            if self.filled < COUNT_LEN {
                return Ok((consumed, Some(Step::more(consumed))));
            }
            self.filled = 0;
        }
        let at = self.plain.position().minus(COUNT_LEN as u64);
        let is_varray = self.section.section_type == SectionType::Varray;
        let wrong = match Count::parse(Letter::U, &entry) {
            Err(wrong) => wrong,
            Ok(count) if !is_varray => {
                self.section.e = count;
                return Ok((consumed, None));
            }
            Ok(count) => match count.to_u64() {
                None => (0, CountError::TooLong),
                Some(size) => {
                    self.uncompressed.add(size);
                    return Ok((consumed, Some(Step::event(consumed, Signal::Size(size)))));
                }
            },
        };
        self.phase = Phase::FirstBroken;
        let (within, error) = wrong;
        let step = self.report(consumed, at.plus(within), ErrorKind::Uncompressed(error))?;
        Ok((consumed, Some(step)))
    }
}

impl StateMachine for Decoder {
    fn take_input(&mut self, input: &[u8]) -> Result<Step<Signal>, Stopped> {
        match core::mem::replace(&mut self.waiting, Waiting::No) {
            Waiting::No => {}
            Waiting::Any => return self.begin(0),
            Waiting::Plain => return Ok(Step::event(0, Signal::Section)),
        }
        let mut done = 0_usize;
        // Some events of the stored sections are not reported.
        loop {
            let rest = suffix(input, done);
            if self.phase == Phase::First && matches!(self.plain.demand(), Demand::Skip(_)) {
                let (consumed, step) = self.push_entry(rest)?;
                done.increase(consumed);
                if let Some(step) = step {
                    return Ok(Step { consumed: done, event: step.event });
                }
                continue;
            }
            let step = self.plain.advance(rest)?;
            done.increase(step.consumed);
            let Some(event) = step.event else { return Ok(Step::more(done)) };
            // The section may be a damaged first half.
            if event == PlainSignal::Data && matches!(self.phase, Phase::LikeInline | Phase::LikeArray) {
                self.see_data(prefix(rest, step.consumed));
            }
            if let Some(step) = self.translate(done, event)? {
                return Ok(step);
            }
        }
    }

    fn take_end(&mut self) -> Result<Step<Signal>, Stopped> {
        if self.waiting != Waiting::No {
            return self.take_input(&[]);
        }
        while let Some(event) = self.plain.advance_at_end()?.event {
            if let Some(step) = self.translate(0, event)? {
                return Ok(step);
            }
        }
        if self.phase == Phase::Second {
            self.phase = Phase::Plain;
            return self.report(0, self.plain.position(), ErrorKind::SecondHalfMissing);
        }
        Ok(Step::more(0))
    }

    fn event(&mut self, signal: Signal) -> Option<Event> {
        Some(match signal {
            Signal::Compressed(section_type) => Event::Compressed(section_type),
            Signal::Section => Event::Section(self.section),
            Signal::Size(size) => Event::Size(size),
            Signal::TextSize(size) => Event::TextSize(size),
            Signal::Data => Event::Data,
            Signal::Text => Event::Text,
            Signal::End => Event::End,
            Signal::Finding => return self.take_finding().map(Event::Finding),
        })
    }

    fn next_demand(&self) -> Demand {
        let entry = COUNT_LEN.minus(self.filled) as u64;
        match (self.plain.demand(), self.phase) {
            _ if self.waiting != Waiting::No => Demand::Bytes(0),
            // These have to be looked at.
            (Demand::Skip(_), Phase::First) => Demand::Bytes(entry),
            (Demand::Skip(left), Phase::FirstBroken) => Demand::Bytes(left),
            // The end of a first half is not reported; a head follows it.
            (Demand::Bytes(0), Phase::First | Phase::FirstBroken) => Demand::Bytes(HEAD_LEN as u64),
            (demand, _) => demand,
        }
    }

    fn open_length(&self) -> Option<u64> {
        match self.next_demand() {
            Demand::Skip(_) => self.plain.open_length(),
            _ => None,
        }
    }

    fn is_consistent(&self) -> bool {
        self.plain.is_consistent() && self.entry_fits() && self.waiting_fits() && self.part_fits()
    }
}

decoder!(Decoder, 9, over plain);

/// The number of elements of a variable array, whose entries have been found to fit in the file.
fn number(n: Count) -> u64 {
    n.to_u64().unwrap_or(u64::MAX)
}

/// Offsets of the counts of a section.
mod place {
    pub const FIRST_COUNT: u64 = 64;
    pub const SECOND_COUNT: u64 = 96;
}

/// Consistency of saved states: the section in `plain` and the fields of the whole section determine each other.
impl Decoder {
    /// True if the unread data of a first half and the part of an entry that has been read are complete entries.
    fn entry_fits(&self) -> bool {
        match (self.phase, self.plain.demand()) {
            (Phase::First, Demand::Skip(left)) => {
                let filled = self.filled as u64;
                let entries =
                    left.checked_add(filled).is_some_and(|data| data.is_multiple_of(COUNT_LEN as u64));
                self.filled < COUNT_LEN && entries
            }
            (Phase::LikeInline | Phase::LikeArray, _) => self.filled <= COUNT_LEN,
            _ => self.filled == 0,
        }
    }

    /// True if a section that waits to be reported has not been read beyond its head.
    fn waiting_fits(&self) -> bool {
        let is_announced = matches!(self.plain.phase, PlainPhase::Sizes | PlainPhase::Data);
        self.waiting == Waiting::No || self.phase == Phase::Plain && is_announced
    }

    fn part_fits(&self) -> bool {
        let (section, stored) = (&self.section, self.plain.stored());
        let plain_phase = self.plain.phase;
        let is_first = section.offset == section.stored.offset;
        let in_section = matches!(plain_phase, PlainPhase::Sizes | PlainPhase::Data | PlainPhase::Padding);
        match self.phase {
            Phase::Plain if self.waiting == Waiting::Any => true,
            Phase::Plain if in_section => *section == Section::plain(*stored),
            Phase::Plain => matches!(plain_phase, PlainPhase::N | PlainPhase::E) || section.stored == *stored,
            Phase::LikeInline | Phase::LikeArray => {
                in_section
                    && *section == Section::plain(*stored)
                    && Some(self.phase) == Phase::like_first(stored, self.plain.user())
            }
            Phase::AfterInline | Phase::AfterArray => {
                let in_head = matches!(plain_phase, PlainPhase::Head | PlainPhase::N | PlainPhase::E);
                in_head && *section == Section::plain(section.stored)
            }
            Phase::First | Phase::FirstBroken => {
                let section_type = recognise(stored.section_type, self.plain.user());
                let entries = stored.section_type == SectionType::Inline || stored.e == Count::LINE;
                section_type == Some(section.section_type)
                    && entries
                    && is_first
                    && section.stored == *stored
                    && section.n == stored.n
                    && matches!(plain_phase, PlainPhase::Data | PlainPhase::Padding)
            }
            Phase::Second => {
                let in_head = matches!(plain_phase, PlainPhase::Head | PlainPhase::N | PlainPhase::E);
                let is_half = !matches!(section.section_type, SectionType::Header | SectionType::Inline);
                is_first
                    && is_half
                    && in_head
                    && (plain_phase != PlainPhase::Head || section.stored == *stored)
            }
            Phase::Text => {
                let n = if section.section_type == SectionType::Block { Count::ZERO } else { stored.n };
                section.offset < stored.offset
                    && section.stored == *stored
                    && section.n == n
                    && !matches!(section.section_type, SectionType::Header | SectionType::Inline)
                    && stored.section_type == second_half(section.section_type)
                    && in_section
            }
        }
    }
}
