//! Reconstruction of the rows that reduced storage omits (ILDG 1.2, section 2.5.1 and appendix A.2): the last row of an
//! SO(N) or SU(N) matrix (equation 3), and the second half of an Sp(2N) matrix (equation 2). The arithmetic is IEEE
//! 754, each operation rounded once.
//!
//! The conventions of the appendix make the result unique at the bit level. One of them is that every zero is +0. For
//! this purpose every sum begins with +0, or +0 is added to it: that changes no other number, and in IEEE 754 a sum
//! that begins with +0 never becomes -0. The sign of a zero inside a product does not matter, because it cannot change
//! a sum that is not zero.

use super::format::{GaugeKind, Group};
use crate::bytes::{prefix_mut, split, split_mut};
use crate::counter::Counter as _;
use crate::messages::messages;

/// A type of the numbers of a link: `f32` or `f64`.
///
/// # Example
/// ```
/// use linkstream::ildg::{GaugeKind, Real, reconstruct};
///
/// fn third_row<T: Real>(link: &mut [T]) -> bool {
///     reconstruct(GaugeKind::SU3, link).is_ok()
/// }
///
/// let mut unit = [0.0_f32; 18];
/// (unit[0], unit[8]) = (1.0, 1.0);
/// assert!(third_row(&mut unit) && unit[16] == 1.0);
/// ```
pub trait Real: arithmetic::Arithmetic {}

impl Real for f32 {}
impl Real for f64 {}

/// Sealed: other crates cannot implement [`Real`] for other types.
mod arithmetic {
    pub trait Arithmetic: Copy + Into<f64> {
        const ZERO: Self;
        fn plus(self, other: Self) -> Self;
        fn minus(self, other: Self) -> Self;
        fn times(self, other: Self) -> Self;
    }

    macro_rules! arithmetic {
        ($real:ty) => {
            impl Arithmetic for $real {
                const ZERO: Self = 0.0;

                #[inline]
                fn plus(self, other: Self) -> Self {
                    self + other
                }

                #[inline]
                fn minus(self, other: Self) -> Self {
                    self - other
                }

                #[inline]
                fn times(self, other: Self) -> Self {
                    self * other
                }
            }
        };
    }

    arithmetic!(f32);
    arithmetic!(f64);
}

/// Maximum number of colors N of an SU(N) or SO(N) matrix whose last row can be computed.
///
/// Equation 3 of appendix A.2 is a sum over N! products. A bit-identical result needs all of them, so N colors take N
/// times as long as N - 1. On a machine that computes a link of SU(3) in 5 nanoseconds, a link takes 3 milliseconds
/// with 9 colors, 30 with 10, and would take four seconds with 12. There is no limit for Sp(2N).
pub const MAX_RECONSTRUCTED_COLORS: u16 = MAX_COLORS as u16;

const SU3_NUMBERS: usize = 3 * 3 * 2;
const SU3_GIVEN: usize = 2 * 3 * 2;

messages! {
    /// Errors of reconstructing rows.
    ///
    /// # Example
    /// ```
    /// use linkstream::ildg::{GaugeKind, ReconstructError, reconstruct};
    ///
    /// let refused = reconstruct(GaugeKind::SU3, &mut [0.0_f64; 12]);
    /// assert_eq!(refused, Err(ReconstructError::Length { needed: 18, found: 12 }));
    /// ```
    pub enum ReconstructError {
        /// Links of this kind have no reduced storage: U(N), and U(1) as phases.
        NotReducible {
            /// Kind of gauge field.
            kind: GaugeKind,
        } => ("links of {kind} are always stored with all rows"),
        /// More colors than [`MAX_RECONSTRUCTED_COLORS`].
        Colors {
            /// Kind of gauge field.
            kind: GaugeKind,
        } => ("the last row of {kind} is not computed, which would take too long: the limit is {MAX_RECONSTRUCTED_COLORS} colors"),
        /// The slice is not one whole matrix.
        Length {
            /// Number of real numbers in a whole matrix.
            needed: u32,
            /// Length of the slice, in numbers.
            found: usize,
        } => ("a link has {needed} numbers with all its rows, but the slice has {found}"),
    }
}

