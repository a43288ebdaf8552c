//! Writing the text of elements (scda 3.1): without compressing them (level 0), in stored blocks, so that the length of
//! every text is known before a byte of it is made; or compressed, which needs an allocator, as the compressor does.
//!
//! # Invariants of an encoder
//! The stream is size, `z`, zlib header, blocks with their heads, Adler-32 (scda 3.1; RFC 1950, section 2.2).
//!
//! | fields | hold |
//! |---|---|
//! | `head_from..head_to` | the part of `head` that comes before anything else: headers, the head of a block, or the Adler-32 |
//! | `block_left`, `after_block` | bytes of the element that are still to come, in the current block and after it |
//! | `adler_given` | the Adler-32 is in `head`: nothing else follows it |
//! | `raw[..filled]` | the current line; it is encoded when it is full, or the stream is at its end |
//! | `text[from..to]` | the encoded line, as far as no `out` had room for it; the next one waits until it is empty |

use adler2::Adler32;
#[cfg(feature = "deflate")]
use alloc::vec::Vec;
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use core::fmt;
#[cfg(feature = "deflate")]
use miniz_oxide::deflate::compress_to_vec_zlib;

use super::padding::Style;
use crate::bytes::{copy, part, prefix, suffix, suffix_mut};
use crate::counter::{Counter as _, at_most, plus, times};

/// Bytes of an element in a line of text. The line then has 76 characters and a break of 2 bytes.
const RAW_LINE: usize = 57;
const TEXT_LINE: usize = 78;
/// Size and format byte, zlib header, head of the first block.
const HEAD: usize = 16;
/// Largest number of bytes in a stored block: the value of libsc if it is built without zlib.
const MAX_BLOCK: u64 = 65_531;
/// Zlib header of a stream with the fastest compression level.
const ZLIB: [u8; 2] = [0x78, 0x01];

/// The length in bytes of the text of an element of `size` bytes that is stored without compression (see
/// [`Stored`]). `None` if it does not fit in 64 bits.
///
/// ```
/// use linkstream::scda::stored_length;
///
/// assert_eq!(stored_length(0), Some(30));
/// assert_eq!(stored_length(66_000), Some(90_354));
/// ```
#[must_use]
pub const fn stored_length(size: u64) -> Option<u64> {
    let blocks = blocks(size);
    // Size and format byte, zlib header, Adler-32.
    let Some(heads) = blocks.checked_mul(5) else { return None };
    let Some(raw) = size.checked_add(9 + 2 + 4) else { return None };
    match raw.checked_add(heads) {
        Some(raw) => text_length(raw),
        None => None,
    }
}

/// Bytes of the text of `raw` bytes: 4 characters for each 3, a break for each line begun.
const fn text_length(raw: u64) -> Option<u64> {
    match raw.div_ceil(3).checked_mul(4) {
        // The break of a line is shorter than its characters, so the product does not overflow.
        Some(chars) => chars.checked_add(times(raw.div_ceil(RAW_LINE as u64), 2)),
        None => None,
    }
}

const fn blocks(size: u64) -> u64 {
    if size == 0 { 1 } else { size.div_ceil(MAX_BLOCK) }
}

/// Encodes a line of at most 57 bytes and its break. Returns its length.
fn line(raw: &[u8], style: Style, out: &mut [u8; TEXT_LINE]) -> usize {
    // A line always fits, so the fallback is never used.
    let n = STANDARD.encode_slice(raw, out.as_mut_slice()).unwrap_or(0);
    let line_break: [u8; 2] = match style {
        Style::Unix => *b"=\n",
        Style::Mime => *b"\r\n",
    };
    n.plus(copy(suffix_mut(out, n), &line_break))
}

/// Produces the text of one element of known size without compression, from its bytes in pieces of any size.
///
/// ```
/// use linkstream::scda::{Stored, Style, stored_length};
///
/// let element = [b'x'; 100];
/// let mut stored = Stored::new(100, Style::Unix);
/// let (mut text, mut out) = (Vec::new(), [0; 16]);
/// let mut rest = &element[..];
/// while !stored.is_done() {
///     let (read, written) = stored.encode(rest, &mut out);
///     rest = &rest[read..];
///     text.extend_from_slice(&out[..written]);
/// }
/// assert_eq!(Some(text.len() as u64), stored_length(100));
/// assert!(text.starts_with(b"AAAAAAAAAGR6"));
/// ```
#[derive(Clone)]
pub struct Stored {
    style: Style,
    /// Bytes before encoding that do not belong to the element: size and headers, the head of a block, the Adler-32.
    head: [u8; HEAD],
    /// Range of these bytes that is still to be encoded.
    head_from: usize,
    head_to: usize,
    /// Bytes of the element that belong to the current block and are still to come.
    block_left: u64,
    /// Bytes of the element after the current block.
    after_block: u64,
    adler: Adler32,
    adler_given: bool,
    raw: [u8; RAW_LINE],
    filled: usize,
    text: [u8; TEXT_LINE],
    /// Range of the encoded text that has not been returned yet.
    from: usize,
    to: usize,
}

impl fmt::Debug for Stored {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Stored").field("wanted", &self.wanted()).finish_non_exhaustive()
    }
}

