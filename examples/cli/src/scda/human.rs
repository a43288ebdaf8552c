//! The text output for an scda file.

use std::fmt::Write as _;

use linkstream::scda::{Count, SectionType};

use crate::human::{bytes, one_line, thousands};
use linkstream_report::scda::{Compressed, Contents, SectionEntry, text, words};
use linkstream_report::verdict::Coverage;

/// Maximum number of sections that `check` lists.
const MANY: usize = 60;

/// Maximum number of sections that `inspect` lists.
const MOST: usize = 1000;

/// The output of `inspect`: every section.
pub fn inspected(out: &mut String, contents: &Contents) {
    vendor(out, contents);
    list(out, contents, MOST, |_| "");
}

/// The output of `check`: the sections, and what was verified.
pub fn checked(out: &mut String, contents: &Contents) {
    vendor(out, contents);
    list(out, contents, MANY, |compressed| if compressed.verified { ", verified" } else { ", NOT verified" });
}

/// Number of verified parts of the data, or the reason why none is.
pub fn verified(contents: &Contents) -> String {
    let Coverage { parts, verified } = contents.coverage();
    match (parts, verified) {
        (0, _) => "there are no data".to_owned(),
        (_, 0) => "no section has a checksum, because none is compressed".to_owned(),
        _ => format!(
            "{verified} of {parts} sections verified by Adler-32{}",
            if verified < parts { "; the others have no checksum" } else { "" }
        ),
    }
}

fn vendor(out: &mut String, contents: &Contents) {
    if !contents.sections.is_empty() {
        let vendor = one_line(&text(&contents.vendor));
        let _ = writeln!(out, "  vendor: {}", if vendor.is_empty() { "(none)" } else { &vendor });
    }
}

/// The sections with their numbers in the file, in at most `most` lines.
fn list(out: &mut String, contents: &Contents, most: usize, verified: impl Fn(&Compressed) -> &'static str) {
    let all = &contents.sections;
    let mut lines = all.iter().enumerate();
    for (index, entry) in lines.by_ref().take(most) {
        linkstream_memory::unwinding::line(out);
        let section = &entry.section;
        let what = what(section.section_type, section.n, section.e);
        let (what, unknown, user) = match &entry.compressed {
            Some(compressed) => {
                let user = format!("{}{}{}", user(entry), ratio(entry, compressed), verified(compressed));
                (format!("compressed {what}"), "too many bytes", user)
            }
            None => (what, "? bytes", user(entry)),
        };
        let size = entry.bytes.map_or_else(|| unknown.to_owned(), bytes);
        line(out, index, &what, &size, section.offset, &user);
    }
    let more = contents.left_out.count.saturating_add(lines.count() as u64);
    if more > 0 {
        let which = if all.len() <= MOST { "inspect" } else { "--json=records" };
        let _ = writeln!(out, "    … and {more} more sections (`{which}` lists them)");
    }
}

/// User strings come last because they can have any length.
fn line(out: &mut String, index: usize, what: &str, size: &str, offset: u64, user: &str) {
    let _ = writeln!(out, "  {index:>5}  {what:<38} {size:>16} at {offset:<9} {user}");
}

fn user(entry: &SectionEntry) -> String {
    match one_line(&text(&entry.user)) {
        user if user.is_empty() => "(no user string)".to_owned(),
        user => user,
    }
}

/// The type in words, with the counts.
fn what(section_type: SectionType, n: Count, e: Count) -> String {
    let words = words(section_type);
    let elements = format!("{} {}", thousands(n.get()), if n.get() == 1 { "element" } else { "elements" });
    match section_type {
        SectionType::Array => format!("{words}, {elements} of {}", bytes(e.get())),
        SectionType::Varray => format!("{words}, {elements}"),
        _ => words.to_owned(),
    }
}

/// The length of the text relative to the elements before compression.
fn ratio(entry: &SectionEntry, compressed: &Compressed) -> String {
    let Some(text) = compressed.bytes else { return String::new() };
    let percent = match entry.bytes {
        Some(plain) if plain > 0 => format!(" ({:.1}%)", text as f64 / plain as f64 * 100.0),
        _ => String::new(),
    };
    format!(", as {} of text{percent}", bytes(text))
}
