//! The choice of an engine by its name, for programs.

use std::str::FromStr;

use linkstream_parallel::file::{Engine, IoRanks, SystemDisk};

use crate::mpi_io::MpiIo;
use crate::start::Outcome;
use crate::world::World;

/// An engine, as users name it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum EngineName {
    /// `io-ranks`: one rank of each node accesses files for all.
    #[default]
    IoRanks,
    /// `mpi-io`: MPI-IO accesses files.
    MpiIo,
}

impl FromStr for EngineName {
    type Err = String;

    fn from_str(name: &str) -> Result<Self, String> {
        match name {
            "io-ranks" => Ok(Self::IoRanks),
            "mpi-io" => Ok(Self::MpiIo),
            other => Err(format!("no engine is called {other}; there are io-ranks and mpi-io")),
        }
    }
}

/// A program that runs with any engine.
pub trait Program {
    /// Runs the program on this rank.
    ///
    /// # Errors
    /// Reason why the program cannot go on.
    fn run<E: Engine<World>>(self, world: &World, engine: &E) -> Outcome;
}

/// Collective: runs a program with the engine of this name.
///
/// # Errors
/// The error of the program, or the ranks cannot communicate.
pub fn run_with(world: &World, name: EngineName, program: impl Program) -> Outcome {
    match name {
        EngineName::IoRanks => program.run(world, &IoRanks::new(world, SystemDisk)?),
        EngineName::MpiIo => program.run(world, &MpiIo::new(world)?),
    }
}
