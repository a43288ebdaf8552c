//! The calls that ranks need to communicate.

/// Operation of [`Comm::combine`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Op {
    /// Sum, modulo 2^64.
    Sum,
    /// Largest number. All numbers must be below 2^63: MPI implementations compare unsigned words as signed ones.
    Max,
    /// Exclusive or, for checksums.
    Xor,
    /// Sum of the numbers of all ranks below this one, modulo 2^64; 0 on rank 0.
    Scan,
}

/// Reason why ranks cannot communicate any more. There is no recovery: the ranks cannot even agree on it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("communication between the ranks failed: {message}")]
pub struct CommError {
    /// Description of the failure.
    pub message: String,
}

impl CommError {
    /// An error with this description.
    pub fn new(message: impl Into<String>) -> Self {
        Self { message: message.into() }
    }
}

/// A message of one rank to another, or from another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// The other rank.
    pub rank: usize,
    /// Bytes of the message.
    pub bytes: Vec<u8>,
}

/// The ranks of a job, seen by one of them.
///
/// The three collective calls are entered by all ranks in the same order, with the same operation, root and length.
/// They correspond to `MPI_Allreduce` and `MPI_Exscan`, `MPI_Bcast`, and `MPI_Alltoallv`. A collective call must end
/// on every rank: if a rank can no longer take part in it, the others get an error.
///
/// ```
/// use linkstream_parallel::comm::{Comm, Op, Threads};
///
/// let sums = Threads::new(3).run(|comm| {
///     let mut numbers = [comm.rank() as u64, 10];
///     comm.combine(Op::Sum, &mut numbers).map(|()| numbers)
/// });
/// assert_eq!(sums, [Ok([3, 30]), Ok([3, 30]), Ok([3, 30])]);
/// ```
pub trait Comm {
    /// Number of this rank, from 0.
    fn rank(&self) -> usize;

    /// Number of ranks, at least 1.
    fn size(&self) -> usize;

    /// The lowest rank on the same node (computer) as this one.
    fn node_leader(&self) -> usize;

    /// Replaces each number by the combination of the numbers of all ranks at the same place.
    ///
    /// # Errors
    /// The ranks cannot communicate.
    fn combine(&self, op: Op, numbers: &mut [u64]) -> Result<(), CommError>;

    /// Copies the bytes of rank `root` to all other ranks. The length is the same on all ranks.
    ///
    /// # Errors
    /// The ranks cannot communicate.
    fn broadcast(&self, root: usize, bytes: &mut [u8]) -> Result<(), CommError>;

    /// Sends messages, at most one to each rank, and returns the messages for this rank in the order of their senders.
    /// Empty messages are not delivered.
    ///
    /// # Errors
    /// The ranks cannot communicate.
    fn exchange(&self, messages: Vec<Message>) -> Result<Vec<Message>, CommError>;
}
