//! One site of a field, as it is handed to a callback.

use super::layout::LinkLayout;
use crate::lattice::{Coordinates, Precision};

/// One site: where it is, and its bytes as in the file.
#[derive(Debug, Clone, Copy)]
pub struct Site<'a> {
    pub(super) rank: u64,
    pub(super) coordinates: &'a Coordinates,
    pub(super) bytes: &'a [u8],
    pub(super) precision: Option<Precision>,
    pub(super) links: Option<&'a LinkLayout>,
}

impl<'a> Site<'a> {
    /// Rank in the full lattice, coordinate 0 running fastest; 0 for global data.
    #[must_use]
    pub const fn rank(&self) -> u64 {
        self.rank
    }

    /// Coordinates in the full lattice, in sites.
    #[must_use]
    pub fn coordinates(&self) -> &'a [u32] {
        self.coordinates.as_slice()
    }

    /// The bytes as in the file: big endian.
    #[must_use]
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The floating point numbers in stored order; none if the data are not floating point numbers.
    pub fn numbers(&self) -> impl Iterator<Item = f64> + use<'a> {
        numbers(self.bytes, self.precision)
    }

    /// The link in direction index `mu`: the `mu`-th direction that has more than one site. `None` if the
    /// field is not a gauge field or has not so many links.
    #[must_use]
    pub fn link(&self, mu: usize) -> Option<Link<'a>> {
        let layout = self.links?;
        let size = layout.bytes_per_link()?;
        let from = mu.checked_mul(size)?;
        let bytes = self.bytes.get(from..from.checked_add(size)?)?;
        (mu < usize::try_from(layout.links).ok()?).then_some(Link { bytes, layout })
    }

    /// All links, direction 0 first.
    #[must_use]
    pub const fn links(&self) -> Links<'a> {
        Links { site: *self, mu: 0 }
    }
}

fn numbers<'a>(bytes: &'a [u8], precision: Option<Precision>) -> impl Iterator<Item = f64> + 'a {
    let (singles, doubles): (&[[u8; 4]], &[[u8; 8]]) = match precision {
        None => (&[], &[]),
        Some(Precision::F32) => (bytes.as_chunks().0, &[]),
        Some(Precision::F64) => (&[], bytes.as_chunks().0),
    };
    let singles = singles.iter().map(|word| f64::from(f32::from_be_bytes(*word)));
    singles.chain(doubles.iter().map(|word| f64::from_be_bytes(*word)))
}

/// The links of a site; see [`Site::links`].
#[derive(Debug, Clone)]
pub struct Links<'a> {
    site: Site<'a>,
    mu: usize,
}

impl<'a> Iterator for Links<'a> {
    type Item = Link<'a>;

    fn next(&mut self) -> Option<Link<'a>> {
        let link = self.site.link(self.mu)?;
        self.mu = self.mu.saturating_add(1);
        Some(link)
    }
}

/// One link: a matrix of `rows` x `columns` complex or real numbers, row by row.
#[derive(Debug, Clone, Copy)]
pub struct Link<'a> {
    bytes: &'a [u8],
    layout: &'a LinkLayout,
}

impl<'a> Link<'a> {
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

    /// The bytes as in the file: big endian.
    #[must_use]
    pub const fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// The numbers in stored order: row by row, re before im.
    pub fn numbers(&self) -> impl Iterator<Item = f64> + use<'a> {
        numbers(self.bytes, Some(self.layout.precision))
    }

    /// The element in `row` and `column` as `[re, im]`; im is 0 for real kinds. For the kind `u1phase` re is
    /// the phase. `None` outside of what is stored.
    #[must_use]
    pub fn get(&self, row: usize, column: usize) -> Option<[f64; 2]> {
        let columns = usize::try_from(self.layout.columns).ok()?;
        let rows = usize::try_from(self.layout.rows).ok()?;
        if row >= rows || column >= columns {
            return None;
        }
        let element = row.checked_mul(columns)?.checked_add(column)?;
        let parts = usize::try_from(self.layout.parts).ok()?;
        let first = element.checked_mul(parts)?;
        let precision = self.layout.precision;
        let re = precision.read(self.bytes, first)?;
        let im = if parts > 1 { precision.read(self.bytes, first.checked_add(1)?)? } else { 0.0 };
        Some([re, im])
    }

    /// Whether the link does not exist: at open and Dirichlet boundaries such links are stored with all bits
    /// clear, or all bits set in the kind `u1phase` (ILDG 1.2, section 2.5.1).
    #[must_use]
    pub fn is_unphysical(&self) -> bool {
        let fill = if self.layout.absent_is_ones { 0xff } else { 0 };
        self.bytes.iter().all(|byte| *byte == fill)
    }
}
