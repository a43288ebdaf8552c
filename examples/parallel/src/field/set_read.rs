//! Collective reading of file sets.

use std::path::{Path, PathBuf};

use linkstream::Diagnostic as _;
use linkstream::field::{self, Field, Verdict};
use linkstream::io::VolumeReader;
use linkstream::lattice::{Checksum, Extents, Region};
use linkstream::scidac::VolumeFormat;
use linkstream::volume::ErrorKind;
use linkstream_memory as memory;

use super::data::Target;
use super::fingerprint::Fingerprint;
use super::layout::{Layout, OwnPart};
use super::received::Received;
use super::rounds::{ROUND, note};
use super::scan::{self, Contents, FoundField};
use super::set_name::{volume_path, volumes};
use super::set_scan::{
    ReadVolume, Stored, begins_as_first, fault, of_set, of_volume, scan_sites, scan_volume,
};
use super::source::{FileSource, Kept};
use super::transfer::{self, Transfer};
use crate::Arguments;
use crate::comm::{Comm, Message, Op};
use crate::error::{Error, Fault, agree};
use crate::file::{Access, Disk, OpenFile, PieceMut};
use crate::session::Session;

/// Reads QIO file sets together with all ranks, on any process grid.
///
/// The volumes are distributed over the ranks: if there are as many volumes as ranks, each rank reads one. When a set is
/// opened, each of these ranks reads the site list of its volumes and everything but the data, in strict mode: volumes
/// that are missing or truncated, and sites that are missing or repeated, are refused then. The data are read in rounds:
/// each rank reads the next sites of its volumes, and sends each site to the rank that has it. The checksum of all
/// sites is compared with the stored one: a mismatch is an error on all ranks, and data without a stored checksum have
/// the verdict [`Absent`](linkstream::Verdict::Absent).
///
/// In a round, a rank needs memory for the sites that it reads (8 MiB, see [`with_memory`](Self::with_memory)) and for
/// its own sites that it receives: at most all of them. For an example, see [`SetWriter`](super::SetWriter).
#[derive(Debug)]
pub struct SetReader<'c, C, D: Disk> {
    session: Session<'c, C, OpenFile<D>>,
    disk: D,
    contents: Contents,
    volumes: Vec<PathBuf>,
    /// The volumes that this rank reads.
    own: Vec<ReadVolume>,
    /// Path of the volume that is open.
    open: PathBuf,
    /// The stored checksums, on rank 0.
    stored: Vec<Stored>,
    /// The rank that reads the first volume.
    first: usize,
    memory: usize,
}

/// Documents and volumes of a set, as rank 0 finds them.
#[derive(Debug, Default)]
struct Found {
    contents: Contents,
    stored: Vec<Stored>,
    numbers: Vec<u64>,
    /// Index of the first volume.
    first: usize,
    in_directories: bool,
    is_multifile: bool,
    /// The first volume.
    volume: Option<ReadVolume>,
}

impl Found {
    /// The message to the other ranks: everything but what is only needed by rank 0.
    fn to_bytes(&self) -> Result<Vec<u8>, Fault> {
        let numbers = [
            u64::from(self.in_directories),
            u64::from(self.is_multifile),
            self.first as u64,
            self.numbers.len() as u64,
        ];
        let mut bytes: Vec<u8> =
            numbers.iter().chain(&self.numbers).flat_map(|number| number.to_le_bytes()).collect();
        bytes.extend_from_slice(&scan::to_bytes(&self.contents)?);
        Ok(bytes)
    }

    fn from_bytes(mut bytes: &[u8]) -> Option<Self> {
        let mut next = || {
            let (number, rest) = bytes.split_first_chunk()?;
            bytes = rest;
            Some(u64::from_le_bytes(*number))
        };
        let [in_directories, is_multifile, first, number] = [next()?, next()?, next()?, next()?];
        let numbers = (0..number).map(|_| next()).collect::<Option<_>>()?;
        Some(Self {
            contents: scan::from_bytes(bytes)?,
            stored: Vec::new(),
            numbers,
            first: first as usize,
            in_directories: in_directories != 0,
            is_multifile: is_multifile != 0,
            volume: None,
        })
    }
}

/// The rank that reads the volume with this index.
const fn reader_of(index: usize, volumes: usize, ranks: usize) -> usize {
    (index as u128 * ranks as u128 / volumes as u128) as usize
}

