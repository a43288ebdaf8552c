//! `lime_contents` (LIME 1.2, section 4): lists the details and texts of all records, in constant memory for any number
//! of records.

use std::cell::{Cell, RefCell};
use std::fmt::Write as _;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context as _;
use linkstream::Class;
use linkstream::lime::{Event, Record, padding};
use linkstream_memory as memory;
use serde::ser::{Serialize, SerializeMap, Serializer};

use super::super::human;
use super::records::Records;
use super::text;
use crate::describe::findings;
use crate::failure::{Failure, of_input, output_name};
use crate::foreign::file_called;
use crate::human::{bytes, counted, printable, shown_name};
use crate::output::unless_nobody_reads;
use crate::source::{BUFFER, read_on};
use crate::stdio::{colored, stdout};
use linkstream_report::findings::{Findings, Level};
use linkstream_report::json::{Entries, Object, SCHEMA, objects};
use linkstream_report::json_line::write;
use linkstream_report::lime::json;

/// Lists the records. It has the same exit status as `inspect`.
pub fn contents(file: &Path, as_json: bool) -> anyhow::Result<ExitCode> {
    let named = |error| of_input(error, file);
    let mut buffer = vec![0; BUFFER];
    let records = Records::open(file, &mut buffer).map_err(named)?;
    let mut listing = Listing {
        path: file,
        records,
        texts: !as_json,
        ended: false,
        findings: Findings::new(true),
        failure: None,
    };
    let to = || output_name(Path::new("-"));
    let name = file.display().to_string();
    let written = if as_json {
        let mut out = BufWriter::new(stdout().with_context(to)?);
        write_json(&name, &mut listing, &mut out).and_then(|()| out.flush())
    } else {
        let mut out = BufWriter::new(colored().with_context(to)?);
        write_lines(&name, &mut listing, &mut out).and_then(|()| out.flush())
    };
    unless_nobody_reads(written.map_err(Failure::Output).with_context(to))?;
    match listing.failure {
        Some(failure) => Err(named(failure)),
        None => Ok(ExitCode::from(u8::from(listing.findings.count(Level::Error) > 0))),
    }
}

/// A record, with its payload if that is short enough to be shown.
struct Listed {
    record: Record,
    record_type: Vec<u8>,
    /// `None` if it is long.
    payload: Option<Vec<u8>>,
}

/// An iterator over the records as they are read. An error in the file ends it.
struct Listing<'b> {
    path: &'b Path,
    records: Records<'b>,
    texts: bool,
    ended: bool,
    findings: Findings,
    /// Why the file could not be read further.
    failure: Option<anyhow::Error>,
}

impl Iterator for Listing<'_> {
    type Item = Listed;

    fn next(&mut self) -> Option<Listed> {
        if self.ended {
            return None;
        }
        let mut listed = None;
        let ended = self.read(&mut listed);
        self.ended = *ended.as_ref().unwrap_or(&true);
        self.failure = ended.err();
        if self.ended {
            self.name_other_format();
        }
        listed
    }
}

impl Listing<'_> {
    /// Replaces the finding about a file of another format by one that names the format.
    fn name_other_format(&mut self) {
        for mut finding in self.findings.take() {
            if finding.offset == 0
                && finding.class == Class::Magic
                && let Some(what) = file_called(self.path)
            {
                finding.message = what;
            }
            self.findings.push(finding);
        }
    }

    /// Reads one record. Returns whether it was the last.
    fn read(&mut self, listed: &mut Option<Listed>) -> anyhow::Result<bool> {
        while let Some(event) = read_on(self.records.next_event(), &mut self.findings)? {
            match event {
                Event::Record(record) => {
                    let record_type = self.records.record_type().to_vec();
                    let wanted = self.texts && record.length <= text::LONGEST;
                    *listed = Some(Listed { record, record_type, payload: wanted.then(Vec::new) });
                    if !wanted {
                        self.records.pass_over()?;
                    }
                }
                Event::Payload => {
                    if let Some(payload) = listed.as_mut().and_then(|listed| listed.payload.as_mut()) {
                        memory::extend(payload, self.records.bytes())?;
                    }
                }
                Event::Finding(error) => self.findings.add(&error),
                Event::End => return Ok(false),
                _ => {}
            }
        }
        Ok(true)
    }
}

fn write_lines(name: &str, listing: &mut Listing<'_>, out: &mut impl Write) -> std::io::Result<()> {
    writeln!(out, "{}:", shown_name(name))?;
    let mut count = 0_u64;
    for listed in listing.by_ref() {
        out.write_all(lines(&listed, count == 0).as_bytes())?;
        count += 1;
    }
    let mut end = String::new();
    let is_whole = listing.failure.is_none();
    // After a failure, an empty list would claim that the rest of the file has no findings.
    if is_whole || !listing.findings.as_slice().is_empty() {
        findings(&mut end, &listing.findings);
    }
    let until = if is_whole { "" } else { " until reading failed" };
    let counted = |n, one, many| counted(usize::try_from(n).unwrap_or(usize::MAX), one, many);
    let records = counted(count, "record", "records");
    let messages = counted(listing.records.record().message, "message", "messages");
    writeln!(out, "{end}{records} in {messages}, {}{until}", bytes(listing.records.position()))
}

fn lines(listed: &Listed, first: bool) -> String {
    let record = &listed.record;
    let mut lines = human::record(record, &listed.record_type, first);
    let _ = write!(lines, ", padding {}", padding(record.length));
    for (set, flag) in [(record.begin, ", MB"), (record.end, ", ME")] {
        if set {
            lines.push_str(flag);
        }
    }
    lines.push('\n');
    match listed.payload.as_deref().map(text::of) {
        None => lines.push_str("          [long]\n"),
        Some(None) => lines.push_str("          [binary]\n"),
        Some(Some(text)) => human::text(&mut lines, &printable(text)),
    }
    lines
}

fn write_json(name: &str, listing: &mut Listing<'_>, out: &mut impl Write) -> std::io::Result<()> {
    write(&Whole(name, RefCell::new(listing)), out).map_err(std::io::Error::from)
}

/// The object for a file, whose records are read while it is written.
struct Whole<'a, 'b>(&'a str, RefCell<&'a mut Listing<'b>>);

impl Serialize for Whole<'_, '_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self(name, listing) = self;
        let mut listing = listing.borrow_mut();
        let listing = &mut **listing;
        let mut line = serializer.serialize_map(None)?;
        line.serialize_entry("schema", &SCHEMA)?;
        line.serialize_entry("file", name)?;
        line.serialize_entry("format", "lime")?;
        line.serialize_entry("records", &Once(Cell::new(Some(listing.by_ref().map(Object)))))?;
        line.serialize_entry("bytes", &listing.records.position())?;
        line.serialize_entry("findings", &objects(listing.findings.as_slice()))?;
        let is_ok = listing.failure.is_none() && listing.findings.count(Level::Error) == 0;
        if let Some(failure) = &listing.failure {
            line.serialize_entry("error", &format!("{failure:#}"))?;
        }
        line.serialize_entry("ok", &is_ok)?;
        line.end()
    }
}

/// An entry of `records`.
impl Entries for Listed {
    fn entries<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        json::Header { record: &self.record, record_type: &self.record_type }.entries(object)?;
        object.serialize_entry("padding", &padding(self.record.length))
    }
}

/// A sequence that is generated while it is serialised.
struct Once<I>(Cell<Option<I>>);

impl<V: Serialize, I: Iterator<Item = V>> Serialize for Once<I> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.take().into_iter().flatten())
    }
}
