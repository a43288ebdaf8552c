//! The push decoder for content.

use super::audit::Findings;
use super::data::Data;
use super::document::Reading;
use super::error::Kind;
use super::event::{Event, Verdict};
use super::layout::Field;
use super::role::Role;
use super::summary::{Given, Message, Pending, Summary};
use crate::error::{Error, Kind as _, Misuse, Mode};
use crate::ildg::Format;
use crate::lattice::Checksum;
use crate::lime::{self, Record};
use crate::scidac::{PrivateFile, PrivateRecord, StoredChecksum};
use crate::state::{self, LoadError, Put, Saved, Sticky, Take, saved_enum, saved_struct};
use crate::step::{Decode, Demand, SeekPayload as _, Step};

saved_enum! {
    /// What is next: bytes, or something to be said about what they were. Each turn first tells its findings
    /// (see `audit.rs`), then does its work, which may be an event, and gives way to another.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(super) enum Turn {
        /// The LIME decoder takes bytes.
        Lime,
        /// The last field's checksum can no longer come.
        Settle,
        /// A message is over.
        MessageEnd,
        /// A record's header has been told.
        Opening,
        /// A record's payload and padding are done with.
        Closing,
        /// What the record was has been told.
        Closed,
        /// The input is over.
        AtEnd,
        Ended,
    }
}

/// A document that describes data, and what became of it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Described<D> {
    pub(super) document: D,
    pub(super) given: Given,
    /// The message it stands in.
    pub(super) message: u64,
    /// Absolute offset of its record.
    pub(super) at: u64,
    /// The record before it, if that never got its data.
    pub(super) unused_before: Option<Unused>,
    /// It stands behind data, and that is what is told of it if no data follow.
    pub(super) excused: bool,
}

saved_struct! {
    /// A description that another one has put aside.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(super) struct Unused {
        /// Absolute offset of its record.
        pub(super) at: u64,
        /// The other one stands in the same message.
        pub(super) same_message: bool,
    }
}

impl<D: Default> Described<D> {
    fn begin(&mut self, record: &Record) {
        let unused = Unused { at: self.at, same_message: self.message == record.message };
        let told = self.excused && !unused.same_message;
        let unused_before = (self.given == Given::Pending && !told).then_some(unused);
        *self = Self {
            document: D::default(),
            given: Given::No,
            message: record.message,
            at: record.offset,
            unused_before,
            excused: false,
        };
    }

    const fn finish(&mut self, spoilt: bool) {
        self.given = if spoilt { Given::Spoilt } else { Given::Pending };
    }
}

impl<D: Saved> Saved for Described<D> {
    const SIZE: usize = D::SIZE.saturating_add(Given::SIZE + 8 + 8 + 1 + <Option<Unused>>::SIZE);

    fn put(&self, to: &mut Put<'_>) {
        to.put(&self.document);
        to.put(&self.given);
        to.put(&self.message);
        to.put(&self.at);
        to.put(&self.unused_before);
        to.put(&self.excused);
    }

    fn take(from: &mut Take<'_>) -> Option<Self> {
        Some(Self {
            document: from.take()?,
            given: from.take()?,
            message: from.take()?,
            at: from.take()?,
            unused_before: from.take()?,
            excused: from.take()?,
        })
    }

    fn fill(&mut self, from: &mut Take<'_>) -> Option<()> {
        from.fill(&mut self.document)?;
        from.fill(&mut self.given)?;
        from.fill(&mut self.message)?;
        from.fill(&mut self.at)?;
        from.fill(&mut self.unused_before)?;
        from.fill(&mut self.excused)
    }
}

