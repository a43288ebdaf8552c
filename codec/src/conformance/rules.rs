//! The rules about records, messages and files, and the findings in each phase of the decoder.

use super::document::{Text, TextKind, contradictions};
use super::error::{ErrorKind, Findings};
use super::propagator::{Described, Propagator};
use crate::counter::Counter as _;
use crate::error::Error;
use crate::failed::Failed;
use crate::field::inventory::{Digest, Inventory};
use crate::field::read::decoder::Phase;
use crate::field::read::phases::Judge;
use crate::field::read::record::{DescriptionState, Origin, RecordKind};
use crate::field::{self, Decoder, DescribedBy, DocumentName, Field, LinkLayout};
use crate::ildg;
use crate::lime::Record;
use crate::scidac::VolumeFormat;
use crate::state::saved;
use crate::step::SeekPayload as _;
use crate::xml::WellFormed;

/// A description that another one has replaced before its data came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Superseded {
    /// Absolute offset of its record.
    at: u64,
    /// The other one is part of the same message.
    same_message: bool,
}

saved!(struct Superseded { at, same_message });

/// The judge that knows the rules of ILDG 1.2 and QIO 2.3.
#[derive(Debug, Clone)]
pub(super) struct Rules {
    kind: TextKind,
    text: Text,
    /// The form of the document or text of the user that is being read.
    form: WellFormed,
    message: MessageState,
    /// The description that the current document has replaced.
    superseded: Option<Superseded>,
    /// The last `ildg-format` comes after data; this is reported if no data follow it.
    format_is_late: bool,
    /// The last SciDAC data have no checksum and no end of their message: the checksum can follow in another one.
    checksum_awaited: bool,
    /// Absolute offset of the first `ildg-format`.
    format_at: Option<u64>,
    /// Absolute offset of the first document about the whole file: `scidac-private-file-xml` or `ildg-data-lfn`.
    lattice_at: Option<u64>,
    /// A data record has begun.
    has_data: bool,
    pub(super) inventory: Inventory,
    pub(super) propagator: Propagator,
    /// The error that stopped the reading. Errors of the LIME decoder stay there.
    failed: Failed<ErrorKind>,
}

saved!(struct Rules {
    kind, text, form, message, superseded, format_is_late, checksum_awaited, format_at, lattice_at, has_data,
    inventory, propagator,
} skipping { failed });

impl Judge for Rules {
    type Kind = ErrorKind;

    fn failed<'j>(&'j self, _: &'j Decoder) -> &'j Failed<ErrorKind> {
        &self.failed
    }

    fn failed_mut<'j>(&'j mut self, _: &'j mut Decoder) -> &'j mut Failed<ErrorKind> {
        &mut self.failed
    }

    fn begins(&mut self, decoder: &Decoder, record: &Record) {
        self.kind = Self::kind_of(decoder);
        if self.reads(decoder) {
            self.text = Text::new();
        }
        self.form = WellFormed::at(record.payload_offset());
        if self.kind.is_of_user() {
            self.propagator.begin_text(record.payload_offset());
        }
        let superseded = |state, Origin { message, at }| {
            let same_message = message == record.message;
            (state == DescriptionState::Pending).then_some(Superseded { at, same_message })
        };
        match decoder.kind() {
            RecordKind::PrivateRecord => {
                let (last, origin) = decoder.record_described();
                self.superseded = superseded(last.state, origin);
            }
            RecordKind::Format => {
                let (last, origin) = decoder.format_described();
                let excused = self.format_is_late && origin.message != record.message;
                self.superseded = superseded(last.state, origin).filter(|_| !excused);
                self.format_is_late = false;
                // An update counts after the format only (ILDG 1.2, section 2.2).
                self.message.update = None;
            }
            _ => {}
        }
    }

    fn reads(&self, decoder: &Decoder) -> bool {
        decoder.kind().is_document()
            || self.is_read()
            || (self.kind.is_of_user() && (self.form.wants_more() || self.propagator.reads_text()))
    }

    #[inline]
    fn text(&self, decoder: &Decoder, byte: u8, at: u64) -> Option<Error<ErrorKind>> {
        // Almost every byte is in order, which these two tests show without an error that would be copied.
        let is_odd = !ildg::is_text(byte) || decoder.reading().found.is_fault();
        if is_odd { self.odd_byte(decoder, byte, at) } else { None }
    }

