//! The layout of the data of one record and of the links of a site, and the derivation of both from documents. Reading
//! and writing use the same derivation.

use super::error::{DocumentName, EncodeErrorKind, ErrorKind, SiteError};
use crate::counter::Counter as _;
use crate::ildg::{Format, Group};
use crate::lattice::{Extents, HypercubeError, Precision, Region};
use crate::lime::Record;
use crate::scidac::PrivateRecord;
use crate::state::saved;
use crate::xml;
use core::ops::Range;

/// The document that describes the layout.
///
/// # Example
/// ```
/// # fn main() -> Result<(), Box<dyn core::error::Error>> {
/// use linkstream::Mode;
/// use linkstream::field::{Decoder, DescribedBy};
/// use linkstream::drive;
/// # let file = linkstream_example::file();
///
/// let mut decoder = Decoder::new(Mode::Strict);
/// drive(&mut decoder, &file, |_, _, decoder| {
///     if let Some(field) = decoder.field() {
///         assert_eq!(field.described_by, DescribedBy::Scidac);
///     }
/// })?;
/// # Ok(())
/// # }
/// # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum DescribedBy {
    /// A `scidac-private-record-xml`, with or without an `ildg-format`.
    Scidac,
    /// An `ildg-format` without a `scidac-private-record-xml`.
    Ildg,
}

saved!(enum DescribedBy: Scidac, Ildg);

/// The layout of the links in the data of a site: `links` matrices one after the other, each stored row by row.
///
/// # Example
/// ```
/// use linkstream::field::LinkLayout;
/// use linkstream::lattice::Precision;
///
/// // Links of SU(3) in single precision.
/// let layout = LinkLayout::new(4, 3, 3, Precision::F32);
/// assert_eq!(layout.bytes_per_link(), Some(72));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct LinkLayout {
    /// Number of links at a site, direction x first. In ILDG 1.2 this is the number of directions with more than one
    /// site; QIO, and other programs before that revision, store 4 whatever the extents.
    pub links: u32,
    /// Number of rows stored of each matrix.
    pub rows: u32,
    /// Number of columns, which is the number of colors.
    pub columns: u32,
    /// Numbers per element: 2 (real part, imaginary part) for complex elements, 1 for real elements.
    pub parts: u32,
    /// Precision of a number.
    pub precision: Precision,
    /// An unphysical link is stored with all bits set (ILDG kind `u1phase`) instead of all bits clear.
    pub absent_is_ones: bool,
}

saved!(struct LinkLayout { links, rows, columns, parts, precision, absent_is_ones });

impl LinkLayout {
    /// `links` complex matrices of `rows` rows and `columns` columns. Links that do not exist are stored with all bits
    /// clear.
    #[must_use]
    pub const fn new(links: u32, rows: u32, columns: u32, precision: Precision) -> Self {
        Self { links, rows, columns, parts: 2, precision, absent_is_ones: false }
    }

    /// Size of a link in bytes; `None` if it does not fit in `usize`.
    #[must_use]
    pub fn bytes_per_link(&self) -> Option<usize> {
        let [rows, columns, parts] = [self.rows, self.columns, self.parts].map(usize::try_from);
        let numbers = rows.ok()?.checked_mul(columns.ok()?)?.checked_mul(parts.ok()?)?;
        numbers.checked_mul(self.precision.size())
    }
}

/// The data of one record: their position in the file, the sites that they cover, and what a site holds.
///
/// # Example
/// ```
/// # fn main() -> Result<(), Box<dyn core::error::Error>> {
/// use linkstream::Mode;
/// use linkstream::field::{Decoder, DescribedBy, Event};
/// use linkstream::io::Reader;
/// # let file = linkstream_example::file();
///
/// let mut buffer = [0; 512];
/// let mut reader = Reader::new(file.as_slice(), &mut buffer, Decoder::new(Mode::Strict));
/// while let Some(event) = reader.next()? {
///     let (Event::Field, Some(field)) = (event, reader.decoder().field()) else { continue };
///     assert_eq!((field.described_by, field.extents.as_slice()), (DescribedBy::Scidac, &[2, 2, 2, 2][..]));
///     assert_eq!((field.sites(), field.bytes_per_site, field.data_length()), (16, 8, Some(128)));
///     assert!(field.links.is_none());
/// }
/// # Ok(())
/// # }
/// # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct Field {
    /// The LIME record of the data.
    pub record: Record,
    /// The document that describes the layout.
    pub described_by: DescribedBy,
    /// Number of sites in each direction.
    pub extents: Extents,
    /// The sites of the lattice that the data cover.
    pub region: Region,
    /// Number of bytes per site; for a global record, of all data.
    pub bytes_per_site: u64,
    /// Precision of the numbers, if the data are floating-point numbers.
    pub precision: Option<Precision>,
    /// Layout of the links of a site, if the field is a gauge field.
    pub links: Option<LinkLayout>,
}

