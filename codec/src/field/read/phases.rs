//! The steps of the decoder, for every judge.

use super::data::Data;
use super::decoder::{Decoder, Phase};
use super::event::{Event, Verdict};
use super::judge::Judge;
use super::reading::Reading;
use super::record_kind::RecordKind;
use crate::bytes::prefix;
use crate::counter::Counter as _;
use crate::error::{Diagnostic as _, Error, Misuse};
use crate::field::error::ErrorKind;
use crate::field::layout::Source;
use crate::lattice::Checksum;
use crate::lime::{self, Record};
use crate::scidac::StoredChecksum;
use crate::step::{Decode as _, Demand, Step};

impl Decoder {
    pub(crate) fn push_for<J: Judge>(
        &mut self,
        judge: &mut J,
        input: &[u8],
    ) -> Result<Step<Event>, Error<ErrorKind>> {
        self.failed.check()?;
        if self.phase != Phase::Bytes {
            if self.phase == Phase::Ended && !input.is_empty() {
                let misuse = ErrorKind::Lime(lime::ErrorKind::Misuse(Misuse::AfterEnd));
                return Err(Error::new(self.position(), misuse));
            }
            let step = self.advance(judge, 0)?;
            if step.event.is_some() || self.phase != Phase::Bytes {
                self.skip_silent_phases(judge);
                return Ok(step);
            }
        }
        let step = self.push_lime(judge, input)?;
        if self.phase != Phase::Bytes {
            self.skip_silent_phases(judge);
        }
        Ok(step)
    }

    pub(crate) fn finish_for<J: Judge>(&mut self, judge: &mut J) -> Result<Option<Event>, Error<ErrorKind>> {
        self.failed.check()?;
        loop {
            let step = match self.phase {
                Phase::Ended => return Ok(None),
                Phase::Bytes => match self.lime.finish().map_err(|error| self.lime_failed(error))? {
                    Some(event) => self.lime_event(judge, 0, event)?,
                    None => {
                        self.end_message::<J>(Phase::FileEnds);
                        continue;
                    }
                },
                _ => self.advance(judge, 0)?,
            };
            if step.event.is_some() {
                return Ok(step.event);
            }
        }
    }

    pub(crate) fn demand_for<J: Judge>(&self, judge: &J) -> Demand {
        match (self.phase, self.lime.demand()) {
            (Phase::Ended, _) => Demand::End,
            (Phase::Bytes, Demand::Skip(n)) if judge.reads(self) => Demand::Bytes(n),
            (Phase::Bytes, demand) => demand,
            _ => Demand::Bytes(0),
        }
    }

    pub(crate) fn skip_for<J: Judge>(&mut self, judge: &J, n: u64) -> Result<(), Error<ErrorKind>> {
        self.failed.check()?;
        if n == 0 {
            return Ok(());
        }
        if !matches!(self.demand_for(judge), Demand::Skip(_)) {
            let misuse = Misuse::SkipTooFar { asked: n, available: 0 };
            return Err(Error::new(self.position(), ErrorKind::Lime(lime::ErrorKind::Misuse(misuse))));
        }
        self.lime.skip(n).map_err(|error| self.lime_failed(error))?;
        if let Some(data) = &mut self.data
            && self.kind == RecordKind::Data
        {
            data.pass();
        }
        Ok(())
    }

    /// Refuses or reports, as the mode has it.
    pub(super) fn report(
        &mut self,
        consumed: usize,
        error: Error<ErrorKind>,
    ) -> Result<Step<Event>, Error<ErrorKind>> {
        if self.lime.mode().refuses(error.kind.severity()) {
            return Err(self.failed.set(error));
        }
        Ok(Step::event(consumed, Event::Finding(error)))
    }

    pub(super) fn lime_failed(&mut self, error: Error<lime::ErrorKind>) -> Error<ErrorKind> {
        let error = error.into_kind();
        if !matches!(error.kind, ErrorKind::Lime(lime::ErrorKind::Misuse(_))) {
            self.failed.set(error);
        }
        error
    }

    const fn enter(&mut self, phase: Phase) {
        self.phase = phase;
        self.reported = 0;
    }

