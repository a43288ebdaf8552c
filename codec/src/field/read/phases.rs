//! The steps of the decoder: its work in each phase, and the calls of a judge there.
//!
//! A record runs through `RecordBegins`, `Bytes`, `RecordEnds` and `RecordEnded`. `ChecksumDue` and `MessageEnds` come
//! between two records when a message ends, or data begin while the last field still waits for its checksum; the phase
//! after them is in `after`. In each phase, `run_phases` reports the findings of the judge one by one, and then
//! `run_phase` does the work. A pending finding is therefore never stored: it is found again from the unchanged state
//! and the number of findings reported.
//!
//! Between two calls:
//!
//! | field | invariant |
//! |---|---|
//! | `phase` | the phase that is due: `Bytes` if it needs input, `Ended` after the last event of the file |
//! | `reported` | number of findings of `phase` that have been reported; 0 when a phase is entered |
//! | `after`, `message_over` | used in `ChecksumDue` and `MessageEnds` only: the phase after them, and whether the message ends there |
//! | `kind` | the kind of the record whose payload is open, or was last |
//! | `record_origin`, `format_origin` | not after the current record: a document describes data after it |
//! | `data` | the field whose data are open, or were last; while they are open without a gap, its bytes are the payload position of the LIME decoder |
//! | `unsettled` | only with `data`, which are complete and have no verdict |
//! | `failed` | the error that every later call returns; errors of the LIME decoder stay there |
//!
//! `Decoder::is_consistent` checks them in a loaded state.

use super::apart::{Waiting, completed};
use super::decoder::{Decoder, Event, Phase, Signal, Verdict};
use super::record::{Data, Description, DescriptionState, Origin, Reading, RecordKind};
use crate::bytes::prefix;
use crate::counter::{Counter as _, Watch};
use crate::error::{Diagnostic, Error, Misuse, Severity};
use crate::failed::{Failed, Stopped};
use crate::field::error::ErrorKind;
use crate::field::layout::{DescribedBy, Field};
use crate::ildg::Format;
use crate::lattice::Checksum;
use crate::lime;
use crate::lime::Record;
use crate::machine::DecoderBase as _;
use crate::scidac::{PrivateFile, StoredChecksum};
use crate::step::{Decode as _, Demand, Step};

/// Looks at the state of the decoder in each phase and adds findings. `()` is the judge that adds none; it leaves no
/// code when it is compiled.
///
/// The methods with `&self` decide what is reported next. The methods with `&mut self` take note of it and are called
/// once, when everything has been reported. Between two steps, only the number of reported findings is stored.
pub(crate) trait Judge {
    /// The errors that are reported, of the decoder and of the judge.
    type Kind: Diagnostic + From<ErrorKind>;

    /// True if the judge looks at records of every type.
    const WATCHES: bool = true;

    /// The error of `decoder` and this judge, or the finding that is about to be reported.
    fn failed<'j>(&'j self, decoder: &'j Decoder) -> &'j Failed<Self::Kind>;

    /// The place of that error.
    fn failed_mut<'j>(&'j mut self, decoder: &'j mut Decoder) -> &'j mut Failed<Self::Kind>;

    /// A header is complete. The decoder knows the kind of the record, but still has the documents from before it.
    fn begins(&mut self, decoder: &Decoder, record: &Record);

    /// Returns whether the payload of the current record must be read, although it is not data.
    fn reads(&self, decoder: &Decoder) -> bool;

    /// The finding about the next byte of such a payload. [`Decoder::wrong`] is its error as a part of a document.
    fn text(&self, decoder: &Decoder, byte: u8, at: u64) -> Option<Error<Self::Kind>>;

    /// Returns whether an error of [`text`](Self::text) concerns the byte itself, and not the document that contains
    /// it.
    fn is_of_byte(_: Self::Kind) -> bool {
        false
    }

    /// The severity of a finding that is about to be reported.
    fn severity(error: &Error<Self::Kind>) -> Severity {
        error.kind.severity()
    }

    /// The finding has been reported.
    fn reported(&mut self, error: &Error<Self::Kind>);

    /// The decoder has taken the byte.
    fn byte_taken(&mut self, decoder: &Decoder, byte: u8);

    /// The finding number `index` of a phase. All that the decoder itself finds ([`Decoder::fault`]) must be among
    /// them.
    fn finding(&self, decoder: &Decoder, phase: Phase, index: u8) -> Option<Error<Self::Kind>>;

