//! Threads as ranks, which count what they communicate. For tests, and for measuring how calls scale.

use std::cell::Cell;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::traits::{Comm, CommError, Message, Op};

/// A job whose ranks are threads of this process.
///
/// Ranks may run different code, and may end early: whoever then waits for them gets an error instead of waiting for
/// ever. So do ranks that enter different collective calls, which with MPI would be undefined behaviour.
///
/// ```
/// use linkstream_parallel::comm::{Comm, Threads};
///
/// // Rank 1 leaves without entering the call. Rank 0 does not wait for it.
/// let results = Threads::new(2).run(|comm| match comm.rank() {
///     0 => comm.broadcast(1, &mut [0; 4]).is_err(),
///     _ => false,
/// });
/// assert_eq!(results, [true, false]);
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Threads {
    ranks: usize,
    ranks_of_node: usize,
}

/// Number of calls and bytes of a rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Traffic {
    /// Number of calls of `combine` and `broadcast`.
    pub small: u64,
    /// Number of calls of `exchange`.
    pub exchanges: u64,
    /// Number of messages to other ranks in exchanges.
    pub messages: u64,
    /// Number of bytes that this rank passed to all calls.
    pub bytes: u64,
}

impl Threads {
    /// A job of this many ranks on one node.
    #[must_use]
    pub const fn new(ranks: usize) -> Self {
        Self::on_nodes(ranks, ranks)
    }

    /// A job of this many ranks, so many of them on each node.
    #[must_use]
    pub const fn on_nodes(ranks: usize, ranks_of_node: usize) -> Self {
        Self { ranks, ranks_of_node: if ranks_of_node == 0 { 1 } else { ranks_of_node } }
    }

    /// Runs a function on all ranks, and returns the results in the order of the ranks.
    ///
    /// # Panics
    /// A rank panicked. The other ranks get an error from the call that waits for it.
    pub fn run<T: Send>(&self, rank: impl Fn(&ThreadComm) -> T + Sync) -> Vec<T> {
        /// Small stacks: there may be 10,000 ranks.
        const STACK: usize = 512 << 10;
        let hub = Arc::new(Hub::new(self.ranks));
        std::thread::scope(|scope| {
            let handles: Vec<_> = (0..self.ranks)
                .map(|number| {
                    let (hub, rank) = (Arc::clone(&hub), &rank);
                    let comm = ThreadComm {
                        hub,
                        rank: number,
                        leader: number / self.ranks_of_node * self.ranks_of_node,
                        traffic: Cell::default(),
                    };
                    let thread = std::thread::Builder::new().stack_size(STACK);
                    thread.spawn_scoped(scope, move || rank(&comm)).expect("a thread can be started")
                })
                .collect();
            handles.into_iter().map(|handle| handle.join().expect("a rank panicked")).collect()
        })
    }
}

/// One of the ranks of [`Threads`].
#[derive(Debug)]
pub struct ThreadComm {
    hub: Arc<Hub>,
    rank: usize,
    leader: usize,
    traffic: Cell<Traffic>,
}

impl ThreadComm {
    /// The calls and bytes of this rank so far.
    #[must_use]
    pub const fn traffic(&self) -> Traffic {
        self.traffic.get()
    }

    fn count(&self, add: impl FnOnce(&mut Traffic)) {
        let mut traffic = self.traffic.get();
        add(&mut traffic);
        self.traffic.set(traffic);
    }
}

/// A collective call. All ranks must enter equal ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Call {
    Combine(Op, usize),
    Broadcast(usize, usize),
    Exchange,
}

/// Result of a call for one rank.
#[derive(Debug, Clone)]
enum Outcome {
    Numbers(Arc<[u64]>),
    Bytes(Arc<[u8]>),
    Inbox(Vec<Message>),
}

/// The call that the ranks are entering.
#[derive(Debug, Default)]
struct Round {
    call: Option<Call>,
    /// The ranks that have entered, and wait.
    entered: Vec<usize>,
    /// Combination of the numbers so far.
    numbers: Vec<u64>,
    /// Numbers of each rank, for sums of the ranks below.
    each: Vec<Vec<u64>>,
    bytes: Vec<u8>,
    inboxes: Vec<Vec<Message>>,
    /// Reason why no call can complete any more.
    broken: Option<CommError>,
}

impl Round {
    /// Ends the call. Returns the result for each rank that has entered.
    fn complete(&mut self) -> Vec<(usize, Outcome)> {
        let Self { call, entered, numbers, each, bytes, inboxes, .. } = std::mem::take(self);
        let outcomes: Box<dyn FnMut(usize) -> Outcome> = match call {
            Some(Call::Combine(Op::Scan, length)) => {
                let mut sums = vec![0_u64; length];
                let mut before = Vec::with_capacity(each.len());
                for own in each {
                    before.push(Arc::from(sums.as_slice()));
                    for (sum, number) in sums.iter_mut().zip(own) {
                        *sum = sum.wrapping_add(number);
                    }
                }
                Box::new(move |rank| Outcome::Numbers(Arc::clone(&before[rank])))
            }
            Some(Call::Broadcast(..)) => {
                let bytes = Arc::<[u8]>::from(bytes);
                Box::new(move |_| Outcome::Bytes(Arc::clone(&bytes)))
            }
            Some(Call::Exchange) => {
                let mut inboxes = inboxes;
                Box::new(move |rank| Outcome::Inbox(std::mem::take(&mut inboxes[rank])))
            }
            Some(Call::Combine(..)) | None => {
                let numbers = Arc::<[u64]>::from(numbers);
                Box::new(move |_| Outcome::Numbers(Arc::clone(&numbers)))
            }
        };
        let ranks = entered.iter().copied();
        ranks.zip(entered.iter().copied().map(outcomes)).collect()
    }
}

