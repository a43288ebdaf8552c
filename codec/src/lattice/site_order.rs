//! Regions of a lattice, such as the box of sites that QIO calls a hypercube, and the order of their sites.
//!
//! # Invariants
//! A `Cursor` knows one site in three ways. `step` and `at` change them together:
//!
//! | field | holds | changes |
//! |---|---|---|
//! | `done` | index of the site in stored order, which is the number of sites before it | by 1 in each step, also beyond the last site |
//! | `coordinates` | of the site in the full lattice, inside the bounds of the region; x changes fastest | a coordinate at its upper bound starts again and carries; after the last site comes the first |
//! | `residues` | of the rank in the full lattice, mod 29 and mod 31 | counted on while the rank grows by 1, else divided |
//!
//! In a whole lattice, the rank is `done`. In a box, ranks are consecutive along x only. Global data are one site of
//! rank 0.

use super::checksum::Residues;
use super::extents::{Coordinates, Extents};
use crate::counter::Counter as _;
use crate::messages::messages;
use crate::state::{Put, Saved, Take};

messages! {
    /// Reason why bounds do not describe a hypercube of a lattice.
    ///
    /// # Example
    /// ```
    /// use linkstream::lattice::{Coordinates, Extents, Hypercube};
    ///
    /// let corner = Coordinates::new(&[4, 0]).ok_or("more than 8 dimensions")?;
    /// assert!(Hypercube::new(corner, corner, &Extents::new(&[4, 4])?).is_err());
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub enum HypercubeError {
        /// The number of bounds differs from the number of dimensions of the lattice.
        Dimensions => ("the bounds of the hypercube have another number of dimensions than the lattice"),
        /// A lower bound lies above its upper bound.
        Reversed => ("a lower bound of the hypercube is greater than its upper bound"),
        /// An upper bound lies outside the lattice. Both bounds are inclusive.
        Outside => ("an upper bound of the hypercube is outside the lattice (bounds are inclusive)"),
    }
}

/// The sites between two corners, both included. Both corners are coordinates in the full lattice.
///
/// ```
/// use linkstream::lattice::{Coordinates, Extents, Hypercube};
///
/// let extents = Extents::new(&[4, 4, 4, 8])?;
/// let corner = |values| Coordinates::new(values).ok_or("more than 8 dimensions");
/// let slice = Hypercube::new(corner(&[0, 0, 0, 2])?, corner(&[3, 3, 3, 2])?, &extents)?;
/// assert_eq!(slice.sites(), 64);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Hypercube {
    lower: Coordinates,
    upper: Coordinates,
}

impl Hypercube {
    /// The box between `lower` and `upper` in a lattice of these extents.
    ///
    /// # Errors
    /// See [`HypercubeError`].
    pub fn new(lower: Coordinates, upper: Coordinates, extents: &Extents) -> Result<Self, HypercubeError> {
        let dimensions = usize::from(extents.dimensions());
        if lower.as_slice().len() != dimensions || upper.as_slice().len() != dimensions {
            return Err(HypercubeError::Dimensions);
        }
        let bounds = lower.as_slice().iter().zip(upper.as_slice());
        for ((lower, upper), extent) in bounds.zip(extents.as_slice()) {
            if lower > upper {
                return Err(HypercubeError::Reversed);
            }
            if upper >= extent {
                return Err(HypercubeError::Outside);
            }
        }
        Ok(Self { lower, upper })
    }

