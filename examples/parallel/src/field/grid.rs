//! Process grids: a box of the lattice for each rank.

use linkstream::lattice::{Coordinates, Extents, Hypercube};

use crate::error::Fault;

/// A grid of ranks: each has a box of the lattice.
///
/// Ranks are numbered like sites: the position in the first dimension of the grid varies fastest. If an extent of the
/// lattice is not a multiple of the number of ranks in its dimension, the boxes differ by one site in length; if it is
/// smaller than this number, some ranks have no sites. Ranks beyond the grid have none either.
///
/// ```
/// use linkstream::lattice::{Coordinates, Extents};
/// use linkstream_parallel::field::Grid;
///
/// let lattice = Extents::new(&[4, 4, 4, 5])?;
/// let grid = Grid::new(&lattice, &[2, 1, 1, 2])?;
/// assert_eq!(grid.ranks(), 4);
/// let last = grid.part(3).ok_or("four ranks")?;
/// assert_eq!((last.lower().as_slice(), last.upper().as_slice()), (&[2, 0, 0, 2][..], &[3, 3, 3, 4][..]));
/// assert_eq!(grid.rank_of(last.lower()), 3);
/// // A fifth rank has no sites.
/// assert_eq!(grid.part(4), None);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Grid {
    lattice: Extents,
    ranks: Extents,
}

impl Grid {
    /// A grid with this number of ranks in each dimension of the lattice. Dimensions after the last given one are not
    /// divided.
    ///
    /// # Errors
    /// The grid has no dimensions, more than the lattice, or no ranks in one of them.
    pub fn new(lattice: &Extents, ranks: &[u32]) -> Result<Self, Fault> {
        let mut all = ranks.to_vec();
        all.resize(lattice.as_slice().len().max(ranks.len()), 1);
        let has_dimensions = !ranks.is_empty() && ranks.len() <= lattice.as_slice().len();
        match Extents::new(&all) {
            Ok(ranks) if has_dimensions => Ok(Self { lattice: *lattice, ranks }),
            _ => Err(Fault::usage(format!(
                "the lattice {lattice} cannot be divided by a grid of {ranks:?} ranks"
            ))),
        }
    }

    /// Number of sites in each direction.
    #[must_use]
    pub const fn lattice(&self) -> &Extents {
        &self.lattice
    }

    /// Number of ranks of the grid.
    #[must_use]
    pub fn ranks(&self) -> usize {
        usize::try_from(self.ranks.sites()).unwrap_or(usize::MAX)
    }

    /// The box of a rank; `None` if it has no sites.
    #[must_use]
    pub fn part(&self, rank: usize) -> Option<Hypercube> {
        let place = self.ranks.coordinates(rank as u64)?;
        let (mut lower, mut upper) = (Vec::new(), Vec::new());
        let dimensions = self.lattice.as_slice().iter().zip(self.ranks.as_slice());
        for (c, (extent, ranks)) in place.as_slice().iter().zip(dimensions) {
            let bound = |c: u32| (u64::from(c) * u64::from(*extent) / u64::from(*ranks)) as u32;
            let (start, end) = (bound(*c), bound(c + 1));
            if start == end {
                return None;
            }
            lower.push(start);
            upper.push(end - 1);
        }
        Hypercube::new(Coordinates::new(&lower)?, Coordinates::new(&upper)?, &self.lattice).ok()
    }

    /// The rank that has a site of the lattice.
    #[must_use]
    pub fn rank_of(&self, site: &Coordinates) -> usize {
        let dimensions = self.lattice.as_slice().iter().zip(self.ranks.as_slice());
        let places = site.as_slice().iter().zip(dimensions).rev();
        places.fold(0, |rank, (c, (extent, ranks))| {
            let place = ((u64::from(*c) + 1) * u64::from(*ranks) - 1) / u64::from(*extent);
            rank * *ranks as usize + place as usize
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_site_belongs_to_the_rank_whose_box_contains_it() {
        let lattice = Extents::new(&[4, 3, 2, 7]).unwrap();
        for ranks in [&[1][..], &[2, 1, 1, 2], &[3, 2], &[1, 1, 4, 3], &[4, 3, 2, 7], &[1, 1, 1, 9]] {
            let grid = Grid::new(&lattice, ranks).unwrap();
            let boxes: Vec<_> = (0..grid.ranks()).map(|rank| grid.part(rank)).collect();
            for site in (0..lattice.sites()).map(|rank| lattice.coordinates(rank).unwrap()) {
                let owners: Vec<_> = boxes
                    .iter()
                    .enumerate()
                    .filter(|(_, cube)| cube.is_some_and(|cube| cube.contains(&site)))
                    .map(|(rank, _)| rank)
                    .collect();
                assert_eq!(owners, [grid.rank_of(&site)], "{ranks:?}");
            }
            assert_eq!(grid.part(grid.ranks()), None);
        }
        for refused in [&[][..], &[0], &[1, 1, 1, 1, 1]] {
            assert!(Grid::new(&lattice, refused).is_err());
        }
    }
}
