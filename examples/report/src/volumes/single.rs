//! A set as the single file with the same fields: the documents of the first volume, and data in lexicographic order.
//!
//! The file is made while it is read. Moving to a place within data that was not reached by reading starts the data
//! again.

use std::io::{self, Read, Seek, SeekFrom};

use linkstream::Mode;
use linkstream::io::{ReadError, Reader};
use linkstream::lattice::Region;
use linkstream::lime::{Decoder, Event, HEADER_LEN, Header, Record, padding};
use linkstream::scidac::{PRIVATE_FILE_XML, PrivateFile, SITELIST, VolumeFormat};

use super::count::count_sites;
use super::fault::SetFault;
use super::merge::{Merge, MergeError};
use super::open::{OpenSet, VolumeSource, open};
use super::reader::PartsReader;
use crate::findings::Level;
use crate::options::Options;
use crate::parts::{PartError, fill};
use crate::reading::SurveyError;

/// The longest document about the file that is written here has eight extents.
const DOCUMENT: usize = 1024;

/// A set, read as a single file.
#[expect(missing_debug_implementations, reason = "sources need not have it")]
pub struct SetAsFile<'s> {
    set: OpenSet<'s, io::Error>,
    segments: Vec<Segment>,
    at: u64,
    /// The data that are being read: which segment, and how far.
    reading: Option<(usize, u64, Merge<'s, io::Error>)>,
}

/// A part of the file.
struct Segment {
    start: u64,
    length: u64,
    content: Content,
}

enum Content {
    Bytes(Vec<u8>),
    /// Bytes of the first volume, from this offset on.
    First(u64),
    /// The data of the field with this index.
    Sites(usize),
}

