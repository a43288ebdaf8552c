//! What is wrong at the places where several things can be: the start and the end of a record, of a
//! message, of the file.
//!
//! Findings are computed from the state each time they are asked for and told one a step, so that nothing
//! has to be remembered between two steps but how many have been told.

use super::decoder::{Decoder, Phase, Superseded};
use super::record_kind::RecordKind;
use super::summary::DescriptionState;
use crate::error::{Diagnostic as _, Error, Severity};
use crate::field::error::{DocumentName, ErrorKind};
use crate::ildg;
use crate::xml::Document;

/// The findings at one place as they are made: counted, and one of them kept, for a list of all would take the
/// largest part of the stack.
#[derive(Debug, Default)]
pub(in crate::field) struct Findings {
    /// How many come before the one that is kept.
    before: u8,
    kept: Option<Error<ErrorKind>>,
    /// A document is too damaged to describe anything.
    damaged: bool,
}

impl Findings {
    /// Keeps the finding that `before` others come before.
    const fn keeping(before: u8) -> Self {
        Self { before, kept: None, damaged: false }
    }

    pub(in crate::field) fn push(&mut self, error: Error<ErrorKind>) {
        self.damaged |=
            matches!(error.kind, ErrorKind::Document(..)) && error.kind.severity() >= Severity::Error;
        match self.before.checked_sub(1) {
            Some(before) => self.before = before,
            None => self.kept = self.kept.or(Some(error)),
        }
    }

    pub(in crate::field) fn report(&mut self, at: u64, kind: ErrorKind) {
        self.push(Error::new(at, kind));
    }

    /// The one that was asked for; `None` if there are not so many.
    pub(in crate::field) const fn kept(&self) -> Option<Error<ErrorKind>> {
        self.kept
    }

    /// Whether any of them, kept or not, spoils a document.
    pub(in crate::field) const fn damaged(&self) -> bool {
        self.damaged
    }
}

impl Decoder {
    /// The findings of a phase, of which the one is kept that `before` others come before.
    pub(in crate::field) fn findings(&self, phase: Phase, before: u8) -> Findings {
        let mut findings = Findings::keeping(before);
        match phase {
            Phase::Settle => self.audit_checksum_missing(&mut findings),
            Phase::MessageEnd => self.audit_message(&mut findings),
            Phase::Opening if self.role == RecordKind::Data => {
                self.describe(&mut findings);
            }
            Phase::Opening => self.audit_type(&mut findings),
            Phase::Closing => self.audit_record(&mut findings),
            Phase::AtEnd => self.audit_file(&mut findings),
            Phase::Lime | Phase::Closed | Phase::Ended => {}
        }
        findings
    }

    /// What is wrong with a record of this type standing here (ILDG 1.2, section 2.2).
    fn audit_type(&self, findings: &mut Findings) {
        let at = self.lime.record().offset;
        let reserved = self.lime.record_type().starts_with(ildg::NAMESPACE.as_bytes());
        match self.role {
            RecordKind::Foreign if reserved => findings.report(at, ErrorKind::TypeUnknown),
            RecordKind::Update if !self.format_waits_here() => {
                findings.report(at, ErrorKind::UpdateMisplaced)
            }
            RecordKind::Update if self.message.update.is_some() => {
                findings.report(at, ErrorKind::UpdateRepeated)
            }
            RecordKind::Format if self.format.unused_before.is_some_and(|before| before.same_message) => {
                findings.report(at, ErrorKind::FormatRepeated);
            }
            _ => {}
        }
    }

    fn audit_checksum_missing(&self, findings: &mut Findings) {
        if let Some(pending) = &self.pending
            && pending.scidac
            && !pending.record_seen
        {
            findings.report(pending.at, ErrorKind::ChecksumMissing);
        }
    }

    fn audit_message(&self, findings: &mut Findings) {
        let message = &self.message;
        if message.private_file && !message.file_xml {
            findings.report(message.private_file_at, ErrorKind::FileXmlMissing);
        }
        if message.private_record && !message.record_xml {
            findings.report(message.private_record_at, ErrorKind::RecordXmlMissing);
        }
        if let Some(at) = message.format_behind {
            findings.report(at, ErrorKind::FormatBehindData);
        }
    }

