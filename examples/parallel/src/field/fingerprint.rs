//! A fingerprint of a set of sites: a few numbers show whether all ranks together have each site of a lattice once.

use linkstream::lattice::{Coordinates, Extents, Hypercube, MAX_DIMENSIONS};

/// The prime 2^61 - 1.
const PRIME: u64 = (1 << 61) - 1;

/// A number for each dimension.
const BASES: [u64; MAX_DIMENSIONS] = [
    0x1ce4_e5b9_bf58_476d,
    0x133_111e_b94d_049b,
    0x19e3_779b_97f4_a7c1,
    0x0b54_a32d_192e_d03d,
    0x1405_7b7e_f767_814f,
    0x0369_dea0_f31a_53f9,
    0x1217_7f10_5ab7_d9c5,
    0x08cb_92ba_72f3_d8dd,
];

/// Number of sites, and the sum over the sites of a product: for each dimension, a fixed number raised to the power of
/// the coordinate, modulo 2^61 - 1.
///
/// This sum is a polynomial in the fixed numbers, which differs for different sites, even if a site is there twice. So
/// two sets of sites have equal fingerprints by chance only, with a probability of about the sum of the extents divided
/// by 2^61. The fingerprint of a box is a product of geometric series: its computation does not depend on the number
/// of sites.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Fingerprint {
    sites: u64,
    sum: u64,
}

impl Fingerprint {
    /// Number of sites, modulo 2^64.
    pub(super) const fn sites(&self) -> u64 {
        self.sites
    }

    /// The fingerprint of all sites of a lattice.
    pub(super) fn of_lattice(lattice: &Extents) -> Self {
        let ranges = lattice.as_slice().iter().map(|extent| (0, *extent));
        Self { sites: lattice.sites(), sum: product(ranges) }
    }

    /// The fingerprint of a box.
    pub(super) fn of_box(cube: &Hypercube) -> Self {
        let corners = cube.lower().as_slice().iter().zip(cube.upper().as_slice());
        Self { sites: cube.sites(), sum: product(corners.map(|(lower, upper)| (*lower, upper - lower + 1))) }
    }

    /// The fingerprint of two sets of sites together.
    pub(super) fn plus(self, other: Self) -> Self {
        Self { sites: self.sites.wrapping_add(other.sites), sum: add(self.sum, other.sum) }
    }

    /// Numbers whose sums over all ranks determine the fingerprint of all of their sites.
    pub(super) const fn words(&self) -> [u64; 3] {
        [self.sites, self.sum & 0xffff_ffff, self.sum >> 32]
    }

    /// The fingerprint with these [`words`](Self::words), or sums of them.
    pub(super) fn from_words([sites, low, high]: [u64; 3]) -> Self {
        let sum = (u128::from(low) + (u128::from(high) << 32)) % u128::from(PRIME);
        Self { sites, sum: sum as u64 }
    }
}

/// Computes the fingerprint of single sites. Fast if the coordinates of consecutive sites differ by little.
#[derive(Debug)]
pub(super) struct Sites {
    total: Fingerprint,
    /// The coordinate in each dimension, and the power with this exponent.
    last: [(u32, u64); MAX_DIMENSIONS],
}

impl Sites {
    pub(super) const fn new() -> Self {
        Self { total: Fingerprint { sites: 0, sum: 0 }, last: [(0, 1); MAX_DIMENSIONS] }
    }

    pub(super) fn add(&mut self, site: &Coordinates) {
        let mut own = 1;
        for ((coordinate, last), base) in site.as_slice().iter().zip(&mut self.last).zip(BASES) {
            *last = match coordinate.wrapping_sub(last.0) {
                0 => *last,
                1 => (*coordinate, multiply(last.1, base)),
                2 => (*coordinate, multiply(multiply(last.1, base), base)),
                _ => (*coordinate, power(base, *coordinate)),
            };
            own = multiply(own, last.1);
        }
        self.total = self.total.plus(Fingerprint { sites: 1, sum: own });
    }

