//! The digests of a file: CRC-32 and SHA-256 of all its bytes.

use linkstream::crc::crc32;
use sha2::{Digest as _, Sha256};

/// Both digests. The CRC finds accidents, and programs that know no other compare it; but anyone can write a file with a
/// wanted CRC-32. Both decide whether two files are the same.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Digest {
    pub crc: u32,
    pub sha: [u8; 32],
}

/// Computes the digests of bytes as they come.
#[derive(Debug, Clone, Default)]
pub struct Digester {
    crc: u32,
    sha: Sha256,
}

impl Digester {
    pub fn push(&mut self, bytes: &[u8]) {
        self.crc = crc32(self.crc, bytes);
        self.sha.update(bytes);
    }

    /// The digests of all bytes so far.
    #[inline(never)]
    pub fn digest(&self) -> Digest {
        Digest { crc: self.crc, sha: self.sha.clone().finalize().into() }
    }
}

/// The first bytes of the SHA-256 of these parts, as a number.
pub fn number(parts: [&[u8]; 3]) -> u64 {
    let mut sha = Sha256::new();
    for part in parts {
        sha.update(part);
    }
    let [a, b, c, d, e, f, g, h, ..] = <[u8; 32]>::from(sha.finalize());
    u64::from_le_bytes([a, b, c, d, e, f, g, h])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// FIPS 180-4 and the check value of the CRC.
    #[test]
    fn digests_equal_the_published_ones() {
        let mut digester = Digester::default();
        let empty = digester.digest();
        assert_eq!((empty.crc, &empty.sha[..4]), (0, &[0xe3, 0xb0, 0xc4, 0x42][..]));
        digester.push(b"ab");
        digester.push(b"c");
        assert_eq!(digester.digest().sha[..4], [0xba, 0x78, 0x16, 0xbf]);
        let mut digester = Digester::default();
        digester.push(b"123456789");
        assert_eq!(digester.digest().crc, 0xcbf4_3926);
    }
}
