//! Compressing elements (scda 3.1). Needs an allocator, as the compressor does.

use alloc::vec::Vec;

use miniz_oxide::deflate::compress_to_vec_zlib;

use super::stored::{RAW_LINE, TEXT_LINE, line, text_length};
use crate::bytes::prefix;
use crate::scda::entry::Style;

/// The text of an element, compressed at `level`: from 0, not at all, to 9, which the paper recommends, and 10.
///
/// ```
/// use linkstream::scda::{Style, deflate};
///
/// let text = deflate(b"hello hello hello hello hello", 9, Style::Unix);
/// assert!(text.starts_with(b"AAAAAAAAAB16eNrLSM3JyVfI"));
/// assert!(text.ends_with(b"=\n"));
/// ```
#[must_use]
pub fn deflate(element: &[u8], level: u8, style: Style) -> Vec<u8> {
    let mut raw = Vec::new();
    raw.extend_from_slice(&(element.len() as u64).to_be_bytes());
    raw.push(b'z');
    raw.append(&mut compress_to_vec_zlib(element, level));
    let length = text_length(raw.len() as u64).and_then(|length| usize::try_from(length).ok());
    let mut text = Vec::with_capacity(length.unwrap_or(0));
    let mut out = [0; TEXT_LINE];
    for bytes in raw.chunks(RAW_LINE) {
        let n = line(bytes, style, &mut out);
        text.extend_from_slice(prefix(&out, n));
    }
    text
}
