//! The text output for a LIME file.

use std::fmt::Write as _;

use linkstream::field::Verdict;
use linkstream::lattice::{Precision, Region};
use linkstream::lime::Record;

use linkstream_memory as memory;

use super::usqcd;
use crate::color;
use crate::human::{bytes, counted, one_line, printable, thousands};
use linkstream_report::figures::Measured;
use linkstream_report::lime::{Contents, FieldEntry, RecordEntry, Recorded, Stored};
use linkstream_report::unverified::Reason;
use linkstream_report::verdict::Coverage;

/// Maximum number of records that `check` lists.
const MANY: usize = 60;
/// Maximum number of records that `inspect` lists, and of fields.
const MOST: usize = 1000;
/// Maximum number of characters shown of a text.
const LONGEST: usize = 4096;

/// The output of `inspect`: every record, with its text if it has one.
pub fn inspected(out: &mut String, contents: &Contents) {
    for (i, entry) in contents.records.iter().take(MOST).enumerate() {
        memory::unwinding::line(out);
        let _ = writeln!(out, "{}", record(&entry.record, &entry.record_type, i == 0));
        if let Some(shown) = readable(entry) {
            text(out, &shown);
        }
    }
    more(
        out,
        contents.records.len(),
        MOST,
        contents.records_left_out.count,
        "records (`lime contents` lists them)",
    );
    contents.usqcd.iter().for_each(|usqcd| usqcd::listed(out, usqcd, &contents.fields));
    for entry in contents.fields.iter().take(MOST) {
        memory::unwinding::line(out);
        describe(out, entry);
    }
    more_fields(out, contents);
}

fn more_fields(out: &mut String, contents: &Contents) {
    more(
        out,
        contents.fields.len(),
        MOST,
        contents.fields_left_out.count,
        "fields (`--json=records` lists them)",
    );
}

/// A line about the entries that are not shown: all after the first `most` of the list, and all left out of it.
fn more(out: &mut String, listed: usize, most: usize, left_out: u64, what: &str) {
    let hidden = left_out.saturating_add(listed.saturating_sub(most) as u64);
    if hidden > 0 {
        let _ = writeln!(out, "    … and {hidden} more {what}");
    }
}

/// The output of `check`: the records, and what was verified.
pub fn checked(out: &mut String, contents: &Contents) {
    for (i, entry) in contents.records.iter().take(MANY).enumerate() {
        let _ = writeln!(out, "{}", record(&entry.record, &entry.record_type, i == 0));
    }
    let which = if contents.records.len() > MOST { "lime contents" } else { "inspect" };
    let what = format!("records (`{which}` lists them)");
    more(out, contents.records.len(), MANY, contents.records_left_out.count, &what);
    contents.usqcd.iter().for_each(|usqcd| usqcd::listed(out, usqcd, &contents.fields));
    for entry in contents.fields.iter().take(MOST) {
        memory::unwinding::line(out);
        describe(out, entry);
        compared(out, entry);
    }
    if contents.lacks_lattice_info() {
        let _ = writeln!(out, "    no usqcdInfo records the observables (USQCD Lattice Format)");
    }
    more_fields(out, contents);
    for entry in contents.uncovered.iter().take(MANY).filter_map(|index| contents.records.get(*index)) {
        let name = one_line(&String::from_utf8_lossy(&entry.record_type));
        let (length, offset) = (bytes(entry.record.length), entry.record.offset);
        let _ = writeln!(out, "  no checksum covers {name}: {length} at {offset}, which are not text");
    }
}

/// Number of verified parts of the data, or the reason why none is.
pub fn verified(contents: &Contents) -> String {
    let Coverage { parts, verified } = contents.coverage();
    let (uncovered, uncovered_bytes) = contents.uncovered_in_all();
    let is_one_volume = contents.set.as_ref().is_some_and(|set| set.is_alone);
    match parts {
        0 if is_one_volume => Reason::OneVolume.words().to_owned(),
        0 => "there are no data".to_owned(),
        _ if uncovered == 0 => format!("{verified} of {parts} fields verified by checksum"),
        _ => format!(
            "{verified} of {parts} fields verified by checksum; no checksum covers {} in {}",
            bytes(uncovered_bytes),
            counted(usize::try_from(uncovered).unwrap_or(usize::MAX), "other record", "other records")
        ),
    }
}

