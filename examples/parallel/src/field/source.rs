//! The file as a source of the codec's readers, on one rank.

use std::io;
use std::marker::PhantomData;

use embedded_io::{ErrorType, Read, Seek, SeekFrom};
use linkstream::io::ReadError;
use linkstream::{Diagnostic, Error};

use crate::comm::Comm;
use crate::error::Fault;
use crate::file::{PieceMut, SharedFile};

/// Bytes that have been read are kept up to this size: documents that are needed again.
const KEPT: usize = 256 << 10;

/// Bytes of the file that have been read, with their offsets.
#[derive(Debug, Default)]
pub(super) struct Kept {
    chunks: Vec<(u64, Vec<u8>)>,
    size: usize,
}

impl Kept {
    /// The bytes from an offset on; empty if they are not kept.
    fn from(&self, offset: u64) -> &[u8] {
        self.chunks
            .iter()
            .find_map(|(start, bytes)| {
                let from = usize::try_from(offset.checked_sub(*start)?).ok()?;
                bytes.get(from..).filter(|rest| !rest.is_empty())
            })
            .unwrap_or_default()
    }

    fn keep(&mut self, offset: u64, bytes: &[u8]) {
        if !bytes.is_empty() && self.size + bytes.len() <= KEPT {
            self.size += bytes.len();
            self.chunks.push((offset, bytes.to_vec()));
        }
    }
}

/// The file from a position on. The reason why it cannot be read is in `failed`.
pub(super) struct FileSource<'f, C, F> {
    file: &'f mut F,
    kept: &'f mut Kept,
    at: u64,
    size: Option<u64>,
    failed: Option<Fault>,
    ranks: PhantomData<fn(&C)>,
}

impl<'f, C: Comm, F: SharedFile<C>> FileSource<'f, C, F> {
    pub(super) const fn new(file: &'f mut F, kept: &'f mut Kept, at: u64) -> Self {
        Self { file, kept, at, size: None, failed: None, ranks: PhantomData }
    }

    /// The fault that an error of a reader of this source means.
    pub(super) fn fault<K: Diagnostic>(self, error: ReadError<io::Error, K>) -> Fault {
        match (error, self.failed) {
            (ReadError::Format(Error { at, kind, .. }), _) => {
                Fault::codec(at, kind.class(), kind.rule(), kind)
            }
            (ReadError::Io(_), Some(fault)) => fault,
            (error, _) => Fault::usage(error.to_string()),
        }
    }

    /// Size of the file.
    fn size(&mut self) -> Result<u64, io::Error> {
        match self.size {
            Some(size) => Ok(size),
            None => {
                let size = self.file.size();
                let size = self.noted(size)?;
                self.size = Some(size);
                Ok(size)
            }
        }
    }

    /// Checks that the file still reaches to an offset: data that are missing would be passed over.
    pub(super) fn must_reach(&mut self, end: u64) -> Result<(), Fault> {
        let size =
            self.size().map_err(|error| self.failed.take().unwrap_or_else(|| Fault::system(None, &error)))?;
        let missing = end.saturating_sub(size);
        let shorter = || format!("the file has become shorter: {missing} bytes are missing");
        if missing == 0 { Ok(()) } else { Err(Fault::file(size, "", shorter())) }
    }

    /// Keeps the reason of an error.
    fn noted<T>(&mut self, result: Result<T, Fault>) -> Result<T, io::Error> {
        result.map_err(|fault| {
            self.failed = Some(fault);
            io::ErrorKind::Other.into()
        })
    }
}

impl<C, F> ErrorType for FileSource<'_, C, F> {
    type Error = io::Error;
}

impl<C: Comm, F: SharedFile<C>> Read for FileSource<'_, C, F> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize, io::Error> {
        let kept = self.kept.from(self.at);
        let mut n = kept.len().min(out.len());
        out[..n].copy_from_slice(&kept[..n]);
        if n == 0 {
            // Requests never reach beyond the end: one that returns nothing would be wasted.
            let left = usize::try_from(self.size()?.saturating_sub(self.at)).unwrap_or(usize::MAX);
            n = left.min(out.len());
            if n > 0 {
                let room = &mut out[..n];
                let read = self.file.read_at(PieceMut { offset: self.at, bytes: room }).and_then(|read| {
                    let shorter = || Fault::file(self.at + read as u64, "", "the file has become shorter");
                    if read == n { Ok(()) } else { Err(shorter()) }
                });
                self.noted(read)?;
            }
            self.kept.keep(self.at, &out[..n]);
        }
        self.at += n as u64;
        Ok(n)
    }
}

impl<C: Comm, F: SharedFile<C>> Seek for FileSource<'_, C, F> {
    fn seek(&mut self, to: SeekFrom) -> Result<u64, io::Error> {
        let target = match to {
            SeekFrom::Start(offset) => Some(offset),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
            SeekFrom::End(by) => self.size()?.checked_add_signed(by),
        };
        self.at = target.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}