saved!(struct Field { record, described_by, extents, region, bytes_per_site, precision, links });

impl Field {
    /// The data of this record, without a layout yet.
    pub(crate) const fn undescribed(record: Record) -> Self {
        Self {
            record,
            described_by: DescribedBy::Scidac,
            extents: Extents::ONE_SITE,
            region: Region::Lattice,
            bytes_per_site: 0,
            precision: None,
            links: None,
        }
    }

    /// A gauge field on the whole lattice, with these links at each site and nothing else.
    ///
    /// ```
    /// use linkstream::field::{DescribedBy, Field, LinkLayout};
    /// use linkstream::lattice::{Extents, Precision};
    /// use linkstream::lime::Record;
    ///
    /// let links = LinkLayout::new(4, 3, 3, Precision::F64);
    /// let field = Field::with_links(Record::default(), DescribedBy::Ildg, Extents::new(&[4, 4, 4, 8])?, links);
    /// assert_eq!((field.bytes_per_site, field.data_length()), (576, Some(512 * 576)));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_links(
        record: Record,
        described_by: DescribedBy,
        extents: Extents,
        links: LinkLayout,
    ) -> Self {
        Self {
            record,
            described_by,
            extents,
            region: Region::Lattice,
            bytes_per_site: links.bytes_per_site(),
            precision: Some(links.precision),
            links: Some(links),
        }
    }

    /// The number of sites that the data cover; 1 for a global record.
    #[must_use]
    pub fn sites(&self) -> u64 {
        self.region.sites(&self.extents)
    }

    /// Length of the data in bytes; `None` if it does not fit in 64 bits.
    // Not inlined: on processors without a 64-bit multiplication the product takes many instructions, and there are
    // many callers.
    #[must_use]
    #[inline(never)]
    pub fn data_length(&self) -> Option<u64> {
        self.sites().checked_mul(self.bytes_per_site)
    }
}

/// Number of links at a site if each direction has one, including directions with a single site.
const ALL: u32 = 4;

impl LinkLayout {
    /// The layout that an `ildg-format` describes on this lattice: one link in each direction that has more than one
    /// site (ILDG 1.2, section 2.5.1).
    pub(super) fn of(format: &Format, extents: &Extents) -> Self {
        Self {
            links: u32::from(extents.directions()),
            rows: u32::from(format.rows()),
            columns: u32::from(format.kind().colors()),
            parts: if format.kind().is_real() { 1 } else { 2 },
            precision: format.precision(),
            absent_is_ones: format.kind().group() == Group::U1Phase,
        }
    }

    /// The same layout with links in every direction, as before revision 1.2, which excludes directions with a single
    /// site.
    pub(super) const fn in_all_directions(self) -> Self {
        Self { links: ALL, ..self }
    }

    /// Layout of the links of data that a SciDAC record and an `ildg-format` describe together; `None` if the two
    /// contradict each other. QIO stores 4 links at a site even if a direction has only one site.
    pub(super) fn in_common(format: &Format, field: &Field) -> Option<Self> {
        if format.lattice() != field.extents.as_slice() || field.region != Region::Lattice {
            return None;
        }
        let mut layout = Self::of(format, &field.extents);
        if layout.bytes_per_site() != field.bytes_per_site {
            layout.links = ALL;
        }
        (layout.bytes_per_site() == field.bytes_per_site).then_some(layout)
    }