    /// The corner nearest the origin.
    ///
    /// # Example
    /// ```
    /// use linkstream::lattice::{Coordinates, Extents, Hypercube};
    ///
    /// let corner = |values| Coordinates::new(values).ok_or("more than 8 dimensions");
    /// let cube = Hypercube::new(corner(&[1, 0])?, corner(&[2, 3])?, &Extents::new(&[4, 4])?)?;
    /// assert_eq!((cube.lower().as_slice(), cube.upper().as_slice()), (&[1, 0][..], &[2, 3][..]));
    /// assert!(cube.sites() == 8 && cube.contains(&corner(&[2, 0])?) && !cube.contains(&corner(&[3, 0])?));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn lower(&self) -> &Coordinates {
        &self.lower
    }

    /// The opposite corner, still inside.
    #[must_use]
    pub const fn upper(&self) -> &Coordinates {
        &self.upper
    }

    /// The number of sites.
    #[must_use]
    pub fn sites(&self) -> u64 {
        // Never more than the lattice, whose sites were counted without overflow.
        let bounds = self.lower.as_slice().iter().zip(self.upper.as_slice());
        bounds.fold(1, |sites, (lower, upper)| sites.times(u64::from(upper.minus(*lower)).plus(1)))
    }

    /// The time of the sites, if they are all sites of one time slice: time is the last dimension.
    ///
    /// # Example
    /// ```
    /// use linkstream::lattice::{Coordinates, Extents, Hypercube};
    ///
    /// let (extents, corner) = (Extents::new(&[4, 8])?, |values| Coordinates::new(values).ok_or("more than 8"));
    /// assert_eq!(Hypercube::new(corner(&[0, 5])?, corner(&[3, 5])?, &extents)?.time_slice(&extents), Some(5));
    /// assert_eq!(Hypercube::new(corner(&[1, 5])?, corner(&[3, 5])?, &extents)?.time_slice(&extents), None);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub fn time_slice(&self, extents: &Extents) -> Option<u32> {
        let (first, space) = self.lower.as_slice().split_last()?;
        let (last, space_upper) = self.upper.as_slice().split_last()?;
        let (_, space_extents) = extents.as_slice().split_last()?;
        let lengths = space.iter().zip(space_upper).zip(space_extents);
        let is_whole = lengths
            .clone()
            .all(|((lower, upper), extent)| *lower == 0 && upper.checked_add(1) == Some(*extent));
        (is_whole && first == last && lengths.count() == space_extents.len()).then_some(*first)
    }

    /// The sites that both boxes contain; `None` if there are none, or the boxes have different numbers of dimensions.
    ///
    /// # Example
    /// ```
    /// use linkstream::lattice::{Coordinates, Extents, Hypercube};
    ///
    /// let (extents, corner) = (Extents::new(&[4, 8])?, |values| Coordinates::new(values).ok_or("more than 8"));
    /// let cube = |lower, upper| Ok::<_, Box<dyn core::error::Error>>(Hypercube::new(corner(lower)?, corner(upper)?, &extents)?);
    /// let (left, late) = (cube(&[0, 0], &[1, 7])?, cube(&[0, 6], &[3, 7])?);
    /// assert_eq!(left.intersection(&late), Some(cube(&[0, 6], &[1, 7])?));
    /// assert_eq!(left.intersection(&cube(&[2, 0], &[3, 7])?), None);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub fn intersection(&self, other: &Self) -> Option<Self> {
        let mut common = *self;
        if other.lower.as_slice().len() != self.lower.as_slice().len() {
            return None;
        }
        for (lower, bound) in common.lower.as_mut_slice().iter_mut().zip(other.lower.as_slice()) {
            *lower = *bound.max(lower);
        }
        for (upper, bound) in common.upper.as_mut_slice().iter_mut().zip(other.upper.as_slice()) {
            *upper = *bound.min(upper);
        }
        let is_box =
            common.lower.as_slice().iter().zip(common.upper.as_slice()).all(|(lower, upper)| lower <= upper);
        is_box.then_some(common)
    }

    /// Index of a site among the sites of the box, from 0, where coordinate 0 runs fastest; `None` if the site is
    /// outside.
    ///
    /// # Example
    /// ```
    /// use linkstream::lattice::{Coordinates, Extents, Hypercube};
    ///
    /// let (extents, corner) = (Extents::new(&[4, 8])?, |values| Coordinates::new(values).ok_or("more than 8"));
    /// let cube = Hypercube::new(corner(&[2, 0])?, corner(&[3, 7])?, &extents)?;
    /// assert_eq!((cube.index(&corner(&[3, 1])?), cube.index(&corner(&[1, 1])?)), (Some(3), None));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub fn index(&self, site: &Coordinates) -> Option<u64> {
        if !self.contains(site) {
            return None;
        }
        let bounds = self.lower.as_slice().iter().zip(self.upper.as_slice());
        // Less than the number of sites, which fits.
        Some(site.as_slice().iter().zip(bounds).rev().fold(0, |index: u64, (c, (lower, upper))| {
            index.times(length(*lower, *upper)).plus(u64::from(c.minus(*lower)))
        }))
    }

    /// Returns whether a site is inside.
    #[must_use]
    pub fn contains(&self, site: &Coordinates) -> bool {
        site.as_slice().len() == self.lower.as_slice().len()
            && site
                .as_slice()
                .iter()
                .zip(self.lower.as_slice())
                .zip(self.upper.as_slice())
                .all(|((c, lower), upper)| lower <= c && c <= upper)
    }
}

impl Saved for Hypercube {
    const SIZE: usize = 2 * Coordinates::SIZE;

    fn put(&self, to: &mut Put<'_>) {
        to.put(&self.lower);
        to.put(&self.upper);
    }