impl<'c, C: Comm, D: Disk + Clone> SetReader<'c, C, D> {
    /// Collective: opens the volumes of a set and reads the list of its fields. `path` is the name of the set, without
    /// the numbers of volumes; both `NAME.volNNNN` and `volNNNN/NAME` are looked for.
    ///
    /// # Errors
    /// There are no volumes, or one of them cannot be read or is invalid. The error has offset and rule of the codec's
    /// reader in [`Mode::Strict`](linkstream::Mode::Strict), or a rule about the whole set, such as `volume-missing`,
    /// and no offset.
    pub fn open(comm: &'c C, disk: D, path: &Path) -> Result<Self, Error> {
        let (rank, ranks) = (comm.rank(), comm.size());
        let found = if rank == 0 { Self::find(&disk, path) } else { Ok(Found::default()) };
        let arguments = Arguments::new("open a file set").text("path", path.as_os_str().as_encoded_bytes());
        arguments.enter(comm, Ok(()))?;
        let mut found = agree(comm, found)?;
        // An error of this rank is reported after the last collective call, so that no rank waits for this one.
        let bytes = if rank == 0 { found.to_bytes() } else { Ok(Vec::new()) };
        let mut outcome = bytes.as_ref().map(drop).map_err(Clone::clone);
        let bytes =
            scan::broadcast(comm, bytes.unwrap_or_default()).map_err(|fault| Error { rank, fault })?;
        if rank != 0 {
            found = Found::from_bytes(&bytes).unwrap_or_else(|| {
                outcome = Err(Fault::elsewhere());
                Found::default()
            });
        }
        let format =
            if found.in_directories { VolumeFormat::PartitionDirectory } else { VolumeFormat::Partition };
        let volumes: Vec<_> = found.numbers.iter().map(|number| volume_path(path, format, *number)).collect();
        let reader_of = |index| reader_of(index, volumes.len(), ranks);
        let mine = (0..volumes.len()).filter(|index| reader_of(*index) == rank);
        // The file of a rank that reads no volume is never opened.
        let mut file = OpenFile::lazy(disk.clone(), volumes.get(found.first).map_or(path, PathBuf::as_path));
        let mut open = PathBuf::new();
        let (mut own, mut sites) = (Vec::new(), Fingerprint::default());
        let scanned = mine.into_iter().try_for_each(|index| {
            let path = &volumes[index];
            (file, open) = (OpenFile::open(disk.clone(), true, path, Access::Read)?, path.clone());
            let volume = match found.volume.take().filter(|_| index == found.first) {
                Some(volume) => volume,
                None => {
                    let others = (index != found.first).then_some(&found.contents.fields[..]);
                    scan_volume::<C, D>(&mut file, path, others)?.0
                }
            };
            let Some(lattice) = lattice_of(&found.contents) else {
                own.push(volume);
                return Ok(());
            };
            let format = if found.is_multifile { VolumeFormat::Multifile } else { VolumeFormat::Partition };
            sites = sites.plus(scan_sites::<C, D>(&mut file, &volume, &lattice, format)?);
            own.push(volume);
            Ok(())
        });
        let outcome = outcome.and(scanned);
        let counted = count(comm, &found.contents, sites, outcome.is_err());
        let opened = outcome.and(counted).map(|()| (file, ()));
        let (session, ()) = Session::begin(comm, opened)?;
        let first = reader_of(found.first);
        let Found { contents, stored, .. } = found;
        Ok(Self { session, disk, contents, volumes, own, open, stored, first, memory: ROUND })
    }

    /// Rank 0: finds the volumes, and reads the first one.
    fn find(disk: &D, path: &Path) -> Result<Found, Fault> {
        let named = |error: std::io::Error| {
            let fault = Fault::system(None, &error);
            Fault { message: format!("{}: {}", path.display(), fault.message), ..fault }
        };
        let (numbers, format) = volumes(disk, path).map_err(named)?;
        if numbers.is_empty() {
            return Err(named(std::io::ErrorKind::NotFound.into()));
        }
        for (index, number) in numbers.iter().enumerate() {
            let path = volume_path(path, format, *number);
            let mut file = OpenFile::open(disk.clone(), true, &path, Access::Read)?;
            if !begins_as_first(&mut file)? {
                continue;
            }
            let (volume, contents, stored) = scan_volume::<C, D>(&mut file, &path, None)?;
            let document = volume.decoder.content().private_file();
            let is_multifile = document.is_some_and(|file| file.volume_format() == VolumeFormat::Multifile);
            return Ok(Found {
                contents,
                stored,
                first: index,
                in_directories: format == VolumeFormat::PartitionDirectory,
                is_multifile,
                volume: Some(volume),
                numbers,
            });
        }
        Err(of_set(ErrorKind::FirstMissing))
    }

