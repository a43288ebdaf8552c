//! Heads, counts and padding as bytes (scda 2.1 and 2.4): everything in a file that is not data. These bytes are the
//! same for one writing process and for several.
//!
//! A variable array has an entry of 32 bytes for each of its elements, so the digits of a count are read without nom.
//! With its parsers (`separated_pair` of digits, a space and dashes) a Cortex-M3 needs about the same flash
//! (`scda-decoder` 5,279 -> 5,245 bytes, `scda-logical-decoder` 8,369 -> 8,371), but x86-64 reads a size with 349
//! instructions instead of 260: nom takes the dashes one at a time, and here they are compared with a row of dashes.
//! Strings are padded in the same way, but their content may have spaces and dashes, so that the padding is found from
//! the right, where no parser of nom begins.

use super::entry::{self, MAX_DATA_PADDING, Style, data_padding_byte};
use super::error::{EncodeErrorKind, ErrorKind};
use super::section::{
    COUNT_LEN, Count, HEAD_LEN, INLINE_LEN, Letter, MAX_DIGITS, MAX_USER_LEN, MAX_VENDOR_LEN, Section,
    SectionType, VERSION,
};
use crate::bytes::{prefix, suffix};
use crate::counter::Counter as _;

/// Offset of the last two bytes of an entry. Any two bytes are accepted there.
const LINE_BREAK: usize = 30;

impl Count {
    /// The count of an entry.
    ///
    /// # Errors
    /// The error, and its offset in the entry.
    pub(crate) fn parse(letter: Letter, line: &[u8; COUNT_LEN]) -> Result<Self, (u64, ErrorKind)> {
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
        entry::fill(field, suffix(&digits, from), style);
        line
    }
}

/// Largest number of bytes before the data of a section. The file header with its padding has as many.
pub(super) const MAX_LEN: usize = 128;

const _: () = assert!(MAX_DATA_PADDING <= MAX_LEN && HEAD_LEN + INLINE_LEN <= MAX_LEN);

/// Writes the whole file header, which fills `to`.
pub(super) fn header(
    to: &mut [u8; MAX_LEN],
    vendor: &[u8],
    user: &[u8],
    style: Style,
) -> Result<(), EncodeErrorKind> {
    fits(vendor, MAX_VENDOR_LEN)?;
    fits(user, MAX_USER_LEN)?;
    let (opening, rest) = to.split_at_mut(COUNT_LEN);
    let magic = [b's', b'c', b'd', b'a', b't', b'a', b'0', b' '];
    const { assert!(VERSION == 0xa0) };
    if let Some((front, field)) = opening.split_first_chunk_mut() {
        *front = magic;
        entry::fill(field, vendor, style);
    }
    let (head, padding) = rest.split_at_mut(HEAD_LEN);
    fill_head(head, SectionType::Header, user, style);
    for (place, byte) in (0..).zip(&mut *padding) {
        *byte = data_padding_byte(style, false, COUNT_LEN as u8, place);
    }
    Ok(())
}

/// Writes head and counts of a section other than the file header; returns them.
pub(super) fn head<'a>(
    to: &'a mut [u8; MAX_LEN],
    section: &Section,
    user: &[u8],
    style: Style,
) -> Result<&'a [u8], EncodeErrorKind> {
    fits(user, MAX_USER_LEN)?;
    let Section { section_type, n, e, .. } = *section;
    let (head, counts) = to.split_at_mut(HEAD_LEN);
    fill_head(head, section_type, user, style);
    let counts = counts.as_chunks_mut().0.iter_mut();
    let wanted: &[(Letter, Count)] = match section_type {
        SectionType::Header | SectionType::Inline => &[],
        SectionType::Block => &[(Letter::E, e)],
        SectionType::Array => &[(Letter::N, n), (Letter::E, e)],
        SectionType::Varray => &[(Letter::N, n)],
    };
    for (to, (letter, count)) in counts.zip(wanted) {
        *to = count.emit(*letter, style);
    }
    Ok(prefix(to, section_type.head_length() as usize))
}

/// Writes the padding after `length` bytes of data that end with the byte `last`; returns it.
pub(super) fn padding<'a>(
    to: &'a mut [u8; MAX_LEN],
    section: &Section,
    length: u64,
    last: u8,
    style: Style,
) -> &'a [u8] {
    let padding = section.padding(length);
    let after_line_feed = length > 0 && last == b'\n';
    for (place, byte) in (0..padding).zip(&mut *to) {
        *byte = data_padding_byte(style, after_line_feed, padding, place);
    }
    prefix(to, usize::from(padding))
}

fn fill_head(head: &mut [u8], section_type: SectionType, user: &[u8], style: Style) {
    if let Some((front, field)) = head.split_first_chunk_mut() {
        *front = [section_type.letter(), b' '];
        entry::fill(field, user, style);
    }
}

const fn fits(string: &[u8], limit: usize) -> Result<(), EncodeErrorKind> {
    if string.len() <= limit {
        Ok(())
    } else {
        Err(EncodeErrorKind::StringTooLong { length: string.len(), limit })
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
        assert_eq!(fault(b"E 5----------------------------\n"), (2, ErrorKind::Count));
        assert_eq!(fault(b"E 5 -----------=---------------\n"), (2, ErrorKind::Count));
        assert_eq!(fault(b"E 123456789012345678901234567 -\n"), (2, ErrorKind::Count));
        assert_eq!(fault(b"E                             -\n"), (2, ErrorKind::Count));
        // Two arbitrary bytes at the end, but at least one dash before them.
        assert!(Count::parse(Letter::E, b"E 12345678901234567890123456 -xy").is_ok());
        assert_eq!(fault(b"E 12345678901234567890123456  xy"), (2, ErrorKind::Count));
    }
}
