//! The engine that accesses files with MPI-IO.

use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use linkstream_parallel::comm::{Comm, CommError, Op};
use linkstream_parallel::file::{
    Access, Disk, Engine, Piece, PieceMut, RankFile, Rounds, SharedFile, SystemDisk, accepted, demands, span,
    within,
};
use linkstream_parallel::{ErrorKind, Fault};

use crate::raw::{File, MOST, MpiError};
use crate::world::World;

/// Bytes of the file that each node has in a round, unless another number is requested: the buffer of an aggregator of
/// ROMIO.
const WINDOW: u64 = 16 << 20;

/// MPI-IO: collective calls of MPI read and write all pieces.
///
/// A call is divided into rounds. In each, all ranks together access 16 MiB of the file for each node, at most 1 GiB. So
/// no count of MPI reaches 2^31, and ROMIO, which after an error leaves its own rounds on one rank only, has none of its
/// own. If the ranks have few long pieces that are far apart in the file, most rounds would be empty: each rank accesses
/// its pieces independently then.
///
/// The numbers of bytes that MPI-IO returns are not relied on: what is read is compared with the size of the file.
/// OMPIO, the default of Open MPI, reports success when a disk is full. With it, this engine reads everything that it
/// has written again and compares it. `mpirun --mca io romio321` selects ROMIO, where this is not needed.
///
/// Bytes that several ranks write are not noticed. [`IoRanks`](linkstream_parallel::file::IoRanks) does so.
#[derive(Debug, Clone)]
pub struct MpiIo {
    window: u64,
    verify: bool,
}

impl MpiIo {
    /// Collective: the engine for these ranks. Written bytes are read again if MPI-IO is OMPIO.
    ///
    /// # Errors
    /// The ranks cannot communicate.
    pub fn new(world: &World) -> Result<Self, CommError> {
        // Open MPI passes parameters of `mpirun` as variables, and prefers variables to its files of parameters.
        let component = std::env::var("OMPI_MCA_io").unwrap_or_default();
        let is_ompio = world.library().starts_with("Open MPI") && !component.starts_with("romio");
        let is_leader = world.node_leader() == world.rank();
        let mut nodes = [u64::from(is_leader), u64::from(is_ompio)];
        world.combine(Op::Sum, &mut nodes)?;
        let [nodes, ompio] = nodes;
        Ok(Self { window: nodes.max(1).saturating_mul(WINDOW), verify: ompio > 0 }.limited())
    }

    /// The same engine with rounds of this many bytes of the file, at least one and at most 2^30. All ranks pass the same
    /// number.
    #[must_use]
    pub fn with_window(self, bytes: u64) -> Self {
        Self { window: bytes, ..self }.limited()
    }

    fn limited(self) -> Self {
        Self { window: self.window.clamp(1, MOST as u64), ..self }
    }

    /// The same engine, which reads again what it has written, or does not. All ranks pass the same.
    #[must_use]
    pub fn with_verification(self, verify: bool) -> Self {
        Self { verify, ..self }
    }

    /// True if what is written is read again.
    #[must_use]
    pub const fn is_verified(&self) -> bool {
        self.verify
    }
}

fn system(offset: Option<u64>, error: &MpiError) -> Fault {
    Fault { offset, message: error.to_string(), ..Fault::system(None, &io::Error::other("")) }
}

fn at(offset: u64) -> impl FnOnce(MpiError) -> Fault {
    move |error| system(Some(offset), &error)
}

fn no_offset(error: MpiError) -> Fault {
    system(None, &error)
}

/// An error of a call that writes. MPI-IO often keeps the reason of the system to itself.
fn not_written(error: MpiError) -> MpiError {
    MpiError::new("not written, the disk may be full", error.to_string())
}

/// An offset for MPI.
fn signed(offset: u64) -> Result<i64, Fault> {
    i64::try_from(offset).map_err(|_| Fault::usage(format!("offset {offset} is 2^63 or more")))
}

