//! The rows of the tables.

use linkstream::Class;

/// A row of the tables: one rule.
#[derive(Debug)]
pub struct Text {
    pub rule: &'static str,
    pub meaning: &'static str,
    /// Usual causes of a broken rule.
    pub causes: &'static str,
    /// Advice for the user.
    pub remedy: &'static str,
}

/// A rule under certain circumstances.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    /// The severity in the words of `check`.
    pub severity: &'static str,
    pub class: Class,
    /// Document and section that state the rule, or a remark that the format has no specification; empty for rules that
    /// belong to no format.
    pub clause: &'static str,
    /// The message, with words in braces and `…` in place of values.
    pub message: String,
}
