//! A part of a lattice on one of several ranks.

use crate::lattice::{DIMENSIONS, Lattice};
use crate::random::{Rng, splitmix64};
use crate::su3::Matrix;

/// Consecutive time slices of a periodic lattice, and copies of the slices before and after them (halos).
///
/// A sweep updates the lattice in eight parts, and the ranks exchange their [`edge`](Self::edge) slices after each of
/// them. Each link has random numbers of its own, derived from seed, sweep, site and direction. So the links are the
/// same, to the bit, on any number of ranks, and after a restart.
///
/// ```
/// use linkstream_heatbath::{Edge, Part, Slab};
///
/// // One rank with all slices is its own neighbour.
/// let mut slab = Slab::cold([4, 4, 4, 4], 0, 4);
/// for part in Part::all() {
///     slab.update(part, 6.0, 1, 0);
///     for edge in [Edge::Lower, Edge::Upper] {
///         let copy = slab.edge(edge).to_vec();
///         slab.halo_mut(edge.opposite()).copy_from_slice(&copy);
///     }
/// }
/// assert_eq!(slab.links().len(), 256);
/// ```
#[derive(Clone, Debug)]
pub struct Slab {
    /// The slices with their halos, as a lattice of its own. Only links between the halos are updated, so it does not
    /// matter that this lattice is periodic too.
    lattice: Lattice,
    extents: [usize; DIMENSIONS],
    first: usize,
    slices: usize,
}

/// One of the two slices of a [`Slab`] that have a neighbour on another rank.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edge {
    /// The first slice.
    Lower,
    /// The last slice.
    Upper,
}

impl Edge {
    /// The other edge.
    #[must_use]
    pub const fn opposite(self) -> Self {
        match self {
            Self::Lower => Self::Upper,
            Self::Upper => Self::Lower,
        }
    }
}

/// Links that can be updated in any order, since none is in the staple of another one: all links in one direction at
/// sites of one parity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    mu: usize,
    parity: usize,
}

impl Part {
    /// Direction of the links.
    #[must_use]
    pub const fn direction(self) -> usize {
        self.mu
    }

    /// The parts of a sweep, in their order.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..DIMENSIONS).flat_map(|mu| [0, 1].map(|parity| Self { mu, parity }))
    }
}

impl Slab {
    /// `slices` time slices from `first` on of a lattice with these extents. All links are 1.
    ///
    /// # Panics
    /// An extent is odd or 0: the parity of a site would depend on the way around the lattice. Or the lattice does not
    /// have these slices.
    #[must_use]
    pub fn cold(extents: [usize; DIMENSIONS], first: usize, slices: usize) -> Self {
        assert!(
            extents.iter().all(|extent| *extent > 0 && extent % 2 == 0),
            "extents must be even: {extents:?}"
        );
        assert!(first + slices <= extents[3], "the lattice has {} time slices", extents[3]);
        let [x, y, z, _] = extents;
        Self { lattice: Lattice::cold([x, y, z, slices + 2]), extents, first, slices }
    }

    /// Number of sites in a time slice.
    fn slice(&self) -> usize {
        self.extents[..3].iter().product()
    }

    /// The links of the sites, in lexicographic order, x fastest.
    #[must_use]
    pub fn links(&self) -> &[[Matrix; DIMENSIONS]] {
        let slice = self.slice();
        &self.lattice.links[slice..][..self.slices * slice]
    }

    /// The links of the sites, to be replaced. The halos must be set afterwards.
    pub fn links_mut(&mut self) -> &mut [[Matrix; DIMENSIONS]] {
        let slice = self.slice();
        &mut self.lattice.links[slice..][..self.slices * slice]
    }

    /// The links of a slice that another rank needs as its halo.
    ///
    /// # Panics
    /// The slab has no slices.
    #[must_use]
    pub fn edge(&self, edge: Edge) -> &[[Matrix; DIMENSIONS]] {
        let place = match edge {
            Edge::Lower => 0,
            Edge::Upper => self.slices - 1,
        };
        let slice = self.slice();
        &self.links()[place * slice..][..slice]
    }

    /// The copy of the neighbour's slice beyond an edge.
    pub fn halo_mut(&mut self, beyond: Edge) -> &mut [[Matrix; DIMENSIONS]] {
        let place = match beyond {
            Edge::Lower => 0,
            Edge::Upper => self.slices + 1,
        };
        let slice = self.slice();
        &mut self.lattice.links[place * slice..][..slice]
    }

