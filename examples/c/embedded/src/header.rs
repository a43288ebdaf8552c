//! The constants of the C headers. Each number is read from the header at compile time, so it is written in one place
//! only, and the library does not build if its own structures differ.

/// The header for the calls.
const CALLS: &[u8] = include_bytes!("../include/linkstream_embedded.h");
/// The header with the numbers of the errors.
const KINDS: &[u8] = include_bytes!("../include/linkstream_embedded_kinds.h");

/// The number that the header defines for this name. Used in constants only: an unknown name stops the compiler.
pub const fn number(name: &str) -> u32 {
    match find(CALLS, name.as_bytes()) {
        Some(number) => number,
        None => panic!("the header does not define this name"),
    }
}

/// The number of a name with one value for 32-bit and one for 64-bit pointers: `$name` with `_32` or `_64`.
macro_rules! by_pointer {
    ($name:literal) => {
        if size_of::<usize>() == 4 {
            $crate::header::number(concat!($name, "_32"))
        } else {
            $crate::header::number(concat!($name, "_64"))
        }
    };
}

pub(crate) use by_pointer;

/// True if the header of the errors defines a constant for this kind of error, with this number. `lime-magic` is
/// `LSE_KIND_LIME_MAGIC`.
pub const fn has_kind(kind: &str, number: u32) -> bool {
    let mut rest = KINDS;
    while let Some(after) = after_define(rest) {
        if let Some(value) = strip_kind(after, kind.as_bytes()) {
            return matches!(parse(value), Some(found) if found == number);
        }
        rest = after;
    }
    false
}

/// The value after the definition of `name` in `text`.
const fn find(text: &[u8], name: &[u8]) -> Option<u32> {
    let mut rest = text;
    while let Some(after) = after_define(rest) {
        if let Some([b' ', value @ ..]) = strip(after, name) {
            return parse(value);
        }
        rest = after;
    }
    None
}

/// The text after the next `#define `.
const fn after_define(text: &[u8]) -> Option<&[u8]> {
    let mut rest = text;
    while let [_, after @ ..] = rest {
        if let [b'#', b'd', b'e', b'f', b'i', b'n', b'e', b' ', after @ ..] = rest {
            return Some(after);
        }
        rest = after;
    }
    None
}

const fn strip<'a>(text: &'a [u8], prefix: &[u8]) -> Option<&'a [u8]> {
    let (mut text, mut prefix) = (text, prefix);
    while let [wanted, more @ ..] = prefix {
        match text {
            [found, after @ ..] if *found == *wanted => text = after,
            _ => return None,
        }
        prefix = more;
    }
    Some(text)
}

/// The text after `LSE_KIND_`, the name in capital letters with underscores, and a space.
const fn strip_kind<'a>(text: &'a [u8], kind: &[u8]) -> Option<&'a [u8]> {
    let Some(mut text) = strip(text, b"LSE_KIND_") else { return None };
    let mut kind = kind;
    while let [letter, more @ ..] = kind {
        let wanted = if *letter == b'-' { b'_' } else { letter.to_ascii_uppercase() };
        match text {
            [found, after @ ..] if *found == wanted => text = after,
            _ => return None,
        }
        kind = more;
    }
    match text {
        [b' ', value @ ..] => Some(value),
        _ => None,
    }
}

/// An unsigned number, decimal or hexadecimal, with the suffix `u`.
const fn parse(text: &[u8]) -> Option<u32> {
    let (mut rest, base) = match text {
        [b'0', b'x', digits @ ..] => (digits, 16),
        _ => (text, 10),
    };
    let mut number: u32 = 0;
    while let [byte, after @ ..] = rest {
        let digit = match byte {
            b'0'..=b'9' => byte.wrapping_sub(b'0'),
            b'a'..=b'f' if base == 16 => byte.wrapping_sub(b'a').wrapping_add(10),
            b'u' => return Some(number),
            _ => return None,
        };
        match number.checked_mul(base) {
            Some(tens) => number = tens.wrapping_add(digit as u32),
            None => return None,
        }
        rest = after;
    }
    None
}