    /// Goes through phases until there is an event, or bytes are needed.
    fn advance<J: Judge>(&mut self, judge: &mut J, consumed: usize) -> Result<Step<Event>, Error<ErrorKind>> {
        while !matches!(self.phase, Phase::Bytes | Phase::Ended) {
            if let Some(error) = judge.finding(self, self.phase, self.reported) {
                self.reported = self.reported.plus(1);
                return self.report(consumed, error);
            }
            if let Some(event) = self.run_phase(judge) {
                return Ok(Step::event(consumed, event));
            }
        }
        Ok(Step::more(consumed))
    }

    /// Goes through the phases that have nothing to report, so that the demand is that of the next byte as soon as the
    /// last event has been given.
    fn skip_silent_phases<J: Judge>(&mut self, judge: &mut J) {
        while self.phase_is_silent(judge) {
            self.run_phase(judge);
        }
    }

    fn phase_is_silent<J: Judge>(&self, judge: &J) -> bool {
        let has_no_event = match self.phase {
            Phase::Bytes | Phase::Ended | Phase::RecordEnds | Phase::RecordEnded => return false,
            Phase::ChecksumDue => !self.unsettled,
            Phase::MessageEnds | Phase::FileEnds => true,
            Phase::RecordBegins => self.kind != RecordKind::Data || self.describe().is_err(),
        };
        has_no_event && judge.finding(self, self.phase, self.reported).is_none()
    }

    /// Does the work of the present phase and enters the next.
    fn run_phase<J: Judge>(&mut self, judge: &mut J) -> Option<Event> {
        judge.passed(self, self.phase);
        match self.phase {
            Phase::Bytes | Phase::Ended => None,
            Phase::ChecksumDue => {
                self.enter(if self.message_over { Phase::MessageEnds } else { self.after });
                let computed = self.unsettled()?.checksum();
                self.unsettled = false;
                Some(Event::Verdict(if computed.is_some() { Verdict::Absent } else { Verdict::Unchecked }))
            }
            Phase::MessageEnds => {
                self.message_over = false;
                self.enter(self.after);
                None
            }
            Phase::RecordBegins => {
                self.enter(Phase::Bytes);
                if self.kind == RecordKind::Data { self.open_data() } else { None }
            }
            Phase::RecordEnds => {
                self.enter(Phase::RecordEnded);
                self.close_record()
            }
            Phase::RecordEnded => {
                self.record_ended::<J>();
                Some(Event::End)
            }
            Phase::FileEnds => {
                self.enter(Phase::Ended);
                None
            }
        }
    }

    fn record_ended<J: Judge>(&mut self) {
        if self.lime.record().end {
            self.end_message::<J>(Phase::Bytes);
        } else {
            self.enter(Phase::Bytes);
        }
    }

    fn end_message<J: Judge>(&mut self, after: Phase) {
        if J::WATCHES || self.unsettled {
            self.message_over = true;
            self.after = after;
            self.enter(Phase::ChecksumDue);
        } else {
            self.enter(after);
        }
    }

    /// A header has come.
    fn begin_record<J: Judge>(&mut self, judge: &mut J, consumed: usize, record: Record) -> Step<Event> {
        self.kind = RecordKind::of(self.lime.record_type());
        judge.begins(self, &record);
        if judge.reads(self) {
            self.reading = Reading::new(self.kind == RecordKind::Format);
        }
        match self.kind {
            RecordKind::PrivateFile => self.file.begin(&record),
            RecordKind::PrivateRecord => self.record.begin(&record),
            RecordKind::Format => self.format.begin(&record),
            RecordKind::Checksum => self.stored = StoredChecksum::default(),
            RecordKind::Foreign | RecordKind::Data => {}
        }
        let has_begin = J::WATCHES || self.kind == RecordKind::Data;
        let begin = if has_begin { Phase::RecordBegins } else { Phase::Bytes };
        if record.begin {
            // The message before may not have been ended by ME.
            self.end_message::<J>(begin);
        } else if self.kind == RecordKind::Data && self.unsettled {
            self.after = begin;
            self.enter(Phase::ChecksumDue);
        } else {
            self.enter(begin);
        }
        Step::event(consumed, Event::Record(record))
    }

