//! The file as the first rank reads it: at a position, alone.

use std::cell::RefCell;
use std::io;
use std::marker::PhantomData;

use embedded_io::{ErrorType, Read, Seek, SeekFrom};
use linkstream_parallel::comm::Comm;
use linkstream_parallel::file::{PieceMut, SharedFile};

/// A reader of a shared file, with a current position.
pub struct FirstRank<'f, C, F> {
    file: &'f RefCell<F>,
    size: u64,
    at: u64,
    comm: PhantomData<C>,
}

impl<'f, C: Comm, F: SharedFile<C>> FirstRank<'f, C, F> {
    pub const fn new(file: &'f RefCell<F>, size: u64) -> Self {
        Self { file, size, at: 0, comm: PhantomData }
    }
}

/// Reads bytes at an offset. Returns their number, which is smaller than the room only at the end of the file.
pub fn read_at<C: Comm, F: SharedFile<C>>(
    file: &RefCell<F>,
    offset: u64,
    out: &mut [u8],
) -> io::Result<usize> {
    let read = file.borrow_mut().read_at(PieceMut { offset, bytes: out });
    read.map_err(|fault| io::Error::other(fault.message))
}

impl<C, F> ErrorType for FirstRank<'_, C, F> {
    type Error = io::Error;
}

impl<C: Comm, F: SharedFile<C>> Read for FirstRank<'_, C, F> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let n = read_at::<C, F>(self.file, self.at, out)?;
        self.at = self.at.saturating_add(n as u64);
        Ok(n)
    }
}

impl<C: Comm, F: SharedFile<C>> Seek for FirstRank<'_, C, F> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.at = match to {
            SeekFrom::Start(at) => at,
            SeekFrom::Current(by) => self.at.saturating_add_signed(by),
            SeekFrom::End(by) => self.size.saturating_add_signed(by),
        };
        Ok(self.at)
    }
}
