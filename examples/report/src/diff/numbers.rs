//! Compares numbers one by one.

use std::fmt;
use std::num::NonZero;

use super::kept::MOST_RANGES;
use super::place::Place;
use crate::ranges::Ranges;

/// The differences that are tolerated. Two numbers count as the same if either bound holds.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Tolerance {
    /// Bound of `|a - b|`.
    pub absolute: f64,
    /// Bound of `|a - b|` divided by the larger of `|a|` and `|b|`.
    pub relative: f64,
}

/// A number of a file.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Number {
    Real(f64),
    Integer(i64),
}

impl Number {
    fn to_f64(self) -> f64 {
        match self {
            Self::Real(value) => value,
            Self::Integer(value) => value as f64,
        }
    }

    /// `|self - other|`. For integers, the exact difference is rounded.
    fn distance(self, other: Self) -> f64 {
        match (self, other) {
            (Self::Integer(a), Self::Integer(b)) => a.abs_diff(b) as f64,
            _ => (self.to_f64() - other.to_f64()).abs(),
        }
    }

    /// True if both have the same value. NaN equals NaN, and zero equals negative zero.
    fn is(self, other: Self) -> bool {
        match (self, other) {
            (Self::Integer(a), Self::Integer(b)) => a == b,
            _ => {
                let (a, b) = (self.to_f64(), other.to_f64());
                a == b || a.is_nan() && b.is_nan()
            }
        }
    }
}

/// Writes the shortest digits that identify the number.
impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Real(value) => write!(f, "{value:?}"),
            Self::Integer(value) => write!(f, "{value}"),
        }
    }
}

/// Result of a comparison of numbers.
#[derive(Debug, Default)]
pub struct Numbers {
    pub compared: u64,
    /// Number of pairs that differ by more than the tolerance.
    pub differing: u64,
    /// Number of these pairs whose difference is not finite: a number is infinite or NaN, or both are too large.
    pub not_finite: u64,
    /// The largest finite difference; `None` if all numbers are the same.
    pub absolute: Option<Largest>,
    /// The largest relative difference.
    pub relative: Option<Largest>,
    /// The sites or entries with numbers that differ by more than the tolerance, in the order of the data.
    pub ranges: Ranges,
    /// Number of bytes of a site or entry in each file; `None` if they are not whole.
    pub bytes_of_each: Option<[u64; 2]>,
}

/// The first pair with the largest difference.
#[derive(Debug)]
pub struct Largest {
    pub difference: f64,
    pub a: Number,
    pub b: Number,
    pub place: Place,
}

/// A comparison in progress.
#[derive(Debug)]
pub struct Tally {
    tolerance: Tolerance,
    /// Count of numbers of a site or entry.
    of_each: NonZero<u64>,
    ranges: Ranges,
    compared: u64,
    differing: u64,
    not_finite: u64,
    absolute: Candidate,
    relative: Candidate,
}

#[derive(Debug, Clone, Copy)]
struct Candidate {
    difference: f64,
    index: u64,
    a: Number,
    b: Number,
}

impl Candidate {
    const NONE: Self = Self { difference: 0.0, index: 0, a: Number::Integer(0), b: Number::Integer(0) };

    fn beat(&mut self, other: Self) {
        if other.difference > self.difference {
            *self = other;
        }
    }

    fn place(self, place: impl FnOnce(u64) -> Place) -> Option<Largest> {
        let Self { difference, index, a, b } = self;
        (difference > 0.0).then(|| Largest { difference, a, b, place: place(index) })
    }
}

impl Tally {
    /// Compares numbers of sites or entries that have so many each.
    pub fn new(tolerance: Tolerance, of_each: u64) -> Self {
        let (absolute, relative) = (Candidate::NONE, Candidate::NONE);
        let of_each = NonZero::new(of_each).unwrap_or(NonZero::<u64>::MIN);
        let ranges = Ranges::default();
        Self { tolerance, of_each, ranges, compared: 0, differing: 0, not_finite: 0, absolute, relative }
    }

    /// Compares the next pair.
    #[inline]
    pub fn add(&mut self, a: Number, b: Number) {
        if !a.is(b) {
            self.differ(a, b);
        }
        self.compared = self.compared.saturating_add(1);
    }

    /// Counts the next `count` pairs as equal.
    pub const fn skip(&mut self, count: u64) {
        self.compared = self.compared.saturating_add(count);
    }

