//! Counts: entries of 32 bytes with a letter, decimal digits and padding (scda 2.3 to 2.6), and their numbers.
//!
//! A variable array has an entry for each of its elements, so the digits are read without nom. With its parsers
//! (`separated_pair` of digits, a space and dashes) a Cortex-M3 needs about the same flash, but x86-64 reads a size with
//! 349 instructions instead of 260: nom takes the dashes one at a time, and here they are compared with a row of dashes.

use core::fmt;

use super::padding::{self, Style};
use crate::bytes::suffix;
use crate::counter::Counter as _;
use crate::state::{Put, Saved, Take};

/// Length of a count entry in bytes: letter, space, number, padding.
pub const COUNT_LEN: usize = 32;
/// Largest number of digits of a count.
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
    /// Length of a count entry.
    pub(super) const LINE: Self = Self(COUNT_LEN as u128);
    /// The largest count.
    pub const MAX: Self = Self(10_u128.pow(MAX_DIGITS as u32) - 1);

    /// A count; `None` if the number has more than 26 digits.
    #[must_use]
    pub const fn new(value: u128) -> Option<Self> {
        if value <= Self::MAX.0 { Some(Self(value)) } else { None }
    }

    /// The number, which has at most 26 decimal digits.
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

/// Reason why an entry is no count.
///
/// # Example
/// ```
/// use linkstream::scda::{CountError, ErrorKind};
///
/// let error = ErrorKind::from(CountError::Digits);
/// assert_eq!((error, error.to_string()), (ErrorKind::Count, CountError::Digits.to_string()));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum CountError {
    /// It begins with the wrong letter.
    Letter {
        /// The letter expected.
        expected: Letter,
        /// The byte that was found instead.
        found: u8,
    },
    /// No space after the letter.
    NoSpace {
        /// The byte that was found instead.
        found: u8,
    },
    /// No 1 to 26 digits without leading zeros, or wrong padding.
    Digits,
    /// The size before compression does not fit in 64 bits.
    TooLong,
}

impl core::error::Error for CountError {}

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

/// Offset of the last two bytes of an entry. Any two bytes are accepted there.
const LINE_BREAK: usize = 30;

impl Count {
    /// The count of an entry.
    ///
    /// # Errors
    /// The error, and its offset in the entry.
    pub(crate) fn parse(letter: Letter, line: &[u8; COUNT_LEN]) -> Result<Self, (u64, CountError)> {
        let [first, space, ..] = *line;
        if first != letter.byte() {
            return Err((0, CountError::Letter { expected: letter, found: first }));
        }
        if space != b' ' {
            return Err((1, CountError::NoSpace { found: space }));
        }
        Self::digits(line).ok_or((2, CountError::Digits))
    }

    /// Digits without a leading zero, a space, at least one dash, any two bytes.
    fn digits(line: &[u8; COUNT_LEN]) -> Option<Self> {
        let digits = line.get(2..2 + MAX_DIGITS)?;
        let length = digits.iter().position(|byte| !byte.is_ascii_digit()).unwrap_or(MAX_DIGITS);
        let (digits, _) = digits.split_at_checked(length)?;
        match digits {
            [] | [b'0', _, ..] => return None,
            _ => {}
        }
        let (space, dashes) = line.get(length.plus(2)..LINE_BREAK)?.split_first()?;
        if *space != b' ' || !padding::are_dashes(dashes) {
            return None;
        }
        // The first 19 digits always fit into 64 bits. Most counts are shorter, so arithmetic of 128 bits is rare.
        let (front, back) = digits.split_at_checked(19).unwrap_or((digits, &[]));
        let front = front.iter().fold(0_u64, |sum, digit| sum.times(10).plus(u64::from(digit & 0x0f)));
        let value =
            back.iter().fold(u128::from(front), |sum, digit| sum.times(10).plus(u128::from(digit & 0x0f)));
        Self::new(value)
    }

    /// The entry of this count.
    pub(super) fn emit(self, letter: Letter, style: Style) -> [u8; COUNT_LEN] {
        // Nearly all counts fit into 64 bits, and divisions of 64 bits take a fraction of the time.
        let mut digits = [0; MAX_DIGITS];
        let mut from = MAX_DIGITS;
        let mut long = self.get();
        let mut put = |digit: u64| {
            from.take_away(1);
            if let Some(place) = digits.get_mut(from) {
                *place = b'0' | digit as u8;
            }
        };
        while long > u128::from(u64::MAX) {
            put((long % 10) as u64);
            long /= 10;
        }
        let mut short = long as u64;
        put(short % 10);
        while short > 9 {
            short /= 10;
            put(short % 10);
        }
        let mut line = [0; COUNT_LEN];
        let [first, space, field @ ..] = &mut line;
        (*first, *space) = (letter.byte(), b' ');
        padding::fill(field, suffix(&digits, from), style);
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_written_and_read_exactly() {
        for value in [0, 1, 9, 10, u128::from(u64::MAX), 10_u128.pow(19), 10_u128.pow(25), Count::MAX.get()] {
            for style in [Style::Unix, Style::Mime] {
                let count = Count::new(value).unwrap();
                assert_eq!(Count::parse(Letter::N, &count.emit(Letter::N, style)), Ok(count));
            }
        }
        assert_eq!(&Count::from(45).emit(Letter::E, Style::Unix), b"E 45 --------------------------\n");
        assert_eq!(&Count::from(45).emit(Letter::E, Style::Mime), b"E 45 -------------------------\r\n");
        assert_eq!(Count::new(10_u128.pow(26)), None);
    }

    #[test]
    fn malformed_counts_are_refused() {
        let fault = |line| Count::parse(Letter::E, line).unwrap_err();
        assert_eq!(fault(b"E 05 --------------------------\n").0, 2);
        assert_eq!(fault(b"N 5 ---------------------------\n").0, 0);
        assert_eq!(fault(b"E-5 ---------------------------\n").0, 1);
        assert_eq!(fault(b"E 5----------------------------\n"), (2, CountError::Digits));
        assert_eq!(fault(b"E 5 -----------=---------------\n"), (2, CountError::Digits));
        assert_eq!(fault(b"E 123456789012345678901234567 -\n"), (2, CountError::Digits));
        assert_eq!(fault(b"E                             -\n"), (2, CountError::Digits));
        // Two arbitrary bytes at the end, but at least one dash before them.
        assert!(Count::parse(Letter::E, b"E 12345678901234567890123456 -xy").is_ok());
        assert_eq!(fault(b"E 12345678901234567890123456  xy"), (2, CountError::Digits));
    }
}
