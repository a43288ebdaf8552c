//! A lattice of links, and the update of each of them.

use crate::random::Rng;
use crate::su3::Matrix;

/// The directions x, y, z, t. A site has a link and two nearest neighbours in each of them.
pub(crate) const DIMENSIONS: usize = 4;

/// Rows and columns of the three SU(2) subgroups that together generate SU(3).
const SUBGROUPS: [(usize, usize); 3] = [(0, 1), (0, 2), (1, 2)];

/// Below this α, drawing uniformly from SU(2) and rejecting is cheaper than the method of Kennedy and Pendleton, whose
/// acceptance falls like α^(3/2).
const WEAK_COUPLING_OF_SUBGROUP: f64 = 1.5;

/// A periodic lattice and its links. Sites are counted lexicographically, x fastest; links go to +x, +y, +z,
/// +t.
#[derive(Clone, Debug)]
pub struct Lattice {
    pub(crate) links: Vec<[Matrix; DIMENSIONS]>,
    ahead: Vec<[usize; DIMENSIONS]>,
    behind: Vec<[usize; DIMENSIONS]>,
}

impl Lattice {
    /// A lattice whose links are all 1. Extents should be at least 2: in a direction with extent 1, a link is part of
    /// its own staple, and the update no longer draws from the Wilson action.
    pub fn cold(extents: [usize; 4]) -> Self {
        let sites = extents.iter().product();
        let mut ahead = Vec::with_capacity(sites);
        let mut behind = Vec::with_capacity(sites);
        for site in 0..sites {
            let mut stride = 1;
            let (mut site_ahead, mut site_behind) = ([0; DIMENSIONS], [0; DIMENSIONS]);
            for mu in 0..DIMENSIONS {
                let coordinate = site / stride % extents[mu];
                let around = stride * (extents[mu] - 1);
                site_ahead[mu] = if coordinate + 1 == extents[mu] { site - around } else { site + stride };
                site_behind[mu] = if coordinate == 0 { site + around } else { site - stride };
                stride *= extents[mu];
            }
            ahead.push(site_ahead);
            behind.push(site_behind);
        }
        Self { links: vec![[Matrix::identity(); DIMENSIONS]; sites], ahead, behind }
    }

    /// The link from `site` in direction +`mu`. Panics if either is not on the lattice.
    pub fn link(&self, site: usize, mu: usize) -> &Matrix {
        &self.links[site][mu]
    }

    /// One heat-bath update of every link, followed by a projection of all links to SU(3). `beta` must be finite and
    /// not negative.
    pub fn sweep(&mut self, beta: f64, rng: &mut Rng) {
        self.update_subgroups(|staple| staple.heat_bath(beta, rng));
    }

    /// One over-relaxation of every link: a reflection that does not change the action, but moves the field far. It
    /// decorrelates faster than the heat bath, but needs some heat-bath sweeps in between to be ergodic.
    pub fn overrelax(&mut self) {
        self.update_subgroups(|staple| {
            let back = staple.direction_and_length().0.conjugate();
            back.mul(&back)
        });
    }

    /// Updates all links, one SU(2) subgroup at a time. `update` takes the quaternion part q of the subgroup's block of
    /// U·staple and returns an a in SU(2). U is then multiplied by a from the left: the action depends on a only
    /// through Re tr(a·q).
    fn update_subgroups(&mut self, mut update: impl FnMut(&Quaternion) -> Quaternion) {
        for site in 0..self.links.len() {
            for mu in 0..DIMENSIONS {
                self.links[site][mu] = self.updated(site, mu, &mut update);
            }
        }
        // Rounding slowly moves links away from the group; one projection per sweep keeps them close to it.
        for link in self.links.as_flattened_mut() {
            *link = link.reunitarise();
        }
    }

    /// A link after `update` of its subgroups.
    pub(crate) fn updated(
        &self,
        site: usize,
        mu: usize,
        mut update: impl FnMut(&Quaternion) -> Quaternion,
    ) -> Matrix {
        let mut link = self.links[site][mu];
        let mut plaquettes = link.mul(&self.staples(site, mu));
        for subgroup in SUBGROUPS {
            let factor = update(&Quaternion::part_of(&plaquettes, subgroup));
            factor.left_multiply(&mut link, subgroup);
            factor.left_multiply(&mut plaquettes, subgroup);
        }
        link
    }

