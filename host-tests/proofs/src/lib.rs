//! What the proving binaries share: a panic handler that cannot be linked, and values that the optimiser
//! cannot see through.
//!
//! There is no allocator here and no std, so what links does not allocate either.
#![no_std]

use core::arch::asm;
use core::ffi::{c_int, c_void};
use core::panic::PanicInfo;

use embedded_io::{ErrorKind, ErrorType, Read, Seek, SeekFrom, Write};

#[cfg(not(feature = "diagnose"))]
unsafe extern "C" {
    /// Defined nowhere: whoever needs it does not link. host-tests/tests/proofs.rs knows the name.
    fn linkstream_has_a_panic_path() -> !;
}

#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    #[cfg(not(feature = "diagnose"))]
    // SAFETY: never run, for it is never linked.
    unsafe {
        _ = info;
        linkstream_has_a_panic_path()
    }
    // Links, so that the test can look in the program for the places where it can panic.
    #[cfg(feature = "diagnose")]
    loop {
        used(info.location());
    }
}

/// The optimiser must assume that any valid value of `T` is here now, in private fields too.
#[inline(always)]
pub fn disturb<T: ?Sized>(place: &mut T) {
    // SAFETY: the instruction does nothing. It has not promised to leave memory alone, so whatever can be
    // reached from `place` may have changed as far as the compiler knows.
    unsafe { asm!("/* {0} */", in(reg) (&raw mut *place).cast::<()>(), options(nostack, preserves_flags)) }
}

/// The value, and the optimiser does not know which.
#[inline(always)]
pub fn unknown<T>(mut value: T) -> T {
    disturb(&mut value);
    value
}

/// The optimiser must assume that somebody reads the value, and all it refers to.
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

/// A file descriptor. As a source and as a sink it may claim anything: also to have read more than there was
/// room for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Descriptor(c_int);

/// The standard input.
pub const INPUT: Descriptor = Descriptor(0);
/// Not open: the sink that fails.
pub const NOWHERE: Descriptor = Descriptor(-1);

/// What the system said.
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
        // SAFETY: pointer and length belong together.
        counted(unsafe { read(self.0, to.as_mut_ptr().cast(), to.len()) })
    }
}

impl Write for Descriptor {
    fn write(&mut self, from: &[u8]) -> Result<usize, Failure> {
        // SAFETY: pointer and length belong together.
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
        // SAFETY: three numbers.
        let at = unsafe { lseek(self.0, offset, whence) };
        u64::try_from(at).map_err(|_| Failure(at))
    }
}

/// Reports to the test that everything before this call was compiled in and has returned.
pub fn say(line: &[u8]) {
    used(Descriptor(1).write(line));
}

/// Takes what `Display` and `Debug` write; may fail.
#[derive(Debug)]
pub struct Paper;

impl core::fmt::Write for Paper {
    #[inline(never)]
    fn write_str(&mut self, text: &str) -> core::fmt::Result {
        used(text);
        unknown(Ok(()))
    }
}
