//! Streams of the C library (`FILE *`).
#![allow(unsafe_code, reason = "the C library")]

use std::ffi::c_void;

use libc::{FILE, SEEK_CUR, SEEK_SET};
// On computers with 32 bits, the calls without this number have offsets of 32 bits.
#[cfg(not(target_os = "linux"))]
use libc::{fseeko, ftello, lseek};
#[cfg(target_os = "linux")]
use libc::{fseeko64 as fseeko, ftello64 as ftello, lseek64 as lseek};

use crate::buffer::{self, Mark};
use crate::last::Failure;

/// A stream that the caller has opened. It can be moved by the caller between two calls.
#[derive(Debug)]
pub struct KeptStream {
    file: *mut FILE,
    position: Position,
}

/// Knowledge of the position of a stream after a call. To ask for it costs a call of the system.
#[derive(Debug, Clone, Copy)]
enum Position {
    Unknown,
    /// The position as long as the stream has this mark.
    At(u64, Mark),
    /// The stream has none, like a pipe.
    None,
}

impl Position {
    #[inline]
    unsafe fn read_buffered(&mut self, file: *mut FILE, at: u64, to: *mut u8, length: usize) -> bool {
        let Self::At(position, mark) = self else { return false };
        // SAFETY: as the callers require.
        let is_read =
            unsafe { buffer::read(file, mark, at.wrapping_sub(*position).cast_signed(), to, length) };
        if is_read {
            *position = at + length as u64;
        }
        is_read
    }

    #[inline]
    unsafe fn write_buffered(&mut self, file: *mut FILE, at: u64, from: *const u8, length: usize) -> bool {
        let Self::At(position, mark) = self else { return false };
        // SAFETY: as the callers require.
        let is_written = *position == at && unsafe { buffer::write(file, mark, from, length) };
        if is_written {
            *position = at + length as u64;
        }
        is_written
    }
}

impl KeptStream {
    /// Keeps a stream for later calls.
    #[must_use]
    pub const fn new(file: *mut FILE) -> Self {
        Self { file, position: Position::Unknown }
    }

    /// Reads bytes at a position, if the buffer of the stream is known to have all of them.
    ///
    /// # Safety
    /// The stream is open, nothing else uses it during the call, and `to` has room for so many bytes.
    #[inline]
    pub unsafe fn read_buffered(&mut self, at: u64, to: *mut u8, length: usize) -> bool {
        // SAFETY: as this function requires.
        unsafe { self.position.read_buffered(self.file, at, to, length) }
    }

    /// Writes bytes at a position, if the stream is known to be there and to have room for all of them in its buffer.
    ///
    /// # Safety
    /// The stream is open, nothing else uses it during the call, and `from` has so many bytes.
    #[inline]
    pub unsafe fn write_buffered(&mut self, at: u64, from: *const u8, length: usize) -> bool {
        // SAFETY: as this function requires.
        unsafe { self.position.write_buffered(self.file, at, from, length) }
    }

    /// Borrows the stream for one call; `None` if it is null.
    ///
    /// # Safety
    /// It is null, or an open stream that nothing else uses while the result exists.
    pub const unsafe fn lend(&mut self) -> Option<Stream<'_>> {
        if self.file.is_null() { None } else { Some(Stream { file: self.file, known: &mut self.position }) }
    }
}

/// A stream, borrowed for one call.
#[derive(Debug)]
pub struct Stream<'k> {
    file: *mut FILE,
    known: &'k mut Position,
}