    fn is_of_byte(kind: ErrorKind) -> bool {
        matches!(kind, ErrorKind::TextByte { .. })
    }

    fn reported(&mut self, error: &Error<ErrorKind>) {
        self.text.reported(error);
    }

    fn byte_taken(&mut self, decoder: &Decoder, byte: u8) {
        let (is_of_user, is_read) = (self.kind.is_of_user(), self.is_read());
        let parser = if is_of_user { self.propagator.take_byte(byte) } else { &decoder.reading().parser };
        if !is_read {
            self.form.push(parser, byte);
        }
        if !is_of_user {
            self.text.take_byte(byte);
        }
    }

    fn finding(&self, decoder: &Decoder, phase: Phase, index: u8) -> Option<Error<ErrorKind>> {
        let mut findings = Findings::keeping(index);
        match phase {
            Phase::ChecksumDue => Self::checksum_due(decoder, &mut findings),
            Phase::MessageEnds => self.message.at_end(&mut findings),
            Phase::RecordBegins if decoder.kind() == RecordKind::Data => {
                if let Some(described) = self.data_begins(decoder, &mut findings) {
                    self.propagator.data_begins(decoder, described, &mut findings);
                }
            }
            Phase::RecordBegins => self.record_begins(decoder, &mut findings),
            Phase::RecordEnds => self.record_ends(decoder, &mut findings),
            Phase::FileEnds => self.file_ends(decoder, &mut findings),
            Phase::Bytes | Phase::RecordEnded | Phase::Ended => {}
        }
        findings.kept_finding()
    }

    fn phase_ended(&mut self, decoder: &Decoder, phase: Phase) {
        match phase {
            Phase::ChecksumDue if decoder.unsettled().is_some() => {
                let is_missing = Self::checksum_missing_at(decoder).is_some();
                self.checksum_awaited = is_missing && Self::is_message_open(decoder);
            }
            Phase::MessageEnds => {
                self.message = MessageState::EMPTY;
                self.propagator.end_message();
            }
            Phase::RecordBegins if decoder.kind() == RecordKind::Data => self.take_data(decoder),
            Phase::RecordEnds => self.take_record(decoder),
            _ => {}
        }
    }
}

impl Rules {
    pub(super) const fn new() -> Self {
        Self {
            kind: TextKind::Other,
            text: Text::new(),
            form: WellFormed::at(0),
            message: MessageState::EMPTY,
            superseded: None,
            format_is_late: false,
            checksum_awaited: false,
            format_at: None,
            lattice_at: None,
            has_data: false,
            inventory: Inventory::EMPTY,
            propagator: Propagator::new(),
            failed: Failed::new(),
        }
    }

    /// The finding about a byte that does not belong in a text, or that the parser does not accept.
    #[inline(never)]
    fn odd_byte(&self, decoder: &Decoder, byte: u8, at: u64) -> Option<Error<ErrorKind>> {
        let of_ildg = self.is_read() || decoder.kind() == RecordKind::Format;
        if of_ildg && self.text.refuses(byte) {
            return Some(Error::new(at, ErrorKind::TextByte { found: byte }));
        }
        let wrong = decoder.wrong(at).map(Error::into_kind);
        wrong.filter(|error| self.text.reports(error.kind, decoder.reading().spoilt))
    }

    /// Returns whether a loaded state agrees with the state of `decoder`.
    pub(super) fn is_consistent(&self, decoder: &Decoder) -> bool {
        let record = decoder.lime().record();
        let in_payload = decoder.lime().payload_position().is_some();
        let places = [self.superseded.map(|last| last.at), self.format_at, self.lattice_at];
        self.inventory.is_consistent()
            && self.propagator.is_consistent()
            && places.into_iter().flatten().all(|at| at <= record.offset)
            && (!in_payload || self.kind == Self::kind_of(decoder))
    }

    fn kind_of(decoder: &Decoder) -> TextKind {
        match decoder.kind() {
            RecordKind::Foreign => TextKind::of(decoder.record_type()),
            _ => TextKind::Other,
        }
    }

    /// True if the current record is a text that only the rules read.
    fn is_read(&self) -> bool {
        matches!(self.kind, TextKind::Update | TextKind::Lfn)
    }