    /// `None` for reversed bounds, and for a box of more sites than 64 bits can count.
    fn take(from: &mut Take<'_>) -> Option<Self> {
        let (lower, upper) = (from.take::<Coordinates>()?, from.take::<Coordinates>()?);
        let mut between = 1_u64;
        for (lower, upper) in lower.as_slice().iter().zip(upper.as_slice()) {
            let length = u64::from(upper.checked_sub(*lower)?).plus(1);
            between = between.checked_mul(length)?;
        }
        (lower.as_slice().len() == upper.as_slice().len()).then_some(Self { lower, upper })
    }
}

/// The sites of a lattice that a field covers.
///
/// # Example
/// ```
/// use linkstream::lattice::{Extents, Region};
///
/// let extents = Extents::new(&[4, 4, 4, 8])?;
/// assert_eq!((Region::Lattice.sites(&extents), Region::Global.sites(&extents)), (512, 1));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Region {
    /// All sites.
    Lattice,
    /// The sites of a hypercube.
    Hypercube(Hypercube),
    /// No sites: the data belong to the lattice as a whole, and count as one site of rank 0.
    Global,
}

impl Region {
    /// The number of these sites in a lattice of these extents; 1 for global data.
    #[must_use]
    pub fn sites(&self, extents: &Extents) -> u64 {
        match self {
            Self::Lattice => extents.sites(),
            Self::Hypercube(cube) => cube.sites(),
            Self::Global => 1,
        }
    }
}

impl Region {
    /// First and last coordinate in dimension `i`, both inclusive. Global data are at the origin.
    fn bounds(&self, extents: &Extents, i: usize) -> (u32, u32) {
        match self {
            Self::Hypercube(cube) => (
                cube.lower().as_slice().get(i).copied().unwrap_or(0),
                cube.upper().as_slice().get(i).copied().unwrap_or(0),
            ),
            Self::Lattice => (0, extents.as_slice().get(i).map_or(0, |extent| extent.minus(1))),
            Self::Global => (0, 0),
        }
    }
}

/// The number of coordinates between two bounds, both inclusive.
fn length(lower: u32, upper: u32) -> u64 {
    u64::from(upper.minus(lower)).plus(1)
}

impl Saved for Region {
    const SIZE: usize = 1 + Hypercube::SIZE;

    fn put(&self, to: &mut Put<'_>) {
        match self {
            Self::Lattice => to.bytes(&[0; Self::SIZE]),
            Self::Hypercube(cube) => {
                to.bytes(&[1]);
                to.put(cube);
            }
            Self::Global => {
                to.bytes(&[2]);
                to.bytes(&[0; Hypercube::SIZE]);
            }
        }
    }

    fn take(from: &mut Take<'_>) -> Option<Self> {
        let [tag] = from.array()?;
        let region = match tag {
            0 => Self::Lattice,
            1 => return from.take().map(Self::Hypercube),
            2 => Self::Global,
            _ => return None,
        };
        from.pass(Hypercube::SIZE)?;
        Some(region)
    }
}

/// Position in the stored order of the sites of a field. Unlike [`SiteOrder`], it does not contain extents and region.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub(crate) struct Cursor {
    coordinates: Coordinates,
    residues: Residues,
    /// The number of sites already passed.
    done: u64,
}

impl Cursor {
    /// Before the first site of a region. Programs that always read from the start thus link no division of 64 bits.
    pub(crate) fn first(extents: &Extents, region: &Region) -> Self {
        let mut cursor = Self {
            coordinates: Coordinates::zero(extents.dimensions()),
            residues: Residues::default(),
            done: 0,
        };
        if let Region::Hypercube(cube) = region {
            // The first site of a lattice, and global data, have rank 0. A box begins anywhere.
            cursor.coordinates = *cube.lower();
            cursor.divide(extents, region);
        }
        cursor
    }

    /// At the site with this index in stored order; at the end if there are fewer sites.
    pub(crate) fn at(extents: &Extents, region: &Region, index: u64) -> Self {
        let mut cursor = Self::first(extents, region);
        cursor.done = index.min(region.sites(extents));
        // The index in a number system with the lengths of the region as bases; the first dimension varies fastest.
        let mut rest = cursor.done;
        for (i, c) in cursor.coordinates.as_mut_slice().iter_mut().enumerate() {
            let (lower, upper) = region.bounds(extents, i);
            let length = length(lower, upper);
            // No length is 0: an extent of 0 and a box with its corners exchanged are refused before.
            let along = rest.checked_rem(length).unwrap_or(0);
            *c = lower.plus(along as u32);
            rest = rest.checked_div(length).unwrap_or(0);
        }
        cursor.divide(extents, region);
        cursor
    }

