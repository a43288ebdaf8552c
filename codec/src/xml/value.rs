//! Values of elements: numbers, lists and short texts. Complete parsers over a value already gathered.

use heapless::String;
use nom::IResult;
use nom::Parser as _;
use nom::bytes::complete::tag_no_case;
use nom::character::complete::{digit1, multispace0, multispace1};
use nom::combinator::{all_consuming, opt};
use nom::sequence::terminated;

use super::element::Element;
use super::error::{ErrorKind, NumberFault};
use super::parser::MAX_VALUE;
use crate::lattice::{Coordinates, MAX_DIMENSIONS};

/// A sign, which is noticed in order to be refused, and digits.
fn signed_digits(input: &[u8]) -> IResult<&[u8], (Option<u8>, &[u8]), ()> {
    // Not by `one_of`: the optimiser cannot see that it does not panic.
    let (sign, input) = match input {
        [sign @ (b'+' | b'-'), behind @ ..] => (Some(*sign), behind),
        _ => (None, input),
    };
    digit1.map(|digits| (sign, digits)).parse(input)
}

/// The value of digits in the given base, if it fits in 32 bits.
fn magnitude(digits: &[u8], base: u32) -> Option<u32> {
    digits
        .iter()
        .try_fold(0_u32, |sum, digit| sum.checked_mul(base)?.checked_add(char::from(*digit).to_digit(base)?))
}

fn one(digits: (Option<u8>, &[u8])) -> Result<u32, NumberFault> {
    match digits {
        (Some(_), _) => Err(NumberFault::Signed),
        (None, digits) => magnitude(digits, 10).ok_or(NumberFault::TooLarge),
    }
}

/// One decimal number of up to 32 bits. White space around values is gone already.
pub(crate) fn number(element: Element, value: &[u8]) -> Result<u32, ErrorKind> {
    let fault = |fault| ErrorKind::Number(element, fault);
    if value.is_empty() {
        return Err(fault(NumberFault::Empty));
    }
    let (_, digits) = all_consuming(signed_digits).parse(value).map_err(|_| fault(NumberFault::NotDigits))?;
    one(digits).map_err(fault)
}

/// A list of up to 8 decimal numbers with white space between them: QIO puts a blank behind every number,
/// Grid a blank and a line feed.
pub(crate) fn numbers(element: Element, value: &[u8]) -> Result<Coordinates, ErrorKind> {
    let fault = |fault| ErrorKind::Number(element, fault);
    let mut list = Coordinates::default();
    let mut rest = value;
    while !rest.is_empty() {
        let (behind, digits) = terminated(signed_digits, opt(multispace1))
            .parse(rest)
            .map_err(|_| fault(NumberFault::NotDigits))?;
        list.append(one(digits).map_err(fault)?).ok_or(fault(NumberFault::TooMany))?;
        // `4-4` and `2x` end a number without white space.
        if !behind.is_empty() && !rest.get(..rest.len().saturating_sub(behind.len())).is_some_and(ends_blank)
        {
            return Err(fault(NumberFault::NotDigits));
        }
        rest = behind;
    }
    if list.as_slice().is_empty() {
        return Err(fault(NumberFault::Empty));
    }
    Ok(list)
}

fn ends_blank(bytes: &[u8]) -> bool {
    bytes.last().is_some_and(u8::is_ascii_whitespace)
}

/// A hexadecimal number of up to 32 bits: either case, optional `0x`, any number of leading zeros.
pub(crate) fn hexadecimal(element: Element, value: &[u8]) -> Result<u32, ErrorKind> {
    let fault = |fault| ErrorKind::Number(element, fault);
    let prefix: IResult<&[u8], _, ()> = (multispace0, opt(tag_no_case("0x"))).parse(value);
    let (digits, _) = prefix.map_err(|_| fault(NumberFault::NotDigits))?;
    match digits.first() {
        None => return Err(fault(NumberFault::Empty)),
        Some(b'+' | b'-') => return Err(fault(NumberFault::Signed)),
        Some(_) if !digits.iter().all(u8::is_ascii_hexdigit) => {
            return Err(fault(NumberFault::NotDigits));
        }
        Some(_) => {}
    }
    magnitude(digits, 16).ok_or(fault(NumberFault::TooLarge))
}

