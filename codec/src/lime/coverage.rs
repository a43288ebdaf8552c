//! Record of the payload bytes that have been written, in pieces and in any order.

use super::error::EncodeErrorKind;
use crate::bytes::prefix;
use crate::counter::Counter as _;
use crate::state::{Put, Saved, Take};

/// The maximum number of separate ranges of a payload that can have been written at a time. Sequential writing needs
/// one; `n` processes that each write a contiguous part of a record need `n`.
pub const MAX_PIECES: usize = 16;

/// Disjoint ranges `[from, to)` in ascending order, with a gap between each two.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Coverage {
    stretches: [(u64, u64); MAX_PIECES],
    used: usize,
}

impl Coverage {
    pub(super) const fn new() -> Self {
        Self { stretches: [(0, 0); MAX_PIECES], used: 0 }
    }

    fn stretches(&self) -> &[(u64, u64)] {
        prefix(&self.stretches, self.used)
    }

    /// Number of bytes covered.
    pub(super) fn covered(&self) -> u64 {
        self.stretches().iter().fold(0, |sum: u64, (from, to)| sum.plus(to.minus(*from)))
    }

    /// End of the last range; 0 if there is none.
    pub(super) fn end(&self) -> u64 {
        self.stretches().last().map_or(0, |(_, to)| *to)
    }

    /// True if any byte of `[from, to)` is covered.
    pub(super) fn overlaps(&self, from: u64, to: u64) -> bool {
        self.stretches().iter().any(|stretch| stretch.0 < to && from < stretch.1)
    }

    /// Adds `[from, to)`, which may overlap ranges added before.
    pub(super) fn add(&mut self, from: u64, to: u64) -> Result<(), EncodeErrorKind> {
        if from >= to {
            return Ok(());
        }
        // Sequential writing only extends the last range. No range lies after it that it could reach.
        if let Some(last) = self.used.checked_sub(1).and_then(|i| self.stretches.get_mut(i))
            && (last.0..=last.1).contains(&from)
        {
            last.1 = last.1.max(to);
            return Ok(());
        }
        let mut next = Self::new();
        let mut new = (from, to);
        let mut placed = false;
        // Ranges before and after the new one are copied; a range that touches it is merged into it.
        for old in self.stretches() {
            if old.1 < new.0 {
                next.append(*old)?;
            } else if new.1 < old.0 {
                if !placed {
                    next.append(new)?;
                    placed = true;
                }
                next.append(*old)?;
            } else {
                new = (new.0.min(old.0), new.1.max(old.1));
            }
        }
        if !placed {
            next.append(new)?;
        }
        // Only now: a range too many changes nothing.
        *self = next;
        Ok(())
    }

    fn append(&mut self, stretch: (u64, u64)) -> Result<(), EncodeErrorKind> {
        let slot =
            self.stretches.get_mut(self.used).ok_or(EncodeErrorKind::TooManyPieces { limit: MAX_PIECES })?;
        *slot = stretch;
        self.used.increase(1);
        Ok(())
    }
}

impl Saved for Coverage {
    const SIZE: usize = MAX_PIECES * 16 + 1;

    fn put(&self, to: &mut Put<'_>) {
        for (from, end) in &self.stretches {
            to.put(from);
            to.put(end);
        }
        to.put(&u8::try_from(self.used).unwrap_or(u8::MAX));
    }

    fn take(from: &mut Take<'_>) -> Option<Self> {
        let mut coverage = Self::new();
        for stretch in &mut coverage.stretches {
            *stretch = (from.take()?, from.take()?);
        }
        coverage.used = usize::from(from.take::<u8>()?);
        let used = coverage.stretches.get(..coverage.used)?;
        let ordered = used.is_sorted_by(|a, b| a.1 < b.0);
        let proper = used.iter().all(|(from, to)| from < to);
        (ordered && proper).then_some(coverage)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pieces_join_in_any_order() {
        let mut coverage = Coverage::new();
        for (from, to) in [(10, 20), (30, 40), (0, 5), (20, 30), (4, 11)] {
            coverage.add(from, to).unwrap();
        }
        assert_eq!(coverage.stretches(), [(0, 40)]);
        coverage.add(7, 9).unwrap();
        coverage.add(9, 9).unwrap();
        assert_eq!(coverage.covered(), 40);
    }

    #[test]
    fn too_many_pieces_change_nothing() {
        let mut coverage = Coverage::new();
        for i in 0..MAX_PIECES as u64 {
            coverage.add(2 * i, 2 * i + 1).unwrap();
        }
        let before = coverage.clone();
        assert_eq!(coverage.add(1000, 1001), Err(EncodeErrorKind::TooManyPieces { limit: MAX_PIECES }));
        assert_eq!(coverage, before);
        coverage.add(1, 2).unwrap();
        assert_eq!(coverage.covered(), MAX_PIECES as u64 + 1);
    }
}
