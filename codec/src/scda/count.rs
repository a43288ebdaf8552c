//! Counts: numbers of up to 26 decimal digits (scda 2.4).

use core::fmt;

use crate::state::{Put, Saved, Take};

/// Length of a count entry in bytes: letter, space, number, padding.
pub const COUNT_LEN: usize = 32;
/// Most digits of a count.
pub(super) const MAX_DIGITS: usize = 26;

/// A number of elements or bytes: up to 10^26 - 1, which is more than 64 bits hold.
///
/// # Example
/// ```
/// use linkstream::scda::Count;
///
/// assert_eq!(Count::new(10_u128.pow(26)), None);
/// assert_eq!((Count::from(7).get(), Count::from(7).to_u64(), Count::MAX.to_u64()), (7, Some(7), None));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Count(u128);

impl Count {
    pub(super) const ZERO: Self = Self(0);
    pub(super) const ONE: Self = Self(1);
    /// The largest count.
    pub const MAX: Self = Self(10_u128.pow(MAX_DIGITS as u32) - 1);

    /// A count; `None` if the number has more than 26 digits.
    #[must_use]
    pub const fn new(value: u128) -> Option<Self> {
        if value <= Self::MAX.0 { Some(Self(value)) } else { None }
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> u128 {
        self.0
    }

    /// The number, if it fits in 64 bits.
    #[must_use]
    pub const fn to_u64(self) -> Option<u64> {
        if self.0 <= u64::MAX as u128 { Some(self.0 as u64) } else { None }
    }
}

impl From<u64> for Count {
    fn from(value: u64) -> Self {
        Self(u128::from(value))
    }
}

impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Saved for Count {
    const SIZE: usize = 16;
    fn put(&self, to: &mut Put<'_>) {
        to.bytes(&self.0.to_be_bytes());
    }
    fn take(from: &mut Take<'_>) -> Option<Self> {
        Self::new(u128::from_be_bytes(from.array()?))
    }
}

/// The letter at the beginning of a count entry.
///
/// # Example
/// ```
/// assert_eq!(linkstream::scda::Letter::N.byte(), b'N');
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Letter {
    /// `N`: the number of elements of an array.
    N,
    /// `E`: the size in bytes of a block or an element.
    E,
    /// `U`: the size in bytes before compression.
    U,
}

impl Letter {
    /// The letter as an ASCII byte.
    #[must_use]
    pub const fn byte(self) -> u8 {
        match self {
            Self::N => b'N',
            Self::E => b'E',
            Self::U => b'U',
        }
    }
}
