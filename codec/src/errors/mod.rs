//! Errors, their rules and messages, verdicts, and the limits on claims.

pub(crate) mod error;
pub(crate) mod failed;
pub(crate) mod limits;
pub(crate) mod messages;
pub(crate) mod rules;
pub(crate) mod verdict;
