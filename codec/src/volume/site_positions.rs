//! The positions of the sites of a volume.

use crate::counter::Counter as _;
use crate::field::SitePosition;
use crate::lattice::{Coordinates, Extents};

/// Sites that follow each other in any order. A step to a rank that is a little larger, as in most site lists, needs no
/// division.
#[derive(Debug, Clone)]
pub(crate) struct SitePositions {
    extents: Extents,
    /// The number of sites of the lattice.
    all: u64,
    /// Of the site that was last.
    rank: u64,
    coordinates: Coordinates,
    /// Number of sites so far.
    count: u64,
}

impl SitePositions {
    pub(crate) fn new(extents: Extents) -> Self {
        let coordinates = extents.coordinates(0).unwrap_or(Coordinates::EMPTY);
        Self { extents, all: extents.sites(), rank: 0, coordinates, count: 0 }
    }

    /// The position of the next site, which has this rank; `None` if the lattice has no such site, which is counted
    /// nevertheless.
    #[inline]
    pub(crate) fn next(&mut self, rank: u64) -> Option<SitePosition<'_>> {
        let index = self.count;
        self.count.increase(1);
        let row = self.extents.as_slice().first().copied().unwrap_or(0);
        let ahead = rank.checked_sub(self.rank).filter(|ahead| *ahead <= u64::from(row));
        match ahead.filter(|_| rank < self.all) {
            Some(ahead) => self.coordinates.advance(ahead as u32, &self.extents),
            None => self.coordinates = self.extents.coordinates(rank)?,
        }
        self.rank = rank;
        Some(SitePosition { rank, index, coordinates: &self.coordinates })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_are_those_of_the_ranks_in_any_order() {
        let extents = Extents::new(&[3, 2, 2]).unwrap();
        let mut positions = SitePositions::new(extents);
        for (index, rank) in [0, 1, 2, 3, 5, 8, 11, 0, 0, 7, 8, 5, 9, 11].into_iter().enumerate() {
            let position = positions.next(rank).unwrap();
            assert_eq!((position.rank, position.index), (rank, index as u64));
            assert_eq!(Some(*position.coordinates), extents.coordinates(rank), "rank {rank}");
        }
        assert!(positions.next(12).is_none());
        assert_eq!(positions.next(11).map(|position| position.index), Some(15));
        let mut last = SitePositions::new(extents);
        assert_eq!(last.next(11).map(|position| *position.coordinates), extents.coordinates(11));
    }
}
