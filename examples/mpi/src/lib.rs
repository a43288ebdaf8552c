//! Collective reading and writing with MPI.
//!
//! [`start`] runs a program on all ranks, and makes sure that the job ends if one of them fails. [`World`] lets the
//! package `linkstream-parallel` communicate. [`MpiIo`] is an engine that accesses files with MPI-IO.
//!
//! ```no_run
//! use linkstream_mpi::start;
//! use linkstream_parallel::comm::{Comm, Op};
//!
//! fn main() -> std::process::ExitCode {
//!     start(|world| {
//!         let mut numbers = [1];
//!         world.combine(Op::Sum, &mut numbers)?;
//!         if world.rank() == 0 {
//!             println!("{} ranks", numbers[0]);
//!         }
//!         Ok(0)
//!     })
//! }
//! ```
#![warn(missing_docs)]

mod engine_name;
mod mpi_io;
mod output;
mod raw;
mod start;
mod world;

pub use engine_name::{EngineName, Program, run_with};
pub use mpi_io::{MpiFile, MpiIo};
pub use output::{Existing, Output};
pub use start::{Outcome, start, start_with};
pub use world::World;
