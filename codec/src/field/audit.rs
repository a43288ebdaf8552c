//! What is wrong at the places where several things can be: the start and the end of a record, of a
//! message, of the file.
//!
//! Findings are computed from the state each time they are asked for and told one a step, so that nothing
//! has to be remembered between two steps but how many have been told.

use super::decode::{Decoder, Turn, Unused};
use super::error::{DocumentName, Kind};
use super::role::Role;
use super::summary::Given;
use crate::error::{Error, Gravity, Kind as _};
use crate::ildg;
use crate::xml::Document;

/// The findings at one place as they are made: counted, and one of them kept, for a list of all would take the
/// largest part of the stack.
#[derive(Debug, Default)]
pub(super) struct Findings {
    /// How many come before the one that is kept.
    before: u8,
    kept: Option<Error<Kind>>,
    /// A document is too damaged to describe anything.
    damaged: bool,
}

impl Findings {
    /// Keeps the finding that `before` others come before.
    const fn keeping(before: u8) -> Self {
        Self { before, kept: None, damaged: false }
    }

    pub(super) fn push(&mut self, error: Error<Kind>) {
        self.damaged |= matches!(error.kind, Kind::Document(..)) && error.kind.gravity() >= Gravity::Damage;
        match self.before.checked_sub(1) {
            Some(before) => self.before = before,
            None => self.kept = self.kept.or(Some(error)),
        }
    }

    pub(super) fn tell(&mut self, at: u64, kind: Kind) {
        self.push(Error::new(at, kind));
    }

    /// The one that was asked for; `None` if there are not so many.
    pub(super) const fn kept(&self) -> Option<Error<Kind>> {
        self.kept
    }

    /// Whether any of them, kept or not, spoils a document.
    pub(super) const fn damaged(&self) -> bool {
        self.damaged
    }
}

impl Decoder {
    /// The findings of a turn, of which the one is kept that `before` others come before.
    pub(super) fn findings(&self, turn: Turn, before: u8) -> Findings {
        let mut findings = Findings::keeping(before);
        match turn {
            Turn::Settle => self.audit_checksum_missing(&mut findings),
            Turn::MessageEnd => self.audit_message(&mut findings),
            Turn::Opening if self.role == Role::Data => {
                self.describe(&mut findings);
            }
            Turn::Opening => self.audit_type(&mut findings),
            Turn::Closing => self.audit_record(&mut findings),
            Turn::AtEnd => self.audit_file(&mut findings),
            Turn::Lime | Turn::Closed | Turn::Ended => {}
        }
        findings
    }

    /// What is wrong with a record of this type standing here (ILDG 1.2, section 2.2).
    fn audit_type(&self, findings: &mut Findings) {
        let at = self.lime.record().offset;
        let reserved = self.lime.record_type().starts_with(ildg::NAMESPACE.as_bytes());
        match self.role {
            Role::Foreign if reserved => findings.tell(at, Kind::TypeUnknown),
            Role::Update if !self.format_waits_here() => findings.tell(at, Kind::UpdateMisplaced),
            Role::Update if self.message.update.is_some() => findings.tell(at, Kind::UpdateRepeated),
            Role::Format if self.format.unused_before.is_some_and(|before| before.same_message) => {
                findings.tell(at, Kind::FormatRepeated);
            }
            _ => {}
        }
    }

    fn audit_checksum_missing(&self, findings: &mut Findings) {
        if let Some(pending) = &self.pending
            && pending.scidac
            && !pending.record_seen
        {
            findings.tell(pending.at, Kind::ChecksumMissing);
        }
    }

    fn audit_message(&self, findings: &mut Findings) {
        let message = &self.message;
        if message.private_file && !message.file_xml {
            findings.tell(message.private_file_at, Kind::FileXmlMissing);
        }
        if message.private_record && !message.record_xml {
            findings.tell(message.private_record_at, Kind::RecordXmlMissing);
        }
        if let Some(at) = message.format_behind {
            findings.tell(at, Kind::FormatBehindData);
        }
    }

    fn audit_record(&self, findings: &mut Findings) {
        let at = self.lime.record().payload_offset();
        match self.role {
            Role::PrivateFile => {
                self.audit_document(DocumentName::PrivateFile, &self.file.document, findings);
                let format = self.file.document.volume_format();
                if format != crate::scidac::VolumeFormat::Single && !self.reading.spoilt {
                    findings.tell(at, Kind::VolumeSet(format));
                }
            }
            Role::PrivateRecord => {
                self.audit_data_missing(DocumentName::PrivateRecord, self.record.unused_before, findings);
                self.audit_document(DocumentName::PrivateRecord, &self.record.document, findings);
            }
            Role::Format => {
                let before = self.format.unused_before.filter(|before| !before.same_message);
                self.audit_data_missing(DocumentName::Format, before, findings);
                self.audit_document(DocumentName::Format, &self.format.document, findings);
            }
            Role::Checksum => {
                self.audit_document(DocumentName::Checksum, &self.stored, findings);
                let broken = self.reading.spoilt || self.reading.parser.end().is_some();
                match &self.pending {
                    // A record document that still waits will be told to lack its data.
                    None if !self.message.data && !self.record_waits_here() => {
                        findings.tell(at, Kind::ChecksumWithoutData)
                    }
                    Some(pending) if !broken => self.audit_sums(at, pending.computed, findings),
                    _ => {}
                }
            }
            Role::Lfn => self.audit_lfn(at, findings),
            Role::Update if (!self.reading.digits || self.reading.length == 0) => {
                findings.tell(at, Kind::UpdateNotDigits)
            }
            _ => {}
        }
    }

    /// One logical file name, which is a single string (ILDG 1.2, sections 2.2 and 2.6).
    fn audit_lfn(&self, at: u64, findings: &mut Findings) {
        if self.reading.length == 0 {
            findings.tell(at, Kind::LfnEmpty);
        } else if self.reading.gap {
            findings.tell(at, Kind::LfnNotSingle);
        }
        if let Some(first) = self.summary.lfn {
            findings.tell(at, Kind::LfnRepeated { same: first == self.reading.digest });
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
            findings.tell(end, Kind::Document(name, kind));
            return;
        }
        let mut index = 0_usize;
        while let Some(kind) = document.audit(index) {
            findings.tell(record.payload_offset(), Kind::Document(name, kind));
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
            findings.tell(at, Kind::ChecksumMismatch { computed, stored });
        }
        if stored.checksum().is_none() {
            findings.tell(at, Kind::ChecksumAbsent);
        }
    }

    fn audit_data_missing(&self, name: DocumentName, before: Option<Unused>, findings: &mut Findings) {
        if let Some(Unused { at, .. }) = before {
            findings.tell(at, Kind::DataMissing(name));
        }
    }

    fn audit_file(&self, findings: &mut Findings) {
        if self.record.given == Given::Pending {
            findings.tell(self.record.at, Kind::DataMissing(DocumentName::PrivateRecord));
        }
        if self.format.given == Given::Pending && !self.format.excused {
            findings.tell(self.format.at, Kind::DataMissing(DocumentName::Format));
        }
        if let Some(at) = self.summary.format_at.filter(|_| self.summary.lfn.is_none()) {
            findings.tell(at, Kind::LfnMissing);
        }
    }
}
