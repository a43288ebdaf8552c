//! Messages on standard error.

use std::io::Write as _;

use crate::color;
use crate::failure::sentence;
use crate::human::one_line;

/// Prints an error to standard error.
pub fn complain(error: &anyhow::Error) {
    let message = one_line(&sentence(error));
    let _ = writeln!(anstream::stderr(), "{} {message}", color::bad("linkstream:"));
}
