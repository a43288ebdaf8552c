//! The numbering of the sites of a volume that is a box of the lattice: by arithmetic, without a walk over its sites.

use super::walk::{NodeOrder, Walk, is_odd};
use crate::counter::Counter as _;
use crate::lattice::{Coordinates, Extents, Hypercube, HypercubeError, MAX_DIMENSIONS};

/// A site of a volume.
///
/// ```
/// use linkstream::volume::IndexedSite;
///
/// // The first site of a volume that has the sites of rank 4 to 7.
/// let site = IndexedSite { index: 0, rank: 4 };
/// assert_eq!(site.rank, 4);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct IndexedSite {
    /// Index of the site, counted from 0: in the site list, or, for data on a hypercube, among the sites of the volume
    /// that have data.
    pub index: u64,
    /// Rank of the site in the whole lattice.
    pub rank: u64,
}

/// The sites of a volume that is a box of the lattice, in the order of its site list. Index and rank of a site are
/// computed from each other in a time that depends only on the number of dimensions.
///
/// ```
/// use linkstream::lattice::{Coordinates, Extents, Hypercube};
/// use linkstream::volume::{BoxSites, NodeOrder};
///
/// // 10^9 sites, even ones first.
/// let lattice = Extents::new(&[192, 192, 192, 384])?;
/// let corner = |values| Coordinates::new(values).ok_or("more than 8 dimensions");
/// let cube = Hypercube::new(corner(&[0, 0, 0, 192])?, corner(&[191, 191, 191, 383])?, &lattice)?;
/// let sites = BoxSites::new(&lattice, &cube, NodeOrder::EvenOdd)?;
/// assert_eq!((sites.sites(), sites.largest_rank()), (1_358_954_496, 2_717_908_991));
/// assert_eq!((sites.rank_at(1_000_000_000), sites.index_of(2_000_000_000)), (Some(2_000_000_000), Some(1_000_000_000)));
///
/// // A process that has one time slice writes two stretches of the volume: its even sites, and its odd ones.
/// let slice = Hypercube::new(corner(&[0, 0, 0, 200])?, corner(&[191, 191, 191, 200])?, &lattice)?;
/// let mut own = sites.part(&slice);
/// assert_eq!(own.next().map(|site| site.index), Some(28_311_552));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct BoxSites {
    lattice: Extents,
    cube: Hypercube,
    order: NodeOrder,
}

impl BoxSites {
    /// The sites of a box of this lattice, in this order.
    ///
    /// # Errors
    /// The box is not inside the lattice.
    pub fn new(lattice: &Extents, cube: &Hypercube, order: NodeOrder) -> Result<Self, HypercubeError> {
        let cube = Hypercube::new(*cube.lower(), *cube.upper(), lattice)?;
        Ok(Self { lattice: *lattice, cube, order })
    }

    /// The box.
    #[must_use]
    pub const fn cube(&self) -> &Hypercube {
        &self.cube
    }

    /// The order of the sites.
    #[must_use]
    pub const fn order(&self) -> NodeOrder {
        self.order
    }

    /// Number of sites.
    #[must_use]
    pub fn sites(&self) -> u64 {
        self.cube.sites()
    }

    /// The largest rank of a site, for [`Encoder::new`](super::Encoder::new).
    #[must_use]
    pub fn largest_rank(&self) -> u64 {
        self.lattice.rank(self.cube.upper()).unwrap_or(0)
    }