    /// Sets the memory for the data of a round on each rank, in bytes. All ranks set the same.
    #[must_use]
    pub fn with_memory(mut self, bytes: usize) -> Self {
        self.memory = bytes;
        self
    }

    /// The fields of the set, in order. Their position is that in the first volume.
    #[must_use]
    pub fn fields(&self) -> &[FoundField] {
        &self.contents.fields
    }

    /// The text of the `scidac-file-xml`; empty if there is none.
    #[must_use]
    pub fn title(&self) -> &str {
        &self.contents.title
    }

    /// The paths of the volumes, by ascending number.
    #[must_use]
    pub fn volumes(&self) -> &[PathBuf] {
        &self.volumes
    }

    /// Collective: reads the data of a field, which is given by its index in [`fields`](Self::fields), and compares its
    /// checksum with the stored one. Each rank gets the sites of its layout that the data cover; rank 0 gets global
    /// data.
    ///
    /// # Errors
    /// There is no such field; the layouts of the ranks are not a layout of its lattice, or do not know which rank has a
    /// site ([`Layout::part`]); the memory of a rank does not suit it; the data cannot be read; or their checksum
    /// differs from the stored one. The memory of the ranks then has unspecified contents.
    pub fn read(&mut self, index: usize, layout: &Layout<'_>, mut to: impl Target) -> Result<Verdict, Error> {
        let (field, part, rounds) = self.begin(index, layout, &to)?;
        let Self { session, disk, own, open, memory, first, .. } = self;
        let most = most_entries(&field, *memory);
        let sum = session.call(|comm, file| {
            let mut outcome = Ok(());
            let mut transfer = Transfer::new(layout, &field);
            let mut chunks = Chunks::new(index, own, most);
            let (mut sum, mut received) = (Checksum::default(), Received::new(&part));
            for _ in 0..rounds {
                let mut messages = Vec::new();
                if outcome.is_ok() {
                    let read = if field.region == Region::Global {
                        let is_first = comm.rank() == *first;
                        read_global(file, disk, open, own, index, is_first)
                    } else {
                        chunks.read::<C, D>(own, file, disk, open, &field, layout)
                    };
                    match read {
                        Ok((read, own_sum)) => {
                            messages = read;
                            sum = sum.combine(own_sum);
                        }
                        Err(fault) => outcome = Err(fault),
                    }
                }
                if let Some(message) = messages.iter().find(|message| message.rank >= comm.size()) {
                    let text = format!(
                        "by its layout, a site belongs to rank {}, which does not exist",
                        message.rank
                    );
                    outcome = Err(Fault::usage(text));
                    messages.clear();
                }
                let inbox = comm.exchange(messages)?;
                if outcome.is_ok() {
                    let taken = received.prepare(&inbox, &field, &part, &mut transfer);
                    note(&mut outcome, taken.and_then(|()| transfer.take(&mut to)))?;
                }
            }
            // The ranks that read have failed, or a layout names another rank for a site.
            if outcome.is_ok() && received.number != part.sites() {
                outcome = Err(Fault::elsewhere());
            }
            outcome.map(|()| sum)
        })?;
        self.verdict(index, sum)
    }

    /// Agrees on the rounds of a field.
    fn begin(
        &mut self,
        index: usize,
        layout: &Layout<'_>,
        to: &impl Target,
    ) -> Result<(Field, OwnPart, u64), Error> {
        let Self { session, contents, own, memory, .. } = self;
        let found = contents.fields.get(index);
        let arguments = Arguments::new("read a field of a set").word("index", index as u64);
        session.enter(arguments.word("memory", *memory as u64))?;
        let mut largest = [0];
        let (field, part) = session.call_with(&mut largest, |comm, _, largest| {
            let covered = layout.cover(comm);
            layout.check().and(covered)?;
            let number = contents.fields.len();
            let found = found
                .ok_or_else(|| Fault::usage(format!("there is no field {index}: the set has {number}")))?;
            let field = *found.layout();
            if !layout.has_owners() && field.region != Region::Global {
                return Err(Fault::usage(
                    "the layout does not know which rank has a site, as file sets require",
                ));
            }
            let part = layout.of_field(&field, comm.rank() == 0)?;
            to.check(&field, part.sites(), layout.place(&field).as_deref())?;
            let most = most_entries(&field, *memory);
            largest[0] = match field.region {
                Region::Global => 1,
                _ => own.iter().map(|volume| volume.sites.div_ceil(most)).sum(),
            };
            Ok((field, part))
        })?;
        Ok((field, part, largest[0]))
    }

