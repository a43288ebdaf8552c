//! Reads a file through the field decoder and records everything it reports.

use embedded_io::Read;
use linkstream::conformance::Decoder;
use linkstream::field::{ErrorKind, Event, Source, Verdict};
use linkstream::ildg;
use linkstream::io::{NextEvent, Reader};
use linkstream::lime::Record;
use linkstream::{Decode as _, Mode};

use super::compare;
use super::contents::{Contents, FieldEntry, RecordEntry, Stored};
use super::data::{self, Examination};
use super::elsewhere::{Elsewhere, Outcome};
use super::fields::{is_gauge, judge, threshold};
use super::texts::{Room, Text};
use super::usqcd::Usqcd;
use crate::findings::Findings;
use crate::options::Options;
use crate::reading::{PassOver, SurveyError, or_finding};

/// Maximum length of records of unknown types that are read in `inspect`. Longer ones are skipped.
const MAX_FOREIGN: u64 = 64 << 10;

/// Reads to the end, or as far as the file can be read. Returns what was found, and the position that was reached.
pub fn survey<P: PassOver<R>, R: Read>(
    source: R,
    elsewhere: Option<&dyn Elsewhere<Error = R::Error>>,
    buffer: &mut [u8],
    options: &Options,
    findings: &mut Findings,
) -> Result<(Contents, u64), SurveyError<R::Error>>
where
    R::Error: Send,
{
    let mut reader = Reader::new(source, buffer, Decoder::new(Mode::Survey));
    let mut found = Found { contents: Contents::default(), room: Room::new(), findings };
    let mut next = reader.next();
    while let Some(event) = or_finding(next, found.findings)? {
        found.note(&reader, event);
        next = match event {
            Event::Field if options.read_data => {
                let rows = compare::word_sum_rows(&found.contents);
                let (next, examination) = examine::<P, R>(&mut reader, elsewhere, options, rows)?;
                let whole = matches!(next, Ok(Some(Event::FieldEnd(_))));
                let entry = found.contents.fields.last_mut();
                let fault = examination.and_then(|examination| examination.finish(whole, entry));
                fault.iter().for_each(|fault| found.findings.add(fault));
                next
            }
            Event::Field => P::pass_over(&mut reader).and_then(|()| reader.next()),
            Event::Record(record) if !options.read_data && record.length > MAX_FOREIGN => {
                found.is_not_read();
                P::pass_over(&mut reader).and_then(|()| reader.next())
            }
            _ => reader.next(),
        };
    }
    let Found { mut contents, findings, .. } = found;
    contents.usqcd = contents.usqcd.or_else(|| Usqcd::of_file(reader.decoder()));
    compare::compare(&mut contents).into_iter().for_each(|finding| findings.push(finding));
    Ok((contents, reader.decoder().position()))
}

/// Reads the data of the field that was reported, and examines them. Returns the first event after them.
#[allow(clippy::type_complexity, reason = "the result of the reader, and the examination")]
fn examine<P: PassOver<R>, R: Read>(
    reader: &mut Reader<'_, R, Decoder>,
    elsewhere: Option<&dyn Elsewhere<Error = R::Error>>,
    options: &Options,
    word_sum_rows: Option<u32>,
) -> Result<(NextEvent<Decoder, R::Error>, Option<Examination>), SurveyError<R::Error>>
where
    R::Error: Send,
{
    let begun = |reader: &Reader<'_, R, Decoder>| Examination::of(reader.decoder(), options, word_sum_rows);
    if let Some((elsewhere, field)) = elsewhere.zip(reader.decoder().field().copied()) {
        let mut examination = begun(reader);
        let outcome = elsewhere.read(&field, examination.as_mut())?;
        match outcome {
            Outcome::Sum(checksum) | Outcome::SumOnly(checksum) => {
                let next = P::pass_over(reader).and_then(|()| {
                    // Refused if the file was truncated in the meantime; the reader then reports the truncation.
                    let _ = reader.decoder_mut().supply_checksum(checksum);
                    reader.next()
                });
                return Ok((next, examination.filter(|_| matches!(outcome, Outcome::Sum(_)))));
            }
            Outcome::Incomplete => {
                return Ok((P::pass_over(reader).and_then(|()| reader.next()), None));
            }
            Outcome::InOrder => {}
        }
    }
    let mut examination = begun(reader);
    Ok((data::read(reader, examination.as_mut()), examination))
}

