//! The text output for an archive.

use std::fmt::Write as _;

use linkstream_report::archive::{Agreement, Contents};

use crate::color;
use crate::human::one_line;
use crate::lime::human::{mismatch, observables, recorded_observables};

/// The lattice, how links are stored, and the header.
pub fn inspected(out: &mut String, contents: &Contents) {
    lattice(out, contents);
    for (key, value) in &contents.header {
        let _ = writeln!(out, "    {} = {}", one_line(key), one_line(value));
    }
    for sum in &contents.sums {
        let _ = writeln!(out, "    {:<22} {}", format!("{} stored", sum.name), hexadecimal(sum.stored));
    }
}

/// The lattice, how links are stored, what was verified, and the observables.
pub fn checked(out: &mut String, contents: &Contents) {
    lattice(out, contents);
    for sum in &contents.sums {
        let _ = writeln!(out, "    {:<22} {}", format!("{} computed", sum.name), hexadecimal(sum.computed));
        let _ = writeln!(out, "    {:<22} {}", format!("{} stored", sum.name), hexadecimal(sum.stored));
    }
    if contents.shape.is_some() || contents.state.is_some() {
        let _ = writeln!(out, "                           {}", agreement(contents));
    }
    if let Some(measured) = &contents.measured {
        observables(out, measured);
    }
    recorded_observables(out, &contents.recorded);
    if has_site_list(contents) {
        out.push_str(
            "    not measured: the sites are not in natural order (`convert` brings them into it)\n",
        );
    }
}

fn lattice(out: &mut String, contents: &Contents) {
    if let Some(kind) = &contents.state {
        let _ = writeln!(out, "  random-number state: {}", one_line(kind));
    }
    let Some(shape) = &contents.shape else { return };
    let order = shape.order.map_or("byte order not known".to_owned(), |order| order.to_string());
    let (bits, rows) = (shape.precision.bits(), shape.rows.count(shape.colors));
    let (group, row) = (shape.colors, if rows == 1 { "row" } else { "rows" });
    let _ = write!(
        out,
        "  gauge field of SU({group}): lattice {}, {bits} bits, {rows} {row}, {order}",
        shape.extents
    );
    out.push_str(if shape.has_site_list { ", with a site list" } else { "" });
    let _ = writeln!(out, ", data at {}", shape.data_at);
}

fn agreement(contents: &Contents) -> String {
    match contents.agreement {
        Some(Agreement::Match) if has_site_list(contents) => {
            color::warning("checksum OK, but it does not include the site list")
        }
        Some(Agreement::Match) => color::good("checksum OK"),
        Some(Agreement::Mismatch) => mismatch(),
        Some(Agreement::Absent) => color::warning("no checksum stored"),
        None => "not verified".to_owned(),
    }
}

/// State of the data: verified, or the reason why not.
pub const fn verified(contents: &Contents) -> &'static str {
    match contents.agreement {
        Some(Agreement::Match) if has_site_list(contents) => {
            "the checksum does not include the site list, which says where the data belong"
        }
        Some(Agreement::Match) => "data verified by checksum",
        Some(Agreement::Absent) => "no checksum stored",
        _ => "data not verified",
    }
}

/// Result of the comparisons that replace a checksum for the links of openQCD.
pub fn compared(contents: &Contents) -> &'static str {
    let Some(measured) = &contents.measured else {
        return "the format has no checksum, and the links were not measured";
    };
    let is_unitary = measured.threshold.is_some_and(|threshold| measured.max_group_deviation() <= threshold);
    let has_plaquette = contents.recorded.iter().any(|recorded| recorded.agrees() == Some(true));
    match (is_unitary, has_plaquette) {
        (true, true) => {
            "the format has no checksum; length, unitarity and the plaquette of the header are right"
        }
        (false, true) => {
            "the format has no checksum; length and the plaquette of the header are right, unitarity is not"
        }
        (true, false) => {
            "the format has no checksum; length and unitarity are right, the plaquette was not compared"
        }
        (false, false) => "the format has no checksum; only the length is right",
    }
}

const fn has_site_list(contents: &Contents) -> bool {
    matches!(contents.shape, Some(shape) if shape.has_site_list)
}

fn hexadecimal(sum: Option<u32>) -> String {
    sum.map_or_else(|| "-".to_owned(), |sum| format!("{sum:08x}"))
}
