//! The findings of one phase.

use crate::error::Error;
use crate::field::ErrorKind;

/// The findings of one phase as they are made: counted, and one of them kept, for a list of all would take the
/// largest part of the stack.
#[derive(Debug)]
pub(super) struct Findings {
    /// How many come before the one that is kept.
    before: u8,
    kept: Option<Error<ErrorKind>>,
}

impl Findings {
    /// Keeps the finding number `index`.
    pub(super) const fn keeping(index: u8) -> Self {
        Self { before: index, kept: None }
    }

    pub(super) fn push(&mut self, error: Error<ErrorKind>) {
        match self.before.checked_sub(1) {
            Some(before) => self.before = before,
            None => self.kept = self.kept.or(Some(error)),
        }
    }

    pub(super) fn report(&mut self, at: u64, kind: ErrorKind) {
        self.push(Error::new(at, kind));
    }

    /// The same, if there is one.
    pub(super) fn report_at(&mut self, found: Option<(u64, ErrorKind)>) {
        found.into_iter().for_each(|(at, kind)| self.report(at, kind));
    }

    /// The finding requested; `None` if there are fewer.
    pub(super) const fn kept(&self) -> Option<Error<ErrorKind>> {
        self.kept
    }
}
