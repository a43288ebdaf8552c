//! The entry of a count: 32 bytes of letter, digits and padding (scda 2.4, Figure 3).
//!
//! A variable array has an entry for each of its elements, so the digits are read without nom. With its parsers
//! (`separated_pair` of digits, a space and dashes) a Cortex-M3 needs about the same flash (`scda-decoder` 5,279 -> 5,245
//! bytes, `scda-logical-decoder` 8,369 -> 8,371), but x86-64 reads a size with 349 instructions instead of 260: nom takes
//! the dashes one at a time, and here they are compared with a row of dashes. Strings are padded in the same way, but their
//! content may have spaces and dashes, so that the padding is found from the right, where no parser of nom begins.

use super::count::{COUNT_LEN, Count, Letter, MAX_DIGITS};
use super::entry::{self, Style};
use super::error::ErrorKind;
use crate::bytes::suffix;
use crate::counter::Counter as _;

/// Offset of the last two bytes of the padding, which may be any.
const LINE_BREAK: usize = 30;

impl Count {
    /// The count of an entry.
    ///
    /// # Errors
    /// What is wrong, and its offset in the entry.
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
        let (space, dashes) = line.get(length.plus(2)..LINE_BREAK)?.split_first()?;
        if *space != b' ' || !entry::are_dashes(dashes) {
            return None;
        }
        // 19 digits fit into 64 bits, and most counts are shorter.
        let (front, back) = digits.split_at_checked(19).unwrap_or((digits, &[]));
        let front = front.iter().fold(0_u64, |sum, digit| sum.times(10).plus(u64::from(digit & 0x0f)));
        let value =
            back.iter().fold(u128::from(front), |sum, digit| sum.times(10).plus(u128::from(digit & 0x0f)));
        Self::new(value)
    }

    /// The entry of this count.
    pub(super) fn emit(self, letter: Letter, style: Style) -> [u8; COUNT_LEN] {
        // Nearly all counts fit into 64 bits, which are divided in a fraction of the time.
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
        entry::fill(field, suffix(&digits, from), style);
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
