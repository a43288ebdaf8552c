//! Going through the sites of a field in the order in which they are stored.

use super::checksum::Residues;
use super::extents::{Coordinates, Extents};
use super::hypercube::Hypercube;
use crate::state::{Put, Saved, Take};

/// Which sites of a lattice a field covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Region {
    /// All of them.
    Lattice,
    /// Those of a box.
    Hypercube(Hypercube),
    /// None: the data belong to the lattice as a whole, and count as one site of rank 0.
    Global,
}

impl Region {
    /// How many sites, of a lattice of these extents.
    #[must_use]
    pub const fn sites(&self, extents: &Extents) -> u64 {
        match self {
            Self::Lattice => extents.sites(),
            Self::Hypercube(cube) => cube.sites(),
            Self::Global => 1,
        }
    }
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
        let cube = from.take::<Hypercube>()?;
        match tag {
            0 => Some(Self::Lattice),
            1 => Some(Self::Hypercube(cube)),
            2 => Some(Self::Global),
            _ => None,
        }
    }
}

/// The present site of a field that is gone through in stored order: rank and coordinates in the full
/// lattice. Stepping costs no division.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Walk {
    extents: Extents,
    region: Region,
    coordinates: Coordinates,
    rank: u64,
    residues: Residues,
    /// Sites gone by.
    done: u64,
}

impl Walk {
    /// At the first site.
    #[must_use]
    pub fn new(extents: Extents, region: Region) -> Self {
        let coordinates = match &region {
            Region::Hypercube(cube) => *cube.lower(),
            Region::Lattice | Region::Global => Coordinates::zero(extents.dimensions()),
        };
        let rank = extents.rank(&coordinates).unwrap_or(0);
        Self { extents, region, coordinates, rank, residues: Residues::of(rank), done: 0 }
    }

    /// At the site of index `index` in stored order; at the end if there are not so many.
    #[must_use]
    pub fn at(extents: Extents, region: Region, index: u64) -> Self {
        let mut walk = Self::new(extents, region);
        walk.done = index.min(region.sites(&extents));
        let mut rest = walk.done;
        let mut coordinates = walk.coordinates;
        for (i, c) in coordinates.as_mut_slice().iter_mut().enumerate() {
            let (lower, upper) = walk.bounds(i);
            let length = u64::from(upper.saturating_sub(lower)).saturating_add(1);
            let along = rest.checked_rem(length).unwrap_or(0);
            *c = lower.saturating_add(u32::try_from(along).unwrap_or(u32::MAX));
            rest = rest.checked_div(length).unwrap_or(0);
        }
        walk.coordinates = coordinates;
        walk.rank = walk.extents.rank(&coordinates).unwrap_or(0);
        walk.residues = Residues::of(walk.rank);
        walk
    }

    /// First and last coordinate in dimension `i`, both inside.
    fn bounds(&self, i: usize) -> (u32, u32) {
        match &self.region {
            Region::Hypercube(cube) => (
                cube.lower().as_slice().get(i).copied().unwrap_or(0),
                cube.upper().as_slice().get(i).copied().unwrap_or(0),
            ),
            Region::Lattice => (0, self.extents.as_slice().get(i).map_or(0, |extent| extent.wrapping_sub(1))),
            Region::Global => (0, 0),
        }
    }

    /// Rank in the full lattice.
    #[must_use]
    #[inline]
    pub const fn rank(&self) -> u64 {
        self.rank
    }

    /// Coordinates in the full lattice.
    #[must_use]
    #[inline]
    pub const fn coordinates(&self) -> &Coordinates {
        &self.coordinates
    }

    /// The rank's residues, for the checksum.
    #[must_use]
    #[inline]
    pub const fn residues(&self) -> Residues {
        self.residues
    }

    /// Sites gone by.
    #[must_use]
    pub const fn done(&self) -> u64 {
        self.done
    }

    /// Goes to the next site.
    #[inline]
    pub fn step(&mut self) {
        self.done = self.done.wrapping_add(1);
        if let Region::Lattice = self.region {
            self.rank = self.rank.wrapping_add(1);
            self.residues = self.residues.next();
            // As in an odometer: most steps touch the first wheel only.
            for (c, extent) in self.coordinates.as_mut_slice().iter_mut().zip(self.extents.as_slice()) {
                *c = c.wrapping_add(1);
                if *c < *extent {
                    return;
                }
                *c = 0;
            }
        } else {
            self.step_in_box();
        }
    }

    fn step_in_box(&mut self) {
        let mut coordinates = self.coordinates;
        for (i, c) in coordinates.as_mut_slice().iter_mut().enumerate() {
            let (lower, upper) = self.bounds(i);
            if *c < upper {
                *c = c.wrapping_add(1);
                break;
            }
            *c = lower;
        }
        self.coordinates = coordinates;
        self.rank = self.extents.rank(&coordinates).unwrap_or(0);
        self.residues = Residues::of(self.rank);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn walks_every_site_of_a_region_in_rank_order() {
        let extents = Extents::new(&[3, 2, 4]).unwrap();
        let [lower, upper] = [[1, 0, 1], [2, 1, 2]].map(|c| Coordinates::new(&c).unwrap());
        let cube = Hypercube::new(lower, upper, &extents).unwrap();
        for region in [Region::Lattice, Region::Hypercube(cube)] {
            let inside = (0..extents.sites()).filter(|rank| match region {
                Region::Hypercube(cube) => cube.contains(&extents.coordinates(*rank).unwrap()),
                _ => true,
            });
            let mut walk = Walk::new(extents, region);
            for (index, rank) in inside.enumerate() {
                assert_eq!(walk.rank(), rank);
                assert_eq!(Some(*walk.coordinates()), extents.coordinates(rank));
                assert_eq!(walk.residues(), Residues::of(rank));
                assert_eq!(walk, Walk::at(extents, region, index as u64));
                walk.step();
            }
            assert_eq!(walk.done(), region.sites(&extents));
        }
    }
}
