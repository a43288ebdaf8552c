//! Changes of a store, as text.

use linkstream_report::ensemble::changes::{Change, Now};
use linkstream_report::ensemble::words::{self, Tone};

use crate::human::one_line;
use crate::{color, complain};

/// Prints a message on standard error.
pub fn warn(message: &str) {
    complain::message(format_args!("{} {}", color::bad("linkstream:"), one_line(message)));
}

/// Names links to directories, devices and the like: what a link leads to is missing in everything that follows.
pub fn warn_of_skipped(now: &Now) {
    for (name, why) in &now.skipped {
        warn(&format!("{name}: left out: {why}"));
    }
}

/// The line about a file that has changed, in colours.
pub fn line(change: &Change) -> String {
    words::line(change, |tone, word| match tone {
        Tone::Bad => color::bad(word),
        Tone::Good => color::good(word),
        Tone::Notice => color::warning(word),
    })
}
