//! Memory of the caller as a source.
#![allow(unsafe_code, reason = "memory of the caller is read")]

use std::ffi::c_void;
use std::io;
use std::ops::Range;

use linkstream_access::source::Source;

use crate::answer::Refused;

/// The bytes of a file in the memory of the caller.
#[derive(Debug)]
pub struct Borrowed {
    bytes: *const u8,
    length: usize,
}

// SAFETY: the bytes are only read.
unsafe impl Send for Borrowed {}
// SAFETY: the bytes are only read.
unsafe impl Sync for Borrowed {}

impl Borrowed {
    /// Borrows memory.
    ///
    /// # Errors
    /// The pointer is null and there are bytes, or no memory has so many.
    ///
    /// # Safety
    /// The memory has these bytes and nothing writes to it for as long as this value exists.
    pub unsafe fn new(bytes: *const c_void, length: usize) -> Result<Self, Refused> {
        if bytes.is_null() && length > 0 {
            return Err(Refused::usage("the bytes are a null pointer"));
        }
        if isize::try_from(length).is_err() {
            return Err(Refused::usage("no memory has so many bytes"));
        }
        Ok(Self { bytes: bytes.cast(), length })
    }

    /// Addresses of the bytes.
    #[must_use]
    pub fn addresses(&self) -> Range<usize> {
        self.bytes.addr()..self.bytes.addr() + self.length
    }

    fn get(&self) -> &[u8] {
        if self.length == 0 {
            return &[];
        }
        // SAFETY: as `new` requires.
        unsafe { std::slice::from_raw_parts(self.bytes, self.length) }
    }
}

impl Source for Borrowed {
    type Error = io::Error;

    fn length(&self) -> io::Result<u64> {
        self.get().length()
    }

    fn read_at(&self, offset: u64, out: &mut [u8]) -> io::Result<usize> {
        self.get().read_at(offset, out)
    }
}
