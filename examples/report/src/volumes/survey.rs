//! Reads all volumes of a set, and reports on them as on one file.

use std::ffi::OsStr;
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use linkstream::Class;
use linkstream::volume::VolumeKind;
use linkstream_access::SourceReader;
use linkstream_access::changed::blame;
use linkstream_access::set::{Joined, OpenSet, VolumeEntry, VolumeSource, count_sites, open};

use super::contents::SetContents;
use super::data::SetData;
use crate::entries::{Entry, pass};
use crate::findings::{Finding, Findings};
use crate::left_out::{LeftOut, MAX_ENTRIES};
use crate::lime::{self, Contents, RecordEntry};
use crate::options::Options;
use crate::reading::{BySeeking, SurveyError};
use crate::report::{Body, Report};

/// Number of bytes of documents that are read at a time.
const BUFFER: usize = 64 << 10;

/// Surveys a set or, with `alone`, one volume by itself. `name` is the name in the report.
pub fn survey<E: embedded_io::Error + Send>(
    sources: &[VolumeSource<'_, E>],
    name: &str,
    is_alone: bool,
    options: &Options,
) -> Result<Report, SurveyError<E>> {
    let receiver = options.receiver;
    // The entries are passed on when they belong to the volumes.
    let options = &Options { receiver: None, ..*options };
    let mut set = open(sources, is_alone, options.lenient)?;
    count_sites(&mut set, is_alone)?;
    let format = set.format();
    let (mut set, mut contents) = match format {
        Some(_) => as_one_file(set, is_alone, options)?,
        None => {
            let contents = records(&mut set, options)?;
            (set, contents)
        }
    };
    set.volumes.sort_by_key(|volume| volume.entry.number);
    let entries: Vec<VolumeEntry> = set.volumes.into_iter().map(|volume| volume.entry).collect();
    // Findings about the volumes are listed first, because they are the causes of those about the set.
    let mut all = Findings::new(options.lenient).passed_to(receiver.map(|receiver| receiver.finding));
    contents.records.iter().try_for_each(|record| pass(receiver, &Entry::Record(record)))?;
    contents.fields.iter().try_for_each(|field| pass(receiver, &Entry::Field(&contents, field)))?;
    for entry in &entries {
        entry.findings.as_slice().iter().for_each(|finding| all.push(in_volume(finding, &entry.file)));
    }
    set.findings.take().into_iter().for_each(|finding| all.push(finding));
    contents.set = Some(SetContents { format, volumes: entries, is_alone });
    Ok(Report {
        file: name.to_owned(),
        file_bytes: None,
        bytes: set.bytes,
        body: Body::Lime(contents),
        findings: all,
        require_checksum: options.require_checksum,
        readers: Vec::new(),
        packing: Vec::new(),
    })
}

/// The finding with the name of its volume.
fn in_volume(finding: &Finding, file: &str) -> Finding {
    let name = Path::new(file).file_name().and_then(OsStr::to_str).unwrap_or(file);
    Finding { message: format!("{name}: {}", finding.message), ..*finding }
}

/// Surveys the file set as the single file with the same fields. All offsets become offsets in the volumes.
fn as_one_file<'s, E: embedded_io::Error + Send>(
    set: OpenSet<'s, E>,
    is_alone: bool,
    options: &Options,
) -> Result<(OpenSet<'s, E>, Contents), SurveyError<E>> {
    let is_whole = set.is_whole();
    let joined = match Joined::new(set) {
        Ok(joined) => joined,
        Err(refused) => {
            let (mut set, _) = *refused;
            let contents = records(&mut set, options)?;
            return Ok((set, contents));
        }
    };
    let options = Options { read_data: options.read_data && !is_alone, ..*options };
    let data = SetData { joined: &joined, is_whole, faults: Mutex::default() };
    let mut found = Findings::new(options.lenient);
    let source = SourceReader::new(&joined);
    let (mut contents, _) =
        lime::survey::<BySeeking, _>(source, Some(&data), &mut vec![0; BUFFER], &options, &mut found)?;
    if is_alone {
        // The data of one volume are parts of fields.
        (contents.fields, contents.usqcd) = (Vec::new(), None);
        contents.fields_left_out = LeftOut::default();
    }
    let faults = data.faults.into_inner().unwrap_or_else(PoisonError::into_inner);
    let (mut findings, mut of_all): (Vec<(usize, Finding)>, Vec<Finding>) = (Vec::new(), Vec::new());
    for finding in found.take() {
        // The volume decoder has already reported errors in the records themselves.
        if finding.rule == MISMATCH {
            match blamed(&finding, &contents, &joined) {
                (Some(volume), finding) => findings.push((volume, finding)),
                // The sums cover all volumes, so none is to blame.
                (None, finding) => of_all.push(finding),
            }
        } else if !finding.rule.starts_with("lime-") {
            let (volume, offset) = joined.origin(finding.offset);
            findings.push((volume, Finding { offset, ..finding }));
        }
    }
    return_to_volumes(&mut contents, &joined);
    let mut set = joined.set;
    of_all.into_iter().for_each(|finding| set.findings.push(finding));
    for (volume, finding) in findings {
        let Some(volume) = set.volumes.get_mut(volume) else {
            // Every finding belongs to a volume of the set. One that did not would still have to be shown.
            set.findings.push(finding);
            continue;
        };
        let entry = &mut volume.entry;
        // Errors in the joined data are consequences of errors in single volumes, so they are listed after these.
        if matches!(finding.class, Class::Checksum | Class::Decode) && finding.rule != MISMATCH {
            set.findings.push(in_volume(&finding, &entry.file));
        } else {
            entry.findings.push(finding);
        }
    }
    for (volume, error) in faults {
        match set.volumes.get_mut(volume) {
            Some(volume) => volume.report(&error),
            None => set.report(error.kind),
        }
    }
    Ok((set, contents))
}

