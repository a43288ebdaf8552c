//! Messages on standard error.

use std::io::Write as _;

use crate::color;

/// Says on standard error what went wrong.
pub fn complain(error: &anyhow::Error) {
    let _ = writeln!(anstream::stderr(), "{} {error:#}", color::bad("linkstream:"));
}
