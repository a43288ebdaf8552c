//! Reads a file through the field decoder and notes everything it tells.

use embedded_io::Read;
use linkstream::field::{Decoder, Event, Kind, Sites, Source, Verdict};
use linkstream::io::{NextEvent, ReadError, Reader};
use linkstream::lime::{self, Record};
use linkstream::{Error, Kind as _};

use crate::check::Options;
use crate::fields::{Measurement, judge};
use crate::report::{FieldEntry, Finding, RecordEntry, Report, Severity, Stored};

/// Texts are kept up to this length; what is longer is shown cut.
const MAX_TEXT: usize = 4096;
/// In `inspect`, longer records of types that mean nothing here are passed over.
const MAX_FOREIGN: u64 = 64 << 10;

/// How payload that is not wanted is passed over: by seeking, or by reading it away.
pub type PassOver<'b, R> =
    fn(&mut Reader<'b, R, Decoder>) -> Result<(), ReadError<<R as embedded_io::ErrorType>::Error, Kind>>;

/// Reads to the end, or to where the file cannot be read any more.
pub fn survey<'b, R: Read>(
    reader: &mut Reader<'b, R, Decoder>,
    options: &Options,
    pass_over: PassOver<'b, R>,
    report: &mut Report,
) -> anyhow::Result<()>
where
    R::Error: Into<std::io::Error>,
{
    report.recognised = true;
    let mut next = reader.next();
    loop {
        let event = match next {
            Ok(Some(event)) => event,
            Ok(None) => return Ok(()),
            Err(ReadError::Format(error)) => {
                let magic = matches!(error.kind, Kind::Lime(lime::Kind::Magic { .. }));
                report.recognised = !(magic && report.records.is_empty());
                report.find(finding(error, options));
                return Ok(());
            }
            Err(ReadError::Io(error)) => return Err(error.into().into()),
            Err(other) => anyhow::bail!("{other:?}"),
        };
        note(reader, event, options, report);
        next = match event {
            Event::Field if options.read_data => read_data(reader, report),
            Event::Field => pass_over(reader).and_then(|()| reader.next()),
            Event::Record(record) if !options.read_data && record.length > MAX_FOREIGN => {
                pass_over(reader).and_then(|()| reader.next())
            }
            _ => reader.next(),
        };
    }
}

/// Notes what one event tells.
fn note<R>(reader: &Reader<'_, R, Decoder>, event: Event, options: &Options, report: &mut Report) {
    match event {
        Event::Record(record) => report.records.push(record_entry(reader, record)),
        Event::Payload if options.wants_texts() => take_text(reader.bytes(), report),
        Event::Field => report.fields.extend(field_entry(reader.decoder())),
        Event::FieldEnd(checksum) => {
            if let Some(entry) = report.fields.last_mut() {
                entry.checksum = checksum;
                let judged = entry.measured.and_then(|figures| judge(&figures, &entry.field));
                judged.into_iter().for_each(|finding| report.find(finding));
            }
        }
        Event::Verdict(verdict) => {
            if let Some(entry) = report.fields.last_mut() {
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
        Event::Finding(error) => report.find(finding(error, options)),
        Event::Payload | Event::Data | Event::End => {}
    }
}

/// Reads the data of a field, measuring what can be measured; gives the first event behind them.
fn read_data<R: Read>(
    reader: &mut Reader<'_, R, Decoder>,
    report: &mut Report,
) -> NextEvent<Decoder, R::Error> {
    let field = reader.decoder().field().copied();
    let mut measurement = field.and_then(|field| Measurement::of(&field, reader.decoder()));
    let mut buffer = vec![0; measurement.as_ref().map_or(0, Measurement::bytes_per_site)];
    let mut sites = Sites::new(&mut buffer);
    if let (Some(field), Some(_)) = (&field, &measurement) {
        // The buffer was made for this field.
        let _ = sites.begin(field);
    }
    let next = loop {
        match reader.next() {
            Ok(Some(Event::Data)) => {
                if let Some(measurement) = &mut measurement {
                    sites.feed(reader.bytes(), |site| measurement.site(&site));
                }
            }
            other => break other,
        }
    };
    if let Some(entry) = report.fields.last_mut() {
        entry.measured = measurement.and_then(Measurement::finish);
    }
    next
}

fn record_entry<R>(reader: &Reader<'_, R, Decoder>, record: Record) -> RecordEntry {
    let record_type = String::from_utf8_lossy(reader.decoder().record_type()).into_owned();
    RecordEntry { record, record_type, text: Some(Vec::new()) }
}

fn field_entry(decoder: &Decoder) -> Option<FieldEntry> {
    let field = *decoder.field()?;
    let datatype = match field.source {
        Source::Scidac => decoder.private_record().map(|record| record.datatype.as_str().to_owned()),
        Source::Ildg => decoder.format().map(|format| format.kind().to_string()),
    };
    Some(FieldEntry {
        field,
        datatype,
        checksum: None,
        verdict: None,
        stored: Stored::default(),
        measured: None,
    })
}

/// Keeps payload as long as it looks like text.
fn take_text(bytes: &[u8], report: &mut Report) {
    let Some(entry) = report.records.last_mut() else { return };
    let Some(text) = &mut entry.text else { return };
    let is_text = |byte: &u8| *byte >= b' ' || matches!(byte, b'\t' | b'\n' | b'\r' | 0);
    if bytes.iter().all(is_text) {
        text.extend(bytes.iter().take(MAX_TEXT.saturating_sub(text.len())));
    } else {
        entry.text = None;
    }
}

fn finding(error: Error<Kind>, options: &Options) -> Finding {
    Finding {
        severity: Severity::of(error.kind.gravity(), options.lenient),
        class: error.kind.class(),
        rule: error.kind.rule(),
        offset: error.at,
        message: error.kind.to_string(),
    }
}
