//! Opens the volumes of a set: reads their records, and the fields that the first volume describes. Data are skipped.

use linkstream::field::Field;
use linkstream::io::{ReadError, VolumeReader};
use linkstream::lattice::Region;
use linkstream::lime::Record;
use linkstream::scidac::VolumeFormat;
use linkstream::volume::{Decoder, ErrorKind, Event, Members, VolumeKind};
use linkstream::{Class, Diagnostic as _, Error, Mode, Severity};
use linkstream_memory as memory;

use super::missing::{Present, missing_names};
use super::open_volume::{OpenVolume, VolumeEntry};
use crate::findings::{Finding, Findings, Level};
use crate::source::{MAX_ENTRIES, SharedSource, Source, SourceError, fill_most};
use crate::source_reader::SourceReader;

/// Number of bytes of a volume that are read at a time.
const BUFFER: usize = 256 << 10;
/// Number of bytes of a site list that are read at a time.
const WINDOW: usize = 64 << 10;

/// A volume that can be read.
#[expect(missing_debug_implementations, reason = "sources need not implement it")]
pub struct VolumeSource<'s, E> {
    /// The name that the user would give.
    pub name: String,
    /// The number in its name.
    pub number: Option<u64>,
    pub source: SharedSource<'s, E>,
}

/// Reason why a file set cannot be read as one file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SetFault {
    /// An error that the report on the set contains too.
    #[error("{message}")]
    Found { class: Class, rule: &'static str, message: String },
    #[error("a site has more bytes than memory can hold")]
    LargeSites,
    #[error("the volumes have changed while they were read")]
    Changed,
}

/// A set whose records have been read.
#[expect(missing_debug_implementations, reason = "sources need not implement it")]
pub struct OpenSet<'s, E> {
    /// The volumes: the first volume, if there is one, and then the others in the given order.
    pub volumes: Vec<OpenVolume<'s, E>>,
    /// The fields that the first volume describes.
    pub fields: Vec<Field>,
    /// The records of the first volume, with their types.
    pub records: Vec<(Record, Vec<u8>)>,
    /// Findings about the set as a whole.
    pub findings: Findings,
    is_damaged: bool,
    /// Length of all volumes together.
    pub bytes: u64,
}

impl<E> OpenSet<'_, E> {
    /// The volume format in the first volume; `None` without a first volume.
    pub fn format(&self) -> Option<VolumeFormat> {
        let first = self.volumes.first()?;
        Some(first.decoder.content().private_file()?.volume_format())
    }

    /// The findings about the volumes, followed by those about the set, each with a message that names the volume.
    pub(crate) fn all_findings(&self) -> impl Iterator<Item = (&Finding, String)> {
        let of_volumes = self.volumes.iter().flat_map(|volume| {
            let file = &volume.entry.file;
            let findings = volume.entry.findings.as_slice().iter();
            findings.map(move |found| (found, format!("{file}: at byte {}: {}", found.offset, found.message)))
        });
        of_volumes.chain(self.findings.as_slice().iter().map(|found| (found, found.message.clone())))
    }

    /// True if each site is in exactly one volume, with data.
    pub fn is_whole(&self) -> bool {
        !self.is_damaged && self.volumes.iter().all(|volume| !volume.is_damaged)
    }

    /// Adds an error of the set as a whole.
    pub fn report(&mut self, kind: ErrorKind) {
        self.is_damaged |= kind.severity() >= Severity::Error;
        self.findings.add(&Error::new(0, kind));
    }

    /// Adds the error that `count` sites are in no volume. The first of them has the rank `first`, if it is known.
    pub(crate) fn report_missing(&mut self, count: u64, first: Option<u64>) {
        let of_volume = |volume: &OpenVolume<'_, E>| {
            Some(Present { number: volume.entry.number?, sites: volume.entry.sites, lowest: volume.lowest })
        };
        let volumes: Option<Vec<_>> = self.volumes.iter().map(of_volume).collect();
        match volumes.and_then(|volumes| missing_names(&volumes, count, first)) {
            Some(names) => {
                self.is_damaged = true;
                self.findings.add_with(&Error::new(0, ErrorKind::Missing { count }), &names);
            }
            None => self.report(ErrorKind::Missing { count }),
        }
    }
}