impl<'s> SetAsFile<'s> {
    /// Opens a set.
    ///
    /// # Errors
    /// A volume cannot be read, or the set has errors; those are a [`SetFault`] inside.
    pub fn open(sources: &[VolumeSource<'s, io::Error>]) -> io::Result<Self> {
        let options = Options {
            read_data: false,
            observables: false,
            slices: false,
            lenient: true,
            require_checksum: false,
        };
        let mut set = open(sources, false, &options).map_err(of_survey)?;
        count_sites(&mut set, false).map_err(of_survey)?;
        if let Some((found, message)) = set.all_findings().find(|(found, _)| found.severity == Level::Error) {
            return Err(invalid(SetFault::Found { rule: found.rule, message }));
        }
        let mut file = Self { set, segments: Vec::new(), at: 0, reading: None };
        for record in file.records()? {
            file.add(&record)?;
        }
        Ok(file)
    }

    /// What is wrong with the set, but affects no data: messages.
    pub fn warnings(&self) -> impl Iterator<Item = String> {
        self.set
            .all_findings()
            .filter(|(found, _)| found.rule.starts_with("volume-"))
            .map(|(_, message)| message)
    }

    /// The length of the file in bytes.
    pub fn length(&self) -> u64 {
        self.segments.last().map_or(0, |last| last.start + last.length)
    }

    /// The records of the first volume.
    fn records(&self) -> io::Result<Vec<Record>> {
        let Some(first) = self.set.volumes.first() else { return Ok(Vec::new()) };
        let mut buffer = [0; 4096];
        let source = PartsReader::new(first.parts);
        let mut reader = Reader::new(source, &mut buffer, Decoder::new(Mode::Lenient));
        let mut records = Vec::new();
        let failed = |error| match error {
            ReadError::Io(error) => error,
            _ => invalid(SetFault::Changed),
        };
        while let Some(event) = reader.next().map_err(failed)? {
            if let Event::Record(record) = event {
                records.push(record);
                reader.skip_seeking().map_err(failed)?;
            }
        }
        Ok(records)
    }

    /// Adds what the file has in place of a record of the first volume.
    fn add(&mut self, record: &Record) -> io::Result<()> {
        let Some(first) = self.set.volumes.first() else { return Ok(()) };
        let mut raw = [0; HEADER_LEN];
        fill(first.parts, record.offset, &mut raw).map_err(of_part)?;
        let header = Header::from_bytes(raw);
        let record_type = header.record_type().to_vec();
        if record_type == SITELIST.as_bytes() {
            return Ok(());
        }
        if record_type == PRIVATE_FILE_XML.as_bytes()
            && let Some(document) = first.decoder.private_file()
        {
            let document = of_single(document).ok_or_else(|| invalid(SetFault::Changed))?;
            self.begin(&record_type, record, document.len() as u64)?;
            let length = document.len() as u64;
            self.push(length, Content::Bytes(document));
            self.pad(length);
            return Ok(());
        }
        let field = self.set.fields.iter().position(|field| field.field.record.offset == record.offset);
        let field = field.filter(|index| self.set.fields[*index].field.region != Region::Global);
        let Some(index) = field else {
            // The padding of the last record can be cut off.
            self.push(HEADER_LEN as u64 + record.length, Content::First(record.offset));
            self.pad(record.length);
            return Ok(());
        };
        let field = &self.set.fields[index].field;
        let length = field.sites().checked_mul(field.bytes_per_site);
        let length = length.ok_or_else(|| invalid(SetFault::LargeSites))?;
        self.begin(&record_type, record, length)?;
        self.push(length, Content::Sites(index));
        self.pad(length);
        Ok(())
    }

    /// The header of a record in place of another one.
    fn begin(&mut self, record_type: &[u8], record: &Record, length: u64) -> io::Result<()> {
        let header = Header::new(record_type, length, record.begin, record.end);
        let header = header.map_err(|_| invalid(SetFault::Changed))?;
        self.push(HEADER_LEN as u64, Content::Bytes(header.as_bytes().to_vec()));
        Ok(())
    }

    fn pad(&mut self, length: u64) {
        let padding = padding(length);
        self.push(padding.into(), Content::Bytes(vec![0; padding.into()]));
    }

    fn push(&mut self, length: u64, content: Content) {
        if length > 0 {
            self.segments.push(Segment { start: self.length(), length, content });
        }
    }

    /// Reads data of a field, from `from` on.
    fn sites(&mut self, segment: usize, index: usize, from: u64, out: &mut [u8]) -> io::Result<usize> {
        let is_there = |(other, at, _): &(usize, u64, _)| *other == segment && *at == from;
        let (_, _, mut merge) = match self.reading.take().filter(is_there) {
            Some(reading) => reading,
            None => {
                let mut merge =
                    Merge::new(&self.set, index, &self.set.fields[index].field).map_err(of_merge)?;
                merge.skip(from).map_err(of_merge)?;
                (segment, from, merge)
            }
        };
        let n = merge.read(out).map_err(of_merge)?;
        self.reading = Some((segment, from + n as u64, merge));
        Ok(n)
    }
}

impl Read for SetAsFile<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let number = self.segments.partition_point(|segment| segment.start <= self.at).saturating_sub(1);
        let Some(segment) = self.segments.get(number) else { return Ok(0) };
        let (from, left) =
            (self.at - segment.start, (segment.start + segment.length).saturating_sub(self.at));
        let length = usize::try_from(left).map_or(out.len(), |left| left.min(out.len()));
        let out = &mut out[..length];
        if out.is_empty() {
            return Ok(0);
        }
        let n = match &segment.content {
            Content::Bytes(bytes) => {
                out.copy_from_slice(&bytes[from as usize..from as usize + length]);
                length
            }
            Content::First(offset) => {
                let at = offset + from;
                let first = self.set.volumes.first().ok_or_else(|| invalid(SetFault::Changed))?;
                fill(first.parts, at, out).map_err(of_part)?;
                length
            }
            Content::Sites(index) => {
                let index = *index;
                self.sites(number, index, from, out)?
            }
        };
        self.at += n as u64;
        Ok(n)
    }
}

impl Seek for SetAsFile<'_> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let target = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
            SeekFrom::End(by) => self.length().checked_add_signed(by),
        };
        self.at = target.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}

/// The document about the file, for a single file.
fn of_single(document: &PrivateFile) -> Option<Vec<u8>> {
    let mut buffer = vec![0; DOCUMENT];
    let length = document.clone().with_volume_format(VolumeFormat::Single).emit(&mut buffer).ok()?;
    buffer.truncate(length);
    Some(buffer)
}

fn invalid(fault: SetFault) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, fault)
}

fn of_survey(error: SurveyError<io::Error>) -> io::Error {
    match error {
        SurveyError::Io(error) => error,
        SurveyError::PositionUnknown | SurveyError::NoProgress => invalid(SetFault::Changed),
    }
}

fn of_merge(error: MergeError<io::Error>) -> io::Error {
    match error {
        MergeError::Io(error) => error,
        MergeError::Fault(fault) => invalid(fault),
    }
}

fn of_part(error: PartError<io::Error>) -> io::Error {
    match error {
        PartError::Io(error) => error,
        PartError::Ended => invalid(SetFault::Changed),
    }
}