saved_struct! {
    /// Reads SciDAC and ILDG content from input cut anywhere; see the [module](super).
    #[derive(Debug, Clone)]
    pub struct Decoder {
        pub(super) lime: lime::Decoder,
        turn: Turn,
        /// Findings of this turn that have been told.
        told: u8,
        /// Where to go on behind `Settle` and `MessageEnd`.
        after: Turn,
        /// The message is over, not only the wait for a checksum.
        message_over: bool,
        pub(super) role: Role,
        pub(super) reading: Reading,
        pub(super) file: Described<PrivateFile>,
        pub(super) record: Described<PrivateRecord>,
        pub(super) format: Described<Format>,
        pub(super) stored: StoredChecksum,
        pub(super) message: Message,
        pub(super) summary: Summary,
        data: Option<Data>,
        pub(super) pending: Option<Pending>,
        failed: Sticky<Kind>,
    }
}

impl Decoder {
    /// Size of a saved state in bytes.
    pub const SAVED: usize = <Self as Saved>::SIZE.saturating_add(state::SEAL);
    const TAG: u8 = 3;

    /// A decoder for a file from its first byte.
    #[must_use]
    pub fn new(mode: Mode) -> Self {
        Self {
            lime: lime::Decoder::new(mode),
            turn: Turn::Lime,
            told: 0,
            after: Turn::Lime,
            message_over: false,
            role: Role::Foreign,
            reading: Reading::new(),
            file: Described::default(),
            record: Described::default(),
            format: Described::default(),
            stored: StoredChecksum::default(),
            message: Message::default(),
            summary: Summary::default(),
            data: None,
            pending: None,
            failed: Sticky::new(),
        }
    }

    /// The type of the present record: its bytes before the first NUL.
    #[must_use]
    pub fn record_type(&self) -> &[u8] {
        self.lime.record_type()
    }

    /// The LIME decoder inside.
    #[must_use]
    pub const fn lime(&self) -> &lime::Decoder {
        &self.lime
    }

    /// The field whose data are going by or went by last.
    #[must_use]
    pub const fn field(&self) -> Option<&Field> {
        match &self.data {
            Some(data) => Some(data.field()),
            None => None,
        }
    }

    /// The file document, once one has been read.
    #[must_use]
    pub fn private_file(&self) -> Option<&PrivateFile> {
        self.file.given.is_good().then_some(&self.file.document)
    }

    /// The last record document, once one has been read.
    #[must_use]
    pub fn private_record(&self) -> Option<&PrivateRecord> {
        self.record.given.is_good().then_some(&self.record.document)
    }

    /// The last `ildg-format`, once one has been read.
    #[must_use]
    pub fn format(&self) -> Option<&Format> {
        self.format.given.is_good().then_some(&self.format.document)
    }

    /// The last checksum document; empty before the first.
    #[must_use]
    pub const fn stored_checksum(&self) -> &StoredChecksum {
        &self.stored
    }

    /// The state as bytes: to be kept, or handed to another process. A site that [`Sites`](super::Sites)
    /// has gathered in part is not in it; see [`Sites::resume`](super::Sites::resume).
    ///
    /// # Errors
    /// A decoder that has met an error is not saved; the error is returned.
    pub fn save(&self) -> Result<[u8; Self::SAVED], Error<Kind>> {
        self.failed.check()?;
        Ok(state::seal(Self::TAG, self))
    }

    /// Puts back a state that [`Decoder::save`] gave.
    ///
    /// # Errors
    /// The bytes are not such a state.
    pub fn load(saved: &[u8; Self::SAVED]) -> Result<Self, LoadError> {
        let mut decoder = Self::new(Mode::Strict);
        state::open_into(Self::TAG, saved, &mut decoder)?;
        if decoder.is_consistent() { Ok(decoder) } else { Err(LoadError::Inconsistent) }
    }

    /// Whether the turns can have come about: none leads back to itself, and the end has been reached only if
    /// the LIME decoder is there too.
    fn is_consistent(&self) -> bool {
        let before_after = matches!(self.turn, Turn::Settle | Turn::MessageEnd);
        let leads_on = matches!(self.after, Turn::Lime | Turn::Opening | Turn::AtEnd);
        let at_end =
            matches!(self.turn, Turn::AtEnd | Turn::Ended) || (before_after && self.after == Turn::AtEnd);
        self.lime.is_consistent()
            && (leads_on || !before_after)
            && (!at_end || self.lime.demand() == Demand::End)
    }

