//! Code that the programs of the proof share: the panic handler, and values that are opaque to the optimiser.
//!
//! The panic handler calls a function that is defined nowhere, so linking fails if a panic is reachable. There is
//! neither an allocator nor std, so a program that links does not allocate.
#![no_std]

use core::arch::asm;
use core::ffi::{c_int, c_void};
use core::panic::PanicInfo;

use embedded_io::{ErrorKind, ErrorType, Read, Seek, SeekFrom, Write};

#[cfg(not(feature = "diagnose"))]
unsafe extern "C" {
    /// Defined nowhere: a program that needs it does not link. `links/links.rs` searches for this name.
    fn linkstream_has_a_panic_path() -> !;
}

#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    #[cfg(not(feature = "diagnose"))]
    // SAFETY: never run, because a program with this call does not link.
    unsafe {
        _ = info;
        linkstream_has_a_panic_path()
    }
    // Links, and uses the location, so that the test can find the locations of panics in the program.
    #[cfg(feature = "diagnose")]
    loop {
        used(info.location());
    }
}

/// Makes the optimiser assume that `place` now has any valid value of `T`, also in private fields.
#[inline(always)]
pub fn disturb<T: ?Sized>(place: &mut T) {
    // SAFETY: the assembly is only a comment, so it does nothing. It is not declared `nomem`, so the compiler must
    // assume that everything reachable from `place` has changed.
    unsafe { asm!("/* {0} */", in(reg) (&raw mut *place).cast::<()>(), options(nostack, preserves_flags)) }
}

/// Returns the value, which the optimiser must treat as unknown.
#[inline(always)]
pub fn unknown<T>(mut value: T) -> T {
    disturb(&mut value);
    value
}

/// Makes the optimiser assume that the value, and everything it refers to, is read.
#[inline(always)]
pub fn used<T>(mut value: T) {
    disturb(&mut value);
}

#[link(name = "c")]
unsafe extern "C" {
    fn read(fd: c_int, to: *mut c_void, count: usize) -> isize;
    fn write(fd: c_int, from: *const c_void, count: usize) -> isize;
    fn lseek(fd: c_int, offset: i64, whence: c_int) -> i64;
}

/// A file descriptor. As a source or a sink, it may return any number, even more bytes read than the buffer holds.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Descriptor(c_int);

/// The standard input.
pub const INPUT: Descriptor = Descriptor(0);
/// A descriptor that is not open: a sink that fails.
pub const NOWHERE: Descriptor = Descriptor(-1);

/// A system call failed and returned this value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Failure(i64);

impl core::fmt::Display for Failure {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str("failed")
    }
}

impl core::error::Error for Failure {}

impl embedded_io::Error for Failure {
    fn kind(&self) -> ErrorKind {
        if self.0 == -1 { ErrorKind::Other } else { ErrorKind::Interrupted }
    }
}

fn counted(n: isize) -> Result<usize, Failure> {
    usize::try_from(n).map(unknown).map_err(|_| Failure(n as i64))
}

impl ErrorType for Descriptor {
    type Error = Failure;
}

impl Read for Descriptor {
    fn read(&mut self, to: &mut [u8]) -> Result<usize, Failure> {
        // SAFETY: pointer and length describe `to`.
        counted(unsafe { read(self.0, to.as_mut_ptr().cast(), to.len()) })
    }
}

impl Write for Descriptor {
    fn write(&mut self, from: &[u8]) -> Result<usize, Failure> {
        // SAFETY: pointer and length describe `from`.
        counted(unsafe { write(self.0, from.as_ptr().cast(), from.len()) })
    }

    fn flush(&mut self) -> Result<(), Failure> {
        unknown(Ok(()))
    }
}

impl Seek for Descriptor {
    fn seek(&mut self, to: SeekFrom) -> Result<u64, Failure> {
        let (offset, whence) = match to {
            SeekFrom::Start(offset) => (offset as i64, 0),
            SeekFrom::Current(offset) => (offset, 1),
            SeekFrom::End(offset) => (offset, 2),
        };
        // SAFETY: the call has no pointers.
        let at = unsafe { lseek(self.0, offset, whence) };
        u64::try_from(at).map_err(|_| Failure(at))
    }
}

/// Reports to the test that everything before this call was compiled in and has returned.
pub fn say(line: &[u8]) {
    used(Descriptor(1).write(line));
}

/// A destination for the text of `Display`; writing to it may fail.
#[derive(Debug)]
pub struct Paper;

impl core::fmt::Write for Paper {
    #[inline(never)]
    fn write_str(&mut self, text: &str) -> core::fmt::Result {
        used(text);
        unknown(Ok(()))
    }
}
