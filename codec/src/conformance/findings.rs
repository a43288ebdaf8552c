//! The findings of one phase.

use super::error::ErrorKind;
use crate::error::Error;

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

    pub(super) fn push<K: Into<ErrorKind>>(&mut self, error: Error<K>) {
        match self.before.checked_sub(1) {
            Some(before) => self.before = before,
            None if self.kept.is_none() => self.kept = Some(Error::new(error.at, error.kind.into())),
            None => {}
        }
    }

    pub(super) fn report(&mut self, at: u64, kind: impl Into<ErrorKind>) {
        self.push(Error::new(at, kind));
    }

    /// The same, if there is one.
    pub(super) fn report_at(&mut self, found: Option<(u64, impl Into<ErrorKind>)>) {
        found.into_iter().for_each(|(at, kind)| self.report(at, kind));
    }

    /// The finding requested; `None` if there are fewer.
    pub(super) const fn kept(&self) -> Option<Error<ErrorKind>> {
        self.kept
    }
}
