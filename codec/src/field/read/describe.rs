//! Which document describes a data record, and the layout that follows from it.

use super::audit::Findings;
use super::decoder::Decoder;
use super::summary::DescriptionState;
use crate::error::Error;
use crate::field::error::{DocumentName, ErrorKind};
use crate::field::layout::{Field, LinkLayout, Source};
use crate::ildg;
use crate::lattice::{Precision, Region};
use crate::scidac::VolumeFormat;

impl Decoder {
    /// The description of the data record that has just begun, and whether it stands in another message.
    pub(in crate::field) fn choose_description(&self) -> Option<(Source, bool)> {
        let now = self.lime.record().message;
        let record = self.record.given;
        let format = self.format.given;
        let format_here = self.format_waits_here();
        if record.waits() && self.record.message == now {
            // What SciDAC leaves open, an ildg-format beside it may tell.
            let usable = record.is_good() && self.file.given.is_good();
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

    /// Whether an `ildg-format` of this message has not got its data yet.
    pub(in crate::field) fn format_waits_here(&self) -> bool {
        self.format.given.waits() && self.format.message == self.lime.record().message
    }

    /// Whether an `ildg-format` of this message describes the data, alone or beside a SciDAC record.
    pub(in crate::field) fn format_describes_data(&self) -> bool {
        self.format.given == DescriptionState::Pending && self.format.message == self.lime.record().message
    }

    /// Whether the field whose data go by is described by an `ildg-format`, alone or beside a SciDAC record.
    pub(in crate::field) fn field_is_of_ildg(&self) -> bool {
        let Some(field) = self.field() else { return false };
        let beside = self.format.given.is_good() && self.format.message == field.record.message;
        field.source == Source::Ildg
            || (beside && LinkLayout::in_common(&self.format.document, field) == field.links)
    }

    fn update_is_missing(&self) -> bool {
        self.format_describes_data()
            && self.summary.update_is_missing(self.format.document.kind(), self.message.update)
    }

    /// What is wrong with the data being of ILDG (ILDG 1.2, section 2.2).
    fn audit_ildg_data(&self, at: u64, source: Source, findings: &mut Findings) {
        if self.update_is_missing() {
            findings.report(at, ErrorKind::UpdateMissing { scidac: source == Source::Scidac });
        }
        let (kind, update) = (self.format.document.kind(), self.message.update);
        if self.format_describes_data() && self.summary.field_is_repeated(kind, update) {
            findings.report(at, ErrorKind::FieldRepeated);
        }
        if self.format_describes_data() && self.summary.overflows(kind, update) {
            findings.report(at, ErrorKind::FieldsNotJudged);
        }
        if self.lime.record_type() == ildg::BINARY_DATA.as_bytes()
            && source == Source::Scidac
            && !self.format_waits_here()
        {
            findings.report(at, ErrorKind::FormatMissing);
        }
    }

    /// The layout of the data record that has just begun, and what is wrong with its description.
    pub(in crate::field) fn describe(&self, findings: &mut Findings) -> Option<Field> {
        let record = self.lime.record();
        let at = record.offset;
        let report = |findings: &mut Findings, kind| findings.report(at, kind);
        let Some((source, elsewhere)) = self.choose_description() else {
            report(findings, ErrorKind::Undescribed);
            return None;
        };
        let given = match source {
            Source::Scidac => self.record.given,
            Source::Ildg => self.format.given,
        };
        if given == DescriptionState::Spoilt {
            return None;
        }
        if elsewhere {
            report(findings, ErrorKind::DescribedElsewhere);
        }
        let field = match source {
            Source::Scidac => self.scidac_field(findings)?,
            Source::Ildg => self.ildg_field()?,
        };
        let Some(expected) = field.data_length() else {
            report(findings, ErrorKind::DataOverflow);
            return None;
        };
        if expected != record.length {
            report(findings, ErrorKind::DataLength { expected, found: record.length });
            return None;
        }
        if source == Source::Scidac
            && self.format_describes_data()
            && LinkLayout::in_common(&self.format.document, &field).is_none()
        {
            report(findings, ErrorKind::DescriptionsDiffer);
        }
        self.audit_ildg_data(at, source, findings);
        Some(field)
    }

    fn scidac_field(&self, findings: &mut Findings) -> Option<Field> {
        let record = &self.record.document;
        let file = match self.file.given {
            DescriptionState::No => {
                findings.report(self.lime.record().offset, ErrorKind::FileMissing);
                return None;
            }
            DescriptionState::Spoilt => return None,
            DescriptionState::Pending | DescriptionState::Used => &self.file.document,
        };
        if file.volume_format() != VolumeFormat::Single {
            return None;
        }
        let extents = file.extents()?;
        let region = match record.region(&extents) {
            Ok(region) => region,
            Err(kind) => {
                let kind = ErrorKind::Document(DocumentName::PrivateRecord, kind);
                let payload = self.record.at.wrapping_add(crate::lime::HEADER_LEN as u64);
                findings.push(Error::new(payload, kind));
                return None;
            }
        };
        let precision = match record.precision.as_str() {
            "F" => Some(Precision::F32),
            "D" => Some(Precision::F64),
            _ => None,
        };
        let mut field = Field {
            record: self.lime.record(),
            source: Source::Scidac,
            extents,
            region,
            bytes_per_site: record.bytes_per_site(),
            precision,
            links: None,
        };
        let format = self.format_describes_data().then_some(&self.format.document);
        let common = format.and_then(|format| LinkLayout::in_common(format, &field));
        field.links = common.or_else(|| LinkLayout::of_color_matrices(record, &field));
        Some(field)
    }

    fn ildg_field(&self) -> Option<Field> {
        let format = &self.format.document;
        let extents = format.extents()?;
        let mut links = LinkLayout::of(format);
        let all = links.in_all_directions();
        let length = |links: &LinkLayout| extents.sites().checked_mul(links.bytes_per_site()?);
        let found = Some(self.lime.record().length);
        if format.version() != "1.2" && length(&links) != found && length(&all) == found {
            links = all;
        }
        Some(Field {
            record: self.lime.record(),
            source: Source::Ildg,
            extents,
            region: Region::Lattice,
            bytes_per_site: links.bytes_per_site()?,
            precision: Some(format.precision()),
            links: Some(links),
        })
    }
}
