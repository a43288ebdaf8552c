//! The push decoder for content.

use super::audit::Findings;
use super::data::Data;
use super::document::Reading;
use super::event::{Event, Verdict};
use super::record_kind::RecordKind;
use super::summary::{DescriptionState, MessageState, Pending, Summary};
use crate::error::{Diagnostic as _, Error, Misuse, Mode};
use crate::failed::Failed;
use crate::field::error::ErrorKind;
use crate::field::layout::Field;
use crate::ildg::Format;
use crate::lattice::Checksum;
use crate::lime::{self, Record};
use crate::scidac::{PrivateFile, PrivateRecord, StoredChecksum};
use crate::state::{self, LoadError, Put, Saved, Take, saved_enum, saved_struct};
use crate::step::{Decode, Demand, SeekPayload as _, Step};

saved_enum! {
    /// What is next: bytes, or something to be said about what they were. Each turn first tells its findings
    /// (see `audit.rs`), then does its work, which may be an event, and gives way to another.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(in crate::field) enum Phase {
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
pub(in crate::field) struct Description<D> {
    pub(in crate::field) document: D,
    pub(in crate::field) given: DescriptionState,
    /// The message it stands in.
    pub(in crate::field) message: u64,
    /// Absolute offset of its record.
    pub(in crate::field) at: u64,
    /// The record before it, if that never got its data.
    pub(in crate::field) unused_before: Option<Superseded>,
    /// It stands behind data, and that is what is told of it if no data follow.
    pub(in crate::field) excused: bool,
}

saved_struct! {
    /// A description that another one has put aside.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub(in crate::field) struct Superseded {
        /// Absolute offset of its record.
        pub(in crate::field) at: u64,
        /// The other one stands in the same message.
        pub(in crate::field) same_message: bool,
    }
}

impl<D: Default> Description<D> {
    fn begin(&mut self, record: &Record) {
        let unused = Superseded { at: self.at, same_message: self.message == record.message };
        let told = self.excused && !unused.same_message;
        let unused_before = (self.given == DescriptionState::Pending && !told).then_some(unused);
        *self = Self {
            document: D::default(),
            given: DescriptionState::No,
            message: record.message,
            at: record.offset,
            unused_before,
            excused: false,
        };
    }

    const fn finish(&mut self, spoilt: bool) {
        self.given = if spoilt { DescriptionState::Spoilt } else { DescriptionState::Pending };
    }
}

impl<D: Saved> Saved for Description<D> {
    const SIZE: usize =
        D::SIZE.saturating_add(DescriptionState::SIZE + 8 + 8 + 1 + <Option<Superseded>>::SIZE);

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
        pub(in crate::field) lime: lime::Decoder,
        phase: Phase,
        /// Findings of this turn that have been told.
        reported: u8,
        /// Where to go on behind `Settle` and `MessageEnd`.
        after: Phase,
        /// The message is over, not only the wait for a checksum.
        message_over: bool,
        pub(in crate::field) role: RecordKind,
        pub(in crate::field) reading: Reading,
        pub(in crate::field) file: Description<PrivateFile>,
        pub(in crate::field) record: Description<PrivateRecord>,
        pub(in crate::field) format: Description<Format>,
        pub(in crate::field) stored: StoredChecksum,
        pub(in crate::field) message: MessageState,
        pub(in crate::field) summary: Summary,
        data: Option<Data>,
        pub(in crate::field) pending: Option<Pending>,
        failed: Failed<ErrorKind>,
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
            phase: Phase::Lime,
            reported: 0,
            after: Phase::Lime,
            message_over: false,
            role: RecordKind::Foreign,
            reading: Reading::new(),
            file: Description::default(),
            record: Description::default(),
            format: Description::default(),
            stored: StoredChecksum::default(),
            message: MessageState::default(),
            summary: Summary::default(),
            data: None,
            pending: None,
            failed: Failed::new(),
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

