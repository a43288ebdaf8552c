//! A file that is new: its beginning is written last, and it can get its name when it is complete.

use std::borrow::Cow;
use std::path::Path;

use linkstream_memory::{self as memory, Short};

use super::direct::OpenFile;
use super::disk::Disk;
use super::replacement::{Replacement, beside};
use super::shared::{Access, Engine, Piece, PieceMut, SharedFile};
use crate::comm::{Comm, Op};
use crate::error::Fault;

/// Number of bytes at the beginning of a new file that are written last: the header of an scda file, and more than the
/// part of a LIME header that a reader recognises.
pub const BEGINNING: usize = 128;

/// A file that is written from its beginning, or from the end of what it has.
///
/// The final bytes do not show how far the ranks have come: a file has its full length as soon as the last rank has
/// written, even if an earlier one has not. So the first [`BEGINNING`] bytes are kept in memory, and written when all
/// other bytes of all ranks are on the storage device. Until then, the file begins with zeros: it is no scda file and
/// no LIME file, whenever the job is killed.
#[derive(Debug)]
pub struct NewFile<F> {
    file: F,
    /// `None` when the file has been closed or abandoned.
    beginning: Option<Beginning>,
    /// True on all ranks if the file gets its name when it is closed.
    replaces: bool,
    /// On rank 0, if `replaces`.
    replacement: Option<Replacement>,
}

/// The first bytes of a file, as far as this rank has them.
#[derive(Debug)]
struct Beginning {
    start: u64,
    bytes: [u8; BEGINNING],
    /// One bit for each byte that this rank has.
    known: u128,
}

impl Beginning {
    const fn new(start: u64) -> Self {
        Self { start, bytes: [0; BEGINNING], known: 0 }
    }

    /// Keeps the bytes that belong to the beginning. Returns the bytes to be written now, with zeros instead of them: the
    /// room is taken, and an error of the file is noticed, before everything else is written.
    fn keep<'p>(&mut self, piece: Piece<'p>) -> Result<Cow<'p, [u8]>, Short> {
        let place = piece.offset.checked_sub(self.start).filter(|place| *place < BEGINNING as u64);
        let Some(place) = place else { return Ok(Cow::Borrowed(piece.bytes)) };
        let room = &mut self.bytes[place as usize..];
        let length = piece.bytes.len().min(room.len());
        room[..length].copy_from_slice(&piece.bytes[..length]);
        for at in place as usize..place as usize + length {
            self.known |= 1 << at;
        }
        let mut hidden = memory::copied(piece.bytes)?;
        hidden[..length].fill(0);
        Ok(Cow::Owned(hidden))
    }

    /// Puts the bytes of the beginning into what has been read from the file. Returns the number of bytes read.
    fn overlay(&self, offset: u64, bytes: &mut [u8], read: usize) -> usize {
        let ends = (self.end().saturating_sub(offset) as usize).min(bytes.len()).max(read);
        bytes[read..ends].fill(0);
        for (at, byte) in self.bytes.iter().enumerate().filter(|(at, _)| self.known >> at & 1 == 1) {
            let place = (self.start + at as u64).checked_sub(offset);
            if let Some(to) = place.and_then(|place| bytes.get_mut(usize::try_from(place).ok()?)) {
                *to = *byte;
            }
        }
        ends
    }

    /// Offset after the last byte that this rank has, or 0.
    fn end(&self) -> u64 {
        let length = u128::BITS - self.known.leading_zeros();
        if length == 0 { 0 } else { self.start + u64::from(length) }
    }

    /// The runs of bytes that this rank has.
    fn pieces(&self) -> Vec<Piece<'_>> {
        let has = |at: &usize| self.known >> at & 1 == 1;
        let mut pieces = Vec::new();
        let mut at = 0;
        while let Some(from) = (at..BEGINNING).find(has) {
            at = (from..BEGINNING).find(|at| !has(at)).unwrap_or(BEGINNING);
            pieces.push(Piece { offset: self.start + from as u64, bytes: &self.bytes[from..at] });
        }
        pieces
    }
}

/// Collective: the outcome of this rank, or an error if another rank has one. One small collective call. A rank without a
/// part of the file calls it while others [close](NewFile::close_if) theirs.
///
/// # Errors
/// The error of this rank; the others get one that says that it is a consequence.
pub fn everywhere(comm: &impl Comm, outcome: Result<(), Fault>) -> Result<(), Fault> {
    let mut failed = [u64::from(outcome.is_err())];
    comm.combine(Op::Max, &mut failed)?;
    outcome?;
    if failed == [0] { Ok(()) } else { Err(Fault::elsewhere()) }
}