    /// Rank in the full lattice.
    #[inline]
    pub(crate) fn rank(&self, extents: &Extents, region: &Region) -> u64 {
        match region {
            Region::Lattice => self.done,
            Region::Hypercube(_) => extents.rank(&self.coordinates).unwrap_or(0),
            Region::Global => 0,
        }
    }

    /// Coordinates in the full lattice.
    #[inline]
    pub(crate) const fn coordinates(&self) -> &Coordinates {
        &self.coordinates
    }

    /// The rank's residues, for the checksum.
    #[inline]
    pub(crate) const fn residues(&self) -> Residues {
        self.residues
    }

    /// The number of sites already passed.
    pub(crate) const fn done(&self) -> u64 {
        self.done
    }

    /// Advances to the next site.
    #[inline]
    pub(crate) fn step(&mut self, extents: &Extents, region: &Region) {
        self.done.increase(1);
        match region {
            Region::Lattice => {
                // The ranks are consecutive, so the residues need no division.
                self.residues = self.residues.next();
                self.coordinates.advance(1, extents);
            }
            Region::Hypercube(cube) => self.step_in_box(extents, region, cube),
            Region::Global => {}
        }
    }

    fn step_in_box(&mut self, extents: &Extents, region: &Region, cube: &Hypercube) {
        let bounds = cube.lower().as_slice().iter().zip(cube.upper().as_slice());
        let mut is_x = true;
        for (c, (lower, upper)) in self.coordinates.as_mut_slice().iter_mut().zip(bounds) {
            if *c < *upper {
                c.increase(1);
                if is_x {
                    // The next rank, so the residues need no division.
                    self.residues = self.residues.next();
                    return;
                }
                break;
            }
            // A carry into the next dimension.
            *c = *lower;
            is_x = false;
        }
        // The rank has jumped over the sites outside of the box, or back to its first site after the last one.
        self.divide(extents, region);
    }

    /// Sets the residues of the current rank, by division.
    fn divide(&mut self, extents: &Extents, region: &Region) {
        self.residues = Residues::of(self.rank(extents, region));
    }
}

/// Iterates over the sites of a field in stored order, and holds rank and coordinates of the current site in the
/// full lattice. A step through the whole lattice needs no division.
///
/// # Example
/// ```
/// use linkstream::lattice::{Extents, Region, SiteOrder};
///
/// // The sites 6 and 7 of a lattice of 4 times 2 sites: x changes fastest.
/// let mut sites = SiteOrder::at(Extents::new(&[4, 2])?, Region::Lattice, 6);
/// assert_eq!((sites.rank(), sites.coordinates().as_slice()), (6, &[2, 1][..]));
/// sites.step();
/// assert_eq!((sites.rank(), sites.coordinates().as_slice(), sites.done()), (7, &[3, 1][..], 7));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct SiteOrder {
    extents: Extents,
    region: Region,
    cursor: Cursor,
}

impl SiteOrder {
    /// A position at the first site.
    #[must_use]
    pub fn new(extents: Extents, region: Region) -> Self {
        Self { extents, region, cursor: Cursor::first(&extents, &region) }
    }

    /// A position at the site with this index in stored order; at the end if there are fewer sites.
    #[must_use]
    pub fn at(extents: Extents, region: Region, index: u64) -> Self {
        Self { extents, region, cursor: Cursor::at(&extents, &region, index) }
    }

    /// From a cursor.
    pub(crate) const fn of(extents: Extents, region: Region, cursor: Cursor) -> Self {
        Self { extents, region, cursor }
    }

    /// Rank in the full lattice.
    #[must_use]
    #[inline]
    pub fn rank(&self) -> u64 {
        self.cursor.rank(&self.extents, &self.region)
    }

    /// Coordinates in the full lattice.
    #[must_use]
    #[inline]
    pub const fn coordinates(&self) -> &Coordinates {
        &self.cursor.coordinates
    }

    /// The residues of the rank, for the checksum.
    #[must_use]
    #[inline]
    pub const fn residues(&self) -> Residues {
        self.cursor.residues
    }

    /// The number of sites already passed.
    #[must_use]
    pub const fn done(&self) -> u64 {
        self.cursor.done
    }