    /// Refuses or reports, as the mode has it.
    pub(super) fn tell(&mut self, consumed: usize, error: Error<Kind>) -> Result<Step<Event>, Error<Kind>> {
        if self.lime.mode().refuses(error.kind.gravity()) {
            return Err(self.failed.set(error));
        }
        Ok(Step::event(consumed, Event::Finding(error)))
    }

    pub(super) fn lime_failed(&mut self, error: Error<lime::Kind>) -> Error<Kind> {
        let error = error.into_kind();
        if !matches!(error.kind, Kind::Lime(lime::Kind::Misuse(_))) {
            self.failed.set(error);
        }
        error
    }

    const fn go(&mut self, turn: Turn) {
        self.turn = turn;
        self.told = 0;
    }

    /// Takes turns until there is an event, or bytes are needed.
    fn take_turns(&mut self, consumed: usize) -> Result<Step<Event>, Error<Kind>> {
        while !matches!(self.turn, Turn::Lime | Turn::Ended) {
            let findings = self.findings(self.turn, self.told);
            if let Some(error) = findings.kept() {
                self.told = self.told.saturating_add(1);
                return self.tell(consumed, error);
            }
            if let Some(event) = self.work(findings.damaged()) {
                return Ok(Step::event(consumed, event));
            }
        }
        Ok(Step::more(consumed))
    }

    /// Takes the turns that have nothing to tell, so that [`Decode::demand`] speaks of the next byte as soon as
    /// the last event has been given.
    fn pass_silent_turns(&mut self) {
        while self.turn_is_silent() {
            self.work(false);
        }
    }

    fn turn_is_silent(&self) -> bool {
        let has_no_event = match self.turn {
            Turn::Lime | Turn::Ended | Turn::Closing | Turn::Closed => return false,
            Turn::Settle => self.pending.is_none(),
            Turn::MessageEnd | Turn::AtEnd => true,
            Turn::Opening => self.role != Role::Data || self.describe(&mut Findings::default()).is_none(),
        };
        has_no_event && self.findings(self.turn, self.told).kept().is_none()
    }

    /// Does what the present turn is for and goes to the next.
    fn work(&mut self, damaged: bool) -> Option<Event> {
        match self.turn {
            Turn::Lime | Turn::Ended => None,
            Turn::Settle => {
                self.go(if self.message_over { Turn::MessageEnd } else { self.after });
                let pending = self.pending.take()?;
                let checked = pending.computed.is_some();
                Some(Event::Verdict(if checked { Verdict::Absent } else { Verdict::Unchecked }))
            }
            Turn::MessageEnd => {
                self.message = Message::default();
                self.message_over = false;
                self.go(self.after);
                None
            }
            Turn::Opening => {
                let opened = if self.role == Role::Data { self.open_data() } else { None };
                self.go(Turn::Lime);
                opened
            }
            Turn::Closing => {
                let event = self.close_record(damaged);
                self.go(Turn::Closed);
                event
            }
            Turn::Closed => {
                self.go(Turn::Lime);
                if self.lime.record().end {
                    self.end_message(Turn::Lime);
                }
                Some(Event::End)
            }
            Turn::AtEnd => {
                self.go(Turn::Ended);
                None
            }
        }
    }

    fn end_message(&mut self, after: Turn) {
        self.message_over = true;
        self.after = after;
        self.go(Turn::Settle);
    }

    /// A header has come.
    fn begin_record(&mut self, consumed: usize, record: Record) -> Step<Event> {
        self.role = Role::of(self.lime.record_type());
        if self.role.is_document() {
            self.reading = Reading::new();
        }
        match self.role {
            Role::PrivateFile => self.file.begin(&record),
            Role::PrivateRecord => self.record.begin(&record),
            Role::Format => {
                self.format.begin(&record);
                // An update counts behind the format only (ILDG 1.2, section 2.2).
                self.message.update = None;
            }
            Role::Checksum => self.stored = StoredChecksum::default(),
            Role::Data => self.data = None,
            _ => {}
        }
        if record.begin && self.message.begun {
            // The message before was not ended by ME.
            self.end_message(Turn::Opening);
        } else if self.role == Role::Data && self.pending.is_some() {
            self.after = Turn::Opening;
            self.go(Turn::Settle);
        } else {
            self.go(Turn::Opening);
        }
        Step::event(consumed, Event::Record(record))
    }

