//! Parts of slices whose bounds are known to fit, parts of fixed size from input that may be cut anywhere, and the
//! input of nom's parsers.
//!
//! A bound that does not fit is a mistake in this crate: a build with debug assertions panics. A release build must not:
//! [`suffix`], [`suffix_mut`] and [`split`] return no items and count the mistake, so that the decoder at work stops, see
//! [`Watch`](crate::counter::Watch). The others only clamp the bound: if they counted too, a program that verifies a
//! checksum would take 300 bytes more of flash, 0.8 %.

use core::iter::{Copied, Enumerate};
use core::ops::Range;
use core::slice::Iter;
use nom::{Compare, CompareResult, Input, Needed};

use crate::counter::{Counter as _, note_mistake};

/// No items, because a bound does not fit.
#[cold]
fn clamped<T: Default>() -> T {
    note_mistake();
    T::default()
}

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
    items.get(n..).unwrap_or_else(clamped)
}

/// The items from `n` on, to be changed.
#[inline]
pub(crate) fn suffix_mut<T>(items: &mut [T], n: usize) -> &mut [T] {
    debug_assert!(n <= items.len(), "the items after {n} of {}", items.len());
    items.get_mut(n..).unwrap_or_else(clamped)
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

/// The first `n` items and the items after them.
#[inline]
pub(crate) fn split<T>(items: &[T], n: usize) -> (&[T], &[T]) {
    debug_assert!(n <= items.len(), "{} items split at {n}", items.len());
    items.split_at_checked(n).unwrap_or_else(clamped)
}

/// The first `n` items and the items after them, to be changed.
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

/// Completes `bytes`, whose first `filled` bytes are present, from the front of `input`. Returns the number of bytes
/// copied.
pub(crate) fn accumulate<const N: usize>(bytes: &mut [u8; N], filled: &mut usize, input: &[u8]) -> usize {
    // The common case, that the input holds the whole part, is one copy of known size.
    if *filled == 0
        && let Some(whole) = input.first_chunk::<N>()
    {
        *bytes = *whole;
        *filled = N;
        return N;
    }
    let n = copy(suffix_mut(bytes, *filled), input);
    filled.increase(n);
    n
}

/// Bytes that are complete, as the input of nom's parsers: a line, or another small part of a file.
///
/// nom's own implementation for slices splits them by indexing, and at opt-level z the optimiser does not see that the
/// bounds fit, so that the link-time proof fails. This one splits like the rest of the crate.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Line<'l>(pub(crate) &'l [u8]);

impl<'l> Input for Line<'l> {
    type Item = u8;
    type Iter = Copied<Iter<'l, u8>>;
    type IterIndices = Enumerate<Self::Iter>;

    fn input_len(&self) -> usize {
        self.0.len()
    }

    fn take(&self, index: usize) -> Self {
        Self(prefix(self.0, index))
    }

    fn take_from(&self, index: usize) -> Self {
        Self(suffix(self.0, index))
    }

    fn take_split(&self, index: usize) -> (Self, Self) {
        let (front, rest) = split(self.0, index);
        (Self(rest), Self(front))
    }

    fn position<P: Fn(u8) -> bool>(&self, predicate: P) -> Option<usize> {
        self.0.iter().position(|byte| predicate(*byte))
    }

    fn iter_elements(&self) -> Self::Iter {
        self.0.iter().copied()
    }

    fn iter_indices(&self) -> Self::IterIndices {
        self.iter_elements().enumerate()
    }

    fn slice_index(&self, count: usize) -> Result<usize, Needed> {
        if count <= self.0.len() { Ok(count) } else { Err(Needed::Unknown) }
    }
}

impl Compare<&str> for Line<'_> {
    fn compare(&self, word: &str) -> CompareResult {
        if self.0.starts_with(word.as_bytes()) {
            CompareResult::Ok
        } else if word.as_bytes().starts_with(self.0) {
            CompareResult::Incomplete
        } else {
            CompareResult::Error
        }
    }

    fn compare_no_case(&self, word: &str) -> CompareResult {
        let same = |(byte, letter): (&u8, u8)| byte.eq_ignore_ascii_case(&letter);
        match self.0.iter().zip(word.bytes()).all(same) {
            true if self.0.len() >= word.len() => CompareResult::Ok,
            true => CompareResult::Incomplete,
            false => CompareResult::Error,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counter::Watch;

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

    /// In place of the panic of a build with debug assertions.
    #[test]
    fn a_bound_that_does_not_fit_stops_a_decoder() {
        let watch = Watch::begin();
        assert!(clamped::<&[u8]>().is_empty() && watch.has_seen_mistake());
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
