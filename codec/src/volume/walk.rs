//! The order of the sites in a volume, and the walk over the sites of a box in this order.

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
pub(super) fn is_odd(site: &Coordinates) -> bool {
    site.as_slice().iter().fold(0, |sum, c| sum ^ c) % 2 == 1
}

/// A walk over the sites of a box. Inside a row, a step changes only the first coordinate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Walk {
    lattice: Extents,
    cube: Hypercube,
    order: NodeOrder,
    site: Coordinates,
    rank: u64,
    /// Number of sites from the current one on.
    left: u64,
    starts_row: bool,
}

impl Walk {
    /// A walk from the site `start` on, over `left` sites.
    pub(super) fn new(
        lattice: Extents,
        cube: Hypercube,
        order: NodeOrder,
        start: Coordinates,
        left: u64,
    ) -> Self {
        let rank = lattice.rank(&start).unwrap_or(0);
        Self { lattice, cube, order, site: start, rank, left, starts_row: true }
    }

    /// Rank of the current site; `None` at the end.
    #[inline]
    pub(super) const fn rank(&self) -> Option<u64> {
        if self.left > 0 { Some(self.rank) } else { None }
    }

    /// Coordinates of the current site.
    pub(super) const fn site(&self) -> &Coordinates {
        &self.site
    }

    /// True if the current site does not follow the last one in the same row.
    #[inline]
    pub(super) const fn starts_row(&self) -> bool {
        self.starts_row
    }

    pub(super) fn size_hint(&self) -> (usize, Option<usize>) {
        let left = usize::try_from(self.left).ok();
        (left.unwrap_or(usize::MAX), left)
    }

    /// Goes to the next site. There is a current one.
    #[inline]
    pub(super) fn step(&mut self) {
        self.left.take_away(1);
        let by = match self.order {
            NodeOrder::Lexicographic => 1,
            NodeOrder::EvenOdd => 2,
        };
        let x = self.site.as_mut_slice().first_mut().zip(self.cube.upper().as_slice().first());
        match x.filter(|(x, upper)| upper.saturating_sub(**x) >= by) {
            Some((x, _)) => {
                x.increase(by);
                self.rank.increase(u64::from(by));
                self.starts_row = false;
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
        self.starts_row = true;
    }
}
