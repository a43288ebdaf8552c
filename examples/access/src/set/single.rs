//! Reads a set as the single file with the same fields.
//!
//! The file is produced while it is read. After seeking to an offset inside data, the data are merged again from their
//! beginning.

use std::io::{self, Read, Seek, SeekFrom};

use super::count::count_sites;
use super::fault::SetFault;
use super::joined::{Content, Joined};
use super::merge::{Merge, MergeError};
use super::open::{VolumeSource, open};
use crate::findings::Level;
use crate::source::Source as _;
use crate::source::SourceError;
use crate::text::shown;
use crate::write::{Place, Rereadable};

/// A set, read as a single file.
#[expect(missing_debug_implementations, reason = "sources need not implement it")]
pub struct SetAsFile<'s> {
    joined: Joined<'s, io::Error>,
    at: u64,
    /// The data that are being read: the index of the segment, the offset in it, and the reader.
    reading: Option<(usize, u64, Merge<'s, io::Error>)>,
}

impl<'s> SetAsFile<'s> {
    /// Opens a set.
    ///
    /// # Errors
    /// A volume cannot be read, or the set has errors; the error then contains a [`SetFault`].
    pub fn open(sources: &[VolumeSource<'s, io::Error>]) -> io::Result<Self> {
        let mut set = open(sources, false, true).map_err(of_survey)?;
        count_sites(&mut set, false).map_err(of_survey)?;
        if let Some((found, message)) = set.all_findings().find(|(found, _)| found.severity == Level::Error) {
            return Err(invalid(SetFault::Found { rule: found.rule, message }));
        }
        let joined = Joined::new(set).map_err(|refused| invalid(refused.1))?;
        Ok(Self { joined, at: 0, reading: None })
    }

    /// Messages about findings that affect no data.
    pub fn warnings(&self) -> impl Iterator<Item = String> {
        self.joined.set.all_findings().map(|(_, message)| message)
    }

    /// The length of the file in bytes.
    pub fn length(&self) -> u64 {
        self.joined.length()
    }

    /// The place of a byte: the name of the volume, and the offset there.
    pub fn origin(&self, at: u64) -> (&str, u64) {
        let (volume, offset) = self.joined.origin(at);
        (self.joined.set.volumes.get(volume).map_or("", |volume| &volume.entry.file), offset)
    }

    /// Reads data of a field, from `from` on.
    fn sites(&mut self, segment: usize, index: usize, from: u64, out: &mut [u8]) -> io::Result<usize> {
        let is_there = |(other, at, _): &(usize, u64, _)| *other == segment && *at == from;
        let (_, _, mut merge) = match self.reading.take().filter(is_there) {
            Some(reading) => reading,
            None => {
                let set = &self.joined.set;
                let mut merge = Merge::new(set, index, &set.fields[index]).map_err(of_merge)?;
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
        let Some((number, segment, from)) = self.joined.segment(self.at) else { return Ok(0) };
        let left = segment.length - from;
        let length = usize::try_from(left).map_or(out.len(), |left| left.min(out.len()));
        let out = &mut out[..length];
        let n = match segment.content {
            Content::Sites(index) => self.sites(number, index, from, out)?,
            Content::Bytes(_) | Content::First => self.joined.read_at(self.at, out)?,
        };
        if n == 0 && length > 0 {
            // The data were complete when the set was opened.
            return Err(invalid(SetFault::Changed));
        }
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

fn invalid(fault: SetFault) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, fault)
}

fn of_survey(error: SourceError<io::Error>) -> io::Error {
    match error {
        SourceError::Io(error) => error,
        SourceError::PositionUnknown | SourceError::NoProgress => invalid(SetFault::Changed),
    }
}

fn of_merge(error: MergeError<io::Error>) -> io::Error {
    match error {
        MergeError::Io(error) => error,
        MergeError::Fault(fault) => invalid(fault),
    }
}

/// The place is a volume and the offset in it.
impl Rereadable for SetAsFile<'_> {
    fn place(&self, at: u64) -> Place {
        let (volume, at) = self.origin(at);
        Place::byte_of(at, shown(volume))
    }
}
