//! Conversion of values to text and back, without the loss of a bit.
//!
//! Numbers are written with the fewest digits that restore the same bits. A NaN without a payload is `NaN` or `-NaN`;
//! any other NaN shows all of its bits, as in `NaN(0x7ff8000000000001)`.

use std::fmt::Write as _;

use linkstream::inebin::{Complex, Value};

/// A value that a field can contain.
pub trait Text: Value {
    /// Appends the value to `out`.
    fn put(self, out: &mut String);
    /// Parses a field without surrounding spaces.
    fn read(text: &str) -> Option<Self>;
}

impl Text for bool {
    fn put(self, out: &mut String) {
        out.push(if self { '1' } else { '0' });
    }

    fn read(text: &str) -> Option<Self> {
        match text {
            "0" => Some(false),
            "1" => Some(true),
            _ if text.eq_ignore_ascii_case("false") => Some(false),
            _ if text.eq_ignore_ascii_case("true") => Some(true),
            _ => None,
        }
    }
}

impl Text for i64 {
    fn put(self, out: &mut String) {
        let _ = write!(out, "{self}");
    }

    fn read(text: &str) -> Option<Self> {
        text.parse().ok()
    }
}

/// The bits of a NaN without a payload.
const PLAIN_NAN: u64 = 0x7ff8_0000_0000_0000;
const SIGN: u64 = 1 << 63;

impl Text for f64 {
    fn put(self, out: &mut String) {
        let _ = match self.to_bits() {
            PLAIN_NAN => write!(out, "NaN"),
            bits if bits == PLAIN_NAN | SIGN => write!(out, "-NaN"),
            bits if self.is_nan() => write!(out, "NaN(0x{bits:016x})"),
            _ => write!(out, "{self:?}"),
        };
        if out.ends_with(".0") {
            out.truncate(out.len() - 2);
        }
    }

    fn read(text: &str) -> Option<Self> {
        let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
        if let Some((nan, bits)) = unsigned.split_at_checked(3)
            && nan.eq_ignore_ascii_case("nan")
        {
            return read_nan(text.starts_with('-'), bits);
        }
        let number: Self = text.parse().ok()?;
        // Rejects a finite number that is too large for a double: `parse` returns infinity for it.
        let infinity = unsigned.starts_with(['i', 'I']);
        (number.is_finite() || infinity).then_some(number)
    }
}

/// Parses the digits after `NaN`. They are all bits of the number, including the sign, so no minus may precede them.
fn read_nan(negative: bool, bits: &str) -> Option<f64> {
    if bits.is_empty() {
        return Some(f64::from_bits(if negative { PLAIN_NAN | SIGN } else { PLAIN_NAN }));
    }
    let digits = bits.strip_prefix("(0x")?.strip_suffix(')')?;
    let all_digits = digits.bytes().all(|digit| digit.is_ascii_hexdigit());
    let number = f64::from_bits(u64::from_str_radix(digits, 16).ok()?);
    (number.is_nan() && all_digits && !negative).then_some(number)
}

impl Text for Complex {
    fn put(self, out: &mut String) {
        self.re.put(out);
        let sign = out.len();
        self.im.put(out);
        if !out[sign..].starts_with('-') {
            out.insert(sign, '+');
        }
        out.push('i');
    }

    /// Either part may be omitted, and so may the digits of an imaginary 1.
    fn read(text: &str) -> Option<Self> {
        let Some(body) = text.strip_suffix('i') else {
            return Some(Self { re: f64::read(text)?, im: 0.0 });
        };
        let (re, im) = body.split_at(second_sign(body).unwrap_or(0));
        let re = if re.is_empty() { 0.0 } else { f64::read(re.trim_end())? };
        let (sign, digits) = im.split_at(usize::from(im.starts_with(['+', '-'])));
        let im = match digits.trim_start() {
            "" => f64::read(&format!("{sign}1"))?,
            digits => f64::read(&format!("{sign}{digits}"))?,
        };
        Some(Self { re, im })
    }
}

