//! What documents say about the layout of data: one derivation, for reading and for writing.

use super::layout::{Field, LinkLayout, Source};
use crate::ildg::Format;
use crate::lattice::{Extents, Precision, Region};
use crate::lime::Record;
use crate::scidac::PrivateRecord;
use crate::xml;

/// The documents that describe the data of one record.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Documents<'d> {
    /// The lattice of the file message.
    pub(crate) lattice: Option<Extents>,
    /// The `scidac-private-record-xml`. It describes the data if there is one.
    pub(crate) record: Option<&'d PrivateRecord>,
    /// The `ildg-format`: describes the data alone, or how links lie in those of the record.
    pub(crate) format: Option<&'d Format>,
}

/// The layout that documents describe.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Described {
    pub(crate) field: Field,
    /// The SciDAC record and the `ildg-format` describe different data; the record counts.
    pub(crate) differ: bool,
}

/// Why documents describe no layout.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DescribeError {
    /// There is neither a record document nor a format.
    NoDocument,
    /// A record document without the lattice of a file message.
    LatticeMissing,
    /// A format without a lattice.
    FormatIncomplete,
    /// The region of the record document does not fit into the lattice.
    Region(xml::ErrorKind),
    /// More bytes than 64 bits can count.
    Overflow,
}

impl Documents<'_> {
    /// The layout of the data in `record`, of which the length is known when data are read.
    pub(crate) fn describe(&self, record: Record, length: Option<u64>) -> Result<Described, DescribeError> {
        let (source, extents) = match (self.record, self.format) {
            (Some(_), _) => (Source::Scidac, self.lattice.ok_or(DescribeError::LatticeMissing)?),
            (None, Some(format)) => (Source::Ildg, format.extents().ok_or(DescribeError::FormatIncomplete)?),
            (None, None) => return Err(DescribeError::NoDocument),
        };
        // Made once and completed in place: moving it takes more code than what follows.
        let mut described = Described {
            field: Field {
                record,
                source,
                extents,
                region: Region::Lattice,
                bytes_per_site: 0,
                precision: None,
                links: None,
            },
            differ: false,
        };
        let field = &mut described.field;
        match (self.record, self.format) {
            (Some(document), format) => described.differ = by_record(field, document, format)?,
            (None, Some(format)) => by_format(field, format, length)?,
            (None, None) => {}
        }
        match field.data_length() {
            Some(_) => Ok(described),
            None => Err(DescribeError::Overflow),
        }
    }
}

/// Returns whether the format describes other data.
fn by_record(
    field: &mut Field,
    document: &PrivateRecord,
    format: Option<&Format>,
) -> Result<bool, DescribeError> {
    field.region = document.region(&field.extents).map_err(DescribeError::Region)?;
    field.bytes_per_site = document.bytes_per_site();
    field.precision = match document.precision.as_bytes() {
        b"F" => Some(Precision::F32),
        b"D" => Some(Precision::F64),
        _ => None,
    };
    let common = format.and_then(|format| LinkLayout::in_common(format, field));
    field.links = common.or_else(|| LinkLayout::of_color_matrices(document, field));
    Ok(format.is_some() && common.is_none())
}

/// By revision 1.2 a direction with one site has no links. Older versions do not say so: links in all directions are
/// written, and read where the length demands them.
fn by_format(field: &mut Field, format: &Format, found: Option<u64>) -> Result<(), DescribeError> {
    let mut links = LinkLayout::of(format);
    if !format.is_version_1_2() {
        let all = links.in_all_directions();
        let sites = field.extents.sites();
        let length = |links: &LinkLayout| sites.checked_mul(links.bytes_per_site()?);
        if found.is_none() || (length(&links) != found && length(&all) == found) {
            links = all;
        }
    }
    field.bytes_per_site = links.bytes_per_site().ok_or(DescribeError::Overflow)?;
    field.precision = Some(format.precision());
    field.links = Some(links);
    Ok(())
}
