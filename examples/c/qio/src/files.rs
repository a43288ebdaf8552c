//! The file or the volumes that are read: which rank opens what.

use std::path::{Path, PathBuf};

use linkstream::lattice::{Coordinates, Extents};
use linkstream::scidac::{PRIVATE_FILE_XML, VolumeFormat};
use linkstream_c_ranks::Ranks;
use linkstream_memory::{self as memory, Short};
use linkstream_parallel::comm::{Comm as _, Op, Solo};
use linkstream_parallel::field::{Layout as Sites, volume_path, volumes_of};
use linkstream_parallel::file::{Access, Direct, Engine as _, IoFile, IoRanks, OpenFile, SystemDisk};
use linkstream_parallel::{ErrorKind, Fault};

use crate::code::{BAD_ARG, ERR_BAD_READ_BYTES, ERR_BAD_SITELIST, ERR_OPEN_READ};
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

/// Collective: the ranks that access a file.
///
/// # Errors
/// The environment of rank 0 has no valid value for them, or the ranks cannot communicate.
pub fn engine(comm: &Ranks) -> Result<IoRanks, Stop> {
    IoRanks::new(comm, SystemDisk).map_err(|fault| {
        let is_lost = fault.kind == ErrorKind::Communication;
        Stop { code: if is_lost { ERR_BAD_READ_BYTES } else { BAD_ARG }, fault }
    })
}

/// Opens a file of one process.
///
/// # Errors
/// It cannot be opened.
pub fn alone(path: &Path) -> Result<IoFile<SystemDisk>, Stop> {
    let comm = Ranks::SINGLE;
    let engine = engine(&comm)?;
    engine.open(&comm, path, Access::Read).map_err(with_code(ERR_OPEN_READ))
}

/// The open file or volumes.
#[derive(Debug)]
pub enum Files {
    /// One file of all ranks. Rank 0 reads the documents.
    Single {
        /// The file.
        file: IoFile<SystemDisk>,
        /// The next record, on rank 0.
        cursor: Box<Cursor>,
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

/// A name on the disk, as rank 0 finds it.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Names {
    is_single: bool,
    /// The numbers of the volumes.
    numbers: Vec<u64>,
    format: VolumeFormat,
}

impl Names {
    fn find(name: &Path, preferred: Option<VolumeFormat>) -> Self {
        let exists = name.exists();
        let mut found = (Vec::new(), VolumeFormat::Partition);
        if preferred.is_some() || !exists {
            for format in formats(preferred) {
                // A directory that cannot be read has no volumes that could be.
                let numbers = volumes_of(&SystemDisk, name, format).unwrap_or_default();
                if !numbers.is_empty() {
                    found = (numbers, format);
                    break;
                }
            }
        }
        Self { is_single: exists && found.0.is_empty(), numbers: found.0, format: found.1 }
    }

    fn to_bytes(&self) -> Result<Vec<u8>, Short> {
        let numbers = memory::collect(self.numbers.iter().flat_map(|number| number.to_le_bytes()))?;
        let has_directories = self.format == VolumeFormat::PartitionDirectory;
        Parts::join(&[&[u8::from(self.is_single), u8::from(has_directories)], &numbers])
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut parts = Parts::new(bytes);
        let [is_single, has_directories] = *parts.next()?.first_chunk()?;
        let words = parts.next()?.as_chunks::<8>().0.iter();
        let numbers = memory::unwinding::collect(words.map(|word| u64::from_le_bytes(*word)));
        let format = match has_directories {
            0 => VolumeFormat::Partition,
            _ => VolumeFormat::PartitionDirectory,
        };
        Some(Self { is_single: is_single != 0, numbers, format })
    }
}

/// The kinds of names of volumes, the preferred one first.
fn formats(preferred: Option<VolumeFormat>) -> [VolumeFormat; 2] {
    let mut both = [VolumeFormat::Partition, VolumeFormat::PartitionDirectory];
    if preferred == Some(VolumeFormat::PartitionDirectory) {
        both.reverse();
    }
    both
}

/// Ways to open a file, in the order of trying.
#[derive(Debug, Clone)]
pub struct Ways {
    name: PathBuf,
    names: Names,
    preferred: Option<VolumeFormat>,
    /// The I/O node of this rank.
    io_node: usize,
}

impl Ways {
    /// Collective: looks for a file, or for the volumes of a set.
    ///
    /// # Errors
    /// The ranks cannot communicate.
    pub fn find(
        comm: &Ranks,
        name: &Path,
        preferred: Option<VolumeFormat>,
        io_node: usize,
    ) -> Result<Self, Stop> {
        let found = if comm.rank() == 0 { Names::find(name, preferred).to_bytes()? } else { Vec::new() };
        let bytes = share(comm, 0, found)?;
        let names = Names::from_bytes(&bytes);
        let names = names.ok_or_else(|| Stop::usage("the list of volumes is malformed"))?;
        Ok(Self { name: name.into(), names, preferred, io_node })
    }