/// Computes the rows of a link that reduced storage omits.
///
/// `link` is the whole matrix of N x N elements, row by row, each as real part and imaginary part (an element of an
/// SO(N) matrix is one number). The first [`GaugeKind::reduced_rows`] rows are the input, the others are overwritten.
/// Numbers are in native byte order.
///
/// The result is bit-identical to the definition in ILDG 1.2, appendix A.2. For SU(N) and SO(N), the product of each
/// index string is formed from left to right, in the arithmetic of `T`. The products are conjugated and summed up in
/// the lexicographic order of their strings; zeros are +0. The specification does not define how complex numbers are
/// multiplied; here it is `(ar br - ai bi, ar bi + ai br)` without fused operations. For Sp(2N), signs are toggled, and
/// zeros are +0 as well. A link of zeros, which does not physically exist, thus keeps all bits clear. If a number is
/// not finite, the results that depend on it are not finite either, and the bits of NaNs are unspecified.
///
/// ```
/// use linkstream::ildg::{GaugeKind, reconstruct};
///
/// // The first row of an SU(2) matrix is (a, b); its second row is (-b*, a*).
/// let kind = GaugeKind::parse(b"su2gauge").ok_or("a kind of gauge field")?;
/// let mut link = [0.0, 0.6, 0.8, 0.0, f64::NAN, f64::NAN, f64::NAN, f64::NAN];
/// reconstruct(kind, &mut link)?;
/// assert_eq!(link[4..], [-0.8, 0.0, 0.0, -0.6]);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// # Errors
/// The kind has no reduced storage or too many colors, or `link` is not one whole matrix. Nothing is written
/// in these cases.
#[inline]
pub fn reconstruct<T: Real>(kind: GaugeKind, link: &mut [T]) -> Result<(), ReconstructError> {
    // Fast path for nearly all files. The other kinds stay out of line, so that this one can be inlined into a loop.
    if kind == GaugeKind::SU3 && link.len() == SU3_NUMBERS {
        let (given, missing) = split_mut(link, SU3_GIVEN);
        contract::<[T; 2]>(given.as_chunks().0, missing.as_chunks_mut().0);
        return Ok(());
    }
    reconstruct_any(kind, link)
}

#[inline(never)]
fn reconstruct_any<T: Real>(kind: GaugeKind, link: &mut [T]) -> Result<(), ReconstructError> {
    let Shape { colors, given } = Shape::of(kind, link.len())?;
    let (given, missing) = split_mut(link, given);
    match kind.group() {
        Group::Sp => {
            let missing = missing.as_chunks_mut().0;
            for (element, value) in missing.iter_mut().zip(mirrored(given.as_chunks().0, colors)) {
                *element = value;
            }
        }
        _ if kind.is_real() => contract::<[T; 1]>(given.as_chunks().0, missing.as_chunks_mut().0),
        _ => contract::<[T; 2]>(given.as_chunks().0, missing.as_chunks_mut().0),
    }
    Ok(())
}

/// Deviation of the rows that reduced storage would omit from the rows that [`reconstruct`] computes: the largest
/// absolute difference of two real or imaginary parts. A writing program may omit the rows if it is small enough.
///
/// `link` is the whole matrix as for [`reconstruct`]. The deviation is infinite if a stored or reconstructed number is
/// infinite or NaN: such a link cannot be reconstructed. If the deviation is 0, the numbers are equal, but a zero may
/// differ in its sign. A suitable tolerance is a small multiple of the precision of the computation that produced the
/// matrix, for example 1e-5 for `f32` and 1e-12 for `f64`.
///
/// ```
/// use linkstream::ildg::{GaugeKind, deviation};
///
/// let kind = GaugeKind::parse(b"so2gauge").ok_or("a kind of gauge field")?;
/// assert_eq!(deviation(kind, &[0.6, 0.8, -0.8, 0.6])?, 0.0);
/// // A reflection is orthogonal, but its second row is not the one that goes with the first.
/// assert_eq!(deviation(kind, &[0.0, 1.0, 1.0, 0.0])?, 2.0);
/// assert_eq!(deviation(kind, &[0.6, 0.8, -0.8, f64::NAN])?, f64::INFINITY);
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
///
/// # Errors
/// The same errors as [`reconstruct`].
#[inline]
pub fn deviation<T: Real>(kind: GaugeKind, link: &[T]) -> Result<f64, ReconstructError> {
    if kind == GaugeKind::SU3 && link.len() == SU3_NUMBERS {
        let (given, missing) = split(link, SU3_GIVEN);
        return Ok(from_contraction::<[T; 2]>(given.as_chunks().0, missing.as_chunks().0));
    }
    deviation_any(kind, link)
}

