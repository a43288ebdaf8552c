//! The file or the volumes that are read: which rank opens what.

use std::path::{Path, PathBuf};

use linkstream::lattice::{Coordinates, Extents};
use linkstream::scidac::{PRIVATE_FILE_XML, VolumeFormat};
use linkstream_c_ranks::Ranks;
use linkstream_parallel::Fault;
use linkstream_parallel::comm::{Comm as _, Op, Solo};
use linkstream_parallel::field::{Layout as Sites, volume_path, volumes};
use linkstream_parallel::file::{Access, Direct, Engine as _, IoFile, IoRanks, OpenFile, SystemDisk};

use crate::code::{ERR_BAD_SITELIST, ERR_OPEN_READ};
use crate::cursor::{Bytes, Cursor};
use crate::parts::Parts;
use crate::stop::{Stop, agree, share, with_code};
use crate::walk;

/// A volume of a set, on the rank that reads it.
#[derive(Debug)]
pub struct Volume {
    /// Its path.
    pub path: PathBuf,
    /// The open file.
    pub file: OpenFile<SystemDisk>,
    /// The next record.
    pub cursor: Cursor,
    /// The ranks of its sites in the lattice, in the order of the data.
    pub list: Vec<u64>,
}

impl Volume {
    fn open(path: PathBuf) -> Result<Self, Stop> {
        let file = open(&path, Access::Read)?;
        Ok(Self { path, file, cursor: Cursor::new(), list: Vec::new() })
    }

    /// The cursor, and what it reads.
    pub fn parts(&mut self) -> (&mut Cursor, &mut dyn Bytes) {
        (&mut self.cursor, &mut self.file)
    }
}

/// Opens a file of this rank alone.
///
/// # Errors
/// It cannot be opened.
pub fn open(path: &Path, access: Access) -> Result<OpenFile<SystemDisk>, Stop> {
    let code = if access.writes() { crate::code::ERR_OPEN_WRITE } else { ERR_OPEN_READ };
    let direct = Direct { disk: SystemDisk };
    direct.open(&Solo, path, access).map_err(with_code(code))
}

/// What is open.
#[derive(Debug)]
pub enum Files {
    /// One file of all ranks. Rank 0 reads the documents.
    Single {
        /// The file.
        file: IoFile<SystemDisk>,
        /// The next record, on rank 0.
        cursor: Cursor,
    },
    /// The volumes that this rank reads. The first one of `root` has the documents.
    Set {
        /// The volumes.
        own: Vec<Volume>,
        /// The rank that reads the documents.
        root: usize,
    },
}

impl Files {
    /// The rank that reads the documents.
    #[must_use]
    pub const fn root(&self) -> usize {
        match self {
            Self::Single { .. } => 0,
            Self::Set { root, .. } => *root,
        }
    }

    /// The cursor with the documents and its file; `None` on other ranks.
    pub fn documents(&mut self, comm: &Ranks) -> Option<(&mut Cursor, &mut dyn Bytes)> {
        match self {
            Self::Single { file, cursor } if comm.rank() == 0 => Some((cursor, file)),
            Self::Set { own, root } if comm.rank() == *root => own.first_mut().map(Volume::parts),
            _ => None,
        }
    }

    /// The volumes of this rank without documents.
    pub fn others(&mut self, comm: &Ranks) -> &mut [Volume] {
        match self {
            Self::Single { .. } => &mut [],
            Self::Set { own, root } => {
                let documents = usize::from(comm.rank() == *root && !own.is_empty());
                &mut own[documents..]
            }
        }
    }
}

/// A set on the disk, as rank 0 finds it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Names {
    /// None for a single file.
    numbers: Option<Vec<u64>>,
    has_directories: bool,
}

impl Names {
    fn format(&self) -> VolumeFormat {
        if self.has_directories { VolumeFormat::PartitionDirectory } else { VolumeFormat::Partition }
    }

