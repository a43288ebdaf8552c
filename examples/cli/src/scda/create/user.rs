//! User strings on a command line: a user string may contain any bytes, but a shell passes on only some of them.

use std::str::FromStr;

/// Bytes. In the argument, `\xNN` is a byte in hexadecimal digits, and `\\` is a backslash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UserString(pub Vec<u8>);

impl FromStr for UserString {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let mut bytes = Vec::new();
        let mut rest = text;
        while let Some((before, after)) = rest.split_once('\\') {
            bytes.extend(before.bytes());
            rest = match after.strip_prefix('\\') {
                Some(rest) => {
                    bytes.push(b'\\');
                    rest
                }
                None => {
                    let digits = after.strip_prefix('x').and_then(|rest| rest.get(..2));
                    let byte = digits.filter(|digits| digits.bytes().all(|digit| digit.is_ascii_hexdigit()));
                    let byte = byte.and_then(|digits| u8::from_str_radix(digits, 16).ok());
                    bytes.push(byte.ok_or(
                        "a backslash must be followed by another, or by x and two hexadecimal digits",
                    )?);
                    &after[3..]
                }
            };
        }
        bytes.extend(rest.bytes());
        Ok(Self(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_byte_can_be_written() {
        let bytes = |text: &str| text.parse().map(|UserString(bytes)| bytes);
        assert_eq!(bytes(r"a\x3d\\b\xFF\x00"), Ok(b"a=\\b\xff\0".to_vec()));
        assert_eq!(bytes("größe"), Ok("größe".as_bytes().to_vec()));
        for wrong in [r"\", r"\n", r"\x", r"\x1", r"\x+1", r"\xg0", r"\x1é"] {
            assert!(bytes(wrong).is_err(), "{wrong}");
        }
    }
}
