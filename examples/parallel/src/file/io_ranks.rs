//! One rank of each node calls the operating system for all: bytes are exchanged in rounds, and read or written in
//! large requests.

use std::ops::Range;
use std::path::Path;

use super::direct::OpenFile;
use super::disk::{Disk, SystemDisk};
use super::io_options::IoOptions;
use super::rounds::{ALIGNMENT, Rounds, accepted, counted, demands, span, within};
use super::shared::{Access, Engine, Piece, PieceMut, SharedFile, check_order};
use linkstream_memory::{self as memory, Short, unwinding::collect};

use crate::comm::{Comm, CommError, Message, Op};
use crate::error::Fault;

/// Requests that an I/O rank reads are joined if at most this many bytes are between them.
const GAP: usize = 64 << 10;

/// Some I/O ranks on each node, which access the file for all ranks. The ranks send them their bytes in rounds.
///
/// Usually, an I/O rank has one contiguous part of the file in each round, of at most `buffer` bytes, and pieces of
/// different ranks that are neighbours in the file become one request. If the ranks have few long pieces that are far
/// apart in the file, an I/O rank accesses the pieces of its own group of ranks instead, also at most `buffer` bytes
/// together, or 1 MiB of each rank if that is more. Either way, it needs this memory at most twice, beside the messages,
/// whatever the number of ranks.
#[derive(Debug, Clone)]
pub struct IoRanks<D = SystemDisk> {
    disk: D,
    ways: Ways,
}

/// The ranks that access the file, and their ways to do so.
#[derive(Debug, Clone)]
struct Ways {
    /// The I/O ranks, in ascending order.
    ranks: Vec<usize>,
    group: Group,
    buffer: u64,
    stripe: u64,
    /// Each rank accesses its own bytes.
    is_direct: bool,
}

/// The ranks that an I/O rank accesses long pieces for.
#[derive(Debug, Clone, Copy)]
struct Group {
    /// Index of the I/O rank of this rank.
    io: usize,
    /// Number of ranks of the largest group.
    most: u64,
}

/// Collective: the I/O rank of this rank, if each node has so many. The ranks of a node are divided in their order.
fn own_io_rank(comm: &impl Comm, per_node: u64) -> Result<usize, CommError> {
    let leader = comm.node_leader();
    if per_node == 1 || comm.size() == 1 {
        return Ok(leader);
    }
    let asked = comm.exchange(vec![Message { rank: leader, bytes: vec![0] }])?;
    let (ranks, groups) = (asked.len() as u64, per_node.min(asked.len() as u64));
    let answers = asked.iter().enumerate().map(|(place, Message { rank, .. })| {
        let first = (place as u64 * groups / ranks * ranks).div_ceil(groups);
        let io = asked[first as usize].rank as u64;
        Message { rank: *rank, bytes: io.to_le_bytes().to_vec() }
    });
    let answer = comm.exchange(answers.collect())?;
    let io = answer.first().and_then(|Message { bytes, .. }| bytes.as_slice().try_into().ok());
    let io = u64::from_le_bytes(io.ok_or_else(|| CommError::new("a rank does not know its I/O rank"))?);
    usize::try_from(io)
        .ok()
        .filter(|io| *io < comm.size())
        .ok_or_else(|| CommError::new("an I/O rank does not exist"))
}

impl<D: Disk + Clone> IoRanks<D> {
    /// Collective: determines the I/O ranks, by the environment of rank 0 or the defaults of [`IoOptions`].
    ///
    /// # Errors
    /// A variable of the environment has no valid value, or the ranks cannot communicate.
    pub fn new(comm: &impl Comm, disk: D) -> Result<Self, Fault> {
        Self::with_options(comm, disk, IoOptions::default())
    }

    /// Collective: determines the I/O ranks. All ranks pass the same options.
    ///
    /// # Errors
    /// A variable of the environment has no valid value, or the ranks cannot communicate.
    pub fn with_options(comm: &impl Comm, disk: D, options: IoOptions) -> Result<Self, Fault> {
        let IoOptions { per_node, buffer, stripe, direct } = options.agree(comm)?;
        let io = own_io_rank(comm, per_node)?;
        let (ranks, index) = Self::all(comm, io == comm.rank(), io)?;
        let group = Group { io: index, most: largest_group(comm, ranks.len(), index)? };
        Ok(Self { disk, ways: Ways { ranks, group, buffer, stripe, is_direct: direct == Some(true) } })
    }

