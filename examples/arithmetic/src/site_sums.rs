//! The SciDAC checksum of many sites of the same size.
//!
//! The CRC-32 of messages of equal length is affine: the CRC of `a ^ b` is the exclusive or of the CRCs of `a`, of `b`,
//! and of a message of zeros. Therefore the sites whose CRCs are rotated by the same number of bits are combined by
//! exclusive or first, and only one CRC is computed for each of the 29 and 31 rotations. This takes as long as copying
//! the data, also on machines without instructions for CRC-32, such as WebAssembly.

use linkstream::crc::crc32;
use linkstream::lattice::{Checksum, Residues};
use linkstream_memory as memory;
use pulp::{Arch, Simd, WithSimd};

const MODULI: [usize; 2] = [29, 31];

/// Maximum size of sites that are combined, in bytes. Combining larger ones would need much memory, so their CRCs are
/// computed one by one.
const MAX_SITE: usize = 16 << 10;

/// The sites seen so far.
#[derive(Debug)]
pub struct SiteSums {
    arch: Arch,
    site: usize,
    /// For each modulus and residue, the exclusive or of its sites.
    combined: [Vec<u8>; 2],
    /// For each modulus, a bit per residue: whether the number of its sites is odd.
    odd: [u32; 2],
    /// The checksum of the sites that were not combined.
    sum: Checksum,
}

impl SiteSums {
    /// `site` is the size of a site in bytes.
    pub fn new(site: usize) -> Self {
        let length = |modulus: usize| if site <= MAX_SITE { modulus.saturating_mul(site) } else { 0 };
        let combined = MODULI.map(|modulus| memory::unwinding::zeroed(length(modulus)));
        Self { arch: Arch::new(), site, combined, odd: [0; 2], sum: Checksum::default() }
    }

    pub fn add(&mut self, residues: Residues, site: &[u8]) {
        let [a, b] = [residues.mod_29, residues.mod_31];
        let [combined_29, combined_31] = &mut self.combined;
        let size = self.site;
        // Saturated only if sites are too large to be combined; there are no combined bytes then.
        let from = |residue: u8| usize::from(residue).saturating_mul(size)..;
        let of_29 = combined_29.get_mut(from(a)).and_then(|rest| rest.get_mut(..size));
        let of_31 = combined_31.get_mut(from(b)).and_then(|rest| rest.get_mut(..size));
        if let (Some(of_29), Some(of_31)) = (of_29, of_31) {
            self.arch.dispatch(Combine { of_29, of_31, site });
            self.odd[0] ^= 1 << a;
            self.odd[1] ^= 1 << b;
        } else {
            let crc = crc32(0, site);
            self.sum.suma ^= crc.rotate_left(a.into());
            self.sum.sumb ^= crc.rotate_left(b.into());
        }
    }

    /// The checksum of all sites.
    pub fn finish(&self) -> Checksum {
        let zeros = crc32(0, &memory::unwinding::zeroed::<u8>(self.site));
        let ([combined_29, combined_31], [odd_29, odd_31]) = (&self.combined, self.odd);
        let [suma, sumb] = [(combined_29, odd_29), (combined_31, odd_31)].map(|(combined, odd)| {
            let residues = combined.chunks_exact(self.site.max(1)).zip(0_u32..);
            residues.fold(0, |sum: u32, (combined, residue)| {
                let is_odd = odd >> residue & 1 == 1;
                let crc = crc32(0, combined) ^ if is_odd { 0 } else { zeros };
                sum ^ crc.rotate_left(residue)
            })
        });
        self.sum.combine(Checksum { suma, sumb })
    }
}

/// Combines a site with the earlier ones of its two residues.
struct Combine<'a> {
    of_29: &'a mut [u8],
    of_31: &'a mut [u8],
    site: &'a [u8],
}

impl WithSimd for Combine<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        let (of_29, rest_29) = S::as_mut_simd_u8s(self.of_29);
        let (of_31, rest_31) = S::as_mut_simd_u8s(self.of_31);
        let (site, rest) = S::as_simd_u8s(self.site);
        for ((a, b), bytes) in of_29.iter_mut().zip(of_31).zip(site) {
            *a = simd.xor_u8s(*a, *bytes);
            *b = simd.xor_u8s(*b, *bytes);
        }
        for ((a, b), byte) in rest_29.iter_mut().zip(rest_31).zip(rest) {
            *a ^= byte;
            *b ^= byte;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_is_that_of_the_sites_one_by_one() {
        for (size, sites) in [(0, 5), (1, 1), (8, 100), (72, 29 * 31 + 7), (576, 64), (MAX_SITE + 1, 3)] {
            let mut sums = SiteSums::new(size);
            let mut expected = Checksum::default();
            for index in 0..sites {
                let rank = index * 5 + 3;
                let site: Vec<u8> = (0..size).map(|byte| (rank as usize * 31 + byte * byte) as u8).collect();
                sums.add(Residues::of(rank), &site);
                expected.add(rank, &site);
            }
            assert_eq!(sums.finish(), expected, "{sites} sites of {size} bytes");
        }
    }
}
