//! One rank of each node calls the operating system for all: bytes are exchanged in rounds, and read or written in
//! large requests.

use std::ops::Range;
use std::path::Path;

use super::direct::OpenFile;
use super::disk::{Disk, SystemDisk};
use super::rounds::{ALIGNMENT, Rounds, accepted, span, within};
use super::shared::{Access, Engine, Piece, PieceMut, SharedFile, check_order};
use crate::comm::{Comm, CommError, Message, Op};
use crate::error::Fault;

/// Bytes that an I/O rank holds at a time, unless another number is requested.
pub const BUFFER: usize = 16 << 20;

/// Requests that an I/O rank reads are joined if at most this many bytes are between them.
const GAP: usize = 64 << 10;

/// One I/O rank on each node, which accesses the file for all ranks. The ranks send it their bytes in rounds.
///
/// In each round, an I/O rank has one contiguous part of the file, of at most `buffer` bytes. This is the memory that
/// it needs beside the messages for it, whatever the number of ranks. Pieces of different ranks that are neighbours in
/// the file become one request.
#[derive(Debug, Clone)]
pub struct IoRanks<D = SystemDisk> {
    disk: D,
    ranks: Vec<usize>,
    buffer: u64,
}

impl<D: Disk + Clone> IoRanks<D> {
    /// Collective: determines the I/O ranks, the lowest rank of each node.
    ///
    /// # Errors
    /// The ranks cannot communicate.
    pub fn new(comm: &impl Comm, disk: D) -> Result<Self, CommError> {
        Self::with(comm, disk, comm.node_leader() == comm.rank(), BUFFER)
    }

    /// Collective: the ranks with `is_io` access the file, each with a buffer of at least 1 MiB. If there are none, it
    /// is rank 0.
    ///
    /// # Errors
    /// The ranks cannot communicate.
    pub fn with(comm: &impl Comm, disk: D, is_io: bool, buffer: usize) -> Result<Self, CommError> {
        // One bit for each rank.
        let mut bits = vec![0_u64; comm.size().div_ceil(64)];
        bits[comm.rank() / 64] |= u64::from(is_io) << (comm.rank() % 64);
        comm.combine(Op::Xor, &mut bits)?;
        let mut ranks: Vec<_> =
            (0..comm.size()).filter(|rank| bits[rank / 64] >> (rank % 64) & 1 == 1).collect();
        if ranks.is_empty() {
            ranks.push(0);
        }
        let mut buffer = [(buffer as u64).clamp(ALIGNMENT, 1 << 30) / ALIGNMENT * ALIGNMENT];
        comm.combine(Op::Max, &mut buffer)?;
        Ok(Self { disk, ranks, buffer: buffer[0] })
    }

    /// The I/O ranks, in ascending order.
    #[must_use]
    pub fn ranks(&self) -> &[usize] {
        &self.ranks
    }
}

/// A file of the engine [`IoRanks`].
#[derive(Debug)]
pub struct IoFile<D: Disk> {
    file: OpenFile<D>,
    ranks: Vec<usize>,
    buffer: u64,
}

impl<C: Comm, D: Disk + Clone> Engine<C> for IoRanks<D> {
    type File = IoFile<D>;

    fn open(&self, comm: &C, path: &Path, access: Access) -> Result<IoFile<D>, Fault> {
        let file = OpenFile::open(self.disk.clone(), comm.rank() == 0, path, access)?;
        Ok(IoFile { file, ranks: self.ranks.clone(), buffer: self.buffer })
    }
}

/// Offset and length of each part of a message.
const PART_HEAD: usize = 16;

fn put_head(message: &mut Vec<u8>, offset: u64, length: usize) {
    message.extend_from_slice(&offset.to_le_bytes());
    message.extend_from_slice(&(length as u64).to_le_bytes());
}

fn take_head(message: &mut &[u8]) -> Option<(u64, usize)> {
    let (head, rest) = message.split_first_chunk::<PART_HEAD>()?;
    *message = rest;
    let (offset, length) = head.split_at(8);
    let number = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().unwrap_or_default());
    Some((number(offset), number(length) as usize))
}

/// Damaged messages can only come from a defect of the communication.
fn malformed() -> Fault {
    CommError::new("a message between ranks is malformed").into()
}

impl<D: Disk> IoFile<D> {
    /// Writes the messages of a round: parts with their bytes.
    fn write_round(&mut self, inbox: &[Message], window: &Range<u64>) -> Result<(), Fault> {
        let mut parts: Vec<(u64, &[u8])> = Vec::new();
        for Message { bytes, .. } in inbox {
            let mut rest = bytes.as_slice();
            while !rest.is_empty() {
                let (offset, length) = take_head(&mut rest).ok_or_else(malformed)?;
                let (part, after) = rest.split_at_checked(length).ok_or_else(malformed)?;
                rest = after;
                parts.push((offset, part));
            }
        }
        parts.sort_unstable_by_key(|(offset, _)| *offset);
        check_order(parts.iter().map(|(offset, part)| (*offset, part.len())))?;
        // A single part is written from the message.
        if let [(offset, bytes)] = parts[..] {
            return self.file.put(Piece { offset, bytes });
        }
        let mut joined = Vec::with_capacity((window.end - window.start) as usize);
        let mut parts = parts.into_iter().peekable();
        while let Some((offset, part)) = parts.next() {
            joined.clear();
            joined.extend_from_slice(part);
            while let Some((_, next)) = parts.next_if(|(next, _)| *next == offset + joined.len() as u64) {
                joined.extend_from_slice(next);
            }
            self.file.put(Piece { offset, bytes: &joined })?;
        }
        Ok(())
    }