/// A text of up to `N` bytes.
pub(crate) fn text<const N: usize>(element: Element, value: &[u8]) -> Result<String<N>, ErrorKind> {
    let text = core::str::from_utf8(value).map_err(|_| ErrorKind::NotText(element))?;
    String::try_from(text).map_err(|_| ErrorKind::TooLong {
        element,
        length: u32::try_from(value.len()).unwrap_or(u32::MAX),
        limit: N as u32,
    })
}

/// A text on which nothing depends: of what is too long, the beginning is kept.
pub(crate) fn cut_text<const N: usize>(
    element: Element,
    value: &[u8],
    into: &mut String<N>,
) -> Result<(), ErrorKind> {
    let text = match core::str::from_utf8(value) {
        Ok(text) => text,
        // The parser has cut a longer value inside of a character.
        Err(error) if value.len() == MAX_VALUE && error.error_len().is_none() => {
            let whole = value.get(..error.valid_up_to()).unwrap_or_default();
            core::str::from_utf8(whole).unwrap_or_default()
        }
        Err(_) => return Err(ErrorKind::NotText(element)),
    };
    let ends = text.char_indices().map(|(at, c)| at.saturating_add(c.len_utf8()));
    let fits = ends.take_while(|end| *end <= N).last().and_then(|end| text.get(..end));
    *into = String::try_from(fits.unwrap_or_default()).unwrap_or_default();
    if into.len() == text.len() {
        return Ok(());
    }
    let length = u32::try_from(value.len()).unwrap_or(u32::MAX);
    Err(ErrorKind::TooLong { element, length, limit: N as u32 })
}

const _: () = assert!(MAX_DIMENSIONS == 8, "the message of NumberFault::TooMany says 8");

#[cfg(test)]
mod tests {
    use super::*;

    const E: Element = Element::Dims;

    fn fault(value: &[u8]) -> NumberFault {
        match numbers(E, value) {
            Err(ErrorKind::Number(Element::Dims, fault)) => fault,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn lists_with_white_space_of_every_kind() {
        for value in ["4 4 4 8", "4 4 4 8 ", "4\n4\n4\n8", "4 \n4 \n4 \n8", "4\t4\r\n4  08"] {
            assert_eq!(numbers(E, value.as_bytes()).unwrap().as_slice(), [4, 4, 4, 8], "{value:?}");
        }
        assert_eq!(fault(b"2 -2 -2 4"), NumberFault::Signed);
        assert_eq!(fault(b"2x 2"), NumberFault::NotDigits);
        assert_eq!(fault(b"2,2"), NumberFault::NotDigits);
        assert_eq!(fault(b"2-2"), NumberFault::NotDigits);
        assert_eq!(fault(b"4294967298"), NumberFault::TooLarge);
        assert_eq!(fault(b"1 1 1 1 1 1 1 1 1"), NumberFault::TooMany);
        assert_eq!(fault(b""), NumberFault::Empty);
    }

    #[test]
    fn numbers_up_to_32_bits() {
        assert_eq!(number(E, b"4294967295"), Ok(u32::MAX));
        assert_eq!(number(E, b"4294967296"), Err(ErrorKind::Number(E, NumberFault::TooLarge)));
        assert_eq!(number(E, b"-4"), Err(ErrorKind::Number(E, NumberFault::Signed)));
        assert_eq!(number(E, b"4 4"), Err(ErrorKind::Number(E, NumberFault::NotDigits)));
        assert_eq!(number(E, b""), Err(ErrorKind::Number(E, NumberFault::Empty)));
    }

    #[test]
    fn sums_as_qio_and_as_others_write_them() {
        for value in ["5a0703", "005a0703", "0x5A0703", "0X00000005a0703"] {
            assert_eq!(hexadecimal(E, value.as_bytes()), Ok(0x5a_0703), "{value}");
        }
        assert_eq!(hexadecimal(E, b"1ffffffff"), Err(ErrorKind::Number(E, NumberFault::TooLarge)));
        assert_eq!(hexadecimal(E, b"12xyz"), Err(ErrorKind::Number(E, NumberFault::NotDigits)));
        assert_eq!(hexadecimal(E, b"0x"), Err(ErrorKind::Number(E, NumberFault::Empty)));
        assert_eq!(hexadecimal(E, b"-1"), Err(ErrorKind::Number(E, NumberFault::Signed)));
    }
}
