//! Reads a file through the field decoder and records everything it reports.

use embedded_io::Read;
use linkstream::conformance::{Decoder, ErrorKind, Event};
use linkstream::field::{self, DescribedBy};
use linkstream::ildg::GaugeKind;
use linkstream::io::{NextEvent, Reader};
use linkstream::lime::Record;
use linkstream::{Class, Decode as _, Error, Mode};
use linkstream::{ildg, scidac};
use linkstream_access::Sum;
use linkstream_access::changed::Changed;
use linkstream_access::links::links_of_kind;
use linkstream_access::noted::{self, Search};
use linkstream_memory as memory;

use super::bqcd;
use super::compare;
use super::contents::{Contents, FieldEntry, RecordEntry, RecordsLeftOut, Stored};
use super::data::{self, Examination};
use super::elsewhere::{Elsewhere, Outcome};
use super::fields::{has_other_links, is_gauge};
use super::texts::{Room, Text};
use super::usqcd::Usqcd;
use crate::entries::{Entry, Receiver, pass};
use crate::findings::{Finding, Findings, Level};
use crate::left_out::{self, LeftOut, MAX_FIELDS};
use crate::options::Options;
use crate::plausibility::{self, Origin};
use crate::reading::{PassOver, SurveyError, or_finding};
use crate::reasons::of_field;

/// The kind of field of SU(3) in an `ildg-format`.
const SU3: &str = "su3gauge";

/// Maximum length of records of unknown types that are read in `inspect`. Longer ones are skipped.
const MAX_FOREIGN: u64 = 64 << 10;

/// Types of records that have rules.
const DOCUMENTS: [&str; 9] = [
    scidac::PRIVATE_FILE_XML,
    scidac::FILE_XML,
    scidac::PRIVATE_RECORD_XML,
    scidac::RECORD_XML,
    scidac::CHECKSUM,
    scidac::SITELIST,
    ildg::FORMAT,
    ildg::UPDATE,
    ildg::DATA_LFN,
];

/// Maximum length of records of unknown types that are read to their end to find out whether they are text.
const LONGEST_READ: u64 = 64 << 20;

/// Reads to the end, or as far as the file can be read. Returns the contents, and the position that was reached.
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
    let mut found = Found {
        contents: Contents::default(),
        room: Room::new(),
        notes: Search::default(),
        noted: Findings::new(options.lenient).passed_to(findings.receiver()),
        pickles: Findings::new(options.lenient).passed_to(findings.receiver()),
        receiver: options.receiver,
        findings,
    };
    let mut next = reader.next();
    while let Some(event) = or_finding(next, found.findings)? {
        found.note(&reader, event)?;
        next = match event {
            Event::Field if options.read_data => {
                let rows = compare::word_sum_rows(&found.contents);
                let (next, examination) = examine::<P, R>(&mut reader, elsewhere, options, rows)?;
                let whole = matches!(next, Ok(Some(Event::FieldEnd(_))));
                let entry = found.contents.fields.last_mut();
                if let Some((examination, entry)) = examination.zip(entry) {
                    examination.finish(whole, entry);
                }
                next
            }
            Event::Field => P::pass_over(&mut reader).and_then(|()| reader.next()),
            Event::Record(record) if !options.read_data && record.length > MAX_FOREIGN => {
                found.is_not_read();
                P::pass_over(&mut reader).and_then(|()| reader.next())
            }
            Event::Payload if found.needs_no_more(reader.decoder()) => {
                P::pass_over(&mut reader).and_then(|()| reader.next())
            }
            _ => reader.next(),
        };
    }
    found.leave_out_field()?;
    found.judge();
    found.pass_record()?;
    let contents = &found.contents;
    contents.fields.iter().try_for_each(|entry| pass(found.receiver, &Entry::Field(contents, entry)))?;
    found.contents.end_records(&mut found.room);
    let Found { mut contents, noted, pickles, findings, .. } = found;
    findings.append(noted);
    findings.append(pickles);
    if options.read_data {
        contents.find_uncovered();
    } else {
        let left_out = &mut contents.records_left_out;
        (left_out.uncovered, left_out.uncovered_bytes) = (0, 0);
    }
    let RecordsLeftOut { count, first, .. } = contents.records_left_out;
    left_out::report("records", contents.records.len(), count, first, findings);
    let LeftOut { count, first, .. } = contents.fields_left_out;
    left_out::report("fields", contents.fields.len(), count, first, findings);
    contents.usqcd = contents.usqcd.or_else(|| Usqcd::of_file(reader.decoder()));
    Ok((contents, reader.decoder().position()))
}