    /// The sum of the staples: for each of the six plaquettes that contain the link, the product of its other three
    /// links.
    fn staples(&self, site: usize, mu: usize) -> Matrix {
        let mut sum = Matrix::ZERO;
        let end = self.ahead[site][mu];
        for nu in (0..DIMENSIONS).filter(|&nu| nu != mu) {
            let above = self.ahead[site][nu];
            let upper = self.link(end, nu).mul_dagger(self.link(above, mu)).mul_dagger(self.link(site, nu));
            let below = self.behind[site][nu];
            let below_end = self.behind[end][nu];
            let lower = self.link(below, mu).mul(self.link(below_end, nu)).dagger().mul(self.link(below, nu));
            sum = sum.add(&upper).add(&lower);
        }
        sum
    }
}

/// q₀ + i q·σ with real components: a multiple of an SU(2) matrix.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Quaternion([f64; 4]);

impl Quaternion {
    /// The part of a subgroup's 2×2 block that contributes to Re tr(a·block) for a in SU(2). The rest of the block is i
    /// times a quaternion, so its product with a has an imaginary trace.
    fn part_of(matrix: &Matrix, (i, j): (usize, usize)) -> Self {
        let [[ii, ij], [ji, jj]] = [[matrix.0[i][i], matrix.0[i][j]], [matrix.0[j][i], matrix.0[j][j]]];
        Self([ii[0] + jj[0], ij[1] + ji[1], ij[0] - ji[0], ii[1] - jj[1]].map(|twice| twice / 2.0))
    }

    fn direction_and_length(&self) -> (Self, f64) {
        let [a, b, c, d] = self.0;
        let length = (a * a + b * b + c * c + d * d).sqrt();
        // If the length is 0, all of SU(2) is equally likely, and any direction is right.
        let direction = if length > 0.0 { self.0.map(|q| q / length) } else { [1.0, 0.0, 0.0, 0.0] };
        (Self(direction), length)
    }

    fn conjugate(&self) -> Self {
        let [a, b, c, d] = self.0;
        Self([a, -b, -c, -d])
    }

    /// Draws the factor of a subgroup's link from the heat bath of this staple.
    pub(crate) fn heat_bath(&self, beta: f64, rng: &mut Rng) -> Self {
        let (direction, length) = self.direction_and_length();
        // Re tr(a·q) = 2 |q| x₀ for a·q = |q| x, and the action has the factor β/3.
        let x = Self::draw(2.0 * beta * length / 3.0, rng);
        x.mul(&direction.conjugate())
    }

    /// The product of the matrices: (iσ₁)(iσ₂) = -iσ₃.
    fn mul(&self, other: &Self) -> Self {
        let ([a0, a1, a2, a3], [b0, b1, b2, b3]) = (self.0, other.0);
        Self([
            a0 * b0 - a1 * b1 - a2 * b2 - a3 * b3,
            a0 * b1 + a1 * b0 - (a2 * b3 - a3 * b2),
            a0 * b2 + a2 * b0 - (a3 * b1 - a1 * b3),
            a0 * b3 + a3 * b0 - (a1 * b2 - a2 * b1),
        ])
    }

    /// Multiplies the rows `i` and `j` by this SU(2) matrix from the left; the third row is unchanged.
    fn left_multiply(&self, matrix: &mut Matrix, (i, j): (usize, usize)) {
        let [a0, a1, a2, a3] = self.0;
        for column in 0..3 {
            let ([ur, ui], [vr, vi]) = (matrix.0[i][column], matrix.0[j][column]);
            matrix.0[i][column] =
                [a0 * ur - a3 * ui + a2 * vr - a1 * vi, a0 * ui + a3 * ur + a2 * vi + a1 * vr];
            matrix.0[j][column] =
                [a0 * vr + a3 * vi - a2 * ur - a1 * ui, a0 * vi - a3 * vr - a2 * ui + a1 * ur];
        }
    }

    /// Draws from SU(2) with weight exp(α x₀), α not negative.
    fn draw(alpha: f64, rng: &mut Rng) -> Self {
        // 1 - x₀ is drawn instead of x₀, because it is small for large α and keeps its digits this way.
        let delta = if alpha < WEAK_COUPLING_OF_SUBGROUP {
            rejection_from_haar(alpha, rng)
        } else {
            kennedy_pendleton(alpha, rng)
        };
        let length = (delta * (2.0 - delta)).sqrt();
        let [x, y, z] = rng.direction();
        Self([1.0 - delta, length * x, length * y, length * z])
    }
}

