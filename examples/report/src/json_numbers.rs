//! Numbers and texts in JSON: floating-point numbers with little code, and no character that a terminal acts on.

use std::io;

use linkstream_access::text::is_unprintable;
use serde_json::ser::Formatter;

/// Writes the shortest digits that identify the number, in the form of serde_json, but with the code of the standard
/// library, which messages need anyway: the code of serde_json has tables of 10 kB, which a web page would have to
/// load. If two shortest numbers are equally near, the last digit can differ from the output of serde_json.
#[derive(Debug)]
pub struct Numbers;

impl Formatter for Numbers {
    /// Escapes characters that JSON permits, but a terminal acts on, or does not show.
    fn write_string_fragment<W: io::Write + ?Sized>(
        &mut self,
        writer: &mut W,
        fragment: &str,
    ) -> io::Result<()> {
        // Nearly all texts: this loop is short.
        if fragment.bytes().all(|byte| matches!(byte, b' '..=b'~')) {
            return writer.write_all(fragment.as_bytes());
        }
        let mut rest = fragment;
        while let Some((at, c)) = rest.char_indices().find(|(_, c)| is_unprintable(*c)) {
            let (before, from) = rest.split_at_checked(at).unwrap_or((rest, ""));
            writer.write_all(before.as_bytes())?;
            for unit in c.encode_utf16(&mut [0; 2]) {
                write!(writer, "\\u{unit:04x}")?;
            }
            rest = from.get(c.len_utf8()..).unwrap_or_default();
        }
        writer.write_all(rest.as_bytes())
    }

    fn write_f64<W: io::Write + ?Sized>(&mut self, writer: &mut W, value: f64) -> io::Result<()> {
        // The forms of serde_json and of the standard library differ in the range without exponents, and in the sign of
        // positive exponents.
        if (1e-5..1e-4).contains(&value.abs()) {
            write!(writer, "{value}")
        } else if value.abs() >= 1e16 {
            writer.write_all(format!("{value:?}").replace('e', "e+").as_bytes())
        } else {
            write!(writer, "{value:?}")
        }
    }
}

#[cfg(test)]
mod tests {
    use serde::Serialize as _;
    use serde_json::Serializer;

    use super::{Numbers, is_unprintable};

    fn written(value: f64) -> String {
        let mut out = Vec::new();
        value.serialize(&mut Serializer::with_formatter(&mut out, Numbers)).expect("memory can be written");
        String::from_utf8(out).expect("digits are UTF-8")
    }

    #[test]
    fn unprintable_characters_are_escaped_and_come_back() {
        let mut written = Vec::new();
        for c in '\0'..=char::MAX {
            let text = format!("a{c}\"b{c}");
            written.clear();
            text.serialize(&mut Serializer::with_formatter(&mut written, Numbers))
                .expect("memory can be written");
            let json = std::str::from_utf8(&written).expect("text");
            assert!(!json.chars().any(is_unprintable), "{c:?}: {json}");
            assert_eq!(serde_json::from_str::<String>(json).expect("a string"), text);
        }
    }

    #[test]
    fn numbers_are_those_of_serde_json() {
        let powers = (-330..310).map(|exponent| format!("1e{exponent}").parse().expect("a number"));
        let around = powers.flat_map(|power: f64| {
            [power, power.next_down(), power.next_up(), 1.5 * power, 9.0 * power, power / 3.0]
        });
        // All exponents and signs, and fractions with varying bits.
        let spread = (0..20_000_u64).map(|n| f64::from_bits(n.wrapping_mul(0x9e37_79b9_7f4a_7c15)));
        let whole = [0.0, 1.0, 9_007_199_254_740_993.0, 9_999_999_999_999_998.0, f64::MAX, f64::MIN_POSITIVE];
        for value in around.chain(spread).chain(whole).flat_map(|value| [value, -value]) {
            let (own, other) = (written(value), serde_json::to_string(&value).expect("a number"));
            // JSON has only finite numbers.
            if value.is_finite() {
                assert_eq!(own.parse::<f64>().expect("a number").to_bits(), value.to_bits(), "{own}");
            }
            assert_eq!(form(&own), form(&other), "{own}, {other}");
        }
    }

    /// The number with all digits before the exponent replaced by zeros.
    fn form(number: &str) -> String {
        let (digits, exponent) = number.split_at(number.find('e').unwrap_or(number.len()));
        digits.replace(|letter: char| letter.is_ascii_digit(), "0") + exponent
    }
}
