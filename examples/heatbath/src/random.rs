//! Random numbers that are the same on every platform.

/// The random number generator xoshiro256++ by Blackman and Vigna.
#[derive(Clone, Debug)]
pub struct Rng([u64; 4]);

impl Rng {
    /// A generator with any seed. As the authors recommend, splitmix64 derives the state from it.
    pub fn new(seed: u64) -> Self {
        let mut counter = seed;
        Self([(); 4].map(|()| splitmix64(&mut counter)))
    }

    pub(crate) fn next(&mut self) -> u64 {
        let Self([a, b, c, d]) = self;
        let out = a.wrapping_add(*d).rotate_left(23).wrapping_add(*a);
        let shifted = *b << 17;
        *c ^= *a;
        *d ^= *b;
        *b ^= *c;
        *a ^= *d;
        *c ^= shifted;
        *d = d.rotate_left(45);
        out
    }

    /// A uniform multiple of 2⁻⁵³ in (0, 1]: 53 bits are the precision of an `f64`, and 0 is excluded because its
    /// logarithm is needed.
    pub(crate) fn positive(&mut self) -> f64 {
        const UNIT: f64 = 1.0 / (1_u64 << 53) as f64;
        ((self.next() >> 11) + 1) as f64 * UNIT
    }

    /// A point in the unit disc and the square of its distance from the centre.
    pub(crate) fn in_unit_disc(&mut self) -> [f64; 3] {
        loop {
            let (x, y) = (2.0 * self.positive() - 1.0, 2.0 * self.positive() - 1.0);
            let square = x * x + y * y;
            if square <= 1.0 {
                return [x, y, square];
            }
        }
    }

    /// A point on the unit sphere, by the method of Marsaglia.
    pub(crate) fn direction(&mut self) -> [f64; 3] {
        let [x, y, square] = self.in_unit_disc();
        let scale = 2.0 * (1.0 - square).sqrt();
        [scale * x, scale * y, 1.0 - 2.0 * square]
    }
}

/// One step of the generator by Steele, Lea and Flood, with their constants.
pub(crate) fn splitmix64(counter: &mut u64) -> u64 {
    *counter = counter.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *counter;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generators_give_their_published_numbers() {
        let mut counter = 1_234_567;
        assert_eq!(splitmix64(&mut counter), 6_457_827_717_110_365_317);
        assert_eq!(splitmix64(&mut counter), 3_203_168_211_198_807_973);
        let mut rng = Rng([1, 2, 3, 4]);
        for expected in [41_943_041, 58_720_359, 3_588_806_011_781_223, 3_591_011_842_654_386] {
            assert_eq!(rng.next(), expected);
        }
    }
}
