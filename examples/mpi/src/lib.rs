//! Collective reading and writing with MPI.
//!
//! [`start`] runs a program on all ranks, and makes sure that the job ends if one of them fails. [`World`] lets the
//! package `linkstream-parallel` communicate; a program that initialises MPI itself makes one of its communicator. [`MpiIo`]
//! is an engine that accesses files with MPI-IO. Without the feature `programs`, the library needs only an MPI library.
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

#[cfg(feature = "programs")]
mod engine_name;
mod mpi_io;
#[cfg(feature = "programs")]
mod output;
mod raw;
mod start;
mod world;

#[cfg(feature = "programs")]
pub use engine_name::{EngineName, Program, run_with};
/// rsmpi.
pub use mpi;
pub use mpi_io::{MpiFile, MpiIo};
#[cfg(feature = "programs")]
pub use output::{Existing, Output};
#[cfg(feature = "programs")]
pub use start::start_with;
pub use start::{Outcome, start};
pub use world::World;
