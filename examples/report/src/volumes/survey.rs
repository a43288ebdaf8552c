//! Reads all volumes of a set, and reports what was found as of one file.

use linkstream::io::{ReadError, VolumeReader};
use linkstream::lattice::Region;
use linkstream::scidac::{StoredChecksum, VolumeFormat};
use linkstream::volume::{Decoder, ErrorKind, Event, Members, SiteAccount, VolumeKind};
use linkstream::{Diagnostic as _, Error, Mode};

use super::contents::{SetContents, VolumeEntry};
use super::fields::{self, SetField};
use super::open_volume::{OpenVolume, for_each_rank};
use super::reader::PartsReader;
use crate::findings::{Finding, Findings, Level};
use crate::lime::{self, Contents};
use crate::options::Options;
use crate::parts::Parts;
use crate::reading::{BySeeking, SurveyError};
use crate::report::{Body, Report};

/// Bytes of a volume that are read at a time, at least a site's.
const BUFFER: usize = 256 << 10;
/// Bytes of a site list that are read at a time.
const WINDOW: usize = 64 << 10;
/// A bit for each site may take so much memory, or as much as the site lists.
const MAP: u64 = 64 << 20;

/// A volume that can be read.
#[expect(missing_debug_implementations, reason = "sources need not have it")]
pub struct VolumeSource<'s, E> {
    /// As the user would name it.
    pub name: String,
    /// The number in its name.
    pub number: Option<u64>,
    pub parts: &'s dyn Parts<Error = E>,
}

