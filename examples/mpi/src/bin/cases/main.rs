//! Cases that are run on every number of ranks, with every engine and every MPI. `run-tests` starts this program.
//!
//! ```text
//! mpirun -n 4 cases ENGINE DIRECTORY            runs all cases
//! mpirun -n 4 cases ENGINE DIRECTORY FAULT      has a fault: all ranks must end
//! ```
//!
//! `ENGINE` is `io-ranks` or `mpi-io`. Rank 0 prints a line for each case.

mod comm;
mod engine;
mod faults;
mod fields;
mod model;
mod scda;
mod sets;
mod support;

use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

use linkstream_mpi::{MpiIo, Outcome, World, start};
use linkstream_parallel::comm::Comm;
use linkstream_parallel::error::agree;
use linkstream_parallel::file::{Engine, IoRanks, SystemDisk};

use support::{Case, Job};

fn main() -> ExitCode {
    let arguments: Vec<_> = std::env::args().skip(1).collect();
    start(|world| {
        let [engine, directory, fault @ ..] = &arguments[..] else {
            return Err("usage: cases ENGINE DIRECTORY [FAULT]".into());
        };
        let (directory, fault) = (Path::new(directory), fault.first());
        match engine.as_str() {
            "io-ranks" => {
                let engine = IoRanks::new(world, SystemDisk)?;
                // The smallest buffer, so that there are several rounds. One I/O rank for two ranks.
                let small = IoRanks::with(world, SystemDisk, world.rank() % 2 == 0, 0)?;
                run(&Job { world, engine, small, directory, sees_overlaps: true }, fault)
            }
            "mpi-io" => {
                let engine = MpiIo::new(world)?;
                let small = engine.clone().with_window(1 << 20);
                run(&Job { world, engine, small, directory, sees_overlaps: false }, fault)
            }
            other => Err(format!("no engine is called {other}").into()),
        }
    })
}

fn run<E: Engine<World>>(job: &Job<'_, E>, fault: Option<&String>) -> Outcome {
    match fault {
        Some(fault) => faults::run(job, fault),
        None => run_cases(job, &all()),
    }
}

fn all<E: Engine<World>>() -> Vec<Case<E>> {
    [comm::cases(), engine::cases(), scda::cases(), fields::cases(), sets::cases()].concat()
}

fn run_cases<E: Engine<World>>(job: &Job<'_, E>, cases: &[Case<E>]) -> Outcome {
    let world = job.world;
    if world.rank() == 0 {
        println!("library {}", world.library().lines().next().unwrap_or_default());
    }
    let mut failed = 0;
    for case in cases {
        let begin = Instant::now();
        let outcome = agree(world, (case.run)(job));
        if world.rank() == 0 {
            match &outcome {
                Ok(()) => println!("case {} ok", case.name),
                Err(error) => println!("case {} FAILED: {error}", case.name),
            }
        }
        if world.rank() == 0 {
            println!("time {} {:.2}", case.name, begin.elapsed().as_secs_f64());
        }
        failed |= u8::from(outcome.is_err());
    }
    Ok(failed)
}
