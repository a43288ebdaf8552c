//! The order of the sites in a volume, and the walk over the sites of a box in this order.
//!
//! # Invariants
//! | field | holds | changes |
//! |---|---|---|
//! | `site` | the current site, inside `cube`; in `EvenOdd` of the parity of this half of the walk | by 1 or 2 along x, else to the next row with a site of this parity |
//! | `rank` | rank of `site` in `lattice` | with `site`: by the same number along x, else computed |
//! | `left` | sites from the current one on; 0 after the last one, which stays in `site` | by 1 for each rank that is returned |

use crate::counter::Counter as _;
use crate::lattice::{Coordinates, Extents, Hypercube};

/// The order of the sites in a volume.
///
/// ```
/// use linkstream::scidac::VolumeFormat;
/// use linkstream::volume::NodeOrder;
///
/// // Partitions are in lexicographic order; multifile in the order of the nodes, usually even sites first.
/// assert_eq!(NodeOrder::of(VolumeFormat::Partition), NodeOrder::Lexicographic);
/// assert_eq!(NodeOrder::of(VolumeFormat::Multifile), NodeOrder::EvenOdd);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum NodeOrder {
    /// By ascending rank.
    Lexicographic,
    /// First the sites with an even sum of coordinates, then the sites with an odd sum, both by ascending rank.
    EvenOdd,
}

impl NodeOrder {
    /// The usual order for a volume format.
    #[must_use]
    pub const fn of(format: crate::scidac::VolumeFormat) -> Self {
        if matches!(format, crate::scidac::VolumeFormat::Multifile) {
            Self::EvenOdd
        } else {
            Self::Lexicographic
        }
    }
}

/// True if the sum of the coordinates is odd.
fn is_odd(site: &Coordinates) -> bool {
    // The lowest bit of a sum is the exclusive or of the lowest bits.
    site.as_slice().iter().fold(0, |sum, c| sum ^ c) % 2 == 1
}

/// The first site of a box in this order.
fn first(cube: &Hypercube, order: NodeOrder) -> Coordinates {
    let mut site = *cube.lower();
    if order == NodeOrder::EvenOdd && is_odd(&site) {
        // The next site with an even sum, unless the box has only one site.
        let mut coordinates = site.as_mut_slice().iter_mut().zip(cube.upper().as_slice());
        if let Some((c, _)) = coordinates.find(|(c, upper)| **c < **upper) {
            c.increase(1);
        }
    }
    site
}

/// The ranks of the sites of a box, from a walk over them. Inside a row, a step changes only the first coordinate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Walk {
    lattice: Extents,
    cube: Hypercube,
    order: NodeOrder,
    site: Coordinates,
    rank: u64,
    /// Number of sites from the current one on.
    left: u64,
}

impl Iterator for Walk {
    type Item = u64;

    #[inline]
    fn next(&mut self) -> Option<u64> {
        let rank = self.rank;
        self.left = self.left.checked_sub(1)?;
        self.step();
        Some(rank)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = usize::try_from(self.left).ok();
        (left.unwrap_or(usize::MAX), left)
    }
}

impl Walk {
    /// A walk over all sites of a box of this lattice.
    pub(super) fn new(lattice: Extents, cube: Hypercube, order: NodeOrder) -> Self {
        let site = first(&cube, order);
        Self { lattice, cube, order, site, rank: lattice.rank(&site).unwrap_or(0), left: cube.sites() }
    }

    /// Goes to the next site, unless the current one is the last.
    #[inline]
    fn step(&mut self) {
        let by = match self.order {
            NodeOrder::Lexicographic => 1,
            NodeOrder::EvenOdd => 2,
        };
        let x = self.site.as_mut_slice().first_mut().zip(self.cube.upper().as_slice().first());
        match x.filter(|(x, upper)| upper.saturating_sub(**x) >= by) {
            Some((x, _)) => {
                x.increase(by);
                self.rank.increase(u64::from(by));
            }
            None if self.left > 0 => self.next_row(),
            None => {}
        }
    }

    /// Goes to the first site of the next row that has sites of the same parity, or of the other parity after the last
    /// row. There is such a site.
    fn next_row(&mut self) {
        let mut parity = is_odd(&self.site);
        loop {
            let (mut has_carried, mut is_x) = (true, true);
            let bounds = self.cube.lower().as_slice().iter().zip(self.cube.upper().as_slice());
            for (c, (lower, upper)) in self.site.as_mut_slice().iter_mut().zip(bounds) {
                if !is_x && *c < *upper {
                    c.increase(1);
                    has_carried = false;
                    break;
                }
                *c = *lower;
                is_x = false;
            }
            // All dimensions have carried: this is the lower corner again, and the half with the other parity begins.
            parity ^= has_carried;
            if self.order == NodeOrder::Lexicographic || is_odd(&self.site) == parity {
                break;
            }
            // The second site of the row has the other parity. A row of one site may have none of it.
            let x = self.site.as_mut_slice().first_mut().zip(self.cube.upper().as_slice().first());
            if let Some((x, _)) = x.filter(|(x, upper)| **x < **upper) {
                x.increase(1);
                break;
            }
        }
        self.rank = self.lattice.rank(&self.site).unwrap_or(0);
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use super::*;

    /// The order of the sites by its definition.
    fn sorted(lattice: &Extents, cube: &Hypercube, order: NodeOrder) -> Vec<u64> {
        let inside = |rank: &u64| cube.contains(&lattice.coordinates(*rank).unwrap());
        let mut ranks: Vec<u64> = (0..lattice.sites()).filter(inside).collect();
        if order == NodeOrder::EvenOdd {
            ranks.sort_by_key(|rank| lattice.coordinates(*rank).unwrap().as_slice().iter().sum::<u32>() % 2);
        }
        ranks
    }

    /// All boxes of lattices with 1 to 4 dimensions, among them boxes of one site in some dimension.
    #[test]
    fn a_walk_has_the_sites_of_the_box_in_order() {
        let mut boxes = 0;
        for extents in [&[5][..], &[1, 4], &[4, 3], &[2, 3, 2], &[3, 1, 3], &[2, 1, 3, 2], &[3, 3, 2, 2]] {
            let lattice = Extents::new(extents).unwrap();
            for lower in (0..lattice.sites()).filter_map(|rank| lattice.coordinates(rank)) {
                for upper in (0..lattice.sites()).filter_map(|rank| lattice.coordinates(rank)) {
                    let Ok(cube) = Hypercube::new(lower, upper, &lattice) else { continue };
                    for order in [NodeOrder::Lexicographic, NodeOrder::EvenOdd] {
                        let walk = Walk::new(lattice, cube, order);
                        let expected = sorted(&lattice, &cube, order);
                        assert_eq!(walk.size_hint(), (expected.len(), Some(expected.len())));
                        assert_eq!(walk.collect::<Vec<_>>(), expected, "{walk:?}");
                        boxes += 1;
                    }
                }
            }
        }
        assert!(boxes > 1000, "{boxes}");
    }

    /// The largest lattices: no product overflows.
    #[test]
    fn a_walk_over_the_largest_lattice_begins() {
        let lattice = Extents::new(&[u32::MAX, u32::MAX]).unwrap();
        let corner = |c| Coordinates::new(&[c, c]).unwrap();
        for (order, second) in [(NodeOrder::Lexicographic, 1), (NodeOrder::EvenOdd, 2)] {
            let cube = Hypercube::new(corner(0), corner(u32::MAX - 1), &lattice).unwrap();
            assert_eq!(Walk::new(lattice, cube, order).take(2).collect::<Vec<_>>(), [0, second]);
        }
    }
}
