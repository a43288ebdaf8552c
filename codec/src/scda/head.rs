//! Heads of sections, the file header and padding as bytes (scda 2.1 and 2.2): everything in a file that is neither data
//! nor a count. These bytes are the same for one writing process and for several.
//!
//! Strings are padded like counts, but their content may have spaces and dashes, so that the padding is found from the
//! right, where no parser of nom begins.

use super::count::{COUNT_LEN, Count, Letter};
use super::error::EncodeErrorKind;
use super::padding::{self, MAX_DATA_PADDING, Style, data_padding_byte};
use super::section::{HEAD_LEN, MAX_USER_LEN, MAX_VENDOR_LEN, SectionType, StoredSection, VERSION};
use crate::bytes::prefix;

/// Largest number of bytes between data: a first half with one `U` entry, and the head of the second half.
pub(super) const MAX_LEN: usize = 192;

/// Length of the file header with its padding.
const FILE_HEADER_LEN: usize = SectionType::Header.head_length() as usize + COUNT_LEN;

const _: () = assert!(MAX_DATA_PADDING <= MAX_LEN && FILE_HEADER_LEN <= MAX_LEN);

/// Writes the whole file header to the front of `to`; returns it.
pub(super) fn header<'a>(
    to: &'a mut [u8; MAX_LEN],
    vendor: &[u8],
    user: &[u8],
    style: Style,
) -> Result<&'a [u8], EncodeErrorKind> {
    fits(vendor, MAX_VENDOR_LEN)?;
    fits(user, MAX_USER_LEN)?;
    let (opening, rest) = to.split_at_mut(COUNT_LEN);
    let magic = [b's', b'c', b'd', b'a', b't', b'a', b'0', b' '];
    const { assert!(VERSION == 0xa0) };
    if let Some((front, field)) = opening.split_first_chunk_mut() {
        *front = magic;
        padding::fill(field, vendor, style);
    }
    let (head, padding) = rest.split_at_mut(HEAD_LEN);
    fill_head(head, SectionType::Header, user, style);
    for (place, byte) in (0..COUNT_LEN as u8).zip(padding) {
        *byte = data_padding_byte(style, false, COUNT_LEN as u8, place);
    }
    Ok(prefix(to, FILE_HEADER_LEN))
}

/// Writes head and counts of a section other than the file header; returns them.
pub(super) fn head<'a>(
    to: &'a mut [u8; MAX_LEN],
    section: &StoredSection,
    user: &[u8],
    style: Style,
) -> Result<&'a [u8], EncodeErrorKind> {
    fits(user, MAX_USER_LEN)?;
    let StoredSection { section_type, n, e, .. } = *section;
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
    section: &StoredSection,
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
        padding::fill(field, user, style);
    }
}

const fn fits(string: &[u8], limit: usize) -> Result<(), EncodeErrorKind> {
    if string.len() <= limit {
        Ok(())
    } else {
        Err(EncodeErrorKind::StringTooLong { length: string.len(), limit })
    }
}
