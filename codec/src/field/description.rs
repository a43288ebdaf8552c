//! Which document describes a data record, and the layout that follows from it.

use super::audit::Findings;
use super::decode::Decoder;
use super::error::{DocumentName, Kind};
use super::layout::{Field, LinkLayout, Source};
use super::summary::Given;
use crate::error::Error;
use crate::ildg::{self, Group};
use crate::lattice::{Precision, Region};
use crate::scidac::{PrivateRecord, VolumeFormat};

/// Links at a site with one in each direction, also those with a single site.
const ALL_LINKS: u32 = 4;

impl Decoder {
    /// The description of the data record that has just begun, and whether it stands in another message.
    pub(super) fn choose_description(&self) -> Option<(Source, bool)> {
        let now = self.lime.record().message;
        let record = self.record.given;
        let format = self.format.given;
        let format_here = format.waits() && self.format.message == now;
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

    /// Whether an `ildg-format` of this message describes the data, alone or beside a SciDAC record.
    pub(super) fn format_describes_data(&self) -> bool {
        self.format.given == Given::Pending && self.format.message == self.lime.record().message
    }

    fn update_is_missing(&self) -> bool {
        self.format_describes_data()
            && self.summary.update_is_missing(self.format.document.kind(), self.message.update)
    }

    /// The layout of the data record that has just begun, and what is wrong with its description.
    pub(super) fn describe(&self, findings: &mut Findings) -> Option<Field> {
        let record = self.lime.record();
        let at = record.offset;
        let tell = |findings: &mut Findings, kind| findings.tell(at, kind);
        let Some((source, elsewhere)) = self.choose_description() else {
            tell(findings, Kind::Undescribed);
            return None;
        };
        let given = match source {
            Source::Scidac => self.record.given,
            Source::Ildg => self.format.given,
        };
        if given == Given::Spoilt {
            return None;
        }
        if elsewhere {
            tell(findings, Kind::DescribedElsewhere);
        }
        let field = match source {
            Source::Scidac => self.scidac_field(findings)?,
            Source::Ildg => self.ildg_field()?,
        };
        let Some(expected) = field.data_length() else {
            tell(findings, Kind::DataOverflow);
            return None;
        };
        if expected != record.length {
            tell(findings, Kind::DataLength { expected, found: record.length });
            return None;
        }
        if source == Source::Scidac && self.format_describes_data() && self.common_links(&field).is_none() {
            tell(findings, Kind::DescriptionsDiffer);
        }
        if self.update_is_missing() {
            tell(findings, Kind::UpdateMissing { scidac: source == Source::Scidac });
        }
        Some(field)
    }

    fn scidac_field(&self, findings: &mut Findings) -> Option<Field> {
        let record = &self.record.document;
        let file = match self.file.given {
            Given::No => {
                findings.tell(self.lime.record().offset, Kind::FileMissing);
                return None;
            }
            Given::Spoilt => return None,
            Given::Pending | Given::Used => &self.file.document,
        };
        if file.volume_format() != VolumeFormat::Single {
            return None;
        }
        let extents = file.extents()?;
        let region = match record.region(&extents) {
            Ok(region) => region,
            Err(kind) => {
                let kind = Kind::Document(DocumentName::PrivateRecord, kind);
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
        let common = self.common_links(&field).filter(|_| self.format_describes_data());
        field.links = common.or_else(|| color_matrices(record, &field));
        Some(field)
    }

    fn ildg_field(&self) -> Option<Field> {
        let format = &self.format.document;
        let extents = format.extents()?;
        let mut links = self.ildg_links();
        let length = |links: &LinkLayout| {
            let site = (links.bytes_per_link()? as u64).checked_mul(u64::from(links.links))?;
            extents.sites().checked_mul(site)
        };
        // That trivial directions have no links was not said before revision 1.2.
        let all = LinkLayout { links: ALL_LINKS, ..links };
        let found = Some(self.lime.record().length);
        if format.version() != "1.2" && length(&links) != found && length(&all) == found {
            links = all;
        }
        Some(Field {
            record: self.lime.record(),
            source: Source::Ildg,
            extents,
            region: Region::Lattice,
            bytes_per_site: (links.bytes_per_link()? as u64).checked_mul(u64::from(links.links))?,
            precision: Some(format.precision()),
            links: Some(links),
        })
    }

    fn ildg_links(&self) -> LinkLayout {
        let format: &ildg::Format = &self.format.document;
        LinkLayout {
            links: u32::from(format.links()),
            rows: u32::from(format.rows()),
            columns: u32::from(format.kind().colors()),
            parts: if format.kind().is_real() { 1 } else { 2 },
            precision: format.precision(),
            absent_is_ones: format.kind().group() == Group::U1Phase,
        }
    }

    /// The links of data that a SciDAC record and an `ildg-format` describe together; `None` if they
    /// contradict each other. QIO stores 4 links at a site also where the lattice has trivial directions.
    fn common_links(&self, field: &Field) -> Option<LinkLayout> {
        let extents = self.format.document.extents()?;
        if extents.as_slice() != field.extents.as_slice() || field.region != Region::Lattice {
            return None;
        }
        let layout = self.ildg_links();
        let per_link = layout.bytes_per_link()? as u64;
        let links = [layout.links, ALL_LINKS];
        let fits = |links: &u32| per_link.checked_mul(u64::from(*links)) == Some(field.bytes_per_site);
        links.into_iter().find(fits).map(|links| LinkLayout { links, ..layout })
    }
}

/// QIO's convention for gauge fields: items are matrices of `colors` rows and columns, one per direction.
fn color_matrices(record: &PrivateRecord, field: &Field) -> Option<LinkLayout> {
    let precision = field.precision?;
    let layout = LinkLayout {
        links: record.datacount,
        rows: record.colors,
        columns: record.colors,
        parts: 2,
        precision,
        absent_is_ones: false,
    };
    let is_matrix = record.datatype.ends_with("_ColorMatrix") && record.colors > 0;
    let fits = layout.bytes_per_link() == usize::try_from(record.typesize).ok();
    (is_matrix && fits && field.region != Region::Global).then_some(layout)
}
