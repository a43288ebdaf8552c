//! The entry of a manifest about a file or a file set, with the report on it.

use std::io;
use std::path::Path;
use std::time::{Duration, SystemTime};

use linkstream_access::digest::{HashFunction, digests};
use linkstream_access::packed::unpacked_name;
use linkstream_access::source::{ReadAtError, fill};
use linkstream_report::ensemble::entry::{Entry, Verdict};
use linkstream_report::ensemble::facts;
use linkstream_report::ensemble::name::Name;
use linkstream_report::ensemble::stamp::Stamp;
use linkstream_report::json_line;
use linkstream_report::report::{Body, Report};
use wasm_bindgen::prelude::*;

use crate::failure::Failure;
use crate::source::{Source, failed, sources};
use crate::survey::{AnySource, SurveyOptions, of_survey, set, surveyed};
use crate::task;

/// Files up to this size are read into memory, and hashed there. Larger ones would have to be read twice.
const SMALL: u64 = 8 << 20;

/// Prepares a survey like [`survey`](crate::survey::survey), whose result has a second line: the entry about the file. Its
/// name in the store is `path`, and `now` is the present in milliseconds since 1970. `hash` demands a hash of large files,
/// too.
#[wasm_bindgen]
pub fn describe(count: u32, name: String, asked: &SurveyOptions, path: String, now: f64, hash: bool) {
    let asked = *asked;
    task::prepare(move || {
        let misuse = |error: &dyn std::error::Error| Failure::request(&error.to_string());
        let in_store = Name::new(path.clone().into_bytes()).map_err(|error| misuse(&error))?;
        let sources = sources(count);
        let (report, read) = match sources.as_slice() {
            [source] if !asked.set => read(source, &name, &asked, hash)?,
            sources => (set(sources, &name, false, &asked.options()).map_err(of_survey)?, Read::Set),
        };
        let mut lines = Vec::new();
        let Some(report) = report else { return Ok(lines) };
        let now = SystemTime::UNIX_EPOCH.checked_add(Duration::from_millis(now as u64));
        let now = now.and_then(Stamp::of).unwrap_or(Stamp::EPOCH);
        let verdict = verdict(&report, Path::new(&path));
        let mut entry = Entry::new(in_store, report.bytes, now, verdict);
        facts::add(&report, verdict, &[facts::BETA.to_owned()], &mut entry);
        match read {
            Read::Set => {
                entry.set = Path::new(&path).file_name().map(|name| name.to_string_lossy().into_owned())
            }
            Read::File(source) => hashed(&*source, &report, &mut entry).map_err(|error| failed(&error))?,
            Read::Unhashed => {}
        }
        json_line::write_line(&report, &mut lines).map_err(|error| misuse(&error))?;
        json_line::write(&entry, &mut lines).map_err(|error| misuse(&error))?;
        Ok(lines)
    });
}

/// Source of the hash.
enum Read {
    /// A file, or its bytes.
    File(Box<AnySource>),
    Unhashed,
    Set,
}

/// Reads a file.
fn read(
    source: &Source,
    name: &str,
    asked: &SurveyOptions,
    hash: bool,
) -> Result<(Option<Report>, Read), JsValue> {
    let small = source.size().filter(|size| *size <= SMALL);
    let bytes =
        small.map(|size| bytes_of(source, size)).transpose().map_err(|error| failed(&error))?.flatten();
    let read: Read = match bytes {
        Some(bytes) => Read::File(Box::new(bytes)),
        None if hash && source.size().is_some() => Read::File(Box::new(*source)),
        None => Read::Unhashed,
    };
    let whole: &AnySource = if let Read::File(whole) = &read { &**whole } else { source };
    let report = surveyed(source, whole, name, &asked.options()).map_err(of_survey)?;
    Ok((report, read))
}

/// The bytes of a file; `None` if it has become shorter, which the survey reports.
fn bytes_of(source: &Source, size: u64) -> io::Result<Option<Vec<u8>>> {
    let mut bytes = vec![0; size as usize];
    match fill(source, 0, &mut bytes) {
        Ok(()) => Ok(Some(bytes)),
        Err(ReadAtError::Ended) => Ok(None),
        Err(ReadAtError::Io(error)) => Err(error),
    }
}

fn hashed(source: &AnySource, report: &Report, entry: &mut Entry) -> io::Result<()> {
    let ranges = facts::data_ranges(report);
    let digests = digests(source, HashFunction::Sha256, &ranges)?;
    if !facts::is_of_set(report) {
        entry.parts(&ranges, &digests);
    }
    entry.set_hash(HashFunction::Sha256, digests.whole);
    Ok(())
}

/// The verdict of a manifest. Packed files are not read by this module, and are no damaged ones.
fn verdict(report: &Report, path: &Path) -> Verdict {
    let is_packed = matches!(report.body, Body::Unknown)
        && unpacked_name(path).is_some()
        && report.first_error().is_some_and(|error| error.rule == "format-not-read");
    if is_packed { Verdict::Other } else { facts::verdict(report, path) }
}