    /// Collective: the ranks with `is_io` access the file, each with a buffer of at least 1 MiB. If there are none, it
    /// is rank 0.
    ///
    /// # Errors
    /// The ranks cannot communicate.
    pub fn with(comm: &impl Comm, disk: D, is_io: bool, buffer: usize) -> Result<Self, CommError> {
        // The I/O rank of this node. A node without one has an I/O rank of another node.
        let (ranks, io) = Self::all(comm, is_io, comm.node_leader())?;
        let mut buffer = [(buffer as u64).clamp(ALIGNMENT, 1 << 30) / ALIGNMENT * ALIGNMENT];
        comm.combine(Op::Max, &mut buffer)?;
        let group = Group { io, most: largest_group(comm, ranks.len(), io)? };
        Ok(Self { disk, ways: Ways { ranks, group, buffer: buffer[0], stripe: 0, is_direct: false } })
    }

    /// Collective: all I/O ranks, and the index of this one, or of the last one before it.
    fn all(comm: &impl Comm, is_io: bool, own: usize) -> Result<(Vec<usize>, usize), CommError> {
        // One bit for each rank.
        let mut bits = vec![0_u64; comm.size().div_ceil(64)];
        bits[comm.rank() / 64] |= u64::from(is_io) << (comm.rank() % 64);
        comm.combine(Op::Xor, &mut bits)?;
        let mut ranks: Vec<_> =
            (0..comm.size()).filter(|rank| bits[rank / 64] >> (rank % 64) & 1 == 1).collect();
        if ranks.is_empty() {
            ranks.push(0);
        }
        let index = ranks.binary_search(&own).unwrap_or_else(|next| next.saturating_sub(1));
        Ok((ranks, index))
    }

    /// The I/O ranks, in ascending order.
    #[must_use]
    pub fn ranks(&self) -> &[usize] {
        &self.ways.ranks
    }
}

/// Collective: number of ranks of the largest group.
fn largest_group(comm: &impl Comm, groups: usize, own: usize) -> Result<u64, CommError> {
    let mut sizes = vec![0; groups];
    sizes[own] = 1;
    comm.combine(Op::Sum, &mut sizes)?;
    Ok(sizes.into_iter().max().unwrap_or(1).max(1))
}

/// A file of the engine [`IoRanks`].
#[derive(Debug)]
pub struct IoFile<D: Disk> {
    file: OpenFile<D>,
    ways: Ways,
}

impl<C: Comm, D: Disk + Clone> Engine<C> for IoRanks<D> {
    type File = IoFile<D>;

    fn open(&self, comm: &C, path: &Path, access: Access) -> Result<IoFile<D>, Fault> {
        let file = OpenFile::open(self.disk.clone(), comm.rank() == 0, path, access)?;
        Ok(IoFile { file, ways: self.ways.clone() })
    }
}

/// Offset and length of each part of a message.
const PART_HEAD: usize = 16;

fn put_head(message: &mut Vec<u8>, offset: u64, length: usize) {
    memory::unwinding::extend(message, &offset.to_le_bytes());
    memory::unwinding::extend(message, &(length as u64).to_le_bytes());
}

