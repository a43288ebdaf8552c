//! The ranks of an MPI job.

use std::cell::Cell;

use mpi::traits::Communicator;

use linkstream_parallel::comm::{Comm, CommError, Message, Op};

use crate::raw::{MOST, MpiError, Ranks, Reduction};

/// The ranks of a communicator. [`start`](crate::start) makes one of all ranks of the job.
///
/// It has a duplicate of the communicator, so its messages cannot be mistaken for others. Every error of MPI becomes a
/// [`CommError`].
#[derive(Debug)]
pub struct World {
    ranks: Ranks,
    node_leader: usize,
    /// Largest part of a message between two ranks.
    most: Cell<usize>,
    /// Name and version of the MPI library.
    library: String,
}

fn failed(error: MpiError) -> CommError {
    CommError::new(error.to_string())
}

impl World {
    /// Collective: the ranks of a communicator, which is duplicated, in a program that has initialised MPI itself. It is used
    /// by the thread that initialised MPI, or by a single one at a time. After MPI is finalised, its calls are errors.
    ///
    /// ```no_run
    /// use linkstream_mpi::World;
    /// use linkstream_mpi::mpi::traits::Communicator;
    /// use linkstream_parallel::file::{IoRanks, SystemDisk};
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let universe = linkstream_mpi::mpi::initialize().ok_or("MPI is initialised already")?;
    /// let world = World::from_communicator(&universe.world())?;
    /// let engine = IoRanks::new(&world, SystemDisk)?;
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The ranks cannot communicate.
    pub fn from_communicator(comm: &impl Communicator) -> Result<Self, CommError> {
        let ranks = Ranks::duplicate(comm).map_err(failed)?;
        let node_leader = ranks.node_leader().map_err(failed)?;
        Ok(Self { ranks, node_leader, most: Cell::new(MOST), library: crate::raw::library() })
    }

    pub(crate) const fn ranks(&self) -> &Ranks {
        &self.ranks
    }

    /// Error if MPI has been finalised.
    fn check_mpi(&self) -> Result<(), CommError> {
        match mpi::environment::is_finalized() {
            true => Err(CommError::new("MPI has been finalised")),
            false => Ok(()),
        }
    }

    /// Name and version of the MPI library, as it describes itself.
    #[must_use]
    pub fn library(&self) -> &str {
        &self.library
    }

    /// Ends all ranks of the job at once, with this exit status. For a rank that cannot go on, and cannot let the others
    /// know by [`agree`](linkstream_parallel::error::agree).
    pub fn abort(&self, status: u8) -> ! {
        crate::raw::abort(status)
    }

    /// Sets the largest number of bytes that one rank sends to another one in one piece, 2^30 at first. All ranks must
    /// set the same number. For tests: messages above 2^31 bytes are large.
    pub fn set_largest_message(&self, bytes: usize) {
        self.most.set(bytes.clamp(1, MOST));
    }
}

impl Comm for World {
    fn rank(&self) -> usize {
        self.ranks.rank()
    }

    fn size(&self) -> usize {
        self.ranks.size()
    }

    fn node_leader(&self) -> usize {
        self.node_leader
    }

    fn combine(&self, op: Op, numbers: &mut [u64]) -> Result<(), CommError> {
        // MPI implementations compare unsigned words as signed ones.
        if op == Op::Max && numbers.iter().any(|number| *number >> 63 != 0) {
            return Err(CommError::new("a number of 2^63 or more cannot be compared by MPI"));
        }
        self.check_mpi()?;
        match op {
            _ if numbers.is_empty() => Ok(()),
            Op::Sum => self.ranks.all_reduce(Reduction::Sum, numbers),
            Op::Max => self.ranks.all_reduce(Reduction::Max, numbers),
            Op::Xor => self.ranks.all_reduce(Reduction::Xor, numbers),
            Op::Scan => self.ranks.scan(numbers),
        }
        .map_err(failed)
    }

    fn broadcast(&self, root: usize, bytes: &mut [u8]) -> Result<(), CommError> {
        if root >= self.size() {
            return Err(CommError::new(format!("broadcast from rank {root} of {}", self.size())));
        }
        self.check_mpi()?;
        self.ranks.broadcast(root, bytes).map_err(failed)
    }

    /// Only ranks that have messages for each other communicate, and one message can have more than 2^31 bytes.
    fn exchange(&self, messages: Vec<Message>) -> Result<Vec<Message>, CommError> {
        let own = self.rank();
        let (mut send, mut received) = (Vec::with_capacity(messages.len()), Vec::new());
        for Message { rank, bytes } in messages {
            if rank >= self.size() {
                return Err(CommError::new("a message to a rank that does not exist"));
            }
            match bytes.is_empty() {
                true => {}
                false if rank == own => received.push((rank, bytes)),
                false => send.push((rank, bytes)),
            }
        }
        let mut ranks: Vec<_> = send.iter().chain(&received).map(|(rank, _)| *rank).collect();
        ranks.sort_unstable();
        if let Some(twice) = ranks.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(CommError::new(format!("two messages to rank {} in one exchange", twice[0])));
        }
        if self.size() > 1 {
            self.check_mpi()?;
            received.extend(self.ranks.exchange(send, self.most.get(), zeros).map_err(failed)?);
            received.sort_unstable_by_key(|(rank, _)| *rank);
        }
        Ok(received.into_iter().map(|(rank, bytes)| Message { rank, bytes }).collect())
    }
}

/// Room for a message. A failed allocation is an error instead of the end of the process, which the others would not
/// understand.
fn zeros(length: u64) -> Result<Vec<u8>, MpiError> {
    let mut bytes = Vec::new();
    let length = usize::try_from(length).unwrap_or(usize::MAX);
    if bytes.try_reserve_exact(length).is_err() {
        return Err(MpiError::new("a message", format!("there is no memory for {length} bytes")));
    }
    bytes.resize(length, 0);
    Ok(bytes)
}
