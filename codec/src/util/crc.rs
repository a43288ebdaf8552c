//! CRC-32 as zlib computes it: reflected polynomial EDB88320, start and final exclusive-or FFFFFFFF.
//!
//! With the feature `std`, a crate is used that detects the processor's CRC instructions at run time. Without it,
//! the CRC is computed with tables, whose size a feature selects:
//!
//! | feature | tables | bytes per step |
//! |---|---|---|
//! | `crc-fast` | four of 256 words, 4 KiB | 4 |
//! | neither | one of 256 words, 1 KiB | 1 |
//! | `crc-small` | one of 16 words, 64 bytes | 1/2 |
//!
//! If both features are enabled, possibly by different crates, the fast variant is used.
//! `examples/firmware/budget.toml` lists the cost of each on a microcontroller. An index is a byte into 256 entries,
//! or four bits into 16, so indexing cannot fail.
//!
//! WebAssembly has no instructions for CRCs. There the feature `std` selects tables of 16 KiB, which take 16 bytes per
//! step and are computed on first use, so that they add nothing to the size of a module.

/// Continues a CRC-32: `crc` is the CRC-32 of the bytes before `bytes`, 0 if there are none.
///
/// ```
/// let whole = linkstream::crc::crc32(0, b"123456789");
/// assert_eq!(whole, 0xcbf4_3926);
/// assert_eq!(linkstream::crc::crc32(linkstream::crc::crc32(0, b"1234"), b"56789"), whole);
/// ```
#[must_use]
#[inline]
pub fn crc32(crc: u32, bytes: &[u8]) -> u32 {
    #[cfg(all(feature = "std", not(target_family = "wasm")))]
    {
        // Its choice of instructions takes longer than a few bytes do.
        if bytes.len() < 16 {
            return table::by_bytes(crc, bytes);
        }
        let mut hasher = crc32fast::Hasher::new_with_initial(crc);
        hasher.update(bytes);
        hasher.finalize()
    }
    #[cfg(all(feature = "std", target_family = "wasm"))]
    {
        computed::by_blocks(crc, bytes)
    }
    #[cfg(not(feature = "std"))]
    if cfg!(feature = "crc-fast") {
        table::by_words(crc, bytes)
    } else if cfg!(feature = "crc-small") {
        table::by_nibbles(crc, bytes)
    } else {
        table::by_bytes(crc, bytes)
    }
}

/// All three variants. A program contains only the variant that the features select.
#[cfg_attr(feature = "std", allow(dead_code, reason = "the variants that are not selected"))]
mod table {
    const POLYNOMIAL: u32 = 0xedb8_8320;

    /// The CRC register after `bits` zero bits.
    #[allow(clippy::arithmetic_side_effects, reason = "run by the compiler")]
    const fn shifted(mut register: u32, bits: u32) -> u32 {
        let mut bit = 0;
        while bit < bits {
            register = if register & 1 == 1 { (register >> 1) ^ POLYNOMIAL } else { register >> 1 };
            bit += 1;
        }
        register
    }

    /// `NIBBLES[n]` is the CRC register after the four bits `n`, from a register of 0.
    static NIBBLES: [u32; 16] = nibbles();

    #[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "run by the compiler")]
    const fn nibbles() -> [u32; 16] {
        let mut table = [0; 16];
        let mut nibble = 0;
        while nibble < 16 {
            table[nibble] = shifted(nibble as u32, 4);
            nibble += 1;
        }
        table
    }

    /// `BYTES[b]` is the CRC register after the byte `b`, from a register of 0.
    static BYTES: [u32; 256] = {
        let [bytes, ..] = tables();
        bytes
    };

    /// `TABLES[k][b]` is the CRC register after the byte `b` and `k` zero bytes, from a register of 0.
    static TABLES: [[u32; 256]; 4] = tables();

    #[allow(clippy::indexing_slicing, clippy::arithmetic_side_effects, reason = "run by the compiler")]
    pub(super) const fn tables() -> [[u32; 256]; 4] {
        let mut tables = [[0; 256]; 4];
        let mut byte = 0;
        while byte < 256 {
            tables[0][byte] = shifted(byte as u32, 8);
            byte += 1;
        }
        let mut k = 1;
        while k < 4 {
            let mut byte = 0;
            while byte < 256 {
                // As `next` does for a zero byte.
                let before = tables[k - 1][byte];
                tables[k][byte] = (before >> 8) ^ tables[0][(before & 0xff) as usize];
                byte += 1;
            }
            k += 1;
        }
        tables
    }

    #[allow(clippy::indexing_slicing, reason = "a u8 cannot lie outside 256 entries")]
    pub(super) const fn entry(table: &[u32; 256], byte: u8) -> u32 {
        table[byte as usize]
    }

    pub(super) const fn next(table: &[u32; 256], register: u32, byte: u8) -> u32 {
        let [low, ..] = register.to_le_bytes();
        (register >> 8) ^ entry(table, low ^ byte)
    }

