//! Compares data byte by byte, if they are not known to be numbers.

use embedded_io::{Read, Seek};

use super::error::DiffError;
use super::input::Input;
use super::kept::MOST_RANGES;
use crate::ranges::Ranges;

/// Result of a comparison of bytes.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Bytes {
    /// Number of bytes in each file.
    pub lengths: [u64; 2],
    /// Number of bytes that differ, up to the end of the shorter data.
    pub differing: u64,
    /// Index of the first byte that differs.
    pub first: Option<u64>,
    /// Indices of the bytes that differ.
    pub ranges: Ranges,
}

impl Bytes {
    pub fn is_same(&self) -> bool {
        self.differing == 0 && self.lengths[0] == self.lengths[1]
    }

    /// Compares the next bytes of both files.
    pub(super) fn add(&mut self, a: &[u8], b: &[u8]) {
        if a != b {
            let at = self.lengths[0];
            for (i, _) in a.iter().zip(b).enumerate().filter(|(_, (a, b))| a != b) {
                self.ranges.add(at.saturating_add(i as u64), MOST_RANGES);
            }
            self.differing = self.ranges.count();
            self.first = self.ranges.as_slice().first().map(|range| range.start);
        }
        let [length_a, length_b] = self.lengths;
        self.lengths = [length_a.saturating_add(a.len() as u64), length_b.saturating_add(b.len() as u64)];
    }
}

/// Number of bytes read at a time from each source.
const PIECE: usize = 128 << 10;

/// Compares a range of each file, given as offset and length.
pub fn ranges<A: Read + Seek, B: Read + Seek>(
    (a, from_a, length_a): (&mut Input<A>, u64, u64),
    (b, from_b, length_b): (&mut Input<B>, u64, u64),
) -> Result<Bytes, DiffError> {
    a.seek(from_a)?;
    b.seek(from_b)?;
    let (mut here, mut there) = (vec![0; PIECE], vec![0; PIECE]);
    let mut found = Bytes::default();
    let mut left = length_a.min(length_b);
    while left > 0 {
        let n = usize::try_from(left).unwrap_or(PIECE).min(PIECE);
        // Every piece is complete except the last one.
        here.truncate(n);
        there.truncate(n);
        a.fill(&mut here)?;
        b.fill(&mut there)?;
        found.add(&here, &there);
        left = left.saturating_sub(n as u64);
    }
    found.lengths = [length_a, length_b];
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_and_how_many() {
        let mut found = Bytes::default();
        found.add(b"abc", b"abc");
        assert!(found.is_same());
        found.add(b"abcd", b"xbcy");
        found.add(b"z", b"!");
        assert_eq!((found.lengths, found.differing, found.first), ([8, 8], 3, Some(3)));
        assert_eq!(found.ranges.as_slice(), [3..4, 6..8]);
    }
}
