//! Values of elements: collecting their bytes, and converting complete values to numbers, lists and short texts.
//!
//! Numbers and lists are read with nom, which costs 204 bytes on a Cortex-M3 (1 % of `verify`; 296 at opt-level z) and
//! 0.7 % of the instructions for reading a document. Texts are not: they are truncated between characters, and a value
//! may end inside a character.

use super::error::Found;
use crate::bytes::Line;
use crate::lattice::{Coordinates, MAX_DIMENSIONS};
use crate::state::saved;
use nom::branch::alt;
use nom::bytes::complete::{tag, take_while};
use nom::combinator::opt;
use nom::{IResult, Parser};

/// Maximum length of a value in bytes. Longer values of known elements break the rule `xml-value-too-long`; longer
/// values of other elements are skipped.
pub const MAX_VALUE: usize = 128;

/// Maximum length of a document in bytes, without what follows a NUL. The longest document known to us that a program
/// wrote has 459, and QIO reads values of up to 32,767. A longer one breaks the rule `xml-document-too-large`, so that the
/// work for a document is bounded, whatever its length is. The same holds for [`MAX_ELEMENTS`] and [`MAX_DEPTH`].
pub const MAX_DOCUMENT: usize = 128 << 10;

/// Maximum number of elements in the root of a document. The most in a document known to us are 11.
pub const MAX_ELEMENTS: u16 = 256;

/// Maximum number of elements inside each other, with the root. Documents with values have 2.
pub const MAX_DEPTH: u32 = 64;

const _: () = assert!(
    MAX_DOCUMENT == 131_072 && MAX_ELEMENTS == 256 && MAX_DEPTH == 64,
    "the message of ErrorKind::TooLarge has these numbers"
);

/// A number at the start of a text.
pub(super) struct Token<'t> {
    /// There is a sign, which is not allowed in any of these numbers.
    signed: bool,
    /// Number of its digits.
    digits: usize,
    /// Its value; `None` if it exceeds 32 bits.
    pub(super) value: Option<u32>,
    /// The text after it.
    pub(super) rest: &'t [u8],
}

/// Reads an optional sign and digits of base 10 or 16.
pub(super) fn token(text: &[u8], base: u32) -> Token<'_> {
    let sign = alt((tag("+"), tag("-")));
    let digits = take_while(|byte| digit_of(byte, base).is_some());
    let mut number = (opt(sign), digits);
    let Ok((Line(rest), (sign, Line(digits)))): IResult<_, _, ()> = number.parse(Line(text)) else {
        return Token { signed: false, digits: 0, value: None, rest: text };
    };
    let add = |value: u32, digit: &u8| value.checked_mul(base)?.checked_add(digit_of(*digit, base)?);
    let value = digits.iter().try_fold(0, add);
    Token { signed: sign.is_some(), digits: digits.len(), value, rest }
}

/// The value of a digit of base 10 or 16. Unlike `char::to_digit`, it has no panic for other bases.
fn digit_of(byte: u8, base: u32) -> Option<u32> {
    let value = match byte {
        b'0'..=b'9' => byte & 0x0f,
        b'a'..=b'f' | b'A'..=b'F' => (byte & 0x07).wrapping_add(9),
        _ => return None,
    };
    Some(u32::from(value)).filter(|value| *value < base)
}

impl Token<'_> {
    /// Its value as a decimal number.
    fn decimal(&self) -> Result<u32, Found> {
        match self.value {
            _ if self.digits == 0 => Err(Found::NotDigits),
            _ if self.signed => Err(Found::Signed),
            None => Err(Found::TooLarge),
            Some(value) => Ok(value),
        }
    }
}

/// Reads one decimal number of up to 32 bits. White space around the value has already been removed.
pub(super) fn number(text: &[u8]) -> Result<u32, Found> {
    if text.is_empty() {
        return Err(Found::NumberEmpty);
    }
    let token = token(text, 10);
    if token.rest.is_empty() { token.decimal() } else { Err(Found::NotDigits) }
}