    /// All findings of the phase have been reported; the decoder has not left it yet.
    fn phase_ended(&mut self, decoder: &Decoder, phase: Phase);
}

/// Reports errors that make data unreadable or wrong, and nothing else.
impl Judge for () {
    type Kind = ErrorKind;

    const WATCHES: bool = false;

    #[inline]
    fn failed<'j>(&'j self, decoder: &'j Decoder) -> &'j Failed<ErrorKind> {
        &decoder.failed
    }

    #[inline]
    fn failed_mut<'j>(&'j mut self, decoder: &'j mut Decoder) -> &'j mut Failed<ErrorKind> {
        &mut decoder.failed
    }

    #[inline]
    fn begins(&mut self, _: &Decoder, _: &Record) {}

    #[inline]
    fn reads(&self, decoder: &Decoder) -> bool {
        decoder.kind().is_document()
    }

    /// The first error of a document is enough: it describes nothing any more.
    #[inline]
    fn text(&self, decoder: &Decoder, _: u8, at: u64) -> Option<Error<ErrorKind>> {
        let reading = decoder.reading();
        if reading.found.is_error() && !reading.spoilt { decoder.wrong(at) } else { None }
    }

    /// Always an error: nothing else is reported, so no table is needed.
    #[inline]
    fn severity(error: &Error<ErrorKind>) -> Severity {
        debug_assert!(error.kind.severity() == Severity::Error, "{error:?} does not make data unreadable");
        Severity::Error
    }

    #[inline]
    fn reported(&mut self, _: &Error<ErrorKind>) {}

    #[inline]
    fn byte_taken(&mut self, _: &Decoder, _: u8) {}

    #[inline]
    fn finding(&self, decoder: &Decoder, phase: Phase, index: u8) -> Option<Error<ErrorKind>> {
        if index == 0 { decoder.fault(phase) } else { None }
    }

    #[inline]
    fn phase_ended(&mut self, _: &Decoder, _: Phase) {}
}

impl Decoder {
    pub(crate) fn push_for<J: Judge>(
        &mut self,
        judge: &mut J,
        input: &[u8],
    ) -> Result<Step<Event<J::Kind>>, Error<J::Kind>> {
        let watch = Watch::begin();
        if self.take_inside_data(judge, input) && !watch.has_seen_mistake() {
            return Ok(Step::event(input.len(), Event::Data));
        }
        self.push_through_phases(judge, &watch, input)
    }

    /// [`push_for`](Self::push_for) where something other than data can be due.
    // Not inlined: the registers that it needs would be saved for each piece of data.
    #[inline(never)]
    fn push_through_phases<J: Judge>(
        &mut self,
        judge: &mut J,
        watch: &Watch,
        input: &[u8],
    ) -> Result<Step<Event<J::Kind>>, Error<J::Kind>> {
        match self.advance(judge, input) {
            Ok(Step { consumed, event }) => {
                // First the event: the silent phases may replace the field that it reports.
                let event = event.map(|signal| self.event(judge, signal));
                self.skip_silent_phases(judge);
                if watch.has_seen_mistake() {
                    return Err(self.internal_error(judge));
                }
                Ok(Step { consumed, event })
            }
            Err(Stopped) if watch.has_seen_mistake() => Err(self.internal_error(judge)),
            Err(Stopped) => Err(self.error(judge)),
        }
    }

    /// Takes all of `input` as data if more data follow: nothing else is due then. This is most of a file, and spares the
    /// phases, whose cost does not depend on the number of bytes. Returns whether it has.
    #[inline]
    fn take_inside_data<J: Judge>(&mut self, judge: &J, input: &[u8]) -> bool {
        let is_in_data = self.kind == RecordKind::Data && self.phase == Phase::Bytes && !input.is_empty();
        if !is_in_data || self.data.is_none() || self.check_running(judge).is_err() {
            return false;
        }
        let is_inside = self.lime.take_inside_payload(input);
        if let Some(data) = self.data.as_mut().filter(|_| is_inside) {
            data.take(input);
        }
        is_inside
    }

    pub(crate) fn finish_for<J: Judge>(
        &mut self,
        judge: &mut J,
    ) -> Result<Option<Event<J::Kind>>, Error<J::Kind>> {
        let watch = Watch::begin();
        match self.advance_at_end(judge) {
            Ok(event) => {
                let event = event.map(|signal| self.event(judge, signal));
                if watch.has_seen_mistake() {
                    return Err(self.internal_error(judge));
                }
                Ok(event)
            }
            Err(Stopped) if watch.has_seen_mistake() => Err(self.internal_error(judge)),
            Err(Stopped) => Err(self.error(judge)),
        }
    }

