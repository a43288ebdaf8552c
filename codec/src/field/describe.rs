//! What documents say about the layout of data: one derivation, for reading and for writing.

use super::error::{DocumentName, ErrorKind};
use super::layout::{Field, LinkLayout, Source};
use super::write_error::EncodeErrorKind;
use crate::ildg::Format;
use crate::lattice::{Extents, HypercubeError, Precision};
use crate::scidac::PrivateRecord;
use crate::xml;

/// The documents that describe the data of one record.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Documents<'d> {
    /// The lattice of the file message; empty if there is none.
    pub(crate) lattice: &'d [u32],
    /// The `scidac-private-record-xml`. It describes the data if there is one.
    pub(crate) record: Option<&'d PrivateRecord>,
    /// The `ildg-format`: describes the data alone, or how links lie in those of the record.
    pub(crate) format: Option<&'d Format>,
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
    Region(HypercubeError),
    /// More bytes than 64 bits can count.
    Overflow,
}

impl From<DescribeError> for ErrorKind {
    fn from(error: DescribeError) -> Self {
        match error {
            DescribeError::NoDocument | DescribeError::FormatIncomplete => Self::Undescribed,
            DescribeError::LatticeMissing => Self::FileMissing,
            DescribeError::Region(error) => {
                Self::Document(DocumentName::PrivateRecord, xml::ErrorKind::Hypercube(error))
            }
            DescribeError::Overflow => Self::DataOverflow,
        }
    }
}

/// The message is to be written, so that its caller has left something out.
impl From<DescribeError> for EncodeErrorKind {
    fn from(error: DescribeError) -> Self {
        match error {
            DescribeError::NoDocument => Self::NoData,
            DescribeError::FormatIncomplete => Self::MessageInvalid,
            DescribeError::LatticeMissing => Self::FileMissing,
            DescribeError::Region(error) => {
                Self::Document(DocumentName::PrivateRecord, xml::ErrorKind::Hypercube(error))
            }
            DescribeError::Overflow => Self::DataOverflow,
        }
    }
}

impl Documents<'_> {
    /// Completes `field`, of which the record is known, and its length when data are read. Returns whether the SciDAC
    /// record and the `ildg-format` describe different data; the record counts.
    pub(crate) fn describe(&self, field: &mut Field, length: Option<u64>) -> Result<bool, DescribeError> {
        let (source, lattice, missing) = match (self.record, self.format) {
            (Some(_), _) => (Source::Scidac, self.lattice, DescribeError::LatticeMissing),
            (None, Some(format)) => (Source::Ildg, format.lattice(), DescribeError::FormatIncomplete),
            (None, None) => return Err(DescribeError::NoDocument),
        };
        field.source = source;
        field.extents = Extents::new(lattice).map_err(|_| missing)?;
        let mut differ = false;
        match (self.record, self.format) {
            (Some(document), format) => differ = by_record(field, document, format)?,
            (None, Some(format)) => by_format(field, format, length),
            (None, None) => {}
        }
        if field.data_length().is_some() { Ok(differ) } else { Err(DescribeError::Overflow) }
    }
}

/// Returns whether the format describes other data.
fn by_record(
    field: &mut Field,
    document: &PrivateRecord,
    format: Option<&Format>,
) -> Result<bool, DescribeError> {
    field.region = document.region_in(&field.extents).map_err(DescribeError::Region)?;
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
fn by_format(field: &mut Field, format: &Format, found: Option<u64>) {
    field.precision = Some(format.precision());
    let links = LinkLayout::of(format, &field.extents);
    let all = links.in_all_directions();
    if set_links(field, links) != found
        && !format.is_version_1_2()
        && set_links(field, all) != found
        && found.is_some()
    {
        set_links(field, links);
    }
}

/// Sites of these links. Returns the length of all data.
#[inline(never)]
fn set_links(field: &mut Field, links: LinkLayout) -> Option<u64> {
    field.bytes_per_site = links.bytes_per_site();
    field.links = Some(links);
    field.data_length()
}