    /// Combines the checksums of all ranks. Rank 0 compares the result with the stored one.
    fn verdict(&mut self, index: usize, own: Checksum) -> Result<Verdict, Error> {
        let Self { session, stored, contents, .. } = self;
        // If only one of two sums is stored, only rank 0 knows it. All ranks know whether both are stored.
        let is_whole = contents.fields.get(index).is_some_and(|found| found.checksum().is_some());
        let computed = session.call(|comm, _| {
            let computed = transfer::combined(comm, own)?;
            if let Some((sums, offset)) = stored.get(index).and_then(Option::as_ref) {
                let stored = Checksum {
                    suma: sums.suma().unwrap_or(computed.suma),
                    sumb: sums.sumb().unwrap_or(computed.sumb),
                };
                if stored != computed {
                    let kind = field::ErrorKind::ChecksumMismatch { computed, stored };
                    return Err(Fault::codec(*offset, kind.class(), kind.rule(), kind));
                }
            }
            Ok(computed)
        })?;
        Ok(if is_whole {
            Verdict::Match { stored: computed, computed }
        } else {
            Verdict::Absent { computed }
        })
    }

    /// Collective: closes the volumes.
    ///
    /// # Errors
    /// An earlier call failed.
    pub fn close(self) -> Result<(), Error> {
        self.session.close()
    }
}

/// Collective: checks that the lists of all volumes have each site of the lattice once, as far as a fingerprint shows.
/// `own` are the sites of the volumes that this rank reads, unless it `failed`. One small collective call.
fn count(comm: &impl Comm, contents: &Contents, own: Fingerprint, failed: bool) -> Result<(), Fault> {
    let [sites, low, high] = own.words();
    let mut sums = [sites, low, high, u64::from(failed)];
    comm.combine(Op::Sum, &mut sums)?;
    let [sites, low, high, failed] = sums;
    let Some(lattice) = lattice_of(contents).filter(|_| failed == 0) else { return Ok(()) };
    let expected = Fingerprint::of_lattice(&lattice);
    if sites < expected.sites() {
        Err(of_set(ErrorKind::Missing { count: expected.sites() - sites }))
    } else if sites > expected.sites() {
        // The ranks that read the volumes could only find out together which of them.
        let fault = of_set(ErrorKind::SiteRepeated { rank: 0, count: sites - expected.sites() });
        let message = format!(
            "sites are in the set more than once: its volumes have {sites}, the lattice {}",
            expected.sites()
        );
        Err(Fault { message, ..fault })
    } else if Fingerprint::from_words([sites, low, high]) != expected {
        Err(of_set(ErrorKind::SitesMissing { count: None, first: None }))
    } else {
        Ok(())
    }
}

fn lattice_of(contents: &Contents) -> Option<Extents> {
    contents.fields.first().map(|found| found.layout().extents)
}

/// Number of entries of a site list whose data are read at a time.
fn most_entries(field: &Field, memory: usize) -> u64 {
    (memory as u64).checked_div(field.bytes_per_site).unwrap_or(1).max(1)
}

/// The parts of the volumes of a rank that it reads one after the other.
#[derive(Debug)]
struct Chunks {
    /// Index of the field.
    index: usize,
    volume: usize,
    /// The next entry of the site list, and the number of sites before it that have data.
    entry: u64,
    sites: u64,
    most: u64,
}

impl Chunks {
    const fn new(index: usize, _: &[ReadVolume], most: u64) -> Self {
        Self { index, volume: 0, entry: 0, sites: 0, most }
    }

