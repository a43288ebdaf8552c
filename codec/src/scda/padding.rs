//! Padding: of strings and counts to a fixed length (scda 2.1.1), and of data to a multiple of 32 (2.1.2).

use crate::counter::minus_u8;
use crate::state::saved;

/// The style of line breaks in the padding that is written. Both styles can be read.
///
/// # Example
/// ```
/// use linkstream::scda::{Encoder, Style};
///
/// let mut encoder = Encoder::new(Style::Mime);
/// assert!(encoder.header(b"vendor", b"user")?.ends_with(b"\r\n"));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Style {
    /// Line feed.
    #[default]
    Unix,
    /// Carriage return and line feed.
    Mime,
}

saved!(enum Style: Unix, Mime);

/// Largest length of data padding in bytes.
pub(super) const MAX_DATA_PADDING: usize = 38;

const DASHES: [u8; 62] = [b'-'; 62];

/// True if there is at least one byte and all are dashes.
pub(super) fn are_dashes(bytes: &[u8]) -> bool {
    !bytes.is_empty() && DASHES.get(..bytes.len()) == Some(bytes)
}

/// Length of the content of a padded field, parsed from the right: two arbitrary bytes, at least one dash, a space.
/// `None` if the padding has another form. The content may itself contain spaces and dashes.
pub(super) fn content(field: &[u8]) -> Option<usize> {
    let field = field.get(..field.len().checked_sub(2)?)?;
    let dashes = field.iter().rev().take_while(|byte| **byte == b'-').count();
    let content = field.len().checked_sub(dashes)?.checked_sub(1)?;
    (dashes > 0 && field.get(content) == Some(&b' ')).then_some(content)
}

/// Fills a field with content and padding. The padding takes at least 4 bytes of the field.
pub(super) fn fill(field: &mut [u8], content: &[u8], style: Style) {
    let line_break: [u8; 2] = match style {
        Style::Unix => *b"-\n",
        Style::Mime => *b"\r\n",
    };
    let Some((front, padding)) = field.split_at_mut_checked(content.len()) else { return };
    for (to, from) in front.iter_mut().zip(content) {
        *to = *from;
    }
    let Some((space, rest)) = padding.split_first_mut() else { return };
    let Some((dashes, end)) = rest.split_last_chunk_mut() else { return };
    *space = b' ';
    dashes.fill(b'-');
    *end = line_break;
}

/// Bytes of padding after `length` bytes of data: 7 to 38, up to a multiple of 32.
pub(super) const fn data_padding(length: u64) -> u8 {
    // At least 7 bytes: in MIME style, a break, an equals sign and two breaks.
    let over = (length & 31) as u8;
    if over <= 25 { minus_u8(32, over) } else { minus_u8(64, over) }
}

/// The bytes at `place` in the data padding of `length` bytes in Unix and in MIME style, after data that do not end in a
/// line feed (table 1): a break, equals signs, and two breaks at the end. At least 7 bytes: the two ends do not meet.
const fn in_both_styles(length: u8, place: u8) -> (u8, u8) {
    match (place, minus_u8(length, place)) {
        (0, _) | (_, 2) => (b'\n', b'\r'),
        (1, _) | (_, 3) => (b'=', b'\n'),
        (_, 4) => (b'=', b'\r'),
        (_, 1) => (b'\n', b'\n'),
        _ => (b'=', b'='),
    }
}

/// The byte at `place` in the data padding of `length` bytes, after data that end in a line feed or not. If they do, the
/// first break is missing.
pub(super) const fn data_padding_byte(style: Style, after_line_feed: bool, length: u8, place: u8) -> u8 {
    let (unix, mime) = in_both_styles(length, place);
    match style {
        _ if after_line_feed && place < 2 => b'=',
        Style::Unix => unix,
        Style::Mime => mime,
    }
}

/// The paddings that are still possible after the bytes read so far, one bit each: Unix and MIME style after data that do
/// not end in a line feed, and the same after data that do.
pub(super) mod fits {
    use super::in_both_styles;

    pub(in crate::scda) const ALL: u8 = 0b1111;
    pub(in crate::scda) const AFTER_LINE_FEED: u8 = 0b1100;
    pub(in crate::scda) const AFTER_OTHER: u8 = 0b0011;

    /// The paddings that can follow data with this last byte.
    pub(in crate::scda) const fn after(last: u8) -> u8 {
        if last == b'\n' { AFTER_LINE_FEED } else { AFTER_OTHER }
    }

    /// The paddings of `length` bytes that have this byte at `place`.
    pub(in crate::scda) const fn with(length: u8, place: u8, byte: u8) -> u8 {
        let (unix, mime) = in_both_styles(length, place);
        let after_other = (unix == byte) as u8 | ((mime == byte) as u8) << 1;
        let after_line_feed = match place {
            0 | 1 if byte == b'=' => AFTER_LINE_FEED,
            0 | 1 => 0,
            _ => after_other << 2,
        };
        after_other | after_line_feed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::vec::Vec;

    fn padding(style: Style, data: &[u8]) -> Vec<u8> {
        let length = data_padding(data.len() as u64);
        let after = data.last() == Some(&b'\n');
        (0..length).map(|place| data_padding_byte(style, after, length, place)).collect()
    }

    #[test]
    fn content_is_found_from_the_right() {
        for content_length in 0..=20 {
            let mut field = [0; 24];
            fill(&mut field, &[b'-'; 20][..content_length], Style::Unix);
            assert_eq!(content(&field), Some(content_length));
        }
        assert_eq!(content(b"ab --xy"), Some(2));
        assert_eq!(content(b"ab xy"), None);
        assert_eq!(content(b"--------"), None);
        assert_eq!(content(b"a"), None);
    }

    #[test]
    fn data_are_padded_as_in_table_1() {
        assert_eq!(padding(Style::Unix, b""), b"\n=============================\n\n");
        assert_eq!(padding(Style::Unix, b"abcde\n"), b"========================\n\n");
        assert_eq!(padding(Style::Mime, b""), b"\r\n==========================\r\n\r\n");
        assert_eq!(padding(Style::Mime, &[b'x'; 25]), b"\r\n=\r\n\r\n");
        assert_eq!(padding(Style::Unix, &[b'x'; 25]), b"\n====\n\n");
        assert_eq!(padding(Style::Unix, &[b'x'; 26]).len(), 38);
        assert_eq!(padding(Style::Mime, &[b'\n'; 25]), b"===\r\n\r\n");
    }
}