    /// True if the data have the links of the format at the sites of a part of its lattice. QIO writes a format for the
    /// whole lattice for such data, too.
    pub(crate) fn is_of_part(format: &Format, field: &Field) -> bool {
        let whole = Field { region: Region::Lattice, ..*field };
        field.region != Region::Lattice && Self::in_common(format, &whole).is_some()
    }

    /// QIO's convention for gauge fields: items are matrices of `colors` rows and columns, one per direction.
    pub(super) fn of_color_matrices(record: &PrivateRecord, field: &Field) -> Option<Self> {
        let colors = record.data().matrix_colors()?;
        let layout = Self {
            links: record.datacount,
            rows: colors,
            columns: colors,
            parts: 2,
            precision: field.precision?,
            absent_is_ones: false,
        };
        let fits = layout.bytes_per_link() == usize::try_from(record.typesize).ok();
        (fits && field.region != Region::Global).then_some(layout)
    }

    /// Range of the bytes of a site that hold the link in direction index `mu`.
    #[inline]
    pub(super) fn place(&self, mu: usize) -> Option<Range<usize>> {
        let size = self.bytes_per_link()?;
        let from = mu.checked_mul(size)?;
        let to = from.checked_add(size)?;
        (u32::try_from(mu).ok()? < self.links).then_some(from..to)
    }

    pub(super) const fn no_such_link(&self, index: usize) -> SiteError {
        SiteError::NoSuchLink { index, links: self.links }
    }

    /// Index of the element in `row` and `column` among the elements of a link; `None` if the element is not stored.
    /// The link is there, so the number of its bytes fits in `usize`, and the number of its elements even more so.
    #[inline]
    pub(super) fn element(&self, row: usize, column: usize) -> Option<usize> {
        let (rows, columns) = (usize::try_from(self.rows).ok()?, usize::try_from(self.columns).ok()?);
        (row < rows && column < columns).then(|| row.times(columns).plus(column))
    }

    /// True if elements have an imaginary part.
    #[inline]
    pub(super) const fn is_complex(&self) -> bool {
        self.parts > 1
    }

    /// Size of all links of a site in bytes. An `ildg-format` cannot overflow: 4 links of at most 9999 rows and
    /// columns.
    pub(super) fn bytes_per_site(&self) -> u64 {
        (self.bytes_per_link().unwrap_or(0) as u64).times(u64::from(self.links))
    }
}

/// The documents that describe the data of one record.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Documents<'d> {
    /// The lattice of the file message; empty if there is none.
    pub(crate) lattice: &'d [u32],
    /// The `scidac-private-record-xml`. It describes the data if there is one.
    pub(crate) record: Option<&'d PrivateRecord>,
    /// The `ildg-format`. It describes the data alone, or adds the layout of the links to the SciDAC record.
    pub(crate) format: Option<&'d Format>,
}

/// Reason why documents describe no layout.
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

/// When writing, the caller has left something out.
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
    /// Completes `field`, whose record is set. `length` is the length of the record if data are read. Returns whether
    /// the SciDAC record and the `ildg-format` describe different data; the SciDAC record then takes precedence.
    pub(crate) fn describe(&self, field: &mut Field, length: Option<u64>) -> Result<bool, DescribeError> {
        let (described_by, lattice, missing) = match (self.record, self.format) {
            (Some(_), _) => (DescribedBy::Scidac, self.lattice, DescribeError::LatticeMissing),
            (None, Some(format)) => (DescribedBy::Ildg, format.lattice(), DescribeError::FormatIncomplete),
            (None, None) => return Err(DescribeError::NoDocument),
        };
        field.described_by = described_by;
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

/// Describes `field` by the SciDAC record. Returns whether the format describes other data.
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

/// Describes `field` by the format. According to revision 1.2, a direction with one site has no links. Older versions
/// do not exclude them: they are written in all directions, and read so if the length of the record requires it.
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

/// Sets the links of a site. Returns the length of all data.
#[inline(never)]
fn set_links(field: &mut Field, links: LinkLayout) -> Option<u64> {
    field.bytes_per_site = links.bytes_per_site();
    field.links = Some(links);
    field.data_length()
}