/// Position of the sign between the two parts, which is neither the first character nor the sign of an exponent.
fn second_sign(text: &str) -> Option<usize> {
    let bytes = text.as_bytes();
    let joins = |at: &usize| matches!(bytes[*at], b'+' | b'-') && !matches!(bytes[*at - 1], b'e' | b'E');
    (1..bytes.len()).rev().find(joins)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(value: impl Text) -> String {
        let mut out = String::new();
        value.put(&mut out);
        out
    }

    fn parts(text: &str) -> Option<(f64, f64)> {
        Complex::read(text).map(|value| (value.re, value.im))
    }

    #[test]
    fn every_bit_of_a_double_comes_back() {
        let special =
            [0, 1, 0x7fef_ffff_ffff_ffff, 0x7ff0_0000_0000_0000, 0x7ff0_0000_0000_0001, PLAIN_NAN, !0];
        // Also numbers from the whole range, by a multiplicative generator.
        let others = std::iter::successors(Some(1_u64), |x| Some(x.wrapping_mul(0x5851_f42d_4c95_7f2d)));
        for bits in special.into_iter().flat_map(|bits| [bits, bits ^ SIGN]).chain(others.take(10_000)) {
            let written = text(f64::from_bits(bits));
            assert_eq!(f64::read(&written).map(f64::to_bits), Some(bits), "{written}");
            let both = text(Complex { re: f64::from_bits(bits), im: f64::from_bits(!bits) });
            let read = Complex::read(&both).map(|value| (value.re.to_bits(), value.im.to_bits()));
            assert_eq!(read, Some((bits, !bits)), "{both}");
        }
    }

    #[test]
    fn as_they_are_written() {
        let numbers = [1.0, -0.0, 0.1, 1e300, 5e-324, f64::INFINITY, f64::NAN, -f64::NAN];
        assert_eq!(numbers.map(text), ["1", "-0", "0.1", "1e300", "5e-324", "inf", "NaN", "-NaN"]);
        assert_eq!(text(f64::from_bits(PLAIN_NAN | 1)), "NaN(0x7ff8000000000001)");
        assert_eq!(text(Complex { re: 1.0, im: 1.5 }), "1+1.5i");
        assert_eq!(text(Complex { re: f64::NEG_INFINITY, im: -0.0 }), "-inf-0i");
        assert_eq!((text(i64::MIN), text(true)), ("-9223372036854775808".into(), "1".into()));
    }

    #[test]
    fn forms_of_complex_numbers() {
        assert_eq!(parts("2"), Some((2.0, 0.0)));
        assert_eq!(parts("3i"), Some((0.0, 3.0)));
        assert_eq!([parts("i"), parts("+i"), parts("-i")], [1.0, 1.0, -1.0].map(|im| Some((0.0, im))));
        assert_eq!(parts("1-i"), Some((1.0, -1.0)));
        assert_eq!(parts("1e-3-2.5e7i"), Some((1e-3, -2.5e7)));
        assert_eq!(parts("-1E+3+2e-5i"), Some((-1e3, 2e-5)));
        assert_eq!(parts("1e-3i"), Some((0.0, 1e-3)));
        assert_eq!(parts("-inf-infi"), Some((f64::NEG_INFINITY, f64::NEG_INFINITY)));
        assert_eq!(parts("1 + 1.5i"), Some((1.0, 1.5)));
        for wrong in
            ["", "1+2", "1+2i+3i", "ii", "1+-2i", "+", "-", "1i2", "e", "1e+i", "0x1i", "+ +i", "1,5"]
        {
            assert_eq!(parts(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn what_is_no_number() {
        for wrong in [
            "",
            "x",
            "1e999",
            "-1e400",
            "0x10",
            "1_000",
            "1 2",
            "NaN(1)",
            "NaN()",
            "NaN(0x)",
            "-NaN(0x7ff8000000000001)",
            "NaN(0x3ff0000000000000)",
            "NaN(0x+ff8000000000001)",
            "NaN(0x17ff8000000000001)",
            "näN",
            "infinit",
        ] {
            assert_eq!(f64::read(wrong).map(f64::to_bits), None, "{wrong}");
        }
        assert_eq!(f64::read("+Infinity"), Some(f64::INFINITY));
        assert_eq!(
            (i64::read("+5"), i64::read("9223372036854775808"), i64::read("1.0")),
            (Some(5), None, None)
        );
        assert_eq!(
            (bool::read("True"), bool::read("FALSE"), bool::read("2")),
            (Some(true), Some(false), None)
        );
    }
}
