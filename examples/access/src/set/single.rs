//! Reads a set as the single file with the same fields.
//!
//! The file is produced while it is read. The data are gathered from the volumes by several threads, a window at a
//! time, which is short after seeking and becomes longer while the data are read in order.

use std::io::{self, Read, Seek, SeekFrom};

use linkstream::field::Field;
use linkstream::lattice::{Extents, Region};
use linkstream_arithmetic::parallel;
use linkstream_memory as memory;

use super::count::count_sites;
use super::gather::{Places, SetBytes};
use super::joined::{Content, Joined};
use super::open::{SetFault, VolumeSource, open};
use crate::findings::Level;
use crate::source::{MAX_SITE, ReadAtError, Source as _, SourceError};
use crate::text::shown;
use crate::write::{Place, Rereadable};

/// Number of bytes of data that are gathered after seeking, and the most that are gathered at once, unless a site has
/// more.
const WINDOWS: [u64; 2] = [64 << 10, 16 << 20];
/// Number of bytes that a thread gathers in one piece of work.
const PIECE: u64 = 1 << 20;

/// A set, read as a single file.
#[expect(missing_debug_implementations, reason = "sources need not implement it")]
pub struct SetAsFile<'s> {
    joined: Joined<'s, io::Error>,
    at: u64,
    /// The places of the sites of fields with this region.
    places: Option<(Extents, Region, Places)>,
    window: Window,
}

/// Data that have been gathered: whole sites of the field with this index, from an offset in its data on.
#[derive(Debug, Default)]
struct Window {
    field: usize,
    start: u64,
    bytes: Vec<u8>,
}

impl Window {
    /// The bytes from an offset in the data of a field on, which are none if others have been gathered.
    fn from(&self, field: usize, at: u64) -> &[u8] {
        let from = at.checked_sub(self.start).filter(|_| field == self.field);
        from.and_then(|from| self.bytes.get(usize::try_from(from).ok()?..)).unwrap_or_default()
    }

    /// True if these bytes come next.
    const fn is_before(&self, field: usize, at: u64) -> bool {
        let end = self.start.saturating_add(self.bytes.len() as u64);
        field == self.field && !self.bytes.is_empty() && end == at
    }
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
            return Err(invalid(SetFault::Found { class: found.class, rule: found.rule, message }));
        }
        let joined = Joined::new(set).map_err(|refused| invalid(refused.1))?;
        Ok(Self { joined, at: 0, places: None, window: Window::default() })
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
    fn sites(&mut self, number: usize, from: u64, out: &mut [u8]) -> io::Result<usize> {
        if self.window.from(number, from).is_empty() {
            self.gather(number, from)?;
        }
        self.window.from(number, from).read(out)
    }

    /// Gathers whole sites of a field, from the one with the byte `from` on.
    #[expect(
        clippy::arithmetic_side_effects,
        reason = "no divisor is 0, and the sites are sites of the field, whose length `Joined` has checked"
    )]
    fn gather(&mut self, number: usize, from: u64) -> io::Result<()> {
        let set = &self.joined.set;
        let Some(field) = set.fields.get(number) else { return Err(invalid(SetFault::Changed)) };
        let size = field.bytes_per_site.max(1);
        if size > MAX_SITE {
            return Err(invalid(SetFault::LargeSites));
        }
        let [shortest, longest] = WINDOWS;
        let length = if self.window.is_before(number, from) {
            (self.window.bytes.len() as u64).saturating_mul(2)
        } else {
            0
        };
        let first = from / size;
        let left = field.sites().saturating_sub(first);
        let sites = (length.clamp(shortest, longest) / size).max(1).min(left);
        let mut bytes = std::mem::take(&mut self.window).bytes;
        memory::resize(&mut bytes, (sites * size) as usize)?;
        let places = placed(&mut self.places, field, || {
            let found = Places::of_set(set, field).map_err(of_reading)?;
            found.ok_or_else(|| invalid(SetFault::LargeSites))
        })?;
        let data = SetBytes::of_set(set, number, field, places);
        let piece = (PIECE / size).max(1);
        let pieces = (first..).step_by(piece as usize).zip(bytes.chunks_mut((piece * size) as usize));
        let several = field.data_length().is_some_and(parallel::is_worthwhile);
        parallel::each(several, pieces.collect(), |(first, out), scratch: &mut Vec<u8>| {
            data.read(first, out, scratch, |_, _| {})
        })
        .map_err(of_reading)?;
        self.window = Window { field: number, start: first * size, bytes };
        Ok(())
    }
}

/// The places of the sites of a field. They are searched for unless the known places belong to the same sites.
fn placed<'p>(
    known: &'p mut Option<(Extents, Region, Places)>,
    field: &Field,
    find: impl FnOnce() -> io::Result<Places>,
) -> io::Result<&'p Places> {
    let old =
        known.take().filter(|(extents, region, _)| (*extents, *region) == (field.extents, field.region));
    let new = match old {
        Some(old) => old,
        None => (field.extents, field.region, find()?),
    };
    Ok(&known.insert(new).2)
}

impl Read for SetAsFile<'_> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let Some((segment, from)) = self.joined.segment(self.at) else { return Ok(0) };
        let left = segment.length.saturating_sub(from);
        let length = usize::try_from(left).map_or(out.len(), |left| left.min(out.len()));
        let (out, _) = out.split_at_mut(length);
        let n = match segment.content {
            Content::Sites(number) => self.sites(number, from, out)?,
            Content::Bytes(_) | Content::First => self.joined.read_at(self.at, out)?,
        };
        if n == 0 && length > 0 {
            // The data were complete when the set was opened.
            return Err(invalid(SetFault::Changed));
        }
        self.at = self.at.saturating_add(n as u64);
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
        SourceError::PositionUnknown | SourceError::NoProgress | SourceError::Stopped => {
            invalid(SetFault::Changed)
        }
    }
}

/// An error of volumes whose data were complete when the set was opened.
fn of_reading(error: ReadAtError<io::Error>) -> io::Error {
    match error {
        ReadAtError::Io(error) => error,
        ReadAtError::Ended => invalid(SetFault::Changed),
    }
}

/// The place is a volume and the offset in it.
impl Rereadable for SetAsFile<'_> {
    fn place(&self, at: u64) -> Place {
        let (volume, at) = self.origin(at);
        Place::byte_of(at, shown(volume))
    }
}