    fn audit_record(&self, findings: &mut Findings) {
        let at = self.lime.record().payload_offset();
        match self.role {
            RecordKind::PrivateFile => {
                self.audit_document(DocumentName::PrivateFile, &self.file.document, findings);
                let format = self.file.document.volume_format();
                if format != crate::scidac::VolumeFormat::Single && !self.reading.spoilt {
                    findings.report(at, ErrorKind::VolumeSet(format));
                }
            }
            RecordKind::PrivateRecord => {
                self.audit_data_missing(DocumentName::PrivateRecord, self.record.unused_before, findings);
                self.audit_document(DocumentName::PrivateRecord, &self.record.document, findings);
            }
            RecordKind::Format => {
                let before = self.format.unused_before.filter(|before| !before.same_message);
                self.audit_data_missing(DocumentName::Format, before, findings);
                self.audit_document(DocumentName::Format, &self.format.document, findings);
            }
            RecordKind::Checksum => {
                self.audit_document(DocumentName::Checksum, &self.stored, findings);
                let broken = self.reading.spoilt || self.reading.parser.end().is_some();
                match &self.pending {
                    // A record document that still waits will be told to lack its data.
                    None if !self.message.data && !self.record_waits_here() => {
                        findings.report(at, ErrorKind::ChecksumWithoutData)
                    }
                    Some(pending) if !broken => self.audit_sums(at, pending.computed, findings),
                    _ => {}
                }
            }
            RecordKind::Lfn => self.audit_lfn(at, findings),
            RecordKind::Update if (!self.reading.digits || self.reading.length == 0) => {
                findings.report(at, ErrorKind::UpdateNotDigits)
            }
            _ => {}
        }
    }

    /// One logical file name, which is a single string (ILDG 1.2, sections 2.2 and 2.6).
    fn audit_lfn(&self, at: u64, findings: &mut Findings) {
        if self.reading.length == 0 {
            findings.report(at, ErrorKind::LfnEmpty);
        } else if self.reading.gap {
            findings.report(at, ErrorKind::LfnNotSingle);
        }
        if let Some(first) = self.summary.lfn {
            findings.report(at, ErrorKind::LfnRepeated { same: first == self.reading.digest });
        }
    }

    fn record_waits_here(&self) -> bool {
        self.record.given.waits() && self.record.message == self.lime.record().message
    }

    fn audit_document<D: Document>(&self, name: DocumentName, document: &D, findings: &mut Findings) {
        if self.reading.spoilt {
            return;
        }
        let record = self.lime.record();
        if let Some(kind) = self.reading.parser.end() {
            let end = record.payload_offset().wrapping_add(record.length);
            findings.report(end, ErrorKind::Document(name, kind));
            return;
        }
        let mut index = 0_usize;
        while let Some(kind) = document.audit(index) {
            findings.report(record.payload_offset(), ErrorKind::Document(name, kind));
            index = index.saturating_add(1);
        }
    }

    /// Each stored sum is compared; if one is absent, that is told as well.
    fn audit_sums(&self, at: u64, computed: Option<crate::lattice::Checksum>, findings: &mut Findings) {
        let stored = &self.stored;
        let differs = computed.is_some_and(|computed| {
            stored.suma().is_some_and(|suma| suma != computed.suma)
                || stored.sumb().is_some_and(|sumb| sumb != computed.sumb)
        });
        if let (true, Some(computed)) = (differs, computed) {
            // As in the verdict: a sum that is not stored differs from nothing.
            let stored = crate::lattice::Checksum {
                suma: stored.suma().unwrap_or(computed.suma),
                sumb: stored.sumb().unwrap_or(computed.sumb),
            };
            findings.report(at, ErrorKind::ChecksumMismatch { computed, stored });
        }
        if stored.checksum().is_none() {
            findings.report(at, ErrorKind::ChecksumAbsent);
        }
    }

    fn audit_data_missing(&self, name: DocumentName, before: Option<Superseded>, findings: &mut Findings) {
        if let Some(Superseded { at, .. }) = before {
            findings.report(at, ErrorKind::DataMissing(name));
        }
    }

    fn audit_file(&self, findings: &mut Findings) {
        if self.record.given == DescriptionState::Pending {
            findings.report(self.record.at, ErrorKind::DataMissing(DocumentName::PrivateRecord));
        }
        if self.format.given == DescriptionState::Pending && !self.format.excused {
            findings.report(self.format.at, ErrorKind::DataMissing(DocumentName::Format));
        }
        if let Some(at) = self.summary.format_at.filter(|_| self.summary.lfn.is_none()) {
            findings.report(at, ErrorKind::LfnMissing);
        }
    }
}
