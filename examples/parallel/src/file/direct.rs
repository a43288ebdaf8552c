//! Each rank calls the operating system for its own bytes.

use std::io;
use std::path::{Path, PathBuf};

use super::disk::{Disk, RankFile, SystemDisk};
use super::shared::{Access, Engine, Piece, PieceMut, SharedFile, check_order};
use crate::comm::Comm;
use crate::error::{ErrorKind, Fault};

/// Each rank reads and writes its own pieces, one request for each. For one rank, or a few whose pieces are large.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Direct<D = SystemDisk> {
    /// The file system.
    pub disk: D,
}

/// A file of the engine [`Direct`], or of one rank of another engine. It is opened when it is first needed.
#[derive(Debug)]
pub struct OpenFile<D: Disk> {
    disk: D,
    path: PathBuf,
    access: Access,
    file: Option<D::File>,
    /// True if it may have bytes that are not on the storage device.
    is_unsynced: bool,
}

impl<C: Comm, D: Disk + Clone> Engine<C> for Direct<D> {
    type File = OpenFile<D>;

    fn open(&self, comm: &C, path: &Path, access: Access) -> Result<OpenFile<D>, Fault> {
        OpenFile::open(self.disk.clone(), comm.rank() == 0, path, access)
    }
}

impl<D: Disk> OpenFile<D> {
    /// Opens a file now if this is the first rank, otherwise when it is first needed.
    pub(crate) fn open(disk: D, is_first: bool, path: &Path, access: Access) -> Result<Self, Fault> {
        let file =
            is_first.then(|| disk.open(path, access)).transpose().map_err(|error| opening(path, &error))?;
        Ok(Self { disk, path: path.into(), access, file, is_unsynced: access.writes() })
    }

    /// A file that is opened to be read when it is first needed.
    pub(crate) fn lazy(disk: D, path: &Path) -> Self {
        Self { disk, path: path.into(), access: Access::Read, file: None, is_unsynced: false }
    }

    fn file(&mut self) -> Result<&D::File, Fault> {
        let Self { disk, path, access, file, .. } = self;
        if file.is_none() {
            let opened = match access {
                Access::Read => disk.open(path, Access::Read),
                Access::Write | Access::Update => disk.open_created(path),
            };
            *file = Some(opened.map_err(|error| opening(path, &error))?);
        }
        file.as_ref().ok_or_else(|| Fault::usage("the file is closed"))
    }

    pub(crate) fn put(&mut self, Piece { offset, bytes }: Piece<'_>) -> Result<(), Fault> {
        linkstream_memory::check()?;
        let (mut at, mut rest) = (offset, bytes);
        self.is_unsynced = true;
        while !rest.is_empty() {
            match self.file()?.write_at(at, rest) {
                Ok(0) => return Err(Fault::system(Some(at), &io::ErrorKind::WriteZero.into())),
                Ok(n) => (at, rest) = (at + n as u64, &rest[n..]),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Fault::system(Some(at), &error)),
            }
        }
        Ok(())
    }

    /// Fills the front of the room, and returns how many bytes there were.
    pub(crate) fn take(&mut self, PieceMut { offset, bytes }: PieceMut<'_>) -> Result<usize, Fault> {
        linkstream_memory::check()?;
        let mut filled = 0;
        while filled < bytes.len() {
            let at = offset + filled as u64;
            match self.file()?.read_at(at, &mut bytes[filled..]) {
                Ok(0) => break,
                Ok(n) => filled += n,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Fault::system(Some(at), &error)),
            }
        }
        Ok(filled)
    }

    /// Fills all of the room.
    pub(crate) fn fill(&mut self, piece: PieceMut<'_>) -> Result<(), Fault> {
        let (offset, wanted) = (piece.offset, piece.bytes.len());
        let filled = self.take(piece)?;
        if filled == wanted {
            return Ok(());
        }
        let message = format!("the file has become shorter: {} bytes are missing", wanted - filled);
        Err(Fault { kind: ErrorKind::File, ..Fault::file(offset + filled as u64, "", message) })
    }

    pub(super) fn synchronise(&mut self) -> Result<(), Fault> {
        match &self.file {
            Some(file) if self.is_unsynced => {
                self.is_unsynced = false;
                file.sync().map_err(|error| Fault::system(None, &error))
            }
            _ => Ok(()),
        }
    }

    pub(super) fn shut(&mut self) -> Result<(), Fault> {
        let synced = self.synchronise();
        self.file = None;
        synced
    }

    pub(crate) fn length(&mut self) -> Result<u64, Fault> {
        self.file()?.size().map_err(|error| Fault::system(None, &error))
    }
}

fn opening(path: &Path, error: &io::Error) -> Fault {
    let fault = Fault::system(None, error);
    Fault { message: format!("{}: {}", path.display(), fault.message), ..fault }
}

impl<C: Comm, D: Disk> SharedFile<C> for OpenFile<D> {
    fn write_at(&mut self, piece: Piece<'_>) -> Result<(), Fault> {
        self.put(piece)
    }

    fn read_at(&mut self, piece: PieceMut<'_>) -> Result<usize, Fault> {
        self.take(piece)
    }

    fn size(&mut self) -> Result<u64, Fault> {
        self.length()
    }

    fn write_all(&mut self, _: &C, pieces: &[Piece<'_>]) -> Result<(), Fault> {
        check_order(pieces.iter().map(|piece| (piece.offset, piece.bytes.len())))?;
        pieces.iter().try_for_each(|piece| self.put(*piece))
    }

    fn read_all(&mut self, _: &C, pieces: &mut [PieceMut<'_>]) -> Result<(), Fault> {
        check_order(pieces.iter().map(|piece| (piece.offset, piece.bytes.len())))?;
        pieces
            .iter_mut()
            .try_for_each(|PieceMut { offset, bytes }| self.fill(PieceMut { offset: *offset, bytes }))
    }

    fn sync(&mut self, _: &C) -> Result<(), Fault> {
        self.synchronise()
    }

    fn close(&mut self, _: &C) -> Result<(), Fault> {
        self.shut()
    }
}