/// Place where one rank waits for the result of its call. Each rank has its own: 10,000 ranks that wait for the same
/// lock would spend their time on it.
#[derive(Debug, Default)]
struct Slot {
    result: Mutex<Option<Result<Outcome, CommError>>>,
    filled: Condvar,
}

impl Slot {
    fn fill(&self, result: Result<Outcome, CommError>) {
        *lock(&self.result) = Some(result);
        self.filled.notify_one();
    }

    fn wait(&self) -> Result<Outcome, CommError> {
        let mut result = lock(&self.result);
        loop {
            match result.take() {
                Some(result) => return result,
                None => result = self.filled.wait(result).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[derive(Debug)]
struct Hub {
    round: Mutex<Round>,
    slots: Vec<Slot>,
}

impl Hub {
    fn new(ranks: usize) -> Self {
        Self { round: Mutex::default(), slots: (0..ranks).map(|_| Slot::default()).collect() }
    }

    fn ranks(&self) -> usize {
        self.slots.len()
    }

    /// Enters a call, and waits for all other ranks.
    fn meet(&self, rank: usize, call: Call, give: impl FnOnce(&mut Round)) -> Result<Outcome, CommError> {
        let mut round = lock(&self.round);
        if let Some(error) = &round.broken {
            return Err(error.clone());
        }
        let present = *round.call.get_or_insert(call);
        if present != call {
            let error = CommError::new(format!("ranks entered different calls: {present:?} and {call:?}"));
            self.break_off(&mut round, &error);
            return Err(error);
        }
        give(&mut round);
        round.entered.push(rank);
        if round.entered.len() == self.ranks() {
            let results = round.complete();
            drop(round);
            for (rank, outcome) in results {
                self.slots[rank].fill(Ok(outcome));
            }
        } else {
            drop(round);
        }
        self.slots[rank].wait()
    }

    /// Ends the present call, and all later ones, with an error.
    fn break_off(&self, round: &mut Round, error: &CommError) {
        for rank in std::mem::take(&mut round.entered) {
            self.slots[rank].fill(Err(error.clone()));
        }
        round.broken.get_or_insert_with(|| error.clone());
    }
}

impl Drop for ThreadComm {
    fn drop(&mut self) {
        let mut round = lock(&self.hub.round);
        self.hub.break_off(&mut round, &CommError::new(format!("rank {} has left the job", self.rank)));
    }
}

impl Comm for ThreadComm {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.hub.ranks()
    }

    fn node_leader(&self) -> usize {
        self.leader
    }

    fn combine(&self, op: Op, numbers: &mut [u64]) -> Result<(), CommError> {
        if op == Op::Max && numbers.iter().any(|number| *number >> 63 != 0) {
            return Err(CommError::new("a number of 2^63 or more cannot be compared by MPI"));
        }
        self.count(|traffic| {
            traffic.small += 1;
            traffic.bytes += size_of_val(numbers) as u64;
        });
        let (rank, ranks) = (self.rank, self.hub.ranks());
        let outcome = self.hub.meet(rank, Call::Combine(op, numbers.len()), |round| {
            if op == Op::Scan {
                round.each.resize(ranks, Vec::new());
                round.each[rank] = numbers.to_vec();
                return;
            }
            round.numbers.resize(numbers.len(), 0);
            for (to, number) in round.numbers.iter_mut().zip(&*numbers) {
                *to = match op {
                    Op::Max => (*to).max(*number),
                    Op::Xor => *to ^ number,
                    Op::Sum | Op::Scan => to.wrapping_add(*number),
                };
            }
        })?;
        if let Outcome::Numbers(combined) = outcome {
            numbers.copy_from_slice(&combined);
        }
        Ok(())
    }

    fn broadcast(&self, root: usize, bytes: &mut [u8]) -> Result<(), CommError> {
        if root >= self.size() {
            return Err(CommError::new(format!("there is no rank {root} to broadcast from")));
        }
        self.count(|traffic| {
            traffic.small += 1;
            traffic.bytes += if root == self.rank { bytes.len() as u64 } else { 0 };
        });
        let outcome = self.hub.meet(self.rank, Call::Broadcast(root, bytes.len()), |round| {
            if root == self.rank {
                round.bytes = bytes.to_vec();
            }
        })?;
        if let Outcome::Bytes(sent) = outcome {
            bytes.copy_from_slice(&sent);
        }
        Ok(())
    }

    fn exchange(&self, messages: Vec<Message>) -> Result<Vec<Message>, CommError> {
        let (rank, ranks) = (self.rank, self.hub.ranks());
        self.count(|traffic| {
            traffic.exchanges += 1;
            for message in messages.iter().filter(|message| message.rank != rank) {
                traffic.messages += 1;
                traffic.bytes += message.bytes.len() as u64;
            }
        });
        if let Some(message) = messages.iter().find(|message| message.rank >= ranks) {
            return Err(CommError::new(format!("there is no rank {} to send a message to", message.rank)));
        }
        let outcome = self.hub.meet(rank, Call::Exchange, |round| {
            round.inboxes.resize(ranks, Vec::new());
            for Message { rank: to, bytes } in messages {
                if !bytes.is_empty() {
                    round.inboxes[to].push(Message { rank, bytes });
                }
            }
        })?;
        let Outcome::Inbox(mut inbox) = outcome else { return Ok(Vec::new()) };
        inbox.sort_unstable_by_key(|message| message.rank);
        Ok(inbox)
    }
}
