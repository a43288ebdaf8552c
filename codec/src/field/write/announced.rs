//! What a message that is to be written says of the lattice and of its data: the mirror of `description.rs`.

use super::emit::complete;
use super::message::OutgoingMessage;
use crate::field::error::DocumentName;
use crate::field::layout::{Field, LinkLayout, Source};
use crate::field::write_error::EncodeErrorKind;
use crate::lattice::{Extents, Precision, Region};
use crate::lime::Record;
use crate::scidac::{PrivateRecord, VolumeFormat};

impl OutgoingMessage<'_> {
    /// The lattice of the file once this message is written, where `known` is what it was before.
    pub(in crate::field) fn lattice(
        &self,
        known: Option<Extents>,
    ) -> Result<Option<Extents>, EncodeErrorKind> {
        let Some((file, _)) = self.file else { return Ok(known) };
        if known.is_some() {
            return Err(EncodeErrorKind::FileRepeated);
        }
        complete(DocumentName::PrivateFile, file)?;
        let extents = file.extents();
        let single = file.volume_format() == VolumeFormat::Single;
        if extents.is_none() || !single {
            return Err(EncodeErrorKind::MessageInvalid);
        }
        Ok(extents)
    }

    /// The layout of its data, in a file of this `lattice`.
    pub(in crate::field) fn layout(&self, lattice: Option<Extents>) -> Result<Field, EncodeErrorKind> {
        match (self.record, self.format) {
            (Some((record, _)), format) => {
                let field = scidac_layout(record, lattice)?;
                let Some(format) = format else {
                    return Ok(Field { links: LinkLayout::of_color_matrices(record, &field), ..field });
                };
                let links =
                    LinkLayout::in_common(format, &field).ok_or(EncodeErrorKind::DescriptionsDiffer)?;
                if field.precision != Some(format.precision()) {
                    return Err(EncodeErrorKind::DescriptionsDiffer);
                }
                Ok(Field { links: Some(links), ..field })
            }
            (None, Some(format)) => {
                let mut links = LinkLayout::of(format);
                if format.version() != "1.2" {
                    links = links.in_all_directions();
                }
                Ok(Field {
                    record: Record::default(),
                    source: Source::Ildg,
                    extents: format.extents().ok_or(EncodeErrorKind::MessageInvalid)?,
                    region: Region::Lattice,
                    bytes_per_site: links.bytes_per_site().ok_or(EncodeErrorKind::DataOverflow)?,
                    precision: Some(format.precision()),
                    links: Some(links),
                })
            }
            (None, None) => Err(EncodeErrorKind::NoData),
        }
    }
}

fn scidac_layout(record: &PrivateRecord, lattice: Option<Extents>) -> Result<Field, EncodeErrorKind> {
    let extents = lattice.ok_or(EncodeErrorKind::FileMissing)?;
    let region = record.region(&extents);
    let precision = match record.precision.as_str() {
        "F" => Some(Precision::F32),
        "D" => Some(Precision::F64),
        _ => None,
    };
    Ok(Field {
        record: Record::default(),
        source: Source::Scidac,
        extents,
        region: region.map_err(|kind| EncodeErrorKind::Document(DocumentName::PrivateRecord, kind))?,
        bytes_per_site: record.bytes_per_site(),
        precision,
        links: None,
    })
}
