//! Parts of a field that can be read.

use std::ops::Range;

use crate::array::Array;
use crate::error::SelectionError;

/// The part of a field that is read.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[non_exhaustive]
pub enum Selection {
    /// All data.
    #[default]
    All,
    /// Time slices: indices of the first axis, which is the slowest coordinate.
    Slices(Range<u64>),
    /// A range of indices for each axis of the lattice, in the order of the axes: `t`, `z`, `y`, `x`.
    Block(Vec<Range<u64>>),
}

/// Selected sites, numbered in the order of the data.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Selected {
    /// The axes before the one whose range is one run: the first index, the number of indices, and the number of sites
    /// from one index to the next. All memory that a selection needs is this, however many runs it has.
    outer: Vec<(u64, u64, u64)>,
    /// Rank of the first site of the run whose other indices are 0, and the length of every run.
    run: Run,
    /// The selected sites that this part of the selection has.
    numbers: Range<u64>,
    /// The time slices, if they are selected completely.
    pub slices: Option<Range<u64>>,
}

/// Contiguous sites.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Run {
    pub first: u64,
    pub sites: u64,
}

impl Selected {
    pub(crate) const fn sites(&self) -> u64 {
        self.numbers.end.saturating_sub(self.numbers.start)
    }

    /// Contiguous sites that are as long as possible, in the order of the data.
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "no count is 0 if there are sites; all indices are of sites in the field, whose number fits"
    )]
    pub(crate) fn runs(&self) -> impl Iterator<Item = Run> {
        let Range { start: mut at, end } = self.numbers;
        std::iter::from_fn(move || {
            if at >= end {
                return None;
            }
            let (mut index, from) = (at / self.run.sites, at % self.run.sites);
            let mut first = self.run.first + from;
            for (start, count, step) in self.outer.iter().rev() {
                first += (start + index % count) * step;
                index /= count;
            }
            let sites = (self.run.sites - from).min(end - at);
            at += sites;
            Some(Run { first, sites })
        })
    }

    /// Divides the selection into parts of at most so many sites and so many runs, in order.
    pub(crate) fn parts(&self, sites: u64, runs: u64) -> impl Iterator<Item = Self> + use<> {
        let longest = sites.min(self.run.sites.saturating_mul(runs)).max(1);
        let all = self.clone();
        let mut at = all.numbers.start;
        std::iter::from_fn(move || {
            let end = all.numbers.end.min(at.saturating_add(longest));
            let numbers = std::mem::replace(&mut at, end)..end;
            (!numbers.is_empty()).then(|| Self { numbers, slices: None, ..all.clone() })
        })
    }
}

impl Selection {
    /// One time slice.
    #[must_use]
    pub const fn slice(t: u64) -> Self {
        Self::Slices(t..t.saturating_add(1))
    }

    /// The array of the selected data.
    ///
    /// # Errors
    /// The selection is not inside the field.
    pub fn array(&self, of: &Array) -> Result<Array, SelectionError> {
        let ranges = self.ranges(&of.sites())?;
        let mut array = of.clone();
        for (axis, range) in array.axes.iter_mut().zip(ranges) {
            axis.extent = range.end.saturating_sub(range.start);
        }
        Ok(array)
    }

    /// A range for each axis of the lattice.
    fn ranges(&self, extents: &[u64]) -> Result<Vec<Range<u64>>, SelectionError> {
        let mut ranges: Vec<Range<u64>> = extents.iter().map(|extent| 0..*extent).collect();
        match self {
            Self::All => {}
            Self::Slices(slices) => {
                let first = ranges.first_mut().ok_or(SelectionError::Global)?;
                *first = slices.clone();
            }
            Self::Block(_) if extents.is_empty() => return Err(SelectionError::Global),
            Self::Block(block) if block.len() != extents.len() => {
                return Err(SelectionError::Axes { axes: extents.len(), given: block.len() });
            }
            Self::Block(block) => ranges.clone_from(block),
        }
        for (range, extent) in ranges.iter().zip(extents) {
            if range.start > range.end || range.end > *extent {
                return Err(SelectionError::Range { start: range.start, end: range.end, extent: *extent });
            }
        }
        Ok(ranges)
    }