    pub(crate) fn demand_for<J: Judge>(&self, judge: &J) -> Demand {
        match self.phase {
            Phase::Bytes => match self.lime.demand() {
                Demand::Skip(n) if judge.reads(self) => Demand::Bytes(n),
                demand => demand,
            },
            // A phase that has nothing to report has been passed (`skip_silent_phases`); the others need no input.
            Phase::Ended => Demand::End,
            _ => Demand::Bytes(0),
        }
    }

    pub(crate) fn skip_for<J: Judge>(&mut self, judge: &J, n: u64) -> Result<(), Error<J::Kind>> {
        self.check_usable_for(judge)?;
        if n == 0 {
            return Ok(());
        }
        if !matches!(self.demand_for(judge), Demand::Skip(_)) {
            let misuse = Misuse::SkipTooFar { asked: n, available: 0 };
            let kind = ErrorKind::Lime(lime::ErrorKind::Misuse(misuse));
            return Err(Error::new(self.position(), kind.into()));
        }
        self.lime.skip(n).map_err(|error| error.into_kind::<ErrorKind>().into_kind())?;
        // A checksum of all but these bytes proves nothing: the verdict will be `Unchecked`.
        if let Some(data) = &mut self.data
            && self.kind == RecordKind::Data
        {
            data.pass();
        }
        Ok(())
    }

    /// An event with its contents.
    // The call would take a tenth of the time for a small record. Without an operating system, code size matters more.
    #[cfg_attr(all(target_pointer_width = "64", not(target_os = "none")), inline(always))]
    fn event<J: Judge>(&mut self, judge: &mut J, signal: Signal) -> Event<J::Kind> {
        match signal {
            Signal::Record => Event::Record(self.lime.record()),
            Signal::Payload => Event::Payload,
            Signal::Field => Event::Field,
            Signal::Data => Event::Data,
            Signal::FieldEnd => Event::FieldEnd(self.data.as_ref().and_then(Data::checksum)),
            Signal::End => Event::End,
            Signal::Match => {
                Event::Verdict(Verdict::Match { stored: self.stored_sums(), computed: self.computed() })
            }
            Signal::Mismatch => {
                Event::Verdict(Verdict::Mismatch { stored: self.stored_sums(), computed: self.computed() })
            }
            Signal::Absent => Event::Verdict(Verdict::Absent { computed: self.computed() }),
            Signal::Unchecked => Event::Verdict(Verdict::Unchecked),
            Signal::Finding => {
                // It lies where an error would: in this layer or in the LIME decoder, never in both.
                let finding = self.error(judge);
                judge.failed_mut(self).put(None);
                self.lime.take_finding();
                Event::Finding(finding)
            }
        }
    }

    /// The error that stopped a step, or its finding, of this layer or of the LIME decoder.
    #[inline(never)]
    fn error<J: Judge>(&self, judge: &J) -> Error<J::Kind> {
        let below = || self.lime.error().into_kind::<ErrorKind>().into_kind();
        judge.failed(self).check().err().unwrap_or_else(below)
    }

    #[cold]
    fn internal_error<J: Judge>(&mut self, judge: &mut J) -> Error<J::Kind> {
        let kind = |misuse| ErrorKind::Lime(lime::ErrorKind::Misuse(misuse)).into();
        let position = self.position();
        judge.failed_mut(self).internal_error(position, kind)
    }

    /// [`push`](crate::Decode::push) without the contents of the event.
    fn advance<J: Judge>(&mut self, judge: &mut J, input: &[u8]) -> Result<Step<Signal>, Stopped> {
        self.check_running(judge)?;
        let mut step = Step { consumed: 0, event: self.run_phases(judge)? };
        if step.event.is_none() {
            step = match self.phase {
                Phase::Ended if input.is_empty() => Step::more(0),
                // No error is kept, so that `error` reports the misuse of input after the end.
                Phase::Ended => return Err(Stopped),
                _ => self.take_bytes(judge, input)?,
            };
        }
        Ok(step)
    }