    /// Advances to the next site.
    #[inline]
    pub fn step(&mut self) {
        self.cursor.step(&self.extents, &self.region);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(lower: &[u32], upper: &[u32]) -> Result<Hypercube, HypercubeError> {
        let extents = Extents::new(&[2, 3, 4]).unwrap();
        Hypercube::new(Coordinates::new(lower).unwrap(), Coordinates::new(upper).unwrap(), &extents)
    }

    #[test]
    fn bounds_are_inclusive_and_checked() {
        assert_eq!(of(&[0, 0, 0], &[1, 2, 3]).unwrap().sites(), 24);
        assert_eq!(of(&[1, 1, 1], &[1, 1, 1]).unwrap().sites(), 1);
        assert_eq!(of(&[0, 0, 0], &[1, 2, 4]), Err(HypercubeError::Outside));
        assert_eq!(of(&[0, 2, 0], &[1, 1, 3]), Err(HypercubeError::Reversed));
        assert_eq!(of(&[0, 0], &[1, 1]), Err(HypercubeError::Dimensions));
    }

    #[test]
    fn contains_both_corners() {
        let cube = of(&[0, 1, 1], &[1, 2, 3]).unwrap();
        assert!(cube.contains(cube.lower()) && cube.contains(cube.upper()));
        assert!(!cube.contains(&Coordinates::new(&[0, 0, 1]).unwrap()));
        assert!(!cube.contains(&Coordinates::new(&[0, 1]).unwrap()));
    }

    #[test]
    fn visits_every_site_of_a_region_in_rank_order() {
        let extents = Extents::new(&[3, 2, 4]).unwrap();
        let [lower, upper] = [[1, 0, 1], [2, 1, 2]].map(|c| Coordinates::new(&c).unwrap());
        let cube = Hypercube::new(lower, upper, &extents).unwrap();
        for region in [Region::Lattice, Region::Hypercube(cube)] {
            let inside = (0..extents.sites()).filter(|rank| match region {
                Region::Hypercube(cube) => cube.contains(&extents.coordinates(*rank).unwrap()),
                _ => true,
            });
            let mut walk = SiteOrder::new(extents, region);
            for (index, rank) in inside.enumerate() {
                assert_eq!(walk.rank(), rank);
                assert_eq!(Some(*walk.coordinates()), extents.coordinates(rank));
                assert_eq!(walk.residues(), Residues::of(rank));
                assert_eq!(walk, SiteOrder::at(extents, region, index as u64));
                walk.step();
            }
            assert_eq!(walk.done(), region.sites(&extents));
        }
    }

    /// Every box of a small lattice, from every site by every distance.
    #[test]
    fn advancing_equals_stepping() {
        let extents = Extents::new(&[3, 1, 2, 4]).unwrap();
        let all = || (0..extents.sites()).map(|rank| extents.coordinates(rank).unwrap());
        let boxes = all()
            .flat_map(|lower| all().filter_map(move |upper| Hypercube::new(lower, upper, &extents).ok()));
        for region in boxes.map(Region::Hypercube).chain([Region::Lattice, Region::Global]) {
            let sites = region.sites(&extents);
            let mut walk = SiteOrder::new(extents, region);
            for from in 0..sites {
                assert_eq!(walk.residues(), Residues::of(walk.rank()));
                let mut far = walk;
                for n in 0..=sites - from {
                    let jump = SiteOrder::at(extents, region, from + n);
                    assert_eq!((jump.done(), jump.rank()), (far.done(), far.rank()));
                    assert_eq!(jump.residues(), far.residues());
                    far.step();
                }
                walk.step();
            }
            assert_eq!(SiteOrder::at(extents, region, u64::MAX).done(), sites);
        }
    }

    #[test]
    fn the_index_in_a_box_and_the_common_box() {
        let extents = Extents::new(&[3, 2, 4]).unwrap();
        let all = || (0..extents.sites()).map(|rank| extents.coordinates(rank).unwrap());
        let boxes = || {
            all().flat_map(|lower| all().filter_map(move |upper| Hypercube::new(lower, upper, &extents).ok()))
        };
        for cube in boxes() {
            let inside = all().filter(|site| cube.contains(site));
            assert!(inside.zip(0..).all(|(site, index)| cube.index(&site) == Some(index)));
            assert!(all().all(|site| cube.index(&site).is_some() == cube.contains(&site)));
            for other in boxes().step_by(7) {
                let common = cube.intersection(&other);
                let expected = all().filter(|site| cube.contains(site) && other.contains(site)).count();
                assert_eq!(common.map_or(0, |common| common.sites()), expected as u64);
                assert!(common.is_none_or(|common| all().all(|site| {
                    common.contains(&site) == (cube.contains(&site) && other.contains(&site))
                })));
            }
        }
    }
}