    /// The state as bytes: to be kept, or handed to another process. A site that [`Sites`](crate::field::Sites)
    /// has gathered in part is not in it; see [`Sites::resume`](crate::field::Sites::resume).
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
        let mut decoder = Self::new(Mode::Strict);
        state::open_into(Self::TAG, saved, &mut decoder)?;
        if decoder.is_consistent() { Ok(decoder) } else { Err(LoadError::Inconsistent) }
    }

    /// Whether the turns can have come about: none leads back to itself, and the end has been reached only if
    /// the LIME decoder is there too.
    fn is_consistent(&self) -> bool {
        let before_after = matches!(self.phase, Phase::Settle | Phase::MessageEnd);
        let leads_on = matches!(self.after, Phase::Lime | Phase::Opening | Phase::AtEnd);
        let at_end =
            matches!(self.phase, Phase::AtEnd | Phase::Ended) || (before_after && self.after == Phase::AtEnd);
        self.lime.is_consistent()
            && (leads_on || !before_after)
            && (!at_end || self.lime.demand() == Demand::End)
    }

    /// Refuses or reports, as the mode has it.
    pub(in crate::field) fn report(
        &mut self,
        consumed: usize,
        error: Error<ErrorKind>,
    ) -> Result<Step<Event>, Error<ErrorKind>> {
        if self.lime.mode().refuses(error.kind.severity()) {
            return Err(self.failed.set(error));
        }
        Ok(Step::event(consumed, Event::Finding(error)))
    }

    pub(in crate::field) fn lime_failed(&mut self, error: Error<lime::ErrorKind>) -> Error<ErrorKind> {
        let error = error.into_kind();
        if !matches!(error.kind, ErrorKind::Lime(lime::ErrorKind::Misuse(_))) {
            self.failed.set(error);
        }
        error
    }

    const fn go(&mut self, phase: Phase) {
        self.phase = phase;
        self.reported = 0;
    }

    /// Takes turns until there is an event, or bytes are needed.
    fn advance(&mut self, consumed: usize) -> Result<Step<Event>, Error<ErrorKind>> {
        while !matches!(self.phase, Phase::Lime | Phase::Ended) {
            let findings = self.findings(self.phase, self.reported);
            if let Some(error) = findings.kept() {
                self.reported = self.reported.saturating_add(1);
                return self.report(consumed, error);
            }
            if let Some(event) = self.run_phase(findings.damaged()) {
                return Ok(Step::event(consumed, event));
            }
        }
        Ok(Step::more(consumed))
    }

    /// Takes the turns that have nothing to tell, so that [`Decode::demand`] speaks of the next byte as soon as
    /// the last event has been given.
    fn skip_silent_phases(&mut self) {
        while self.phase_is_silent() {
            self.run_phase(false);
        }
    }

    fn phase_is_silent(&self) -> bool {
        let has_no_event = match self.phase {
            Phase::Lime | Phase::Ended | Phase::Closing | Phase::Closed => return false,
            Phase::Settle => self.pending.is_none(),
            Phase::MessageEnd | Phase::AtEnd => true,
            Phase::Opening => {
                self.role != RecordKind::Data || self.describe(&mut Findings::default()).is_none()
            }
        };
        has_no_event && self.findings(self.phase, self.reported).kept().is_none()
    }

    /// Does what the present turn is for and goes to the next.
    fn run_phase(&mut self, damaged: bool) -> Option<Event> {
        match self.phase {
            Phase::Lime | Phase::Ended => None,
            Phase::Settle => {
                self.go(if self.message_over { Phase::MessageEnd } else { self.after });
                let pending = self.pending.take()?;
                let checked = pending.computed.is_some();
                Some(Event::Verdict(if checked { Verdict::Absent } else { Verdict::Unchecked }))
            }
            Phase::MessageEnd => {
                self.message = MessageState::default();
                self.message_over = false;
                self.go(self.after);
                None
            }
            Phase::Opening => {
                let opened = if self.role == RecordKind::Data { self.open_data() } else { None };
                self.go(Phase::Lime);
                opened
            }
            Phase::Closing => {
                let event = self.close_record(damaged);
                self.go(Phase::Closed);
                event
            }
            Phase::Closed => {
                self.go(Phase::Lime);
                if self.lime.record().end {
                    self.end_message(Phase::Lime);
                }
                Some(Event::End)
            }
            Phase::AtEnd => {
                self.go(Phase::Ended);
                None
            }
        }
    }

    fn end_message(&mut self, after: Phase) {
        self.message_over = true;
        self.after = after;
        self.go(Phase::Settle);
    }

    /// A header has come.
    fn begin_record(&mut self, consumed: usize, record: Record) -> Step<Event> {
        self.role = RecordKind::of(self.lime.record_type());
        if self.role.is_document() {
            self.reading = Reading::new();
        }
        match self.role {
            RecordKind::PrivateFile => self.file.begin(&record),
            RecordKind::PrivateRecord => self.record.begin(&record),
            RecordKind::Format => {
                self.format.begin(&record);
                // An update counts behind the format only (ILDG 1.2, section 2.2).
                self.message.update = None;
            }
            RecordKind::Checksum => self.stored = StoredChecksum::default(),
            RecordKind::Data => self.data = None,
            _ => {}
        }
        if record.begin && self.message.begun {
            // The message before was not ended by ME.
            self.end_message(Phase::Opening);
        } else if self.role == RecordKind::Data && self.pending.is_some() {
            self.after = Phase::Opening;
            self.go(Phase::Settle);
        } else {
            self.go(Phase::Opening);
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
                crate::field::layout::Source::Scidac => self.record.given = self.record.given.used(),
                crate::field::layout::Source::Ildg => self.format.given = self.format.given.used(),
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
            RecordKind::PrivateFile => {
                self.file.finish(spoilt);
                self.message.private_file = true;
                self.message.private_file_at = record.offset;
            }
            RecordKind::FileXml => self.message.file_xml = true,
            RecordKind::PrivateRecord => {
                self.record.finish(spoilt);
                self.message.private_record = true;
                self.message.private_record_at = record.offset;
            }
            RecordKind::RecordXml => self.message.record_xml = true,
            RecordKind::Format => {
                self.format.finish(spoilt);
                self.summary.format_at = self.summary.format_at.or(Some(record.offset));
                let behind = self.message.data_gone_by && !spoilt;
                self.message.format_behind = behind.then_some(record.offset);
                self.format.excused = behind;
            }
            RecordKind::Update if self.format_waits_here() => self.message.update = Some(self.reading.digest),
            RecordKind::Lfn => self.summary.lfn = self.summary.lfn.or(Some(self.reading.digest)),
            RecordKind::Checksum => {
                // Another checksum record would be that of no data.
                self.message.data = false;
                return self.compare(spoilt);
            }
            RecordKind::Data => return self.close_data(&record),
            RecordKind::Foreign | RecordKind::SiteList | RecordKind::Update => {}
        }
        None
    }

    fn close_data(&mut self, record: &Record) -> Option<Event> {
        let data = self.data.as_ref()?;
        let computed = data.checksum();
        let scidac = data.field().source == crate::field::layout::Source::Scidac;
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

    fn push_lime(&mut self, input: &[u8]) -> Result<Step<Event>, Error<ErrorKind>> {
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
            Some(data) if self.role == RecordKind::Data => {
                data.take(input.get(..consumed).unwrap_or_default());
                Event::Data
            }
            _ => Event::Payload,
        }
    }

    fn lime_event(&mut self, consumed: usize, event: lime::Event) -> Result<Step<Event>, Error<ErrorKind>> {
        match event {
            lime::Event::Record(record) => Ok(self.begin_record(consumed, record)),
            lime::Event::Payload => Ok(Step::event(consumed, Event::Payload)),
            lime::Event::End => {
                self.go(Phase::Closing);
                self.advance(consumed)
            }
            lime::Event::Finding(error) => Ok(Step::event(consumed, Event::Finding(error.into_kind()))),
        }
    }
}

