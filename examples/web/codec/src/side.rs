//! One of two files that are compared: checked as every command of the program checks its input, and in LIME form if it
//! is an archive or a file set.

use std::io::{self, Read, Seek, SeekFrom};

use linkstream_access::set::SetAsFile;
use linkstream_access::source::Source as _;
use linkstream_access::{Error, Field, File, Verify};
use linkstream_report::archive::{AsLime, HeaderError, LimeView, WritingError};
use linkstream_report::cut::{Cut, has_remedy};
use linkstream_report::diff::{Damage, Side};
use linkstream_report::judgement::{Judgement, judge};
use linkstream_report::options::Options;
use linkstream_report::report::{Body, Report};
use wasm_bindgen::prelude::*;

use crate::failure::Failure;
use crate::source::{Source, failed, volumes};
use crate::survey::{begins_a_volume, of_survey, one, set};

/// A source that can be read from any place.
pub trait Seekable: Read + Seek {}

impl<S: Read + Seek> Seekable for S {}

/// One of the two files.
pub struct Opened {
    pub source: Box<dyn Seekable>,
    /// The damage that is permitted.
    pub damage: Option<Damage>,
    /// Number of bytes after the last link of an archive.
    pub surplus: u64,
}

/// Judges and opens one of the two files. `name` is its name in messages.
pub fn open(
    side: Side,
    sources: &[Source],
    name: &str,
    is_set: bool,
    damaged: bool,
) -> Result<Opened, JsValue> {
    let io = |error: io::Error| failed(&error);
    let [source] = sources else { return open_set(side, sources, name, damaged) };
    if is_set || begins_a_volume(source).map_err(io)? {
        return open_set(side, sources, name, damaged);
    }
    let report = one(source, name, &Options::LENIENT).map_err(of_survey)?;
    let report = report.ok_or_else(|| Failure::request("the file is a volume"))?;
    let length = source.length().map_err(io)?;
    let cut = Cut::of(&report, length);
    let damage = admitted(side, &report, name, damaged, has_remedy(&report, cut))?;
    let mut whole = Part { source: *source, length, at: 0 };
    let archive = AsLime::of(&report, &mut whole).map_err(|error| match error {
        HeaderError::Unreadable(linkstream_access::write::Error::Input(error)) => failed(&error),
        other => Failure::request(&format!("{name}: {other}")),
    })?;
    let Some(archive) = archive else {
        let part = Part { length: cut.map_or(length, |cut| cut.length), at: 0, ..whole };
        return Ok(Opened { source: Box::new(part), damage, surplus: 0 });
    };
    let links = links(source, damage.is_some()).map_err(|error| unreadable(name, error))?;
    let verify = if damage.is_some() { Verify::No } else { Verify::Yes };
    let view = LimeView::new(&archive, links, verify).map_err(|error| match error {
        WritingError::Links(error) => unreadable(name, error),
        WritingError::Refused(refusal) => Failure::request(&format!("{name}: {refusal}")),
        WritingError::Sink(error) => Failure::request(&format!("{name}: {error}")),
    })?;
    Ok(Opened { source: Box::new(view), damage, surplus: length.saturating_sub(archive.end) })
}

fn open_set(side: Side, sources: &[Source], name: &str, damaged: bool) -> Result<Opened, JsValue> {
    let report = set(sources, name, false, &Options::LENIENT).map_err(of_survey)?;
    let report = report.ok_or_else(|| Failure::request("the module does not read file sets"))?;
    let damage = admitted(side, &report, name, damaged, has_remedy(&report, None))?;
    let source = SetAsFile::open(&volumes(sources)).map_err(|error| failed(&error))?;
    Ok(Opened { source: Box::new(source), damage, surplus: 0 })
}

/// Decides whether the data of a file may be compared, given its report. Returns damage that is permitted.
fn admitted(
    side: Side,
    report: &Report,
    name: &str,
    damaged: bool,
    has_remedy: bool,
) -> Result<Option<Damage>, JsValue> {
    let judgement = judge(report);
    let Some(reason) = judgement.reason() else { return Ok(None) };
    if damaged && has_remedy {
        let message = format!("{} [{}]", reason.message, reason.rule);
        return Ok(Some(Damage { side, at: reason.offset, message }));
    }
    let more = match &judgement {
        Judgement::Damaged(findings) if findings.len() > 1 => {
            format!("; `check` lists {} more", findings.len() - 1)
        }
        _ => String::new(),
    };
    let remedy = match (has_remedy, damaged) {
        (true, _) => "; the option `damaged` compares the file nevertheless",
        (false, true) if !matches!(report.body, Body::Unknown) => "; the option `damaged` does not help",
        _ => "",
    };
    let message = format!("{name}: {}{more}{remedy}", reason.message);
    Err(Failure::thrown(reason.rule, reason.class, reason.offset, message))
}

/// The links of an archive. Damaged ones are read as far as they are there.
fn links(source: &Source, is_damaged: bool) -> Result<Field, Error> {
    if !is_damaged {
        return Ok(File::open(source.shared())?.field(0)?.clone());
    }
    let file = File::open_damaged(source.shared())?;
    let links = file.field(0)?;
    // If the checksum is right nevertheless, it shows the byte order.
    let _ = links.verify();
    Ok(links.clone())
}

fn unreadable(name: &str, error: Error) -> JsValue {
    let (class, rule) = error.rule().unwrap_or((linkstream::Class::Misuse, "not-read"));
    match error {
        Error::Io(error) | Error::Sink(error) => failed(&error),
        error => Failure::thrown(rule, class, error.offset().unwrap_or(0), format!("{name}: {error}")),
    }
}

/// A source with a position, or the part of it that can be read.
struct Part {
    source: Source,
    length: u64,
    at: u64,
}

impl Read for Part {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let left = usize::try_from(self.length.saturating_sub(self.at)).unwrap_or(usize::MAX);
        let wanted = out.len().min(left);
        let n = self.source.read_at(self.at, &mut out[..wanted])?;
        self.at += n as u64;
        Ok(n)
    }
}

impl Seek for Part {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let target = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
            SeekFrom::End(by) => self.length.checked_add_signed(by),
        };
        self.at = target.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}