/// Reads the data of the field that was reported, and examines them. Returns the first event after them.
#[allow(clippy::type_complexity, reason = "the result of the reader, and the examination")]
fn examine<P: PassOver<R>, R: Read>(
    reader: &mut Reader<R, &mut [u8], Decoder>,
    elsewhere: Option<&dyn Elsewhere<Error = R::Error>>,
    options: &Options,
    word_sum_rows: Option<u32>,
) -> Result<(NextEvent<Decoder, R::Error>, Option<Examination>), SurveyError<R::Error>>
where
    R::Error: Send,
{
    let begun =
        |reader: &Reader<R, &mut [u8], Decoder>| Examination::of(reader.decoder(), options, word_sum_rows);
    if let Some(elsewhere) = elsewhere {
        let mut examination = begun(reader);
        let outcome = elsewhere.read(reader.decoder(), examination.as_mut())?;
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

/// The place that has changed, if this is the error of a checksum and a single change of the field explains it.
fn changed(error: &Error<ErrorKind>, entry: Option<&FieldEntry>) -> Option<Changed> {
    let (ErrorKind::Field(field::ErrorKind::ChecksumMismatch { computed, stored }), Some(entry)) =
        (error.kind, entry)
    else {
        return None;
    };
    let outlier = entry.measured.as_ref().and_then(|measured| {
        let outliers = measured.outliers_beyond(measured.explained_by_rounding(entry.field.precision?));
        outliers.first.checked_div(measured.directions.len() as u64).filter(|_| outliers.count > 0)
    });
    Changed::of(&entry.field, Sum::from(computed), Sum::from(stored), outlier)
}

/// Findings and contents so far.
struct Found<'f> {
    contents: Contents,
    room: Room,
    notes: Search,
    /// Copies that the program makes of damaged data say so, in a text or in a record of their own.
    noted: Findings,
    /// lyncs_io unpickles records of one type when it opens a file, and a pickle is a program.
    pickles: Findings,
    receiver: Option<Receiver>,
    findings: &'f mut Findings,
}

impl Found<'_> {
    /// Records one event.
    fn note<R, E>(
        &mut self,
        reader: &Reader<R, &mut [u8], Decoder>,
        event: Event,
    ) -> Result<(), SurveyError<E>> {
        let contents = &mut self.contents;
        match event {
            Event::Record(record) => {
                self.notes.record(reader.decoder().content().record_type());
                let entry = record_entry(reader, record);
                if entry.record_type == b"lyncs-io-info" {
                    self.pickles.push(pickle(record.offset));
                }
                self.pass_record()?;
                self.contents.begin_record(entry, &mut self.room);
            }
            Event::End if self.notes.is_found() => {
                self.noted.push(noted::finding(reader.decoder().content().lime().record().offset));
            }
            Event::Payload => {
                self.notes.feed(reader.bytes());
                if let Some(entry) = contents.records.last_mut() {
                    self.room.take(reader.bytes(), &mut entry.text);
                }
            }
            Event::Field => {
                if let Some(entry) = field_entry(reader.decoder().content()) {
                    self.leave_out_field()?;
                    let contents = &mut self.contents;
                    Usqcd::take(&mut contents.usqcd, reader.decoder(), contents.fields.len());
                    memory::unwinding::push(&mut contents.fields, entry);
                }
                if let Some(entry) = self.contents.records.last_mut() {
                    (entry.text, entry.is_field) = (None, true);
                }
            }
            Event::FieldEnd(checksum) => {
                if let Some(entry) = contents.fields.last_mut() {
                    entry.checksum = checksum;
                }
            }
            Event::Verdict(verdict) => {
                if let Some(entry) = contents.fields.last_mut() {
                    entry.verdict = Some(verdict);
                    if reader.decoder().content().checksum_offset().is_some() {
                        let stored = reader.decoder().content().stored_checksum();
                        entry.stored = Stored { suma: stored.suma(), sumb: stored.sumb() };
                    }
                }
            }
            Event::Finding(error) if is_bare_gauge_data(reader.decoder(), error.kind) => {
                self.findings.add_with(&error, &wrapping(reader.decoder().content().lime().record()));
            }
            Event::Finding(error) => {
                if error.kind == ErrorKind::ChecksumAbsent
                    && let Some(entry) = contents.fields.last_mut()
                {
                    entry.sums_absent_at = Some(error.at);
                }
                match changed(&error, contents.fields.last()) {
                    Some(changed) => {
                        self.findings.add_as(&error, changed.explain(&error.kind.to_string()));
                        let entry = contents.fields.last_mut();
                        entry.into_iter().for_each(|entry| entry.changed = Some((error.at, changed.clone())));
                    }
                    None => self.findings.add(&error),
                }
            }
            _ => {}
        }
        Ok(())
    }

    /// Passes the last record to the receiver. It has been read to its end.
    fn pass_record<E>(&self) -> Result<(), SurveyError<E>> {
        self.contents.records.last().map_or(Ok(()), |last| pass(self.receiver, &Entry::Record(last)))
    }

    /// Judges the numbers of the fields. This is possible only at the end of the file: texts and checksums can follow
    /// the data.
    fn judge(&mut self) {
        let fields = 0..self.contents.fields.len();
        fields.clone().for_each(|index| self.judge_numbers(index));
        fields.for_each(|index| self.judge_lost_sums(index));
    }

    /// Judges and counts the last field if it is beyond the limit, before another one begins. Its verdict is known: a
    /// checksum that follows belongs to the nearest field before it.
    fn leave_out_field<E>(&mut self) -> Result<(), SurveyError<E>> {
        let index = self.contents.fields.len().saturating_sub(1);
        if index < MAX_FIELDS {
            return Ok(());
        }
        self.judge_numbers(index);
        self.judge_lost_sums(index);
        if let Some(entry) = self.contents.fields.pop() {
            pass(self.receiver, &Entry::Field(&self.contents, &entry))?;
            let left_out = &mut self.contents.fields_left_out;
            let (number, offset) = (left_out.after(index), entry.field.record.offset);
            left_out.add(number, offset, Some(entry.is_verified()), of_field(&entry));
        }
        Ok(())
    }

    fn judge_numbers(&mut self, index: usize) {
        if let Some(entry) = self.contents.fields.get(index) {
            let (stored, finding) = bqcd::compared(&self.contents, entry);
            finding.into_iter().for_each(|finding| self.findings.push(finding));
            if let Some(entry) = self.contents.fields.get_mut(index) {
                entry.bqcd = stored;
            }
        }
        let Some(entry) = self.contents.fields.get(index) else { return };
        if entry.field.links.is_none() {
            if let Some(finding) = may_be_links(entry) {
                self.findings.push(finding);
            }
            return;
        }
        let is_proven = entry.is_verified();
        let has_other_links = has_other_links(entry, &self.contents);
        let must_be_unitary = !(has_other_links && is_proven);
        let origin = match entry.field.described_by {
            _ if has_other_links => Origin::Other,
            _ if !is_gauge(entry, &self.contents) => Origin::Undeclared,
            DescribedBy::Ildg if entry.datatype.as_deref() == Some(SU3) => Origin::Defined,
            _ => Origin::Described,
        };
        let recorded = compare::recorded(&self.contents, entry);
        if let Some(fault) = &entry.fault {
            // Zeros inside the lattice are no links of a group. On a last slice, a program may have set only some.
            let is_certain = matches!(fault.kind, ErrorKind::LinkUnphysical(_)) && !has_other_links;
            if is_certain && !is_proven {
                self.findings.condemn(fault);
            } else {
                self.findings.add(fault);
            }
        }
        let Some(entry) = self.contents.fields.get_mut(index) else { return };
        if let Some(measured) = &mut entry.measured {
            let threshold = plausibility::threshold(measured, &entry.field);
            measured.threshold = threshold.filter(|_| must_be_unitary);
            let place = plausibility::Place::of_field(&entry.field);
            let of_links = plausibility::links(measured, &entry.field, place, origin, is_proven);
            of_links.into_iter().for_each(|finding| self.findings.push(finding));
        }
        let differences = recorded.iter().filter_map(|one| plausibility::recorded(one, is_proven));
        differences.for_each(|finding| self.findings.push(finding));
        entry.recorded = recorded;
    }

    /// A checksum record without sums. QIO leaves both out if one of them is zero, so they are lost if neither is.
    fn judge_lost_sums(&mut self, index: usize) {
        let Some(entry) = self.contents.fields.get(index) else { return };
        // One that is there is compared.
        let has_none = entry.stored.suma.is_none() && entry.stored.sumb.is_none();
        let is_lost = has_none && entry.checksum.is_some_and(|sum| sum.suma != 0 && sum.sumb != 0);
        if let Some(offset) = entry.sums_absent_at.filter(|_| is_lost) {
            self.findings.push(Finding::sums_lost(offset));
        }
    }

    /// Returns whether the rest of the current record need not be read: nothing verifies it, and it is no text. A text
    /// that is too long counts as not read.
    fn needs_no_more(&mut self, decoder: &Decoder) -> bool {
        if DOCUMENTS.iter().any(|name| name.as_bytes() == decoder.content().record_type()) {
            return false;
        }
        let Some(entry) = self.contents.records.last_mut() else { return false };
        if entry.record.length > LONGEST_READ && entry.text.as_ref().is_some_and(|text| text.cut) {
            entry.text = None;
        }
        entry.text.is_none()
    }

    /// Marks the payload of the current record as not text, or as skipped.
    fn is_not_read(&mut self) {
        if let Some(entry) = self.contents.records.last_mut() {
            entry.text = None;
        }
    }
}

