//! Streams of the C library: files in memory, memory, pipes, and a full device.

use std::ffi::c_int;
use std::ptr;

use libc::FILE;

use crate::memory::Memory;

/// A stream of the C library.
#[derive(Debug)]
pub(super) struct Stream {
    pub(super) file: *mut FILE,
    /// Descriptor of a file in memory with a copy of its own.
    copy: Option<c_int>,
    /// True if the file in memory has the bytes of the input, and nothing writes to it.
    pub(super) is_input: bool,
    /// True if the file in memory was empty, and only one writer has worked on it without an error or a state.
    pub(super) is_written_well: bool,
    /// Memory of the stream.
    _memory: Option<Memory>,
}

/// A file in memory.
fn in_memory(bytes: &[u8]) -> c_int {
    // SAFETY: the name is a C string.
    let number = unsafe { libc::memfd_create(c"stream".as_ptr(), libc::MFD_CLOEXEC) };
    // SAFETY: the bytes have this length.
    let written = unsafe { libc::pwrite(number, bytes.as_ptr().cast(), bytes.len(), 0) };
    assert_eq!(written, bytes.len() as isize, "a file in memory");
    number
}

impl Stream {
    pub(super) fn new(kind: usize, bytes: &[u8]) -> Self {
        let mut new = Self {
            file: ptr::null_mut(),
            copy: None,
            is_input: false,
            is_written_well: false,
            _memory: None,
        };
        let on_memory = |new: &mut Self, bytes: &[u8], mode: &std::ffi::CStr| {
            let number = in_memory(bytes);
            // SAFETY: the number is of a file.
            new.copy = Some(unsafe { libc::dup(number) });
            // SAFETY: the number is of a file, which the stream closes.
            new.file = unsafe { libc::fdopen(number, mode.as_ptr()) };
        };
        match kind {
            0 => {
                on_memory(&mut new, bytes, c"r");
                new.is_input = true;
            }
            1 => {
                on_memory(&mut new, &[], c"w+");
                new.is_written_well = true;
            }
            2 => on_memory(&mut new, bytes, c"r+"),
            3 => on_memory(&mut new, bytes, c"a+"),
            4 => {
                // A stream that is soon full.
                let mut memory = Memory::new(bytes.len() as u64 % 2000 + 1);
                // SAFETY: the memory has this length, and lives as long as the stream.
                new.file =
                    unsafe { libc::fmemopen(memory.address(), memory.length as usize, c"w+".as_ptr()) };
                new._memory = Some(memory);
            }
            5 => {
                let mut memory = Memory::new(bytes.len() as u64 + 1);
                // SAFETY: the memory has this length, and is not used otherwise.
                unsafe { memory.address::<u8>().copy_from(bytes.as_ptr(), bytes.len()) };
                // SAFETY: the memory has this length, and lives as long as the stream.
                new.file = unsafe { libc::fmemopen(memory.address(), bytes.len().max(1), c"r".as_ptr()) };
                new._memory = Some(memory);
            }
            6 => {
                let mut ends = [0; 2];
                // SAFETY: there is room for two numbers.
                assert_eq!(unsafe { libc::pipe(ends.as_mut_ptr()) }, 0);
                // SAFETY: the bytes have this length; a pipe has room for them.
                unsafe { libc::write(ends[1], bytes.as_ptr().cast(), bytes.len().min(1 << 15)) };
                // SAFETY: the number is of this pipe.
                unsafe { libc::close(ends[1]) };
                // SAFETY: the number is of this pipe.
                new.file = unsafe { libc::fdopen(ends[0], c"r".as_ptr()) };
            }
            7 => {
                let mut ends = [0; 2];
                // SAFETY: there is room for two numbers.
                assert_eq!(unsafe { libc::pipe(ends.as_mut_ptr()) }, 0);
                // SAFETY: the number is of this pipe. Nothing will ever read from it.
                unsafe { libc::close(ends[0]) };
                // SAFETY: the number is of this pipe.
                new.file = unsafe { libc::fdopen(ends[1], c"w".as_ptr()) };
            }
            // SAFETY: both are C strings.
            _ => new.file = unsafe { libc::fopen(c"/dev/full".as_ptr(), c"w".as_ptr()) },
        }
        assert!(!new.file.is_null(), "a stream");
        new
    }

    /// The bytes that are in the file.
    pub(super) fn contents(&self) -> Vec<u8> {
        let number = self.copy.expect("a file in memory");
        let mut found = Vec::new();
        let mut room = [0_u8; 4096];
        loop {
            // SAFETY: the room has this length.
            let read =
                unsafe { libc::pread(number, room.as_mut_ptr().cast(), room.len(), found.len() as i64) };
            match usize::try_from(read) {
                Ok(0) | Err(_) => return found,
                // Bytes that programs write at offsets of their choice come after many zeros.
                Ok(_) if found.len() > 1 << 20 => return found,
                Ok(read) => found.extend_from_slice(&room[..read]),
            }
        }
    }
}

impl Drop for Stream {
    fn drop(&mut self) {
        // SAFETY: the stream is open, and no handle uses it any more.
        unsafe { libc::fclose(self.file) };
        if let Some(number) = self.copy {
            // SAFETY: the number is open.
            unsafe { libc::close(number) };
        }
    }
}