    /// The data can be read if there is a layout.
    fn open_data(&mut self) -> Option<Event> {
        let described = self.describe().ok();
        let now = self.lime.record().message;
        let chosen = self.choose_description().map(|(source, _)| source);
        if self.record.message == now || chosen == Some(Source::Scidac) {
            self.record.mark_used();
        }
        if self.format.message == now || chosen == Some(Source::Ildg) {
            self.format.mark_used();
        }
        self.data = described.map(|described| Data::new(described.field));
        self.data.is_some().then_some(Event::Field)
    }

    /// After the findings about a complete record.
    fn close_record(&mut self) -> Option<Event> {
        match self.kind {
            RecordKind::PrivateFile => self.file.finish(self.document_is_spoilt()),
            RecordKind::PrivateRecord => self.record.finish(self.document_is_spoilt()),
            RecordKind::Format => self.format.finish(self.document_is_spoilt()),
            RecordKind::Checksum if self.document_is_spoilt() => {}
            RecordKind::Checksum => return self.compare().map(Event::Verdict),
            RecordKind::Data => {
                let computed = self.data.as_ref()?.checksum();
                self.unsettled = true;
                return Some(Event::FieldEnd(computed));
            }
            RecordKind::Foreign => {}
        }
        None
    }

    /// A checksum record is complete: what it says about the last field.
    fn compare(&mut self) -> Option<Verdict> {
        let computed = self.unsettled()?.checksum();
        self.unsettled = false;
        let Some(computed) = computed else { return Some(Verdict::Unchecked) };
        Some(match self.stored.checksum() {
            Some(stored) if computed == stored => Verdict::Match(stored),
            Some(stored) => Verdict::Mismatch(stored),
            None => match self.completed(computed) {
                stored if stored == computed => Verdict::Absent,
                stored => Verdict::Mismatch(stored),
            },
        })
    }

    /// The stored sums; one that is not stored differs from nothing.
    fn completed(&self, computed: Checksum) -> Checksum {
        Checksum {
            suma: self.stored.suma().unwrap_or(computed.suma),
            sumb: self.stored.sumb().unwrap_or(computed.sumb),
        }
    }

    /// The checksum record that is complete contradicts the data before it.
    pub(crate) fn mismatch(&self) -> Option<ErrorKind> {
        let computed = self.unsettled()?.checksum()?;
        let stored = self.completed(computed);
        (stored != computed).then_some(ErrorKind::ChecksumMismatch { computed, stored })
    }

    fn push_lime<J: Judge>(&mut self, judge: &mut J, input: &[u8]) -> Result<Step<Event>, Error<ErrorKind>> {
        if self.kind != RecordKind::Data
            && judge.reads(self)
            && !input.is_empty()
            && let Some(step) = self.push_document(judge, input)?
        {
            return Ok(step);
        }
        let step = self.lime.push(input).map_err(|error| self.lime_failed(error))?;
        match step.event {
            None => Ok(Step::more(step.consumed)),
            Some(lime::Event::Payload) => Ok(Step::event(step.consumed, self.payload(input, step.consumed))),
            Some(event) => self.lime_event(judge, step.consumed, event),
        }
    }

    /// What payload bytes are, other than those of documents.
    fn payload(&mut self, input: &[u8], consumed: usize) -> Event {
        match &mut self.data {
            Some(data) if self.kind == RecordKind::Data => {
                data.take(prefix(input, consumed));
                Event::Data
            }
            _ => Event::Payload,
        }
    }

    fn lime_event<J: Judge>(
        &mut self,
        judge: &mut J,
        consumed: usize,
        event: lime::Event,
    ) -> Result<Step<Event>, Error<ErrorKind>> {
        match event {
            lime::Event::Record(record) => Ok(self.begin_record(judge, consumed, record)),
            lime::Event::Payload => Ok(Step::event(consumed, Event::Payload)),
            lime::Event::End if !J::WATCHES && self.kind == RecordKind::Foreign => {
                self.record_ended::<J>();
                Ok(Step::event(consumed, Event::End))
            }
            lime::Event::End => {
                self.enter(Phase::RecordEnds);
                self.advance(judge, consumed)
            }
            lime::Event::Finding(error) => Ok(Step::event(consumed, Event::Finding(error.into_kind()))),
        }
    }
}