/// The remark on data that no document calls links, although each site has as many numbers as links in every direction,
/// one item for each.
fn may_be_links(entry: &FieldEntry) -> Option<Finding> {
    let (field, document) = (&entry.field, entry.document.as_ref()?);
    let is_known = document.item().is_some() || document.datacount != u32::from(field.extents.dimensions());
    let kinds = (2..=LARGEST).filter_map(|colors| GaugeKind::parse(format!("su{colors}gauge").as_bytes()));
    let kind = kinds.into_iter().find(|kind| !is_known && links_of_kind(field, *kind).is_some())?;
    let message = format!(
        "no document says that these data are links, but a site has as many numbers as links of {kind}: `linkstream convert \
         --kind {kind}` and `linkstream export --kind {kind}` take them for links"
    );
    Some(Finding {
        severity: Level::Warning,
        class: Class::Type,
        rule: "field-may-be-links",
        clause: "",
        offset: field.record.offset,
        message,
    })
}

/// The largest number of colors of links that the remark suggests.
const LARGEST: u16 = 8;

/// The warning of a record that is a Python pickle.
fn pickle(offset: u64) -> Finding {
    Finding {
        severity: Level::Warning,
        class: Class::Rule,
        rule: "record-pickle",
        clause: "",
        offset,
        message:
            "this record is a Python pickle, a program that lyncs_io executes when it opens the file: do not \
                  open it with lyncs_io unless you trust its author"
                .to_owned(),
    }
}

