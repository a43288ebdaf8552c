//! Rules that a file breaks.

use std::fmt;

use linkstream::{Class, Diagnostic};

use crate::findings::Finding;

/// A rule that the file breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Broken {
    /// The volume of a set; `None` for a single file.
    pub file: Option<String>,
    /// Offset in bytes.
    pub offset: u64,
    pub class: Class,
    /// Name of the rule.
    pub rule: &'static str,
    /// Document and section that state the rule; empty if there is none.
    pub clause: &'static str,
    pub message: String,
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(file) = &self.file {
            write!(f, "{file}: ")?;
        }
        write!(f, "at byte {}: {}", self.offset, self.message)
    }
}

impl std::error::Error for Broken {}

impl Broken {
    /// A finding about a file, or about a volume of a set.
    pub(crate) fn of(finding: &Finding, file: Option<&str>) -> Self {
        Self {
            file: file.map(str::to_owned),
            offset: finding.offset,
            class: finding.class,
            rule: finding.rule,
            clause: finding.clause,
            message: finding.message.clone(),
        }
    }
}

impl<K: Diagnostic> From<linkstream::Error<K>> for Broken {
    fn from(error: linkstream::Error<K>) -> Self {
        Self {
            file: None,
            offset: error.at,
            class: error.kind.class(),
            rule: error.kind.rule(),
            clause: error.kind.clause(),
            message: error.kind.to_string(),
        }
    }
}
