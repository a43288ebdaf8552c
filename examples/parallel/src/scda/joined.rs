//! Access to many small pieces with few requests: neighbours in the file are joined.

use linkstream_memory::{self as memory, Short};

use super::parts::Pieces;
use crate::comm::Comm;
use crate::error::{ErrorKind, Fault};
use crate::file::{Piece, PieceMut, SharedFile};

/// Pieces of at least this number of bytes are not copied to be joined.
const LARGE: usize = 256 << 10;

enum Bytes<'a> {
    Given(&'a [u8]),
    Copied(Vec<u8>),
}

/// Pieces to write: runs of neighbours that are small are one piece.
struct Joined<'a>(Vec<(u64, Bytes<'a>)>);

impl<'a> Joined<'a> {
    fn of(pieces: impl Iterator<Item = Piece<'a>>) -> Result<Self, Short> {
        let mut joined: Vec<(u64, Bytes<'a>)> = Vec::new();
        for Piece { offset, bytes } in pieces {
            if let (Some((start, last)), true) = (joined.last_mut(), bytes.len() < LARGE) {
                match last {
                    Bytes::Copied(run) if *start + run.len() as u64 == offset => {
                        memory::extend(run, bytes)?;
                        continue;
                    }
                    Bytes::Given(first) if first.len() < LARGE && *start + first.len() as u64 == offset => {
                        *last = Bytes::Copied([first, bytes].concat());
                        continue;
                    }
                    _ => {}
                }
            }
            memory::push(&mut joined, (offset, Bytes::Given(bytes)))?;
        }
        Ok(Self(joined))
    }

    fn pieces(&self) -> Result<Vec<Piece<'_>>, Short> {
        let bytes = |bytes| match bytes {
            &Bytes::Given(bytes) => bytes,
            Bytes::Copied(run) => run.as_slice(),
        };
        memory::collect(self.0.iter().map(|(offset, each)| Piece { offset: *offset, bytes: bytes(each) }))
    }
}

/// Writes pieces of this rank alone.
pub(super) fn write_alone<C: Comm, F: SharedFile<C>, D: AsRef<[u8]>>(
    file: &mut F,
    pieces: &Pieces<'_, D>,
) -> Result<(), Fault> {
    Joined::of(pieces.writes())?.pieces()?.into_iter().try_for_each(|piece| file.write_at(piece))
}

/// Collective: writes the pieces of all ranks, in one access. A rank that has failed takes part without any.
pub(super) fn write_all<C: Comm, F: SharedFile<C>, D: AsRef<[u8]>>(
    comm: &C,
    file: &mut F,
    pieces: &Result<Pieces<'_, D>, Fault>,
) -> Result<(), Fault> {
    let joined = pieces.as_ref().map_err(Clone::clone).and_then(|pieces| Ok(Joined::of(pieces.writes())?));
    match joined.as_ref().map_err(Clone::clone).and_then(|joined| Ok(joined.pieces()?)) {
        Ok(pieces) => file.write_all(comm, &pieces),
        Err(fault) => failed(fault, file.write_all(comm, &[])),
    }
}

/// The fault of a rank that took part in a collective access after it.
fn failed(fault: Fault, outcome: Result<(), Fault>) -> Result<(), Fault> {
    match outcome {
        Err(lost) if lost.kind == ErrorKind::Communication => Err(lost),
        _ => Err(fault),
    }
}

/// Reads bytes of this rank alone. All of the room is filled.
pub(super) fn read_alone<C: Comm, F: SharedFile<C>>(
    file: &mut F,
    offset: u64,
    bytes: &mut [u8],
) -> Result<(), Fault> {
    let wanted = bytes.len();
    if wanted == 0 {
        return Ok(());
    }
    let filled = file.read_at(PieceMut { offset, bytes })?;
    if filled == wanted {
        return Ok(());
    }
    let message = format!("the file has become shorter: {} bytes are missing", wanted - filled);
    Err(Fault::file(offset + filled as u64, "", message))
}

/// Collective: fills the room of all ranks, in one access. A rank that has failed takes part without any.
pub(super) fn read_all<C: Comm, F: SharedFile<C>>(
    comm: &C,
    file: &mut F,
    pieces: Result<Vec<PieceMut<'_>>, Fault>,
) -> Result<(), Fault> {
    match pieces {
        Ok(mut pieces) => file.read_all(comm, &mut pieces),
        Err(fault) => failed(fault, file.read_all(comm, &mut [])),
    }
}

/// Collective: fills slices with bytes that follow each other in the file, in one access. Small slices are filled from
/// one piece.
pub(super) fn read_slices<C: Comm, F: SharedFile<C>>(
    comm: &C,
    file: &mut F,
    slices: Result<(u64, Vec<&mut [u8]>), Fault>,
) -> Result<(), Fault> {
    let (mut offset, slices) = match slices {
        Ok(slices) => slices,
        Err(fault) => return read_all(comm, file, Err(fault)),
    };
    let total: usize = slices.iter().map(|slice| slice.len()).sum();
    if slices.len() > 1 && total / slices.len() < LARGE {
        let mut bytes = match zeros(total) {
            Ok(bytes) => bytes,
            Err(fault) => return read_all(comm, file, Err(fault)),
        };
        read_all(comm, file, Ok(vec![PieceMut { offset, bytes: &mut bytes }]))?;
        let mut rest = bytes.as_slice();
        for slice in slices {
            let (bytes, after) = rest.split_at(slice.len());
            slice.copy_from_slice(bytes);
            rest = after;
        }
        return Ok(());
    }
    let pieces = slices.into_iter().map(|bytes| {
        let start = offset;
        offset += bytes.len() as u64;
        PieceMut { offset: start, bytes }
    });
    let pieces = memory::collect(pieces.filter(|piece| !piece.bytes.is_empty()));
    read_all(comm, file, pieces.map_err(Fault::from))
}

/// Memory for so many bytes.
///
/// # Errors
/// There is not enough memory.
pub(super) fn zeros(length: usize) -> Result<Vec<u8>, Fault> {
    Ok(memory::zeroed(length)?)
}

/// An empty list with memory for so many values.
///
/// # Errors
/// There is not enough memory.
pub(super) fn room<T>(count: usize) -> Result<Vec<T>, Fault> {
    Ok(memory::room(count)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_neighbours_are_one_piece() {
        let large = vec![7; LARGE];
        let pieces: [(u64, &[u8]); 7] = [
            (10, b"ab"),
            (12, b""),
            (12, b"c"),
            (20, b"d"),
            (21, &large),
            (21 + LARGE as u64, b"e"),
            (22 + LARGE as u64, b"f"),
        ];
        let pieces = pieces.into_iter().map(|(offset, bytes)| Piece { offset, bytes });
        let joined = Joined::of(pieces).expect("some bytes");
        let pieces: Vec<_> = joined
            .pieces()
            .expect("some pieces")
            .into_iter()
            .map(|piece| (piece.offset, piece.bytes.len()))
            .collect();
        assert_eq!(pieces, [(10, 3), (20, 1), (21, LARGE), (21 + LARGE as u64, 2)]);
    }
}
