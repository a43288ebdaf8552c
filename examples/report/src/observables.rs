//! Plaquette, link trace and unitarity of a gauge field that passes by one site at a time.
//!
//! A plaquette reaches at most one time slice ahead, so all plaquettes that start in a slice can be computed
//! while the next slice arrives. Kept are the previous slice, the current one, and of slice 0 the spatial
//! links, which close the plaquettes of the last slice: three slices, however long the lattice.

use crate::su3::{Matrix, larger_or_nan};

/// The number of link directions, in the order x, y, z, t.
const DIRECTIONS: usize = 4;

/// Of these, the directions within a time slice.
const SPATIAL: usize = 3;

/// The number of planes μ < ν a site's plaquettes lie in.
const PLANES: usize = 6;

/// The dimension of the matrices, by which traces are normalised.
const COLOURS: usize = 3;

/// The precision in which links wait for their neighbours; arithmetic is always in double.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stored {
    /// Half the memory, and nothing lost where the file itself is in single precision. Components computed
    /// from the file's, like a third row, are rounded to single.
    F32,
    F64,
}

/// What [`Observables`] found.
///
/// All three are NaN if any component of any link was infinite or NaN: one that hid in a place which one of
/// the averages does not look at would otherwise go unnoticed there.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Measured {
    /// Re tr U_plaquette / 3, averaged over sites and the six planes, periodic in all directions.
    pub plaquette: f64,
    /// Re tr U / 3, averaged over sites and directions.
    pub link_trace: f64,
    /// The largest element of |U U† - 1| on any link. Links whose components are all +0.0 are left out: that
    /// is how the links across an open boundary are stored.
    pub max_unitarity_deviation: f64,
}

/// Measures a gauge field while its sites arrive in lexicographic order, x fastest and t slowest.
#[derive(Debug)]
pub struct Observables {
    time_extent: u32,
    /// Where in its slice the next site lies.
    place: Place,
    slices_complete: u32,
    surplus_sites: bool,
    /// The spatial links of slice 0.
    first: Links<SPATIAL>,
    previous: Links<DIRECTIONS>,
    current: Links<DIRECTIONS>,
    plaquette: SliceSum,
    link_trace: SliceSum,
    max_unitarity_deviation: f64,
    all_finite: bool,
}

impl Observables {
    /// Allocates nothing: memory grows with the sites that arrive, not with what a header promises.
    pub fn new(extents: [u32; 4], stored: Stored) -> Self {
        let [x, y, z, t] = extents;
        // A slice without sites would never be complete; with no slices to come, every site is surplus.
        let time_extent = if extents.contains(&0) { 0 } else { t };
        Self {
            time_extent,
            place: Place::origin([x, y, z]),
            slices_complete: 0,
            surplus_sites: false,
            first: Links::new(stored),
            previous: Links::new(stored),
            current: Links::new(stored),
            plaquette: SliceSum::default(),
            link_trace: SliceSum::default(),
            max_unitarity_deviation: 0.0,
            all_finite: true,
        }
    }

    /// Takes the links that leave the next site towards +x, +y, +z, +t.
    pub fn site(&mut self, links: &[Matrix; 4]) {
        if self.slices_complete == self.time_extent {
            self.surplus_sites = true;
            return;
        }
        self.measure_links(links);
        let [x, y, z, _] = links;
        let spatial = [*x, *y, *z];
        if self.slices_complete == 0 {
            self.first.push(&spatial);
        } else {
            self.measure_plaquettes(&spatial);
        }
        self.current.push(links);
        if self.place.advance() {
            self.complete_slice();
        }
    }

