//! A simulation of SU(3) gauge fields on many ranks, with checkpoints that any number of ranks can continue.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::Parser;
use linkstream_heatbath::job::{Job, Parameters};
use linkstream_mpi::{EngineName, Existing, Outcome, Output, Program, World, run_with, start_with};
use linkstream_parallel::comm::Comm;
use linkstream_parallel::file::Engine;

/// Simulates SU(3) gauge fields by a heat bath (Wilson action), with checkpoints.
///
/// The links do not depend on the number of ranks, nor on interruptions: they are the same to the bit.
#[derive(Debug, Parser)]
#[command(after_help = "\
Examples:
  mpirun -n 4 heatbath --extents 8x8x8x16 --beta 6 --sweeps 20 --to a.scda
  mpirun -n 2 heatbath --from a.scda --sweeps 20 --to b.scda --config b.lime

Existing files are replaced when the new ones are complete.

Exit status: 0; 1 after an error; 2 if the arguments are wrong.")]
struct Arguments {
    /// Checkpoint to continue from.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["extents", "beta", "seed"], required_unless_present = "extents")]
    from: Option<PathBuf>,
    /// Extents of the lattice, x first, each even, for a new simulation (or --from).
    #[arg(long, value_delimiter = 'x', value_name = "4x4x4x8")]
    extents: Vec<usize>,
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
        if self.config.as_ref().is_some_and(|config| is_same(config, &self.to)) {
            return Err("--to and --config are the same file".into());
        }
        // Both are created before the work begins.
        let checkpoint = Output::file(world, &self.to, Existing::Replaced)?;
        let configuration = match &self.config {
            Some(config) => Output::file(world, config, Existing::Replaced).map(Some),
            None => Ok(None),
        };
        let configuration = match configuration {
            Ok(configuration) => configuration,
            Err(error) => {
                checkpoint.discard();
                return Err(error.into());
            }
        };
        match self.simulate(world, engine, checkpoint.path(), configuration.as_ref().map(Output::path)) {
            Ok(job) => {
                checkpoint.complete()?;
                if let Some(configuration) = configuration {
                    configuration.complete()?;
                }
                if world.rank() == 0 {
                    let Parameters { extents: [x, y, z, t], beta, .. } = job.parameters();
                    let sweeps = match job.sweeps() {
                        1 => "1 sweep".to_owned(),
                        sweeps => format!("{sweeps} sweeps"),
                    };
                    println!("{}: lattice {x}x{y}x{z}x{t}, beta {beta}, {sweeps}", self.to.display());
                }
                Ok(0)
            }
            Err(error) => {
                checkpoint.discard();
                configuration.into_iter().for_each(Output::discard);
                Err(error)
            }
        }
    }
}

impl Arguments {
    /// Runs the sweeps, and writes the files.
    fn simulate<'w, E: Engine<World>>(
        &self,
        world: &'w World,
        engine: &E,
        to: &Path,
        config: Option<&Path>,
    ) -> Result<Job<'w, World>, Box<dyn std::error::Error>> {
        let Self { from, extents, beta, seed, sweeps, .. } = self;
        let mut job = match (from, extents[..].try_into()) {
            (Some(from), _) => named(from, Job::restart(world, engine, from))?,
            (None, Ok(extents)) => Job::cold(world, Parameters { extents, beta: *beta, seed: *seed })?,
            (None, Err(_)) => return Err("--extents needs four numbers, such as 4x4x4x8".into()),
        };
        for _ in 0..*sweeps {
            job.sweep()?;
        }
        named(&self.to, job.checkpoint(engine, to))?;
        if let (Some(part), Some(config)) = (config, &self.config) {
            named(config, job.write_configuration(engine, part))?;
        }
        Ok(job)
    }
}

/// Names the file in an error.
fn named<T>(path: &Path, outcome: Result<T, linkstream_parallel::Error>) -> Result<T, String> {
    outcome.map_err(|error| format!("{}: {error}", path.display()))
}

/// True if two paths name the same file, which need not exist.
fn is_same(one: &Path, other: &Path) -> bool {
    let whole = |path: &Path| {
        let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Some((parent.canonicalize().ok()?, path.file_name()?.to_owned()))
    };
    one == other || whole(one).is_some_and(|one| whole(other) == Some(one))
}
