//! Reads a file through the field decoder and records everything it reports.

use embedded_io::Read;
use linkstream::conformance::{Boundaries, Decoder};
use linkstream::field::{ErrorKind, Event, SiteError, Sites, Source, Verdict};
use linkstream::io::{NextEvent, Reader};
use linkstream::lime::Record;
use linkstream::{Decode as _, Error, Mode};

use super::contents::{Contents, FieldEntry, RecordEntry, Stored};
use super::fields::{Measurement, judge};
use super::texts::{Room, Text};
use crate::options::Options;
use crate::report::Findings;
use crate::survey::{PassOver, SurveyError, or_finding};

/// In `inspect`, longer records of types that mean nothing here are passed over.
const MAX_FOREIGN: u64 = 64 << 10;

/// Reads to the end, or to where the file cannot be read any more. Gives what was found and how far that is.
pub fn survey<P: PassOver<R>, R: Read>(
    source: R,
    buffer: &mut [u8],
    options: &Options,
    findings: &mut Findings,
) -> Result<(Contents, u64), SurveyError<R::Error>> {
    let mut reader = Reader::new(source, buffer, Decoder::new(Mode::Survey));
    let mut found = Found { contents: Contents::default(), room: Room::new(), findings };
    let mut next = reader.next();
    while let Some(event) = or_finding(next, found.findings)? {
        found.note(&reader, event);
        next = match event {
            Event::Field if options.read_data => {
                let (next, fault) = read_data(&mut reader, &mut found.contents);
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
    Ok((found.contents, reader.decoder().position()))
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
                    self.room.take(reader.bytes(), entry);
                }
            }
            Event::Field => {
                contents.fields.extend(field_entry(reader.decoder()));
                self.is_not_read();
            }
            Event::FieldEnd(checksum) => {
                if let Some(entry) = contents.fields.last_mut() {
                    entry.checksum = checksum;
                    let judged = entry.measured.and_then(|figures| judge(&figures, &entry.field));
                    judged.into_iter().for_each(|finding| self.findings.push(finding));
                }
            }
            Event::Verdict(verdict) => {
                if let Some(entry) = contents.fields.last_mut() {
                    entry.verdict = Some(verdict);
                    // The document read last belongs to this field unless there was none.
                    if matches!(verdict, Verdict::Match(_) | Verdict::Mismatch(_))
                        || reader.decoder().lime().record_type() == linkstream::scidac::CHECKSUM.as_bytes()
                    {
                        let stored = reader.decoder().stored_checksum();
                        entry.stored = Stored { suma: stored.suma(), sumb: stored.sumb() };
                    }
                }
            }
            Event::Finding(error) => self.findings.add(&error),
            _ => {}
        }
    }

    /// The payload of the present record is no text, or passed over.
    fn is_not_read(&mut self) {
        if let Some(entry) = self.contents.records.last_mut() {
            entry.text = None;
        }
    }
}

/// Sites larger than this, of groups that are not simulated in practice, are not examined: a header must not make us ask for
/// memory without end.
const MAX_SITE: u64 = 64 << 20;

/// Reads the data of a field and measures it where possible; returns the first event after the data, and what is
/// wrong with its boundaries.
fn read_data<R: Read>(
    reader: &mut Reader<'_, R, Decoder>,
    contents: &mut Contents,
) -> (NextEvent<Decoder, R::Error>, Option<Error<ErrorKind>>) {
    let field = reader.decoder().field().copied().filter(|field| field.bytes_per_site <= MAX_SITE);
    let mut measurement = field.and_then(|field| Measurement::of(&field, reader.decoder()));
    let mut boundaries = field.and_then(|_| Boundaries::of(reader.decoder()));
    let looked_at = field.filter(|_| measurement.is_some() || boundaries.is_some());
    let size = looked_at.and_then(|field| usize::try_from(field.bytes_per_site).ok());
    let mut buffer = vec![0; size.unwrap_or(0)];
    let mut sites = Sites::new(&mut buffer);
    if let Some(field) = &looked_at {
        // The buffer was made for this field.
        let _ = sites.begin(field);
    }
    let next = loop {
        match reader.next() {
            Ok(Some(Event::Data)) if looked_at.is_some() => {
                // Neither the callback nor the field begun above can fail.
                let _ = sites.feed(looked_at.as_ref(), reader.bytes(), |site| {
                    if let Some(measurement) = &mut measurement {
                        measurement.site(&site);
                    }
                    if let Some(boundaries) = &mut boundaries {
                        boundaries.site(&site);
                    }
                    Ok::<(), SiteError>(())
                });
            }
            Ok(Some(Event::Data)) => {}
            other => break other,
        }
    };
    let whole = matches!(next, Ok(Some(Event::FieldEnd(_))));
    if let Some(entry) = contents.fields.last_mut() {
        entry.measured = measurement.and_then(Measurement::finish);
        entry.open = boundaries.as_ref().filter(|_| whole).map(|boundaries| boundaries.open().collect());
    }
    (next, boundaries.and_then(|boundaries| boundaries.fault()))
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
    })
}