    /// The averages, or `None` unless exactly the sites of the lattice came.
    pub fn finish(mut self) -> Option<Measured> {
        if self.slices_complete != self.time_extent || self.slices_complete == 0 || self.surplus_sites {
            return None;
        }
        let slice_sites = self.first.len();
        for site in 0..slice_sites {
            let above = self.first.site(site);
            self.measure_plaquettes(&above);
            self.place.advance();
        }
        self.plaquette.complete_slice();

        let sites = slice_sites as f64 * f64::from(self.time_extent);
        let unless_spoilt = |value| if self.all_finite { value } else { f64::NAN };
        Some(Measured {
            plaquette: unless_spoilt(self.plaquette.total / (sites * (PLANES * COLOURS) as f64)),
            link_trace: unless_spoilt(self.link_trace.total / (sites * (DIRECTIONS * COLOURS) as f64)),
            max_unitarity_deviation: unless_spoilt(self.max_unitarity_deviation),
        })
    }

    /// What can be said of a site's links without any neighbours.
    fn measure_links(&mut self, links: &[Matrix; 4]) {
        for link in links {
            let components = link.components();
            self.link_trace.slice += link.re_trace();
            // Without early exit, so that it takes a few vector instructions.
            self.all_finite &= components.iter().fold(true, |all, component| all & component.is_finite());
            if components.iter().any(|component| component.to_bits() != 0) {
                let deviation = link.max_unitarity_deviation();
                self.max_unitarity_deviation = larger_or_nan(self.max_unitarity_deviation, deviation);
            }
        }
    }

    /// Adds the plaquettes that start at the present place of the previous slice; `above` are the spatial
    /// links one step later in time.
    ///
    /// The two ways from the start to the opposite corner, U_μ(x) U_ν(x+μ) and U_ν(x) U_μ(x+ν), are the two
    /// halves of a plaquette, and one product each.
    fn measure_plaquettes(&mut self, above: &[Matrix; SPATIAL]) {
        let [x, y, z, t] = self.previous.site(self.place.site);
        let [to_x, to_y, to_z] = self.place.neighbours().map(|neighbour| self.previous.site(neighbour));
        let plaquette = |first: &Matrix, then: &Matrix, first_other: &Matrix, then_other: &Matrix| {
            first.mul(then).re_trace_mul_dagger(&first_other.mul(then_other))
        };
        self.plaquette.slice += plaquette(&x, &to_x[1], &y, &to_y[0])
            + plaquette(&x, &to_x[2], &z, &to_z[0])
            + plaquette(&y, &to_y[2], &z, &to_z[1])
            + plaquette(&x, &to_x[3], &t, &above[0])
            + plaquette(&y, &to_y[3], &t, &above[1])
            + plaquette(&z, &to_z[3], &t, &above[2]);
    }

    fn complete_slice(&mut self) {
        self.link_trace.complete_slice();
        // While slice 0 arrived there were no plaquettes yet, and this adds zero.
        self.plaquette.complete_slice();
        self.slices_complete += 1;
        std::mem::swap(&mut self.previous, &mut self.current);
        self.current.clear();
    }
}

/// A sum over the lattice by way of one sum per time slice. No partial sum grows as large as it would if
/// single terms were added to the total, and so less of each term is rounded away.
#[derive(Debug, Default)]
struct SliceSum {
    slice: f64,
    total: f64,
}

impl SliceSum {
    fn complete_slice(&mut self) {
        self.total += std::mem::take(&mut self.slice);
    }
}

/// A site of a time slice, its coordinates, and the extents they run over.
#[derive(Debug)]
struct Place {
    extents: [u32; SPATIAL],
    coordinates: [u32; SPATIAL],
    site: usize,
}

impl Place {
    fn origin(extents: [u32; SPATIAL]) -> Self {
        Self { extents, coordinates: [0; SPATIAL], site: 0 }
    }

    /// Advances to the next site, and from the last one back to the origin; returns whether it wrapped around.
    fn advance(&mut self) -> bool {
        self.site += 1;
        for (coordinate, &extent) in self.coordinates.iter_mut().zip(&self.extents) {
            *coordinate += 1;
            if *coordinate != extent {
                return false;
            }
            *coordinate = 0;
        }
        self.site = 0;
        true
    }

