//! The place of damage, as far as SciDAC checksums show it.
//!
//! The sums are exclusive ors of the CRC-32 of each site, rotated by the rank of the site modulo 29 and modulo 31. If
//! only one site has changed, both differences are the same number under two rotations. About thirty ranks of 899 have
//! these rotations, up to a rotation that both have in common. For each rank, that number must be the difference of two
//! CRCs. If only one byte of the site has changed, the number gives the byte. For most other ranks it gives none; some
//! remain, since a rotation by a few bits is often only a shift, and so a change of bits beside the changed ones.

use linkstream::crc::crc32;

const MODULI: [u64; 2] = [29, 31];
/// The rank of a changed site is known modulo this number.
pub const PERIOD: u64 = 29 * 31;
/// Sites of more bytes are not searched. With this many, a number that is not due to a single byte is taken for one in
/// fewer than 1 of 100 cases: 30 ranks, 255 changes of each byte, and 2^32 numbers.
const MAX_SITE: u64 = 4096;

/// A change of one byte that explains two pairs of sums.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Changed {
    /// The rank of the site, modulo [`PERIOD`].
    pub site: u64,
    /// The byte in the site.
    pub byte: u64,
}

/// The changes of one byte in one of `sites` sites of `bytes_per_site` bytes that explain the difference between the
/// sums of the data and the stored ones. Empty if there are none: more bytes have changed, or the sums are damaged.
#[must_use]
pub fn changed_bytes(computed: [u32; 2], stored: [u32; 2], bytes_per_site: u64, sites: u64) -> Vec<Changed> {
    let ([a, b], [stored_a, stored_b]) = (computed, stored);
    let (a, b) = (a ^ stored_a, b ^ stored_b);
    // Sums that differ in nothing, or in all bits, are the same under every rotation.
    if bytes_per_site > MAX_SITE || a.rotate_left(1) == a {
        return Vec::new();
    }
    let [of_29, of_31] = MODULI;
    let unrotated =
        |sum: u32, rank: u64, modulus: u64| sum.rotate_right(rank.checked_rem(modulus).unwrap_or(0) as u32);
    let table = table();
    let ranks = (0..PERIOD.min(sites)).map(|site| (site, unrotated(a, site, of_29)));
    let possible = ranks.filter(|(site, of_a)| *of_a == unrotated(b, *site, of_31));
    let each = possible.map(|(site, difference)| {
        let bytes = bytes_with(difference, bytes_per_site, &table);
        bytes.into_iter().map(move |byte| Changed { site, byte })
    });
    each.flatten().collect()
}

/// For the upper eight bits of a remainder, the byte that has it and the remainder.
type Table = [(u8, u32); 256];

fn table() -> Table {
    let mut table = [(0, 0); 256];
    for byte in 0..=u8::MAX {
        // Without the constants of the CRC, which cancel: the remainder of the byte, followed by nothing.
        let remainder = crc32(0, &[byte]) ^ crc32(0, &[0]);
        // The upper eight bits of the remainders are all different.
        if let Some(entry) = table.get_mut((remainder >> 24) as usize) {
            *entry = (byte, remainder);
        }
    }
    table
}

/// The bytes among `bytes` whose change makes this difference of two CRCs.
fn bytes_with(difference: u32, bytes: u64, table: &Table) -> Vec<u64> {
    let mut state = difference;
    let mut found = Vec::new();
    for from_end in 1..=bytes {
        let (byte, remainder) = table.get((state >> 24) as usize).copied().unwrap_or_default();
        if state == remainder {
            found.push(bytes.saturating_sub(from_end));
        }
        // One zero byte less after the change.
        state = ((state ^ remainder) << 8) | u32::from(byte);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sums(sites: &[Vec<u8>]) -> [u32; 2] {
        let mut sums = [0; 2];
        for (rank, site) in (0..).zip(sites) {
            for (sum, modulus) in sums.iter_mut().zip(MODULI) {
                *sum ^= crc32(0, site).rotate_left((rank % modulus) as u32);
            }
        }
        sums
    }

    fn noise(sites: usize, bytes: usize) -> Vec<Vec<u8>> {
        let mut state = 1_u64;
        let mut byte = || {
            state = state.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
            (state >> 56) as u8
        };
        (0..sites).map(|_| (0..bytes).map(|_| byte()).collect()).collect()
    }

    /// The right place is among those found, and often alone.
    #[test]
    fn one_byte_is_found_wherever_it_is() {
        let mut alone = 0;
        for bytes in [1, 12, 288, 576] {
            let good = noise(1000, bytes);
            let stored = sums(&good);
            for (site, bits) in (0..1000).step_by(37).zip([1_u8, 0x80, 0xff, 2, 0x5a].into_iter().cycle()) {
                let mut data = good.clone();
                let byte = site * 7 % bytes;
                data[site][byte] ^= bits;
                let found = changed_bytes(sums(&data), stored, bytes as u64, 1000);
                let expected = Changed { site: site as u64 % PERIOD, byte: byte as u64 };
                assert!(found.contains(&expected), "{bytes} {site} {byte} {bits}: {found:?}");
                assert!(found.len() < 16, "{expected:?}: {found:?}");
                alone += u32::from(found.len() == 1);
            }
        }
        assert!(alone > 25, "{alone}");
    }

    #[test]
    fn nothing_is_said_about_more_bytes() {
        let good = noise(100, 576);
        let stored = sums(&good);
        let found = |sums| changed_bytes(sums, stored, 576, 100);
        let mut data = good.clone();
        data[42][3] ^= 1;
        data[42][300] ^= 16;
        assert_eq!(found(sums(&data)), []);
        data[42][300] ^= 16;
        assert_ne!(found(sums(&data)), []);
        data[60][7] ^= 0x35;
        assert_eq!(found(sums(&data)), []);
        assert_eq!(found(stored), []);
        assert_eq!(found([stored[0], stored[1] ^ 1]), []);
        assert_eq!(found(stored.map(|sum| !sum)), []);
    }

    #[test]
    fn sites_beyond_the_last_are_no_places() {
        let good = noise(100, 12);
        let mut data = good.clone();
        data[50][5] ^= 0xa5;
        let found = |bytes, sites| changed_bytes(sums(&data), sums(&good), bytes, sites);
        assert_eq!(found(12, 100), [Changed { site: 50, byte: 5 }]);
        assert_eq!(found(12, 50), []);
        assert_eq!(found(MAX_SITE + 1, 100), []);
    }
}
