//! Figures of the entries of a matrix, computed while they are read.

/// Figures of the entries of a matrix.
#[derive(Debug)]
pub enum Figures {
    /// Number of entries that are true.
    Boolean(u64),
    Integer(Integers),
    Real(Reals),
    Complex(Parts),
}

/// Figures of integers.
#[derive(Debug, Default)]
pub struct Integers {
    /// The smallest and the largest; `None` if there are no entries.
    pub range: Option<(i64, i64)>,
    /// The sum, which not even 2^64 entries overflow.
    sum: i128,
    count: u64,
}

impl Integers {
    pub fn add(&mut self, value: i64) {
        let (min, max) = self.range.unwrap_or((value, value));
        self.range = Some((min.min(value), max.max(value)));
        self.sum = self.sum.saturating_add(i128::from(value));
        self.count = self.count.saturating_add(1);
    }

    pub fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum as f64 / self.count as f64)
    }
}

/// Figures of real numbers. NaNs are counted, and otherwise excluded.
#[derive(Debug, Default)]
pub struct Reals {
    /// The smallest and the largest, which may be infinite; `None` if there are no numbers.
    pub range: Option<(f64, f64)>,
    pub not_numbers: u64,
    pub infinite: u64,
    /// Count of numbers, including infinite ones.
    count: u64,
    sum: Sum,
    /// Sum of the numbers that are so large that their sum could overflow, multiplied by [`LARGE_SCALE`].
    large_sum: Sum,
}

/// Numbers from 2^900 on are large. The sum of 2^64 smaller ones is below 2^964.
const LARGE: f64 = f64::from_bits((1023 + 900) << 52);
/// 2^-128. Multiplying by a power of two loses no digits.
const LARGE_SCALE: f64 = f64::from_bits((1023 - 128) << 52);

impl Reals {
    pub fn add(&mut self, value: f64) {
        if value.is_nan() {
            self.not_numbers = self.not_numbers.saturating_add(1);
            return;
        }
        let (min, max) = self.range.unwrap_or((value, value));
        self.range = Some((min.min(value), max.max(value)));
        self.count = self.count.saturating_add(1);
        if value.is_infinite() {
            self.infinite = self.infinite.saturating_add(1);
        } else if value.abs() < LARGE {
            self.sum.add(value);
        } else {
            self.large_sum.add(value * LARGE_SCALE);
        }
    }

    /// The mean. It is infinite or NaN only if there are infinite entries.
    pub fn mean(&self) -> Option<f64> {
        let (min, max) = self.range?;
        if self.infinite > 0 {
            // Infinite entries outweigh finite ones; infinities of both signs give NaN.
            return Some([min, max].into_iter().filter(|end| end.is_infinite()).sum());
        }
        let count = self.count as f64;
        let mean = self.large_sum.total() / count / LARGE_SCALE + self.sum.total() / count;
        // Rounding must not move the mean out of the range: it could become infinite.
        Some(mean.clamp(min, max))
    }
}

/// A compensated sum: rounding errors are summed separately (Kahan and Babuška, as improved by Neumaier).
#[derive(Debug, Default)]
struct Sum {
    sum: f64,
    lost: f64,
}

impl Sum {
    fn add(&mut self, value: f64) {
        let sum = self.sum + value;
        self.lost +=
            if self.sum.abs() >= value.abs() { (self.sum - sum) + value } else { (value - sum) + self.sum };
        self.sum = sum;
    }

    fn total(&self) -> f64 {
        self.sum + self.lost
    }
}

/// Figures of complex numbers, for real and imaginary parts separately.
#[derive(Debug, Default)]
pub struct Parts {
    pub re: Reals,
    pub im: Reals,
    /// Number of entries with a NaN in either part.
    pub not_numbers: u64,
    /// Number of entries with an infinity in either part.
    pub infinite: u64,
}

impl Parts {
    pub fn add(&mut self, re: f64, im: f64) {
        self.re.add(re);
        self.im.add(im);
        self.not_numbers = self.not_numbers.saturating_add((re.is_nan() || im.is_nan()).into());
        self.infinite = self.infinite.saturating_add((re.is_infinite() || im.is_infinite()).into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(values: &[f64]) -> Reals {
        let mut reals = Reals::default();
        values.iter().for_each(|value| reals.add(*value));
        reals
    }

    #[test]
    fn a_finite_mean_does_not_overflow() {
        assert_eq!(of(&[f64::MAX; 7]).mean(), Some(f64::MAX));
        assert_eq!(of(&[f64::MIN, f64::MIN, f64::MIN]).mean(), Some(f64::MIN));
        assert_eq!(of(&[f64::MAX, f64::MAX, f64::MIN, f64::MIN, 4.0]).mean(), Some(0.8));
        assert_eq!(of(&[5e-324, 5e-324]).mean(), Some(5e-324));
    }

    #[test]
    fn small_numbers_are_not_lost_among_large_ones() {
        assert_eq!(of(&[1e100, 1.0, -1e100, 1.0]).mean(), Some(0.5));
        let tenths = of(&[0.1; 1_000_000]);
        assert_eq!(tenths.mean(), Some(0.1));
    }

    #[test]
    fn what_is_not_finite() {
        let all = of(&[f64::NAN, 1.0, f64::INFINITY]);
        assert_eq!((all.not_numbers, all.infinite, all.range), (1, 1, Some((1.0, f64::INFINITY))));
        assert_eq!(all.mean(), Some(f64::INFINITY));
        assert!(of(&[f64::NEG_INFINITY, f64::INFINITY]).mean().is_some_and(f64::is_nan));
        assert_eq!(of(&[f64::NEG_INFINITY, 1.0]).mean(), Some(f64::NEG_INFINITY));
        assert_eq!(of(&[f64::INFINITY; 2]).mean(), Some(f64::INFINITY));
        assert_eq!(of(&[f64::NAN]).mean(), None);
        assert_eq!(of(&[]).mean(), None);
    }

    #[test]
    fn the_mean_of_integers_does_not_overflow() {
        let mut integers = Integers::default();
        [i64::MIN; 3].iter().for_each(|value| integers.add(*value));
        assert_eq!(integers.mean(), Some(i64::MIN as f64));
        assert_eq!(Integers::default().mean(), None);
    }
}
