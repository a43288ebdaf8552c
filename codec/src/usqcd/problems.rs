//! What is wrong with the elements of a document, kept until the document is complete.

use super::element::Element;
use crate::state::saved;

/// What is wrong with an element.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum What {
    Duplicate,
    NotNumber,
    Range,
    Version,
    TypeUnknown,
    TypeRoot,
}

saved!(enum What: Duplicate, NotNumber, Range, Version, TypeUnknown, TypeRoot);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Problem {
    /// Offset of the element.
    pub(super) at: u64,
    pub(super) element: Element,
    pub(super) what: What,
}

saved!(struct Problem { at, element, what });

/// As many problems as are kept of a document; more would not help.
const MAX: usize = 8;

/// The first problems of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Problems {
    kept: [Option<Problem>; MAX],
}

saved!(struct Problems { kept });

impl Problems {
    pub(super) const NONE: Self = Self { kept: [None; MAX] };

    /// Keeps a problem if there is room; a duplicate only the first time.
    pub(super) fn add(&mut self, problem: Problem) {
        let is_same = |kept: &Problem| (kept.element, kept.what) == (problem.element, problem.what);
        if self.iter().any(|kept| is_same(&kept)) {
            return;
        }
        if let Some(room) = self.kept.iter_mut().find(|kept| kept.is_none()) {
            *room = Some(problem);
        }
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = Problem> + '_ {
        self.kept.iter().flatten().copied()
    }
}