    /// [`finish`](crate::Decode::finish) without the contents of the event.
    fn advance_at_end<J: Judge>(&mut self, judge: &mut J) -> Result<Option<Signal>, Stopped> {
        self.check_running(judge)?;
        loop {
            let mut signal = self.run_phases(judge)?;
            if signal.is_none() && self.phase == Phase::Bytes {
                match self.lime.advance_at_end()?.event {
                    Some(event) => signal = self.take_lime(judge, event)?,
                    // The LIME decoder has reported the end of the last record; a message that is still open ends with
                    // the file.
                    None => self.end_message::<J>(Phase::FileEnds),
                }
            }
            if signal.is_some() || self.phase == Phase::Ended {
                return Ok(signal);
            }
        }
    }

    /// Fails with the error of a decoder that has stopped.
    pub(crate) fn check_usable_for<J: Judge>(&self, judge: &J) -> Result<(), Error<J::Kind>> {
        judge.failed(self).check()?;
        self.lime.check_usable().map_err(|error| error.into_kind::<ErrorKind>().into_kind())
    }

    /// Fails if this layer or the LIME decoder has stopped.
    fn check_running<J: Judge>(&self, judge: &J) -> Result<(), Stopped> {
        judge.failed(self).check_usable()?;
        self.lime.check_running()
    }

    /// Refuses or reports, depending on the mode.
    pub(super) fn report<J: Judge>(
        &mut self,
        judge: &mut J,
        error: Error<J::Kind>,
    ) -> Result<Option<Signal>, Stopped> {
        judge.failed_mut(self).put(Some(error));
        if self.lime.mode().refuses(J::severity(&error)) { Err(Stopped) } else { Ok(Some(Signal::Finding)) }
    }

    const fn enter(&mut self, phase: Phase) {
        self.phase = phase;
        self.reported = 0;
    }

    /// Goes through phases until there is something to report, or bytes are needed.
    fn run_phases<J: Judge>(&mut self, judge: &mut J) -> Result<Option<Signal>, Stopped> {
        while !matches!(self.phase, Phase::Bytes | Phase::Ended) {
            if let Some(error) = judge.finding(self, self.phase, self.reported) {
                self.reported.increase(1);
                return self.report(judge, error);
            }
            if let Some(signal) = self.run_phase(judge) {
                return Ok(Some(signal));
            }
        }
        Ok(None)
    }

    /// Passes through the phases that have nothing to report. After the last event, the demand is then the demand of
    /// the next byte at once.
    fn skip_silent_phases<J: Judge>(&mut self, judge: &mut J) {
        while self.phase_is_silent(judge) {
            self.run_phase(judge);
        }
    }

    fn phase_is_silent<J: Judge>(&self, judge: &J) -> bool {
        let has_no_event = match self.phase {
            // The end of a record is always reported.
            Phase::Bytes | Phase::Ended | Phase::RecordEnds | Phase::RecordEnded => return false,
            Phase::ChecksumDue => !self.unsettled,
            Phase::MessageEnds | Phase::FileEnds => true,
            Phase::RecordBegins => self.kind != RecordKind::Data || !self.is_described(),
        };
        has_no_event && judge.finding(self, self.phase, self.reported).is_none()
    }

