//! Semihosting: calls by which a program on an emulated board has files and a console of the host (Arm,
//! "Semihosting for AArch32 and AArch64", 2.0; the RISC-V specification of the same name).
//!
//! By hand, as the libraries for it can panic.

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
/// The reason for an end that is none but that the program has ended.
const APPLICATION_EXIT: usize = 0x2_0026;

/// The modes of [`open`]: those of C's `fopen`.
#[derive(Debug, Clone, Copy)]
pub enum OpenMode {
    /// `rb`
    Read = 1,
    /// `wb`
    Write = 5,
}

/// A file that the host holds open. All are closed when QEMU ends.
#[derive(Debug, Clone, Copy)]
pub struct Handle(usize);

/// One call: its number, and its block of arguments.
///
/// # Safety
/// The block is what the call demands, and what its addresses point to as well.
unsafe fn call(number: usize, block: *const usize) -> usize {
    let answer: usize;
    #[cfg(target_arch = "arm")]
    // SAFETY: by the caller; the host changes r0 and memory only.
    unsafe {
        asm!("bkpt 0xab", inlateout("r0") number => answer, in("r1") block, options(nostack, preserves_flags));
    }
    #[cfg(target_arch = "riscv32")]
    // SAFETY: as above. The three instructions must stand in full width and on one page.
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
    // SAFETY: a call without arguments.
    HostError(unsafe { call(ERRNO, core::ptr::null()) } as i32)
}

/// Opens a file, or with `:tt` the console.
///
/// # Errors
/// What the host says.
pub fn open(path: &CStr, mode: OpenMode) -> Result<Handle, HostError> {
    let block = [path.as_ptr() as usize, mode as usize, path.count_bytes()];
    // SAFETY: a string and its length.
    match unsafe { call(OPEN, block.as_ptr()) } {
        usize::MAX => Err(last_error()),
        handle => Ok(Handle(handle)),
    }
}

/// Reads into `out`; how much there was.
///
/// # Errors
/// What the host says.
pub fn read(handle: Handle, out: &mut [u8]) -> Result<usize, HostError> {
    let block = [handle.0, out.as_mut_ptr() as usize, out.len()];
    // SAFETY: address and length belong together.
    left_over(unsafe { call(READ, block.as_ptr()) }, out.len())
}

/// Writes from `bytes`; how much went out.
///
/// # Errors
/// What the host says.
pub fn write(handle: Handle, bytes: &[u8]) -> Result<usize, HostError> {
    let block = [handle.0, bytes.as_ptr() as usize, bytes.len()];
    // SAFETY: address and length belong together.
    left_over(unsafe { call(WRITE, block.as_ptr()) }, bytes.len())
}

/// The host tells how many bytes it did not read or write.
fn left_over(left: usize, all: usize) -> Result<usize, HostError> {
    all.checked_sub(left).ok_or_else(last_error)
}

/// Moves to an absolute place.
///
/// # Errors
/// What the host says.
pub fn seek(handle: Handle, place: usize) -> Result<(), HostError> {
    let block = [handle.0, place];
    // SAFETY: two numbers.
    if unsafe { call(SEEK, block.as_ptr()) } == 0 { Ok(()) } else { Err(last_error()) }
}

/// The length of a file.
///
/// # Errors
/// What the host says.
pub fn length(handle: Handle) -> Result<usize, HostError> {
    let block = [handle.0];
    // SAFETY: one number.
    match unsafe { call(FLEN, block.as_ptr()) } {
        usize::MAX => Err(last_error()),
        length => Ok(length),
    }
}

/// The words QEMU was given for the program, with a NUL behind them.
///
/// # Errors
/// They do not fit.
pub fn command_line(out: &mut [u8]) -> Result<(), HostError> {
    let block = [out.as_mut_ptr() as usize, out.len()];
    // SAFETY: address and length belong together; the host writes the length that was needed into the block.
    if unsafe { call(GET_CMDLINE, block.as_ptr()) } == 0 { Ok(()) } else { Err(last_error()) }
}

/// Ends QEMU with this status.
pub fn exit(status: usize) -> ! {
    let block = [APPLICATION_EXIT, status];
    loop {
        // SAFETY: two numbers.
        unsafe { call(EXIT_EXTENDED, block.as_ptr()) };
    }
}
