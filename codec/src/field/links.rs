//! How the links lie in the data that a document describes.

use core::ops::Range;

use super::layout::{Field, LinkLayout};
use super::site_error::SiteError;
use crate::counter::Counter as _;
use crate::ildg::{Format, Group};
use crate::lattice::{Extents, Region};
use crate::scidac::PrivateRecord;

/// Links at a site with one in each direction, also those with a single site.
const ALL: u32 = 4;

impl LinkLayout {
    /// As described by an `ildg-format` of this lattice, with one link in each direction that has more than one site
    /// (ILDG 1.2, section 2.5.1).
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

    /// The same with links in every direction. That trivial directions have none was not said before
    /// revision 1.2.
    pub(super) const fn in_all_directions(self) -> Self {
        Self { links: ALL, ..self }
    }

    /// Those of data that a SciDAC record and an `ildg-format` describe together; `None` if they contradict each
    /// other. QIO stores 4 links at a site also where the lattice has trivial directions.
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

    /// Whether the data have the links of the format, at the sites of a part of its lattice. QIO writes a format for
    /// the whole lattice there, too.
    pub(crate) fn is_of_part(format: &Format, field: &Field) -> bool {
        let whole = Field { region: Region::Lattice, ..*field };
        field.region != Region::Lattice && Self::in_common(format, &whole).is_some()
    }

    /// QIO's convention for gauge fields: items are matrices of `colors` rows and columns, one per direction.
    pub(super) fn of_color_matrices(record: &PrivateRecord, field: &Field) -> Option<Self> {
        let layout = Self {
            links: record.datacount,
            rows: record.colors,
            columns: record.colors,
            parts: 2,
            precision: field.precision?,
            absent_is_ones: false,
        };
        let is_matrix = record.datatype.as_bytes().ends_with(b"_ColorMatrix") && record.colors > 0;
        let fits = layout.bytes_per_link() == usize::try_from(record.typesize).ok();
        (is_matrix && fits && field.region != Region::Global).then_some(layout)
    }

    /// Which bytes of a site are the link in direction index `mu`.
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

    /// Index of the element in `row` and `column` among the elements of a link; `None` outside of what is stored. The
    /// link is there, so the number of its bytes fits in `usize`, and the number of its elements even more so.
    #[inline]
    pub(super) fn element(&self, row: usize, column: usize) -> Option<usize> {
        let (rows, columns) = (usize::try_from(self.rows).ok()?, usize::try_from(self.columns).ok()?);
        (row < rows && column < columns).then(|| row.times(columns).plus(column))
    }

    /// Whether elements have an imaginary part.
    #[inline]
    pub(super) const fn is_complex(&self) -> bool {
        self.parts > 1
    }

    /// Bytes of all links of a site. An `ildg-format` is far from overflow: 4 links of at most 9999 rows and columns.
    pub(super) fn bytes_per_site(&self) -> u64 {
        (self.bytes_per_link().unwrap_or(0) as u64).times(u64::from(self.links))
    }
}
