//! Lists of bounded length: a file can have more records, fields and sections than fit into memory.
//!
//! All of them are read and checked. Those beyond the limit are then counted, but not listed.

use linkstream::Class;

use crate::findings::{Finding, Findings, Level};
use crate::unverified::{Reason, Unverified, merge};
use crate::verdict::Coverage;

/// Maximum number of records, and of sections, that a report lists: some 30 MB.
pub const MAX_ENTRIES: usize = 100_000;
/// Maximum number of fields that a report lists: some 20 MB.
pub const MAX_FIELDS: usize = 10_000;

/// Fields or sections that are not in the list of their file.
#[derive(Debug, Default)]
pub struct LeftOut {
    pub count: u64,
    /// Offset of the first of them.
    pub first: u64,
    /// Number of parts with data, and number of verified ones.
    pub coverage: Coverage,
    /// Why data of them are not verified.
    pub unverified: Vec<Unverified>,
}

impl LeftOut {
    /// Counts a part of the file. `index` is its index among all parts; `is_verified` is `None` if it has no data.
    pub(crate) fn add(
        &mut self,
        index: usize,
        offset: u64,
        is_verified: Option<bool>,
        reason: Option<Reason>,
    ) {
        if self.count == 0 {
            self.first = offset;
        }
        self.count = self.count.saturating_add(1);
        self.coverage = self.coverage.and(Coverage::of(is_verified.into_iter()));
        if let Some(reason) = reason {
            merge(&mut self.unverified, Unverified { reason, parts: 1, first: Some(index) });
        }
    }

    /// Number of all parts, if so many are listed.
    pub(crate) fn after(&self, listed: usize) -> usize {
        listed.saturating_add(usize::try_from(self.count).unwrap_or(usize::MAX))
    }
}

/// Adds a finding that says how many entries of a kind are not listed.
pub(crate) fn report(what: &str, listed: usize, count: u64, first: u64, findings: &mut Findings) {
    if count == 0 {
        return;
    }
    findings.push(Finding {
        severity: Level::Warning,
        class: Class::Limit,
        rule: "entries-left-out",
        clause: "",
        offset: first,
        message: format!("{count} more {what} after the first {listed} are checked, but not listed"),
    });
}