/// A call that returned success, but not the whole.
fn incomplete(offset: u64, text: String) -> Fault {
    Fault { offset: Some(offset), message: text, ..Fault::system(None, &io::Error::other("")) }
}

impl Engine<World> for MpiIo {
    type File = MpiFile;

    fn open(&self, world: &World, path: &Path, access: Access) -> Result<MpiFile, Fault> {
        // ROMIO would understand a prefix such as `nfs:` as the name of a file system.
        let path = std::path::absolute(path).unwrap_or_else(|_| path.into());
        let named =
            |fault: Fault| Fault { message: format!("{}: {}", path.display(), fault.message), ..fault };
        if access.writes() {
            // Rank 0 creates the file without MPI, whose implementations differ in what they do with an existing one.
            let created = match world.rank() {
                0 => SystemDisk.open(&path, access).map(drop),
                _ => Ok(()),
            };
            let mut failed = [u64::from(created.is_err())];
            world.combine(Op::Max, &mut failed)?;
            created.map_err(|error| named(Fault::system(None, &error)))?;
            if failed != [0] {
                return Err(Fault::elsewhere());
            }
        }
        let file = File::open(world.ranks(), &path, access.writes()).map_err(no_offset).map_err(named)?;
        let is_synced = access.writes() && world.node_leader() == world.rank();
        let synced = is_synced.then(|| SystemDisk.open_created(&path)).transpose();
        let synced = synced.map_err(|error| named(Fault::system(None, &error)))?;
        Ok(MpiFile {
            file: Some(file),
            synced,
            path,
            access,
            end: 0,
            window: self.window,
            verify: self.verify,
        })
    }
}

/// A file of the engine [`MpiIo`].
#[derive(Debug)]
pub struct MpiFile {
    /// `None` if the file is closed.
    file: Option<File>,
    /// The same file, opened by one rank of each node of the system's calls, to wait for the storage device.
    synced: Option<<SystemDisk as Disk>::File>,
    path: PathBuf,
    access: Access,
    /// Size that the file must have at least.
    end: u64,
    window: u64,
    verify: bool,
}

impl MpiFile {
    fn file(&mut self) -> Result<&mut File, Fault> {
        let Self { file, path, .. } = self;
        // The program may have kept the file until now.
        if mpi::environment::is_finalized() {
            return Err(Fault::usage(format!("{}: MPI is not in use any more", path.display())));
        }
        file.as_mut().ok_or_else(|| Fault::usage(format!("{}: the file is closed", path.display())))
    }

    /// Enters the calls of a round with the bytes of this rank: a view of their places, if any rank needs one, and one
    /// call that reads or writes.
    fn round(
        &mut self,
        view: View,
        parts: &Parts,
        run: impl FnOnce(&mut File, i64, bool) -> Result<usize, MpiError>,
    ) -> Result<(), Fault> {
        let first = parts.offsets.first().copied().unwrap_or(0);
        let fault = |error| at(first as u64)(error);
        let file = self.file()?;
        // The call follows even if the view fails on this rank: the other ranks enter it. It then has no bytes, which
        // would belong to other places.
        let viewed = if view == View::Parts { file.view(&parts.offsets, &parts.lengths) } else { Ok(()) };
        let number = run(file, if view == View::None { first } else { 0 }, viewed.is_ok()).map_err(fault);
        viewed.map_err(fault)?;
        match number? {
            number if number == parts.total => Ok(()),
            number => {
                let text = format!("only {number} of {} bytes were read or written", parts.total);
                Err(incomplete(first as u64, text))
            }
        }
    }
}

/// View of the file in a call: the parts that a rank accesses appear to it as one sequence.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum View {
    /// The whole file.
    None,
    /// The parts of this rank.
    Parts,
}

/// The pieces of this rank in a round.
struct Parts {
    offsets: Vec<i64>,
    lengths: Vec<usize>,
    total: usize,
}