    /// True if the processor loads a word from any address. Armv6-M does not; it has no compare-and-swap either.
    const LOADS_WORDS_ANYWHERE: bool = cfg!(any(
        target_arch = "x86_64",
        target_arch = "aarch64",
        all(target_arch = "arm", target_has_atomic = "32")
    ));

    /// Two bytes per iteration, to halve the loop overhead; as a halfword where it can be loaded, since it meets the
    /// register at once. More per iteration would be slower at opt-level z, where the compiler makes a function of
    /// instructions that are repeated. A separate function, so that it does not compete with its caller for registers.
    #[inline(never)]
    pub(super) fn by_bytes(crc: u32, bytes: &[u8]) -> u32 {
        let (pairs, tail) = bytes.as_chunks::<2>();
        let register = pairs.iter().fold(!crc, |register, &[first, second]| {
            if LOADS_WORDS_ANYWHERE {
                let register = register ^ u32::from(u16::from_le_bytes([first, second]));
                next(&BYTES, next(&BYTES, register, 0), 0)
            } else {
                next(&BYTES, next(&BYTES, register, first), second)
            }
        });
        !tail.iter().fold(register, |register, byte| next(&BYTES, register, *byte))
    }

    pub(super) fn by_nibbles(crc: u32, bytes: &[u8]) -> u32 {
        #[allow(clippy::indexing_slicing, reason = "four bits cannot lie outside 16 entries")]
        const fn half(register: u32) -> u32 {
            (register >> 4) ^ NIBBLES[(register & 0x0f) as usize]
        }
        !bytes.iter().fold(!crc, |register, byte| half(half(register ^ *byte as u32)))
    }

    /// The CRC register after the four bytes of a word, and the zero bytes that the tables are for, from a register of
    /// 0.
    #[inline(always)]
    pub(super) const fn word(tables: &[[u32; 256]; 4], word: u32) -> u32 {
        let [t0, t1, t2, t3] = tables;
        let [a, b, c, d] = word.to_le_bytes();
        // The first byte still has three bytes after it, the last one none. A CRC is linear, so the parts are added up
        // by exclusive or.
        entry(t3, a) ^ entry(t2, b) ^ entry(t1, c) ^ entry(t0, d)
    }

    pub(super) fn by_words(crc: u32, bytes: &[u8]) -> u32 {
        let [t0, ..] = &TABLES;
        let mut register = !crc;
        let (words, tail) = bytes.as_chunks::<4>();
        for bytes in words {
            register = word(&TABLES, register ^ u32::from_le_bytes(*bytes));
        }
        for byte in tail {
            register = next(t0, register, *byte);
        }
        !register
    }
}

/// Slicing by 16, with tables computed when they are first used.
#[cfg(all(feature = "std", any(target_family = "wasm", test)))]
mod computed {
    use core::mem;
    use std::sync::LazyLock;

    use super::table::{next, tables, word};

    /// The tables of [`super::table::tables`] for sixteen bytes; the tables of the last word come first.
    static TABLES: LazyLock<[[[u32; 256]; 4]; 4]> = LazyLock::new(|| {
        let [bytes, ..] = tables();
        let mut table = bytes;
        [(); 4].map(|()| {
            [(); 4].map(|()| {
                let after_a_zero = table.map(|register| next(&bytes, register, 0));
                mem::replace(&mut table, after_a_zero)
            })
        })
    });

    pub(super) fn by_blocks(crc: u32, bytes: &[u8]) -> u32 {
        let [t0, t1, t2, t3] = &*TABLES;
        let mut register = !crc;
        let (words, tail) = bytes.as_chunks::<4>();
        let (blocks, rest) = words.as_chunks::<4>();
        for block in blocks {
            let [a, b, c, d] = *block;
            // Only the first word meets the register of the bytes before; the later ones do not wait for it.
            register = word(t3, register ^ u32::from_le_bytes(a))
                ^ word(t2, u32::from_le_bytes(b))
                ^ word(t1, u32::from_le_bytes(c))
                ^ word(t0, u32::from_le_bytes(d));
        }
        for bytes in rest {
            register = word(t0, register ^ u32::from_le_bytes(*bytes));
        }
        let [bytes, ..] = t0;
        !tail.iter().fold(register, |register, byte| next(bytes, register, *byte))
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
            assert_eq!(super::crc32(0, part), plain(part), "{len} bytes");
            for crc32 in [
                super::table::by_nibbles,
                super::table::by_bytes,
                super::table::by_words,
                #[cfg(feature = "std")]
                super::computed::by_blocks,
            ] {
                assert_eq!(crc32(0, part), plain(part), "{len} bytes by table");
                let (a, b) = part.split_at(len / 3);
                assert_eq!(crc32(crc32(0, a), b), plain(part));
            }
        }
    }
}
