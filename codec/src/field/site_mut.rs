//! One site of a field that is being written, as a callback fills it.

use super::layout::LinkLayout;
use crate::lattice::{Precision, SiteOrder, Word};

/// One site to be filled: where it is, and its bytes, all zero to begin with.
#[derive(Debug)]
pub struct SiteMut<'a> {
    pub(crate) walk: &'a SiteOrder,
    pub(crate) bytes: &'a mut [u8],
    pub(crate) precision: Option<Precision>,
    pub(crate) links: Option<&'a LinkLayout>,
}

impl SiteMut<'_> {
    /// Rank in the full lattice, coordinate 0 running fastest; 0 for global data.
    #[must_use]
    pub const fn rank(&self) -> u64 {
        self.walk.rank()
    }

    /// Coordinates in the full lattice, in sites.
    #[must_use]
    pub fn coordinates(&self) -> &[u32] {
        self.walk.coordinates().as_slice()
    }

    /// The bytes as they will stand in the file: big endian.
    #[must_use]
    pub const fn bytes_mut(&mut self) -> &mut [u8] {
        self.bytes
    }

    /// Fills the site from its start with words in native order; `None`, and nothing is changed, if it has not
    /// room for so many.
    #[inline]
    pub fn put<T: Word>(&mut self, words: &[T]) -> Option<()> {
        T::put(words, self.bytes)
    }

    /// Sets the floating point number of index `index` in stored order, rounded to the field's precision. `None`
    /// outside of the site, and if the data are not floating point numbers.
    pub fn set(&mut self, index: usize, value: f64) -> Option<()> {
        self.precision?.write(self.bytes, index, value)
    }

    /// The link in direction index `mu`: the `mu`-th direction that has links. `None` if the field is not a
    /// gauge field or has not so many links.
    pub fn link_mut(&mut self, mu: usize) -> Option<LinkMut<'_>> {
        let layout = self.links?;
        let size = layout.bytes_per_link()?;
        let from = mu.checked_mul(size)?;
        let bytes = self.bytes.get_mut(from..from.checked_add(size)?)?;
        (mu < usize::try_from(layout.links).ok()?).then_some(LinkMut { bytes, layout })
    }
}

/// One link to be filled: a matrix of `rows` x `columns` complex or real numbers, row by row.
#[derive(Debug)]
pub struct LinkMut<'a> {
    bytes: &'a mut [u8],
    layout: &'a LinkLayout,
}

impl LinkMut<'_> {
    /// Rows that are stored; fewer than columns in reduced storage.
    #[must_use]
    pub const fn rows(&self) -> u32 {
        self.layout.rows
    }

    /// Columns.
    #[must_use]
    pub const fn columns(&self) -> u32 {
        self.layout.columns
    }

    /// Fills the link from its start with words in native order, row by row, re before im; `None`, and nothing
    /// is changed, if it has not room for so many.
    #[inline]
    pub fn put<T: Word>(&mut self, words: &[T]) -> Option<()> {
        T::put(words, self.bytes)
    }

    /// Sets the element in `row` and `column` to `[re, im]`, rounded to the field's precision; im is not stored
    /// for real kinds. `None` outside of what is stored.
    pub fn set(&mut self, row: usize, column: usize, [re, im]: [f64; 2]) -> Option<()> {
        let columns = usize::try_from(self.layout.columns).ok()?;
        let rows = usize::try_from(self.layout.rows).ok()?;
        if row >= rows || column >= columns {
            return None;
        }
        let parts = usize::try_from(self.layout.parts).ok()?;
        let first = row.checked_mul(columns)?.checked_add(column)?.checked_mul(parts)?;
        let precision = self.layout.precision;
        precision.write(self.bytes, first, re)?;
        if parts > 1 { precision.write(self.bytes, first.checked_add(1)?, im) } else { Some(()) }
    }

    /// Marks the link as one that does not exist, behind an open or Dirichlet boundary: all bits clear, or all
    /// bits set in the kind `u1phase` (ILDG 1.2, section 2.5.1).
    pub fn set_unphysical(&mut self) {
        self.bytes.fill(if self.layout.absent_is_ones { 0xff } else { 0 });
    }
}
