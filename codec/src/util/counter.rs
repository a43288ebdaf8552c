//! Arithmetic on counts whose result is known to fit.
//!
//! A count that does not fit is a mistake in this crate, never a property of a file: a claim of a file is
//! computed with `checked_*` and refused. A build with debug assertions panics. A release build must not, so it counts
//! the mistake, and the decoder at work, or the unpacker of sections, stops with
//! [`Misuse::Internal`](crate::Misuse::Internal) instead of passing on wrong results: see [`Watch`]. Encoders do not watch,
//! nor do `Sites`, `ReadInto` and `SiteStream`, which work on data between two steps of a decoder. The
//! functions for constants ([`plus`], [`minus`], [`times`] and their narrow forms) wrap without a note. No bound of memory
//! depends on these counts alone.

use core::sync::atomic::{AtomicU32, Ordering};

/// Number of mistakes in this process, modulo 2^32. Some microcontrollers can only load and store atomically: of two
/// mistakes at the same time, one can be lost, but the number changes.
#[cfg(not(test))]
static MISTAKES: AtomicU32 = AtomicU32::new(0);

// Tests run at the same time, and provoke mistakes.
#[cfg(test)]
std::thread_local! {
    static MISTAKES: AtomicU32 = const { AtomicU32::new(0) };
    /// True if the next calculation counts as a mistake.
    pub(crate) static NEXT_IS_WRONG: core::cell::Cell<bool> = const { core::cell::Cell::new(false) };
}

#[cfg(not(test))]
fn with_mistakes<T>(call: impl FnOnce(&AtomicU32) -> T) -> T {
    call(&MISTAKES)
}

#[cfg(test)]
fn with_mistakes<T>(call: impl FnOnce(&AtomicU32) -> T) -> T {
    MISTAKES.with(call)
}

#[cold]
#[inline(never)]
pub(crate) fn note_mistake() {
    with_mistakes(|mistakes| {
        mistakes.store(mistakes.load(Ordering::Relaxed).wrapping_add(1), Ordering::Relaxed);
    });
}

/// Notices mistakes while a step runs. A mistake on another thread at the same time is noticed too: all steps that run
/// meanwhile are stopped, but no later one.
#[derive(Debug)]
pub(crate) struct Watch(u32);

impl Watch {
    #[inline]
    pub(crate) fn begin() -> Self {
        Self(with_mistakes(|mistakes| mistakes.load(Ordering::Relaxed)))
    }

    /// True if there was a mistake since [`begin`](Self::begin).
    #[inline]
    pub(crate) fn has_seen_mistake(&self) -> bool {
        with_mistakes(|mistakes| mistakes.load(Ordering::Relaxed)) != self.0
    }
}

/// The result of a calculation, which is wrong if it overflows.
#[inline]
fn checked<T>((result, overflows): (T, bool)) -> T {
    #[cfg(test)]
    let overflows = overflows || NEXT_IS_WRONG.take();
    if overflows {
        note_mistake();
    }
    result
}

/// An unsigned number that counts something.
pub(crate) trait Counter: Copy {
    /// The sum, which fits.
    fn plus(self, n: Self) -> Self;
    /// The difference, which is not negative.
    fn minus(self, n: Self) -> Self;
    /// The product, which fits.
    fn times(self, n: Self) -> Self;
    /// Counts `n` more.
    #[inline]
    fn increase(&mut self, n: Self) {
        *self = self.plus(n);
    }
    /// Counts `n` less.
    #[inline]
    fn take_away(&mut self, n: Self) {
        *self = self.minus(n);
    }
}

macro_rules! counters {
    ($($t:ty)*) => {$(
        impl Counter for $t {
            #[inline]
            fn plus(self, n: Self) -> Self {
                debug_assert!(self.checked_add(n).is_some(), "{self} + {n} does not fit");
                checked(self.overflowing_add(n))
            }
            #[inline]
            fn minus(self, n: Self) -> Self {
                debug_assert!(n <= self, "{self} - {n} is negative");
                checked(self.overflowing_sub(n))
            }
            #[inline]
            fn times(self, n: Self) -> Self {
                debug_assert!(self.checked_mul(n).is_some(), "{self} * {n} does not fit");
                checked(self.overflowing_mul(n))
            }
        }
    )*};
}
counters!(u8 u16 u32 u64 u128 usize);

/// [`Counter::plus`] in constants.
#[inline]
pub(crate) const fn plus(a: u64, b: u64) -> u64 {
    debug_assert!(a.checked_add(b).is_some(), "the sum does not fit");
    a.wrapping_add(b)
}

/// [`Counter::minus`] in constants.
#[inline]
pub(crate) const fn minus(a: u64, b: u64) -> u64 {
    debug_assert!(b <= a, "the difference is negative");
    a.wrapping_sub(b)
}

/// [`Counter::times`] in constants.
#[inline]
pub(crate) const fn times(a: u64, b: u64) -> u64 {
    debug_assert!(a.checked_mul(b).is_some(), "the product does not fit");
    a.wrapping_mul(b)
}

/// The same for numbers of other widths. All these are needed: a generic function cannot be `const`.
macro_rules! in_constants {
    ($($name:ident: $wide:ident of $t:ty;)*) => {$(
        #[inline]
        pub(crate) const fn $name(a: $t, b: $t) -> $t {
            let wide = $wide(a as u64, b as u64);
            debug_assert!(wide <= <$t>::MAX as u64, "the result does not fit");
            wide as $t
        }
    )*};
}
in_constants! {
    plus_u8: plus of u8;
    minus_u8: minus of u8;
    plus_u32: plus of u32;
    times_u32: times of u32;
}

/// `count`, or `limit` if that is less: how much of a payload, which may be longer than memory, lies in a buffer.
#[inline]
pub(crate) fn at_most(count: u64, limit: usize) -> usize {
    if count < limit as u64 { count as usize } else { limit }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_that_fit() {
        let mut count = 250_u8;
        count.increase(5);
        count.take_away(255);
        assert_eq!((count, 3_usize.times(4), plus(1, 2), minus(2, 2), times(3, 3)), (0, 12, 3, 0, 9));
        assert_eq!([at_most(u64::MAX, 7), at_most(3, 7), at_most(7, 7)], [7, 3, 7]);
    }

    #[test]
    fn mistakes_are_noticed_while_a_step_runs() {
        let watch = Watch::begin();
        assert_eq!(1_u8.plus(2), 3);
        assert!(!watch.has_seen_mistake());
        NEXT_IS_WRONG.set(true);
        let _ = 1_u8.plus(2);
        assert!(watch.has_seen_mistake() && !Watch::begin().has_seen_mistake());
    }

    #[test]
    fn narrow_counts_that_fit() {
        assert_eq!((plus_u8(250, 5), minus_u8(5, 5)), (255, 0));
        assert_eq!((plus_u32(u32::MAX, 0), times_u32(0x1_0000, 0xffff)), (u32::MAX, 0xffff_0000));
    }

    #[test]
    #[should_panic(expected = "the result does not fit")]
    fn a_narrow_count_that_does_not_fit_is_noticed() {
        let _ = plus_u8(255, 1);
    }

    #[test]
    #[should_panic(expected = "255 + 1 does not fit")]
    fn a_count_that_does_not_fit_is_noticed() {
        let _ = 255_u8.plus(1);
    }
}
