//! Reading the documents, and the choice of the documents that describe the data of a record.

use super::decoder::{Decoder, Phase, Signal};
use super::phases::Judge;
use super::record::{Data, DescriptionState, Reading, RecordKind};
use crate::bytes::prefix;
use crate::counter::{Counter as _, at_most};
use crate::error::{Error, Severity};
use crate::failed::Stopped;
use crate::field::error::{DocumentName, ErrorKind};
use crate::field::layout::{DescribeError, DescribedBy, Documents, Field, LinkLayout};
use crate::lime::HEADER_LEN;
use crate::machine::DecoderBase as _;
use crate::scidac::{self, VolumeFormat};
use crate::step::{Decode as _, Demand, SeekPayload as _, Step};
use crate::xml::{self, Document, Found, MAX_DOCUMENT, Problems, Schema, Unjudged};

/// Reason why the data of a record have no layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Undescribed {
    /// The cause has been reported before.
    Reported,
    /// The layout has another length.
    Length,
    By(DescribeError),
}

impl From<DescribeError> for Undescribed {
    fn from(error: DescribeError) -> Self {
        Self::By(error)
    }
}

impl Decoder {
    /// The description of the data record that has just begun, and whether it is part of another message.
    pub(crate) fn choose_description(&self) -> Option<(DescribedBy, bool)> {
        let record = self.record.state;
        let format = self.format.state;
        let format_here = self.format_waits_here();
        if self.record_waits_here() {
            // If the SciDAC documents cannot be used, an ildg-format of the same message takes their place.
            let ildg = self.is_unusable() && format_here && format.is_good();
            Some((if ildg { DescribedBy::Ildg } else { DescribedBy::Scidac }, false))
        } else if format_here {
            Some((DescribedBy::Ildg, false))
        } else if record.waits() && !(self.is_unusable() && format == DescriptionState::Pending) {
            Some((DescribedBy::Scidac, true))
        } else if format.waits() {
            Some((DescribedBy::Ildg, true))
        } else {
            None
        }
    }

    /// True if the SciDAC documents cannot describe data.
    const fn is_unusable(&self) -> bool {
        !(self.record.state.is_good() && self.file.state.is_good())
    }

    /// True if a record document of this message still waits for its data.
    pub(crate) fn record_waits_here(&self) -> bool {
        let here = self.record_origin.message == self.lime.record().message;
        self.record.state.waits() && here || self.fermion_is_here()
    }

    /// True if the last description is the one of a fermion field by tmLQCD, which is part of no message.
    pub(crate) fn is_fermion(&self) -> bool {
        self.record_origin.message == 0 && self.record.state != DescriptionState::No
    }

    /// True if the data that have just begun can belong to that fermion field.
    fn fermion_is_here(&self) -> bool {
        let is_data = self.lime.header().has_type(scidac::BINARY_DATA.as_bytes());
        self.is_fermion() && is_data && !self.format_waits_here()
    }

    /// True if an `ildg-format` of this message still waits for its data.
    pub(crate) fn format_waits_here(&self) -> bool {
        self.format.state.waits() && self.format_origin.message == self.lime.record().message
    }

    /// True if an `ildg-format` of this message describes the data, alone or together with a SciDAC record.
    pub(crate) fn format_describes_data(&self) -> bool {
        self.format.state == DescriptionState::Pending && self.format_waits_here()
    }

    /// True if an `ildg-format` describes the field of the current data record, alone or together with a SciDAC record.
    #[must_use]
    pub fn format_describes_field(&self) -> bool {
        let Some(field) = self.field() else { return false };
        let beside = self.format.state.is_good() && self.format_origin.message == field.record.message;
        field.described_by == DescribedBy::Ildg
            || (beside && LinkLayout::in_common(&self.format.document, field) == field.links)
    }

    /// True if the SciDAC documents that describe `field` and an `ildg-format` that waits for its data are in other messages
    /// than the data, and describe the same: GLU begins a message with each record.
    pub(crate) fn format_agrees_elsewhere(&self, field: &Field) -> bool {
        self.format.state == DescriptionState::Pending
            && !self.format_waits_here()
            && self.choose_description() == Some((DescribedBy::Scidac, true))
            && LinkLayout::in_common(&self.format.document, field).is_some()
    }