    /// The sites one step ahead in x, y and z, periodically. They exist once the slice has arrived, and so
    /// their numbers cannot overflow.
    fn neighbours(&self) -> [usize; SPATIAL] {
        let mut stride = 1;
        std::array::from_fn(|mu| {
            let coordinate = self.coordinates[mu];
            let at_end = coordinate + 1 == self.extents[mu];
            let ahead = if at_end { self.site - stride * coordinate as usize } else { self.site + stride };
            stride *= self.extents[mu] as usize;
            ahead
        })
    }
}

/// `N` links of each site of a time slice, as far as it has arrived.
#[derive(Debug)]
enum Links<const N: usize> {
    F32(Vec<[[[[f32; 2]; 3]; 3]; N]>),
    F64(Vec<[Matrix; N]>),
}

impl<const N: usize> Links<N> {
    fn new(stored: Stored) -> Self {
        match stored {
            Stored::F32 => Self::F32(Vec::new()),
            Stored::F64 => Self::F64(Vec::new()),
        }
    }

    fn len(&self) -> usize {
        match self {
            Self::F32(sites) => sites.len(),
            Self::F64(sites) => sites.len(),
        }
    }

    fn clear(&mut self) {
        match self {
            Self::F32(sites) => sites.clear(),
            Self::F64(sites) => sites.clear(),
        }
    }

    #[inline]
    fn push(&mut self, links: &[Matrix; N]) {
        match self {
            Self::F32(sites) => sites
                .push(links.map(|link| link.0.map(|row| row.map(|element| element.map(|part| part as f32))))),
            Self::F64(sites) => sites.push(*links),
        }
    }