    /// Reports a record that is not allowed at this place (ILDG 1.2, section 2.2).
    fn record_begins(&self, decoder: &Decoder, findings: &mut Findings) {
        let at = decoder.lime().record().offset;
        let reserved = decoder.record_type().starts_with(ildg::NAMESPACE.as_bytes());
        match (decoder.kind(), self.kind) {
            (RecordKind::Foreign, TextKind::Other) if reserved => findings.report(at, ErrorKind::TypeUnknown),
            (_, TextKind::Update) if !decoder.format_waits_here() => {
                findings.report(at, ErrorKind::UpdateMisplaced);
            }
            (_, TextKind::Update) if self.message.update.is_some() => {
                findings.report(at, ErrorKind::UpdateRepeated);
            }
            (RecordKind::Format, _) if self.superseded.is_some_and(|before| before.same_message) => {
                findings.report(at, ErrorKind::FormatRepeated);
            }
            _ => {}
        }
    }

    /// Reports the errors of data and their description (ILDG 1.2, sections 2.2 and 2.3). Returns the description, unless
    /// there is none.
    // Not inlined: the field would be on the stack in all phases.
    #[inline(never)]
    fn data_begins(&self, decoder: &Decoder, findings: &mut Findings) -> Option<Described> {
        self.checksum_awaited(decoder, findings);
        let at = decoder.lime().record().offset;
        let chosen = decoder.choose_description();
        if let Some((source, true)) = chosen {
            let state = match source {
                DescribedBy::Scidac => decoder.record_described().0.state,
                DescribedBy::Ildg => decoder.format_described().0.state,
            };
            if state != DescriptionState::Spoilt {
                findings.report(at, ErrorKind::DescribedElsewhere);
            }
        }
        let mut field = Field::undescribed(decoder.lime().record());
        let differ = match decoder.describe(&mut field) {
            Ok(differ) => differ,
            Err(why) => {
                decoder.undescribed(&field, why).into_iter().for_each(|error| findings.push(error));
                return None;
            }
        };
        if differ {
            let part = LinkLayout::is_of_part(&decoder.format_described().0.document, &field);
            findings.report(at, ErrorKind::DescriptionsDiffer { part });
        }
        let of_scidac = field.described_by == DescribedBy::Scidac;
        if let Some(at) = self.message.private_record_at.filter(|_| !of_scidac && decoder.has_no_file()) {
            findings.report(at, ErrorKind::FileAbsent);
        }
        if decoder.format_describes_data() {
            let (kind, update) = (decoder.format_described().0.document.kind(), self.message.update);
            if self.inventory.update_is_missing(kind, update) {
                findings.report(at, ErrorKind::UpdateMissing { scidac: of_scidac });
            }
            if self.inventory.field_is_repeated(kind, update) {
                findings.report(at, ErrorKind::FieldRepeated);
            }
            if self.inventory.overflows(kind, update) {
                findings.report(at, ErrorKind::FieldsNotJudged);
            }
        }
        let is_of_ildg = decoder.record_type() == ildg::BINARY_DATA.as_bytes();
        let has_format = decoder.format_waits_here() || decoder.format_agrees_elsewhere(&field);
        if is_of_ildg && of_scidac && !has_format {
            findings.report(at, ErrorKind::FormatMissing);
        }
        Some(Described::of(&field))
    }

    fn take_data(&mut self, decoder: &Decoder) {
        if decoder.format_describes_data() {
            self.inventory.insert(decoder.format_described().0.document.kind(), self.message.update);
        }
        self.propagator.take_data(decoder.lime().record().offset);
        self.checksum_awaited = false;
        self.has_data = true;
        self.message.has_data = true;
        self.message.data_unchecked = true;
        self.message.late_format_at = None;
    }

