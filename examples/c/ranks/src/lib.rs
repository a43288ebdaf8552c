//! The ranks of a parallel program: `linkstream_comm` of `linkstream_comm.h`, as a [`Comm`].
#![allow(unsafe_code, reason = "functions of the caller are called")]

use std::ffi::{c_int, c_void};
use std::{mem, ptr};

use linkstream_parallel::comm::{Comm, CommError, Message, Op};

/// Structure of a program with the functions that communicate: `linkstream_comm` in C.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Callbacks {
    /// Size of this structure.
    pub struct_size: usize,
    /// First argument of each function.
    pub context: *mut c_void,
    /// Number of this rank.
    pub rank: c_int,
    /// Number of ranks.
    pub size: c_int,
    /// Lowest rank on the same computer.
    pub node_leader: c_int,
    /// Combination of numbers.
    pub combine: Option<unsafe extern "C" fn(*mut c_void, c_int, *mut u64, usize) -> c_int>,
    /// Bytes of one rank for all.
    pub broadcast: Option<unsafe extern "C" fn(*mut c_void, c_int, *mut c_void, usize) -> c_int>,
    /// Messages between ranks; null if there are `counts` and `exchange`.
    pub transfer:
        Option<unsafe extern "C" fn(*mut c_void, *const Outgoing, usize, Room, *mut c_void) -> c_int>,
    /// A number from each rank for each rank.
    pub counts: Option<unsafe extern "C" fn(*mut c_void, *const u64, *mut u64) -> c_int>,
    /// Bytes from each rank for each rank.
    pub exchange: Option<
        unsafe extern "C" fn(*mut c_void, *const c_void, *const u64, *mut c_void, *const u64) -> c_int,
    >,
}

impl Default for Callbacks {
    /// No ranks and no functions.
    fn default() -> Self {
        Self {
            struct_size: 0,
            context: ptr::null_mut(),
            rank: 0,
            size: 0,
            node_leader: 0,
            combine: None,
            broadcast: None,
            transfer: None,
            counts: None,
            exchange: None,
        }
    }
}

/// A message to another rank: `linkstream_message` in C.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Outgoing {
    /// The other rank.
    pub rank: c_int,
    /// First byte of the message.
    pub bytes: *const c_void,
    /// Its length, at least 1.
    pub length: u64,
}

/// Function that makes room for a message: takes the receiver, the sending rank, and the length.
pub type Room = unsafe extern "C" fn(*mut c_void, c_int, u64) -> *mut c_void;

/// The ranks of a program; a single one unless the program has passed its functions.
#[derive(Debug, Clone, Copy)]
pub struct Ranks {
    callbacks: Option<Callbacks>,
}

impl Ranks {
    /// The only rank.
    pub const SINGLE: Self = Self { callbacks: None };

    /// The ranks of a structure that the program passes; a single one if the pointer is null. The structure is copied.
    ///
    /// # Errors
    /// A member is missing or contradicts another one.
    ///
    /// # Safety
    /// The pointer is null, or it points to a structure whose functions do what `linkstream_comm.h` says for as long as
    /// the ranks are used.
    pub unsafe fn new(callbacks: *const Callbacks) -> Result<Self, CommError> {
        if callbacks.is_null() {
            return Ok(Self::SINGLE);
        }
        if !callbacks.is_aligned() {
            return Err(CommError::new(
                "the pointer to linkstream_comm is not valid: its address is not aligned",
            ));
        }
        // SAFETY: as this function requires; the size comes first.
        let size = unsafe { &*callbacks.cast::<usize>() };
        if *size != size_of::<Callbacks>() {
            let message = format!("struct_size is {size}, and not {}", size_of::<Callbacks>());
            return Err(CommError::new(message));
        }
        // SAFETY: as this function requires; the structure has the expected size.
        let callbacks = unsafe { *callbacks };
        let Callbacks { rank, size, node_leader, .. } = callbacks;
        if !(0..size).contains(&rank) || !(0..=rank).contains(&node_leader) {
            let message =
                format!("rank {rank} of {size} with rank {node_leader} as the lowest one of its node");
            return Err(CommError::new(message));
        }
        if size == 1 {
            return Ok(Self::SINGLE);
        }
        let Callbacks { combine, broadcast, transfer, counts, exchange, .. } = callbacks;
        let has_messages = transfer.is_some() || counts.is_some() && exchange.is_some();
        if combine.is_none() || broadcast.is_none() || !has_messages {
            return Err(CommError::new("a function is missing in the structure linkstream_comm"));
        }
        Ok(Self { callbacks: Some(callbacks) })
    }