/// Reads bytes again that were written, and compares them.
fn read_again<C: Comm, F: SharedFile<C>>(file: &mut F, piece: Piece<'_>) -> Result<(), Fault> {
    let mut again = [0; BEGINNING];
    let again = &mut again[..piece.bytes.len()];
    let read = file.read_at(PieceMut { offset: piece.offset, bytes: again })?;
    if read == piece.bytes.len() && again == piece.bytes { Ok(()) } else { Err(Fault::lost(piece.offset)) }
}

impl<F> NewFile<F> {
    /// Collective: creates a file. If it `replaces`, it is called `.NAME.part` until [`close`](SharedFile::close)
    /// has succeeded on all ranks: a file of this name stays as it is until then. An error, or dropping this structure,
    /// removes what has been written. Otherwise, a file of this name is truncated now.
    ///
    /// A pipe, a device, and a symbolic link to another file system are written in place.
    ///
    /// # Errors
    /// The file cannot be created, or another job is writing it.
    pub fn create<C: Comm, E: Engine<C, File = F>>(
        comm: &C,
        engine: &E,
        path: &Path,
        replaces: bool,
    ) -> Result<Self, Fault> {
        let (mut replaces, mut replacement) = (replaces, None);
        if replaces {
            let made = if comm.rank() == 0 { Replacement::create(path) } else { Ok(None) };
            // Only rank 0 looks at the file.
            let mut numbers = [u64::from(made.is_err()), u64::from(matches!(made, Ok(Some(_))))];
            comm.combine(Op::Max, &mut numbers)?;
            replacement = made?;
            let [failed, is_beside] = numbers;
            if failed != 0 {
                return Err(Fault::elsewhere());
            }
            replaces = is_beside != 0;
        }
        let file = if replaces {
            engine.open(comm, &beside(path), Access::Write)?
        } else {
            engine.open(comm, path, Access::Write)?
        };
        Ok(Self { replaces, replacement, ..Self::from_offset(file, 0) })
    }

    /// A file that is open to be written, and new from this offset on.
    pub const fn from_offset(file: F, start: u64) -> Self {
        Self { file, beginning: Some(Beginning::new(start)), replaces: false, replacement: None }
    }

    /// A file whose beginning is not written last: it has another name until it is complete.
    pub const fn complete(file: F) -> Self {
        Self { file, beginning: None, replaces: false, replacement: None }
    }

    /// Sets the offset of the first new byte, before anything is written.
    pub fn begin_at(&mut self, start: u64) {
        self.beginning = Some(Beginning::new(start));
    }

    /// The file, to read what it had before.
    pub const fn file(&mut self) -> &mut F {
        &mut self.file
    }

    /// Collective: like [`close`](SharedFile::close), but the file does not become valid if it is not `ready` on some
    /// rank. With `verify`, the beginning is read again and compared.
    ///
    /// # Errors
    /// A rank is not ready, or bytes may be lost.
    pub fn close_if<C: Comm>(&mut self, comm: &C, ready: Result<(), Fault>, verify: bool) -> Result<(), Fault>
    where
        F: SharedFile<C>,
    {
        let Some(beginning) = self.beginning.take() else { return ready.and(self.file.close(comm)) };
        let synced = self.file.sync(comm);
        everywhere(comm, ready.and(synced))?;
        let written = beginning.pieces().into_iter().try_for_each(|piece| {
            self.file.write_at(piece)?;
            if verify { read_again(&mut self.file, piece) } else { Ok(()) }
        });
        let closed = written.and(self.file.close(comm));
        if !self.replaces {
            return closed;
        }
        everywhere(comm, closed)?;
        self.replacement.take().map_or(Ok(()), Replacement::publish)
    }

    fn kept<'p>(&mut self, piece: Piece<'p>) -> Result<Cow<'p, [u8]>, Short> {
        match &mut self.beginning {
            Some(beginning) => beginning.keep(piece),
            None => Ok(Cow::Borrowed(piece.bytes)),
        }
    }

    fn all_kept<'p>(&mut self, pieces: &[Piece<'p>]) -> Result<Vec<Cow<'p, [u8]>>, Short> {
        let mut all = memory::room(pieces.len())?;
        for piece in pieces {
            all.push(self.kept(*piece)?);
        }
        Ok(all)
    }

    fn overlaid(&self, offset: u64, bytes: &mut [u8], read: usize) -> usize {
        self.beginning.as_ref().map_or(read, |beginning| beginning.overlay(offset, bytes, read))
    }
}

impl<D: Disk> NewFile<OpenFile<D>> {
    pub(crate) fn put(&mut self, piece: Piece<'_>) -> Result<(), Fault> {
        let bytes = self.kept(piece)?;
        self.file.put(Piece { offset: piece.offset, bytes: &bytes })
    }

    pub(crate) fn take(&mut self, piece: PieceMut<'_>) -> Result<usize, Fault> {
        let PieceMut { offset, bytes } = piece;
        let read = self.file.take(PieceMut { offset, bytes: &mut *bytes })?;
        Ok(self.overlaid(offset, bytes, read))
    }
}

