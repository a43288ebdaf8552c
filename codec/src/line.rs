//! The input of nom's parsers: a line, or another small part of a file that is complete.
//!
//! nom's own implementation for slices splits them by indexing, and at opt-level z the optimiser does not see that the
//! bounds fit, so that the link-time proof fails. This one splits like the rest of the crate.

use core::iter::{Copied, Enumerate};
use core::slice::Iter;

use nom::{Compare, CompareResult, Input, Needed};

use crate::bytes::{prefix, split, suffix};

/// Bytes that are complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Line<'l>(pub(crate) &'l [u8]);

impl<'l> Input for Line<'l> {
    type Item = u8;
    type Iter = Copied<Iter<'l, u8>>;
    type IterIndices = Enumerate<Self::Iter>;

    fn input_len(&self) -> usize {
        self.0.len()
    }

    fn take(&self, index: usize) -> Self {
        Self(prefix(self.0, index))
    }

    fn take_from(&self, index: usize) -> Self {
        Self(suffix(self.0, index))
    }

    fn take_split(&self, index: usize) -> (Self, Self) {
        let (front, rest) = split(self.0, index);
        (Self(rest), Self(front))
    }

    fn position<P: Fn(u8) -> bool>(&self, predicate: P) -> Option<usize> {
        self.0.iter().position(|byte| predicate(*byte))
    }

    fn iter_elements(&self) -> Self::Iter {
        self.0.iter().copied()
    }

    fn iter_indices(&self) -> Self::IterIndices {
        self.iter_elements().enumerate()
    }

    fn slice_index(&self, count: usize) -> Result<usize, Needed> {
        if count <= self.0.len() { Ok(count) } else { Err(Needed::Unknown) }
    }
}

impl Compare<&str> for Line<'_> {
    fn compare(&self, word: &str) -> CompareResult {
        if self.0.starts_with(word.as_bytes()) {
            CompareResult::Ok
        } else if word.as_bytes().starts_with(self.0) {
            CompareResult::Incomplete
        } else {
            CompareResult::Error
        }
    }

    fn compare_no_case(&self, word: &str) -> CompareResult {
        let same = |(byte, letter): (&u8, u8)| byte.eq_ignore_ascii_case(&letter);
        match self.0.iter().zip(word.bytes()).all(same) {
            true if self.0.len() >= word.len() => CompareResult::Ok,
            true => CompareResult::Incomplete,
            false => CompareResult::Error,
        }
    }
}
