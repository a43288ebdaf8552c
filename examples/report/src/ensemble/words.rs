//! Changes of a store, in words.

use linkstream_access::text::{counted, one_line, thousands};

use super::changes::{Change, Changes, Kind};
use super::entry::Verdict;
use super::stamp::Stamp;

/// Meaning of a word, for its colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    Bad,
    Good,
    Notice,
}

/// The line about a file that has changed.
pub fn line(change: &Change, paint: impl Fn(Tone, &str) -> String) -> String {
    let word = change.kind.as_str().to_uppercase().replace('-', " ");
    let tone = match change.kind {
        _ if change.is_bad() => Tone::Bad,
        Kind::Repaired => Tone::Good,
        _ => Tone::Notice,
    };
    let mut line = format!("{}: {}", change.name, paint(tone, &word));
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
#[must_use]
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
