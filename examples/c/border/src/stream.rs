//! Streams of the C library (`FILE *`).
#![allow(unsafe_code, reason = "the C library")]

use std::ffi::c_void;
use std::marker::PhantomData;

use libc::{FILE, SEEK_CUR, SEEK_SET, off_t};

use crate::last::Failure;

/// A stream that the caller has opened, borrowed for one call.
#[derive(Debug)]
pub struct Stream<'f> {
    file: *mut FILE,
    borrowed: PhantomData<&'f mut FILE>,
}

impl Stream<'_> {
    /// Borrows a stream.
    ///
    /// # Safety
    /// `file` is null, or an open stream that nothing else uses while this value exists.
    #[must_use]
    pub unsafe fn new(file: *mut FILE) -> Option<Self> {
        (!file.is_null()).then_some(Self { file, borrowed: PhantomData })
    }

    /// The position; `None` if the stream has none, like a pipe.
    pub fn position(&mut self) -> Option<u64> {
        // SAFETY: the stream is open.
        u64::try_from(unsafe { libc::ftello(self.file) }).ok()
    }

    /// Moves to a position. Streams without positions can only stay, or go forward by reading.
    ///
    /// # Errors
    /// The system refuses to move, or the stream ends before this position. `now` is the position if the stream has
    /// none.
    pub fn go_to(&mut self, to: u64, now: u64) -> Result<(), Failure> {
        match self.position() {
            Some(position) if position == to => return Ok(()),
            None if now == to => return Ok(()),
            None if now < to => return self.pass(to - now, now),
            None => return Err(Failure::system("this stream cannot go back", to)),
            Some(_) => {}
        }
        let place = off_t::try_from(to)
            .map_err(|_| Failure { offset: Some(to), ..Failure::usage("the offset is 2^63 or more") })?;
        // SAFETY: the stream is open.
        match unsafe { libc::fseeko(self.file, place, SEEK_SET) } {
            0 => Ok(()),
            _ => Err(Failure::system("seeking", to)),
        }
    }

    /// Reads bytes and forgets them.
    fn pass(&mut self, mut number: u64, mut now: u64) -> Result<(), Failure> {
        let mut room = [0; 8192];
        while number > 0 {
            let wanted = usize::try_from(number).unwrap_or(usize::MAX).min(room.len());
            let read = self.read(&mut room[..wanted], now)?;
            if read == 0 {
                let message = format!("the stream ends: {number} bytes are missing");
                return Err(Failure { offset: Some(now), ..Failure::usage(message) });
            }
            (number, now) = (number - read as u64, now + read as u64);
        }
        Ok(())
    }

    /// Reads until the room is full or the stream ends. Returns the number of bytes.
    ///
    /// # Errors
    /// The system refuses to read. `at` is the offset of the first byte, for the error.
    pub fn read(&mut self, room: &mut [u8], at: u64) -> Result<usize, Failure> {
        // SAFETY: the stream is open, and the room has this length.
        let read = unsafe { libc::fread(room.as_mut_ptr().cast::<c_void>(), 1, room.len(), self.file) };
        // SAFETY: the stream is open.
        if read < room.len() && unsafe { libc::ferror(self.file) } != 0 {
            return Err(Failure::system("reading", at + read as u64));
        }
        Ok(read)
    }

    /// Writes all bytes. Returns their number, which is smaller after an error.
    ///
    /// # Errors
    /// The system refuses to write.
    pub fn write(&mut self, bytes: &[u8], at: u64) -> Result<(), (usize, Failure)> {
        // SAFETY: the stream is open, and the slice has this length.
        let written = unsafe { libc::fwrite(bytes.as_ptr().cast::<c_void>(), 1, bytes.len(), self.file) };
        if written == bytes.len() {
            return Ok(());
        }
        Err((written, Failure::system("writing", at + written as u64)))
    }

    /// Passes all bytes on to the system.
    ///
    /// # Errors
    /// The system refuses to write.
    pub fn flush(&mut self, at: u64) -> Result<(), Failure> {
        // SAFETY: the stream is open.
        match unsafe { libc::fflush(self.file) } {
            0 => Ok(()),
            _ => Err(Failure::system("writing", at)),
        }
    }

    /// Size of the file; `None` if it is not a regular file.
    pub fn size(&mut self) -> Option<u64> {
        // SAFETY: the stream is open.
        let number = unsafe { libc::fileno(self.file) };
        // SAFETY: all bytes 0 are a valid value of this structure.
        let mut found: libc::stat = unsafe { std::mem::zeroed() };
        // SAFETY: the place for the result is valid; a wrong number is an error.
        let is_found = unsafe { libc::fstat(number, &raw mut found) } == 0;
        let is_regular = found.st_mode & libc::S_IFMT == libc::S_IFREG;
        (is_found && is_regular).then(|| u64::try_from(found.st_size).ok()).flatten()
    }

    /// True if the file was opened for appending: whatever the position, bytes are written to its end.
    pub fn appends(&mut self) -> bool {
        // SAFETY: the stream is open.
        let number = unsafe { libc::fileno(self.file) };
        // SAFETY: a wrong number is an error.
        let flags = unsafe { libc::fcntl(number, libc::F_GETFL) };
        flags != -1 && flags & libc::O_APPEND != 0
    }

    /// The position of what is written next: the end of a file that was opened for appending.
    pub fn end_or_position(&mut self) -> Option<u64> {
        if self.appends() { self.size() } else { self.position() }
    }

    /// Allows reading after writing, or the other way round, as C requires.
    pub fn turn(&mut self) {
        // SAFETY: the stream is open. A stream without positions needs no turn.
        let _ = unsafe { libc::fseeko(self.file, 0, SEEK_CUR) };
    }
}