impl Parts {
    fn new(places: &[(u64, usize)], window: Range<u64>) -> Self {
        let mut parts = Self { offsets: Vec::new(), lengths: Vec::new(), total: 0 };
        for (piece, range) in within(places, window) {
            // Accepted pieces end below 2^63.
            parts.offsets.push((places[piece].0 + range.start as u64) as i64);
            parts.lengths.push(range.len());
            parts.total += range.len();
        }
        parts
    }
}

/// The bytes of a round as one slice. Copied only if they are in several pieces.
fn joined<'a>(
    pieces: &[Piece<'a>],
    places: &[(u64, usize)],
    window: Range<u64>,
    buffer: &'a mut Vec<u8>,
) -> &'a [u8] {
    let mut parts = within(places, window);
    let (first, second) = (parts.next(), parts.next());
    match (first, second) {
        (None, _) => &[],
        (Some((piece, range)), None) => &pieces[piece].bytes[range],
        (first, second) => {
            buffer.clear();
            for (piece, range) in first.into_iter().chain(second).chain(parts) {
                buffer.extend_from_slice(&pieces[piece].bytes[range]);
            }
            buffer
        }
    }
}

impl SharedFile<World> for MpiFile {
    fn write_at(&mut self, piece: Piece<'_>) -> Result<(), Fault> {
        let verify = self.verify;
        let file = self.file()?;
        let mut offset = piece.offset;
        for part in piece.bytes.chunks(MOST) {
            let place = signed(offset)?;
            let number = file.write_at(place, part).map_err(not_written).map_err(at(offset))?;
            if number != part.len() {
                let text = format!("only {number} of {} bytes were written", part.len());
                return Err(incomplete(offset, text));
            }
            if verify {
                let mut again = inverted(part);
                file.read_at(place, &mut again).map_err(at(offset))?;
                compare(offset, part, &again)?;
            }
            offset += part.len() as u64;
        }
        Ok(())
    }

    fn read_at(&mut self, piece: PieceMut<'_>) -> Result<usize, Fault> {
        let file = self.file()?;
        // The number that MPI returns can be larger than the number of bytes before the end of the file.
        let size = file.size().map_err(no_offset)?;
        let available = usize::try_from(size.saturating_sub(piece.offset)).unwrap_or(usize::MAX);
        let length = available.min(piece.bytes.len());
        let mut offset = piece.offset;
        for part in piece.bytes[..length].chunks_mut(MOST) {
            let number = file.read_at(signed(offset)?, part).map_err(at(offset))?;
            if number != part.len() {
                return Err(incomplete(offset, format!("only {number} of {} bytes were read", part.len())));
            }
            offset += part.len() as u64;
        }
        Ok(length)
    }

    fn size(&mut self) -> Result<u64, Fault> {
        self.file()?.size().map_err(no_offset)
    }

