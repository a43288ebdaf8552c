//! Counts: numbers of up to 26 decimal digits in entries of 32 bytes (scda 2.4, Figure 3).

use core::fmt;

use super::entry::{self, Style};
use super::error::ErrorKind;
use crate::state::{Put, Saved, Take};

/// Bytes of an entry: letter, space, number, padding.
pub const COUNT_LEN: usize = 32;
/// Most digits of a count.
const MAX_DIGITS: usize = 26;
/// Where the padding's two last bytes stand, which may be any.
const LINE_BREAK: usize = 30;

/// A number of elements or bytes: up to 10^26 - 1, which is more than 64 bits hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Count(u128);

impl Count {
    pub(super) const ZERO: Self = Self(0);
    pub(super) const ONE: Self = Self(1);
    /// The largest.
    pub const MAX: Self = Self(10_u128.pow(MAX_DIGITS as u32) - 1);

    /// `None` for what has more than 26 digits.
    #[must_use]
    pub const fn new(value: u128) -> Option<Self> {
        if value <= Self::MAX.0 { Some(Self(value)) } else { None }
    }

    /// The number.
    #[must_use]
    pub const fn get(self) -> u128 {
        self.0
    }

    /// The number if 64 bits hold it.
    #[must_use]
    pub const fn to_u64(self) -> Option<u64> {
        if self.0 <= u64::MAX as u128 { Some(self.0 as u64) } else { None }
    }

    /// What an entry says.
    ///
    /// # Errors
    /// [`ErrorKind::Letter`] and where it stands in the entry, and so on.
    pub(super) fn parse(letter: Letter, line: &[u8; COUNT_LEN]) -> Result<Self, (u64, ErrorKind)> {
        let [first, space, ..] = *line;
        if first != letter.byte() {
            return Err((0, ErrorKind::Letter { expected: letter, found: first }));
        }
        if space != b' ' {
            return Err((1, ErrorKind::NoSpace { found: space }));
        }
        Self::digits(line).ok_or((2, ErrorKind::Count))
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
        let (space, dashes) = line.get(length.saturating_add(2)..LINE_BREAK)?.split_first()?;
        if *space != b' ' || !entry::are_dashes(dashes) {
            return None;
        }
        // 19 digits fit into 64 bits, and most counts are shorter.
        let (front, back) = digits.split_at_checked(19).unwrap_or((digits, &[]));
        let value = |digits: &[u8]| {
            digits.iter().fold(0_u64, |sum, digit| sum.wrapping_mul(10).wrapping_add(u64::from(digit & 0x0f)))
        };
        if back.is_empty() {
            return Some(Self(u128::from(value(front))));
        }
        let scale = 10_u128.checked_pow(u32::try_from(back.len()).ok()?)?;
        Some(Self(u128::from(value(front)).checked_mul(scale)?.checked_add(u128::from(value(back)))?))
    }

    /// The entry of this count.
    pub(super) fn emit(self, letter: Letter, style: Style) -> [u8; COUNT_LEN] {
        // Nearly all counts fit into 64 bits, which are divided in a fraction of the time.
        let mut digits = [0; MAX_DIGITS];
        let mut from = MAX_DIGITS;
        let mut long = self.0;
        let mut put = |digit: u64| {
            from = from.saturating_sub(1);
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
        entry::fill(field, digits.get(from..).unwrap_or_default(), style);
        line
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

/// The letter that opens a count entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Letter {
    /// `N`: elements of an array.
    N,
    /// `E`: bytes of a block or of an element.
    E,
    /// `U`: bytes before compression.
    U,
}

impl Letter {
    /// The byte.
    #[must_use]
    pub const fn byte(self) -> u8 {
        match self {
            Self::N => b'N',
            Self::E => b'E',
            Self::U => b'U',
        }
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
    fn what_is_no_count() {
        let fault = |line| Count::parse(Letter::E, line).unwrap_err();
        assert_eq!(fault(b"E 05 --------------------------\n").0, 2);
        assert_eq!(fault(b"N 5 ---------------------------\n").0, 0);
        assert_eq!(fault(b"E-5 ---------------------------\n").0, 1);
        assert_eq!(fault(b"E 5----------------------------\n"), (2, ErrorKind::Count));
        assert_eq!(fault(b"E 5 -----------=---------------\n"), (2, ErrorKind::Count));
        assert_eq!(fault(b"E 123456789012345678901234567 -\n"), (2, ErrorKind::Count));
        assert_eq!(fault(b"E                             -\n"), (2, ErrorKind::Count));
        // Two arbitrary bytes at the end, but at least one dash before them.
        assert!(Count::parse(Letter::E, b"E 12345678901234567890123456 -xy").is_ok());
        assert_eq!(fault(b"E 12345678901234567890123456  xy"), (2, ErrorKind::Count));
    }
}