    /// The sites that are also in `cube`, in the same order: the sites with data of a field on a hypercube. `None` if
    /// there are none, or if `cube` has another number of dimensions.
    ///
    /// ```
    /// use linkstream::lattice::{Coordinates, Extents, Hypercube};
    /// use linkstream::volume::{Mesh, NodeOrder};
    ///
    /// let lattice = Extents::new(&[4, 2])?;
    /// let volume = Mesh::new(&lattice, &[2], &[2])?.sites(1, NodeOrder::EvenOdd).ok_or("there are two")?;
    /// let corner = |values| Coordinates::new(values).ok_or("more than 8 dimensions");
    /// let slice = Hypercube::new(corner(&[0, 1])?, corner(&[3, 1])?, &lattice)?;
    /// let with_data = volume.within(&slice).ok_or("both have sites")?;
    /// assert_eq!(with_data.ranks_from(0).collect::<Vec<_>>(), [7, 6]);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub fn within(&self, cube: &Hypercube) -> Option<Self> {
        if cube.lower().as_slice().len() != self.cube.lower().as_slice().len() {
            return None;
        }
        let (mut lower, mut upper) = (Coordinates::default(), Coordinates::default());
        for (from, to) in self.cube.lower().as_slice().iter().zip(cube.lower().as_slice()) {
            lower.append(*from.max(to))?;
        }
        for (from, to) in self.cube.upper().as_slice().iter().zip(cube.upper().as_slice()) {
            upper.append(*from.min(to))?;
        }
        let cube = Hypercube::new(lower, upper, &self.lattice).ok()?;
        Some(Self { cube, ..*self })
    }

    /// The index of the site with this rank; `None` if it is not in the box.
    #[must_use]
    pub fn index_of(&self, rank: u64) -> Option<u64> {
        self.index_at(&self.lattice.coordinates(rank)?)
    }

    /// The rank of the site with this index; `None` if there are fewer sites.
    #[must_use]
    pub fn rank_at(&self, index: u64) -> Option<u64> {
        self.lattice.rank(&self.site_at(index)?)
    }

    /// The ranks of the sites from this index on, in the order of the site list.
    #[must_use]
    pub fn ranks_from(&self, index: u64) -> BoxRanks {
        BoxRanks { walk: self.walk(index) }
    }

    /// The sites that are also in `part`, in the order of the site list. A process writes them that has the box `part`
    /// of the lattice. Their indices are indices in the whole volume.
    ///
    /// ```
    /// use linkstream::lattice::Extents;
    /// use linkstream::volume::{Mesh, NodeOrder};
    ///
    /// // Two nodes write one volume, in lexicographic order.
    /// let mesh = Mesh::new(&Extents::new(&[4, 2])?, &[2], &[1])?;
    /// let volume = mesh.sites(0, NodeOrder::Lexicographic).ok_or("one volume")?;
    /// let node = mesh.node(1).ok_or("two nodes")?;
    /// assert_eq!(volume.part(&node).map(|site| site.index).collect::<Vec<_>>(), [2, 3, 6, 7]);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub fn part(&self, part: &Hypercube) -> BoxPart {
        // Without common sites, a walk from the end of the volume has none.
        let walk = self.within(part).map_or_else(|| self.walk(u64::MAX), |own| own.walk(0));
        BoxPart { volume: *self, walk, index: 0 }
    }

    fn walk(&self, index: u64) -> Walk {
        let left = self.sites().saturating_sub(index);
        let start = self.site_at(index).unwrap_or(*self.cube.lower());
        Walk::new(self.lattice, self.cube, self.order, start, left)
    }

    /// First coordinate and length of each dimension.
    fn dimensions(&self) -> impl DoubleEndedIterator<Item = (u32, u64)> + ExactSizeIterator {
        let bounds = self.cube.lower().as_slice().iter().zip(self.cube.upper().as_slice());
        bounds.map(|(lower, upper)| (*lower, u64::from(upper.minus(*lower)).plus(1)))
    }

    /// The numbers of even and of odd sites.
    fn parities(&self) -> Parities {
        self.dimensions().fold(Parities::ONE, |all, (lower, length)| all.times(Parities::of(lower, length)))
    }

    /// The index of a site; `None` if it is not in the box.
    fn index_at(&self, site: &Coordinates) -> Option<u64> {
        if !self.cube.contains(site) {
            return None;
        }
        let coordinates = site.as_slice().iter().zip(self.dimensions());
        let (mut before, mut size) = (0_u64, 1_u64);
        if self.order == NodeOrder::Lexicographic {
            for (c, (lower, length)) in coordinates {
                before.increase(size.times(u64::from(c.minus(lower))));
                size = size.times(length);
            }
            return Some(before);
        }
        let is_odd = is_odd(site);
        // The sites before this one that differ in a dimension, have the same coordinates in all later dimensions, and
        // any in the earlier ones: `block`.
        let (mut block, mut is_odd_above) = (Parities::ONE, is_odd);
        for (c, (lower, length)) in coordinates {
            is_odd_above ^= c % 2 == 1;
            let ahead = block.times(Parities::of(lower, u64::from(c.minus(lower))));
            before.increase(ahead.of_class(is_odd ^ is_odd_above));
            block = block.times(Parities::of(lower, length));
        }
        Some(if is_odd { before.plus(block.even) } else { before })
    }

    /// The coordinates of a site; `None` if there are fewer sites.
    fn site_at(&self, index: u64) -> Option<Coordinates> {
        if index >= self.sites() {
            return None;
        }
        let mut site = *self.cube.lower();
        let mut rest = index;
        if self.order == NodeOrder::Lexicographic {
            for (c, (_, length)) in site.as_mut_slice().iter_mut().zip(self.dimensions()) {
                c.increase(u32::try_from(rest.checked_rem(length)?).ok()?);
                rest = rest.checked_div(length)?;
            }
            return Some(site);
        }
        let evens = self.parities().even;
        let mut is_odd = index >= evens;
        if is_odd {
            rest.take_away(evens);
        }
        // The sites of all earlier dimensions, for each dimension.
        let (mut blocks, mut block) = ([Parities::ONE; MAX_DIMENSIONS], Parities::ONE);
        for (to, (lower, length)) in blocks.iter_mut().zip(self.dimensions()) {
            *to = block;
            block = block.times(Parities::of(lower, length));
        }
        let lower = self.cube.lower().as_slice();
        for ((c, lower), block) in site.as_mut_slice().iter_mut().zip(lower).zip(&blocks).rev() {
            // Two adjacent coordinates have the same number of sites of each parity together, the first one of them
            // `first`.
            let pair = block.even.plus(block.odd);
            let first = block.of_class(is_odd ^ (lower % 2 == 1));
            c.increase(u32::try_from(rest.checked_div(pair)?.checked_mul(2)?).ok()?);
            rest = rest.checked_rem(pair)?;
            if rest >= first {
                c.increase(1);
                rest.take_away(first);
            }
            is_odd ^= *c % 2 == 1;
        }
        Some(site)
    }
}