/// A line of the list of records. The first record of a message is preceded by a line for the message.
pub fn record(record: &Record, record_type: &[u8], first: bool) -> String {
    let mut out = String::new();
    if record.begin || first {
        let _ = writeln!(out, "  message {}", record.message);
    }
    let name = match record_type {
        [] => "(no type)".to_owned(),
        name => one_line(&String::from_utf8_lossy(name)),
    };
    let (number, offset, length) = (record.number, record.offset, bytes(record.length));
    let _ = write!(out, "    {number:>3}  {name:<27} {length:>14} at {offset}");
    out
}

/// Appends the text of a record below its line.
pub fn text(out: &mut String, text: &str) {
    for line in text.lines() {
        let _ = writeln!(out, "          | {line}");
    }
}

/// The text of a record, shortened.
fn readable(entry: &RecordEntry) -> Option<String> {
    let text = entry.text.as_ref()?;
    let all = text.shown();
    let end = all.trim().char_indices().nth(LONGEST).map(|(end, _)| end);
    let shown = printable(end.map_or(all.trim(), |end| &all.trim()[..end]));
    // QIO writes a document as one long line; it is shown with one element per line.
    let shown = shown.replace("><", ">\n<");
    (!shown.is_empty()).then(|| if text.cut || end.is_some() { shown + " …" } else { shown })
}

fn describe(out: &mut String, entry: &FieldEntry) {
    let field = &entry.field;
    let data_at = field.record.payload_offset();
    let _ = write!(out, "  {} at {}: ", words(&field.region), field.record.offset);
    if let Some(datatype) = &entry.datatype {
        let _ = write!(out, "{}, ", one_line(datatype));
    }
    let _ = write!(out, "lattice {}", field.extents);
    if let Region::Hypercube(cube) = &field.region {
        let _ = write!(out, ", sites {:?} to {:?}", cube.lower(), cube.upper());
    }
    match field.precision {
        Some(Precision::F32) => out.push_str(", single precision"),
        Some(Precision::F64) => out.push_str(", double precision"),
        None => {}
    }
    if let Some(links) = &field.links {
        let _ = write!(
            out,
            ", {} of {}x{} {} numbers at a site",
            counted(links.links as usize, "link", "links"),
            links.rows,
            links.columns,
            if links.parts == 2 { "complex" } else { "real" }
        );
    }
    let _ = match field.region {
        Region::Global => writeln!(out, ", {}, data at {data_at}", bytes(field.bytes_per_site)),
        _ => {
            let sites = if field.sites() == 1 { "site" } else { "sites" };
            writeln!(
                out,
                ", {} {sites} of {}, data at {data_at}",
                thousands(field.sites()),
                bytes(field.bytes_per_site)
            )
        }
    };
}

/// Says of a checksum that the file ends before it.
const NOT_REACHED: &str = "not reached";

fn compared(out: &mut String, entry: &FieldEntry) {
    let computed = match entry.checksum {
        Some(sums) => format!("{:08x} {:08x}", sums.suma, sums.sumb),
        None => "not computed".to_owned(),
    };
    // Nobody knows what is stored after the end of a truncated file.
    let stored = match (entry.verdict, entry.stored) {
        (None, Stored { suma: None, sumb: None }) => NOT_REACHED.to_owned(),
        (_, sums) => stored(sums),
    };
    let comparison = match entry.verdict {
        Some(Verdict::Match { .. }) => color::good("checksum OK"),
        Some(Verdict::Mismatch { .. }) => mismatch(),
        Some(Verdict::Absent { .. }) => color::warning("no checksum stored"),
        _ => "not verified".to_owned(),
    };
    if entry.checksum.is_none() && stored == NOT_REACHED {
        let _ = writeln!(out, "    checksum               {NOT_REACHED}");
    } else {
        let _ = writeln!(out, "    checksum computed      {computed}");
        let _ = writeln!(out, "    checksum stored        {stored}");
        let _ = writeln!(out, "                           {comparison}");
    }
    if let Some(bqcd) = &entry.bqcd {
        let computed = entry.cksum.map_or_else(|| "not computed".to_owned(), |sum| sum.to_string());
        let comparison = match entry.cksum {
            Some(sum) if sum == bqcd.sum => color::good("checksum OK"),
            Some(_) => mismatch(),
            None => "not verified".to_owned(),
        };
        let _ = writeln!(out, "    cksum computed         {computed}");
        let _ = writeln!(out, "    bqcd-cksum             {}", bqcd.sum);
        let _ = writeln!(out, "                           {comparison}");
    }
    for open in entry.open.iter().flatten() {
        let links = match open.links {
            1 => "1 link does".to_owned(),
            n => format!("{} links do", thousands(n)),
        };
        let _ = writeln!(out, "    open boundary in {}: {links} not exist", open.letter());
    }
    if let Some(measured) = &entry.measured {
        observables(out, measured);
    }
    recorded_observables(out, &entry.recorded);
}

