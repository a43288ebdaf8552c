//! Starts a program with its file, and reports its outcome to the host.

use core::ffi::CStr;
use core::panic::PanicInfo;

use crate::{Failure, File, HostError, host, memory};

/// Maximum length of a file name, including the NUL at its end.
const NAME: usize = 192;

/// Opens the file named on the command line, runs the program on it, and ends with [`finish`].
pub fn run(open: fn(&CStr) -> Result<File, HostError>, program: fn(File) -> Result<(), Failure>) -> ! {
    memory::paint();
    finish(named(open).map_err(Failure::Host).and_then(program))
}

/// Logs the memory that the program used, and its error if it failed, then ends QEMU with status 0 or 1.
pub fn finish(outcome: Result<(), Failure>) -> ! {
    let memory::Memory { statics, stack } = memory::taken();
    defmt::info!("memory: {=usize} bytes of statics, {=usize} of stack", statics, stack);
    match outcome {
        Ok(()) => host::exit(0),
        Err(failure) => {
            defmt::error!("{}", failure);
            host::exit(1)
        }
    }
}

/// Opens the file whose name is the whole command line.
#[inline(never)]
fn named(open: fn(&CStr) -> Result<File, HostError>) -> Result<File, HostError> {
    let mut name = [0; NAME];
    host::command_line(&mut name)?;
    let name = CStr::from_bytes_until_nul(&name).unwrap_or_default();
    open(name)
}

/// Ends with status 2. The compiler requires a panic handler; `boards symbols` checks that no program can panic.
#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    host::exit(2)
}

/// Ends with status 2. Required by defmt, whose panicking macros no program uses.
#[defmt::panic_handler]
fn defmt_panic() -> ! {
    host::exit(2)
}
