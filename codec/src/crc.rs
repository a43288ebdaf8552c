//! CRC-32 as zlib computes it: reflected polynomial EDB88320, start and final exclusive-or FFFFFFFF.
//!
//! With the feature `std` the work is done by a crate that picks the machine's own instructions at run
//! time. Without it by four tables of 256 words (4 KiB), which a microcontroller can afford; indexing is by
//! a byte into 256 entries, so there is nothing that can fail.

/// Continues the CRC-32 `crc` of some bytes by `bytes`; start with 0.
///
/// ```
/// let whole = linkstream::crc::crc32(0, b"123456789");
/// assert_eq!(whole, 0xcbf4_3926);
/// assert_eq!(linkstream::crc::crc32(linkstream::crc::crc32(0, b"1234"), b"56789"), whole);
/// ```
#[must_use]
#[inline]
pub fn crc32(crc: u32, bytes: &[u8]) -> u32 {
    #[cfg(feature = "std")]
    {
        let mut hasher = crc32fast::Hasher::new_with_initial(crc);
        hasher.update(bytes);
        hasher.finalize()
    }
    #[cfg(not(feature = "std"))]
    table::crc32(crc, bytes)
}

#[cfg(any(not(feature = "std"), test))]
mod table {
    const POLYNOMIAL: u32 = 0xedb8_8320;

    /// `TABLES[k][b]` is the CRC register after the byte `b` and `k` zero bytes, from a register of 0.
    static TABLES: [[u32; 256]; 4] = tables();

    #[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "run by the compiler")]
    const fn tables() -> [[u32; 256]; 4] {
        let mut tables = [[0; 256]; 4];
        let mut byte = 0;
        while byte < 256 {
            let mut register = byte as u32;
            let mut bit = 0;
            while bit < 8 {
                register = if register & 1 == 1 { (register >> 1) ^ POLYNOMIAL } else { register >> 1 };
                bit += 1;
            }
            tables[0][byte] = register;
            byte += 1;
        }
        let mut k = 1;
        while k < 4 {
            let mut byte = 0;
            while byte < 256 {
                let before = tables[k - 1][byte];
                tables[k][byte] = (before >> 8) ^ tables[0][(before & 0xff) as usize];
                byte += 1;
            }
            k += 1;
        }
        tables
    }

    #[allow(clippy::indexing_slicing, reason = "a u8 cannot lie outside 256 entries")]
    const fn entry(table: &[u32; 256], byte: u8) -> u32 {
        table[byte as usize]
    }

    pub(super) fn crc32(crc: u32, bytes: &[u8]) -> u32 {
        let [t0, t1, t2, t3] = &TABLES;
        let mut register = !crc;
        let (words, tail) = bytes.as_chunks::<4>();
        for word in words {
            let [a, b, c, d] = (register ^ u32::from_le_bytes(*word)).to_le_bytes();
            register = entry(t3, a) ^ entry(t2, b) ^ entry(t1, c) ^ entry(t0, d);
        }
        for byte in tail {
            let [low, ..] = register.to_le_bytes();
            register = (register >> 8) ^ entry(t0, low ^ byte);
        }
        !register
    }
}

#[cfg(test)]
mod tests {
    /// Bit by bit, straight from the definition.
    fn plain(bytes: &[u8]) -> u32 {
        let mut register = u32::MAX;
        for byte in bytes {
            register ^= u32::from(*byte);
            for _ in 0..8 {
                register = if register & 1 == 1 { (register >> 1) ^ 0xedb8_8320 } else { register >> 1 };
            }
        }
        !register
    }

    #[test]
    fn tables_and_engine_agree_with_the_definition() {
        let mut bytes = [0_u8; 300];
        let mut x = 12345_u32;
        for byte in &mut bytes {
            x = x.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            *byte = x.to_be_bytes()[0];
        }
        for len in 0..bytes.len() {
            let part = &bytes[..len];
            assert_eq!(super::table::crc32(0, part), plain(part), "{len} bytes by table");
            assert_eq!(super::crc32(0, part), plain(part), "{len} bytes");
            let (a, b) = part.split_at(len / 3);
            assert_eq!(super::table::crc32(super::table::crc32(0, a), b), plain(part));
        }
    }
}
