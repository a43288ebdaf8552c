//! What the short readers remember of findings, which their mode has let pass.

use crate::error::Error;

/// How many findings there were, the first and the last of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Findings<K> {
    pub(super) count: u64,
    pub(super) first: Option<Error<K>>,
    pub(super) last: Option<Error<K>>,
}

impl<K: Copy> Findings<K> {
    pub(super) const NONE: Self = Self { count: 0, first: None, last: None };

    pub(super) fn note(&mut self, finding: Error<K>) {
        self.count = self.count.saturating_add(1);
        self.first = self.first.or(Some(finding));
        self.last = Some(finding);
    }
}