    fn find(name: &Path, prefers_set: bool) -> Result<Self, Stop> {
        let single = Self { numbers: None, has_directories: false };
        if name.is_file() && !prefers_set {
            return Ok(single);
        }
        match volumes(&SystemDisk, name) {
            Ok((numbers, format)) if !numbers.is_empty() => {
                let has_directories = format == VolumeFormat::PartitionDirectory;
                Ok(Self { numbers: Some(numbers), has_directories })
            }
            _ => Ok(single),
        }
    }

    fn to_bytes(&self) -> Vec<u8> {
        let numbers = self.numbers.iter().flatten().flat_map(|number| number.to_le_bytes());
        let numbers: Vec<u8> = numbers.collect();
        Parts::join(&[&[u8::from(self.numbers.is_some()), u8::from(self.has_directories)], &numbers])
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut parts = Parts::new(bytes);
        let [is_set, has_directories] = *parts.next()?.first_chunk()?;
        let numbers = parts.next()?.as_chunks::<8>().0.iter().map(|word| u64::from_le_bytes(*word));
        let numbers = (is_set != 0).then(|| numbers.collect());
        Some(Self { numbers, has_directories: has_directories != 0 })
    }
}

/// Collective: opens a file or the volumes of a set. `io_node` is the I/O node of this rank.
///
/// If each I/O node finds its own volume, and these are the whole lattice, it reads that one, as QIO does. Otherwise the
/// ranks share the volumes that rank 0 finds, so that the number of ranks need not be the one that has written them.
///
/// # Errors
/// There is no such file, or the volumes are not the whole lattice.
pub fn open_all(
    comm: &Ranks,
    name: &Path,
    prefers_set: bool,
    io_node: usize,
) -> Result<Files, Stop> {
    let found = if comm.rank() == 0 { Names::find(name, prefers_set).map(|names| names.to_bytes()) } else { Ok(Vec::new()) };
    let bytes = share(comm, 0, agree(comm, found)?)?;
    let names = Names::from_bytes(&bytes).ok_or_else(|| Stop::usage("the list of volumes is malformed"))?;
    if names.numbers.is_none() {
        let engine = IoRanks::new(comm, SystemDisk)?;
        // Volumes that only their own nodes see.
        if let Some(files) = own_volumes(comm, name, &names, io_node, comm.rank() != 0 || !name.exists())? {
            return Ok(files);
        }
        let file = engine.open(comm, name, Access::Read).map_err(with_code(ERR_OPEN_READ));
        return Ok(Files::Single { file: agree(comm, file)?, cursor: Cursor::new() });
    }
    if let Some(files) = own_volumes(comm, name, &names, io_node, true)? {
        return Ok(files);
    }
    let numbers = names.numbers.as_deref().unwrap_or_default();
    let own = numbers.iter().enumerate().filter(|(index, _)| {
        index * comm.size().min(numbers.len()) / numbers.len() * comm.size() / comm.size().min(numbers.len())
            == comm.rank()
    });
    let paths = own.map(|(_, number)| volume_path(name, names.format(), *number)).collect();
    set(comm, paths)
}

/// Collective: the set in which each I/O node reads its own volume; `None` if not all of them have one, or if these are
/// not the whole lattice.
fn own_volumes(
    comm: &Ranks,
    name: &Path,
    names: &Names,
    io_node: usize,
    is_allowed: bool,
) -> Result<Option<Files>, Stop> {
    let is_io = io_node == comm.rank();
    let number = comm.rank() as u64;
    let path = [VolumeFormat::Partition, VolumeFormat::PartitionDirectory]
        .into_iter()
        .map(|format| volume_path(name, format, number))
        .find(|path| path.is_file());
    let _ = names;
    let is_missing = !is_allowed || (is_io && path.is_none());
    let mut numbers = [u64::from(is_missing)];
    comm.combine(Op::Max, &mut numbers)?;
    if numbers != [0] {
        return Ok(None);
    }
    let paths = path.filter(|_| is_io).into_iter().collect();
    match set(comm, paths) {
        Ok(files) => Ok(Some(files)),
        Err(stop) if stop.code == ERR_BAD_SITELIST => Ok(None),
        Err(stop) => Err(stop),
    }
}