    /// The links of a site that has arrived.
    #[inline]
    fn site(&self, site: usize) -> [Matrix; N] {
        match self {
            Self::F32(sites) => {
                sites[site].map(|link| Matrix(link.map(|row| row.map(|element| element.map(f64::from)))))
            }
            Self::F64(sites) => sites[site],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHAPES: [[u32; 4]; 9] = [
        [4, 3, 2, 5],
        [2, 2, 2, 1],
        [1, 3, 2, 2],
        [3, 3, 3, 3],
        [1, 1, 1, 1],
        [5, 1, 1, 2],
        [1, 2, 1, 3],
        [2, 1, 4, 1],
        [1, 1, 1, 4],
    ];

    type Field = Vec<[Matrix; 4]>;

    fn volume(extents: [u32; 4]) -> usize {
        extents.iter().product::<u32>() as usize
    }

    /// Components between -1 and 1 that single precision holds exactly, so that [`Stored::F32`] must give
    /// the same result.
    fn random_matrix(state: &mut u32) -> Matrix {
        let mut matrix = Matrix::ZERO;
        for component in matrix.0.as_flattened_mut().as_flattened_mut() {
            *state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            *component = f64::from(*state >> 16) / 32_768.0 - 1.0;
        }
        matrix
    }

    fn random_field(extents: [u32; 4]) -> Field {
        let mut state = 1;
        (0..volume(extents)).map(|_| [(); 4].map(|()| random_matrix(&mut state))).collect()
    }

    fn random_su3_field(extents: [u32; 4]) -> Field {
        random_field(extents).iter().map(|links| links.map(|link| link.reunitarise())).collect()
    }

    fn measure(field: &Field, extents: [u32; 4], stored: Stored) -> Option<Measured> {
        let mut observables = Observables::new(extents, stored);
        field.iter().for_each(|links| observables.site(links));
        observables.finish()
    }

    /// The definitions, evaluated directly over the entire lattice.
    fn brute_force(field: &Field, extents: [u32; 4]) -> Measured {
        let index = |c: [u32; 4]| {
            let [x, y, z, t] = c.map(|coordinate| coordinate as usize);
            let [ex, ey, ez, _] = extents.map(|extent| extent as usize);
            ((t * ez + z) * ey + y) * ex + x
        };
        let ahead = |mut c: [u32; 4], mu: usize| {
            c[mu] = (c[mu] + 1) % extents[mu];
            c
        };
        let (mut plaquette, mut trace, mut deviation) = (0.0, 0.0, 0.0);
        for t in 0..extents[3] {
            for z in 0..extents[2] {
                for y in 0..extents[1] {
                    for x in 0..extents[0] {
                        let here = [x, y, z, t];
                        for mu in 0..4 {
                            let u_mu = field[index(here)][mu];
                            trace += u_mu.re_trace() / 3.0;
                            deviation = f64::max(deviation, u_mu.max_unitarity_deviation());
                            for nu in mu + 1..4 {
                                let u_nu = field[index(here)][nu];
                                let u_nu_ahead = field[index(ahead(here, mu))][nu];
                                let u_mu_above = field[index(ahead(here, nu))][mu];
                                let around =
                                    u_mu.mul(&u_nu_ahead).mul(&u_mu_above.dagger()).mul(&u_nu.dagger());
                                plaquette += around.re_trace() / 3.0;
                            }
                        }
                    }
                }
            }
        }
        let sites = volume(extents) as f64;
        Measured {
            plaquette: plaquette / (6.0 * sites),
            link_trace: trace / (4.0 * sites),
            max_unitarity_deviation: deviation,
        }
    }

    #[track_caller]
    fn assert_close(found: Measured, expected: Measured, tolerance: f64) {
        for (a, b) in [
            (found.plaquette, expected.plaquette),
            (found.link_trace, expected.link_trace),
            (found.max_unitarity_deviation, expected.max_unitarity_deviation),
        ] {
            assert!((a - b).abs() <= tolerance, "{found:?} is not {expected:?}");
        }
    }

    #[test]
    fn agrees_with_brute_force() {
        for extents in SHAPES {
            let arbitrary = random_field(extents);
            let su3 = random_su3_field(extents);
            for stored in [Stored::F32, Stored::F64] {
                let found = measure(&arbitrary, extents, stored).unwrap();
                assert_close(found, brute_force(&arbitrary, extents), 1e-13);
            }
            assert_close(measure(&su3, extents, Stored::F64).unwrap(), brute_force(&su3, extents), 1e-14);
            assert_close(measure(&su3, extents, Stored::F32).unwrap(), brute_force(&su3, extents), 1e-6);
        }
    }

    #[test]
    fn what_is_not_finite_spoils_all_results() {
        let extents = [2, 3, 1, 3];
        for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
            for (site, mu, component) in [(0, 0, 0), (7, 3, 3), (17, 2, 17), (16, 3, 1)] {
                let mut field = random_su3_field(extents);
                field[site][mu].0.as_flattened_mut().as_flattened_mut()[component] = bad;
                let found = measure(&field, extents, Stored::F64).unwrap();
                assert!(found.plaquette.is_nan() && found.link_trace.is_nan());
                assert!(found.max_unitarity_deviation.is_nan());
            }
        }
    }

    #[test]
    fn zero_links_count_in_averages_and_not_in_unitarity() {
        let extents = [2, 2, 2, 3];
        let mut field = random_su3_field(extents);
        field[16..].iter_mut().for_each(|links| links[3] = Matrix::ZERO);
        let found = measure(&field, extents, Stored::F64).unwrap();
        let expected = Measured { max_unitarity_deviation: 0.0, ..brute_force(&field, extents) };
        assert_close(found, expected, 1e-14);
        field[16][3].0[2][2][1] = -0.0;
        assert_eq!(measure(&field, extents, Stored::F64).unwrap().max_unitarity_deviation, 1.0);
    }

    #[test]
    fn the_number_of_sites_must_be_right() {
        for extents in SHAPES {
            let mut field = random_field(extents);
            let last = field.pop().unwrap();
            assert_eq!(measure(&field, extents, Stored::F64), None);
            field.extend([last, last]);
            assert_eq!(measure(&field, extents, Stored::F64), None);
        }
        assert_eq!(measure(&random_field([1; 4]), [0, 1, 1, 1], Stored::F64), None);
        assert_eq!(measure(&random_field([1; 4]), [1, 1, 1, 0], Stored::F64), None);
        assert_eq!(measure(&Field::new(), [1, 1, 1, 0], Stored::F64), None);
        assert_eq!(measure(&random_field([2; 4]), [u32::MAX; 4], Stored::F32), None);
    }
}