/// Numbers of even and of odd sites.
#[derive(Debug, Clone, Copy)]
struct Parities {
    even: u64,
    odd: u64,
}

impl Parities {
    /// One site without coordinates.
    const ONE: Self = Self { even: 1, odd: 0 };

    /// The coordinates from `lower` on in one dimension.
    const fn of(lower: u32, length: u64) -> Self {
        let (half, rest) = (length / 2, length % 2);
        let more = half.saturating_add(rest);
        if lower.is_multiple_of(2) { Self { even: more, odd: half } } else { Self { even: half, odd: more } }
    }

    /// Each of these sites with each of these coordinates in one more dimension. The numbers fit, since they are never
    /// larger than the number of sites of a box.
    fn times(self, other: Self) -> Self {
        Self {
            even: self.even.times(other.even).plus(self.odd.times(other.odd)),
            odd: self.even.times(other.odd).plus(self.odd.times(other.even)),
        }
    }

    const fn of_class(self, is_odd: bool) -> u64 {
        if is_odd { self.odd } else { self.even }
    }
}

/// Ranks of the sites of a volume in the order of its site list, from [`BoxSites::ranks_from`].
///
/// ```
/// use linkstream::lattice::Extents;
/// use linkstream::volume::{Mesh, NodeOrder};
///
/// let mesh = Mesh::new(&Extents::new(&[4, 2])?, &[2], &[2])?;
/// let mut ranks = mesh.sites(1, NodeOrder::EvenOdd).ok_or("there are two")?.ranks_from(3);
/// assert_eq!((ranks.next(), ranks.next()), (Some(6), None));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoxRanks {
    walk: Walk,
}

impl Iterator for BoxRanks {
    type Item = u64;

    #[inline]
    fn next(&mut self) -> Option<u64> {
        let rank = self.walk.rank()?;
        self.walk.step();
        Some(rank)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.walk.size_hint()
    }
}

/// The sites of a process in the order of the site list of its volume, from [`BoxSites::part`].
///
/// ```
/// use linkstream::lattice::Extents;
/// use linkstream::volume::{IndexedSite, Mesh, NodeOrder};
///
/// let mesh = Mesh::new(&Extents::new(&[4, 2])?, &[2], &[1])?;
/// let volume = mesh.sites(0, NodeOrder::EvenOdd).ok_or("one volume")?;
/// let own = volume.part(&mesh.node(1).ok_or("two nodes")?);
/// assert_eq!(own.size_hint(), (4, Some(4)));
/// assert_eq!(own.last(), Some(IndexedSite { index: 7, rank: 6 }));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoxPart {
    volume: BoxSites,
    walk: Walk,
    /// Index of the next site, unless it starts a row.
    index: u64,
}

impl Iterator for BoxPart {
    type Item = IndexedSite;

