//! The position of a site, for those who read it and those who fill it.

use crate::lattice::{Coordinates, Cursor, Extents, Region};

/// Rank and coordinates in the lattice, and the index among the sites of the data.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SitePosition<'a> {
    pub(crate) rank: u64,
    pub(crate) index: u64,
    pub(crate) coordinates: &'a Coordinates,
}

impl<'a> SitePosition<'a> {
    /// Of the current site of a field in stored order.
    #[inline]
    pub(crate) fn of(cursor: &'a Cursor, extents: &Extents, region: &Region) -> Self {
        let rank = cursor.rank(extents, region);
        Self { rank, index: cursor.done(), coordinates: cursor.coordinates() }
    }

    /// The index; `usize::MAX` if it does not fit in `usize`.
    pub(super) fn index(&self) -> usize {
        usize::try_from(self.index).unwrap_or(usize::MAX)
    }
}