impl Stream<'_> {
    /// The position; `None` if the stream has none, like a pipe.
    pub fn position(&mut self) -> Option<u64> {
        match *self.known {
            Position::At(position, mark) if self.mark() == Some(mark) => return Some(position),
            Position::None => return None,
            _ => {}
        }
        // SAFETY: the stream is open.
        let position = u64::try_from(unsafe { ftello(self.file) }).ok();
        let has_none = || std::io::Error::last_os_error().raw_os_error() == Some(libc::ESPIPE);
        match position {
            Some(position) => self.note(position),
            None if has_none() => *self.known = Position::None,
            None => *self.known = Position::Unknown,
        }
        position
    }

    fn mark(&self) -> Option<Mark> {
        // SAFETY: the stream is open.
        unsafe { buffer::mark(self.file) }
    }

    /// Notes the position, which the stream has now.
    fn note(&mut self, position: u64) {
        if !matches!(*self.known, Position::None) {
            *self.known = self.mark().map_or(Position::Unknown, |mark| Position::At(position, mark));
        }
    }

    /// Moves to a position. Streams without positions can only stay, or go forward by reading.
    ///
    /// # Errors
    /// The system refuses to move, or the stream ends before this position. `now` is the position if the stream has
    /// none.
    pub fn go_to(&mut self, to: u64, now: u64) -> Result<(), Failure> {
        match self.position() {
            Some(position) if position == to && self.stays() => return Ok(()),
            None if now == to => return Ok(()),
            None if now < to => return self.pass(to - now, now),
            None => return Err(Failure::system("this stream cannot go back", to)),
            Some(_) => {}
        }
        let place = i64::try_from(to)
            .map_err(|_| Failure { offset: Some(to), ..Failure::usage("the offset is 2^63 or more") })?;
        // SAFETY: the stream is open.
        match unsafe { fseeko(self.file, place, SEEK_SET) } {
            0 => {
                self.note(to);
                Ok(())
            }
            _ => Err(Failure::system("seeking", to)),
        }
    }

    /// True if the stream need not be moved to the position where it is.
    fn stays(&self) -> bool {
        match *self.known {
            Position::At(..) if !buffer::has_forked() => true,
            // Another process with the same open file can have moved it, which the stream does not notice.
            Position::At(_, mark) => {
                // SAFETY: the stream is open.
                let number = unsafe { libc::fileno(self.file) };
                // SAFETY: a wrong number is an error.
                i64::try_from(mark.offset()) == Ok(unsafe { lseek(number, 0, SEEK_CUR) })
            }
            // A stream that has not been moved yet gets a mark by moving it.
            // SAFETY: the stream is open.
            _ => !unsafe { buffer::can_have_mark(self.file) },
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

    /// Reads bytes at a position, if the buffer of the stream is known to have all of them.
    pub fn read_buffered(&mut self, at: u64, room: &mut [u8]) -> bool {
        // SAFETY: the stream is open, and the room has this length.
        unsafe { self.known.read_buffered(self.file, at, room.as_mut_ptr(), room.len()) }
    }

    /// Writes bytes at a position, if the stream is known to be there and to have room for all of them in its buffer.
    pub fn write_buffered(&mut self, at: u64, bytes: &[u8]) -> bool {
        // SAFETY: the stream is open, and the slice has this length.
        unsafe { self.known.write_buffered(self.file, at, bytes.as_ptr(), bytes.len()) }
    }

    /// Reads until the room is full or the stream ends. Returns the number of bytes.
    ///
    /// # Errors
    /// The system refuses to read. `at` is the position of the stream.
    pub fn read(&mut self, room: &mut [u8], at: u64) -> Result<usize, Failure> {
        // SAFETY: the stream is open, and the room has this length.
        let read = unsafe { libc::fread(room.as_mut_ptr().cast::<c_void>(), 1, room.len(), self.file) };
        // SAFETY: the stream is open.
        if read < room.len() && unsafe { libc::ferror(self.file) } != 0 {
            return Err(Failure::system("reading", at + read as u64));
        }
        self.note(at + read as u64);
        Ok(read)
    }

    /// Writes all bytes. Returns their number, which is smaller after an error.
    ///
    /// # Errors
    /// The system refuses to write. `at` is the position of the stream.
    pub fn write(&mut self, bytes: &[u8], at: u64) -> Result<(), (usize, Failure)> {
        // SAFETY: the stream is open, and the slice has this length.
        let written = unsafe { libc::fwrite(bytes.as_ptr().cast::<c_void>(), 1, bytes.len(), self.file) };
        if written == bytes.len() {
            self.note(at + written as u64);
            return Ok(());
        }
        Err((written, Failure::system("writing", at + written as u64)))
    }

    /// Passes all bytes on to the system.
    ///
    /// # Errors
    /// The system refuses to write.
    pub fn flush(&mut self, at: u64) -> Result<(), Failure> {
        let position = self.position();
        // SAFETY: the stream is open.
        match unsafe { libc::fflush(self.file) } {
            0 => {
                if let Some(position) = position {
                    self.note(position);
                }
                Ok(())
            }
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
        let _ = unsafe { fseeko(self.file, 0, SEEK_CUR) };
    }
}
