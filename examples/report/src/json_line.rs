//! A report as one line of JSON.

use std::io::Write;

use linkstream::Class;
use linkstream_access::isolated;
use serde::ser::{Serialize, SerializeMap, Serializer};

use crate::findings::{Finding, Level};
use crate::json::{SCHEMA, hex, objects};
use crate::json_numbers::Numbers;
use crate::report::{Body, Report};
use crate::verdict::Verdict;
use crate::{archive, inebin, lime, scda, volumes};

/// Writes the line, including its line feed. Entries are converted to JSON one at a time, because a file can have
/// millions.
pub fn write_line(report: &Report, out: impl Write) -> serde_json::Result<()> {
    write(&Line(report), out)
}

// Returns the error type of serde_json: the message texts of `io::Error` would add 5 kB to each wasm module.
/// Writes a value and a line feed, in the form of all JSON of the programs.
pub fn write(line: &impl Serialize, out: impl Write) -> serde_json::Result<()> {
    let mut serializer = serde_json::Serializer::with_formatter(out, Numbers);
    line.serialize(&mut serializer)?;
    serializer.into_inner().write_all(b"\n").map_err(serde_json::Error::io)
}

/// A value and a line feed, in the form of all JSON of the programs.
pub fn line_of(value: &impl Serialize) -> serde_json::Result<Vec<u8>> {
    let mut line = Vec::new();
    write(value, &mut line)?;
    Ok(line)
}

/// An empty list.
const NOTHING: [(); 0] = [];

/// The entries about the contents of a file that was not read.
fn nothing_found<M: SerializeMap>(line: &mut M) -> Result<(), M::Error> {
    line.serialize_entry("format", &None::<()>)?;
    line.serialize_entry("bytes", &None::<()>)?;
    line.serialize_entry("fields", &NOTHING)
}

/// Begins a line with the entries that all lines have: the schema and the name of the file.
fn begin<S: Serializer>(
    serializer: S,
    file: &str,
    file_bytes: Option<&[u8]>,
) -> Result<S::SerializeMap, S::Error> {
    let mut line = serializer.serialize_map(None)?;
    line.serialize_entry("schema", &SCHEMA)?;
    line.serialize_entry("file", file)?;
    if let Some(bytes) = file_bytes {
        line.serialize_entry("file_hex", &hex(bytes))?;
    }
    Ok(line)
}

/// A file that could not be opened or read, which has no report.
#[derive(Debug)]
pub struct Unreadable {
    /// The name as given by the user.
    pub file: String,
    /// The bytes of the name, if they are not UTF-8.
    pub file_bytes: Option<Vec<u8>>,
    /// Reason why the file could not be read; see [`without_number`](linkstream_access::text::without_number).
    pub error: String,
    /// True if the reason is an internal error, which is then a finding as well.
    pub is_internal: bool,
}

impl Unreadable {
    /// A file that was not read for this reason.
    #[must_use]
    pub const fn new(file: String, error: String) -> Self {
        Self { file, file_bytes: None, error, is_internal: false }
    }

    /// The finding about an internal error.
    fn finding(&self) -> Option<Finding> {
        self.is_internal.then(|| Finding {
            severity: Level::Error,
            class: Class::Unsupported,
            rule: isolated::RULE,
            clause: "",
            offset: 0,
            message: self.error.clone(),
        })
    }

    /// Writes the line, including its line feed.
    pub fn write_line(&self, out: impl Write) -> serde_json::Result<()> {
        write(self, out)
    }
}

impl Serialize for Unreadable {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut line = begin(serializer, &self.file, self.file_bytes.as_deref())?;
        nothing_found(&mut line)?;
        line.serialize_entry("verdict", Verdict::Unreadable.as_str())?;
        line.serialize_entry("unverified", &NOTHING)?;
        line.serialize_entry("error", &self.error)?;
        line.serialize_entry("findings", &objects(self.finding().as_slice()))?;
        line.serialize_entry("ok", &false)?;
        line.end()
    }
}

/// An entry of a directory that was skipped.
#[derive(Debug)]
pub struct Skipped {
    /// The path, beginning with the directory as named by the user.
    pub file: String,
    /// The bytes of the path, if they are not UTF-8.
    pub file_bytes: Option<Vec<u8>>,
    /// Reason why it was skipped.
    pub reason: String,
}

impl Skipped {
    /// Writes the line, including its line feed.
    pub fn write_line(&self, out: impl Write) -> serde_json::Result<()> {
        write(self, out)
    }
}

impl Serialize for Skipped {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut line = begin(serializer, &self.file, self.file_bytes.as_deref())?;
        nothing_found(&mut line)?;
        line.serialize_entry("verdict", "skipped")?;
        line.serialize_entry("reason", &self.reason)?;
        line.serialize_entry("unverified", &NOTHING)?;
        line.serialize_entry("error", &None::<()>)?;
        line.serialize_entry("findings", &NOTHING)?;
        line.serialize_entry("ok", &true)?;
        line.end()
    }
}

struct Line<'a>(&'a Report);

impl Serialize for Line<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let report = self.0;
        let mut line = begin(serializer, &report.file, report.file_bytes.as_deref())?;
        line.serialize_entry("format", report.body.format())?;
        line.serialize_entry("bytes", &report.bytes)?;
        if !report.packing.is_empty() {
            line.serialize_entry("packing", &report.packing)?;
        }
        match &report.body {
            // Written like a LIME file without records, so that scripts that list records find none.
            Body::Unknown => lime::json::entries(&lime::Contents::default(), &mut line)?,
            Body::Lime(contents) => {
                match &contents.set {
                    Some(set) => volumes::json::entries(set, &mut line)?,
                    None => line.serialize_entry("volume_format", "single")?,
                }
                lime::json::entries(contents, &mut line)?;
            }
            Body::Inebin(contents) => {
                line.serialize_entry("fields", &NOTHING)?;
                inebin::json::entries(contents, &mut line)?;
            }
            Body::Nersc(contents) | Body::Milc(contents) | Body::OpenQcd(contents) => {
                archive::json::entries(contents, report.body.format(), &mut line)?;
            }
            Body::Scda(contents) => {
                line.serialize_entry("fields", &NOTHING)?;
                scda::json::entries(contents, &mut line)?;
            }
        }
        line.serialize_entry("verdict", report.verdict().as_str())?;
        line.serialize_entry("unverified", &objects(&report.body.unverified()))?;
        line.serialize_entry("error", &None::<()>)?;
        let doubts = report.doubts();
        if !doubts.is_empty() {
            line.serialize_entry("doubts", &doubts)?;
        }
        line.serialize_entry("findings", &objects(report.findings.as_slice()))?;
        if !report.readers.is_empty() {
            line.serialize_entry("readers", &objects(&report.readers))?;
        }
        line.serialize_entry("ok", &report.is_ok())?;
        line.end()
    }
}
