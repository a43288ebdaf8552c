//! Families of ranks: each has one volume of a file set, which one of its ranks writes.

use std::path::{Path, PathBuf};

use linkstream::scidac::VolumeFormat;

use super::layout::Layout;
use super::set_name::volume_path;
use crate::comm::{Comm, Message};
use crate::error::{Error, Fault, agree_with};

/// Distribution of the sites of a file set over its volumes (QIO 2.3, section 2.1): each rank has a rank that writes
/// its sites. The volume has the number of that rank.
///
/// ```
/// use linkstream_parallel::comm::Threads;
/// use linkstream_parallel::field::Volumes;
///
/// // Four ranks on two nodes: volumes 0 and 2.
/// let io_ranks = Threads::on_nodes(4, 2).run(|comm| Volumes::each_node(comm).io_rank());
/// assert_eq!(io_ranks, [0, 0, 2, 2]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Volumes {
    io_rank: usize,
    format: VolumeFormat,
}

impl Volumes {
    /// A volume for each rank.
    pub fn each_rank(comm: &impl Comm) -> Self {
        Self::of_family(comm.rank())
    }

    /// A volume for each node (computer), which its lowest rank writes.
    pub fn each_node(comm: &impl Comm) -> Self {
        Self::of_family(comm.node_leader())
    }

    /// A volume for each family of ranks. `io_rank` is the rank that writes the sites of this rank: `my_io_node` of
    /// QIO. All ranks of a family pass the same number, and the rank with this number is in the family.
    #[must_use]
    pub const fn of_family(io_rank: usize) -> Self {
        Self { io_rank, format: VolumeFormat::Partition }
    }

    /// The same volumes, each in a directory of its own: `volNNNN/NAME`. Directories are created if they are missing.
    #[must_use]
    pub const fn in_directories(self) -> Self {
        Self { format: VolumeFormat::PartitionDirectory, ..self }
    }

    /// The same volumes, with the sites in the order of the memory of each rank: a multifile set. Without this call,
    /// they are in ascending order of their ranks in the lattice. Each rank must have a volume of its own.
    #[must_use]
    pub const fn in_order_of_memory(self) -> Self {
        Self { format: VolumeFormat::Multifile, ..self }
    }

    /// The path of a volume. `set` is the name of the set.
    ///
    /// ```
    /// use std::path::Path;
    ///
    /// use linkstream_parallel::field::Volumes;
    ///
    /// let volumes = Volumes::of_family(0);
    /// assert_eq!(volumes.path(Path::new("data/set"), 2), Path::new("data/set.vol0002"));
    /// assert_eq!(volumes.in_directories().path(Path::new("data/set"), 2), Path::new("data/vol0002/set"));
    /// ```
    #[must_use]
    pub fn path(&self, set: &Path, number: usize) -> PathBuf {
        volume_path(set, self.format, number as u64)
    }

    /// The rank that writes the sites of this rank.
    #[must_use]
    pub const fn io_rank(&self) -> usize {
        self.io_rank
    }

    /// The format in the file document.
    #[must_use]
    pub const fn format(&self) -> VolumeFormat {
        self.format
    }
}

/// The family of a rank.
#[derive(Debug, Clone)]
pub(super) struct Family {
    /// The rank that writes the volume.
    pub(super) head: usize,
    /// Number of sites.
    pub(super) sites: u64,
    /// The lowest and the largest rank in the lattice of its sites.
    pub(super) bounds: [u64; 2],
    /// Number of ranks with sites.
    pub(super) size: u64,
    /// True if some family has sites of ranks that do not write themselves.
    pub(super) is_shared: bool,
    /// The rank that writes the first volume: the lowest one whose family has sites.
    pub(super) first: usize,
}

/// Length of a message between a rank and the head of its family.
const WORDS: usize = 4;

fn to_bytes(words: [u64; WORDS]) -> Vec<u8> {
    words.iter().flat_map(|word| word.to_le_bytes()).collect()
}

fn from_bytes(bytes: &[u8]) -> [u64; WORDS] {
    let mut words = [0; WORDS];
    let chunks = bytes.as_chunks::<8>().0;
    words.iter_mut().zip(chunks).for_each(|(to, from)| *to = u64::from_le_bytes(*from));
    words
}

impl Family {
    /// Collective: the ranks with sites report them to the heads of their families, which answer with the sums. Two
    /// exchanges and one small collective call.
    ///
    /// `check` is a collective call; its argument is true if this rank writes a volume. The ranks agree on its outcome
    /// and on `outcome` together.
    pub(super) fn agree(
        comm: &impl Comm,
        layout: &Layout<'_>,
        volumes: &Volumes,
        mut outcome: Result<(), Fault>,
        check: impl FnOnce(bool) -> Result<(), Fault>,
    ) -> Result<Self, Error> {
        let lost = |fault: crate::comm::CommError| Error { rank: comm.rank(), fault: fault.into() };
        let (rank, ranks) = (comm.rank(), comm.size());
        let head = volumes.io_rank;
        if outcome.is_err() {
            // This rank takes part in the exchanges with nothing.
        } else if head >= ranks {
            outcome = Err(Fault::usage(format!("there is no rank {head} to write a volume")));
        } else if volumes.format == VolumeFormat::Multifile && head != rank {
            outcome = Err(Fault::usage("each volume of a multifile set has the sites of one rank"));
        }
        // A rank that writes for others also writes for itself.
        let report = layout.bounds().filter(|_| outcome.is_ok()).map(|[lowest, largest]| Message {
            rank: head,
            bytes: to_bytes([layout.sites(), lowest, largest, 1]),
        });
        let inbox = comm.exchange(report.into_iter().collect()).map_err(lost)?;
        if !inbox.is_empty() && head != rank && outcome.is_ok() {
            outcome =
                Err(Fault::usage(format!("rank {rank} writes for others, but rank {head} writes for it")));
        }
        let mut sums = [0, u64::MAX, 0, 0];
        for message in &inbox {
            let [sites, lowest, largest, ranks] = from_bytes(&message.bytes);
            let [all, low, high, members] = sums;
            sums = [all.saturating_add(sites), low.min(lowest), high.max(largest), members + ranks];
        }
        let is_shared = inbox.iter().any(|message| message.rank != rank);
        let answers =
            inbox.iter().map(|Message { rank, .. }| Message { rank: *rank, bytes: to_bytes(sums) }).collect();
        let answer = comm.exchange(answers).map_err(lost)?;
        // A rank can write for others without sites of its own.
        let answer = answer.first().map(|answer| from_bytes(&answer.bytes));
        let own = if inbox.is_empty() { [0; WORDS] } else { sums };
        let [sites, lowest, largest, size] = answer.unwrap_or(own);
        let has_volume = !inbox.is_empty();
        let checked = check(has_volume);
        let mut largest_of_all = [if has_volume { (ranks - rank) as u64 } else { 0 }, u64::from(is_shared)];
        agree_with(comm, outcome.and(checked), &mut largest_of_all)?;
        let first = ranks.saturating_sub(largest_of_all[0] as usize);
        let is_shared = largest_of_all[1] != 0;
        Ok(Self { head, sites, bounds: [lowest, largest], size, is_shared, first })
    }

    /// True if a rank writes a volume.
    pub(super) const fn has_volume(&self, rank: usize) -> bool {
        self.head == rank && self.sites > 0
    }
}
