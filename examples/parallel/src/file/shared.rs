//! A file that all ranks have opened, and the engines that access it.

use std::path::Path;

use crate::comm::Comm;
use crate::error::Fault;

/// Bytes to write, and their absolute offset in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Piece<'a> {
    /// Absolute offset of the first byte.
    pub offset: u64,
    /// Bytes to write there.
    pub bytes: &'a [u8],
}

/// Room for bytes to read, and their absolute offset in the file.
#[derive(Debug, PartialEq, Eq)]
pub struct PieceMut<'a> {
    /// Absolute offset of the first byte.
    pub offset: u64,
    /// The room. All of it is filled.
    pub bytes: &'a mut [u8],
}

/// Purpose of opening a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Reads an existing file.
    Read,
    /// Creates a file, or replaces the contents of an existing one, as `fopen` does with mode `w`.
    Write,
    /// Writes to an existing file, whose contents are kept.
    Update,
}

impl Access {
    /// True unless the file is only read.
    #[must_use]
    pub const fn writes(self) -> bool {
        !matches!(self, Self::Read)
    }
}

/// A way for the ranks of a job to access a file: it decides which of them call the operating system.
pub trait Engine<C: Comm> {
    /// The open file.
    type File: SharedFile<C>;

    /// Opens a file. All ranks enter this call. Only rank 0 may report that it fails: others may open the file later,
    /// when they need it.
    ///
    /// # Errors
    /// The file cannot be opened. No other rank may continue then: the caller agrees on the outcome.
    fn open(&self, comm: &C, path: &Path, access: Access) -> Result<Self::File, Fault>;
}

/// An open file of all ranks. Every rank enters the collective calls, with no pieces if it has nothing to do, or has
/// failed before. An error is the error of one rank: the caller lets the ranks agree on the outcome.
pub trait SharedFile<C: Comm> {
    /// Writes bytes of this rank alone.
    ///
    /// # Errors
    /// Not all bytes were written.
    fn write_at(&mut self, piece: Piece<'_>) -> Result<(), Fault>;

    /// Reads bytes on this rank alone. Returns their number, which is smaller than the room only at the end of the
    /// file.
    ///
    /// # Errors
    /// The bytes cannot be read.
    fn read_at(&mut self, piece: PieceMut<'_>) -> Result<usize, Fault>;

    /// Returns the size of the file in bytes. Called by one rank.
    ///
    /// # Errors
    /// The size is not known.
    fn size(&mut self) -> Result<u64, Fault>;

    /// Collective: writes the pieces of all ranks. On each rank, they are in the order of their offsets. No byte is in
    /// two pieces, of one rank or of several.
    ///
    /// # Errors
    /// Not all bytes of all ranks were written. Some rank returns an error, not necessarily the one that has the
    /// bytes.
    fn write_all(&mut self, comm: &C, pieces: &[Piece<'_>]) -> Result<(), Fault>;

    /// Collective: fills the pieces of all ranks. On each rank, they are in the order of their offsets, and do not
    /// overlap. Several ranks may read the same bytes.
    ///
    /// # Errors
    /// Not all pieces were filled, since the file ends before or reading failed. Some rank returns an error, not
    /// necessarily the one that needs the bytes.
    fn read_all(&mut self, comm: &C, pieces: &mut [PieceMut<'_>]) -> Result<(), Fault>;

    /// Collective: waits until all bytes that this rank has written are on the storage device.
    ///
    /// # Errors
    /// Bytes that were written may be lost.
    fn sync(&mut self, comm: &C) -> Result<(), Fault>;

    /// Collective: waits until all bytes are on the storage device, and closes the file. The file cannot be used
    /// afterwards.
    ///
    /// # Errors
    /// Bytes that were written may be lost.
    fn close(&mut self, comm: &C) -> Result<(), Fault>;

    /// Collective: closes the file as it is, after an error that all ranks have. Its contents do not matter
    /// any more, so errors are not reported.
    fn abandon(&mut self, comm: &C) {
        let _ = self.close(comm);
    }
}

/// Checks that pieces are in the order of their offsets, do not overlap, and end below 2^63.
///
/// # Errors
/// They are not: a fault of usage.
pub fn check_order(pieces: impl IntoIterator<Item = (u64, usize)>) -> Result<(), Fault> {
    let mut end = 0;
    for (offset, length) in pieces {
        if offset < end {
            return Err(Fault::usage(format!("pieces overlap or are not in order at byte {offset}")));
        }
        end = offset.checked_add(length as u64).filter(|end| end >> 63 == 0).ok_or_else(|| {
            Fault::usage(format!("{length} bytes at byte {offset} would end beyond the largest offset"))
        })?;
    }
    Ok(())
}