    /// The selected sites, as runs that are as long as possible, in the order of the data.
    pub(crate) fn sites(&self, extents: &[u64]) -> Result<Selected, SelectionError> {
        let ranges = self.ranges(extents)?;
        let is_whole = |(range, extent): (&Range<u64>, &u64)| *range == (0..*extent);
        // The last axis with a partial range. All axes after it are whole, so that its range is one run.
        let fastest = ranges.iter().zip(extents).rposition(|axis| !is_whole(axis));
        let (mut outer, mut run, mut sites) = (Vec::new(), Run { first: 0, sites: 1 }, 1_u64);
        // Number of sites from one index of the axis to the next. The products are at most the number of sites of the
        // field, which fits; only the first index of a run without sites can be larger, and it is not used.
        let mut step = 1_u64;
        for (axis, (range, extent)) in ranges.iter().zip(extents).enumerate().rev() {
            let count = range.end.saturating_sub(range.start);
            if fastest.is_some_and(|fastest| axis < fastest) {
                outer.push((range.start, count, step));
            } else {
                run.first = run.first.saturating_add(range.start.saturating_mul(step));
                run.sites = run.sites.saturating_mul(count);
            }
            sites = sites.saturating_mul(count);
            step = step.saturating_mul(*extent);
        }
        outer.reverse();
        let slices = match ranges.first() {
            Some(slices) => ranges.iter().zip(extents).skip(1).all(is_whole).then(|| slices.clone()),
            // Global data count as one slice.
            None => Some(0..1),
        };
        Ok(Selected { outer, run, numbers: 0..sites, slices })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_the_sites_of_the_block() {
        let extents = [3, 4, 5, 6];
        let numbers = |selection: &Selection| -> Vec<u64> {
            let selected = selection.sites(&extents).expect("inside");
            let parts = selected.parts(7, 2).flat_map(|part| part.runs().collect::<Vec<_>>());
            let numbers = |run: Run| run.first..run.first + run.sites;
            let numbered: Vec<u64> = selected.runs().flat_map(numbers).collect();
            assert_eq!(parts.flat_map(numbers).collect::<Vec<_>>(), numbered);
            numbered
        };
        let runs = |selection: &Selection| selection.sites(&extents).expect("inside").runs().count();
        assert_eq!(numbers(&Selection::All), (0..360).collect::<Vec<_>>());
        assert_eq!(numbers(&Selection::slice(2)), (240..360).collect::<Vec<_>>());
        assert_eq!((runs(&Selection::All), runs(&Selection::Slices(1..3))), (1, 1));
        for block in [
            [0..3, 1..3, 0..5, 2..4],
            [1..2, 0..4, 3..5, 0..6],
            [0..3, 2..3, 0..5, 0..6],
            [0..0, 0..4, 0..5, 0..6],
        ] {
            let is_inside = |rank: &u64| {
                let site = [rank / 120, rank / 30 % 4, rank / 6 % 5, rank % 6];
                block.iter().zip(site).all(|(range, at)| range.contains(&at))
            };
            let expected: Vec<u64> = (0..360).filter(is_inside).collect();
            assert_eq!(numbers(&Selection::Block(block.to_vec())), expected);
        }
        assert_eq!(runs(&Selection::Block(vec![0..3, 2..3, 0..5, 0..6])), 3);
        assert_eq!(Selection::slice(1).sites(&extents).map(|of| of.slices), Ok(Some(1..2)));
        let outside = SelectionError::Range { start: 2, end: 4, extent: 3 };
        assert_eq!(Selection::Slices(2..4).sites(&extents), Err(outside));
        assert_eq!(Selection::slice(0).sites(&[]), Err(SelectionError::Global));
        assert_eq!(
            Selection::Block(vec![0..1; 1]).sites(&extents),
            Err(SelectionError::Axes { axes: 4, given: 1 })
        );
    }
}