/// The rule of data that do not have their checksum.
const MISMATCH: &str = "checksum-mismatch";

/// The finding about the checksum of all volumes, with the place of the damage: its volume if it is known.
fn blamed<E: embedded_io::Error + Send>(
    finding: &Finding,
    contents: &Contents,
    joined: &Joined<'_, E>,
) -> (Option<usize>, Finding) {
    let mut known = contents.fields.iter().filter_map(|entry| entry.changed.as_ref());
    let changed = known.find(|(at, _)| *at == finding.offset).map(|(_, changed)| changed);
    // Without the place in the single file.
    let (message, _) = finding.message.split_once("; ").unwrap_or((&finding.message, ""));
    let (message, place) = blame(message, changed, joined);
    let offset = place.map_or_else(|| joined.origin(finding.offset).1, |(_, offset)| offset);
    (place.map(|(volume, _)| volume), Finding { message, offset, ..*finding })
}

/// Changes the offsets of records and fields to offsets in the first volume.
fn return_to_volumes<E: embedded_io::Error + Send>(contents: &mut Contents, joined: &Joined<'_, E>) {
    for field in &mut contents.fields {
        field.field.record = joined.record_at(field.field.record.offset).unwrap_or(field.field.record);
        for recorded in &mut field.recorded {
            (_, recorded.offset) = joined.origin(recorded.offset);
        }
    }
    let mut in_file = std::mem::take(&mut contents.records).into_iter().peekable();
    for (record, record_type) in joined.set.records.iter().take(MAX_ENTRIES) {
        let is_this = |entry: &RecordEntry| joined.origin(entry.record.offset).1 == record.offset;
        let (text, is_field) =
            in_file.next_if(is_this).map_or((None, false), |entry| (entry.text, entry.is_field));
        let record_type = record_type.clone();
        contents.records.push(RecordEntry { record: *record, record_type, text, is_field });
    }
}

/// Records and texts of the volume that is listed first, for a file set that cannot be read as one file. If it is the
/// first volume of the file set, its documents show why.
fn records<E: embedded_io::Error + Send>(
    set: &mut OpenSet<'_, E>,
    options: &Options,
) -> Result<Contents, SurveyError<E>> {
    let Some(volume) = set.volumes.first_mut() else { return Ok(Contents::default()) };
    let options = Options { read_data: false, observables: false, ..*options };
    let mut found = Findings::new(options.lenient);
    let source = SourceReader::new(&*volume.source);
    let (contents, _) =
        lime::survey::<BySeeking, _>(source, None, &mut vec![0; BUFFER], &options, &mut found)?;
    // The volume decoder has already reported errors in the records, and all errors in volumes other than the first.
    let is_first = volume.decoder.kind() == Some(VolumeKind::First);
    for finding in found.take().into_iter().filter(|_| is_first) {
        if !finding.rule.starts_with("lime-") && finding.rule != "scidac-volume-set" {
            volume.entry.findings.push(finding);
        }
    }
    Ok(contents)
}