impl Decode for Decoder {
    type Event = Event;
    type ErrorKind = ErrorKind;

    fn push(&mut self, input: &[u8]) -> Result<Step<Event>, Error<ErrorKind>> {
        self.failed.check()?;
        if self.phase == Phase::Ended && !input.is_empty() {
            let misuse = ErrorKind::Lime(lime::ErrorKind::Misuse(Misuse::AfterEnd));
            return Err(Error::new(self.position(), misuse));
        }
        let mut step = self.advance(0)?;
        if step.event.is_none() && self.phase == Phase::Lime {
            step = self.push_lime(input)?;
        }
        self.skip_silent_phases();
        Ok(step)
    }

    fn finish(&mut self) -> Result<Option<Event>, Error<ErrorKind>> {
        self.failed.check()?;
        loop {
            match self.phase {
                Phase::Ended => return Ok(None),
                Phase::Lime => match self.lime.finish().map_err(|error| self.lime_failed(error))? {
                    Some(event) => {
                        let step = self.lime_event(0, event)?;
                        if step.event.is_some() {
                            return Ok(step.event);
                        }
                    }
                    None => self.end_message(Phase::AtEnd),
                },
                _ => {
                    let step = self.advance(0)?;
                    if step.event.is_some() {
                        return Ok(step.event);
                    }
                }
            }
        }
    }

    fn demand(&self) -> Demand {
        match (self.phase, self.lime.demand()) {
            (Phase::Ended, _) => Demand::End,
            (Phase::Lime, Demand::Skip(n)) if self.role.is_document() => Demand::Bytes(n),
            (Phase::Lime, demand) => demand,
            _ => Demand::Bytes(0),
        }
    }

    fn skip(&mut self, n: u64) -> Result<(), Error<ErrorKind>> {
        self.failed.check()?;
        if n == 0 {
            return Ok(());
        }
        if !matches!(self.demand(), Demand::Skip(_)) {
            let misuse = Misuse::SkipTooFar { asked: n, available: 0 };
            return Err(Error::new(self.position(), ErrorKind::Lime(lime::ErrorKind::Misuse(misuse))));
        }
        self.lime.skip(n).map_err(|error| self.lime_failed(error))?;
        if let Some(data) = &mut self.data
            && self.role == RecordKind::Data
        {
            data.pass();
        }
        Ok(())
    }

    fn position(&self) -> u64 {
        self.lime.position()
    }
}