#[inline(never)]
fn deviation_any<T: Real>(kind: GaugeKind, link: &[T]) -> Result<f64, ReconstructError> {
    let Shape { colors, given } = Shape::of(kind, link.len())?;
    let (given, missing) = split(link, given);
    Ok(match kind.group() {
        Group::Sp => farthest(missing.as_chunks().0, mirrored(given.as_chunks().0, colors)),
        _ if kind.is_real() => from_contraction::<[T; 1]>(given.as_chunks().0, missing.as_chunks().0),
        _ => from_contraction::<[T; 2]>(given.as_chunks().0, missing.as_chunks().0),
    })
}

#[inline]
fn from_contraction<E: Element>(given: &[E], missing: &[E]) -> f64 {
    let mut last = [E::ZERO; MAX_COLORS];
    let last = prefix_mut(&mut last, missing.len());
    contract(given, last);
    farthest(missing, last.iter().copied())
}

#[inline]
fn farthest<E: Element>(missing: &[E], reconstructed: impl Iterator<Item = E>) -> f64 {
    missing.iter().zip(reconstructed).fold(0.0, |largest, (a, b)| larger(a.distance(b), largest))
}

/// A whole link of a kind with reduced storage.
struct Shape {
    colors: usize,
    /// Number of numbers in the stored rows, which come first.
    given: usize,
}

impl Shape {
    #[inline]
    fn of(kind: GaugeKind, found: usize) -> Result<Self, ReconstructError> {
        let rows = kind.reduced_rows().ok_or(ReconstructError::NotReducible { kind })?;
        if kind.group() != Group::Sp && kind.colors() > MAX_RECONSTRUCTED_COLORS {
            return Err(ReconstructError::Colors { kind });
        }
        // At most 9999 rows of 9999 complex numbers.
        let numbers_of = |rows: u16| {
            let parts = if kind.is_real() { 1 } else { 2 };
            [kind.colors().into(), parts].into_iter().fold(u32::from(rows), u32::wrapping_mul)
        };
        let needed = numbers_of(kind.colors());
        match (usize::try_from(needed), usize::try_from(numbers_of(rows))) {
            (Ok(whole), Ok(given)) if whole == found => Ok(Self { colors: kind.colors().into(), given }),
            _ => Err(ReconstructError::Length { needed, found }),
        }
    }
}

/// The omitted rows of an Sp(2N) matrix, element by element, from the stored `rows` of `colors` = 2N elements each.
#[inline]
fn mirrored<T: Real>(rows: &[[T; 2]], colors: usize) -> impl Iterator<Item = [T; 2]> {
    // 0 - x toggles the sign and 0 + x keeps it; neither result is ever -0.
    let opposite = |&[re, im]: &[T; 2]| [T::ZERO.minus(re), T::ZERO.plus(im)];
    let conjugate = |&[re, im]: &[T; 2]| [T::ZERO.plus(re), T::ZERO.minus(im)];
    rows.chunks_exact(colors.max(1)).flat_map(move |row| {
        let (a, b) = split(row, colors / 2);
        b.iter().map(opposite).chain(a.iter().map(conjugate))
    })
}

/// See [`MAX_RECONSTRUCTED_COLORS`].
const MAX_COLORS: usize = 10;

/// Computes the row `last` from all rows before it, which `rows` contains one after the other.
#[inline]
fn contract<E: Element>(rows: &[E], last: &mut [E]) {
    match (rows, last) {
        (&[a1, a2], [c1, c2]) => [*c1, *c2] = two_colors([a1, a2]),
        (&[a1, a2, a3, b1, b2, b3], [c1, c2, c3]) => {
            [*c1, *c2, *c3] = three_colors([a1, a2, a3], [b1, b2, b3]);
        }
        (rows, last) => by_index_strings(rows, last),
    }
}

#[inline]
fn two_colors<E: Element>([a1, a2]: [E; 2]) -> [E; 2] {
    [E::ZERO.minus_conjugate(a2), E::ZERO.plus_conjugate(a1)]
}

/// Equation 3 for three colors: each element is the product of the even index string minus the product of the odd one.
/// The order of two terms does not change their sum.
#[inline]
fn three_colors<E: Element>([a1, a2, a3]: [E; 3], [b1, b2, b3]: [E; 3]) -> [E; 3] {
    [
        a2.times(b3).conjugate_less(a3.times(b2)),
        a3.times(b1).conjugate_less(a1.times(b3)),
        a1.times(b2).conjugate_less(a2.times(b1)),
    ]
}

