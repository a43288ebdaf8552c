//! Changes of a store, as text.

use std::io::Write as _;

use linkstream_report::ensemble::changes::{Change, Changes, Kind, Now};
use linkstream_report::ensemble::entry::Verdict;
use linkstream_report::ensemble::stamp::Stamp;

use crate::color;
use crate::human::{counted, one_line, thousands};

/// Prints a message on standard error.
pub fn warn(message: &str) {
    let _ = writeln!(anstream::stderr(), "{} {}", color::bad("linkstream:"), one_line(message));
}

/// Names links to directories, devices and the like: what a link leads to is missing in everything that follows.
pub fn warn_of_skipped(now: &Now) {
    for (name, why) in &now.skipped {
        warn(&format!("{name}: left out: {why}"));
    }
}

/// The line about a file that has changed.
pub fn line(change: &Change) -> String {
    let word = change.kind.as_str().to_uppercase().replace('-', " ");
    let word = match change.kind {
        _ if change.is_bad() => color::bad(&word),
        Kind::Repaired => color::good(&word),
        _ => color::warning(&word),
    };
    let mut line = format!("{}: {word}", change.name);
    if let Some(part) = change.part {
        line += &format!(" ({})", part.as_str());
    }
    if let Some(from) = &change.from {
        let content =
            if matches!(change.kind, Kind::Moved | Kind::Copied) { " from" } else { ": content of" };
        line += &format!("{content} {from}");
    }
    if let Some(verdict) = change.now.filter(|now| now.is_bad() && change.kind != Kind::Unreadable) {
        line += &format!(", {}", verdict.as_str());
    }
    if let Some(why) = &change.why {
        line += ": ";
        line += &one_line(why);
    }
    line + "\n"
}

/// One line about all files.
pub fn summary(changes: &Changes) -> String {
    let files = changes.next.len();
    let mut line = format!("{}: {} unchanged", counted(files, "file", "files"), thousands(changes.unchanged));
    if changes.trusted > 0 {
        let date = changes.oldest.map(Stamp::date).unwrap_or_default();
        line += &format!(
            " ({} not read, because size and times are those of the manifest; the oldest was read on {date})",
            thousands(changes.trusted)
        );
    }
    let counts = changes.counts();
    for kind in Kind::ALL {
        if let Some(count) = counts.get(&kind) {
            line += &format!(", {} {}", thousands(*count), kind.as_str().replace('-', " "));
        }
    }
    let wrong = |change: &&Change| change.kind == Kind::New && change.now.is_some_and(Verdict::is_bad);
    let wrong = changes.list.iter().filter(wrong).count();
    if wrong > 0 {
        line += &format!(" ({wrong} of the new ones wrong)");
    }
    line + "\n"
}