    fn differ(&mut self, a: Number, b: Number) {
        let difference = a.distance(b);
        let index = self.compared;
        if !difference.is_finite() {
            self.differing = self.differing.saturating_add(1);
            self.not_finite = self.not_finite.saturating_add(1);
            self.ranges.add(index / self.of_each, MOST_RANGES);
            return;
        }
        // The size is not zero: two zeros would be the same.
        let size = a.to_f64().abs().max(b.to_f64().abs());
        let relative = difference / size;
        let Tolerance { absolute, relative: bound } = self.tolerance;
        let differs = difference > absolute && relative > bound;
        if differs {
            self.differing = self.differing.saturating_add(1);
            self.ranges.add(index / self.of_each, MOST_RANGES);
        }
        self.absolute.beat(Candidate { difference, index, a, b });
        self.relative.beat(Candidate { difference: relative, index, a, b });
    }

    /// The result. `place` returns the place of the number with an index.
    pub fn finish(self, bytes_of_each: Option<[u64; 2]>, place: impl Fn(u64) -> Place) -> Numbers {
        Numbers {
            ranges: self.ranges,
            bytes_of_each,
            compared: self.compared,
            differing: self.differing,
            not_finite: self.not_finite,
            absolute: self.absolute.place(&place),
            relative: self.relative.place(&place),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(tolerance: Tolerance, pairs: &[(f64, f64)]) -> Numbers {
        let mut tally = Tally::new(tolerance, 2);
        pairs.iter().for_each(|(a, b)| tally.add(Number::Real(*a), Number::Real(*b)));
        tally.finish(None, |index| Place { site: vec![index as u32], within: String::new() })
    }

    #[test]
    fn the_largest_differences_and_their_places() {
        let found = of(Tolerance::default(), &[(1.0, 1.0), (100.0, 101.0), (0.0, -0.0), (1e-9, 2e-9)]);
        assert_eq!((found.compared, found.differing, found.not_finite), (4, 2, 0));
        let absolute = found.absolute.expect("a finite difference");
        assert_eq!((absolute.difference, &absolute.place.site[..]), (1.0, &[1][..]));
        let relative = found.relative.expect("a finite difference");
        assert_eq!((relative.difference, &relative.place.site[..]), (0.5, &[3][..]));
        assert_eq!((relative.a, relative.b), (Number::Real(1e-9), Number::Real(2e-9)));
        // The second number of the first pair, and of the second.
        assert_eq!((found.ranges.as_slice().first(), found.ranges.count()), (Some(&(0..2)), 2));
    }

    #[test]
    fn a_pair_is_the_same_if_either_bound_holds() {
        let pairs = [(1.0, 1.5), (1e-9, 2e-9), (4e9, 4e9 + 1.0)];
        let differing = |absolute, relative| of(Tolerance { absolute, relative }, &pairs).differing;
        assert_eq!(differing(0.0, 0.0), 3);
        assert_eq!(differing(0.5, 0.0), 1);
        assert_eq!(differing(1.0, 0.0), 0);
        assert_eq!(differing(0.0, 1e-9), 2);
        assert_eq!(differing(0.5, 1e-9), 0);
        assert_eq!(differing(0.0, 0.5), 0);
        // The largest difference is reported even if it is tolerated.
        assert!(of(Tolerance { absolute: 1.0, relative: 0.0 }, &pairs).absolute.is_some());
    }

    #[test]
    fn what_is_not_finite() {
        let (nan, inf) = (f64::NAN, f64::INFINITY);
        let found = of(
            Tolerance { absolute: 1e300, relative: 1.0 },
            &[(nan, nan), (inf, inf), (nan, 1.0), (inf, -inf), (1.0, inf), (f64::MAX, f64::MIN)],
        );
        assert_eq!((found.compared, found.differing, found.not_finite), (6, 4, 4));
        assert!(found.absolute.is_none() && found.relative.is_none());
    }

    #[test]
    fn integers_are_exact() {
        let mut tally = Tally::new(Tolerance::default(), 1);
        tally.add(Number::Integer(i64::MAX), Number::Integer(i64::MAX - 1));
        tally.add(Number::Integer(i64::MIN), Number::Integer(i64::MAX));
        let found = tally.finish(None, |_| Place { site: vec![], within: String::new() });
        assert_eq!(found.differing, 2);
        assert_eq!(found.absolute.expect("a finite difference").difference, u64::MAX as f64);
    }
}
