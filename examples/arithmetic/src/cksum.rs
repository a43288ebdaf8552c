//! The checksum of the command `cksum` (POSIX.1-2017, `cksum`). BQCD writes it in decimal into the record `bqcd-cksum`,
//! for the data of a configuration.
//!
//! It is a CRC-32 of the bytes and of their number, with the polynomial of zlib, but with the most significant bit of
//! each byte first and without an initial value. If the bits of each byte are reversed, zlib's CRC computes it, bits of
//! the result reversed as well. Without an initial value a CRC is linear: the contributions of parts of the data can be
//! computed in any order, and are combined by exclusive or.

use linkstream::crc::crc32;

/// Number of bytes whose bits are reversed at a time.
const PIECE: usize = 4 << 10;
/// The polynomial, and the polynomial 1, both with the highest power in the lowest bit.
const POLYNOMIAL: u32 = 0xedb8_8320;
const ONE: u32 = 1 << 31;

/// The checksum of data of a given length.
///
/// ```
/// use linkstream_arithmetic::Cksum;
///
/// let cksum = Cksum::new(9);
/// // printf 123456789 | cksum
/// let (last, first) = (cksum.part(4, b"56789"), cksum.part(0, b"1234"));
/// assert_eq!(cksum.finish(last ^ first), 930_766_865);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cksum {
    length: u64,
}

impl Cksum {
    /// The checksum of so many bytes.
    #[must_use]
    pub const fn new(length: u64) -> Self {
        Self { length }
    }

    /// The contribution of the bytes from offset `at` on, which is combined with the others by exclusive or.
    #[must_use]
    pub fn part(&self, at: u64, bytes: &[u8]) -> u32 {
        let after = self.length.saturating_sub(at).saturating_sub(bytes.len() as u64);
        times(register(0, bytes), power_of_bytes(after))
    }

    /// The checksum, given the combined contributions of all bytes.
    #[must_use]
    pub fn finish(&self, combined: u32) -> u32 {
        // The number of bytes follows, its lowest byte first, without zeros at its end.
        let octets = self.length.to_le_bytes();
        let count = octets.iter().rposition(|octet| *octet != 0).map_or(0, |last| last.saturating_add(1));
        !register(combined, octets.get(..count).unwrap_or_default()).reverse_bits()
    }
}

/// Continues a CRC without initial value, with reversed bits.
fn register(register: u32, bytes: &[u8]) -> u32 {
    let mut reversed = [0; PIECE];
    bytes.chunks(PIECE).fold(register, |register, piece| {
        // Eight bytes at a time, because not every compiler makes vector instructions of a loop.
        let (words, rest) = piece.as_chunks();
        let (to, _) = reversed.as_chunks_mut();
        for (to, word) in to.iter_mut().zip(words) {
            *to = u64::from_le_bytes(*word).reverse_bits().to_be_bytes();
        }
        let to = reversed.iter_mut().skip(words.as_flattened().len());
        to.zip(rest).for_each(|(to, byte)| *to = byte.reverse_bits());
        !crc32(!register, reversed.get(..piece.len()).unwrap_or_default())
    })
}

/// The product of two polynomials modulo the polynomial of the CRC.
fn times(a: u32, b: u32) -> u32 {
    let (mut product, mut b) = (0, b);
    for power in 0..u32::BITS {
        if a & (ONE >> power) != 0 {
            product ^= b;
        }
        b = (b >> 1) ^ if b & 1 == 1 { POLYNOMIAL } else { 0 };
    }
    product
}

/// x to the power of eight times `bytes`, modulo the polynomial: a factor that appends so many zero bytes.
fn power_of_bytes(bytes: u64) -> u32 {
    let (mut power, mut square, mut rest) = (ONE, ONE >> 8, bytes);
    while rest > 0 {
        if rest & 1 == 1 {
            power = times(power, square);
        }
        square = times(square, square);
        rest >>= 1;
    }
    power
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Bit by bit, as POSIX defines it.
    fn by_definition(bytes: &[u8]) -> u32 {
        let mut length = bytes.len();
        let mut octets = Vec::new();
        while length > 0 {
            octets.push(length as u8);
            length >>= 8;
        }
        let register = bytes.iter().chain(&octets).fold(0_u32, |register, byte| {
            (0..8).fold(register ^ u32::from(*byte) << 24, |register, _| {
                (register << 1) ^ if register >> 31 == 1 { 0x04c1_1db7 } else { 0 }
            })
        });
        !register
    }

    #[test]
    fn parts_in_any_order_give_the_sum_of_the_whole() {
        for length in [0, 1, 255, 256, 10_000, 70_000] {
            let bytes: Vec<u8> =
                (0..length as u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 21) as u8).collect();
            let cksum = Cksum::new(bytes.len() as u64);
            for piece in [1 << 20, 4096, 777] {
                let parts = bytes.chunks(piece).enumerate().rev();
                let combined = parts.fold(0, |sum, (i, part)| sum ^ cksum.part((i * piece) as u64, part));
                assert_eq!(cksum.finish(combined), by_definition(&bytes), "{length} {piece}");
            }
        }
    }
}
