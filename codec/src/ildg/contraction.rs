//! The last row of an SO(N) or SU(N) matrix (ILDG 1.2, appendix A.2, equation 3, and the conventions that
//! make it unique at the bit level).
//!
//! Every sum begins with +0, or +0 is added to it. That changes no other number, and what it is added to is
//! not -0 afterwards, whatever is added or subtracted then: a zero is +0, as the conventions demand. The sign
//! of a zero inside of a product is of no consequence for a result that is not zero.

use super::real::Element;
use crate::counter::Counter as _;

/// As many colors as the sum over all index strings is computed for.
pub(super) const MAX_COLORS: usize = 10;

/// Computes `last` from the `rows` before it, which are stored one after the other.
#[inline]
pub(super) fn contract<E: Element>(rows: &[E], last: &mut [E]) {
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

/// The pairs of strings that leave out 1, 2, 3: even less odd, for in a sum of two terms the order is all the
/// same.
#[inline]
fn three_colors<E: Element>([a1, a2, a3]: [E; 3], [b1, b2, b3]: [E; 3]) -> [E; 3] {
    [
        a2.times(b3).conjugate_less(a3.times(b2)),
        a3.times(b1).conjugate_less(a1.times(b3)),
        a1.times(b2).conjugate_less(a2.times(b1)),
    ]
}

/// The begin of an index string.
#[derive(Clone, Copy)]
struct Prefix<E> {
    /// The product of its factors from left to right; means nothing while there is none.
    product: E,
    /// Indices that are not in it, as bits.
    unused: u16,
    /// Those of them that have not been appended yet.
    untried: u16,
    /// Whether it is an odd permutation, as far as it goes.
    odd: bool,
}

/// Goes through the index strings in lexicographic order, as through a tree. Strings with the same begin
/// share its product: it is formed from left to right, so it is the same for all of them.
///
/// An index that appears twice makes the symbol zero, so the strings are those that leave out one index, k.
/// For three colors or more.
#[inline(never)]
fn by_index_strings<E: Element>(rows: &[E], last: &mut [E]) {
    let colors = last.len();
    last.fill(E::ZERO);
    let all = u32::try_from(colors).ok().and_then(|n| u16::MAX.checked_shl(n)).map_or(u16::MAX, |n| !n);
    let empty = Prefix { product: E::ZERO, unused: all, untried: all, odd: false };
    let mut prefixes = [empty; MAX_COLORS];
    let last_factors =
        rows.len().checked_sub(colors).and_then(|before| rows.get(before..)).unwrap_or_default();
    // The length of the prefix, and so the row of the factor that comes next.
    let mut length = 0_usize;
    while let Some(prefix) = prefixes.get_mut(length) {
        if prefix.untried == 0 {
            let Some(shorter) = length.checked_sub(1) else { return };
            length = shorter;
            continue;
        }
        let index = prefix.untried.trailing_zeros();
        // The lowest bit that is set: a number and its two's complement share no other.
        let bit = prefix.untried & prefix.untried.wrapping_neg();
        prefix.untried ^= bit;
        let place = length.times(colors).plus(index as usize);
        let Some(&factor) = rows.get(place) else { return };
        let product = if length == 0 { factor } else { prefix.product.times(factor) };
        let unused = prefix.unused ^ bit;
        // Every smaller index still to come follows a larger one.
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

/// The two strings that end with one of two unused indices and leave out the other: one of them is an even
/// permutation, one an odd one. They belong to sums of their own, so that it does not matter which comes
/// first.
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
    fn straight_lines_are_the_index_strings<E: Element + Debug>(element: impl Fn(&mut u64) -> E) {
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
    fn three_colors_are_nothing_special() {
        straight_lines_are_the_index_strings(|state| [noise(state) as f32]);
        straight_lines_are_the_index_strings(|state| [noise(state)]);
        straight_lines_are_the_index_strings(|state| [noise(state) as f32, noise(state) as f32]);
        straight_lines_are_the_index_strings(|state| [noise(state), noise(state)]);
    }
}
