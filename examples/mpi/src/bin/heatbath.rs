//! A simulation of SU(3) gauge fields on many ranks, with checkpoints that any number of ranks can continue.

use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser;
use linkstream_heatbath::job::{Job, Parameters};
use linkstream_mpi::{EngineName, Outcome, Program, World, run_with, start_with};
use linkstream_parallel::comm::Comm;
use linkstream_parallel::file::Engine;

/// Simulates SU(3) gauge fields by a heat bath (Wilson action), with checkpoints.
///
/// The links do not depend on the number of ranks, nor on interruptions: they are the same to the bit.
#[derive(Debug, Parser)]
#[command(after_help = "\
Examples:
  mpirun -n 4 heatbath --dims 8,8,8,16 --beta 6 --sweeps 20 --to a.scda
  mpirun -n 2 heatbath --from a.scda --sweeps 20 --to b.scda --config b.lime

Exit status: 0, or 1 after an error.")]
struct Arguments {
    /// Checkpoint to continue from.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["dims", "beta", "seed"], required_unless_present = "dims")]
    from: Option<PathBuf>,
    /// Extents of the lattice x,y,z,t, each even, for a new simulation.
    #[arg(long, value_delimiter = ',', value_name = "X,Y,Z,T")]
    dims: Vec<usize>,
    /// Coupling of the action.
    #[arg(long, default_value_t = 6.0)]
    beta: f64,
    /// Seed of the random numbers.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Number of sweeps.
    #[arg(long, default_value_t = 10)]
    sweeps: u64,
    /// Checkpoint to write: an scda file with the compressed links of each time slice.
    #[arg(long, value_name = "FILE")]
    to: PathBuf,
    /// Configuration to write: an ILDG file in double precision.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Access to files: io-ranks or mpi-io.
    #[arg(long, default_value = "io-ranks")]
    engine: EngineName,
}

fn main() -> ExitCode {
    start_with(|world, arguments: Arguments| run_with(world, arguments.engine, arguments))
}

impl Program for Arguments {
    fn run<E: Engine<World>>(self, world: &World, engine: &E) -> Outcome {
        let Self { from, dims, beta, seed, sweeps, to, config, .. } = self;
        let mut job = match (from, dims[..].try_into()) {
            (Some(from), _) => Job::restart(world, engine, &from)?,
            (None, Ok(dims)) => Job::cold(world, Parameters { dims, beta, seed })?,
            (None, Err(_)) => return Err("--dims needs four extents".into()),
        };
        for _ in 0..sweeps {
            job.sweep()?;
        }
        job.checkpoint(engine, &to)?;
        if let Some(config) = config {
            job.write_configuration(engine, &config)?;
        }
        if world.rank() == 0 {
            let Parameters { dims: [x, y, z, t], beta, .. } = job.parameters();
            println!("{}: lattice {x}x{y}x{z}x{t}, beta {beta}, {} sweeps", to.display(), job.sweeps());
        }
        Ok(0)
    }
}
