//! How a file begins: magic and version.

use super::error::ErrorKind;
use crate::counter::Counter as _;

/// The first five bytes of every file. Two hexadecimal digits follow, which are the version.
pub const MAGIC: [u8; 5] = *b"scdat";
/// The only version of the format.
pub const VERSION: u8 = 0xa0;

/// The version after the magic: `a0` to `ff` in lower case.
pub(super) fn version(found: [u8; 7]) -> Result<u8, ErrorKind> {
    let [magic @ .., v0, v1] = found;
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Some(byte & 0x0f),
        b'a'..=b'f' => Some(byte.minus(b'a').plus(10)),
        _ => None,
    };
    match (digit(v0), digit(v1)) {
        (Some(high @ 10..), Some(low)) if magic == MAGIC => Ok(high << 4 | low),
        _ => Err(ErrorKind::Magic { found }),
    }
}
