//! Semihosting: calls that let a program on an emulated board use files and the console of the host (Arm, "Semihosting
//! for AArch32 and AArch64", 2.0; the RISC-V specification of the same name).
//!
//! Written here because the existing libraries can panic.

use core::arch::asm;
use core::ffi::CStr;

use crate::file::HostError;

const OPEN: usize = 0x01;
const WRITE: usize = 0x05;
const READ: usize = 0x06;
const SEEK: usize = 0x0a;
const FLEN: usize = 0x0c;
const ERRNO: usize = 0x13;
const GET_CMDLINE: usize = 0x15;
const EXIT_EXTENDED: usize = 0x20;
/// The reason passed to `EXIT_EXTENDED` if a program ends by itself (`ADP_Stopped_ApplicationExit`).
const APPLICATION_EXIT: usize = 0x2_0026;

/// The modes of [`open`], as numbers for the modes of C's `fopen`.
#[derive(Debug, Clone, Copy)]
pub enum OpenMode {
    /// `rb`
    Read = 1,
    /// `wb`
    Write = 5,
}

/// A file that the host has opened. QEMU closes all of them when it ends.
#[derive(Debug, Clone, Copy)]
pub struct Handle(usize);

/// Makes one call, given its number and its block of arguments.
///
/// # Safety
/// The block, and the memory that its addresses point to, must be as the call requires.
unsafe fn call(number: usize, block: *const usize) -> usize {
    let answer: usize;
    #[cfg(target_arch = "arm")]
    // SAFETY: the caller guarantees the block; the host changes only r0 and memory.
    unsafe {
        asm!("bkpt 0xab", inlateout("r0") number => answer, in("r1") block, options(nostack, preserves_flags));
    }
    #[cfg(target_arch = "riscv32")]
    // SAFETY: the caller guarantees the block; the host changes only a0 and memory. The three instructions must be
    // uncompressed and on one page.
    unsafe {
        asm!(
            ".balign 16",
            ".option push",
            ".option norvc",
            "slli x0, x0, 0x1f",
            "ebreak",
            "srai x0, x0, 0x7",
            ".option pop",
            inlateout("a0") number => answer,
            in("a1") block,
            options(nostack, preserves_flags),
        );
    }
    answer
}

fn last_error() -> HostError {
    // SAFETY: the call has no arguments.
    HostError(unsafe { call(ERRNO, core::ptr::null()) } as i32)
}

/// Opens a file, or the console if `path` is `:tt`.
///
/// # Errors
/// The host cannot open it.
pub fn open(path: &CStr, mode: OpenMode) -> Result<Handle, HostError> {
    let block = [path.as_ptr() as usize, mode as usize, path.count_bytes()];
    // SAFETY: the block has the address of a string, a mode, and the length of the string.
    match unsafe { call(OPEN, block.as_ptr()) } {
        usize::MAX => Err(last_error()),
        handle => Ok(Handle(handle)),
    }
}

/// Reads into `out` and returns the number of bytes read.
///
/// # Errors
/// The host cannot read the file.
pub fn read(handle: Handle, out: &mut [u8]) -> Result<usize, HostError> {
    let block = [handle.0, out.as_mut_ptr() as usize, out.len()];
    // SAFETY: address and length describe `out`.
    left_over(unsafe { call(READ, block.as_ptr()) }, out.len())
}

/// Writes from `bytes` and returns the number of bytes written.
///
/// # Errors
/// The host cannot write to the file.
pub fn write(handle: Handle, bytes: &[u8]) -> Result<usize, HostError> {
    let block = [handle.0, bytes.as_ptr() as usize, bytes.len()];
    // SAFETY: address and length describe `bytes`.
    left_over(unsafe { call(WRITE, block.as_ptr()) }, bytes.len())
}

/// Converts the host's answer, which is the number of bytes that it did not read or write, to the number that it did.
fn left_over(left: usize, all: usize) -> Result<usize, HostError> {
    all.checked_sub(left).ok_or_else(last_error)
}

/// Moves to an absolute offset.
///
/// # Errors
/// The host cannot seek in the file.
pub fn seek(handle: Handle, place: usize) -> Result<(), HostError> {
    let block = [handle.0, place];
    // SAFETY: the block has two numbers.
    if unsafe { call(SEEK, block.as_ptr()) } == 0 { Ok(()) } else { Err(last_error()) }
}

/// The length of a file.
///
/// # Errors
/// The host cannot determine it.
pub fn length(handle: Handle) -> Result<usize, HostError> {
    let block = [handle.0];
    // SAFETY: the block has one number.
    match unsafe { call(FLEN, block.as_ptr()) } {
        usize::MAX => Err(last_error()),
        length => Ok(length),
    }
}

/// Reads the program's command line, which was given to QEMU, followed by a NUL.
///
/// # Errors
/// It does not fit into `out`.
pub fn command_line(out: &mut [u8]) -> Result<(), HostError> {
    let block = [out.as_mut_ptr() as usize, out.len()];
    // SAFETY: address and length describe `out`; the host also writes the required length into the block.
    if unsafe { call(GET_CMDLINE, block.as_ptr()) } == 0 { Ok(()) } else { Err(last_error()) }
}

/// Ends QEMU with the given exit status.
pub fn exit(status: usize) -> ! {
    let block = [APPLICATION_EXIT, status];
    loop {
        // SAFETY: the block has two numbers.
        unsafe { call(EXIT_EXTENDED, block.as_ptr()) };
    }
}
