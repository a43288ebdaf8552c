//! Warnings.

use std::fmt::Display;

use crate::check::complain;

/// Says on standard error what does not stop the work.
pub fn warn(what: &dyn Display) {
    complain(&anyhow::anyhow!("warning: {what}"));
}