    /// The layout of the data record that has just begun, in `field`. Returns whether the SciDAC record and the
    /// `ildg-format` differ.
    pub(crate) fn describe(&self, field: &mut Field) -> Result<bool, Undescribed> {
        let (described_by, _) = self.choose_description().ok_or(DescribeError::NoDocument)?;
        let mut documents = Documents {
            lattice: &[],
            record: None,
            format: (self.format_describes_data() || described_by == DescribedBy::Ildg)
                .then_some(&self.format.document),
        };
        let spoilt = match described_by {
            DescribedBy::Scidac => {
                documents.record = Some(&self.record.document);
                if self.file.state != DescriptionState::No {
                    documents.lattice = self.file.document.lattice();
                }
                self.record.state == DescriptionState::Spoilt
                    || self.file.state == DescriptionState::Spoilt
                    || self.file.document.volume_format() != VolumeFormat::Single
            }
            DescribedBy::Ildg => self.format.state == DescriptionState::Spoilt,
        };
        if spoilt {
            return Err(Undescribed::Reported);
        }
        let length = field.record.length;
        let differ = documents.describe(field, Some(length))?;
        if field.data_length() == Some(length) { Ok(differ) } else { Err(Undescribed::Length) }
    }

    /// True if no `scidac-private-file-xml` has come so far, readable or not.
    pub(crate) fn has_no_file(&self) -> bool {
        self.file.state == DescriptionState::No
    }

    /// True if the data record that has just begun has a layout.
    // Not inlined: the field would be on the stack in all phases.
    #[inline(never)]
    pub(super) fn is_described(&self) -> bool {
        self.describe(&mut Field::undescribed(self.lime.record())).is_ok()
    }

    /// The error of data without a layout. `field` is their description as far as it is known.
    pub(crate) fn undescribed(&self, field: &Field, why: Undescribed) -> Option<Error<ErrorKind>> {
        let kind = match why {
            Undescribed::Reported => return None,
            Undescribed::Length => ErrorKind::DataLength {
                expected: field.data_length().unwrap_or(u64::MAX),
                found: field.record.length,
            },
            Undescribed::By(error) => error.into(),
        };
        let at = match why {
            // In the document that describes the data.
            Undescribed::By(DescribeError::Region(_)) => {
                self.record_origin.at.saturating_add(HEADER_LEN as u64)
            }
            _ => field.record.offset,
        };
        Some(Error::new(at, kind))
    }

    /// The error that the decoder itself finds in a phase: one that makes data unreadable or wrong.
    pub(crate) fn fault(&self, phase: Phase) -> Option<Error<ErrorKind>> {
        match phase {
            Phase::RecordBegins if self.kind == RecordKind::Data => {
                let mut field = Field::undescribed(self.lime.record());
                let why = self.describe(&mut field).err()?;
                self.undescribed(&field, why)
            }
            Phase::RecordEnds if self.kind.is_document() => {
                let fault = self.document_fault();
                if fault.is_some() { fault } else { self.contradiction() }
            }
            Phase::ChecksumDue => {
                self.unsettled().and_then(Data::checksum).and_then(|sum| self.apart.contradicts(sum))
            }
            _ => None,
        }
    }

    /// The contradiction between the file and the complete document of the current record: the file is a volume of a
    /// file set, or the checksum of the data differs.
    pub(crate) fn contradiction(&self) -> Option<Error<ErrorKind>> {
        let kind = match self.kind {
            _ if self.reading.spoilt => return None,
            RecordKind::PrivateFile => match self.file.document.volume_format() {
                VolumeFormat::Single => return None,
                format => ErrorKind::VolumeSet(format),
            },
            RecordKind::Checksum => self.mismatch()?,
            _ => return None,
        };
        Some(Error::new(self.lime.record().payload_offset(), kind))
    }

    /// True if the document of the current record is complete and cannot be used.
    pub(crate) fn document_is_spoilt(&self) -> bool {
        self.reading.spoilt || self.document_fault().is_some()
    }

    /// The first error that only the end of the document shows, missing elements for example.
    fn document_fault(&self) -> Option<Error<ErrorKind>> {
        let end = self.reading.parser.end();
        if end.is_fault() && !end.is_error() {
            return None;
        }
        self.wrong_at_end(|problems| problems.errors().next())
    }

    /// Error number `index` of the errors that only the end of the document shows; `None` if the document was spoilt
    /// before.
    pub(crate) fn remark(&self, index: u8) -> Option<Error<ErrorKind>> {
        let index = usize::from(index);
        let error = self.wrong_at_end(|mut problems| problems.nth(index))?;
        // If the end of the document is missing, nothing else is reported.
        (index == 0 || !self.reading.parser.end().is_fault()).then_some(error)
    }