/// The state of a checksum that does not agree with the data. The damage can be in either.
pub fn mismatch() -> String {
    color::bad("checksum mismatch") + ": the data or the stored checksum is damaged"
}

/// Observables and checksums that texts record about a field, and whether they agree with the data.
pub fn recorded_observables(out: &mut String, all: &[Recorded]) {
    for recorded in all {
        let agrees = match recorded.agrees() {
            Some(true) => color::good("agrees"),
            Some(false) => color::warning("DIFFERS"),
            None => "not compared".to_owned(),
        };
        let (quantity, text) = (recorded.note.quantity.words(), one_line(&recorded.note.text));
        let _ = writeln!(out, "    recorded {quantity} {text} in {}: {agrees}", recorded.record_type);
    }
}

/// Plaquettes, link trace, Polyakov loop and unitarity; one line if a number that is not finite spoils them all.
pub fn observables(out: &mut String, measured: &Measured) {
    if !measured.max_unitarity_deviation.is_finite() && !measured.link_trace.is_finite() {
        let _ = writeln!(out, "    observables            not finite (links-not-finite)");
        return;
    }
    if let Some(plaquette) = measured.plaquette {
        let _ = writeln!(out, "    average plaquette      {}", figure(plaquette));
        for (what, figure_of) in [("spatial", measured.spatial), ("temporal", measured.temporal)] {
            if let Some(value) = figure_of {
                let _ = writeln!(out, "      {what:<9}            {}", figure(value));
            }
        }
        for plane in &measured.planes {
            let plane_name = format!("{}{}", direction(plane.mu), direction(plane.nu));
            let _ = writeln!(out, "      plane {plane_name:<6}         {}", figure(plane.plaquette));
        }
    }
    let _ = writeln!(out, "    link trace             {}", figure(measured.link_trace));
    for one in &measured.directions {
        let _ = writeln!(out, "      direction {:<11}{}", direction(one.mu), figure(one.link_trace));
    }
    if let Some([re, im]) = measured.polyakov_loop {
        let sign = if im.is_sign_negative() { "-" } else { "+" };
        let _ = writeln!(out, "    Polyakov loop          {} {sign} {} i", figure(re), figure(im.abs()));
    }
    for slice in &measured.slices {
        let _ = write!(out, "    time {:>4}: link trace {}", slice.time, figure(slice.link_trace));
        let parts =
            [("plaquette", slice.plaquette), ("spatial", slice.spatial), ("temporal", slice.temporal)];
        for (what, value) in parts.into_iter().filter_map(|(what, value)| Some((what, value?))) {
            let _ = write!(out, ", {what} {}", figure(value));
        }
        out.push('\n');
    }
    let _ = write!(out, "    largest deviation from unitarity {:.3e}", measured.max_unitarity_deviation);
    let _ = match measured.threshold {
        Some(threshold) => writeln!(out, " (limit: {threshold:.1e})"),
        None => writeln!(out),
    };
}

/// Nine decimals; an exponent for large numbers, because their decimals would be meaningless.
fn figure(value: f64) -> String {
    if value.abs() < 1e6 { format!("{value:.9}") } else { format!("{value:.9e}") }
}

/// The letter of a direction; the number if it is beyond the fourth.
fn direction(mu: u8) -> String {
    ["x", "y", "z", "t"].get(usize::from(mu)).map_or_else(|| format!("[{mu}]"), |letter| (*letter).to_owned())
}

fn stored(stored: Stored) -> String {
    let sum = |sum: Option<u32>| sum.map_or_else(|| "-".to_owned(), |sum| format!("{sum:08x}"));
    match stored {
        Stored { suma: None, sumb: None } => "none".to_owned(),
        Stored { suma, sumb } => format!("{} {}", sum(suma), sum(sumb)),
    }
}

const fn words(region: &Region) -> &'static str {
    match region {
        Region::Lattice => "field",
        Region::Hypercube(_) => "hypercube",
        Region::Global => "global",
    }
}
