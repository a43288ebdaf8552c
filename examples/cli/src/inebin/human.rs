//! The text output for an INEBIN file.

use std::fmt::Write as _;

use linkstream_report::inebin::{Contents, Figures, Reals, word};

use crate::human::{bytes, thousands};

/// Type and shape.
pub fn inspected(out: &mut String, contents: &Contents) {
    let Some(header) = &contents.header else { return };
    let many =
        |n: u64, one: &str, many: &str| format!("{} {}", thousands(n), if n == 1 { one } else { many });
    let _ = writeln!(
        out,
        "  {} matrix of {} and {}: {}, {} of data",
        word(header.matrix_type()),
        many(header.rows().into(), "row", "rows"),
        many(header.columns().into(), "column", "columns"),
        many(header.entry_count(), "entry", "entries"),
        bytes(header.data_length()),
    );
}

/// Type, shape, and statistics of the entries.
pub fn checked(out: &mut String, contents: &Contents) {
    inspected(out, contents);
    match &contents.figures {
        None => {}
        Some(Figures::Boolean(set)) => line(out, "entries that are true", &thousands(*set)),
        Some(Figures::Integer(integers)) => {
            if let (Some((min, max)), Some(mean)) = (integers.range, integers.mean()) {
                line(out, "smallest", &min.to_string());
                line(out, "largest", &max.to_string());
                line(out, "mean", &format!("{mean:?}"));
            }
        }
        Some(Figures::Real(reals)) => {
            range(out, "", reals);
            not_finite(out, reals.not_numbers, reals.infinite);
        }
        Some(Figures::Complex(parts)) => {
            range(out, "real part, ", &parts.re);
            range(out, "imaginary part, ", &parts.im);
            not_finite(out, parts.not_numbers, parts.infinite);
        }
    }
}

fn line(out: &mut String, what: &str, figure: &str) {
    let _ = writeln!(out, "    {what:<26}{figure}");
}

fn range(out: &mut String, part: &str, reals: &Reals) {
    if let (Some((min, max)), Some(mean)) = (reals.range, reals.mean()) {
        line(out, &format!("{part}smallest"), &format!("{min:?}"));
        line(out, &format!("{part}largest"), &format!("{max:?}"));
        line(out, &format!("{part}mean"), &format!("{mean:?}"));
    }
}

fn not_finite(out: &mut String, not_numbers: u64, infinite: u64) {
    if not_numbers > 0 {
        line(out, "entries with a NaN", &format!("{}, left out above", thousands(not_numbers)));
    }
    if infinite > 0 {
        line(out, "entries with an infinity", &thousands(infinite));
    }
}

/// State of the data: verified, or the reason why not.
pub const fn verified() -> &'static str {
    "the format has no checksum"
}