/// A message with these parts, each with its offset.
fn message<'p>(parts: impl Iterator<Item = (u64, &'p [u8])>) -> Result<Vec<u8>, Short> {
    let mut message = Vec::new();
    for (offset, part) in parts {
        put_head(&mut message, offset, part.len());
        memory::extend(&mut message, part)?;
    }
    Ok(message)
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

/// Part of a piece: index of the piece, and the range of its bytes.
type Part = (usize, Range<usize>);

/// The rounds of one call.
struct Plan {
    windows: Rounds,
    /// Own bytes in a round, and number of rounds, if I/O ranks access the long pieces of their groups.
    own: Option<(u64, u64)>,
}

impl Plan {
    const fn number(&self) -> u64 {
        match self.own {
            Some((_, number)) => number,
            None => self.windows.number(),
        }
    }
}

/// The receiver of bytes that are read: this rank, or another one.
#[derive(Debug, Clone, Copy)]
enum Reader {
    /// Index of this rank's part.
    Own(usize),
    /// Index of the answer, and the place in it.
    Other(usize, usize),
}

/// Offset and length of what is read.
type Request = (u64, usize, Reader);

impl<D: Disk> IoFile<D> {
    /// Collective: agrees on the rounds of a call. One small collective call.
    fn plan(&self, comm: &impl Comm, places: &[(u64, usize)]) -> Result<Plan, CommError> {
        let mut largest = demands(places);
        let Ways { ranks, group, buffer, stripe, .. } = &self.ways;
        let windows = Rounds::agree(comm, span(places), ranks.len(), *buffer, &mut largest)?;
        let own = windows.of_own_pieces(largest, buffer / group.most);
        Ok(Plan { windows: windows.striped(ranks.len(), *stripe), own })
    }

    /// The parts of own pieces in a round, for each I/O rank that accesses some of them.
    fn parts(&self, plan: &Plan, places: &[(u64, usize)], round: u64) -> Vec<(usize, Vec<Part>)> {
        let mut all = Vec::new();
        if let Some((share, _)) = plan.own {
            let start = round.saturating_mul(share);
            all.push((self.ways.group.io, collect(counted(places, start..start.saturating_add(share)))));
        } else {
            let windows = (0..self.ways.ranks.len()).map(|io| (io, plan.windows.window(io, round)));
            all.extend(windows.map(|(io, window)| (io, collect(within(places, window)))));
        }
        all.retain(|(_, parts): &(usize, Vec<Part>)| !parts.is_empty());
        all
    }

    /// Collective: notices bytes that several ranks write, if the I/O ranks do not see all of them together.
    fn check_overlaps(
        &self,
        comm: &impl Comm,
        windows: &Rounds,
        places: &[(u64, usize)],
    ) -> Result<Result<(), Fault>, CommError> {
        let mut messages = Vec::new();
        for (io, rank) in self.ways.ranks.iter().enumerate() {
            let mut bytes = Vec::new();
            for (piece, range) in within(places, windows.domain(io)) {
                put_head(&mut bytes, places[piece].0 + range.start as u64, range.len());
            }
            if !bytes.is_empty() {
                messages.push(Message { rank: *rank, bytes });
            }
        }
        let inbox = comm.exchange(messages)?;
        let mut all = Vec::new();
        for Message { bytes, .. } in &inbox {
            let mut rest = bytes.as_slice();
            while !rest.is_empty() {
                match take_head(&mut rest) {
                    Some(head) => memory::unwinding::push(&mut all, head),
                    None => return Ok(Err(malformed())),
                }
            }
        }
        all.sort_unstable();
        Ok(check_order(all))
    }

    /// Writes the parts of a round: own parts, and the messages of other ranks.
    fn write_round(&mut self, own: Vec<(u64, &[u8])>, inbox: &[Message]) -> Result<(), Fault> {
        let mut parts = own;
        for Message { bytes, .. } in inbox {
            let mut rest = bytes.as_slice();
            while !rest.is_empty() {
                let (offset, length) = take_head(&mut rest).ok_or_else(malformed)?;
                let (part, after) = rest.split_at_checked(length).ok_or_else(malformed)?;
                rest = after;
                memory::push(&mut parts, (offset, part))?;
            }
        }
        parts.sort_unstable_by_key(|(offset, _)| *offset);
        check_order(parts.iter().map(|(offset, part)| (*offset, part.len())))?;
        let mut joined = Vec::new();
        let mut parts = parts.into_iter().peekable();
        while let Some((offset, bytes)) = parts.next() {
            // Neighbours are joined, unless a part is long.
            let is_next = |end: u64, (next, _): &(u64, &[u8])| *next == end;
            if bytes.len() as u64 >= ALIGNMENT
                || parts.peek().is_none_or(|next| !is_next(offset + bytes.len() as u64, next))
            {
                self.file.put(Piece { offset, bytes })?;
                continue;
            }
            joined.clear();
            memory::extend(&mut joined, bytes)?;
            while let Some((_, next)) = parts.next_if(|next| {
                is_next(offset + joined.len() as u64, next) && (next.1.len() as u64) < ALIGNMENT
            }) {
                memory::extend(&mut joined, next)?;
            }
            self.file.put(Piece { offset, bytes: &joined })?;
        }
        Ok(())
    }

    /// Reads requests that are ordered by offset, into the pieces of this rank and the answers for the others.
    fn read_round(
        &mut self,
        requests: &[Request],
        own: &[Part],
        pieces: &mut [PieceMut<'_>],
        answers: &mut [Message],
    ) -> Result<(), Fault> {
        let mut rest = requests;
        while let Some((&(start, length, _), _)) = rest.split_first() {
            let (number, end) = joined(rest, start + length as u64);
            let (run, after) = rest.split_at(number);
            rest = after;
            // A single request is read where it belongs.
            if let [(offset, length, reader)] = run {
                let bytes = room(*reader, *length, own, pieces, answers);
                self.file.fill(PieceMut { offset: *offset, bytes })?;
                continue;
            }
            let mut read = memory::zeroed((end - start) as usize)?;
            self.file.fill(PieceMut { offset: start, bytes: &mut read })?;
            for (offset, length, reader) in run {
                let from = (offset - start) as usize;
                room(*reader, *length, own, pieces, answers).copy_from_slice(&read[from..from + length]);
            }
        }
        Ok(())
    }

    /// The index of this rank among the I/O ranks.
    fn own_index(&self, comm: &impl Comm) -> Option<usize> {
        self.ways.ranks.binary_search(&comm.rank()).ok()
    }
}

/// Number of requests from the first on that are read together, and the end of their bytes: requests that overlap, and
/// short ones with a small gap between them.
fn joined(requests: &[Request], mut end: u64) -> (usize, u64) {
    let is_long = |length: usize| length as u64 >= ALIGNMENT;
    let mut number = 1;
    let mut last = requests.first().map_or(0, |(_, length, _)| *length);
    for (offset, length, _) in requests.iter().skip(1) {
        let gap = if is_long(last) || is_long(*length) { 0 } else { GAP as u64 + 1 };
        if *offset >= end + gap {
            break;
        }
        (number, end, last) = (number + 1, end.max(offset + *length as u64), *length);
    }
    (number, end)
}

/// The place of the bytes of a request.
fn room<'r>(
    reader: Reader,
    length: usize,
    own: &[Part],
    pieces: &'r mut [PieceMut<'_>],
    answers: &'r mut [Message],
) -> &'r mut [u8] {
    match reader {
        Reader::Own(part) => {
            let (piece, range) = &own[part];
            &mut pieces[*piece].bytes[range.clone()]
        }
        Reader::Other(answer, place) => &mut answers[answer].bytes[place..place + length],
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
        let places = collect(pieces.iter().map(|piece| (piece.offset, piece.bytes.len())));
        let (places, mut outcome) = accepted(places);
        if self.ways.is_direct {
            return outcome.and_then(|()| pieces.iter().try_for_each(|piece| self.file.put(*piece)));
        }
        let plan = self.plan(comm, &places)?;
        if plan.own.is_some() {
            let checked = self.check_overlaps(comm, &plan.windows, &places)?;
            outcome = outcome.and(checked);
        }
        for round in 0..plan.number() {
            let (mut messages, mut own) = (Vec::new(), Vec::new());
            for (io, parts) in self.parts(&plan, &places, round) {
                let parts = parts.into_iter().map(|(piece, range)| {
                    (places[piece].0 + range.start as u64, &pieces[piece].bytes[range])
                });
                if self.ways.ranks[io] == comm.rank() {
                    own = collect(parts);
                    continue;
                }
                match message(parts) {
                    Ok(bytes) => messages.push(Message { rank: self.ways.ranks[io], bytes }),
                    // This rank still takes part.
                    Err(short) => outcome = outcome.and(Err(short.into())),
                }
            }
            let inbox = comm.exchange(messages)?;
            // After an error, this rank still takes part in the rounds that the others begin.
            if outcome.is_ok() && self.own_index(comm).is_some() {
                outcome = self.write_round(own, &inbox);
            }
        }
        outcome
    }

    fn read_all(&mut self, comm: &C, pieces: &mut [PieceMut<'_>]) -> Result<(), Fault> {
        let places = collect(pieces.iter().map(|piece| (piece.offset, piece.bytes.len())));
        let (places, mut outcome) = accepted(places);
        if self.ways.is_direct {
            let fill = |PieceMut { offset, bytes }: &mut PieceMut<'_>| {
                self.file.fill(PieceMut { offset: *offset, bytes })
            };
            return outcome.and_then(|()| pieces.iter_mut().try_for_each(fill));
        }
        let plan = self.plan(comm, &places)?;
        for round in 0..plan.number() {
            let (mut messages, mut own, mut sent) = (Vec::new(), Vec::new(), Vec::new());
            for (io, parts) in self.parts(&plan, &places, round) {
                if self.ways.ranks[io] == comm.rank() {
                    own = parts;
                    continue;
                }
                let mut bytes = Vec::new();
                for (piece, range) in &parts {
                    put_head(&mut bytes, places[*piece].0 + range.start as u64, range.len());
                }
                messages.push(Message { rank: self.ways.ranks[io], bytes });
                sent.push((self.ways.ranks[io], parts));
            }
            let inbox = comm.exchange(messages)?;

            let (mut answers, mut requests) = (Vec::new(), Vec::new());
            let begun = begin(&inbox, &mut answers, &mut requests);
            for (part, (piece, range)) in own.iter().enumerate() {
                let request = (places[*piece].0 + range.start as u64, range.len(), Reader::Own(part));
                memory::unwinding::push(&mut requests, request);
            }
            requests.sort_unstable_by_key(|(offset, ..)| *offset);
            outcome = outcome.and(begun);
            // Others wait for their answers. Bytes for this rank alone are read afterwards.
            let (first, later) = split(&requests);
            if outcome.is_ok() {
                outcome = self.read_round(&first, &own, pieces, &mut answers);
            }
            if outcome.is_err() {
                answers.clear();
            }
            let mut missing = sent.len();
            for Message { rank, bytes } in comm.exchange(answers)? {
                missing = missing.checked_sub(1).ok_or_else(malformed)?;
                let (_, parts) = sent.iter().find(|(io, _)| *io == rank).ok_or_else(malformed)?;
                let mut rest = bytes.as_slice();
                for (piece, range) in parts {
                    let (part, after) = rest.split_at_checked(range.len()).ok_or_else(malformed)?;
                    pieces[*piece].bytes[range.clone()].copy_from_slice(part);
                    rest = after;
                }
            }
            if outcome.is_ok() {
                outcome = self.read_round(&later, &own, pieces, &mut []);
            }
            if outcome.is_ok() && missing > 0 {
                outcome = Err(Fault::elsewhere());
            }
        }
        outcome
    }

    fn sync(&mut self, _: &C) -> Result<(), Fault> {
        self.file.synchronise()
    }

    fn close(&mut self, _: &C) -> Result<(), Fault> {
        self.file.shut()
    }
}