    fn write_all(&mut self, world: &World, pieces: &[Piece<'_>]) -> Result<(), Fault> {
        let places = pieces.iter().map(|piece| (piece.offset, piece.bytes.len())).collect();
        let (places, mut outcome) = accepted(places);
        let Plan { rounds, view, is_independent } = self.plan(world, &places)?;
        self.end = self.end.max(rounds.end());
        if is_independent {
            let pieces = if outcome.is_ok() { pieces } else { &[] };
            let written = pieces.iter().try_for_each(|piece| self.write_at(*piece));
            // A rank checks the size when all have written.
            world.combine(Op::Max, &mut [0])?;
            return outcome.and(written).and(self.check_size(world.rank() == 0));
        }
        let mut buffer = Vec::new();
        for round in 0..rounds.number() {
            // After an error, this rank still takes part in the rounds that the others begin.
            let window = if outcome.is_ok() { rounds.window(0, round) } else { 0..0 };
            let parts = Parts::new(&places, window.clone());
            let bytes = joined(pieces, &places, window.clone(), &mut buffer);
            let written = self.round(view, &parts, |file, offset, is_good| {
                file.write_at_all(offset, if is_good { bytes } else { &[] }).map_err(not_written)
            });
            outcome = outcome.and(written);
        }
        let mut outcome = outcome.and(self.reset(view));
        if self.verify {
            // A rank returns from MPI while another one may still write its bytes.
            world.combine(Op::Max, &mut [0])?;
            outcome = outcome.and(self.check_size(world.rank() == 0));
            for round in 0..rounds.number() {
                let window = if outcome.is_ok() { rounds.window(0, round) } else { 0..0 };
                outcome = outcome.and(self.read_again(view, pieces, &places, window, &mut buffer));
            }
            outcome = outcome.and(self.reset(view));
        }
        outcome
    }

    fn read_all(&mut self, world: &World, pieces: &mut [PieceMut<'_>]) -> Result<(), Fault> {
        let places = pieces.iter().map(|piece| (piece.offset, piece.bytes.len())).collect();
        let (places, mut outcome) = accepted(places);
        let Plan { rounds, view, is_independent } = self.plan(world, &places)?;
        if is_independent {
            self.end = rounds.end();
            let pieces = if outcome.is_ok() { pieces } else { &mut [] };
            let read = pieces.iter_mut().try_for_each(|PieceMut { offset, bytes }| {
                let wanted = bytes.len();
                let number = self.read_at(PieceMut { offset: *offset, bytes })?;
                let text = || format!("only {number} of {wanted} bytes were read");
                if number == wanted { Ok(()) } else { Err(incomplete(*offset + number as u64, text())) }
            });
            let outcome = outcome.and(read);
            return self.check_size(world.rank() == 0 || outcome.is_err()).and(outcome);
        }
        let mut buffer = Vec::new();
        for round in 0..rounds.number() {
            let window = if outcome.is_ok() { rounds.window(0, round) } else { 0..0 };
            let parts = Parts::new(&places, window.clone());
            let mut found = within(&places, window.clone());
            let read = match (found.next(), found.next()) {
                (Some((piece, range)), None) => {
                    let bytes = &mut pieces[piece].bytes[range];
                    self.round(view, &parts, |file, offset, is_good| {
                        file.read_at_all(offset, if is_good { bytes } else { &mut [] })
                    })
                }
                _ => {
                    buffer.resize(parts.total, 0);
                    let read = self.round(view, &parts, |file, offset, is_good| {
                        file.read_at_all(offset, if is_good { &mut buffer } else { &mut [] })
                    });
                    let mut rest = buffer.as_slice();
                    for (piece, range) in within(&places, window) {
                        let part;
                        (part, rest) = rest.split_at(range.len());
                        pieces[piece].bytes[range].copy_from_slice(part);
                    }
                    read
                }
            };
            outcome = outcome.and(read);
        }
        let reset = self.reset(view);
        // A file that has become shorter explains other errors, also on the ranks that have them.
        self.end = rounds.end();
        self.check_size(world.rank() == 0 || outcome.is_err()).and(outcome).and(reset)
    }

    fn sync(&mut self, world: &World) -> Result<(), Fault> {
        let flushed = self.flush(world)?;
        flushed.and(
            self.synced
                .as_ref()
                .map_or(Ok(()), |file| file.sync())
                .map_err(|error| Fault::system(None, &error)),
        )
    }

    fn close(&mut self, world: &World) -> Result<(), Fault> {
        let flushed = match &self.file {
            None => return Ok(()),
            Some(_) if self.access.writes() => self.flush(world)?,
            Some(_) => Ok(()),
        };
        let Some(file) = self.file.take() else { return flushed };
        let closed = file.close().map_err(no_offset);
        let synced = self.synced.take().map_or(Ok(()), |file| file.sync());
        flushed.and(closed).and(synced.map_err(|error| Fault::system(None, &error)))
    }

    fn abandon(&mut self, world: &World) {
        let Some(file) = self.file.take() else { return };
        self.synced = None;
        // Other ranks may still write, also in collective calls that this rank has left. Without `MPI_File_sync`: after
        // a failed write, OMPIO returns from it at once on one rank, and the others wait for this rank.
        let _ = world.combine(Op::Max, &mut [0]);
        let _ = file.close();
    }
}

/// The way of one call.
struct Plan {
    rounds: Rounds,
    view: View,
    /// True if each rank accesses its pieces independently.
    is_independent: bool,
}

impl MpiFile {
    /// Collective: passes all bytes to the system, and checks the size of the file. The outer error is one of
    /// communication.
    fn flush(&mut self, world: &World) -> Result<Result<(), Fault>, CommError> {
        let flushed = self.file().and_then(|file| file.sync().map_err(no_offset));
        // Other ranks may still write, also in collective calls that this rank has left.
        world.combine(Op::Max, &mut [0])?;
        Ok(flushed.and_then(|()| self.check_size(world.rank() == 0)))
    }

    /// Collective: agrees on the way of a call. One small collective call.
    fn plan(&self, world: &World, places: &[(u64, usize)]) -> Result<Plan, CommError> {
        let [are_short, bytes] = demands(places);
        let mut largest = [are_short, bytes, u64::from(places.len() > 1)];
        let rounds = Rounds::agree(world, span(places), 1, self.window, &mut largest)?;
        let [are_short, bytes, needs_view] = largest;
        let own = rounds.of_own_pieces([are_short, bytes], self.window / world.size() as u64);
        let view = if needs_view == 0 { View::None } else { View::Parts };
        Ok(Plan { rounds, view, is_independent: own.is_some() })
    }

    /// Sets the view of the whole file again, if a call had another one.
    fn reset(&mut self, view: View) -> Result<(), Fault> {
        if view == View::None { Ok(()) } else { self.file()?.view(&[], &[]).map_err(no_offset) }
    }

    /// Enters the calls of a round that read what was written again, and compares it.
    fn read_again(
        &mut self,
        view: View,
        pieces: &[Piece<'_>],
        places: &[(u64, usize)],
        window: Range<u64>,
        buffer: &mut Vec<u8>,
    ) -> Result<(), Fault> {
        let parts = Parts::new(places, window.clone());
        let mut written = joined(pieces, places, window, buffer);
        let again = &mut inverted(written);
        self.round(view, &parts, |file, offset, is_good| {
            file.read_at_all(offset, if is_good { again } else { &mut [] })
        })?;
        let mut again = again.as_slice();
        for (offset, length) in parts.offsets.iter().zip(&parts.lengths) {
            let (part, part_again);
            (part, written) = written.split_at(*length);
            (part_again, again) = again.split_at(*length);
            compare(*offset as u64, part, part_again)?;
        }
        Ok(())
    }

    /// Checks that the file has all bytes that were written or read, if this rank `is_checking`.
    fn check_size(&mut self, is_checking: bool) -> Result<(), Fault> {
        if !is_checking || self.end == 0 {
            return Ok(());
        }
        let (size, end) = (self.size()?, self.end);
        if size >= end {
            return Ok(());
        }
        let missing = end - size;
        Err(match self.access {
            Access::Read => {
                let message = format!("the file has become shorter: {missing} bytes are missing");
                Fault { kind: ErrorKind::File, ..Fault::file(size, "", message) }
            }
            Access::Write | Access::Update => {
                incomplete(size, format!("{missing} bytes were not written, without an error"))
            }
        })
    }
}

/// Room that differs from the bytes that are to be read into it. MPI can leave it as it is.
fn inverted(bytes: &[u8]) -> Vec<u8> {
    bytes.iter().map(|byte| !byte).collect()
}

/// Compares bytes that were written with what was read again.
fn compare(offset: u64, written: &[u8], read: &[u8]) -> Result<(), Fault> {
    match written.iter().zip(read).position(|(written, read)| written != read) {
        None => Ok(()),
        Some(first) => {
            let text =
                "the file does not contain what was written; MPI reported no error (the disk may be full)";
            Err(incomplete(offset + first as u64, text.into()))
        }
    }
}