impl Stored {
    /// An encoder for an element of `size` bytes.
    #[must_use]
    pub fn new(size: u64, style: Style) -> Self {
        let mut stored = Self {
            style,
            head: [0; HEAD],
            head_from: 0,
            head_to: 0,
            block_left: 0,
            after_block: size,
            adler: Adler32::new(),
            adler_given: false,
            raw: [0; RAW_LINE],
            filled: 0,
            text: [0; TEXT_LINE],
            from: 0,
            to: 0,
        };
        let [s0, s1, s2, s3, s4, s5, s6, s7] = size.to_be_bytes();
        let [z0, z1] = ZLIB;
        let [b0, b1, b2, b3, b4] = stored.begin_block();
        stored.head = [s0, s1, s2, s3, s4, s5, s6, s7, b'z', z0, z1, b0, b1, b2, b3, b4];
        stored.head_to = HEAD;
        stored
    }

    /// True if all of the text has been returned.
    #[must_use]
    pub const fn is_done(&self) -> bool {
        self.raw_is_done() && self.filled == 0 && self.from == self.to
    }

    /// Number of bytes of the element that are still missing.
    ///
    /// # Example
    /// ```
    /// use linkstream::scda::Style;
    /// use linkstream::scda::Stored;
    ///
    /// let mut stored = Stored::new(5, Style::Unix);
    /// let mut text = [0; 64];
    /// let (read, _) = stored.encode(b"he", &mut text);
    /// assert_eq!((read, stored.wanted(), stored.is_done()), (2, 3, false));
    /// ```
    #[must_use]
    pub const fn wanted(&self) -> u64 {
        plus(self.block_left, self.after_block)
    }

    /// Takes bytes of the element and writes text to the front of `out`; returns how many bytes were taken and how
    /// many were written. Both are 0 if `out` is empty, or if the element is not complete and `input` is empty.
    /// Bytes beyond the size of the element are not taken.
    pub fn encode(&mut self, input: &[u8], out: &mut [u8]) -> (usize, usize) {
        let (mut read, mut written) = (0_usize, 0_usize);
        loop {
            let n = copy(suffix_mut(out, written), part(&self.text, self.from..self.to));
            self.from.increase(n);
            written.increase(n);
            if written == out.len() {
                return (read, written);
            }
            read.increase(self.accumulate(suffix(input, read)));
            if self.filled == 0 || (self.filled < RAW_LINE && !self.raw_is_done()) {
                return (read, written);
            }
            self.to = line(prefix(&self.raw, self.filled), self.style, &mut self.text);
            self.from = 0;
            self.filled = 0;
        }
    }

    /// Begins the next block, with all bytes that are left or as many as a block holds. Returns its head.
    fn begin_block(&mut self) -> [u8; 5] {
        let length = self.after_block.min(MAX_BLOCK);
        self.after_block.take_away(length);
        self.block_left = length;
        let [low, high] = (length as u16).to_le_bytes();
        // RFC 1951, 3.2.4: the bit for the last block, then the length and its complement.
        [u8::from(self.after_block == 0), low, high, !low, !high]
    }

    const fn raw_is_done(&self) -> bool {
        self.adler_given && self.head_from == self.head_to
    }

    /// Fills the line. Returns the number of bytes taken from the element.
    fn accumulate(&mut self, input: &[u8]) -> usize {
        let mut read = 0_usize;
        while self.filled < RAW_LINE {
            // In the order of the stream: headers, blocks with their heads, Adler-32.
            if self.head_from < self.head_to {
                let head = self.head;
                let n = self.put(part(&head, self.head_from..self.head_to));
                self.head_from.increase(n);
            } else if self.block_left > 0 {
                let rest = suffix(input, read);
                let n = self.put(prefix(rest, at_most(self.block_left, rest.len())));
                if n == 0 {
                    break;
                }
                self.adler.write_slice(prefix(rest, n));
                read.increase(n);
                self.block_left.take_away(n as u64);
            } else if self.after_block > 0 {
                let head = self.begin_block();
                self.set_head(&head);
            } else if self.adler_given {
                break;
            } else {
                self.adler_given = true;
                let sum = self.adler.checksum().to_be_bytes();
                self.set_head(&sum);
            }
        }
        read
    }

    fn set_head(&mut self, bytes: &[u8]) {
        copy(&mut self.head, bytes);
        (self.head_from, self.head_to) = (0, bytes.len());
    }

    /// Puts as many bytes into the line as fit. Returns their number.
    fn put(&mut self, bytes: &[u8]) -> usize {
        let n = copy(suffix_mut(&mut self.raw, self.filled), bytes);
        self.filled.increase(n);
        n
    }
}

/// Compresses an element and returns its text. `level` is between 0 (not compressed) and 10; the paper recommends 9.
///
/// ```
/// use linkstream::scda::{Style, deflate};
///
/// let text = deflate(b"hello hello hello hello hello", 9, Style::Unix);
/// assert!(text.starts_with(b"AAAAAAAAAB16eNrLSM3JyVfI"));
/// assert!(text.ends_with(b"=\n"));
/// ```
#[cfg(feature = "deflate")]
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
#[cfg(feature = "deflate")]
pub fn put_deflated(size: u64, zlib: &[u8], style: Style, text: &mut Vec<u8>) {
    // Size of the element and format byte, in front of the zlib stream.
    const FRONT: usize = 9;
    let raw = (zlib.len() as u64).checked_add(FRONT as u64).and_then(text_length);
    text.reserve(raw.and_then(|length| usize::try_from(length).ok()).unwrap_or(0));
    let mut first = [0; RAW_LINE];
    let head = size.to_be_bytes();
    let (to_head, to_zlib) = crate::bytes::split_mut(&mut first, FRONT);
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
    put(prefix(&first, n.plus(FRONT)));
    suffix(zlib, n).chunks(RAW_LINE).for_each(put);
}
