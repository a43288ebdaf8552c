//! Compressing elements (scda 3.1). Needs an allocator, as the compressor does.

use alloc::vec::Vec;

use miniz_oxide::deflate::compress_to_vec_zlib;

use super::stored::{RAW_LINE, TEXT_LINE, line, text_length};
use crate::bytes::{copy, prefix, split_mut, suffix};
use crate::counter::Counter as _;
use crate::scda::entry::Style;

/// Size of the element and format byte, in front of the zlib stream.
const HEAD: usize = 9;

/// Compresses an element and returns its text. `level` is between 0 (not compressed) and 10; the paper recommends 9.
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
    let mut text = Vec::new();
    put_deflated(element.len() as u64, &compress_to_vec_zlib(element, level), style, &mut text);
    text
}

/// Appends the text of an element of `size` bytes that another library has compressed: `zlib` is the complete zlib
/// stream (RFC 1950) of the element. It is not verified.
///
/// ```
/// use linkstream::scda::{Style, deflate, put_deflated};
///
/// // Stored: made without any library.
/// let zlib = [0x78, 0x01, 1, 3, 0, 0xfc, 0xff, b'a', b'b', b'c', 0x02, 0x4d, 0x01, 0x27];
/// let mut text = Vec::new();
/// put_deflated(3, &zlib, Style::Unix, &mut text);
/// assert_eq!(text, deflate(b"abc", 0, Style::Unix));
/// ```
pub fn put_deflated(size: u64, zlib: &[u8], style: Style, text: &mut Vec<u8>) {
    let raw = (zlib.len() as u64).checked_add(HEAD as u64).and_then(text_length);
    text.reserve(raw.and_then(|length| usize::try_from(length).ok()).unwrap_or(0));
    let mut first = [0; RAW_LINE];
    let head = size.to_be_bytes();
    let (to_head, to_zlib) = split_mut(&mut first, HEAD);
    copy(to_head, &head);
    if let Some(format) = to_head.last_mut() {
        *format = b'z';
    }
    let n = copy(to_zlib, zlib);
    let mut out = [0; TEXT_LINE];
    let mut put = |raw: &[u8]| {
        let n = line(raw, style, &mut out);
        text.extend_from_slice(prefix(&out, n));
    };
    put(prefix(&first, n.plus(HEAD)));
    suffix(zlib, n).chunks(RAW_LINE).for_each(put);
}
