//! Messages on standard error.

use std::io::Write as _;
use std::panic::Location;

use crate::color;
use crate::human::one_line;

/// Prints an error to standard error.
pub fn complain(error: &anyhow::Error) {
    let message = one_line(&format!("{error:#}"));
    let _ = writeln!(anstream::stderr(), "{} {message}", color::bad("linkstream:"));
}

/// Prints the place of a panic to standard error. The message follows in the error of the file that was handled.
pub fn complain_of_panic(place: Option<&Location<'_>>) {
    let place = place.map_or_else(String::new, |place| format!(" at {place}"));
    let _ = writeln!(anstream::stderr(), "{} internal error{place}", color::bad("linkstream:"));
}