    /// Reads what the messages of a round request, and returns the answers: the requested bytes of each rank.
    fn read_round(&mut self, inbox: &[Message]) -> Result<Vec<Message>, Fault> {
        let mut requests: Vec<(u64, usize)> = Vec::new();
        for Message { bytes, .. } in inbox {
            let mut rest = bytes.as_slice();
            while !rest.is_empty() {
                requests.push(take_head(&mut rest).ok_or_else(malformed)?);
            }
        }
        requests.sort_unstable();
        let mut read: Vec<(u64, Vec<u8>)> = Vec::new();
        let mut requests = requests.into_iter().peekable();
        while let Some((start, length)) = requests.next() {
            let mut end = start + length as u64;
            while let Some((next, length)) = requests.next_if(|(next, _)| *next <= end + GAP as u64) {
                end = end.max(next + length as u64);
            }
            let mut bytes = vec![0; (end - start) as usize];
            self.file.fill(PieceMut { offset: start, bytes: &mut bytes })?;
            read.push((start, bytes));
        }
        inbox
            .iter()
            .map(|Message { rank, bytes }| {
                let (mut answer, mut rest) = (Vec::new(), bytes.as_slice());
                while !rest.is_empty() {
                    let (offset, length) = take_head(&mut rest).ok_or_else(malformed)?;
                    let last = read.partition_point(|(start, _)| *start <= offset).checked_sub(1);
                    let (start, bytes) = last.and_then(|last| read.get(last)).ok_or_else(malformed)?;
                    let from = (offset - start) as usize;
                    answer.extend_from_slice(bytes.get(from..from + length).ok_or_else(malformed)?);
                }
                Ok(Message { rank: *rank, bytes: answer })
            })
            .collect()
    }

    /// The index of this rank among the I/O ranks.
    fn own_index(&self, comm: &impl Comm) -> Option<usize> {
        self.ranks.binary_search(&comm.rank()).ok()
    }
}

impl<C: Comm, D: Disk> SharedFile<C> for IoFile<D> {
    fn write_at(&mut self, piece: Piece<'_>) -> Result<(), Fault> {
        self.file.put(piece)
    }

    fn read_at(&mut self, piece: PieceMut<'_>) -> Result<usize, Fault> {
        self.file.take(piece)
    }

    fn size(&mut self) -> Result<u64, Fault> {
        self.file.length()
    }

    fn write_all(&mut self, comm: &C, pieces: &[Piece<'_>]) -> Result<(), Fault> {
        let places = pieces.iter().map(|piece| (piece.offset, piece.bytes.len())).collect();
        let (places, mut outcome) = accepted(places);
        let rounds = Rounds::agree(comm, span(&places), self.ranks.len(), self.buffer, &mut [])?;
        for round in 0..rounds.number() {
            let mut messages = Vec::new();
            for (io, rank) in self.ranks.iter().enumerate() {
                let window = rounds.window(io, round);
                let mut bytes = Vec::new();
                for (piece, range) in within(&places, window) {
                    put_head(&mut bytes, places[piece].0 + range.start as u64, range.len());
                    bytes.extend_from_slice(&pieces[piece].bytes[range]);
                }
                if !bytes.is_empty() {
                    messages.push(Message { rank: *rank, bytes });
                }
            }
            let inbox = comm.exchange(messages)?;
            // After an error, this rank still takes part in the rounds that the others begin.
            if let (Ok(()), Some(io)) = (&outcome, self.own_index(comm)) {
                outcome = self.write_round(&inbox, &rounds.window(io, round));
            }
        }
        outcome
    }

    fn read_all(&mut self, comm: &C, pieces: &mut [PieceMut<'_>]) -> Result<(), Fault> {
        let places = pieces.iter().map(|piece| (piece.offset, piece.bytes.len())).collect();
        let (places, mut outcome) = accepted(places);
        let rounds = Rounds::agree(comm, span(&places), self.ranks.len(), self.buffer, &mut [])?;
        for round in 0..rounds.number() {
            let mut messages = Vec::new();
            for (io, rank) in self.ranks.iter().enumerate() {
                let mut bytes = Vec::new();
                for (piece, range) in within(&places, rounds.window(io, round)) {
                    put_head(&mut bytes, places[piece].0 + range.start as u64, range.len());
                }
                if !bytes.is_empty() {
                    messages.push(Message { rank: *rank, bytes });
                }
            }
            let requested = messages.len();
            let inbox = comm.exchange(messages)?;
            let mut answers = Vec::new();
            if outcome.is_ok() {
                match self.read_round(&inbox) {
                    Ok(read) => answers = read,
                    Err(fault) => outcome = Err(fault),
                }
            }
            let mut missing = requested;
            for Message { rank, bytes } in comm.exchange(answers)? {
                missing -= 1;
                let io = self.ranks.binary_search(&rank).map_err(|_| malformed())?;
                let mut rest = bytes.as_slice();
                for (piece, range) in within(&places, rounds.window(io, round)) {
                    let (part, after) = rest.split_at_checked(range.len()).ok_or_else(malformed)?;
                    pieces[piece].bytes[range].copy_from_slice(part);
                    rest = after;
                }
            }
            if outcome.is_ok() && missing > 0 {
                outcome = Err(Fault::elsewhere());
            }
        }
        outcome
    }

    fn close(&mut self, _: &C) -> Result<(), Fault> {
        self.file.shut()
    }
}
