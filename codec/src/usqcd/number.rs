//! The notations of numbers in the documents.

/// A number without sign of up to 32 bits.
pub(super) fn natural(text: &[u8]) -> Option<u32> {
    if text.is_empty() {
        return None;
    }
    text.iter().try_fold(0_u32, |number, byte| {
        let digit = char::from(*byte).to_digit(10)?;
        number.checked_mul(10)?.checked_add(digit)
    })
}

/// Whether a text is a floating point number as C prints and reads it: `-0.5`, `5.95e-01`, `.5`, `1.`; NaN and infinity
/// are none.
pub(super) fn is_float(text: &[u8]) -> bool {
    let (mantissa, exponent) = match text.iter().position(|byte| matches!(byte, b'e' | b'E')) {
        Some(at) => match text.split_at_checked(at) {
            Some((mantissa, [_, exponent @ ..])) => (mantissa, Some(exponent)),
            _ => return false,
        },
        None => (text, None),
    };
    let mut parts = unsigned(mantissa).split(|byte| *byte == b'.');
    let digits = |part: &[u8]| part.iter().all(u8::is_ascii_digit);
    let (whole, fraction) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let has_digits = !whole.is_empty() || !fraction.is_empty();
    let is_mantissa = has_digits && digits(whole) && digits(fraction) && parts.next().is_none();
    is_mantissa && exponent.map(unsigned).is_none_or(|exponent| !exponent.is_empty() && digits(exponent))
}

/// Without a sign in front.
const fn unsigned(text: &[u8]) -> &[u8] {
    match text {
        [b'+' | b'-', rest @ ..] => rest,
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_as_programs_print_them() {
        for good in ["0", "-0.5", "+1.", ".25", "5.956709e-01", "1E5", "0.0151053", "1e+07"] {
            assert!(is_float(good.as_bytes()), "{good}");
            assert!(good.trim_start_matches('+').parse::<f64>().is_ok(), "{good}");
        }
        for bad in
            ["", ".", "-", "e5", "1e", "1e+", "1.2.3", "0x1p3", "nan", "inf", "1 2", "1e5e", "--1", "1,5"]
        {
            assert!(!is_float(bad.as_bytes()), "{bad}");
        }
        assert_eq!([&b"0"[..], b"12", b"4294967295"].map(natural), [Some(0), Some(12), Some(u32::MAX)]);
        assert_eq!([&b""[..], b"-1", b"+1", b"1.0", b"4294967296", b"1 "].map(natural), [None; 6]);
    }
}
