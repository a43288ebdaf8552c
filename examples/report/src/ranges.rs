//! Ranges of consecutive numbers, as many as are worth showing.

use std::ops::Range;

/// Ranges of numbers that were added in ascending order; of many only the first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Ranges {
    list: Vec<Range<u64>>,
    /// The end of the last range, listed or not.
    end: Option<u64>,
    count: u64,
    left_out: u64,
}

impl Ranges {
    /// Adds a number, unless it was the last one, with at most `most` ranges in the list.
    pub fn add(&mut self, number: u64, most: usize) {
        let next = number.saturating_add(1);
        if self.end == Some(next) {
            return;
        }
        let continues = self.end.replace(next) == Some(number);
        self.count = self.count.saturating_add(1);
        if continues {
            if let Some(last) = self.list.last_mut().filter(|_| self.left_out == 0) {
                last.end = next;
            }
        } else if self.list.len() < most {
            self.list.push(number..next);
        } else {
            self.left_out = self.left_out.saturating_add(1);
        }
    }

    /// The ranges, without their ends.
    #[must_use]
    pub fn as_slice(&self) -> &[Range<u64>] {
        &self.list
    }

    /// Number of numbers, also in the ranges that are not listed.
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// Number of ranges that are not listed.
    #[must_use]
    pub const fn left_out(&self) -> u64 {
        self.left_out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_a_row_are_one_range_also_if_it_is_not_listed() {
        let mut ranges = Ranges::default();
        for number in [3, 4, 4, 5, 9, 20, 21, 22, 22, 30] {
            ranges.add(number, 2);
        }
        assert_eq!(ranges.as_slice(), [3..6, 9..10]);
        assert_eq!((ranges.count(), ranges.left_out()), (8, 2));
    }
}