    /// Reads the next part. Returns messages to the ranks that have its sites, and the checksum of these.
    fn read<C: Comm, D: Disk + Clone>(
        &mut self,
        own: &[ReadVolume],
        file: &mut OpenFile<D>,
        disk: &D,
        open: &mut PathBuf,
        field: &Field,
        layout: &Layout<'_>,
    ) -> Result<(Vec<Message>, Checksum), Fault> {
        while own.get(self.volume).is_some_and(|volume| self.entry >= volume.sites) {
            (self.volume, self.entry, self.sites) = (self.volume + 1, 0, 0);
        }
        let Some(volume) = own.get(self.volume) else { return Ok((Vec::new(), Checksum::default())) };
        let Some(record) = volume.data.get(self.index).copied().flatten() else {
            return Err(Fault::usage("a volume has no data of the field"));
        };
        go_to(file, disk, open, volume)?;
        let mut here = *field;
        here.record = record;
        let entries = self.entry..volume.sites.min(self.entry.saturating_add(self.most));
        let number = entries.end - entries.start;
        let width = volume.decoder.entry_width().size();
        let room = usize::try_from(number.saturating_mul(field.bytes_per_site)).unwrap_or(usize::MAX);
        let mut kept = Kept::default();
        let mut source = FileSource::<C, _>::new(file, &mut kept, 0);
        source
            .must_reach(record.payload_offset().saturating_add(record.length))
            .map_err(|fault| of_volume(&volume.path, fault))?;
        let list = memory::zeroed(number as usize * width)?;
        let sites = memory::zeroed(room.max(1))?;
        let mut reader = VolumeReader::new(source, list, sites, volume.decoder.clone());
        let mut messages = std::collections::BTreeMap::<usize, Vec<u8>>::new();
        let read = reader.for_each_site_in(&here, entries.clone(), self.sites, |site| -> Result<(), Fault> {
            let owner = field.extents.coordinates(site.rank()).and_then(|site| layout.owner(&site));
            let owner = owner.ok_or_else(|| Fault::usage("a site belongs to no rank"))?;
            let message = messages.entry(owner).or_default();
            memory::extend(message, &site.rank().to_le_bytes())?;
            memory::extend(message, site.bytes())?;
            Ok(())
        });
        match read {
            Ok(read) => {
                self.entry = entries.end;
                self.sites += read.sites();
                let messages = messages.into_iter().map(|(rank, bytes)| Message { rank, bytes });
                Ok((messages.collect(), read.checksum()))
            }
            Err(error) => Err(of_volume(&volume.path, fault(reader.into_parts().0, error))),
        }
    }
}

/// Opens the file of a volume unless it is open.
fn go_to<D: Disk + Clone>(
    file: &mut OpenFile<D>,
    disk: &D,
    open: &mut PathBuf,
    volume: &ReadVolume,
) -> Result<(), Fault> {
    if *open != volume.path {
        *file = OpenFile::open(disk.clone(), true, &volume.path, Access::Read)?;
        open.clone_from(&volume.path);
    }
    Ok(())
}

/// Reads global data on the rank that reads the first volume, for rank 0.
fn read_global<D: Disk + Clone>(
    file: &mut OpenFile<D>,
    disk: &D,
    open: &mut PathBuf,
    own: &[ReadVolume],
    index: usize,
    is_first: bool,
) -> Result<(Vec<Message>, Checksum), Fault> {
    let first = own.iter().find(|volume| volume.data.get(index).is_some_and(Option::is_some));
    let (Some(volume), true) = (first, is_first) else { return Ok((Vec::new(), Checksum::default())) };
    let Some(record) = volume.data[index] else { return Ok((Vec::new(), Checksum::default())) };
    go_to(file, disk, open, volume)?;
    let length =
        usize::try_from(record.length).map_err(|_| Fault::usage("the data do not fit into memory"))?;
    let mut bytes = memory::zeroed(length.saturating_add(8))?;
    file.fill(PieceMut { offset: record.payload_offset(), bytes: &mut bytes[8..] })
        .map_err(|fault| of_volume(&volume.path, fault))?;
    let mut sum = Checksum::default();
    sum.add(0, &bytes[8..]);
    Ok((vec![Message { rank: 0, bytes }], sum))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn volumes_are_distributed_evenly() {
        let readers =
            |volumes, ranks| (0..volumes).map(|index| reader_of(index, volumes, ranks)).collect::<Vec<_>>();
        assert_eq!(readers(4, 4), [0, 1, 2, 3]);
        assert_eq!(readers(2, 5), [0, 2]);
        assert_eq!(readers(5, 2), [0, 0, 0, 1, 1]);
        assert_eq!(readers(3, 1), [0, 0, 0]);
    }

    #[test]
    fn errors_of_sets_have_a_rule_and_no_offset() {
        let fault = of_set(ErrorKind::FirstMissing);
        assert_eq!((fault.offset, fault.rule.as_str()), (None, "volume-first-missing"));
        assert_eq!(fault.message, ErrorKind::FirstMissing.to_string());
    }
}