/// Reads a list of up to 8 decimal numbers with white space between them. QIO writes a space after every number, Grid a
/// space and a line feed.
pub(super) fn numbers(text: &[u8], to: &mut Coordinates) -> Found {
    if text.is_empty() {
        return Found::NumberEmpty;
    }
    let mut list = Coordinates::default();
    let mut rest = text;
    while !rest.is_empty() {
        let token = token(rest, 10);
        let number = match token.decimal() {
            Ok(number) => number,
            Err(fault) => return fault,
        };
        if list.append(number).is_none() {
            return Found::TooMany;
        }
        rest = token.rest;
        // In `4-4` and `2x`, no white space follows the number.
        if rest.first().is_some_and(|byte| !is_blank(*byte)) {
            return Found::NotDigits;
        }
        let blanks: IResult<_, _, ()> = take_while(is_blank).parse(Line(rest));
        rest = blanks.map_or(&[], |(Line(after), _)| after);
    }
    *to = list;
    Found::Nothing
}

/// White space of XML.
fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

/// Reads a hexadecimal number of up to 32 bits: either case, optional `0x`, any number of leading zeros.
pub(super) fn hexadecimal(text: &[u8]) -> Result<u32, Found> {
    let digits = match text {
        [b'0', b'x' | b'X', digits @ ..] => digits,
        _ => text,
    };
    let token = token(digits, 16);
    match token.value {
        _ if digits.is_empty() => Err(Found::NumberEmpty),
        _ if token.signed => Err(Found::Signed),
        _ if !token.rest.is_empty() => Err(Found::NotDigits),
        None => Err(Found::TooLarge),
        Some(value) => Ok(value),
    }
}

/// Stores a text. One that is too long is refused, or with `cut` truncated after the last character that fits.
pub(super) fn text(value: &[u8], to: (&mut [u8], &mut u8), cut: bool) -> Found {
    let (room, length) = to;
    let mut ends = 0_usize;
    let mut fits = 0_usize;
    let mut rest = value;
    while let Some(after) = after_character(rest) {
        rest = after;
        ends = value.len().wrapping_sub(rest.len());
        if ends <= room.len() {
            fits = ends;
        }
    }
    // The value itself may have been truncated after `MAX_VALUE` bytes, inside a character.
    let begun =
        matches!(rest, [0xc2..=0xf4, tail @ ..] if tail.len() < 3 && tail.iter().all(is_continuation));
    let cut_off = cut && value.len() == MAX_VALUE && begun;
    if !rest.is_empty() && !cut_off {
        return Found::NotText;
    }
    if fits < ends && !cut {
        return Found::TooLong;
    }
    for (at, slot) in room.iter_mut().enumerate() {
        *slot = value.get(at).copied().filter(|_| at < fits).unwrap_or(0);
    }
    *length = fits as u8;
    if fits < value.len() { Found::TooLong } else { Found::Nothing }
}

/// The text after its first character; `None` if it does not begin with a character in UTF-8.
///
/// `core::str::from_utf8` takes three times the flash.
fn after_character(text: &[u8]) -> Option<&[u8]> {
    let (first, rest) = text.split_first()?;
    let more = match first {
        0..=0x7f => return Some(rest),
        0xc2..=0xdf => 1_u8,
        0xe0..=0xef => 2,
        0xf0..=0xf4 => 3,
        _ => return None,
    };
    let (tail, rest) = rest.split_at_checked(usize::from(more))?;
    // The first byte has 5, 4 or 3 bits of the code, each further byte 6.
    let first = u32::from(first & 0x3f_u8.wrapping_shr(u32::from(more)));
    let code = tail.iter().try_fold(first, |code, byte| {
        is_continuation(byte).then_some(code.wrapping_shl(6) | u32::from(byte & 0x3f))
    })?;
    // Refuses codes that fit in fewer bytes (below 800 in three bytes, below 10000 in four, hexadecimal) and codes that
    // are no characters. Of two bytes, the range of the first has excluded both.
    let is_shortest = code.wrapping_shr(u32::from(more).wrapping_mul(5).wrapping_add(1)) != 0;
    char::from_u32(code).filter(|_| is_shortest).and(Some(rest))
}