    /// Updates a part of the links by the heat bath, and projects them to SU(3). The halos must be copies of the
    /// links after the part before.
    pub fn update(&mut self, part: Part, beta: f64, seed: u64, sweep: u64) {
        let slice = self.slice();
        let Part { mu, parity } = part;
        for local in slice..(self.slices + 1) * slice {
            let site = (self.first + self.slices_before(local, slice)) * slice + local % slice;
            if self.parity(site) == parity {
                let mut rng = random_numbers([seed, sweep, site as u64, mu as u64]);
                let link = self.lattice.updated(local, mu, |staple| staple.heat_bath(beta, &mut rng));
                self.lattice.links[local][mu] = link.reunitarise();
            }
        }
    }

    /// Number of own slices before a site of the lattice with halos.
    const fn slices_before(&self, local: usize, slice: usize) -> usize {
        local / slice - 1
    }

    /// Parity of a site of the whole lattice.
    fn parity(&self, site: usize) -> usize {
        let coordinate = |rest: &mut usize, extent| {
            let coordinate = *rest % extent;
            *rest /= extent;
            coordinate
        };
        let mut rest = site;
        self.extents.iter().map(|extent| coordinate(&mut rest, *extent)).sum::<usize>() % 2
    }
}

/// The generator of one link in one sweep.
fn random_numbers(key: [u64; 4]) -> Rng {
    Rng::new(key.into_iter().fold(0, |state, number| splitmix64(&mut (state ^ number))))
}

#[cfg(test)]
mod tests {
    use super::*;

    const DIMS: [usize; 4] = [4, 2, 4, 6];

    /// Sweeps over slabs with these numbers of slices, one after the other in place of ranks.
    fn sweep(slabs: &mut [Slab], sweep: u64) {
        for part in Part::all() {
            slabs.iter_mut().for_each(|slab| slab.update(part, 5.7, 3, sweep));
            exchange(slabs);
        }
    }

    fn exchange(slabs: &mut [Slab]) {
        for q in 0..slabs.len() {
            let next = (q + 1) % slabs.len();
            let (lower, upper) =
                (slabs[q].edge(Edge::Upper).to_vec(), slabs[next].edge(Edge::Lower).to_vec());
            slabs[next].halo_mut(Edge::Lower).copy_from_slice(&lower);
            slabs[q].halo_mut(Edge::Upper).copy_from_slice(&upper);
        }
    }

    fn slabs(slices: &[usize]) -> Vec<Slab> {
        let firsts = slices.iter().scan(0, |sum, n| Some(std::mem::replace(sum, *sum + n)));
        firsts.zip(slices).map(|(first, n)| Slab::cold(DIMS, first, *n)).collect()
    }

    fn links(slabs: &[Slab]) -> Vec<[Matrix; 4]> {
        slabs.iter().flat_map(Slab::links).copied().collect()
    }

    #[test]
    fn links_do_not_depend_on_the_number_of_ranks() {
        let mut whole = slabs(&[6]);
        (0..3).for_each(|number| sweep(&mut whole, number));
        assert_ne!(links(&whole), links(&slabs(&[6])));
        for division in [&[3, 3][..], &[1, 5], &[1, 1, 2, 1, 1]] {
            let mut parts = slabs(division);
            (0..3).for_each(|number| sweep(&mut parts, number));
            assert!(links(&parts) == links(&whole), "{division:?}");
        }
    }

    #[test]
    fn a_restart_on_other_ranks_continues_with_the_same_links() {
        let (mut whole, mut before) = (slabs(&[6]), slabs(&[2, 4]));
        (0..4).for_each(|number| sweep(&mut whole, number));
        (0..2).for_each(|number| sweep(&mut before, number));
        let (stored, mut after) = (links(&before), slabs(&[1, 3, 2]));
        let mut rest = stored.as_slice();
        for slab in &mut after {
            let (own, others) = rest.split_at(slab.links().len());
            slab.links_mut().copy_from_slice(own);
            rest = others;
        }
        exchange(&mut after);
        (2..4).for_each(|number| sweep(&mut after, number));
        assert!(links(&after) == links(&whole));
    }

    #[test]
    fn the_plaquette_comes_to_its_value() {
        let extents = [4; 4];
        let mut slab = [Slab::cold(extents, 0, 4)];
        let mut sum = 0.0;
        for number in 0..40 {
            for part in Part::all() {
                slab[0].update(part, 6.0, 1, number);
                exchange(&mut slab);
            }
            if number >= 30 {
                let mut lattice = Lattice::cold(extents);
                lattice.links.copy_from_slice(slab[0].links());
                sum += crate::lattice::tests::measure(&lattice, extents).plaquette.unwrap() / 10.0;
            }
        }
        // The value of `Lattice::sweep`, which has other random numbers and another order.
        assert!((0.585..0.615).contains(&sum), "{sum}");
    }
}