    /// True if the name is the name of one file.
    #[must_use]
    pub const fn is_single(&self) -> bool {
        self.names.is_single
    }

    /// Collective: opens the file that is not a set.
    ///
    /// # Errors
    /// It cannot be opened.
    pub fn single(&self, comm: &Ranks) -> Result<Files, Stop> {
        let engine = engine(comm)?;
        let file = engine.open(comm, &self.name, Access::Read).map_err(with_code(ERR_OPEN_READ));
        Ok(Files::Single { file: agree(comm, file)?, cursor: Box::default() })
    }

    /// Collective: opens the volumes of a set so that each I/O node reads its own, as in QIO; even if only this node
    /// sees it. `None` if not all of them have one.
    ///
    /// # Errors
    /// The volumes cannot be opened, or are no set.
    pub fn own(&self, comm: &Ranks) -> Result<Option<Files>, Stop> {
        let is_io = self.io_node == comm.rank();
        let paths = formats(self.preferred)
            .into_iter()
            .map(|format| volume_path(&self.name, format, comm.rank() as u64));
        let path = paths.into_iter().find(|path| is_io && path.is_file());
        let mut missing = [u64::from(is_io && path.is_none())];
        comm.combine(Op::Max, &mut missing)?;
        if missing != [0] {
            return Ok(None);
        }
        set(comm, path.into_iter().collect()).map(Some)
    }

    /// Collective: opens the volumes that rank 0 has found, and distributes them evenly over the ranks, whose number
    /// need not be the number of ranks that have written them.
    ///
    /// # Errors
    /// There are none, or the volumes are no set.
    pub fn shared(&self, comm: &Ranks) -> Result<Files, Stop> {
        let Names { numbers, format, .. } = &self.names;
        if numbers.is_empty() {
            let message = format!("{}: there is no such file, and no volume of one", self.name.display());
            return Err(Stop::because(ERR_OPEN_READ, message));
        }
        let reader = |index: usize| index * comm.size() / numbers.len();
        let own = numbers.iter().enumerate().filter(|(index, _)| reader(*index) == comm.rank());
        set(comm, own.map(|(_, number)| volume_path(&self.name, *format, *number)).collect())
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
                    return Err(Stop::because(
                        ERR_BAD_SITELIST,
                        "two volumes begin with the documents of the file",
                    ));
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
    let all =
        read.and_then(|()| Ok(memory::collect(own.iter().flat_map(|volume| volume.list.iter().copied()))?));
    let all = agree(comm, all)?;
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
    // Of a list of 32-bit words, two words together are below the number of sites only if the first is 0.
    let can_be_long = bytes.len().is_multiple_of(8) && (bytes.len() > 8 || sites > u64::from(u32::MAX));
    if can_be_long {
        let words = bytes.as_chunks::<8>().0.iter();
        let long = memory::collect(words.map(|word| u64::from_be_bytes(*word)))?;
        if long.iter().all(|rank| *rank < sites) {
            return Ok(long);
        }
    }
    let (words, rest) = bytes.as_chunks::<4>();
    if !rest.is_empty() {
        return Err(wrong(format!("the site list has {} bytes, which are no 32-bit words", bytes.len())));
    }
    let short: Vec<u64> = memory::collect(words.iter().map(|word| u32::from_be_bytes(*word).into()))?;
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
