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
    /// Time slices: indices of the first axis, which is that of the slowest coordinate.
    Slices(Range<u64>),
    /// A range of indices for each axis of the lattice, in the order of the axes: `t`, `z`, `y`, `x`.
    Block(Vec<Range<u64>>),
}

/// Selected sites.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Selected {
    /// Contiguous sites, each with the index of the first site.
    pub runs: Vec<Run>,
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
    pub(crate) fn sites(&self) -> u64 {
        self.runs.iter().map(|run| run.sites).sum()
    }
}

impl Selection {
    /// One time slice.
    #[must_use]
    pub const fn slice(t: u64) -> Self {
        Self::Slices(t..t + 1)
    }

    /// The array of the selected data.
    ///
    /// # Errors
    /// The selection is not inside the field.
    pub fn array(&self, of: &Array) -> Result<Array, SelectionError> {
        let ranges = self.ranges(&of.sites())?;
        let mut array = of.clone();
        for (axis, range) in array.axes.iter_mut().zip(ranges) {
            axis.extent = range.end - range.start;
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
        let is_whole = |axis: usize| ranges[axis] == (0..extents[axis]);
        // The axis after which all others are whole: its range is one run.
        let fastest = (0..extents.len()).rev().find(|axis| !is_whole(*axis));
        let mut runs = vec![Run { first: 0, sites: 1 }];
        for (axis, range) in ranges.iter().enumerate() {
            let extent = extents[axis];
            if fastest.is_some_and(|fastest| axis < fastest) {
                let each =
                    |run: Run| range.clone().map(move |at| Run { first: run.first * extent + at, sites: 1 });
                runs = runs.into_iter().flat_map(each).collect();
            } else {
                for run in &mut runs {
                    run.first = run.first * extent + range.start;
                    run.sites *= range.end - range.start;
                }
            }
        }
        runs.retain(|run| run.sites > 0);
        let slices = match ranges.first() {
            Some(slices) => (1..extents.len()).all(is_whole).then(|| slices.clone()),
            // Global data are all there is.
            None => Some(0..1),
        };
        Ok(Selected { runs, slices })
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
            selected.runs.iter().flat_map(|run| run.first..run.first + run.sites).collect()
        };
        let runs = |selection: &Selection| selection.sites(&extents).expect("inside").runs.len();
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
