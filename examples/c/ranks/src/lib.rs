//! The ranks of a parallel program: `linkstream_comm` of `linkstream_comm.h`, as a [`Comm`].
#![allow(unsafe_code, reason = "functions of the caller are called")]

use std::ffi::{c_int, c_void};

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
    /// A number from each rank for each rank.
    pub counts: Option<unsafe extern "C" fn(*mut c_void, *const u64, *mut u64) -> c_int>,
    /// Bytes from each rank for each rank.
    pub exchange: Option<
        unsafe extern "C" fn(*mut c_void, *const c_void, *const u64, *mut c_void, *const u64) -> c_int,
    >,
}

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
        let Callbacks { combine, broadcast, counts, exchange, .. } = callbacks;
        if combine.is_none() || broadcast.is_none() || counts.is_none() || exchange.is_none() {
            return Err(CommError::new("a function is missing in the structure linkstream_comm"));
        }
        Ok(Self { callbacks: (size > 1).then_some(callbacks) })
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
fn room(length: u64) -> Result<Vec<u8>, CommError> {
    let length = usize::try_from(length).unwrap_or(usize::MAX);
    let mut bytes = Vec::new();
    if bytes.try_reserve_exact(length).is_err() {
        return Err(CommError::new(format!("there is no memory for {length} bytes of other ranks")));
    }
    bytes.resize(length, 0);
    Ok(bytes)
}

/// Sum of the lengths of messages.
fn total(lengths: &[u64]) -> Result<u64, CommError> {
    let sum = lengths.iter().try_fold(0_u64, |sum, length| sum.checked_add(*length));
    sum.ok_or_else(|| CommError::new("the messages of other ranks have 2^64 bytes or more"))
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
        let (mut to, mut from) = (vec![0_u64; self.size()], vec![0_u64; self.size()]);
        for message in &messages {
            let place = to.get_mut(message.rank);
            *place.ok_or_else(|| CommError::new("a message to a rank that does not exist"))? =
                message.bytes.len() as u64;
        }
        let Some(callbacks) = self.callbacks else {
            return Ok(messages);
        };
        Self::call(callbacks.counts, "counts", |counts| {
            // SAFETY: both arrays have a number for each rank, as the program expects.
            unsafe { counts(callbacks.context, to.as_ptr(), from.as_mut_ptr()) }
        })?;
        // The own message stays here.
        let own = messages.iter().position(|message| message.rank == self.rank());
        let own = own.map(|index| messages.remove(index));
        (to[self.rank()], from[self.rank()]) = (0, 0);
        let send: Vec<u8> = messages.iter().flat_map(|message| &message.bytes).copied().collect();
        let mut received = room(total(&from)?)?;
        Self::call(callbacks.exchange, "exchange", |exchange| {
            let (send, received) = (send.as_ptr().cast(), received.as_mut_ptr().cast());
            // SAFETY: both areas have as many bytes as the arrays, with a number for each rank, say.
            unsafe { exchange(callbacks.context, send, to.as_ptr(), received, from.as_ptr()) }
        })?;
        let mut left = &received[..];
        let mut found = Vec::new();
        for (rank, length) in from.iter().enumerate().filter(|(_, length)| **length > 0) {
            let (bytes, rest) = left.split_at(usize::try_from(*length).unwrap_or(left.len()).min(left.len()));
            found.push(Message { rank, bytes: bytes.to_vec() });
            left = rest;
        }
        found.extend(own);
        found.sort_by_key(|message| message.rank);
        Ok(found)
    }
}
