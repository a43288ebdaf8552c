//! Collects the data records and documents of a file: everything that must be known before the first byte is written.
//! The data are skipped.

use std::collections::BTreeSet;

use linkstream::conformance::{Decoder, ErrorKind, Event};
use linkstream::field::{self, DescribedBy, Field};
use linkstream::ildg::{self, Format, GaugeKind};
use linkstream::io::FromStd;
use linkstream::io::Reader;
use linkstream::lattice::Region;
use linkstream::scidac::{self, PrivateFile, PrivateRecord};
use linkstream::{Class, Diagnostic as _, Mode, Severity};
use linkstream_memory as memory;

use super::error::Error;
use super::fault::Fault;
use super::input::{Place, Rereadable};
use super::lfn::{Names, is_update};
use super::nersc::lines::Lines;
use super::observer::{Observer, Warning};
use super::user_text::{is_of_user, without_header};
use crate::links::links_of_kind;
use crate::noted::{NOTE_LINE, Search};

/// A text longer than this is not copied.
pub(crate) const MAX_TEXT: usize = 16 << 20;
/// Number of findings printed; `check` lists all.
const MAX_WARNINGS: usize = 10;
/// Keys of header lines whose values follow from the links and from how they are stored.
pub const DERIVED: [&str; 14] = [
    "HDR_VERSION",
    "DATATYPE",
    "STORAGE_FORMAT",
    "DIMENSION_1",
    "DIMENSION_2",
    "DIMENSION_3",
    "DIMENSION_4",
    "LINK_TRACE",
    "PLAQUETTE",
    "CHECKSUM",
    "SCIDAC_CHECKSUMA",
    "SCIDAC_CHECKSUMB",
    "FLOATING_POINT",
    NOTE_LINE,
];
/// The header line of an archive with the number that ILDG calls the update number.
pub(super) const SEQUENCE_NUMBER: &str = "SEQUENCE_NUMBER";
/// Number of record types named in the warning about records left out.
const MAX_TYPES: usize = 8;

/// Contents of a file: its data records and its documents.
#[derive(Debug, Default)]
pub struct Found {
    /// The data records, in the order of the file.
    pub fields: Vec<FoundField>,
    /// The private file XML.
    pub private_file: Option<PrivateFile>,
    /// The user's text about the file.
    pub file_xml: Option<Vec<u8>>,
    /// True if the file has an earlier, different text of the user about the file, as concatenated files have.
    pub(super) has_earlier_file_xml: bool,
    /// All logical file names.
    pub names: Names,
    /// Types of the records that are not carried over.
    pub others: BTreeSet<String>,
}

impl Found {
    /// Warnings about texts of the user. A file without SciDAC documents loses them. Placeholders are not mentioned. Lines
    /// with a key, such as the header lines of a NERSC archive, are named, but for the number of the configuration if it
    /// is the update number of the output.
    #[must_use]
    pub fn texts_without_documents(&self, update: Option<&str>) -> Vec<Warning> {
        let mut keys = Vec::new();
        for field in &self.fields {
            let is_update = update.is_some() && field.line(SEQUENCE_NUMBER).as_deref() == update;
            for key in field.lines().keys() {
                let is_kept = is_update && key == SEQUENCE_NUMBER;
                if !is_kept && !DERIVED.contains(&key.as_str()) && !keys.contains(&key) {
                    keys.push(key);
                }
            }
        }
        let has_lines = |text: &[u8]| {
            let (lines, others) = Lines::of_record_xml(&String::from_utf8_lossy(text));
            !lines.keys().is_empty() && others.is_empty()
        };
        let mut warnings = self.texts(|text| {
            if has_lines(text) { is_of_user(without_header(text).as_bytes()) } else { is_of_user(text) }
        });
        if !keys.is_empty() {
            warnings.push(Warning::LinesLeftOut(keys));
        }
        warnings
    }