    // Not inlined: its errors would be on the stack in all phases.
    #[inline(never)]
    fn record_ends(&self, decoder: &Decoder, findings: &mut Findings) {
        let at = decoder.lime().record().payload_offset();
        if let Some(before) = self.superseded {
            match decoder.kind() {
                RecordKind::PrivateRecord => {
                    findings.report(before.at, ErrorKind::DataMissing(DocumentName::PrivateRecord));
                }
                RecordKind::Format if !before.same_message => {
                    findings.report(before.at, ErrorKind::DataMissing(DocumentName::Format));
                }
                _ => {}
            }
        }
        let mut index = 0_u8;
        while let Some(error) = decoder.remark(index) {
            findings.push(error);
            index = index.plus(1);
        }
        self.form_ends(decoder, findings);
        match (decoder.kind(), self.kind) {
            (RecordKind::PrivateFile, _) => {
                decoder.contradiction().into_iter().for_each(|error| findings.push(error));
            }
            (RecordKind::PrivateRecord, _) if !decoder.document_is_spoilt() => {
                let (record, _) = decoder.record_described();
                let all = contradictions(&record.document).into_iter().flatten();
                all.for_each(|kind| findings.report(at, kind));
            }
            (RecordKind::Checksum, _) => self.checksum_ends(decoder, at, findings),
            (_, TextKind::Lfn) => self.name_ends(at, findings),
            (_, TextKind::FileXml | TextKind::RecordXml) => self.propagator.text_ends(findings),
            (_, TextKind::Update) if !self.text.digits || self.text.is_empty => {
                findings.report(at, ErrorKind::UpdateNotDigits);
            }
            _ => {}
        }
    }

    /// Reports errors in the form of a document or a text of the user, except for errors that its parser has reported.
    fn form_ends(&self, decoder: &Decoder, findings: &mut Findings) {
        if let Some(name) = decoder.document_name() {
            let fault = self.form.own_fault().filter(|_| !decoder.reading().spoilt);
            findings.report_at(fault.map(|(at, kind)| (at, field::ErrorKind::Document(name, kind))));
        } else if let Some(name) = self.kind.user_text() {
            let fault = if self.propagator.is_document() { self.form.own_fault() } else { self.form.fault() };
            findings.report_at(fault.map(|(at, kind)| (at, ErrorKind::UserXml(name, kind))));
        }
    }

    fn checksum_ends(&self, decoder: &Decoder, at: u64, findings: &mut Findings) {
        if decoder.unsettled().is_none() && !decoder.has_field_apart() {
            // If a record document still waits for data, the missing data will be reported instead.
            if !self.message.data_unchecked && !decoder.record_waits_here() {
                findings.report(at, ErrorKind::ChecksumWithoutData);
            }
        } else if !decoder.reading().spoilt && !decoder.reading().parser.end().is_fault() {
            decoder.contradiction().into_iter().for_each(|error| findings.push(error));
            if decoder.stored_checksum().checksum().is_none() {
                findings.report(at, ErrorKind::ChecksumAbsent);
            }
        }
    }

    /// One logical file name, which is a single string (ILDG 1.2, sections 2.2 and 2.6).
    fn name_ends(&self, at: u64, findings: &mut Findings) {
        if self.text.is_empty {
            findings.report(at, ErrorKind::LfnEmpty);
        } else if self.text.gap {
            findings.report(at, ErrorKind::LfnNotSingle);
        }
        if let Some(first) = self.inventory.lfn {
            findings.report(at, ErrorKind::LfnRepeated { same: first == self.text.digest });
        }
    }

    fn take_record(&mut self, decoder: &Decoder) {
        let at = decoder.lime().record().offset;
        match decoder.kind() {
            RecordKind::PrivateFile => {
                self.message.private_file_at = Some(at);
                self.lattice_at = self.lattice_at.or(Some(at));
            }
            RecordKind::PrivateRecord => self.message.private_record_at = Some(at),
            RecordKind::Format => {
                self.format_at = self.format_at.or(Some(at));
                self.format_is_late = self.message.has_data && !decoder.document_is_spoilt();
                self.message.late_format_at = self.format_is_late.then_some(at);
            }
            RecordKind::Checksum => {
                // Another checksum record would belong to no data.
                self.message.data_unchecked = false;
            }
            RecordKind::Data | RecordKind::Foreign | RecordKind::Fermion => {}
        }
        match self.kind {
            TextKind::FileXml => {
                self.message.file_xml = true;
                self.propagator.take_file(decoder.lime().record().payload_offset());
            }
            TextKind::RecordXml => {
                self.message.record_xml = true;
                self.propagator.take_record(decoder.lime().record().payload_offset());
            }
            TextKind::Update if decoder.format_waits_here() => self.message.update = Some(self.text.digest),
            TextKind::Lfn => {
                self.inventory.lfn = self.inventory.lfn.or(Some(self.text.digest));
                self.lattice_at = self.lattice_at.or(Some(at));
            }
            TextKind::Update | TextKind::Other => {}
        }
    }