    /// Calls a function of the program.
    fn call<F>(function: Option<F>, name: &str, call: impl FnOnce(F) -> c_int) -> Result<(), CommError> {
        match function.map(call) {
            Some(0) => Ok(()),
            Some(code) => Err(CommError::new(format!("{name} of the program failed with code {code}"))),
            None => Err(CommError::new(format!("{name} of the program is missing"))),
        }
    }
}

fn number(value: c_int) -> usize {
    usize::try_from(value).unwrap_or(0)
}

/// Room for bytes of other ranks. A failed allocation is an error.
fn zeroed(length: u64) -> Result<Vec<u8>, CommError> {
    let bytes = usize::try_from(length).ok().and_then(|length| linkstream_memory::zeroed(length).ok());
    bytes.ok_or_else(|| CommError::new(format!("there is no memory for {length} bytes of other ranks")))
}

/// Sum of the lengths of messages.
fn total(lengths: &[u64]) -> Result<u64, CommError> {
    let sum = lengths.iter().try_fold(0_u64, |sum, length| sum.checked_add(*length));
    sum.ok_or_else(|| CommError::new("the messages of other ranks have 2^64 bytes or more"))
}

/// Messages that `transfer` receives.
struct Receiver {
    own: usize,
    size: usize,
    messages: Vec<Message>,
    failed: Option<CommError>,
}

impl Receiver {
    fn room(&mut self, rank: c_int, length: u64) -> Result<*mut c_void, CommError> {
        let rank = usize::try_from(rank).ok().filter(|rank| *rank < self.size && *rank != self.own);
        let rank = rank.ok_or_else(|| CommError::new("a message of a rank that cannot have sent one"))?;
        let bytes = zeroed(length)?;
        let no_memory = |_| CommError::new("there is no memory for the messages of the ranks");
        linkstream_memory::push(&mut self.messages, Message { rank, bytes }).map_err(no_memory)?;
        Ok(self.messages.last_mut().map_or(ptr::null_mut(), |message| message.bytes.as_mut_ptr().cast()))
    }
}

/// [`Room`] of a [`Receiver`].
unsafe extern "C" fn room(receiver: *mut c_void, rank: c_int, length: u64) -> *mut c_void {
    // SAFETY: `transferred` passes a receiver, which nothing else uses during this call.
    let receiver = unsafe { &mut *receiver.cast::<Receiver>() };
    receiver.room(rank, length).unwrap_or_else(|error| {
        receiver.failed = Some(error);
        ptr::null_mut()
    })
}

/// Sends and receives messages with `transfer`.
fn transferred(callbacks: &Callbacks, send: Vec<Message>) -> Result<Vec<Message>, CommError> {
    let outgoing = send.iter().map(|Message { rank, bytes }| {
        let rank = c_int::try_from(*rank).unwrap_or(c_int::MAX);
        Outgoing { rank, bytes: bytes.as_ptr().cast(), length: bytes.len() as u64 }
    });
    let outgoing: Vec<_> = outgoing.collect();
    let (own, size) = (number(callbacks.rank), number(callbacks.size));
    let mut receiver = Receiver { own, size, messages: Vec::new(), failed: None };
    let outcome = Ranks::call(callbacks.transfer, "transfer", |transfer| {
        let (count, receiver) = (outgoing.len(), ptr::from_mut(&mut receiver).cast());
        // SAFETY: there are `count` messages, and `room` takes this receiver.
        unsafe { transfer(callbacks.context, outgoing.as_ptr(), count, room, receiver) }
    });
    if let Err(error) = outcome {
        // The bytes may still be on their way, so they must exist until the process ends.
        mem::forget((send, outgoing, receiver.messages));
        return Err(receiver.failed.unwrap_or(error));
    }
    receiver.messages.sort_by_key(|message| message.rank);
    if receiver.messages.windows(2).any(|pair| pair[0].rank == pair[1].rank) {
        return Err(CommError::new("transfer of the program received two messages of one rank"));
    }
    Ok(receiver.messages)
}