    /// The update number that an ILDG file with the only field gets: its own, or the number of the configuration
    /// in the header lines of an archive. Programs write 0 if they do not know it.
    #[must_use]
    pub fn update(&self) -> Option<String> {
        let [field] = &self.fields[..] else { return None };
        let number = || field.line(SEQUENCE_NUMBER).filter(|number| is_update(number) && number != "0");
        field.update.clone().or_else(number)
    }

    /// Warnings about texts of the user. A NERSC archive keeps only the header lines of them.
    pub(super) fn texts_without_header(&self) -> Vec<Warning> {
        self.texts(|text| is_of_user(without_header(text).as_bytes()))
    }

    fn texts(&self, is_lost: impl Fn(&[u8]) -> bool) -> Vec<Warning> {
        let mut of_records = self.fields.iter().filter_map(|field| field.record_xml.as_deref());
        let of_file = self.file_xml.as_deref().is_some_and(&is_lost).then_some(scidac::FILE_XML);
        let of_records = of_records.any(is_lost).then_some(scidac::RECORD_XML);
        of_file.into_iter().chain(of_records).map(Warning::TextLeftOut).collect()
    }
}

/// A data record and its documents.
#[derive(Debug)]
pub struct FoundField {
    /// Its description.
    pub field: Field,
    /// Place of its record, for messages.
    pub place: Place,
    /// The private record XML.
    pub record: Option<PrivateRecord>,
    /// The user's text about the record.
    pub record_xml: Option<Vec<u8>>,
    /// The `ildg-format`.
    pub format: Option<Format>,
    /// The update number.
    pub update: Option<String>,
    /// Logical file names in its message.
    pub names: Names,
    /// True if there is a checksum record.
    pub checksum: bool,
}

impl FoundField {
    /// The header lines of an archive in the user's text about the record.
    fn lines(&self) -> Lines {
        let text = self.record_xml.as_deref().map(String::from_utf8_lossy).unwrap_or_default();
        Lines::of_record_xml(&text).0
    }

    fn line(&self, key: &str) -> Option<String> {
        self.lines().text(key)
    }

    /// True if the record contains one link for each direction of the lattice, or for each direction with more than one
    /// site.
    #[must_use]
    pub fn is_gauge_field(&self) -> bool {
        is_gauge_field(&self.field, self.format.is_some())
    }

    /// The same if the caller states that data of the size of links of this kind are such links.
    pub(super) fn is_gauge_field_as(&self, kind: Option<GaugeKind>) -> bool {
        self.is_gauge_field() || kind.is_some_and(|kind| links_of_kind(&self.field, kind).is_some())
    }
}

/// Returns whether a field with links has the layout of a gauge field: an `ildg-format` describes it (`has_format`), or
/// a site has one link for each direction of the lattice.
#[must_use]
pub fn is_gauge_field(field: &Field, has_format: bool) -> bool {
    let all = u32::from(field.extents.dimensions());
    let links = field.links.filter(|_| field.region == Region::Lattice);
    links.is_some_and(|links| has_format || links.links == all)
}

/// The documents of the current message so far.
#[derive(Default)]
struct Documents {
    message: u64,
    format: Option<Format>,
    record: Option<PrivateRecord>,
    record_xml: Option<Vec<u8>>,
    update: Option<String>,
    names: Names,
}

/// Reads the records of a file from its start. `mode` decides which errors of the file end the reading.
///
/// # Errors
/// The file breaks a rule, its documents contradict each other, or it cannot be read; unless `mode` is
/// [`Mode::Survey`], also that a note in the file says that the data were damaged.
pub fn find(file: &mut dyn Rereadable, mode: Mode, observer: &mut dyn Observer) -> Result<Found, Error> {
    let mut remarks = Remarks::default();
    let found = look_through(file, mode, &mut remarks);
    remarks.report(file, observer);
    let mut found = found.map_err(|error| error.placed(file))?;
    for field in &mut found.fields {
        field.place = file.place(field.field.record.offset);
    }
    Ok(found)
}

