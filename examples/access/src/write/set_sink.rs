//! Writes data records to a file set: each site goes to the volume it belongs to.

use std::fmt;
use std::io::{BufReader, BufWriter, Read as _, Seek as _, Write as _};
use std::path::Path;

use linkstream::field::{BegunMessage, OutgoingMessage};
use linkstream::lattice::{Checksum, Extents, Hypercube, Region, SiteOrder};
use linkstream::scidac::PrivateFile;
use linkstream::scidac::VolumeFormat;
use linkstream::volume::{Encoder, Mesh, MeshVolume, NodeOrder, VolumeKind, Want};
use linkstream_memory as memory;
use tempfile::SpooledTempFile;

use super::atomic::{AtomicFile, FileError, FileErrorKind};
use super::document::{Planned, SCRATCH};
use super::error::Error;
use super::new_set::{NewSet, NewVolume, SetForm};
use super::refusal::Refusal;
use super::sink::FieldSink;
use crate::source::MAX_SITE;

/// Total size of the buffers of all volumes in bytes.
const MEMORY: usize = 64 << 20;
/// Minimum and maximum size of the buffer of a volume.
const ROOM: (usize, usize) = (8 << 10, 256 << 10);

/// Writes all volumes of a set, with one open file for each.
pub struct SetSink {
    form: SetForm,
    new: NewSet,
    lattice: Option<Extents>,
    mesh: Option<Mesh>,
    volumes: Vec<Volume>,
    present: Option<Present>,
    scratch: Vec<u8>,
}

impl fmt::Debug for SetSink {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SetSink").field("form", &self.form).field("new", &self.new).finish_non_exhaustive()
    }
}

/// A volume that is being written.
struct Volume {
    number: u64,
    cube: Hypercube,
    encoder: Encoder,
    out: BufWriter<AtomicFile>,
}

/// The data record that is being written.
struct Present {
    order: SiteOrder,
    region: Region,
    size: usize,
    /// The beginning of a site that is still incomplete.
    begun: Vec<u8>,
    /// The odd sites of a multifile set, which follow the even ones in each volume. They wait here in the order of
    /// their ranks, which each volume has as well.
    odd: Option<BufWriter<SpooledTempFile>>,
}

/// Size of the odd sites that are held in memory; more are in a temporary file.
const ODD: usize = 64 << 20;

impl SetSink {
    /// A sink that begins the volumes of `new` once the lattice is known.
    pub fn new(form: SetForm, new: NewSet) -> Self {
        let scratch = vec![0; SCRATCH];
        Self { form, new, lattice: None, mesh: None, volumes: Vec::new(), present: None, scratch }
    }

    /// Returns the set and its complete volumes.
    ///
    /// # Errors
    /// The last bytes cannot be written.
    pub fn into_volumes(self) -> Result<(NewSet, Vec<NewVolume>), Error> {
        let complete = |Volume { number, mut out, .. }: Volume| {
            out.flush().map_err(|error| unwritten(error, out.get_ref().path()))?;
            let (file, _) = out.into_parts();
            Ok(NewVolume { number, file })
        };
        let volumes = self.volumes.into_iter().map(complete).collect::<Result<_, Error>>()?;
        Ok((self.new, volumes))
    }

    /// The format in the private file XML.
    const fn format(&self) -> VolumeFormat {
        if self.form.is_multifile { VolumeFormat::Multifile } else { self.form.layout.format() }
    }

    /// Opens the volumes and writes their site lists.
    fn begin_set(
        &mut self,
        mesh: &Mesh,
        lattice: &Extents,
        message: &OutgoingMessage<'_>,
    ) -> Result<(), Error> {
        let all: Vec<MeshVolume> = (0..mesh.volumes()).filter_map(|index| mesh.volume(index)).collect();
        let numbers: Vec<u64> = all.iter().map(|volume| volume.number).collect();
        let outputs = self.new.create(&numbers)?;
        let room = MEMORY.checked_div(numbers.len()).unwrap_or(MEMORY).clamp(ROOM.0, ROOM.1);
        for ((index, MeshVolume { cube, .. }), NewVolume { number, file }) in (0..).zip(all).zip(outputs) {
            let kind = if index == 0 { VolumeKind::First } else { VolumeKind::Other };
            let largest = lattice.rank(cube.upper()).unwrap_or(u64::MAX);
            let encoder = Encoder::new(kind, cube.sites(), largest);
            let mut volume = Volume { number, cube, encoder, out: BufWriter::with_capacity(room, file) };
            let begun = volume.encoder.begin(message, 0, &mut self.scratch)?;
            let mut ranks = mesh.ranks(index, NodeOrder::of(self.format()));
            while volume.write(&begun, &mut self.scratch)? == Pause::Entry {
                let entry = volume.encoder.entry(ranks.next().unwrap_or(u64::MAX))?;
                volume.put(entry.as_bytes())?;
            }
            self.volumes.push(volume);
        }
        Ok(())
    }

