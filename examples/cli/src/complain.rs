//! Messages on standard error.

use std::io::Write as _;

use crate::color;

/// Prints an error to standard error.
pub fn complain(error: &anyhow::Error) {
    let _ = writeln!(anstream::stderr(), "{} {error:#}", color::bad("linkstream:"));
}
