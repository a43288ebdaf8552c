//! Which documents describe the data of a record, and what the decoder itself finds wrong.

use super::decoder::{Decoder, Phase};
use super::description::DescriptionState;
use super::record_kind::RecordKind;
use crate::error::{Diagnostic as _, Error, Severity};
use crate::field::describe::{DescribeError, Described, Documents};
use crate::field::error::{DocumentName, ErrorKind};
use crate::field::layout::{LinkLayout, Source};
use crate::lime::HEADER_LEN;
use crate::scidac::VolumeFormat;
use crate::xml::{self, Problems};

impl Decoder {
    /// The description of the data record that has just begun, and whether it is part of another message.
    pub(crate) fn choose_description(&self) -> Option<(Source, bool)> {
        let record = self.record.state;
        let format = self.format.state;
        let format_here = self.format_waits_here();
        if self.record_waits_here() {
            // What SciDAC leaves open, an ildg-format beside it may fill in.
            let usable = record.is_good() && self.file.state.is_good();
            let ildg = !usable && format_here && format.is_good();
            Some((if ildg { Source::Ildg } else { Source::Scidac }, false))
        } else if format_here {
            Some((Source::Ildg, false))
        } else if record.waits() {
            Some((Source::Scidac, true))
        } else if format.waits() {
            Some((Source::Ildg, true))
        } else {
            None
        }
    }

    /// Whether a record document of this message has not got its data yet.
    pub(crate) fn record_waits_here(&self) -> bool {
        self.record.state.waits() && self.record.message == self.lime.record().message
    }

    /// Whether an `ildg-format` of this message has not got its data yet.
    pub(crate) fn format_waits_here(&self) -> bool {
        self.format.state.waits() && self.format.message == self.lime.record().message
    }

    /// Whether an `ildg-format` of this message describes the data, alone or beside a SciDAC record.
    pub(crate) fn format_describes_data(&self) -> bool {
        self.format.state == DescriptionState::Pending && self.format_waits_here()
    }

    /// Whether an `ildg-format` describes the field of the present data record, alone or beside a SciDAC record.
    #[must_use]
    pub fn format_describes_field(&self) -> bool {
        let Some(field) = self.field() else { return false };
        let beside = self.format.state.is_good() && self.format.message == field.record.message;
        field.source == Source::Ildg
            || (beside && LinkLayout::in_common(&self.format.document, field) == field.links)
    }

    /// The layout of the data record that has just begun. `Err(None)`: what is in the way has been reported before.
    pub(crate) fn describe(&self) -> Result<Described, Option<Error<ErrorKind>>> {
        let header = self.lime.record();
        let fault = |kind| Some(Error::new(header.offset, kind));
        let Some((source, _)) = self.choose_description() else {
            return Err(fault(ErrorKind::Undescribed));
        };
        let mut documents = Documents {
            lattice: None,
            record: None,
            format: (self.format_describes_data() || source == Source::Ildg).then_some(&self.format.document),
        };
        match source {
            Source::Scidac => {
                let file = &self.file.document;
                match (self.record.state, self.file.state) {
                    (DescriptionState::Spoilt, _) | (_, DescriptionState::Spoilt) => return Err(None),
                    (_, DescriptionState::No) => return Err(fault(ErrorKind::FileMissing)),
                    _ if file.volume_format() != VolumeFormat::Single => return Err(None),
                    _ => {}
                }
                documents.lattice = file.extents();
                documents.record = Some(&self.record.document);
            }
            Source::Ildg if self.format.state == DescriptionState::Spoilt => return Err(None),
            Source::Ildg => {}
        }
        let described = documents.describe(header, Some(header.length)).map_err(|error| match error {
            DescribeError::Region(kind) => {
                let kind = ErrorKind::Document(DocumentName::PrivateRecord, kind);
                Some(Error::new(self.record.at.saturating_add(HEADER_LEN as u64), kind))
            }
            DescribeError::Overflow => fault(ErrorKind::DataOverflow),
            DescribeError::LatticeMissing => fault(ErrorKind::FileMissing),
            DescribeError::NoDocument | DescribeError::FormatIncomplete => fault(ErrorKind::Undescribed),
        })?;
        match described.field.data_length() {
            Some(expected) if expected != header.length => {
                Err(fault(ErrorKind::DataLength { expected, found: header.length }))
            }
            _ => Ok(described),
        }
    }

    /// What the decoder itself finds wrong in a phase: what makes data unreadable, or wrong.
    pub(crate) fn fault(&self, phase: Phase) -> Option<Error<ErrorKind>> {
        match (phase, self.kind) {
            (Phase::RecordBegins, RecordKind::Data) => self.describe().err()?,
            (Phase::RecordEnds, RecordKind::PrivateFile) => {
                self.document_fault().or_else(|| self.volume_set())
            }
            (Phase::RecordEnds, RecordKind::PrivateRecord | RecordKind::Format) => self.document_fault(),
            (Phase::RecordEnds, RecordKind::Checksum) => self.document_fault().or_else(|| {
                let kind = self.mismatch().filter(|_| !self.reading.spoilt)?;
                Some(Error::new(self.lime.record().payload_offset(), kind))
            }),
            _ => None,
        }
    }

    /// The file is a volume of a set, which the present document says.
    pub(crate) fn volume_set(&self) -> Option<Error<ErrorKind>> {
        let format = self.file.document.volume_format();
        let at = self.lime.record().payload_offset();
        let is_set = format != VolumeFormat::Single && !self.reading.spoilt;
        is_set.then(|| Error::new(at, ErrorKind::VolumeSet(format)))
    }

    /// Whether the document of the present record, which is complete, describes nothing.
    pub(crate) fn document_is_spoilt(&self) -> bool {
        self.reading.spoilt || self.document_fault().is_some()
    }

    /// The first error of the document that is complete, of those that only its end shows.
    fn document_fault(&self) -> Option<Error<ErrorKind>> {
        let error = self.wrong_at_end(|problems| problems.errors().next())?;
        (error.kind.severity() >= Severity::Error).then_some(error)
    }

    /// Number `index` of what the end of the document shows to be wrong with it; nothing if it is spoilt before.
    pub(crate) fn remark(&self, index: u8) -> Option<Error<ErrorKind>> {
        let index = usize::from(index);
        let error = self.wrong_at_end(|mut problems| problems.nth(index))?;
        // After the end that is missing nothing else is reported.
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