fn look_through(file: &mut dyn Rereadable, mode: Mode, remarks: &mut Remarks) -> Result<Found, Error> {
    file.rewind().map_err(Error::Input)?;
    let mut buffer = vec![0; 64 << 10];
    let mut reader = Reader::new(FromStd(file), &mut buffer[..], Decoder::new(mode));
    let (mut found, mut documents, mut text) = (Found::default(), Documents::default(), Vec::new());
    let mut notes = Search::default();
    while let Some(event) = next(&mut reader)? {
        match event {
            Event::Record(record) => {
                if record.message != documents.message {
                    documents = Documents { message: record.message, ..Documents::default() };
                }
                text.clear();
                let record_type = reader.decoder().content().record_type();
                notes.record(record_type);
                if notes.is_found() && mode != Mode::Survey {
                    return Err(Error::at_byte(record.offset, Fault::DamageNoted));
                }
                if !is_known(record_type) {
                    if found.others.len() < MAX_TYPES {
                        found.others.insert(String::from_utf8_lossy(record_type).into_owned());
                    }
                    pass_over(&mut reader)?;
                }
            }
            Event::Payload if is_text(reader.decoder().content().record_type()) => {
                let decoder = reader.decoder().content();
                let at = decoder.lime().record().offset;
                if text.len().saturating_add(reader.bytes().len()) > MAX_TEXT {
                    let record_type = String::from_utf8_lossy(decoder.record_type()).into_owned();
                    return Err(Error::at_byte(at, Fault::LongText { record_type }));
                }
                memory::extend(&mut text, reader.bytes()).map_err(|short| Error::Input(short.into()))?;
                notes.feed(reader.bytes());
                if notes.is_found() && mode != Mode::Survey {
                    return Err(Error::at_byte(at, Fault::DamageNoted));
                }
            }
            Event::End => note(reader.decoder().content(), &mut text, &mut documents, &mut found),
            Event::Field => {
                let decoder = reader.decoder().content();
                found.fields.extend(described(decoder, &documents, remarks)?);
                pass_over(&mut reader)?;
            }
            Event::Finding(error) => remarks.found(&error),
            _ => {}
        }
    }
    Ok(found)
}

/// Handles a complete record: keeps what applies to the data that follow.
fn note(decoder: &field::Decoder, text: &mut Vec<u8>, documents: &mut Documents, found: &mut Found) {
    // Bytes after a NUL are not significant.
    let mut text = std::mem::take(text);
    text.truncate(text.iter().position(|byte| *byte == 0).unwrap_or(text.len()));
    let word = || String::from_utf8_lossy(&text).trim().to_owned();
    let is = |name: &str| decoder.record_type() == name.as_bytes();
    if is(ildg::FORMAT) {
        documents.format = decoder.format().cloned();
    } else if is(scidac::PRIVATE_RECORD_XML) {
        documents.record = decoder.private_record().cloned();
    } else if is(scidac::PRIVATE_FILE_XML) {
        found.private_file = decoder.private_file().cloned();
    } else if is(ildg::UPDATE) {
        documents.update = Some(word());
    } else if is(ildg::DATA_LFN) {
        let last = found.fields.last_mut().filter(|field| field.field.record.message == documents.message);
        last.map_or(&mut documents.names, |field| &mut field.names).add(&word());
        found.names.add(&word());
    } else if is(scidac::FILE_XML) {
        let earlier = found.file_xml.replace(text);
        found.has_earlier_file_xml |=
            earlier.is_some_and(|text| is_of_user(&text) && found.file_xml != Some(text));
    } else if is(scidac::RECORD_XML) {
        documents.record_xml = Some(text);
    } else if is(scidac::CHECKSUM)
        && let Some(field) = found.fields.last_mut()
    {
        field.checksum = field.field.record.message == documents.message;
    }
}

