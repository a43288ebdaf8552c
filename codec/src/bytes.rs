//! Parts of slices whose bounds are known to fit.
//!
//! A bound that does not fit is a mistake in this crate: a build with debug assertions panics, a release build
//! clamps the bound, since nothing in this crate may panic there.

use core::ops::Range;

/// The first `n` items.
#[inline]
pub(crate) fn prefix<T>(items: &[T], n: usize) -> &[T] {
    debug_assert!(n <= items.len(), "a prefix of {n} of {} items", items.len());
    items.get(..n).unwrap_or(items)
}

/// The items from `n` on.
#[inline]
pub(crate) fn suffix<T>(items: &[T], n: usize) -> &[T] {
    debug_assert!(n <= items.len(), "the items after {n} of {}", items.len());
    items.get(n..).unwrap_or_default()
}

/// The items from `n` on, to be changed.
#[inline]
pub(crate) fn suffix_mut<T>(items: &mut [T], n: usize) -> &mut [T] {
    debug_assert!(n <= items.len(), "the items after {n} of {}", items.len());
    items.get_mut(n..).unwrap_or_default()
}

/// The first `n` items, to be changed.
#[inline]
pub(crate) fn prefix_mut<T>(items: &mut [T], n: usize) -> &mut [T] {
    debug_assert!(n <= items.len(), "a prefix of {n} of {} items", items.len());
    let n = n.min(items.len());
    items.get_mut(..n).unwrap_or_default()
}

/// The items of `range`.
#[inline]
pub(crate) fn part<T>(items: &[T], range: Range<usize>) -> &[T] {
    debug_assert!(range.start <= range.end && range.end <= items.len(), "{range:?} of {} items", items.len());
    items.get(range).unwrap_or_default()
}

/// The items of `range`, to be changed.
#[inline]
pub(crate) fn part_mut<T>(items: &mut [T], range: Range<usize>) -> &mut [T] {
    debug_assert!(range.start <= range.end && range.end <= items.len(), "{range:?} of {} items", items.len());
    items.get_mut(range).unwrap_or_default()
}

/// The first `n` items, and those after them.
#[inline]
pub(crate) fn split<T>(items: &[T], n: usize) -> (&[T], &[T]) {
    debug_assert!(n <= items.len(), "{} items split at {n}", items.len());
    items.split_at_checked(n).unwrap_or((items, &[]))
}

/// The first `n` items and those after them, to be changed.
#[inline]
pub(crate) fn split_mut<T>(items: &mut [T], n: usize) -> (&mut [T], &mut [T]) {
    debug_assert!(n <= items.len(), "{} items split at {n}", items.len());
    let n = n.min(items.len());
    items.split_at_mut_checked(n).unwrap_or_default()
}

/// Moves the items of `range` to the front.
#[inline]
pub(crate) fn keep<T: Copy>(items: &mut [T], range: Range<usize>) {
    debug_assert!(range.start <= range.end && range.end <= items.len(), "{range:?} of {} items", items.len());
    for (to, from) in range.enumerate() {
        if let Some(item) = items.get(from).copied()
            && let Some(place) = items.get_mut(to)
        {
            *place = item;
        }
    }
}

/// Copies as many items as both slices hold; returns how many.
#[inline]
pub(crate) fn copy<T: Copy>(to: &mut [T], from: &[T]) -> usize {
    for (to, from) in to.iter_mut().zip(from) {
        *to = *from;
    }
    to.len().min(from.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_up_to_both_ends() {
        let bytes = [1, 2, 3];
        assert_eq!((prefix(&bytes, 3), prefix(&bytes, 0)), (&[1, 2, 3][..], &[][..]));
        assert_eq!((suffix(&bytes, 3), suffix(&bytes, 1)), (&[][..], &[2, 3][..]));
        assert_eq!(part(&bytes, 1..2), [2]);
        assert_eq!((split(&bytes, 3), split(&bytes, 1)), ((&bytes[..], &[][..]), (&[1][..], &[2, 3][..])));
        let mut changed = [1, 2, 3];
        let (front, rest) = split_mut(&mut changed, 1);
        assert_eq!((front, rest), (&mut [1][..], &mut [2, 3][..]));
        part_mut(&mut changed, 1..3).fill(9);
        assert_eq!(changed, [1, 9, 9]);
        let mut short = [0; 2];
        assert_eq!((copy(&mut short, &bytes), short), (2, [1, 2]));
        assert_eq!(copy(&mut [0; 5], &bytes), 3);
    }

    #[test]
    #[should_panic(expected = "a prefix of 4 of 3 items")]
    fn a_prefix_that_does_not_fit_is_noticed() {
        let _ = prefix(&[1, 2, 3], 4);
    }

    #[test]
    #[should_panic(expected = "3 items split at 4")]
    fn a_split_that_does_not_fit_is_noticed() {
        let _ = split(&[1, 2, 3], 4);
    }

    #[test]
    #[should_panic(expected = "2..4 of 3 items")]
    fn a_range_that_does_not_fit_is_noticed() {
        let _ = part_mut(&mut [1, 2, 3], 2..4);
    }
}