/// Surveys a set, or with `alone` one volume by itself. The report is about `name`.
pub fn survey<E: embedded_io::Error + Send>(
    sources: &[VolumeSource<'_, E>],
    name: &str,
    is_alone: bool,
    options: &Options,
) -> Result<Report, SurveyError<E>> {
    let mut bytes = 0;
    let mut first_of_all = Vec::new();
    for source in sources {
        bytes += source.parts.length().map_err(SurveyError::Io)?;
        first_of_all.push(begins_as_first(source.parts).map_err(SurveyError::Io)?);
    }
    // The first volume describes the others.
    let mut order: Vec<usize> = (0..sources.len()).collect();
    order.sort_by_key(|index| !first_of_all[*index]);
    let mut findings = Findings::new(options.lenient);
    let (mut contents, mut fields) = (Contents::default(), Vec::new());
    let (mut members, mut volumes) = (Members::new(), Vec::new());
    for (nth, index) in order.into_iter().enumerate() {
        let source = &sources[index];
        let entry = VolumeEntry {
            file: source.name.clone(),
            number: source.number,
            sites: 0,
            findings: Findings::new(options.lenient),
        };
        let mut volume =
            OpenVolume { parts: source.parts, data: Vec::new(), decoder: Decoder::new(Mode::Survey), entry };
        if nth == 0 {
            contents = documents(&mut volume, first_of_all[index], options)?;
        }
        read_records(&mut volume, nth == 0, &mut fields)?;
        if let Some(kind) = volume.decoder.kind() {
            let format = volume.decoder.private_file().map(linkstream::scidac::PrivateFile::volume_format);
            let wrong = members.add(source.number.unwrap_or(nth as u64), kind, format);
            wrong.iter().for_each(|kind| volume.entry.findings.add(&Error::new(0, *kind)));
        }
        volumes.push(volume);
    }
    if !is_alone {
        members.end().iter().for_each(|kind| findings.add(&Error::new(0, *kind)));
    }
    let format =
        volumes.first().and_then(|volume| volume.decoder.private_file()).map(|file| file.volume_format());
    count_sites(&mut volumes, format, is_alone, &mut findings)?;
    volumes.sort_by_key(|volume| volume.entry.number);
    let is_sound = |volumes: &[OpenVolume<'_, E>], findings: &Findings| {
        let sound = |findings: &Findings| findings.count(Level::Error) == 0;
        sound(findings) && volumes.iter().all(|volume| sound(&volume.entry.findings))
    };
    if !is_alone {
        let sound = is_sound(&volumes, &findings);
        for (index, field) in fields.iter().enumerate() {
            fields::read(index, field, &mut volumes, sound, options, &mut contents, &mut findings)?;
        }
        lime::compare_recorded(&mut contents).into_iter().for_each(|finding| findings.push(finding));
    }
    let entries: Vec<VolumeEntry> = volumes.into_iter().map(|volume| volume.entry).collect();
    // What is wrong with the set follows from what is wrong with its volumes.
    let mut all = Findings::new(options.lenient);
    for entry in &entries {
        entry.findings.as_slice().iter().for_each(|finding| all.push(in_volume(finding, &entry.file)));
    }
    findings.take().into_iter().for_each(|finding| all.push(finding));
    contents.set = Some(SetContents { format, volumes: entries, is_alone });
    Ok(Report {
        file: name.to_owned(),
        file_bytes: None,
        bytes,
        body: Body::Lime(contents),
        findings: all,
        require_checksum: options.require_checksum,
        readers: Vec::new(),
    })
}

/// The finding with the name of its volume.
fn in_volume(finding: &Finding, file: &str) -> Finding {
    let name = file.rsplit('/').next().unwrap_or(file);
    Finding { message: format!("{name}: {}", finding.message), ..*finding }
}

/// Whether a volume begins with the documents of a set.
fn begins_as_first<E: embedded_io::Error + Send>(parts: &dyn Parts<Error = E>) -> Result<bool, E> {
    let mut header = [0; 144];
    let mut have = 0;
    while have < header.len() {
        match parts.read_at(have as u64, &mut header[have..])? {
            0 => break,
            n => have += n,
        }
    }
    let kind = linkstream::scidac::PRIVATE_FILE_XML.as_bytes();
    Ok(header[16..].starts_with(kind) && header[16 + kind.len()] == 0)
}

/// Records and texts of a volume; what is wrong with its documents.
fn documents<E: embedded_io::Error + Send>(
    volume: &mut OpenVolume<'_, E>,
    is_first: bool,
    options: &Options,
) -> Result<Contents, SurveyError<E>> {
    let mut found = Findings::new(options.lenient);
    let without_data = Options { read_data: false, observables: false, ..*options };
    let source = PartsReader::new(volume.parts);
    let mut buffer = vec![0; BUFFER];
    let (contents, _) = lime::survey::<BySeeking, _>(source, None, &mut buffer, &without_data, &mut found)?;
    for finding in found.take() {
        // What is right in a volume, and what the decoder of volumes reports itself.
        let is_framing = finding.rule.starts_with("lime-");
        if is_first && finding.rule != "scidac-volume-set" && !is_framing {
            volume.entry.findings.push(finding);
        }
    }
    Ok(contents)
}

/// Reads the records of a volume and passes over their data. The first one describes the fields.
fn read_records<E: embedded_io::Error + Send>(
    volume: &mut OpenVolume<'_, E>,
    is_first: bool,
    fields: &mut Vec<SetField>,
) -> Result<(), SurveyError<E>> {
    let (mut window, mut buffer) = (vec![0; WINDOW], vec![0; BUFFER]);
    let source = PartsReader::new(volume.parts);
    let mut reader = VolumeReader::new(source, volume.decoder.clone(), &mut window, &mut buffer);
    let with_sites: Vec<usize> =
        (0..fields.len()).filter(|index| fields[*index].field.region != Region::Global).collect();
    let mut expected = with_sites.iter();
    let mut next = if is_first { None } else { expected.next() };
    if let Some(index) = next {
        reader.decoder_mut().expect_field(&fields[*index].field);
    }
    volume.data = vec![None; fields.len()];
    loop {
        let event = match reader.next() {
            Ok(Some(event)) => event,
            Ok(None) => break,
            Err(ReadError::Format(error)) => {
                volume.entry.findings.add(&error);
                break;
            }
            Err(ReadError::Io(error)) => return Err(SurveyError::Io(error)),
            Err(_) => return Err(SurveyError::NoProgress),
        };
        let decoder = reader.decoder();
        match event {
            Event::Field if is_first => {
                fields.extend(SetField::of(decoder));
                volume.data.push(decoder.field().map(|field| field.record));
            }
            Event::Field => {
                if let (Some(index), Some(field)) = (next, decoder.field()) {
                    volume.data[*index] = Some(field.record);
                    next = expected.next();
                }
            }
            Event::End if decoder.kind() == Some(VolumeKind::Other) => {
                if let Some(index) = next {
                    reader.decoder_mut().expect_field(&fields[*index].field);
                }
            }
            Event::Checksum if is_first => {
                let stored: StoredChecksum = decoder.stored_checksum().clone();
                if let Some(field) = fields.last_mut() {
                    field.stored = Some(stored);
                }
            }
            // The documents of the first volume have been judged before.
            Event::Finding(error) if !is_first || !is_of_documents(&error.kind) => {
                volume.entry.findings.add(&error);
            }
            _ => {}
        }
    }
    volume.decoder = reader.into_parts().1;
    let list = volume.decoder.site_list().map_or(0, |list| list.length);
    volume.entry.sites = list / volume.decoder.entry_width().bytes() as u64;
    Ok(())
}

/// Whether the survey of single files reports it, too.
fn is_of_documents(kind: &ErrorKind) -> bool {
    matches!(kind, ErrorKind::Field(_)) && !kind.rule().starts_with("lime-")
}

/// Counts the sites of all volumes. One alone is judged by itself.
fn count_sites<E: embedded_io::Error + Send>(
    volumes: &mut [OpenVolume<'_, E>],
    format: Option<VolumeFormat>,
    is_alone: bool,
    findings: &mut Findings,
) -> Result<(), SurveyError<E>> {
    let lattice =
        volumes.first().and_then(|volume| volume.decoder.private_file()).and_then(|file| file.extents());
    let Some(lattice) = lattice else { return Ok(()) };
    let lists: u64 = volumes.iter().map(|volume| volume.entry.sites).sum();
    let needed = SiteAccount::map_length(&lattice);
    let mut map =
        if needed <= MAP.max(lists.saturating_mul(4)) { vec![0; needed as usize] } else { Vec::new() };
    let mut account = match SiteAccount::with_map(&lattice, &mut map) {
        Ok(account) => account,
        Err(_) => SiteAccount::new(&lattice),
    };
    let is_partition = format != Some(VolumeFormat::Multifile);
    for volume in volumes.iter_mut() {
        let Some(list) = volume.decoder.site_list() else { continue };
        account.begin_volume();
        for_each_rank(volume, |rank| account.take(rank))?;
        let width = volume.decoder.entry_width();
        account.end_volume(&list, width, is_partition).for_each(|error| volume.entry.findings.add(&error));
    }
    if !is_alone {
        account.end().iter().for_each(|kind| findings.add(&Error::new(0, *kind)));
    }
    Ok(())
}