    fn checksum_due(decoder: &Decoder, findings: &mut Findings) {
        decoder.fault(Phase::ChecksumDue).into_iter().for_each(|error| findings.push(error));
        if let Some(at) = Self::checksum_missing_at(decoder).filter(|_| !Self::is_message_open(decoder)) {
            findings.report(at, ErrorKind::ChecksumMissing);
        }
    }

    /// Absolute offset of SciDAC data without a checksum so far, whose message is over.
    fn checksum_missing_at(decoder: &Decoder) -> Option<u64> {
        let data = decoder.unsettled().filter(|_| !decoder.has_checksum_apart())?.field();
        (data.described_by == DescribedBy::Scidac && !decoder.is_fermion()).then_some(data.record.offset)
    }

    /// True if the message is over only because another record begins one.
    fn is_message_open(decoder: &Decoder) -> bool {
        decoder.lime().payload_position() == Some(0) && decoder.kind() != RecordKind::Data
    }

    /// The checksum that could follow in another message has not come.
    fn checksum_awaited(&self, decoder: &Decoder, findings: &mut Findings) {
        let is_missing = self.checksum_awaited && decoder.has_field_apart();
        if let Some(field) = decoder.field().filter(|_| is_missing) {
            findings.report(field.record.offset, ErrorKind::ChecksumMissing);
        }
    }

    fn file_ends(&self, decoder: &Decoder, findings: &mut Findings) {
        self.checksum_awaited(decoder, findings);
        let (record, record_origin) = decoder.record_described();
        let (format, format_origin) = decoder.format_described();
        if record.state == DescriptionState::Pending {
            let name = if decoder.is_fermion() { DocumentName::Fermion } else { DocumentName::PrivateRecord };
            findings.report(record_origin.at, ErrorKind::DataMissing(name));
        }
        if format.state == DescriptionState::Pending && !self.format_is_late {
            findings.report(format_origin.at, ErrorKind::DataMissing(DocumentName::Format));
        }
        // A description that waits for its data has been reported. One volume of a file set may have no data.
        let is_reported = [record.state, format.state].contains(&DescriptionState::Pending)
            || decoder.private_file().is_some_and(|file| file.volume_format() != VolumeFormat::Single);
        if let Some(at) = self.lattice_at.filter(|_| !self.has_data && !is_reported) {
            findings.report(at, ErrorKind::DataAbsent);
        }
        if let Some(at) = self.format_at.filter(|_| self.inventory.lfn.is_none()) {
            findings.report(at, ErrorKind::LfnMissing);
        }
        self.propagator.file_ends(findings);
    }
}

/// Contents of the current message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct MessageState {
    /// Absolute offset of the last `scidac-private-file-xml`.
    pub(super) private_file_at: Option<u64>,
    pub(super) file_xml: bool,
    /// Absolute offset of the last `scidac-private-record-xml`.
    pub(super) private_record_at: Option<u64>,
    pub(super) record_xml: bool,
    /// Digest of the `ildg-update`, if it precedes the data as it must.
    pub(super) update: Option<Digest>,
    /// A data record has begun.
    pub(super) has_data: bool,
    /// Data have come, and no checksum record after them yet.
    pub(super) data_unchecked: bool,
    /// Absolute offset of an `ildg-format` after data, until data follow it.
    pub(super) late_format_at: Option<u64>,
}

saved!(struct MessageState {
    private_file_at, file_xml, private_record_at, record_xml, update, has_data, data_unchecked, late_format_at,
});

impl MessageState {
    const EMPTY: Self = Self {
        private_file_at: None,
        file_xml: false,
        private_record_at: None,
        record_xml: false,
        update: None,
        has_data: false,
        data_unchecked: false,
        late_format_at: None,
    };

    /// QIO 2.3, section 2.1.1, and ILDG 1.2, section 2.2.
    pub(super) fn at_end(&self, findings: &mut Findings) {
        if let Some(at) = self.private_file_at.filter(|_| !self.file_xml) {
            findings.report(at, ErrorKind::FileXmlMissing);
        }
        if let Some(at) = self.private_record_at.filter(|_| !self.record_xml) {
            findings.report(at, ErrorKind::RecordXmlMissing);
        }
        if let Some(at) = self.late_format_at {
            findings.report(at, ErrorKind::FormatBehindData);
        }
    }
}