    /// Takes the data of the next site.
    fn site(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let present = self.present.as_mut().ok_or(Error::TooManySites)?;
        let rank = if present.region == Region::Global { 0 } else { present.order.rank() };
        present.order.step();
        match &mut present.odd {
            Some(odd) if is_odd(self.lattice, rank) => odd.write_all(bytes).map_err(Error::Temporary),
            _ => self.put(rank, bytes),
        }
    }

    /// Writes the odd sites of a multifile set.
    fn odd_sites(&mut self) -> Result<(), Error> {
        let (Some(present), Some(lattice)) = (&mut self.present, self.lattice) else { return Ok(()) };
        let Some(odd) = present.odd.take() else { return Ok(()) };
        let mut odd = odd.into_inner().map_err(|error| Error::Temporary(error.into_error()))?;
        odd.rewind().map_err(Error::Temporary)?;
        let (mut odd, mut site) = (BufReader::new(odd), vec![0; present.size]);
        let mut order = SiteOrder::new(lattice, present.region);
        for _ in 0..present.region.sites(&lattice) {
            let rank = order.rank();
            order.step();
            if is_odd(Some(lattice), rank) {
                odd.read_exact(&mut site).map_err(Error::Temporary)?;
                self.put(rank, &site)?;
            }
        }
        Ok(())
    }

    /// Writes the data of one site to its volume.
    fn put(&mut self, rank: u64, bytes: &[u8]) -> Result<(), Error> {
        let index = self.mesh.and_then(|mesh| usize::try_from(mesh.volume_of(rank)?).ok());
        let volume = index.and_then(|index| self.volumes.get_mut(index)).ok_or(Error::TooManySites)?;
        volume.encoder.site(rank, bytes)?;
        volume.put(bytes)
    }
}

impl FieldSink for SetSink {
    fn file(&mut self, file: &PrivateFile, text: &[u8]) -> Result<(), Error> {
        let lattice = file.extents().ok_or(Refusal::NoLattice)?;
        let mesh = self.form.mesh(&lattice)?;
        // A private file XML of version 1.0 cannot describe the layout of volumes.
        let file = PrivateFile::new(&lattice).with_volume_format(self.format());
        self.begin_set(&mesh, &lattice, &OutgoingMessage::file(&file, text))?;
        self.mesh = Some(mesh);
        self.lattice = Some(lattice);
        Ok(())
    }

    fn begin(&mut self, planned: &Planned) -> Result<u64, Error> {
        let (beside, lattice) = planned.scidac.as_ref().zip(self.lattice).ok_or(Refusal::SetWithoutScidac)?;
        let region = beside.record.region(&lattice).map_err(Refusal::Region)?;
        let message = planned.message();
        let mut size = 0;
        for volume in &mut self.volumes {
            let sites = if let Region::Hypercube(cube) = &region { common(cube, &volume.cube) } else { 0 };
            let begun = volume.encoder.begin(&message, sites, &mut self.scratch)?;
            volume.write(&begun, &mut self.scratch)?;
            size = volume.encoder.field().map_or(0, |field| field.bytes_per_site);
        }
        if size > MAX_SITE {
            return Err(Refusal::LargeSetSite { size, most: MAX_SITE }.into());
        }
        let order = SiteOrder::new(lattice, region);
        let has_odd = self.form.is_multifile && region != Region::Global;
        let odd = has_odd.then(|| BufWriter::new(SpooledTempFile::new(ODD)));
        self.present = Some(Present { order, region, size: size as usize, begun: Vec::new(), odd });
        Ok(size)
    }

