//! Division of a list of files among the ranks.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Files of at least this size are divided, if they are also a large share of all work.
const LARGE: u64 = 16 << 20;

/// Minimum size in bytes of the files that all ranks read together. A file that is smaller than half the work of a rank
/// is no reason to wait for it, and reading it with one rank needs no communication.
pub fn divided_from(bytes: u64, ranks: usize) -> u64 {
    (bytes / (2 * ranks.max(1) as u64)).max(LARGE)
}

/// The rank for each file: the longest one first, always to the rank with the least work so far. The same on all ranks.
pub fn ranks_of(bytes: &[u64], ranks: usize) -> Vec<usize> {
    let mut longest_first: Vec<usize> = (0..bytes.len()).collect();
    longest_first.sort_by_key(|index| (Reverse(bytes[*index]), *index));
    let mut loads: BinaryHeap<Reverse<(u64, usize)>> = (0..ranks).map(|rank| Reverse((0, rank))).collect();
    let mut of_files = vec![0; bytes.len()];
    for index in longest_first {
        if let Some(Reverse((load, rank))) = loads.pop() {
            of_files[index] = rank;
            // Opening a file takes time as well.
            loads.push(Reverse((load.saturating_add(bytes[index]).saturating_add(OPENING), rank)));
        }
    }
    of_files
}

/// Number of bytes that could be read in the time that opening a file takes.
const OPENING: u64 = 64 << 10;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_file_goes_to_the_rank_with_the_least_work() {
        let mb = |sizes: &[u64]| sizes.iter().map(|size| size << 20).collect::<Vec<_>>();
        assert_eq!(ranks_of(&mb(&[1, 5, 2, 3, 1]), 2), [0, 0, 1, 1, 1]);
        assert_eq!(ranks_of(&mb(&[1, 1, 1]), 1), [0, 0, 0]);
        assert_eq!(ranks_of(&[0, 0, 0, 0], 3), [0, 1, 2, 0]);
        assert!(ranks_of(&[], 3).is_empty());
    }

    #[test]
    fn a_file_is_divided_if_it_is_much_of_the_work_of_a_rank() {
        assert_eq!(divided_from(1 << 30, 2), 256 << 20);
        assert_eq!(divided_from(1 << 30, 1000), LARGE);
        assert_eq!(divided_from(0, 0), LARGE);
    }
}