    /// Does the work of the current phase and enters the next.
    fn run_phase<J: Judge>(&mut self, judge: &mut J) -> Option<Signal> {
        judge.phase_ended(self, self.phase);
        match self.phase {
            Phase::Bytes | Phase::Ended => None,
            Phase::ChecksumDue => {
                self.enter(if self.message_over { Phase::MessageEnds } else { self.after });
                self.settle_apart()
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
                Some(Signal::End)
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
        self.apart.end_message();
        // Without a watching judge, only a field that waits for its checksum has something to report here.
        if J::WATCHES || self.unsettled {
            self.message_over = true;
            self.after = after;
            self.enter(Phase::ChecksumDue);
        } else {
            self.enter(after);
        }
    }

    /// Begins a record: its header is complete.
    // Not inlined on a board: the end of a record would pay for its stack.
    #[cfg_attr(target_os = "none", inline(never))]
    fn begin_record<J: Judge>(&mut self, judge: &mut J) {
        let record = self.lime.record();
        self.kind = RecordKind::of(self.lime.header());
        judge.begins(self, &record);
        if judge.reads(self) {
            self.reading = Reading::new(self.kind == RecordKind::Format);
        }
        // The document that this one replaces is forgotten now: if this one is cut or damaged, the old one must not
        // describe data after it.
        match self.kind {
            RecordKind::PrivateFile => self.file = Description::NO_FILE,
            RecordKind::PrivateRecord => {
                self.record = Description::NO_RECORD;
                self.record_origin = Origin::of(&record);
            }
            RecordKind::Format => {
                self.format = Description::NO_FORMAT;
                self.format_origin = Origin::of(&record);
            }
            RecordKind::Fermion => {
                self.format = Description { document: Format::of_fermion(), state: DescriptionState::No };
                self.format_origin = Origin::of(&record);
            }
            RecordKind::Checksum => self.stored = StoredChecksum::EMPTY,
            RecordKind::Foreign | RecordKind::Data => {}
        }
        // Without a watching judge, only data have something to report at the beginning of a record.
        let has_begin = J::WATCHES || self.kind == RecordKind::Data;
        let begin = if has_begin { Phase::RecordBegins } else { Phase::Bytes };
        if record.begin {
            // A message without ME ends here. At the end of a message with ME, this has nothing left to report.
            self.end_message::<J>(begin);
        } else if self.kind == RecordKind::Data && self.unsettled {
            // Other data begin: a checksum that follows is theirs.
            self.after = begin;
            self.enter(Phase::ChecksumDue);
        } else {
            self.enter(begin);
        }
    }

    /// Begins a data record. Its data can be read if there is a layout.
    // Not inlined: the data are on the stack here, and would be there for every other phase.
    #[inline(never)]
    fn open_data(&mut self) -> Option<Signal> {
        let record = self.lime.record();
        // One value from here on: each copy of it would be on the stack.
        let mut data = Data::new(Field::undescribed(record));
        // Before documents are marked as used, since the choice depends on the marks.
        let described = self.describe(data.field_mut()).is_ok();
        let chosen = self.choose_description().map(|(document, _)| document);
        let is_format_used = chosen == Some(DescribedBy::Ildg) || self.format_agrees_elsewhere(data.field());
        // A document of this message is used up even if the other one described the data: later data are not its own.
        if self.record_origin.message == record.message || chosen == Some(DescribedBy::Scidac) {
            self.record.state.mark_used();
        }
        if self.format_origin.message == record.message || is_format_used {
            self.format.state.mark_used();
        }
        self.apart.begin_data(described);
        if !described {
            self.data = None;
            return None;
        }
        data.go_to_first();
        self.data = Some(data);
        Some(Signal::Field)
    }

    /// Ends a record, after the findings about it.
    fn close_record(&mut self) -> Option<Signal> {
        if self.kind == RecordKind::Data {
            // The verdict comes with a checksum record, or at the end of the message.
            self.unsettled = self.data.is_some();
            return self.unsettled.then_some(Signal::FieldEnd);
        }
        let spoilt = self.kind.is_document() && self.document_is_spoilt();
        let state = if spoilt { DescriptionState::Spoilt } else { DescriptionState::Pending };
        match self.kind {
            RecordKind::PrivateFile => self.file.state = state,
            RecordKind::PrivateRecord => self.record.state = state,
            RecordKind::Format => self.format.state = state,
            RecordKind::Fermion => self.take_fermion(spoilt),
            RecordKind::Checksum if self.unsettled && !spoilt => return self.compare(),
            RecordKind::Checksum => return self.take_apart(spoilt),
            RecordKind::Data | RecordKind::Foreign => {}
        }
        None
    }

    /// A description of a fermion field is complete: it takes the place of SciDAC documents, until others come. It describes
    /// data in any message, and several of them.
    // Not inlined: other records would pay for its stack.
    #[inline(never)]
    fn take_fermion(&mut self, is_spoilt: bool) {
        // Messages are counted from 1, so that 0 marks a description that is part of none (`is_fermion`).
        self.record_origin = Origin { message: 0, at: self.lime.record().offset };
        match self.format.document.extents().filter(|_| !is_spoilt) {
            Some(extents) => {
                let state = DescriptionState::Pending;
                self.file = Description { document: PrivateFile::new(&extents), state };
                self.record = Description::NO_RECORD;
                self.record.document.describe_dirac_fermion(self.format.document.precision());
                self.record.state = state;
            }
            None => self.record.state = DescriptionState::Spoilt,
        }
        (self.format, self.format_origin) = (Description::NO_FORMAT, Origin::NONE);
    }

    /// The verdict on the last field, when a checksum record is complete.
    fn compare(&mut self) -> Option<Signal> {
        let computed = self.unsettled()?.checksum();
        self.unsettled = false;
        self.apart.compare_at(self.lime.record().offset);
        Some(self.compared_with(computed))
    }

    /// A checksum record is complete that does not follow data in its message, or that cannot be read. Returns the verdict
    /// on the field that it belongs to.
    fn take_apart(&mut self, is_spoilt: bool) -> Option<Signal> {
        let at = self.lime.record().offset;
        if !is_spoilt && self.stored.suma().is_none() && self.stored.sumb().is_none() {
            return None; // QIO stores no sums if one of them is zero.
        }
        if !self.apart.take(is_spoilt, &self.stored, at) {
            return None;
        }
        // Data that nothing describes have no verdict.
        let computed = self.data.as_ref()?.checksum().filter(|_| !is_spoilt);
        Some(self.compared_with(computed))
    }

    /// The verdict on a field, when its message is over or other data begin.
    fn settle_apart(&mut self) -> Option<Signal> {
        let computed = self.unsettled()?.checksum();
        self.unsettled = false;
        Some(match self.apart.settle(&mut self.stored) {
            Waiting::No | Waiting::Never if computed.is_some() => Signal::Absent,
            // A record that cannot be read has no checksum.
            Waiting::No | Waiting::Never | Waiting::Unreadable => Signal::Unchecked,
            Waiting::Sums => self.compared_with(computed),
        })
    }

    /// The result of comparing the stored sums with the computed ones, which data have unless some were skipped.
    // Not inlined: it has three callers.
    #[inline(never)]
    fn compared_with(&self, computed: Option<Checksum>) -> Signal {
        let Some(computed) = computed else { return Signal::Unchecked };
        // A sum that is not stored never differs, but one alone is no match.
        if completed(&self.stored, computed) != computed {
            Signal::Mismatch
        } else if self.stored.checksum().is_some() {
            Signal::Match
        } else {
            Signal::Absent
        }
    }

    /// The stored sums, completed for the last field.
    fn stored_sums(&self) -> Checksum {
        completed(&self.stored, self.computed())
    }

    /// The checksum of the last field; all of its data must have been read.
    fn computed(&self) -> Checksum {
        self.data.as_ref().and_then(Data::checksum).unwrap_or_default()
    }

    /// The error of a complete checksum record that contradicts the data before it.
    pub(super) fn mismatch(&self) -> Option<ErrorKind> {
        let waits = self.unsettled || self.apart.has_field();
        let computed = self.data.as_ref().filter(|_| waits)?.checksum()?;
        let stored = completed(&self.stored, computed);
        (stored != computed).then_some(ErrorKind::ChecksumMismatch { computed, stored })
    }

    fn take_bytes<J: Judge>(&mut self, judge: &mut J, input: &[u8]) -> Result<Step<Signal>, Stopped> {
        if self.kind != RecordKind::Data
            && judge.reads(self)
            && !input.is_empty()
            // At the end of its payload: padding and the next header are left to the LIME decoder.
            && let Some(step) = self.take_document(judge, input)?
        {
            return Ok(step);
        }
        let Step { consumed, event } = self.lime.advance(input)?;
        let event = match (event, &mut self.data) {
            (None, _) => None,
            (Some(lime::Signal::Payload), Some(data)) if self.kind == RecordKind::Data => {
                data.take(prefix(input, consumed));
                Some(Signal::Data)
            }
            (Some(signal), _) => self.take_lime(judge, signal)?,
        };
        Ok(Step { consumed, event })
    }

    /// Interprets a signal of the LIME decoder.
    #[cfg_attr(all(target_pointer_width = "64", not(target_os = "none")), inline(always))]
    fn take_lime<J: Judge>(
        &mut self,
        judge: &mut J,
        signal: lime::Signal,
    ) -> Result<Option<Signal>, Stopped> {
        Ok(Some(match signal {
            lime::Signal::Record => {
                self.begin_record(judge);
                Signal::Record
            }
            lime::Signal::Payload => Signal::Payload,
            // Nothing can be found at the end of such a record: its two phases are spared.
            lime::Signal::End if !J::WATCHES && self.kind == RecordKind::Foreign => {
                self.record_ended::<J>();
                Signal::End
            }
            lime::Signal::End => {
                self.enter(Phase::RecordEnds);
                return self.run_phases(judge);
            }
            // It stays in the LIME decoder until `event` takes it.
            lime::Signal::Finding => Signal::Finding,
        }))
    }
}