/// Makes room for the answers to all messages, and lists their requests.
fn begin(inbox: &[Message], answers: &mut Vec<Message>, requests: &mut Vec<Request>) -> Result<(), Fault> {
    for (answer, Message { rank, bytes }) in inbox.iter().enumerate() {
        let (mut place, mut rest) = (0, bytes.as_slice());
        while !rest.is_empty() {
            let (offset, length) = take_head(&mut rest).ok_or_else(malformed)?;
            offset.checked_add(length as u64).ok_or_else(malformed)?;
            memory::push(requests, (offset, length, Reader::Other(answer, place)))?;
            place = place.checked_add(length).ok_or_else(malformed)?;
        }
        answers.push(Message { rank: *rank, bytes: memory::zeroed(place)? });
    }
    Ok(())
}

/// Divides ordered requests into the ones that are read with requests of other ranks, and the ones of this rank alone.
fn split(requests: &[Request]) -> (Vec<Request>, Vec<Request>) {
    let (mut with_others, mut alone) = (Vec::new(), Vec::new());
    let mut rest = requests;
    while let Some((&(start, length, _), _)) = rest.split_first() {
        let (number, _) = joined(rest, start + length as u64);
        let (run, after) = rest.split_at(number);
        rest = after;
        let is_own = run.iter().all(|(.., reader)| matches!(reader, Reader::Own(_)));
        memory::unwinding::extend(if is_own { &mut alone } else { &mut with_others }, run);
    }
    (with_others, alone)
}
