//! The text output of a comparison.

use std::fmt::Write as _;

use linkstream_report::diff::{
    Bytes, Change, Changes, Comparison, Data, Kept, Largest, Numbers, Outcome, Side,
};
use linkstream_report::ranges::Ranges;

use crate::color;
use crate::human::{bytes, counted, one_line, thousands};

/// Maximum length of a document's text in the output.
const LONGEST: usize = 200;

/// Maximum number of documents, data and damages that are shown.
const MANY: usize = 1000;

/// Maximum number of ranges that are shown of a pair of data.
const RANGES: usize = 20;

/// The differences, and a last line with the result. `names` are the names of the files.
pub fn text(names: &[String; 2], comparison: &Comparison) -> String {
    let mut out = String::new();
    if !comparison.structure.is_empty() {
        out.push_str("structure:\n");
        changes(&mut out, "  ", &comparison.structure);
    }
    if !comparison.documents.is_empty() {
        out.push_str("documents:\n");
        for document in comparison.documents.as_slice().iter().take(MANY) {
            let _ = writeln!(out, "  {}", one_line(&document.name));
            changes(&mut out, "    ", &document.changes);
        }
        more(&mut out, &comparison.documents);
    }
    if !comparison.data.is_empty() {
        out.push_str("data:\n");
        comparison.data.as_slice().iter().take(MANY).for_each(|entry| data(&mut out, entry));
        more(&mut out, &comparison.data);
    }
    for damage in comparison.damage.as_slice().iter().take(MANY) {
        let name = &names[usize::from(damage.side == Side::Second)];
        let _ = writeln!(
            out,
            "{} {name}: at byte {}: {}",
            color::bad("damaged:"),
            damage.at,
            one_line(&damage.message)
        );
    }
    more(&mut out, &comparison.damage);
    let [a, b] = names;
    let verdict = match (comparison.is_same(), comparison.damage.is_empty()) {
        (true, true) => color::good("the same"),
        (true, false) => {
            color::warning("nothing differs in what was compared, but not both files are intact")
        }
        (false, _) => color::bad("different"),
    };
    let _ = writeln!(out, "{a} and {b}: {verdict}");
    out
}

/// A line about the entries that are not shown.
fn more<T>(out: &mut String, list: &Kept<T>) {
    let hidden = list.as_slice().len().saturating_sub(MANY) as u64 + list.left_out();
    if hidden > 0 {
        let _ = writeln!(out, "  … and {} more", thousands(hidden));
    }
}

fn changes(out: &mut String, indent: &str, changes: &Changes) {
    for Change { path, a, b } in changes.as_slice() {
        let path = one_line(path);
        let _ = match (a, b) {
            (Some(a), Some(b)) => writeln!(out, "{indent}{path}: {} | {}", shown(a), shown(b)),
            (Some(a), None) => writeln!(out, "{indent}{path}: only in the first file: {}", shown(a)),
            (None, Some(b)) => writeln!(out, "{indent}{path}: only in the second file: {}", shown(b)),
            (None, None) => Ok(()),
        };
    }
    if changes.left_out() > 0 {
        let _ = writeln!(out, "{indent}… and {} more", thousands(changes.left_out()));
    }
}

fn shown(text: &str) -> String {
    let text = one_line(text);
    match text.char_indices().nth(LONGEST) {
        Some((cut, _)) => format!("{} …", &text[..cut]),
        None if text.is_empty() => "(empty)".to_owned(),
        None => text,
    }
}

fn data(out: &mut String, data: &Data) {
    let name = one_line(&data.name);
    match &data.outcome {
        Outcome::Numbers(found) => numbers(out, &name, found),
        Outcome::Bytes(found) => of_bytes(out, &name, found),
        Outcome::Shapes(shapes) => {
            let _ = writeln!(out, "  {name}: {}", color::bad("not compared, as the shapes differ"));
            changes(out, "    ", shapes);
        }
    }
}

fn numbers(out: &mut String, name: &str, found: &Numbers) {
    let compared = match found.compared {
        1 => "1 number".to_owned(),
        n => format!("{} numbers", thousands(n)),
    };
    let _ = writeln!(out, "  {name}: {compared} compared, {}", differ(found.differing));
    if found.not_finite > 0 {
        let not_finite = counted(usize::try_from(found.not_finite).unwrap_or(usize::MAX), "pair", "pairs");
        let _ = writeln!(out, "    without a finite difference   {not_finite}");
    }
    for range in found.ranges.as_slice().iter().take(RANGES) {
        let last = range.end.saturating_sub(1);
        let ends = |noun: &str, first: u64, last: u64| match last {
            _ if last > first => format!("{noun} {} to {}", thousands(first), thousands(last)),
            _ => format!("{noun} {}", thousands(first)),
        };
        // The order of sites in both files is the same.
        let bytes = found.bytes_of_each.map(|sizes| {
            let of = |size: u64| {
                let first = range.start.saturating_mul(size);
                ends("", first, range.end.saturating_mul(size).saturating_sub(1))
            };
            let [a, b] = sizes.map(of);
            if a == b { format!(", bytes{a} of the data") } else { format!(", bytes{a} |{b} of the data") }
        });
        let noun = if name == "matrix" { "entry" } else { "site" };
        let _ = writeln!(out, "    {}{}", ends(noun, range.start, last), bytes.unwrap_or_default());
    }
    more_ranges(out, &found.ranges);
    for (what, largest) in [("absolute", &found.absolute), ("relative", &found.relative)] {
        let Some(Largest { difference, a, b, place }) = largest else { continue };
        let mut at = Vec::new();
        if !place.site.is_empty() {
            let site: Vec<_> = place.site.iter().map(u32::to_string).collect();
            at.push(format!("({})", site.join(", ")));
        }
        if !place.within.is_empty() {
            at.push(place.within.clone());
        }
        let _ =
            writeln!(out, "    largest {what} difference   {difference:.6e} at {}: {a} | {b}", at.join(", "));
    }
}

fn of_bytes(out: &mut String, name: &str, found: &Bytes) {
    let [a, b] = found.lengths;
    let _ = write!(out, "  {name}: {} compared, {}", bytes(a.min(b)), differ(found.differing));
    if let Some(first) = found.first {
        let _ = write!(out, ", the first at {first}");
    }
    if a != b {
        let _ = write!(out, "; the lengths are {} | {}", bytes(a), bytes(b));
    }
    out.push('\n');
    // A single byte is named already.
    for range in found.ranges.as_slice().iter().take(RANGES).filter(|_| found.differing > 1) {
        let last = range.end.saturating_sub(1);
        let to = if last > range.start { format!(" to {}", thousands(last)) } else { String::new() };
        let _ = writeln!(out, "    byte {}{to}", thousands(range.start));
    }
    more_ranges(out, &found.ranges);
}

fn more_ranges(out: &mut String, ranges: &Ranges) {
    let hidden = ranges.as_slice().len().saturating_sub(RANGES) as u64 + ranges.left_out();
    if hidden > 0 {
        let _ = writeln!(out, "    … and {} more ranges", thousands(hidden));
    }
}

fn differ(differing: u64) -> String {
    match differing {
        0 => "none differs".to_owned(),
        1 => color::bad("1 differs"),
        n => color::bad(format!("{} differ", thousands(n))),
    }
}
