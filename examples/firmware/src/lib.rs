//! Code that the programs in `bin/` share: boards, files of the host, the log, and the measurement of memory.
//!
//! A program is a function that takes the file named on QEMU's command line:
//! ```ignore
//! #![no_std]
//! #![no_main]
//!
//! firmware::program!(count);
//!
//! fn count(file: firmware::File) -> Result<(), firmware::Failure> { .. }
//! ```
//! Programs log through defmt. When the function returns, the memory that it used is logged too.
#![no_std]

pub mod board;
mod buffers;
mod failure;
mod file;
mod host;
pub mod links;
mod log;
pub mod memory;
pub mod source;
mod start;

pub use buffers::Buffers;
pub use failure::Failure;
pub use file::{File, HostError};
pub use start::{finish, run};

/// Makes `function` the program: it is called with the file named on the command line, opened by `open`.
#[macro_export]
macro_rules! program {
    ($function:path) => {
        $crate::program!($function, $crate::File::open);
    };
    ($function:path, $open:path) => {
        /// Called by the runtime of the processor when memory is set up.
        #[unsafe(export_name = "main")]
        pub extern "C" fn main() -> ! {
            $crate::run($open, $function)
        }
    };
}