    fn wrong_at_end(
        &self,
        choose: impl FnOnce(Problems) -> Option<xml::ErrorKind>,
    ) -> Option<Error<ErrorKind>> {
        if self.reading.spoilt {
            return None;
        }
        let (name, document) = self.document()?;
        let record = self.lime.record();
        let payload = record.payload_offset();
        let end = self.reading.parser.end();
        let error = if end.is_fault() {
            self.reading.parser.error(end, payload.saturating_add(record.length), document.schema())
        } else {
            Error::new(payload, choose(document.problems())?)
        };
        Some(Error::new(error.at, ErrorKind::Document(name, error.kind)))
    }
}

impl Decoder {
    /// Takes bytes of a document up to the first byte with a finding. If that is the first byte of `input`, the finding
    /// is reported. `None` at the end of the payload.
    pub(super) fn take_document<J: Judge>(
        &mut self,
        judge: &mut J,
        input: &[u8],
    ) -> Result<Option<Step<Signal>>, Stopped> {
        let Demand::Skip(left) = self.lime.demand() else { return Ok(None) };
        let start = self.lime.position();
        let read = self.lime.payload_position().unwrap_or(0);
        let allowed = at_most((MAX_DOCUMENT as u64).saturating_sub(read), MAX_DOCUMENT);
        // Once for all bytes: the kind of the record decides it.
        let schema = self.document().map(|(_, document)| document.schema());
        let mut consumed = 0_usize;
        for byte in prefix(input, at_most(left, input.len())) {
            let at = start.saturating_add(consumed as u64);
            if !self.reading.ahead {
                self.reading.found = match schema {
                    // A payload of another type, which a judge reads.
                    None => Found::Nothing,
                    Some(_) if consumed == allowed => self.reading.parser.refuse(),
                    Some(schema) => self.understand::<J>(schema, *byte, at),
                };
                self.reading.ahead = true;
            }
            if let Some(error) = judge.text(self, *byte, at) {
                // The bytes before it are consumed first, so that the finding does not depend on the chunks.
                if consumed > 0 {
                    break;
                }
                judge.reported(&error);
                if !J::is_of_byte(error.kind) {
                    self.reading.found = Found::Nothing;
                }
                self.reading.spoilt |= J::severity(&error) >= Severity::Error;
                let event = self.report(judge, error)?;
                return Ok(Some(Step { consumed: 0, event }));
            }
            self.reading.ahead = false;
            judge.byte_taken(self, *byte);
            consumed.increase(1);
        }
        let consumed = self.lime.advance(prefix(input, consumed))?.consumed;
        Ok(Some(Step::event(consumed, Signal::Payload)))
    }

    /// Passes the byte to the parser, and an element that it completes to the document.
    fn understand<J: Judge>(&mut self, schema: &Schema, byte: u8, at: u64) -> Found {
        let Reading { parser, elements, names, .. } = &mut self.reading;
        let found = if J::WATCHES {
            parser.take(elements, schema, names, byte, at)
        } else {
            parser.take(elements, schema, &mut Unjudged(names), byte, at)
        };
        if found != Found::Element {
            return found;
        }
        let document: &mut dyn Document = match self.kind {
            RecordKind::PrivateFile => &mut self.file.document,
            RecordKind::PrivateRecord => &mut self.record.document,
            RecordKind::Format | RecordKind::Fermion => &mut self.format.document,
            RecordKind::Checksum => &mut self.stored,
            RecordKind::Foreign | RecordKind::Data => return Found::Nothing,
        };
        if J::WATCHES { parser.deliver(document, names) } else { parser.deliver(document, &Unjudged(names)) }
    }

    /// Error of the document at the byte at `at`, if it has not been reported.
    pub(crate) fn wrong(&self, at: u64) -> Option<Error<ErrorKind>> {
        if !self.reading.found.is_fault() {
            return None;
        }
        let (name, document) = self.document()?;
        let error = self.reading.parser.error(self.reading.found, at, document.schema());
        Some(Error::new(error.at, ErrorKind::Document(name, error.kind)))
    }

    /// The name of the document of the current record.
    pub(crate) fn document_name(&self) -> Option<DocumentName> {
        self.document().map(|(name, _)| name)
    }

    /// The document of the current record.
    pub(super) fn document(&self) -> Option<(DocumentName, &dyn Document)> {
        Some(match self.kind {
            RecordKind::PrivateFile => (DocumentName::PrivateFile, &self.file.document),
            RecordKind::PrivateRecord => (DocumentName::PrivateRecord, &self.record.document),
            RecordKind::Format => (DocumentName::Format, &self.format.document),
            RecordKind::Fermion => (DocumentName::Fermion, &self.format.document),
            RecordKind::Checksum => (DocumentName::Checksum, &self.stored),
            RecordKind::Foreign | RecordKind::Data => return None,
        })
    }
}
