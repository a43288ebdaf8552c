//! Warnings and progress on standard error.

use std::fmt::Display;
use std::sync::{Mutex, PoisonError};

use linkstream::lattice::Precision;
use linkstream_access::write::{Observer, Phase, Warning};

use super::errors::advised;
use crate::complain::complain;
use crate::own_input;
use crate::source::bar;

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

/// Prints the warnings of the library, and shows bars for its work.
#[derive(Debug)]
pub struct Terminal;

impl Observer for Terminal {
    fn warn(&mut self, warning: Warning) {
        warn(&advised(&warning));
        if warning.is_loss() {
            own_input::left_out(warning.to_string());
        }
    }

    fn phase(&mut self, length: u64) -> Phase {
        let bar = bar(Some(length));
        Phase::new(move |position| bar.set_position(position))
    }
}

/// Parses `32` or `64`.
pub fn precision(text: &str) -> Result<Precision, String> {
    match text {
        "32" => Ok(Precision::F32),
        "64" => Ok(Precision::F64),
        _ => Err("must be 32 or 64".to_owned()),
    }
}