/// Draws 1 - x₀, where x₀ has the density √(1 - x₀²) exp(α x₀). The loop ends at once if α is NaN.
fn kennedy_pendleton(alpha: f64, rng: &mut Rng) -> f64 {
    loop {
        let [x, _, square] = rng.in_unit_disc();
        let cos_squared = if square > 0.0 { x * x / square } else { 0.0 };
        let delta = -(libm::log(rng.positive()) + cos_squared * libm::log(rng.positive())) / alpha;
        let r = rng.positive();
        let reject = r * r > 1.0 - delta / 2.0;
        if !reject {
            return delta;
        }
    }
}

/// Draws 1 - x₀ with the density of [`kennedy_pendleton`], for small α: a uniform δ = 1 - x₀ is accepted with
/// probability √(1 - x₀²), and then with probability exp(-α δ).
fn rejection_from_haar(alpha: f64, rng: &mut Rng) -> f64 {
    loop {
        let delta = 2.0 * rng.positive();
        let r = rng.positive();
        let outside = r * r > delta * (2.0 - delta);
        let reject = outside || libm::log(rng.positive()) > -alpha * delta;
        if !reject {
            return delta;
        }
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::su3::third_row_from_two;
    use linkstream::field::{DescribedBy, Field, LinkLayout};
    use linkstream::ildg::GaugeKind;
    use linkstream::lattice::{Extents, Precision};
    use linkstream::lime::Record;
    use linkstream_report::figures::{Measured, Observables};

    const DIMS: [usize; 4] = [4, 4, 4, 4];

    /// The lattice as a field in double precision.
    fn field(extents: [usize; 4]) -> Field {
        let precision = Precision::F64;
        let record = Record { offset: 0, length: 0, message: 1, number: 1, begin: true, end: true };
        let extents = Extents::new(&extents.map(|extent| extent as u32)).unwrap();
        Field::with_links(record, DescribedBy::Ildg, extents, LinkLayout::new(4, 3, 3, precision))
    }

    pub(crate) fn measure(lattice: &Lattice, extents: [usize; 4]) -> Measured {
        let mut observables = Observables::of(&field(extents), Some(GaugeKind::SU3), false).unwrap();
        let numbers = lattice.links.as_flattened().iter().flat_map(Matrix::components);
        let bytes: Vec<u8> = numbers.flat_map(|number| number.to_be_bytes()).collect();
        observables.feed(&bytes);
        observables.finish().unwrap()
    }

    /// The plaquette averaged over `sweeps` sweeps that follow the first `thermalise`.
    fn average_plaquette(beta: f64, thermalise: usize, sweeps: usize) -> f64 {
        let (mut lattice, mut rng) = (Lattice::cold(DIMS), Rng::new(7));
        let mut sum = 0.0;
        for sweep in 0..thermalise + sweeps {
            lattice.sweep(beta, &mut rng);
            if sweep >= thermalise {
                sum += measure(&lattice, DIMS).plaquette.unwrap();
            }
        }
        sum / sweeps as f64
    }

    /// FNV-1a over the bits of all links.
    fn fingerprint(lattice: &Lattice) -> u64 {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        for component in lattice.links.as_flattened().iter().flat_map(Matrix::components) {
            for byte in component.to_bits().to_le_bytes() {
                hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
            }
        }
        hash
    }

    fn after_sweeps(seed: u64, extents: [usize; 4]) -> Lattice {
        let (mut lattice, mut rng) = (Lattice::cold(extents), Rng::new(seed));
        for beta in [0.0, 1.0, 6.0, 12.0] {
            lattice.sweep(beta, &mut rng);
            lattice.overrelax();
        }
        lattice
    }

    #[test]
    fn neighbours_of_a_lopsided_lattice() {
        let lattice = Lattice::cold([2, 3, 4, 5]);
        assert_eq!(lattice.ahead[0], [1, 2, 6, 24]);
        assert_eq!(lattice.behind[0], [1, 4, 18, 96]);
        assert_eq!(lattice.ahead[119], [118, 115, 101, 23]);
        for (site, ahead) in lattice.ahead.iter().enumerate() {
            for (mu, &neighbour) in ahead.iter().enumerate() {
                assert_eq!(lattice.behind[neighbour][mu], site);
            }
        }
    }

    #[test]
    fn cold_lattice_has_plaquette_one() {
        let measured = measure(&Lattice::cold(DIMS), DIMS);
        assert_eq!((measured.plaquette, measured.link_trace), (Some(1.0), 1.0));
        assert_eq!(measured.max_unitarity_deviation, 0.0);
    }

    #[test]
    fn links_stay_in_su3_and_the_plaquette_comes_to_its_value() {
        let (mut lattice, mut rng) = (Lattice::cold(DIMS), Rng::new(1));
        let mut late = 0.0;
        for sweep in 0..40 {
            lattice.sweep(6.0, &mut rng);
            if sweep >= 30 {
                late += measure(&lattice, DIMS).plaquette.unwrap() / 10.0;
            }
        }
        // 0.594 in large volumes, a little higher in small ones.
        assert!((0.585..0.615).contains(&late), "{late}");
        assert!(measure(&lattice, DIMS).max_unitarity_deviation < 1e-13);
        for Matrix([a, b, c]) in lattice.links.as_flattened() {
            for (given, expected) in
                c.as_flattened().iter().zip(third_row_from_two(a, b).as_flattened().iter())
            {
                // For a unitary matrix, this means that its determinant is 1.
                assert!((given - expected).abs() < 1e-13);
            }
        }
    }

    /// Evaluates the definition of the plaquette over the entire lattice.
    #[test]
    fn the_measured_plaquette_is_that_of_the_definition() {
        let extents = [4, 2, 3, 4];
        let lattice = after_sweeps(11, extents);
        let mut sum = 0.0;
        for (site, ahead) in lattice.ahead.iter().enumerate() {
            for mu in 0..4 {
                for nu in mu + 1..4 {
                    let around = lattice
                        .link(site, mu)
                        .mul(lattice.link(ahead[mu], nu))
                        .mul(&lattice.link(ahead[nu], mu).dagger())
                        .mul(&lattice.link(site, nu).dagger());
                    sum += (0..3).map(|i| around.0[i][i][0]).sum::<f64>() / 3.0;
                }
            }
        }
        let expected = sum / (6 * lattice.ahead.len()) as f64;
        assert!(expected > 0.5);
        assert!((measure(&lattice, extents).plaquette.unwrap() - expected).abs() < 1e-14);
    }

    #[test]
    fn without_action_links_are_random() {
        // The standard deviation of one plaquette is 1/√18. For the average over 1536 of them and 20 sweeps it is
        // 0.0013.
        let plaquette = average_plaquette(0.0, 5, 20);
        assert!(plaquette.abs() < 0.005, "{plaquette}");
    }

    #[test]
    fn strong_coupling_expansion() {
        // β/18 + β²/216 + O(β⁴) from the cumulants of Re tr U on SU(3). The standard deviation for 60 sweeps is 0.0008,
        // estimated as in `without_action_links_are_random`.
        for beta in [1.0_f64, 2.0] {
            let expected = beta / 18.0 + beta * beta / 216.0;
            let plaquette = average_plaquette(beta, 10, 60);
            assert!((plaquette - expected).abs() < 0.003, "{beta}: {plaquette}, not {expected}");
        }
    }

    #[test]
    fn both_ways_of_drawing_give_the_same_average() {
        // Both at the same α, so that the choice between them cannot hide an error in either. The standard deviation of
        // δ is below 0.5, and of its average below 0.004.
        const DRAWS: usize = 20_000;
        let (mut rng, alpha) = (Rng::new(3), WEAK_COUPLING_OF_SUBGROUP);
        let mut average = |draw: fn(f64, &mut Rng) -> f64| {
            (0..DRAWS).map(|_| draw(alpha, &mut rng)).sum::<f64>() / DRAWS as f64
        };
        let (one, other) = (average(kennedy_pendleton), average(rejection_from_haar));
        assert!((one - other).abs() < 0.02, "{one} {other}");
    }

    #[test]
    fn overrelaxation_moves_the_field_and_not_the_action() {
        let mut lattice = after_sweeps(5, DIMS);
        let (before, plaquette) = (lattice.clone(), measure(&lattice, DIMS).plaquette.unwrap());
        lattice.overrelax();
        assert!((measure(&lattice, DIMS).plaquette.unwrap() - plaquette).abs() < 1e-12);
        assert_ne!(lattice.link(0, 0), before.link(0, 0));
    }

    #[test]
    fn the_seed_fixes_every_bit() {
        let extents = [2, 3, 4, 2];
        assert_eq!(fingerprint(&after_sweeps(42, extents)), fingerprint(&after_sweeps(42, extents)));
        assert_ne!(fingerprint(&after_sweeps(42, extents)), fingerprint(&after_sweeps(43, extents)));
        // The same on every platform. If this number changes, published seeds no longer give the same fields.
        assert_eq!(fingerprint(&after_sweeps(42, extents)), 2_547_092_971_452_801_450);
    }
}
