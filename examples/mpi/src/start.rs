//! The life of a program: initialisation, the end of all ranks if one fails, and the exit status.

use std::error::Error;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::process::ExitCode;
use std::time::Duration;

use linkstream_parallel::comm::{Comm, CommError, Op};
use mpi::Threading;

use crate::raw::Ranks;
use crate::world::World;

/// Result of the program on one rank: its exit status, or the reason why it cannot go on.
pub type Outcome = Result<u8, Box<dyn Error>>;

/// Time that a rank with an error gives the others to end as well, before it aborts the job.
const PATIENCE: Duration = Duration::from_secs(2);

/// Time until a rank that has ended well reports that it waits.
const REMINDER: Duration = Duration::from_secs(10);

/// Exit status of a rank that has an error.
const FAILURE: u8 = 1;

/// Exit status after a panic, as in other Rust programs.
const PANIC: u8 = 101;

/// Runs a program on this rank of an MPI job. `main` of a program consists of this call.
///
/// The job ends, whatever happens on one of the ranks:
///
/// * If the program returns an exit status on all ranks, the process ends with the largest of them.
/// * If it returns an error on all ranks, the errors are printed, equal ones only once, and the status is 1.
/// * If it returns an error on some ranks while the others wait for them, the job is aborted after 2 seconds.
/// * A panic on any rank is printed with the number of the rank, and aborts the job at once. Without this, unwinding
///   would finalise MPI, which waits for the other ranks for ever.
/// * A rank that returns an exit status while others still run waits for them. It cannot know whether they wait for it;
///   after 10 seconds it prints that it waits.
/// * If a rank ends its process, by [`std::process::exit`] or in a library, the job is aborted at once.
#[must_use]
pub fn start(program: impl FnOnce(&World) -> Outcome) -> ExitCode {
    // Only the main thread calls MPI.
    let Some((universe, _)) = mpi::initialize_with_threading(Threading::Funneled) else {
        eprintln!("MPI is initialised already");
        return ExitCode::from(FAILURE);
    };
    // For the end of the program, which must not meet the collective calls of ranks that have not ended.
    let ending = Ranks::duplicate(&universe.world()).map_err(|error| CommError::new(error.to_string()));
    let worlds = ending.and_then(|ending| Ok((ending, World::from_communicator(&universe.world())?)));
    let (ending, world) = match worlds {
        Ok(worlds) => worlds,
        Err(error) => {
            eprintln!("{error}");
            crate::raw::abort(FAILURE);
        }
    };
    abort_after_panic(world.rank());
    crate::raw::abort_at_exit(world.rank());
    let outcome = program(&world);
    let status = end(&world, &ending, outcome).unwrap_or_else(|error| {
        eprintln!("rank {}: {error}", world.rank());
        world.abort(FAILURE)
    });
    drop(universe); // finalises MPI
    ExitCode::from(status)
}

/// Runs a program with arguments on this rank of an MPI job, like [`start`]. Help and mistakes in the arguments are
/// printed once, by rank 0.
#[cfg(feature = "programs")]
#[must_use]
pub fn start_with<A: clap::Parser>(program: impl FnOnce(&World, A) -> Outcome) -> ExitCode {
    start(|world| match A::try_parse() {
        Ok(arguments) => program(world, arguments),
        Err(error) => {
            if world.rank() == 0 {
                error.print()?;
            }
            Ok(u8::try_from(error.exit_code()).unwrap_or(FAILURE))
        }
    })
}

fn abort_after_panic(rank: usize) {
    let print = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        eprintln!("rank {rank} has panicked; the job is aborted");
        print(panic);
        if mpi::environment::is_finalized() {
            std::process::abort();
        }
        crate::raw::abort(PANIC)
    }));
}

/// Waits for the other ranks, and returns the common exit status.
fn end(world: &World, ending: &Ranks, outcome: Outcome) -> Result<u8, CommError> {
    let rank = world.rank();
    let mut reminded = false;
    let all_ended = ending.meet(|waited| {
        if outcome.is_err() {
            return waited < PATIENCE;
        }
        if waited > REMINDER && !reminded {
            reminded = true;
            eprintln!("rank {rank} has ended, and waits for the other ranks");
        }
        true
    });
    let text = outcome.as_ref().err().map(ToString::to_string);
    if !all_ended.map_err(|error| CommError::new(error.to_string()))? {
        eprintln!("rank {rank}: {}", text.unwrap_or_default());
        eprintln!("rank {rank} has ended with this error, and the other ranks have not: the job is aborted");
        world.abort(FAILURE);
    }
    // If all ranks have the same error, one of them prints it. The largest and the smallest hash are compared.
    let mut hasher = DefaultHasher::new();
    text.hash(&mut hasher);
    let hash = hasher.finish() >> 2;
    let status = outcome.unwrap_or(FAILURE);
    let mut numbers = [u64::from(status), hash, (u64::MAX >> 2) - hash];
    world.combine(Op::Max, &mut numbers)?;
    let [status, largest, smallest] = numbers;
    let is_equal = largest == (u64::MAX >> 2) - smallest;
    match text {
        Some(text) if is_equal && rank == 0 => eprintln!("{text}"),
        Some(text) if !is_equal => eprintln!("rank {rank}: {text}"),
        _ => {}
    }
    Ok(u8::try_from(status).unwrap_or(FAILURE))
}