const fn is_continuation(byte: &u8) -> bool {
    *byte & 0xc0 == 0x80
}

const _: () = assert!(MAX_DIMENSIONS == 8, "the message of NumberFault::TooMany says 8");

/// The entities that XML defines (section 4.6).
const NAMED: [(&[u8], u8); 5] =
    [(b"lt", b'<'), (b"gt", b'>'), (b"amp", b'&'), (b"quot", b'"'), (b"apos", b'\'')];

/// Maximum length of a reference between `&` and `;`: `#x10FFFF`.
const MAX_REFERENCE: usize = 8;

/// A value without white space at its ends. This includes white space from references and CDATA sections: schema types
/// remove it after these have been replaced.
#[derive(Debug, Clone)]
pub(super) struct Content {
    bytes: [u8; MAX_VALUE],
    /// Length without white space at the end; can exceed the bytes that are kept.
    length: u32,
    /// Length including white space at the end, which belongs to the value if other characters follow.
    end: u32,
}

saved!(struct Content { bytes, length, end });

impl Content {
    pub(super) const EMPTY: Self = Self { bytes: [0; MAX_VALUE], length: 0, end: 0 };

    pub(super) const fn clear(&mut self) {
        self.length = 0;
        self.end = 0;
    }

    pub(super) fn push(&mut self, byte: u8) {
        let blank = byte.is_ascii_whitespace();
        if blank && self.end == 0 {
            return;
        }
        if let Some(slot) = self.bytes.get_mut(self.end as usize) {
            *slot = byte;
        }
        // Values in files can have any length.
        self.end = self.end.saturating_add(1);
        if !blank {
            self.length = self.end;
        }
    }

    /// Length of the value.
    pub(super) const fn length(&self) -> u32 {
        self.length
    }

    /// The bytes that are kept.
    pub(super) fn kept_bytes(&self) -> &[u8] {
        self.bytes.get(..self.length as usize).unwrap_or(&self.bytes)
    }
}

/// True for the characters of XML (XML 1.0, section 2.2).
pub(super) const fn is_allowed(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..)
}

/// A reference, from `&` up to the current byte.
#[derive(Debug, Clone)]
pub(super) struct Reference {
    /// Padded with zeros.
    bytes: [u8; MAX_REFERENCE],
}

saved!(struct Reference { bytes });

impl Reference {
    pub(super) const EMPTY: Self = Self { bytes: [0; MAX_REFERENCE] };

    /// Adds a byte; `false` if it cannot belong to a reference.
    pub(super) fn push(&mut self, byte: u8) -> bool {
        let Some(slot) = self.bytes.iter_mut().find(|slot| **slot == 0) else { return false };
        *slot = byte;
        byte.is_ascii_alphanumeric() || byte == b'#'
    }