/// Opens a set or, with `is_alone`, one volume by itself.
pub fn open<'s, E: embedded_io::Error + Send>(
    sources: &[VolumeSource<'s, E>],
    is_alone: bool,
    lenient: bool,
) -> Result<OpenSet<'s, E>, SourceError<E>> {
    let mut bytes = 0_u64;
    let mut first_of_all = Vec::new();
    for source in sources {
        bytes = bytes.saturating_add(source.source.length().map_err(SourceError::Io)?);
        first_of_all.push(begins_as_first(&*source.source).map_err(SourceError::Io)?);
    }
    let identities: Vec<_> = sources.iter().map(|source| source.source.identity()).collect();
    // The first volume describes the others.
    let mut order: Vec<usize> = (0..sources.len()).collect();
    order.sort_by_key(|index| first_of_all.get(*index) != Some(&true));
    let (mut records, mut fields) = (Vec::new(), Vec::new());
    let (mut members, mut volumes) = (Members::new(), Vec::new());
    for (nth, index) in order.into_iter().enumerate() {
        let Some(source) = sources.get(index) else { continue };
        let entry = VolumeEntry {
            file: source.name.clone(),
            number: source.number,
            sites: 0,
            findings: Findings::new(lenient),
        };
        let mut volume = OpenVolume {
            source: source.source.clone(),
            data: Vec::new(),
            decoder: Decoder::new(Mode::Survey),
            entry,
            lowest: None,
            is_damaged: false,
        };
        if let Some(other) = same_file(&identities, index).and_then(|other| sources.get(other)) {
            volume.entry.findings.push(repeated(&other.name));
            volume.is_damaged = true;
            volume.data = memory::unwinding::collect(std::iter::repeat_n(None, fields.len()));
            volumes.push(volume);
            continue;
        }
        read_records(&mut volume, nth == 0, &mut fields, &mut records)?;
        if let Some(kind) = volume.decoder.kind() {
            let format =
                volume.decoder.content().private_file().map(linkstream::scidac::PrivateFile::volume_format);
            let wrong = members.add(source.number.unwrap_or(nth as u64), kind, format);
            wrong.iter().for_each(|kind| volume.report(&Error::new(0, *kind)));
        }
        volumes.push(volume);
    }
    let findings = Findings::new(lenient);
    let mut set = OpenSet { volumes, fields, records, findings, is_damaged: false, bytes };
    if !is_alone {
        let wrong = members.end().map(|kind| Error::new(0, kind));
        match (wrong, set.volumes.first_mut()) {
            (Some(wrong), Some(first)) if matches!(wrong.kind, ErrorKind::FirstMisplaced { .. }) => {
                first.report(&wrong);
            }
            (Some(wrong), _) => set.report(wrong.kind),
            _ => {}
        }
    }
    Ok(set)
}

/// The index of an earlier source that is the same file, even under another name.
fn same_file(identities: &[Option<(u64, u64)>], index: usize) -> Option<usize> {
    let identity = (*identities.get(index)?)?;
    identities.iter().take(index).position(|other| *other == Some(identity))
}

fn repeated(other: &str) -> Finding {
    Finding {
        severity: Level::Error,
        class: Class::Rule,
        rule: "volume-file-repeated",
        clause: "",
        offset: 0,
        message: format!("this is the same file as {other}, under another name"),
    }
}

/// The rest of a volume is not read.
fn too_many(offset: u64) -> Finding {
    Finding {
        severity: Level::Error,
        class: Class::Limit,
        rule: "entries-left-out",
        clause: "",
        offset,
        message: format!("the volume has more than {MAX_ENTRIES} records; from here on, it is not read"),
    }
}