    /// Behind the findings about the description of the data: the data can be read if there is a layout.
    fn open_data(&mut self) -> Option<Event> {
        let field = self.describe(&mut Findings::default());
        let now = self.lime.record().message;
        let chosen = self.choose_description();
        if self.format_describes_data() {
            self.summary.count_gauge_field(self.format.document.kind(), self.message.update);
        }
        for (used, given) in [
            (self.record.message == now, &mut self.record.given),
            (self.format.message == now, &mut self.format.given),
        ] {
            if used {
                *given = given.used();
            }
        }
        if let Some((source, true)) = chosen {
            match source {
                super::layout::Source::Scidac => self.record.given = self.record.given.used(),
                super::layout::Source::Ildg => self.format.given = self.format.given.used(),
            }
        }
        self.message.begun = true;
        self.message.data = true;
        self.message.data_gone_by = true;
        self.message.format_behind = None;
        self.data = field.map(Data::new);
        self.data.is_some().then_some(Event::Field)
    }

    /// Behind the findings about a complete record.
    fn close_record(&mut self, damaged: bool) -> Option<Event> {
        let record = self.lime.record();
        let spoilt = damaged || self.reading.spoilt;
        self.message.begun = true;
        match self.role {
            Role::PrivateFile => {
                self.file.finish(spoilt);
                self.message.private_file = true;
                self.message.private_file_at = record.offset;
            }
            Role::FileXml => self.message.file_xml = true,
            Role::PrivateRecord => {
                self.record.finish(spoilt);
                self.message.private_record = true;
                self.message.private_record_at = record.offset;
            }
            Role::RecordXml => self.message.record_xml = true,
            Role::Format => {
                self.format.finish(spoilt);
                self.summary.format_at = self.summary.format_at.or(Some(record.offset));
                let behind = self.message.data_gone_by && !spoilt;
                self.message.format_behind = behind.then_some(record.offset);
                self.format.excused = behind;
            }
            Role::Update if self.format_waits_here() => self.message.update = Some(self.reading.digest),
            Role::Lfn => self.summary.lfn = self.summary.lfn.or(Some(self.reading.digest)),
            Role::Checksum => {
                // Another checksum record would be that of no data.
                self.message.data = false;
                return self.compare(spoilt);
            }
            Role::Data => return self.close_data(&record),
            Role::Foreign | Role::SiteList | Role::Update => {}
        }
        None
    }

    fn close_data(&mut self, record: &Record) -> Option<Event> {
        let data = self.data.as_ref()?;
        let computed = data.checksum();
        let scidac = data.field().source == super::layout::Source::Scidac;
        self.pending = Some(Pending { scidac, computed, at: record.offset, record_seen: false });
        Some(Event::FieldEnd(computed))
    }

    /// A checksum record is complete: what it says of the last field.
    fn compare(&mut self, spoilt: bool) -> Option<Event> {
        let pending = self.pending.as_mut()?;
        if spoilt {
            pending.record_seen = true;
            return None;
        }
        let verdict = match (pending.computed, self.stored.checksum()) {
            (None, _) => Verdict::Unchecked,
            (Some(computed), Some(stored)) if computed == stored => Verdict::Match(stored),
            (Some(_), Some(stored)) => Verdict::Mismatch(stored),
            (Some(computed), None) => {
                let suma = self.stored.suma().unwrap_or(computed.suma);
                let sumb = self.stored.sumb().unwrap_or(computed.sumb);
                let stored = Checksum { suma, sumb };
                if stored == computed { Verdict::Absent } else { Verdict::Mismatch(stored) }
            }
        };
        self.pending = None;
        Some(Event::Verdict(verdict))
    }