impl<C: Comm, F: SharedFile<C>> SharedFile<C> for NewFile<F> {
    fn write_at(&mut self, piece: Piece<'_>) -> Result<(), Fault> {
        let bytes = self.kept(piece)?;
        self.file.write_at(Piece { offset: piece.offset, bytes: &bytes })
    }

    fn read_at(&mut self, piece: PieceMut<'_>) -> Result<usize, Fault> {
        let PieceMut { offset, bytes } = piece;
        let read = self.file.read_at(PieceMut { offset, bytes: &mut *bytes })?;
        Ok(self.overlaid(offset, bytes, read))
    }

    fn size(&mut self) -> Result<u64, Fault> {
        let size = self.file.size()?;
        Ok(size.max(self.beginning.as_ref().map_or(0, Beginning::end)))
    }

    fn write_all(&mut self, comm: &C, pieces: &[Piece<'_>]) -> Result<(), Fault> {
        let kept = self.all_kept(pieces);
        let pieces = kept.as_ref().map_err(|short| *short).and_then(|kept| {
            let each = pieces.iter().zip(kept);
            memory::collect(each.map(|(piece, bytes)| Piece { offset: piece.offset, bytes }))
        });
        match pieces {
            Ok(pieces) => self.file.write_all(comm, &pieces),
            // This rank still takes part.
            Err(short) => self.file.write_all(comm, &[]).and(Err(short.into())),
        }
    }

    fn read_all(&mut self, comm: &C, pieces: &mut [PieceMut<'_>]) -> Result<(), Fault> {
        self.file.read_all(comm, pieces)
    }

    fn sync(&mut self, comm: &C) -> Result<(), Fault> {
        self.file.sync(comm)
    }

    fn close(&mut self, comm: &C) -> Result<(), Fault> {
        self.close_if(comm, Ok(()), false)
    }

    fn abandon(&mut self, comm: &C) {
        self.beginning = None;
        self.file.abandon(comm);
        self.replacement = None;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::comm::Solo;
    use crate::file::Direct;

    #[test]
    fn the_beginning_is_written_when_the_file_is_closed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let engine: Direct = Direct::default();
        let write = |replaces| {
            std::fs::write(&path, b"old").unwrap();
            let mut file = NewFile::create(&Solo, &engine, &path, replaces).unwrap();
            for (offset, bytes) in [(100, &[1; 60][..]), (0, &[2; 10]), (160, &[3; 40])] {
                SharedFile::<Solo>::write_at(&mut file, Piece { offset, bytes }).unwrap();
            }
            file
        };
        let expected = [&[2; 10][..], &[0; 90], &[1; 60], &[3; 40]].concat();
        for replaces in [false, true] {
            let mut file = write(replaces);
            let mut again = [9; 300];
            let read = SharedFile::<Solo>::read_at(&mut file, PieceMut { offset: 0, bytes: &mut again });
            assert_eq!((read, &again[..200]), (Ok(200), &*expected));
            assert_eq!(SharedFile::<Solo>::size(&mut file), Ok(200));
            let now = std::fs::read(if replaces { beside(&path) } else { path.clone() }).unwrap();
            assert_eq!((&now[..128], &now[128..]), (&[0; 128][..], &expected[128..]));
            if replaces {
                assert_eq!(std::fs::read(&path).unwrap(), b"old");
            }
            file.close(&Solo).unwrap();
            assert_eq!(std::fs::read(&path).unwrap(), expected);
            assert!(!beside(&path).exists());

            let mut file = write(replaces);
            assert!(file.close_if(&Solo, Err(Fault::usage("not ready")), false).is_err());
            drop(file);
            let mut file = write(replaces);
            SharedFile::<Solo>::abandon(&mut file, &Solo);
            let left = std::fs::read(&path).unwrap();
            assert!(if replaces { left == b"old" } else { left[..128] == [0; 128] });
            assert!(!beside(&path).exists());
        }
    }

    #[test]
    fn a_short_file_is_its_beginning() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("file");
        let engine: Direct = Direct::default();
        let mut file = NewFile::create(&Solo, &engine, &path, false).unwrap();
        SharedFile::<Solo>::write_at(&mut file, Piece { offset: 0, bytes: b"short" }).unwrap();
        let mut again = [9; 9];
        let read = SharedFile::<Solo>::read_at(&mut file, PieceMut { offset: 2, bytes: &mut again });
        assert_eq!((read, again), (Ok(3), *b"ort\x09\x09\x09\x09\x09\x09"));
        assert_eq!(std::fs::read(&path).unwrap(), [0; 5]);
        file.close(&Solo).unwrap();
        assert_eq!(std::fs::read(&path).unwrap(), b"short");
    }
}