/// Returns whether a volume begins with the documents of a file set.
fn begins_as_first<E: embedded_io::Error + Send>(source: &dyn Source<Error = E>) -> Result<bool, E> {
    let mut header = [0; 144];
    fill_most(source, 0, &mut header)?;
    let kind = linkstream::scidac::PRIVATE_FILE_XML.as_bytes();
    let name = header.get(16..).and_then(|name| name.strip_prefix(kind));
    Ok(name.is_some_and(|rest| rest.first() == Some(&0)))
}

/// Reads the records of a volume and skips their data. The first volume describes the fields.
#[expect(clippy::arithmetic_side_effects, reason = "an entry of a list has 4 or 8 bytes")]
fn read_records<E: embedded_io::Error + Send>(
    volume: &mut OpenVolume<'_, E>,
    is_first: bool,
    fields: &mut Vec<Field>,
    records: &mut Vec<(Record, Vec<u8>)>,
) -> Result<(), SourceError<E>> {
    let (mut window, mut buffer) = (vec![0; WINDOW], vec![0; BUFFER]);
    let source = volume.source.clone();
    let source = SourceReader::new(&*source);
    let mut reader = VolumeReader::new(source, &mut window, &mut buffer, volume.decoder.clone());
    let with_sites: Vec<usize> = (0..)
        .zip(&*fields)
        .filter(|(_, field)| field.region != Region::Global)
        .map(|(index, _)| index)
        .collect();
    let mut expected = with_sites.iter();
    let mut next = if is_first { None } else { expected.next() };
    if let Some(field) = next.and_then(|index| fields.get(*index)) {
        reader.decoder_mut().expect_field(field);
    }
    volume.data = memory::unwinding::collect(std::iter::repeat_n(None, fields.len()));
    loop {
        let event = match reader.next() {
            Ok(Some(event)) => event,
            Ok(None) => break,
            Err(ReadError::Format(error)) => {
                volume.report(&error);
                break;
            }
            Err(ReadError::Io(error)) => return Err(SourceError::Io(error)),
            Err(_) => return Err(SourceError::NoProgress),
        };
        let decoder = reader.decoder();
        match event {
            Event::Record(record) if is_first => {
                if records.len() >= MAX_ENTRIES {
                    volume.entry.findings.push(too_many(record.offset));
                    volume.is_damaged = true;
                    break;
                }
                memory::unwinding::push(records, (record, decoder.content().record_type().to_vec()));
            }
            Event::Field if is_first => {
                decoder.field().into_iter().for_each(|field| memory::unwinding::push(fields, *field));
                memory::unwinding::push(&mut volume.data, decoder.field().map(|field| field.record));
            }
            Event::Field => {
                if let (Some(index), Some(field)) = (next, decoder.field())
                    && let Some(record) = volume.data.get_mut(*index)
                {
                    *record = Some(field.record);
                    next = expected.next();
                }
            }
            Event::End if decoder.kind() == Some(VolumeKind::Other) => {
                if let Some(field) = next.and_then(|index| fields.get(*index)) {
                    reader.decoder_mut().expect_field(field);
                }
            }
            // The documents of the first volume are checked like documents of a single file.
            Event::Finding(error) if !is_first || !is_of_documents(&error.kind) => volume.report(&error),
            _ => {}
        }
    }
    volume.decoder = reader.into_parts().1;
    let list = volume.decoder.site_list().map_or(0, |list| list.length);
    volume.entry.sites = list / volume.decoder.entry_width().size() as u64;
    Ok(())
}

/// Returns whether the survey of single files reports this kind of error too.
fn is_of_documents(kind: &ErrorKind) -> bool {
    matches!(kind, ErrorKind::Field(_)) && !kind.rule().starts_with("lime-")
}
