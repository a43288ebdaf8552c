//! From the board's start to the program, and from its end to the host.

use core::ffi::CStr;
use core::panic::PanicInfo;

use crate::{Failure, File, HostError, host, memory};

/// Longest name of a file, with the NUL behind it.
const NAME: usize = 192;

/// Opens the file named on the command line, runs the program on it, and tells what it took.
pub fn run(open: fn(&CStr) -> Result<File, HostError>, program: fn(File) -> Result<(), Failure>) -> ! {
    memory::paint();
    finish(named(open).map_err(Failure::Host).and_then(program))
}

/// Tells what the program took and how it came out, and ends it.
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

/// The command line is the name, and nothing else.
#[inline(never)]
fn named(open: fn(&CStr) -> Result<File, HostError>) -> Result<File, HostError> {
    let mut name = [0; NAME];
    host::command_line(&mut name)?;
    let name = CStr::from_bytes_until_nul(&name).unwrap_or_default();
    open(name)
}

/// What a panic would come to; `boards symbols` shows that there is none.
#[panic_handler]
fn panic(_: &PanicInfo<'_>) -> ! {
    host::exit(2)
}

/// The same for defmt's own.
#[defmt::panic_handler]
fn defmt_panic() -> ! {
    host::exit(2)
}
