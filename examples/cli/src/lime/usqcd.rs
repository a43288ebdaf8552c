//! The text output for the USQCD format of a file.

use std::fmt::Write as _;

use linkstream::usqcd::{FileType, Role};
use linkstream_report::lime::{FieldEntry, Usqcd, UsqcdEntry, UsqcdFormat, time};

use crate::human::{counted, one_line};

/// Maximum number of sources and solutions listed.
const MANY: usize = 60;

/// The format, then the sources and solutions.
pub fn listed(out: &mut String, usqcd: &Usqcd, fields: &[FieldEntry]) {
    let _ = write!(out, "  {}", name(usqcd.format));
    if !usqcd.version.is_empty() {
        let _ = write!(out, ", version {}", one_line(&usqcd.version));
    }
    let [sources, solutions] = [Role::Source, Role::Solution].map(|role| usqcd.count(role));
    if sources + solutions == 0 {
        out.push('\n');
        return;
    }
    let _ = writeln!(
        out,
        ": {}, {}",
        counted(sources, "source", "sources"),
        counted(solutions, "solution", "solutions")
    );
    for entry in usqcd.entries.iter().take(MANY) {
        self::entry(out, entry, fields);
    }
    if let Some(more) = usqcd.entries.len().checked_sub(MANY).filter(|more| *more > 0) {
        let _ = writeln!(out, "    … and {more} more (`--json` lists them)");
    }
}

fn entry(out: &mut String, entry: &UsqcdEntry, fields: &[FieldEntry]) {
    let Some(field) = fields.get(entry.field) else { return };
    let role = entry.role.map_or("not part of the format", Role::as_str);
    let _ = write!(out, "    {role:<8} at {}", field.field.record.offset);
    if entry.label.spin.is_some() || entry.label.color.is_some() {
        let _ = write!(out, ": {}", entry.label);
    }
    if let Some(time) = time(&field.field) {
        let _ = write!(out, ", time slice {time}");
    }
    out.push('\n');
}

fn name(format: UsqcdFormat) -> String {
    let file_type = match format {
        UsqcdFormat::Lattice => return "USQCD gauge configuration".to_owned(),
        UsqcdFormat::Propagator(None) => return "USQCD propagator file of unknown type".to_owned(),
        UsqcdFormat::Propagator(Some(FileType::Lhpc)) => return "LHPC propagator file".to_owned(),
        UsqcdFormat::Propagator(Some(file_type)) => file_type,
    };
    let kind = if file_type.is_staggered() { "staggered" } else { "Dirac" };
    format!("USQCD {kind} propagator file {file_type}")
}