/// Sends and receives messages with `counts` and `exchange`.
fn exchanged(callbacks: &Callbacks, send: &[Message]) -> Result<Vec<Message>, CommError> {
    let size = number(callbacks.size);
    let (mut to, mut from) = (vec![0_u64; size], vec![0_u64; size]);
    for Message { rank, bytes } in send {
        to[*rank] = bytes.len() as u64;
    }
    Ranks::call(callbacks.counts, "counts", |counts| {
        // SAFETY: both arrays have a number for each rank, as the program expects.
        unsafe { counts(callbacks.context, to.as_ptr(), from.as_mut_ptr()) }
    })?;
    from[number(callbacks.rank)] = 0;
    let no_memory = |_| CommError::new("there is no memory for the messages of the ranks");
    let mut joined = Vec::new();
    for Message { bytes, .. } in send {
        linkstream_memory::extend(&mut joined, bytes).map_err(no_memory)?;
    }
    let mut received = zeroed(total(&from)?)?;
    Ranks::call(callbacks.exchange, "exchange", |exchange| {
        let (send, received) = (joined.as_ptr().cast(), received.as_mut_ptr().cast());
        // SAFETY: both areas have as many bytes as the arrays, with a number for each rank, say.
        unsafe { exchange(callbacks.context, send, to.as_ptr(), received, from.as_ptr()) }
    })?;
    let mut left = &received[..];
    let mut found = Vec::new();
    for (rank, length) in from.iter().enumerate().filter(|(_, length)| **length > 0) {
        let (own, rest) = left.split_at(usize::try_from(*length).unwrap_or(left.len()).min(left.len()));
        let mut bytes = Vec::new();
        linkstream_memory::extend(&mut bytes, own).map_err(no_memory)?;
        found.push(Message { rank, bytes });
        left = rest;
    }
    Ok(found)
}

impl Comm for Ranks {
    fn rank(&self) -> usize {
        self.callbacks.map_or(0, |callbacks| number(callbacks.rank))
    }

    fn size(&self) -> usize {
        self.callbacks.map_or(1, |callbacks| number(callbacks.size))
    }

    fn node_leader(&self) -> usize {
        self.callbacks.map_or(0, |callbacks| number(callbacks.node_leader))
    }

    fn combine(&self, op: Op, numbers: &mut [u64]) -> Result<(), CommError> {
        if op == Op::Max && numbers.iter().any(|number| *number >> 63 != 0) {
            return Err(CommError::new("a number of 2^63 or more cannot be compared"));
        }
        let Some(callbacks) = self.callbacks else {
            if op == Op::Scan {
                numbers.fill(0);
            }
            return Ok(());
        };
        if numbers.is_empty() {
            return Ok(());
        }
        let own = if op == Op::Max { numbers.to_vec() } else { Vec::new() };
        let code = match op {
            Op::Sum => 0,
            Op::Max => 1,
            Op::Xor => 2,
            Op::Scan => 3,
        };
        Self::call(callbacks.combine, "combine", |combine| {
            // SAFETY: the program promises that the function works on numbers with this address and count.
            unsafe { combine(callbacks.context, code, numbers.as_mut_ptr(), numbers.len()) }
        })?;
        let is_first = op == Op::Scan && self.rank() == 0;
        if own.iter().zip(&*numbers).any(|(own, largest)| largest < own || largest >> 63 != 0)
            || is_first && numbers.iter().any(|sum| *sum != 0)
        {
            return Err(CommError::new("combine of the program returned a wrong number"));
        }
        Ok(())
    }

    fn broadcast(&self, root: usize, bytes: &mut [u8]) -> Result<(), CommError> {
        let root = c_int::try_from(root).ok().filter(|root| number(*root) < self.size());
        let root = root.ok_or_else(|| CommError::new("broadcast from a rank that does not exist"))?;
        let Some(callbacks) = self.callbacks.filter(|_| !bytes.is_empty()) else {
            return Ok(());
        };
        Self::call(callbacks.broadcast, "broadcast", |broadcast| {
            // SAFETY: the program promises that the function works on bytes with this address and length.
            unsafe { broadcast(callbacks.context, root, bytes.as_mut_ptr().cast(), bytes.len()) }
        })
    }

    fn exchange(&self, mut messages: Vec<Message>) -> Result<Vec<Message>, CommError> {
        messages.retain(|message| !message.bytes.is_empty());
        messages.sort_by_key(|message| message.rank);
        if messages.windows(2).any(|pair| pair[0].rank == pair[1].rank) {
            return Err(CommError::new("two messages to one rank in one exchange"));
        }
        if messages.last().is_some_and(|message| message.rank >= self.size()) {
            return Err(CommError::new("a message to a rank that does not exist"));
        }
        let Some(callbacks) = &self.callbacks else {
            return Ok(messages);
        };
        // A rank's message to itself stays here.
        let own = messages.iter().position(|message| message.rank == self.rank());
        let own = own.map(|index| messages.remove(index));
        let mut found = match callbacks.transfer {
            Some(_) => transferred(callbacks, messages)?,
            None => exchanged(callbacks, &messages)?,
        };
        found.extend(own);
        found.sort_by_key(|message| message.rank);
        Ok(found)
    }
}