fn described(
    decoder: &field::Decoder,
    documents: &Documents,
    remarks: &mut Remarks,
) -> Result<Option<FoundField>, Error> {
    let Some(field) = decoder.field().copied() else { return Ok(None) };
    // A description can be in another message, which is reported as a finding.
    let (record, format) = match field.described_by {
        // In its ILDG mode, QIO writes a format for the whole lattice even if the record holds only a part of it.
        DescribedBy::Scidac if field.region != Region::Lattice => {
            let of_lattice =
                documents.format.as_ref().filter(|format| format.extents() == Some(field.extents));
            if of_lattice.is_some() {
                let what = "the ildg-format beside these data describes other data and is not copied";
                remarks.list.push((field.record.offset, what.to_owned()));
            }
            let format = documents.format.clone().filter(|_| of_lattice.is_none());
            (documents.record.clone().or(decoder.private_record().cloned()), format)
        }
        DescribedBy::Scidac => {
            (documents.record.clone().or(decoder.private_record().cloned()), documents.format.clone())
        }
        DescribedBy::Ildg => (None, documents.format.clone().or(decoder.format().cloned())),
    };
    if let Some(format) = &format {
        let agrees = field.links.is_some_and(|links| {
            let rows = [u32::from(format.rows()), u32::from(format.kind().colors())];
            [links.rows, links.columns] == rows && Some(format.precision()) == field.precision
        });
        if !agrees || format.extents() != Some(field.extents) {
            return Err(Error::at_byte(field.record.offset, Fault::DescriptionsDiffer));
        }
    }
    let (record_xml, update, names) =
        (documents.record_xml.clone(), documents.update.clone(), documents.names.clone());
    let place = Place::default();
    Ok(Some(FoundField { field, place, record, record_xml, format, update, names, checksum: false }))
}

/// Remarks about the source, with their offsets.
#[derive(Debug, Default)]
struct Remarks {
    list: Vec<(u64, String)>,
    /// Number of findings, which can exceed the length of the list.
    findings: usize,
}

impl Remarks {
    /// Adds a finding that affects the output. Checksums are verified later, when the data are read.
    fn found(&mut self, error: &linkstream::Error<ErrorKind>) {
        if error.kind.severity() < Severity::Warning || error.kind.class() == Class::Checksum {
            return;
        }
        self.findings = self.findings.saturating_add(1);
        if self.findings <= MAX_WARNINGS {
            self.list.push((error.at, error.kind.to_string()));
        }
    }

    fn report(self, file: &dyn Rereadable, observer: &mut dyn Observer) {
        for (at, what) in self.list {
            observer.warn(Warning::Finding { place: file.place(at), what });
        }
        if self.findings > MAX_WARNINGS {
            observer.warn(Warning::MoreFindings);
        }
    }
}

fn is_text(record_type: &[u8]) -> bool {
    let texts = [scidac::FILE_XML, scidac::RECORD_XML, ildg::UPDATE, ildg::DATA_LFN];
    texts.iter().any(|name| name.as_bytes() == record_type)
}

fn is_known(record_type: &[u8]) -> bool {
    let others = [scidac::PRIVATE_FILE_XML, scidac::PRIVATE_RECORD_XML, ildg::FORMAT, scidac::CHECKSUM];
    let data = [scidac::BINARY_DATA, ildg::BINARY_DATA];
    let is_fermion = scidac::FERMION_FORMATS.iter().any(|name| name.as_bytes() == record_type);
    is_fermion
        || is_text(record_type)
        || [&others[..], &data].concat().iter().any(|name| name.as_bytes() == record_type)
}

/// A reader of a file's events.
pub(super) type EventReader<'b, R, D> = Reader<FromStd<R>, &'b mut [u8], D>;

/// A decoder of fields, with or without conformance rules.
pub(super) trait Decodes:
    linkstream::Decode<ErrorKind: Into<ErrorKind> + Send + Sync + 'static>
{
}
impl<D: linkstream::Decode<ErrorKind: Into<ErrorKind> + Send + Sync + 'static>> Decodes for D {}

/// The next event; an error if the file breaks a rule or cannot be read.
pub(super) fn next<R: std::io::Read, D: Decodes>(
    reader: &mut EventReader<'_, R, D>,
) -> Result<Option<D::Event>, Error> {
    Ok(reader.next()?)
}

/// Skips payload.
pub(super) fn pass_over<R: std::io::Read + std::io::Seek, D: Decodes>(
    reader: &mut EventReader<'_, R, D>,
) -> Result<(), Error> {
    Ok(reader.skip_seeking()?)
}