    fn data(&mut self, mut bytes: &[u8]) -> Result<(), Error> {
        while let Some(present) = self.present.as_mut().filter(|_| !bytes.is_empty()) {
            let (size, begun) = (present.size, present.begun.len());
            if begun == 0 && bytes.len() >= size {
                let (site, rest) = bytes.split_at(size);
                self.site(site)?;
                bytes = rest;
                continue;
            }
            let (piece, rest) = bytes.split_at(size.saturating_sub(begun).min(bytes.len()));
            memory::unwinding::extend(&mut present.begun, piece);
            bytes = rest;
            if present.begun.len() == size {
                let mut site = std::mem::take(&mut present.begun);
                self.site(&site)?;
                site.clear();
                self.present.iter_mut().for_each(|present| present.begun = std::mem::take(&mut site));
            }
        }
        Ok(())
    }

    fn end(&mut self, planned: &Planned) -> Result<Option<Checksum>, Error> {
        self.odd_sites()?;
        let message = planned.message();
        let Some((first, others)) = self.volumes.split_first_mut() else { return Ok(None) };
        let mut sum = Checksum::default();
        for volume in others {
            volume.resume(&message, &mut self.scratch)?;
            sum = sum.combine(volume.encoder.checksum());
        }
        first.resume(&message, &mut self.scratch)?;
        self.present = None;
        if !planned.checksum {
            return Ok(Some(sum.combine(first.encoder.checksum())));
        }
        first.encoder.supply_checksum(sum)?;
        first.resume(&message, &mut self.scratch)?;
        Ok(Some(first.encoder.checksum()))
    }

    fn finish(&mut self) -> Result<(), Error> {
        for volume in &mut self.volumes {
            volume.encoder.finish()?;
            volume.out.flush().map_err(|error| unwritten(error, volume.out.get_ref().path()))?;
        }
        Ok(())
    }
}

/// True if the sum of a site's coordinates is odd.
fn is_odd(lattice: Option<Extents>, rank: u64) -> bool {
    let site = lattice.and_then(|lattice| lattice.coordinates(rank));
    site.is_some_and(|site| site.as_slice().iter().fold(0, |sum, c| sum ^ c) % 2 == 1)
}

/// Input that the encoder of a volume waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Pause {
    /// An entry of the site list.
    Entry,
    /// Data, a checksum, or the next message.
    Other,
}

impl Volume {
    /// Writes what precedes the next entry or data.
    fn write(&mut self, begun: &BegunMessage<'_>, scratch: &mut [u8]) -> Result<Pause, Error> {
        loop {
            match self.encoder.next(begun, scratch)? {
                Want::Bytes(bytes) => {
                    self.out.write_all(bytes).map_err(|error| unwritten(error, self.out.get_ref().path()))?;
                }
                Want::Entries(_) => return Ok(Pause::Entry),
                Want::Sites(_) | Want::Checksum | Want::Nothing => return Ok(Pause::Other),
            }
        }
    }

    /// Writes the records that follow the data. Volumes other than the first have no global data, and so no message for
    /// them.
    fn resume(&mut self, message: &OutgoingMessage<'_>, scratch: &mut [u8]) -> Result<(), Error> {
        if self.encoder.finish().is_ok() {
            return Ok(());
        }
        let begun = self.encoder.resume(message, scratch)?;
        self.write(&begun, scratch).map(drop)
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), Error> {
        self.out.write_all(bytes).map_err(|error| unwritten(error, self.out.get_ref().path()))
    }
}

/// Number of sites in the intersection of two hypercubes.
fn common(one: &Hypercube, other: &Hypercube) -> u64 {
    let lower = one.lower().as_slice().iter().zip(other.lower().as_slice()).map(|(a, b)| a.max(b));
    let upper = one.upper().as_slice().iter().zip(other.upper().as_slice()).map(|(a, b)| a.min(b));
    lower.zip(upper).map(|(lower, upper)| (u64::from(*upper) + 1).saturating_sub(u64::from(*lower))).product()
}

fn unwritten(error: std::io::Error, path: &Path) -> Error {
    FileError { path: path.to_owned(), why: FileErrorKind::Io(error) }.into()
}
