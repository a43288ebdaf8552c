//! Warnings on standard error.

use std::fmt::Display;
use std::sync::{Mutex, PoisonError};

use crate::complain::complain;

/// The warnings of this run.
static WARNINGS: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Prints a warning, which does not stop the work.
pub fn warn(what: &dyn Display) {
    complain(&anyhow::anyhow!("warning: {what}"));
    WARNINGS.lock().unwrap_or_else(PoisonError::into_inner).push(what.to_string());
}

/// The warnings so far.
pub fn warnings() -> Vec<String> {
    WARNINGS.lock().unwrap_or_else(PoisonError::into_inner).clone()
}