    #[inline]
    fn next(&mut self) -> Option<IndexedSite> {
        let rank = self.walk.rank()?;
        // In a row, the sites of a part are adjacent in the order of the volume.
        if self.walk.starts_row() {
            self.index = self.volume.index_at(self.walk.site())?;
        }
        let index = self.index;
        self.index.increase(1);
        self.walk.step();
        Some(IndexedSite { index, rank })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.walk.size_hint()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    fn corner(values: &[u32]) -> Coordinates {
        Coordinates::new(values).unwrap()
    }

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
    fn numbers_equal_those_of_a_walk_in_all_boxes() {
        let mut boxes = 0;
        for extents in [&[5][..], &[1, 4], &[4, 3], &[2, 3, 2], &[3, 1, 3], &[2, 1, 3, 2], &[3, 3, 2, 2]] {
            let lattice = Extents::new(extents).unwrap();
            for lower in (0..lattice.sites()).filter_map(|rank| lattice.coordinates(rank)) {
                for upper in (0..lattice.sites()).filter_map(|rank| lattice.coordinates(rank)) {
                    let Ok(cube) = Hypercube::new(lower, upper, &lattice) else { continue };
                    for order in [NodeOrder::Lexicographic, NodeOrder::EvenOdd] {
                        let sites = BoxSites::new(&lattice, &cube, order).unwrap();
                        let expected = sorted(&lattice, &cube, order);
                        assert_eq!(sites.sites(), expected.len() as u64);
                        assert_eq!(Some(sites.largest_rank()), expected.iter().copied().max());
                        assert_eq!(sites.ranks_from(0).collect::<Vec<_>>(), expected, "{sites:?}");
                        for (index, rank) in (0..).zip(&expected) {
                            assert_eq!(sites.index_of(*rank), Some(index), "{sites:?}");
                            assert_eq!(sites.rank_at(index), Some(*rank), "{sites:?}");
                            let next = sites.ranks_from(index).take(3);
                            assert!(next.eq(expected.iter().copied().skip(index as usize).take(3)));
                        }
                        let outside = (0..=lattice.sites()).filter(|rank| !expected.contains(rank));
                        assert_eq!(outside.filter_map(|rank| sites.index_of(rank)).count(), 0);
                        let beyond = (sites.rank_at(sites.sites()), sites.ranks_from(sites.sites()).next());
                        assert_eq!(beyond, (None, None));
                        boxes += 1;
                    }
                }
            }
        }
        assert!(boxes > 1000, "{boxes}");
    }

    #[test]
    fn a_part_has_its_sites_with_their_indices_in_the_volume() {
        let lattice = Extents::new(&[4, 3, 3]).unwrap();
        let cube = Hypercube::new(corner(&[1, 0, 0]), corner(&[3, 2, 1]), &lattice).unwrap();
        for order in [NodeOrder::Lexicographic, NodeOrder::EvenOdd] {
            let volume = BoxSites::new(&lattice, &cube, order).unwrap();
            let expected = sorted(&lattice, &cube, order);
            for lower in (0..36).filter_map(|rank| lattice.coordinates(rank)) {
                for upper in (0..36).filter_map(|rank| lattice.coordinates(rank)) {
                    let Ok(part) = Hypercube::new(lower, upper, &lattice) else { continue };
                    let own = (0..)
                        .zip(&expected)
                        .filter(|(_, rank)| part.contains(&lattice.coordinates(**rank).unwrap()));
                    let own = own.map(|(index, rank)| IndexedSite { index, rank: *rank });
                    assert_eq!(volume.part(&part).collect::<Vec<_>>(), own.collect::<Vec<_>>(), "{part:?}");
                }
            }
            let other = Extents::new(&[4]).unwrap();
            let other = Hypercube::new(corner(&[0]), corner(&[3]), &other).unwrap();
            assert_eq!((volume.within(&other), volume.part(&other).next()), (None, None));
        }
    }

    /// The largest lattices: no product overflows.
    #[test]
    fn numbers_of_the_largest_lattice_fit() {
        let lattice = Extents::new(&[u32::MAX, u32::MAX]).unwrap();
        let cube = Hypercube::new(corner(&[0, 0]), corner(&[u32::MAX - 1; 2]), &lattice).unwrap();
        for order in [NodeOrder::Lexicographic, NodeOrder::EvenOdd] {
            let sites = BoxSites::new(&lattice, &cube, order).unwrap();
            for index in [0, 1, 1 << 40, sites.sites() / 2, sites.sites() / 2 + 1, sites.sites() - 1] {
                assert_eq!(sites.rank_at(index).and_then(|rank| sites.index_of(rank)), Some(index));
            }
            assert_eq!(sites.ranks_from(sites.sites() - 2).count(), 2);
        }
    }
}
