//! Dates as QIO writes them: C's `asctime` in UTC and ` UTC` (QIO 2.3, "Private record XML").

use core::fmt;

use crate::counter::{Counter as _, plus_u8};
use crate::xml::Text;

/// A time of the Gregorian calendar in UTC, displayed as the `date` of a private record.
///
/// ```
/// use linkstream::scidac::Date;
///
/// assert_eq!(Date::from_unix(1_704_164_645).to_string(), "Tue Jan  2 03:04:05 2024 UTC");
/// ```
///
/// # Example
/// ```
/// use linkstream::scidac::Date;
///
/// assert_eq!(Date::from_unix(0).text(), "Thu Jan  1 00:00:00 1970 UTC");
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Date {
    /// Number of days since 1 January 1970.
    days: u32,
    /// Number of seconds since the start of that day.
    seconds: u32,
}

const DAY: u64 = 86_400;
/// 31 December 9999: the last day whose year has four digits.
const LAST_DAY: u64 = 2_932_896;

impl Date {
    /// A date from Unix time: seconds since the start of 1970, without leap seconds. Dates after the year 9999
    /// become the last day of that year.
    #[must_use]
    pub const fn from_unix(seconds: u64) -> Self {
        let days = if seconds / DAY > LAST_DAY { LAST_DAY } else { seconds / DAY };
        Self { days: days as u32, seconds: (seconds % DAY) as u32 }
    }

    /// Year, month from 0, day of the month from 1.
    fn calendar(self) -> (u32, u32, u32) {
        let mut days = self.days;
        let mut year = 1970_u32;
        loop {
            let length = if leap(year) { 366 } else { 365 };
            match days.checked_sub(length) {
                Some(rest) => days = rest,
                None => break,
            }
            year.increase(1);
        }
        let february = if leap(year) { 29 } else { 28 };
        let mut month = 0_u32;
        for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
            match days.checked_sub(length) {
                Some(rest) => days = rest,
                None => break,
            }
            month.increase(1);
        }
        (year, month, days.plus(1))
    }
}

const fn leap(year: u32) -> bool {
    year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
}

impl Date {
    /// The date as a text of 28 bytes.
    #[must_use]
    pub fn text(self) -> Text<28> {
        const WEEKDAYS: [&[u8; 3]; 7] = [b"Thu", b"Fri", b"Sat", b"Sun", b"Mon", b"Tue", b"Wed"];
        const MONTHS: [&[u8; 3]; 12] =
            [b"Jan", b"Feb", b"Mar", b"Apr", b"May", b"Jun", b"Jul", b"Aug", b"Sep", b"Oct", b"Nov", b"Dec"];
        let (year, month, day) = self.calendar();
        let [w0, w1, w2] = *WEEKDAYS.get((self.days % 7) as usize).copied().unwrap_or(b"   ");
        let [m0, m1, m2] = *MONTHS.get(month as usize).copied().unwrap_or(b"   ");
        let [_, _, d0, d1] = digits(day);
        // As in C, a blank and not a zero.
        let d0 = if d0 == b'0' { b' ' } else { d0 };
        let [_, _, h0, h1] = digits(self.seconds / 3600);
        let [_, _, i0, i1] = digits(self.seconds / 60 % 60);
        let [_, _, s0, s1] = digits(self.seconds % 60);
        let [y0, y1, y2, y3] = digits(year);
        let text = [
            w0, w1, w2, b' ', m0, m1, m2, b' ', d0, d1, b' ', h0, h1, b':', i0, i1, b':', s0, s1, b' ', y0,
            y1, y2, y3, b' ', b'U', b'T', b'C',
        ];
        Text::ascii(text)
    }
}

const fn digits(number: u32) -> [u8; 4] {
    const fn digit(number: u32) -> u8 {
        plus_u8(b'0', (number % 10) as u8)
    }
    [digit(number / 1000), digit(number / 100), digit(number / 10), digit(number)]
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    #[test]
    fn days_of_leap_years_and_others() {
        for (seconds, date) in [
            (0, "Thu Jan  1 00:00:00 1970 UTC"),
            (951_782_399, "Mon Feb 28 23:59:59 2000 UTC"),
            (951_782_400, "Tue Feb 29 00:00:00 2000 UTC"),
            (1_133_729_346, "Sun Dec  4 20:49:06 2005 UTC"),
            (4_107_542_400, "Mon Mar  1 00:00:00 2100 UTC"),
            (253_402_300_799, "Fri Dec 31 23:59:59 9999 UTC"),
        ] {
            assert_eq!(Date::from_unix(seconds).to_string(), date);
        }
        assert!(Date::from_unix(u64::MAX).to_string().ends_with(" 9999 UTC"));
    }
}
