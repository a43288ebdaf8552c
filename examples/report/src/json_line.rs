//! A report as one line of JSON.

use std::io::Write;

use serde::ser::{Serialize, SerializeMap as _, Serializer};

use crate::json::{Each, finding};
use crate::report::{Body, Report};
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
