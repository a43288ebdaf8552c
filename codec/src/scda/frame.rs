//! The bytes around data: heads, counts and padding, the same whoever writes them.

use super::count::{COUNT_LEN, Count, Letter};
use super::entry::{self, MAX_DATA_PADDING, Style, data_padding_byte};
use super::error::EncodeErrorKind;
use super::section::{HEAD_LEN, INLINE_LEN, MAX_USER_LEN, MAX_VENDOR_LEN, Section, SectionType, VERSION};
use crate::bytes::prefix;

/// Most bytes before the data of a section, or of a file header with its padding.
pub(super) const MAX_LEN: usize = 128;

const _: () = assert!(MAX_DATA_PADDING <= MAX_LEN && HEAD_LEN + INLINE_LEN <= MAX_LEN);

/// The file header, whole, which is as long as there is room.
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

/// Head and counts of a section other than the file header.
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

/// The padding after `length` bytes of data, the last of which is `last`.
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