/// The beginning of an index string.
#[derive(Clone, Copy)]
struct Prefix<E> {
    /// Product of its factors from left to right; meaningless while there are none.
    product: E,
    /// Set of the indices that do not occur in it, as bits.
    unused: u16,
    /// Subset of `unused` that has not been appended yet.
    untried: u16,
    /// True if the permutation is odd so far.
    odd: bool,
}

/// Sums over all index strings in lexicographic order, by a depth-first search. Strings with the same beginning share
/// its product, because products are formed from left to right.
///
/// An index that appears twice makes the Levi-Civita symbol zero: each string contains all indices except one, k. Needs
/// three colors or more.
#[inline(never)]
fn by_index_strings<E: Element>(rows: &[E], last: &mut [E]) {
    let colors = last.len();
    last.fill(E::ZERO);
    let all = u32::try_from(colors).ok().and_then(|n| u16::MAX.checked_shl(n)).map_or(u16::MAX, |n| !n);
    let empty = Prefix { product: E::ZERO, unused: all, untried: all, odd: false };
    let mut prefixes = [empty; MAX_COLORS];
    let last_factors =
        rows.len().checked_sub(colors).and_then(|before| rows.get(before..)).unwrap_or_default();
    // Length of the prefix, which is the index of the row of the next factor.
    let mut length = 0_usize;
    while let Some(prefix) = prefixes.get_mut(length) {
        if prefix.untried == 0 {
            let Some(shorter) = length.checked_sub(1) else { return };
            length = shorter;
            continue;
        }
        let index = prefix.untried.trailing_zeros();
        // The lowest set bit, which is the only one that a number and its two's complement have in common.
        let bit = prefix.untried & prefix.untried.wrapping_neg();
        prefix.untried ^= bit;
        let place = length.times(colors).plus(index as usize);
        let Some(&factor) = rows.get(place) else { return };
        let product = if length == 0 { factor } else { prefix.product.times(factor) };
        let unused = prefix.unused ^ bit;
        // Each smaller index that is still unused will come later: one inversion of the permutation each.
        let smaller = unused & bit.minus(1);
        let odd = prefix.odd ^ (smaller.count_ones() & 1 == 1);
        if unused.count_ones() == 2 {
            add_pair(last, product, last_factors, unused, odd);
            continue;
        }
        length.increase(1);
        if let Some(next) = prefixes.get_mut(length) {
            *next = Prefix { product, unused, untried: unused, odd };
        }
    }
}

/// Adds the two strings that end with one of the two unused indices and leave out the other. One is an even
/// permutation, the other an odd one. They belong to different sums, so their order does not matter.
#[inline]
fn add_pair<E: Element>(last: &mut [E], product: E, factors: &[E], unused: u16, odd: bool) {
    let lower = unused.trailing_zeros() as usize;
    let upper = 15_u32.minus(unused.leading_zeros()) as usize;
    let (even_end, odd_end) = if odd { (upper, lower) } else { (lower, upper) };
    if let (Some(&even), Some(&odd)) = (factors.get(even_end), factors.get(odd_end)) {
        if let Some(sum) = last.get_mut(odd_end) {
            *sum = sum.plus_conjugate(product.times(even));
        }
        if let Some(sum) = last.get_mut(even_end) {
            *sum = sum.minus_conjugate(product.times(odd));
        }
    }
}

/// An element of a matrix: `[x]` of a real one, `[re, im]` of a complex one.
trait Element: Copy {
    /// All parts +0.
    const ZERO: Self;

    /// Product of two elements.
    fn times(self, other: Self) -> Self;

    /// The sum of this and the conjugate of `term`.
    fn plus_conjugate(self, term: Self) -> Self;

    /// The difference of this and the conjugate of `term`.
    fn minus_conjugate(self, term: Self) -> Self;

    /// The conjugate of `self - term`, with every zero +0.
    fn conjugate_less(self, term: Self) -> Self;

    /// The largest absolute difference of the parts of two elements; infinite if a part is not finite.
    fn distance(self, other: Self) -> f64;
}

impl<T: Real> Element for [T; 1] {
    const ZERO: Self = [T::ZERO];

