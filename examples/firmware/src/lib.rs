//! What the programs in `bin/` share: a board, a file of the host, a log, an account of memory.
//!
//! A program is a function that gets the file named on QEMU's command line:
//! ```ignore
//! #![no_std]
//! #![no_main]
//!
//! firmware::program!(count);
//!
//! fn count(file: firmware::File) -> Result<(), firmware::Failure> { .. }
//! ```
//! Everything it says goes through defmt; when it returns, the memory it took is told as well.
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
        /// Where the runtime of the processor goes when memory is set up.
        #[unsafe(export_name = "main")]
        pub extern "C" fn main() -> ! {
            $crate::run($open, $function)
        }
    };
}