    pub(super) const fn total(&self) -> Fingerprint {
        self.total
    }
}

/// The product over all dimensions of the sum of the powers from a coordinate on, so many of them.
fn product(ranges: impl Iterator<Item = (u32, u32)>) -> u64 {
    ranges.zip(BASES).fold(1, |product, ((first, number), base)| {
        // (b^n - 1) / (b - 1), by Fermat's little theorem.
        let inverse = power_of(base - 1, PRIME - 2);
        let series = multiply(add(power(base, number), PRIME - 1), inverse);
        multiply(product, multiply(power(base, first), series))
    })
}

const fn add(a: u64, b: u64) -> u64 {
    let sum = a + b;
    if sum >= PRIME { sum - PRIME } else { sum }
}

const fn multiply(a: u64, b: u64) -> u64 {
    let product = a as u128 * b as u128;
    add((product & PRIME as u128) as u64, (product >> 61) as u64)
}

fn power(base: u64, exponent: u32) -> u64 {
    power_of(base, exponent.into())
}

fn power_of(mut base: u64, mut exponent: u64) -> u64 {
    let mut power = 1;
    while exponent > 0 {
        if exponent & 1 == 1 {
            power = multiply(power, base);
        }
        base = multiply(base, base);
        exponent >>= 1;
    }
    power
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one_by_one(lattice: &Extents, ranks: impl IntoIterator<Item = u64>) -> Fingerprint {
        let mut sites = Sites::new();
        ranks.into_iter().for_each(|rank| sites.add(&lattice.coordinates(rank).unwrap()));
        sites.total()
    }

    #[test]
    fn boxes_and_single_sites_have_the_same_fingerprint() {
        let lattice = Extents::new(&[4, 3, 1, 5]).unwrap();
        let all = Fingerprint::of_lattice(&lattice);
        assert_eq!(all, one_by_one(&lattice, 0..60));
        assert_eq!(all, one_by_one(&lattice, (0..60).rev()));
        let corner = |c: [u32; 4]| Coordinates::new(&c).unwrap();
        let halves = [([0, 0, 0, 0], [3, 2, 0, 1]), ([0, 0, 0, 2], [3, 2, 0, 4])]
            .map(|(lower, upper)| Hypercube::new(corner(lower), corner(upper), &lattice).unwrap())
            .map(|cube| Fingerprint::of_box(&cube));
        assert_eq!(halves[0].plus(halves[1]), all);
        let words = halves.map(|half| half.words());
        let sums = std::array::from_fn(|i| words[0][i] + words[1][i]);
        assert_eq!(Fingerprint::from_words(sums), all);
    }

    #[test]
    fn other_sites_have_other_fingerprints() {
        let lattice = Extents::new(&[4, 4, 4, 3]).unwrap();
        let all = Fingerprint::of_lattice(&lattice);
        // 1, 5, 6 and 2, 3, 7 have the same number, sum, and sum of squares.
        let repeated = (0..192).map(|rank| match rank {
            2 => 1,
            3 => 5,
            7 => 6,
            rank => rank,
        });
        let repeated = one_by_one(&lattice, repeated);
        assert!(repeated.sites() == all.sites() && repeated != all);
        for rank in 0..192 {
            assert_ne!(one_by_one(&lattice, (0..192).filter(|other| *other != rank)), all);
        }
    }

    #[test]
    fn a_huge_box_takes_no_time() {
        let lattice = Extents::new(&[u32::MAX, u32::MAX]).unwrap();
        let corner = |c: [u32; 2]| Coordinates::new(&c).unwrap();
        let cube = |lower, upper| {
            let cube = Hypercube::new(corner(lower), corner(upper), &lattice).unwrap();
            Fingerprint::of_box(&cube)
        };
        let last = u32::MAX - 1;
        let halves = cube([0, 0], [1 << 31, last]).plus(cube([(1 << 31) + 1, 0], [last, last]));
        assert_eq!(halves, Fingerprint::of_lattice(&lattice));
    }
}