    /// The character that it refers to; `None` if XML defines none, or does not allow it (section 4.1, "Legal
    /// Character").
    pub(super) fn character(&self) -> Option<char> {
        let name = self.bytes.split(|byte| *byte == 0).next()?;
        let digits = match name {
            [b'#', digits @ ..] => digits,
            _ => return NAMED.iter().find(|(listed, _)| *listed == name).map(|(_, c)| char::from(*c)),
        };
        let (digits, base) = match digits {
            [b'x', digits @ ..] => (digits, 16),
            _ => (digits, 10),
        };
        let number = token(digits, base);
        let code = number.value.filter(|_| number.rest.is_empty())?;
        char::from_u32(code).filter(|c| is_allowed(*c))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(value: &str) -> Result<Coordinates, Found> {
        let mut list = Coordinates::default();
        match numbers(value.as_bytes(), &mut list) {
            Found::Nothing => Ok(list),
            fault => Err(fault),
        }
    }

    #[test]
    fn lists_with_white_space_of_every_kind() {
        for value in ["4 4 4 8", "4 4 4 8 ", "4\n4\n4\n8", "4 \n4 \n4 \n8", "4\t4\r\n4  08"] {
            assert_eq!(list(value).unwrap().as_slice(), [4, 4, 4, 8], "{value:?}");
        }
        assert_eq!(list("2 -2 -2 4"), Err(Found::Signed));
        assert_eq!(list("2x 2"), Err(Found::NotDigits));
        assert_eq!(list("2,2"), Err(Found::NotDigits));
        assert_eq!(list("2-2"), Err(Found::NotDigits));
        assert_eq!(list("4294967298"), Err(Found::TooLarge));
        assert_eq!(list("1 1 1 1 1 1 1 1 1"), Err(Found::TooMany));
        assert_eq!(list(""), Err(Found::NumberEmpty));
    }

    #[test]
    fn numbers_up_to_32_bits() {
        assert_eq!(number(b"4294967295"), Ok(u32::MAX));
        assert_eq!(number(b"4294967296"), Err(Found::TooLarge));
        assert_eq!(number(b"-4"), Err(Found::Signed));
        assert_eq!(number(b"4 4"), Err(Found::NotDigits));
        assert_eq!(number(b""), Err(Found::NumberEmpty));
    }

    #[test]
    fn sums_in_the_forms_of_all_writers() {
        for value in ["5a0703", "005a0703", "0x5A0703", "0X00000005a0703"] {
            assert_eq!(hexadecimal(value.as_bytes()), Ok(0x5a_0703), "{value}");
        }
        assert_eq!(hexadecimal(b"1ffffffff"), Err(Found::TooLarge));
        assert_eq!(hexadecimal(b"12xyz"), Err(Found::NotDigits));
        assert_eq!(hexadecimal(b"0x"), Err(Found::NumberEmpty));
        assert_eq!(hexadecimal(b"-1"), Err(Found::Signed));
    }

    /// Compares sequences of up to four bytes with the standard library.
    #[test]
    fn characters_agree_with_the_standard_library() {
        let check = |bytes: &[u8]| {
            let ours = after_character(bytes).map(|rest| bytes.len() - rest.len());
            let sound = match core::str::from_utf8(bytes) {
                Ok(text) => text,
                Err(error) => core::str::from_utf8(&bytes[..error.valid_up_to()]).unwrap(),
            };
            assert_eq!(ours, sound.chars().next().map(char::len_utf8), "{bytes:x?}");
        };
        let tails = [0, 0x40, 0x7f, 0x80, 0x81, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc0, 0xff];
        for first in 0..=u8::MAX {
            check(&[first]);
            for second in 0..=u8::MAX {
                for third in tails {
                    for fourth in tails {
                        check(&[first, second, third, fourth]);
                    }
                }
                check(&[first, second]);
            }
        }
    }

    #[test]
    fn texts_are_truncated_between_characters() {
        let mut room = ([0xff; 4], 0xff);
        let mut take = |value: &str, cut| {
            let found = text(value.as_bytes(), (&mut room.0, &mut room.1), cut);
            (found, room.0.to_vec(), room.1)
        };
        assert_eq!(take("abc", false), (Found::Nothing, b"abc\0".to_vec(), 3));
        assert_eq!(take("abcde", false), (Found::TooLong, b"abc\0".to_vec(), 3));
        assert_eq!(take("abcde", true), (Found::TooLong, b"abcd".to_vec(), 4));
        assert_eq!(take("abc\u{e4}", true), (Found::TooLong, b"abc\0".to_vec(), 3));
        assert_eq!(take("", true), (Found::Nothing, std::vec![0; 4], 0));
    }
}
