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

impl Drop for ThreadComm {
    fn drop(&mut self) {
        self.hub.leave(self.rank);
    }
}

/// A collective call. All ranks must enter equal ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Call {
    Combine(Op, usize),
    Broadcast(usize, usize),
    Exchange,
}

/// The call that the ranks are entering or leaving.
#[derive(Debug, Default)]
struct Round {
    /// Number of the call, from 0.
    number: u64,
    call: Option<Call>,
    entered: usize,
    left: usize,
    /// True if all ranks have entered.
    complete: bool,
    numbers: Vec<u64>,
    /// Numbers of each rank, for sums of the ranks below.
    each: Vec<Vec<u64>>,
    bytes: Vec<u8>,
    inboxes: Vec<Vec<Message>>,
    /// Reason why no call can complete any more.
    broken: Option<String>,
}

#[derive(Debug)]
struct Hub {
    ranks: usize,
    round: Mutex<Round>,
    changed: Condvar,
}

impl Hub {
    fn new(ranks: usize) -> Self {
        Self { ranks, round: Mutex::default(), changed: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, Round> {
        self.round.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Enters a call, waits for all other ranks, and takes the result.
    fn meet<T>(
        &self,
        call: Call,
        give: impl FnOnce(&mut Round),
        take: impl FnOnce(&mut Round) -> T,
    ) -> Result<T, CommError> {
        let broken =
            |round: &Round| round.broken.clone().map_or(Ok(()), |message| Err(CommError { message }));
        let mut round = self.lock();
        // The ranks of the previous call must have taken their results.
        while round.complete && round.broken.is_none() {
            round = self.changed.wait(round).unwrap_or_else(PoisonError::into_inner);
        }
        broken(&round)?;
        if *round.call.get_or_insert(call) != call {
            let message = format!("ranks entered different calls: {:?} and {call:?}", round.call);
            round.broken = Some(message.clone());
            self.changed.notify_all();
            return Err(CommError { message });
        }
        give(&mut round);
        round.entered += 1;
        if round.entered == self.ranks {
            round.complete = true;
            self.changed.notify_all();
        }
        let number = round.number;
        while !(round.complete && round.number == number) && round.broken.is_none() {
            round = self.changed.wait(round).unwrap_or_else(PoisonError::into_inner);
        }
        // A rank may leave the job after the last call while others still take its results.
        if !(round.complete && round.number == number) {
            broken(&round)?;
        }
        let taken = take(&mut round);
        round.left += 1;
        if round.left == self.ranks {
            let broken = round.broken.take();
            *round = Round { number: number + 1, broken, ..Round::default() };
            self.changed.notify_all();
        }
        Ok(taken)
    }

    fn leave(&self, rank: usize) {
        let mut round = self.lock();
        round.broken.get_or_insert_with(|| format!("rank {rank} has left the job"));
        self.changed.notify_all();
    }
}

impl Comm for ThreadComm {
    fn rank(&self) -> usize {
        self.rank
    }

    fn size(&self) -> usize {
        self.hub.ranks
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
        let (rank, ranks) = (self.rank, self.hub.ranks);
        let give = |round: &mut Round| {
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
        };
        let taken = self.hub.meet(Call::Combine(op, numbers.len()), give, |round| {
            if op == Op::Scan && round.left == 0 {
                // The first rank that takes the result computes it for all.
                let mut sums = vec![0_u64; round.each[0].len()];
                for own in &mut round.each {
                    for (sum, number) in sums.iter_mut().zip(own) {
                        let before = *sum;
                        *sum = sum.wrapping_add(*number);
                        *number = before;
                    }
                }
            }
            if op == Op::Scan { std::mem::take(&mut round.each[rank]) } else { round.numbers.clone() }
        })?;
        numbers.copy_from_slice(&taken);
        Ok(())
    }

    fn broadcast(&self, root: usize, bytes: &mut [u8]) -> Result<(), CommError> {
        self.count(|traffic| {
            traffic.small += 1;
            traffic.bytes += if root == self.rank { bytes.len() as u64 } else { 0 };
        });
        let give = |round: &mut Round| {
            if root == self.rank {
                round.bytes = bytes.to_vec();
            }
        };
        let taken = self.hub.meet(Call::Broadcast(root, bytes.len()), give, |round| round.bytes.clone())?;
        bytes.copy_from_slice(&taken);
        Ok(())
    }

    fn exchange(&self, messages: Vec<Message>) -> Result<Vec<Message>, CommError> {
        let (rank, ranks) = (self.rank, self.hub.ranks);
        self.count(|traffic| {
            traffic.exchanges += 1;
            for message in messages.iter().filter(|message| message.rank != rank) {
                traffic.messages += 1;
                traffic.bytes += message.bytes.len() as u64;
            }
        });
        if messages.iter().any(|message| message.rank >= ranks) {
            return Err(CommError::new("a message to a rank that does not exist"));
        }
        let give = |round: &mut Round| {
            round.inboxes.resize(ranks, Vec::new());
            for Message { rank: to, bytes } in messages {
                if !bytes.is_empty() {
                    round.inboxes[to].push(Message { rank, bytes });
                }
            }
        };
        let mut inbox =
            self.hub.meet(Call::Exchange, give, |round| std::mem::take(&mut round.inboxes[rank]))?;
        inbox.sort_unstable_by_key(|message| message.rank);
        Ok(inbox)
    }
}
