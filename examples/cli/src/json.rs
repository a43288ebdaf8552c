//! A report as one line of JSON: what all formats share.

use std::io::Write;

use serde::ser::{Serialize, SerializeMap as _, Serializer};
use serde_json::{Value, json};

use crate::report::{Body, Finding, Report};
use crate::{inebin, lime, scda};

/// Writes the line, with its line feed. Entries are turned into JSON one at a time: a file can have millions.
pub fn write_line(report: &Report, mut out: impl Write) -> std::io::Result<()> {
    serde_json::to_writer(&mut out, &Line(report))?;
    out.write_all(b"\n")
}

struct Line<'a>(&'a Report);

impl Serialize for Line<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let report = self.0;
        let mut line = serializer.serialize_map(None)?;
        line.serialize_entry("file", &report.file)?;
        line.serialize_entry("format", format(&report.body))?;
        line.serialize_entry("bytes", &report.bytes)?;
        match &report.body {
            // As if it were a LIME file without records: who lists records finds none.
            Body::Unknown => lime::json::entries(&lime::Contents::default(), &mut line)?,
            Body::Lime(contents) => lime::json::entries(contents, &mut line)?,
            Body::Inebin(contents) => inebin::json::entries(contents, &mut line)?,
            Body::Scda(contents) => scda::json::entries(contents, &mut line)?,
        }
        line.serialize_entry("findings", &Each(report.findings.as_slice(), finding))?;
        line.serialize_entry("ok", &report.is_ok())?;
        line.end()
    }
}

const fn format(body: &Body) -> &'static str {
    match body {
        Body::Unknown => "unknown",
        Body::Lime(_) => "lime",
        Body::Inebin(_) => "inebin",
        Body::Scda(_) => "scda",
    }
}

/// Entries and how each is shown.
pub struct Each<'a, T>(pub &'a [T], pub fn(&T) -> Value);

impl<T> Serialize for Each<'_, T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(self.1))
    }
}

/// An entry of `findings`.
pub fn finding(finding: &Finding) -> Value {
    json!({
        "severity": finding.severity.as_str(),
        "class": finding.class.as_str(),
        "rule": finding.rule,
        "clause": Some(finding.clause).filter(|clause| !clause.is_empty()),
        "offset": finding.offset,
        "message": finding.message,
    })
}

/// Integers beyond this are strings in JSON, since many readers take every number for a double.
const EXACT: i64 = 1 << 53;

/// An integer of a file.
pub fn integer(n: i64) -> Value {
    if n.unsigned_abs() > EXACT.unsigned_abs() { n.to_string().into() } else { n.into() }
}

/// A number of things.
pub fn count(n: impl Into<u128>) -> Value {
    let n = n.into();
    match u64::try_from(n) {
        Ok(n) if n <= EXACT.unsigned_abs() => n.into(),
        _ => n.to_string().into(),
    }
}
