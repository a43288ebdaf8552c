//! The paddings that are still possible after the bytes seen, as bits: of two styles, after a line feed or not.

use super::entry::{Style, data_padding_byte};

pub(super) const ALL: u8 = 0b1111;
pub(super) const AFTER_LINE_FEED: u8 = 0b1100;
pub(super) const AFTER_OTHER: u8 = 0b0011;

/// Those that follow data with this last byte.
pub(super) const fn after(last: u8) -> u8 {
    if last == b'\n' { AFTER_LINE_FEED } else { AFTER_OTHER }
}

/// The paddings of `length` bytes that have this byte at `place`.
pub(super) fn with(length: u8, place: u8, byte: u8) -> u8 {
    let candidates = [(Style::Unix, false), (Style::Mime, false), (Style::Unix, true), (Style::Mime, true)];
    let mut fits = 0_u8;
    for (bit, (style, after)) in (0_u32..).zip(candidates) {
        if data_padding_byte(style, after, length, place) == byte {
            fits |= 1_u8.wrapping_shl(bit);
        }
    }
    fits
}