/// Collective: opens volumes, and checks that they are a set. Lists are checked when the lattice is known.
fn set(comm: &Ranks, paths: Vec<PathBuf>) -> Result<Files, Stop> {
    let opened = paths.into_iter().map(Volume::open).collect::<Result<Vec<_>, _>>();
    let first = opened.and_then(|mut own| {
        let mut first = None;
        for (index, volume) in own.iter_mut().enumerate() {
            let (cursor, io) = volume.parts();
            cursor.peek(io).map_err(|stop| stop.in_file(&volume.path))?;
            if volume.cursor.record_type() == PRIVATE_FILE_XML.as_bytes() {
                if first.is_some() {
                    return Err(Stop::because(ERR_BAD_SITELIST, "two volumes begin with the documents of the file"));
                }
                first = Some(index);
            }
        }
        if let Some(first) = first {
            own[..=first].rotate_right(1);
        }
        Ok((own, first.is_some()))
    });
    let (own, has_first) = agree(comm, first)?;
    let mut numbers = [u64::from(has_first), if has_first { comm.rank() as u64 } else { 0 }];
    comm.combine(Op::Sum, &mut numbers)?;
    match numbers {
        [1, root] => Ok(Files::Set { own, root: usize::try_from(root).unwrap_or(0) }),
        [0, _] => Err(Stop::because(ERR_BAD_SITELIST, "no volume begins with the documents of the file")),
        _ => Err(Stop::because(ERR_BAD_SITELIST, "two volumes begin with the documents of the file")),
    }
}

/// Collective: reads the site lists of all volumes, and checks that they have each site of the lattice once.
///
/// # Errors
/// They have not.
pub fn read_lists(comm: &Ranks, files: &mut Files, lattice: &Extents) -> Result<(), Stop> {
    let Files::Set { own, .. } = files else { return Ok(()) };
    let read = own.iter_mut().try_for_each(|volume| {
        let (cursor, io) = volume.parts();
        let bytes = walk::site_list(cursor, io).map_err(|stop| stop.in_file(&volume.path))?;
        volume.list = entries(&bytes, lattice).map_err(|stop| stop.in_file(&volume.path))?;
        Ok(())
    });
    agree(comm, read)?;
    let all: Vec<u64> = own.iter().flat_map(|volume| volume.list.iter().copied()).collect();
    let site = |index: usize| all.get(index).and_then(|rank| lattice.coordinates(*rank));
    let sites = Sites::listed(lattice, all.len(), |index| site(index).unwrap_or_default(), |_| 0);
    let complete = sites.agree(comm).map_err(|fault| {
        let message = fault.message.replace("the ranks have", "the volumes have");
        Stop { code: ERR_BAD_SITELIST, fault: Fault { message, ..fault } }
    });
    agree(comm, complete)
}

/// The entries of a site list. Their width is not stored: QIO writes 64 bits if a rank of the volume needs them.
///
/// # Errors
/// The list is no list of sites of this lattice.
pub(crate) fn entries(bytes: &[u8], lattice: &Extents) -> Result<Vec<u64>, Stop> {
    let sites = lattice.sites();
    let wrong = |message: String| Stop::because(ERR_BAD_SITELIST, message);
    if sites > u64::from(u32::MAX) && bytes.len().is_multiple_of(8) {
        let long: Vec<u64> = bytes.as_chunks::<8>().0.iter().map(|word| u64::from_be_bytes(*word)).collect();
        if long.iter().all(|rank| *rank < sites) {
            return Ok(long);
        }
    }
    let (words, rest) = bytes.as_chunks::<4>();
    if !rest.is_empty() {
        return Err(wrong(format!("the site list has {} bytes, which are no 32-bit words", bytes.len())));
    }
    let short: Vec<u64> = words.iter().map(|word| u32::from_be_bytes(*word).into()).collect();
    match short.iter().find(|rank| **rank >= sites) {
        Some(rank) => Err(wrong(format!("the site list has site {rank}, but the lattice has {sites}"))),
        None => Ok(short),
    }
}

/// The coordinates of a site of the lattice.
#[must_use]
pub fn coordinates(lattice: &Extents, rank: u64) -> Coordinates {
    lattice.coordinates(rank).unwrap_or_default()
}
