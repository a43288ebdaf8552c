//! Ranges of the data of a record that have been written, in any order.

use std::collections::BTreeMap;

/// Disjoint ranges with a gap between each two: start and end.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Coverage {
    ranges: BTreeMap<u64, u64>,
    covered: u64,
}

impl Coverage {
    /// Number of bytes that have been written.
    pub(crate) const fn covered(&self) -> u64 {
        self.covered
    }

    /// Counts the bytes from one position up to another one as written.
    pub(crate) fn add(&mut self, from: u64, to: u64) {
        if from >= to {
            return;
        }
        // Most programs write in order.
        if let Some(mut last) = self.ranges.last_entry()
            && *last.get() == from
        {
            last.insert(to);
            self.covered += to - from;
            return;
        }
        let (mut start, mut end) = (from, to);
        // All ranges that the new one overlaps or touches become part of it.
        while let Some((&first, &last)) = self.ranges.range(..=end).next_back() {
            if last < start {
                break;
            }
            self.ranges.remove(&first);
            self.covered -= last - first;
            (start, end) = (start.min(first), end.max(last));
        }
        self.ranges.insert(start, end);
        self.covered += end - start;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_a_list_of_bytes() {
        let mut seed = 1_u64;
        let mut number = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (seed >> 33) % below
        };
        for _ in 0..200 {
            let (mut coverage, mut bytes) = (Coverage::default(), [false; 64]);
            for _ in 0..20 {
                let from = number(64);
                let to = from + number(65 - from);
                coverage.add(from, to);
                bytes[from as usize..to as usize].fill(true);
                assert_eq!(coverage.covered(), bytes.iter().filter(|byte| **byte).count() as u64);
                let starts =
                    bytes.iter().zip([false].iter().chain(&bytes)).filter(|(now, last)| **now && !**last);
                assert_eq!(coverage.ranges.len(), starts.count());
            }
        }
    }
}