    #[inline]
    fn times(self, other: Self) -> Self {
        let ([a], [b]) = (self, other);
        [a.times(b)]
    }

    #[inline]
    fn plus_conjugate(self, term: Self) -> Self {
        let ([sum], [term]) = (self, term);
        [sum.plus(term)]
    }

    #[inline]
    fn minus_conjugate(self, term: Self) -> Self {
        let ([sum], [term]) = (self, term);
        [sum.minus(term)]
    }

    #[inline]
    fn conjugate_less(self, term: Self) -> Self {
        let ([a], [b]) = (self, term);
        [a.minus(b).plus(T::ZERO)]
    }

    #[inline]
    fn distance(self, other: Self) -> f64 {
        let ([a], [b]) = (self, other);
        distance(a, b)
    }
}

impl<T: Real> Element for [T; 2] {
    const ZERO: Self = [T::ZERO; 2];

    /// The specification does not define the multiplication of complex numbers. This is the textbook formula with four
    /// products, each rounded: fused operations, or the formula with three products, would give other bits.
    #[inline]
    fn times(self, other: Self) -> Self {
        let ([ar, ai], [br, bi]) = (self, other);
        [ar.times(br).minus(ai.times(bi)), ar.times(bi).plus(ai.times(br))]
    }

    // Subtracting the imaginary part is bit-identical to adding its opposite.
    #[inline]
    fn plus_conjugate(self, term: Self) -> Self {
        let ([re, im], [term_re, term_im]) = (self, term);
        [re.plus(term_re), im.minus(term_im)]
    }

    #[inline]
    fn minus_conjugate(self, term: Self) -> Self {
        let ([re, im], [term_re, term_im]) = (self, term);
        [re.minus(term_re), im.plus(term_im)]
    }

    #[inline]
    fn conjugate_less(self, term: Self) -> Self {
        let ([re, im], [term_re, term_im]) = (self, term);
        [re.minus(term_re).plus(T::ZERO), term_im.minus(im).plus(T::ZERO)]
    }

    #[inline]
    fn distance(self, other: Self) -> f64 {
        let ([a_re, a_im], [b_re, b_im]) = (self, other);
        larger(distance(a_re, b_re), distance(a_im, b_im))
    }
}

/// Absolute difference. A NaN counts as infinite, because a maximum would ignore it.
#[inline]
fn distance<T: Real>(a: T, b: T) -> f64 {
    let difference = (a.into() - b.into()).abs();
    if difference < f64::INFINITY { difference } else { f64::INFINITY }
}

/// The larger number. Faster than `f64::max`, which has to handle NaNs.
#[inline]
fn larger(a: f64, b: f64) -> f64 {
    if a > b { a } else { b }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::fmt::Debug;
    use std::format;

    /// Numbers of all sizes, zeros of both signs and infinities among them.
    fn noise(state: &mut u64) -> f64 {
        *state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
        let bits = *state >> 20;
        let size = match bits & 15 {
            0 => 0.0,
            1 => 1e-40,
            2 => f64::MIN_POSITIVE,
            3 => 1e30,
            4 => f64::INFINITY,
            _ => 1.0,
        };
        let sign = if bits & 16 == 0 { 1.0 } else { -1.0 };
        sign * size * (1.0 + bits as f64 / 16_777_216.0)
    }

    /// `Debug` shows numbers so that they can be read back to the bit, with the sign of a zero; NaNs are all alike.
    fn unrolled_formula_equals_general_sum<E: Element + Debug>(element: impl Fn(&mut u64) -> E) {
        let mut state = 1;
        for _ in 0..20_000 {
            let rows = [(); 6].map(|()| element(&mut state));
            let [a1, a2, a3, b1, b2, b3] = rows;
            let mut last = [a1; 3];
            by_index_strings(&rows, &mut last);
            assert_eq!(format!("{last:?}"), format!("{:?}", three_colors([a1, a2, a3], [b1, b2, b3])));
        }
    }

    #[test]
    fn three_colors_agree_with_the_general_sum() {
        unrolled_formula_equals_general_sum(|state| [noise(state) as f32]);
        unrolled_formula_equals_general_sum(|state| [noise(state)]);
        unrolled_formula_equals_general_sum(|state| [noise(state) as f32, noise(state) as f32]);
        unrolled_formula_equals_general_sum(|state| [noise(state), noise(state)]);
    }
}