/// Returns whether data with the record type of ILDG have no description: lyncs_io and older programs write such files.
fn is_bare_gauge_data(decoder: &Decoder, kind: ErrorKind) -> bool {
    kind == field::ErrorKind::Undescribed.into()
        && decoder.content().record_type() == ildg::BINARY_DATA.as_bytes()
}

/// The command that writes the data of a record to a file with the missing documents.
fn wrapping(record: Record) -> String {
    format!(
        "`linkstream lime extract --damaged FILE {} {} | linkstream ildg make OUT --data - --extents LXxLYxLZxLT --precision 32|64` \
         wraps the data",
        record.message, record.number
    )
}

fn record_entry<R>(reader: &Reader<R, &mut [u8], Decoder>, record: Record) -> RecordEntry {
    let record_type = reader.decoder().content().record_type().to_vec();
    RecordEntry { record, record_type, text: Some(Text::default()), is_field: false }
}

fn field_entry(decoder: &field::Decoder) -> Option<FieldEntry> {
    let field = *decoder.field()?;
    let datatype = match field.described_by {
        DescribedBy::Scidac => decoder.private_record().map(|record| record.datatype.as_str().to_owned()),
        DescribedBy::Ildg => decoder.format().map(|format| format.kind().to_string()),
    };
    let document = match field.described_by {
        DescribedBy::Scidac => decoder.private_record().map(|record| Box::new(record.clone())),
        DescribedBy::Ildg => None,
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
        cksum: None,
        bqcd: None,
        slice_sums: None,
        recorded: Vec::new(),
        sums_absent_at: None,
        changed: None,
        fault: None,
    })
}