    fn push_lime(&mut self, input: &[u8]) -> Result<Step<Event>, Error<Kind>> {
        let in_payload = self.lime.payload_position().is_some();
        if in_payload
            && self.role.is_document()
            && !input.is_empty()
            && let Some(step) = self.push_document(input)?
        {
            return Ok(step);
        }
        let step = self.lime.push(input).map_err(|error| self.lime_failed(error))?;
        match step.event {
            None => Ok(Step::more(step.consumed)),
            Some(lime::Event::Payload) => Ok(Step::event(step.consumed, self.payload(input, step.consumed))),
            Some(event) => self.lime_event(step.consumed, event),
        }
    }

    /// What payload bytes are, other than those of documents.
    fn payload(&mut self, input: &[u8], consumed: usize) -> Event {
        match &mut self.data {
            Some(data) if self.role == Role::Data => {
                data.take(input.get(..consumed).unwrap_or_default());
                Event::Data
            }
            _ => Event::Payload,
        }
    }

    fn lime_event(&mut self, consumed: usize, event: lime::Event) -> Result<Step<Event>, Error<Kind>> {
        match event {
            lime::Event::Record(record) => Ok(self.begin_record(consumed, record)),
            lime::Event::Payload => Ok(Step::event(consumed, Event::Payload)),
            lime::Event::End => {
                self.go(Turn::Closing);
                self.take_turns(consumed)
            }
            lime::Event::Finding(error) => Ok(Step::event(consumed, Event::Finding(error.into_kind()))),
        }
    }
}

impl Decode for Decoder {
    type Event = Event;
    type Kind = Kind;

    fn push(&mut self, input: &[u8]) -> Result<Step<Event>, Error<Kind>> {
        self.failed.check()?;
        if self.turn == Turn::Ended && !input.is_empty() {
            let misuse = Kind::Lime(lime::Kind::Misuse(Misuse::AfterEnd));
            return Err(Error::new(self.position(), misuse));
        }
        let mut step = self.take_turns(0)?;
        if step.event.is_none() && self.turn == Turn::Lime {
            step = self.push_lime(input)?;
        }
        self.pass_silent_turns();
        Ok(step)
    }

    fn finish(&mut self) -> Result<Option<Event>, Error<Kind>> {
        self.failed.check()?;
        loop {
            match self.turn {
                Turn::Ended => return Ok(None),
                Turn::Lime => match self.lime.finish().map_err(|error| self.lime_failed(error))? {
                    Some(event) => {
                        let step = self.lime_event(0, event)?;
                        if step.event.is_some() {
                            return Ok(step.event);
                        }
                    }
                    None => self.end_message(Turn::AtEnd),
                },
                _ => {
                    let step = self.take_turns(0)?;
                    if step.event.is_some() {
                        return Ok(step.event);
                    }
                }
            }
        }
    }

    fn demand(&self) -> Demand {
        match (self.turn, self.lime.demand()) {
            (Turn::Ended, _) => Demand::End,
            (Turn::Lime, Demand::Skip(n)) if self.role.is_document() => Demand::Bytes(n),
            (Turn::Lime, demand) => demand,
            _ => Demand::Bytes(0),
        }
    }

    fn skip(&mut self, n: u64) -> Result<(), Error<Kind>> {
        self.failed.check()?;
        if n == 0 {
            return Ok(());
        }
        if !matches!(self.demand(), Demand::Skip(_)) {
            let misuse = Misuse::SkipTooFar { asked: n, available: 0 };
            return Err(Error::new(self.position(), Kind::Lime(lime::Kind::Misuse(misuse))));
        }
        self.lime.skip(n).map_err(|error| self.lime_failed(error))?;
        if let Some(data) = &mut self.data
            && self.role == Role::Data
        {
            data.pass();
        }
        Ok(())
    }

    fn position(&self) -> u64 {
        self.lime.position()
    }
}