/// What has been found so far.
struct Found<'f> {
    contents: Contents,
    room: Room,
    findings: &'f mut Findings,
}

impl Found<'_> {
    /// Records one event.
    fn note<R>(&mut self, reader: &Reader<'_, R, Decoder>, event: Event) {
        let contents = &mut self.contents;
        match event {
            Event::Record(record) => contents.records.push(record_entry(reader, record)),
            Event::Payload => {
                if let Some(entry) = contents.records.last_mut() {
                    self.room.take(reader.bytes(), &mut entry.text);
                }
            }
            Event::Field => {
                if let Some(entry) = field_entry(reader.decoder()) {
                    Usqcd::take(&mut contents.usqcd, reader.decoder(), contents.fields.len());
                    contents.fields.push(entry);
                }
                self.is_not_read();
            }
            Event::FieldEnd(checksum) => {
                let is_gauge = contents.fields.last().is_some_and(|entry| is_gauge(entry, contents));
                if let Some(entry) = contents.fields.last_mut() {
                    entry.checksum = checksum;
                    if let Some(measured) = &mut entry.measured {
                        measured.threshold = if is_gauge { threshold(measured, &entry.field) } else { None };
                        judge(measured, &entry.field).into_iter().for_each(|found| self.findings.push(found));
                    }
                }
            }
            Event::Verdict(verdict) => {
                if let Some(entry) = contents.fields.last_mut() {
                    entry.verdict = Some(verdict);
                    // The last document of a checksum belongs to this field, unless the field has none.
                    if matches!(verdict, Verdict::Match(_) | Verdict::Mismatch(_))
                        || reader.decoder().lime().record_type() == linkstream::scidac::CHECKSUM.as_bytes()
                    {
                        let stored = reader.decoder().stored_checksum();
                        entry.stored = Stored { suma: stored.suma(), sumb: stored.sumb() };
                    }
                }
            }
            Event::Finding(error) if is_bare_gauge_data(reader.decoder(), error.kind) => {
                self.findings.add_with(&error, &wrapping(reader.decoder().lime().record()));
            }
            Event::Finding(error) => self.findings.add(&error),
            _ => {}
        }
    }

    /// Marks the payload of the current record as not text, or as skipped.
    fn is_not_read(&mut self) {
        if let Some(entry) = self.contents.records.last_mut() {
            entry.text = None;
        }
    }
}

/// Whether data with the record type of ILDG have no description: lyncs_io and older programs write such files.
fn is_bare_gauge_data(decoder: &Decoder, kind: ErrorKind) -> bool {
    kind == ErrorKind::Undescribed && decoder.record_type() == ildg::BINARY_DATA.as_bytes()
}

/// The command that writes the data of a record to a file with the missing documents.
fn wrapping(record: Record) -> String {
    format!(
        "`linkstream lime extract --damaged FILE {} {} | linkstream ildg make OUT --data - --extents LXxLYxLZxLT --precision 32|64` \
         wraps the data",
        record.message, record.number
    )
}

fn record_entry<R>(reader: &Reader<'_, R, Decoder>, record: Record) -> RecordEntry {
    RecordEntry { record, record_type: reader.decoder().record_type().to_vec(), text: Some(Text::default()) }
}

fn field_entry(decoder: &Decoder) -> Option<FieldEntry> {
    let field = *decoder.field()?;
    let datatype = match field.source {
        Source::Scidac => decoder.private_record().map(|record| record.datatype.as_str().to_owned()),
        Source::Ildg => decoder.format().map(|format| format.kind().to_string()),
    };
    let document = match field.source {
        Source::Scidac => decoder.private_record().map(|record| Box::new(record.clone())),
        Source::Ildg => None,
    };
    Some(FieldEntry {
        field,
        datatype,
        document,
        checksum: None,
        verdict: None,
        stored: Stored::default(),
        open: None,
        measured: None,
        word_sum: None,
        recorded: Vec::new(),
    })
}
