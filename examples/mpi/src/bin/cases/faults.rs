//! Faults: whatever happens on one rank, all ranks end soon, and somebody says why.

use std::time::{SystemTime, UNIX_EPOCH};

use linkstream_mpi::{Outcome, World};
use linkstream_parallel::comm::{Comm, Op};
use linkstream_parallel::file::{Access, Engine, PieceMut, SharedFile};
use linkstream_parallel::scda::{Elements, Partition, WriteOptions, Writer};
use linkstream_parallel::{Error, Fault, Session};
use rustix::process::{Resource, Rlimit, Signal, getpid, kill_process, setrlimit};

use super::support::{Job, content, ensure, parts, pieces};

/// Bytes of the file: several rounds of MPI-IO, and more than there is room for on a full disk.
const LENGTH: usize = 48 << 20;

/// Has a fault. The program that started this one measures the time from the line that this prints.
pub fn run<E: Engine<World>>(job: &Job<'_, E>, fault: &str) -> Outcome {
    let world = job.world;
    let is_last = job.rank() + 1 == job.size();
    let outcome = match fault {
        "full-disk" => {
            announce(job.rank() == 0);
            write(job)
        }
        "size-limit" => {
            // On the I/O rank alone. SIGXFSZ is ignored by the program that started this one.
            if job.rank() == 0 {
                let limit = Some((LENGTH / 3) as u64);
                setrlimit(Resource::Fsize, Rlimit { current: limit, maximum: limit })?;
            }
            announce(job.rank() == 0);
            write(job)
        }
        "truncated-file" => truncated(job),
        "encode" | "partition" | "other-call" | "skipped-call" => {
            announce(is_last);
            differ(job, fault, is_last)
        }
        _ => {
            // The other ranks wait in a collective call.
            let mut numbers = [1];
            world.combine(Op::Sum, &mut numbers)?;
            announce(is_last);
            if is_last {
                match fault {
                    "abort" => {
                        eprintln!("rank {} aborts the job", job.rank());
                        world.abort(3)
                    }
                    "panic" => panic!("a defect"),
                    "panic-in-thread" => {
                        let _ = std::thread::spawn(|| panic!("a defect in a thread")).join();
                    }
                    "kill" => kill_process(getpid(), Signal::KILL)?,
                    "early-error" => return Err("a reason to end early".into()),
                    "exit" => std::process::exit(0),
                    _ => {}
                }
            }
            if !["abort", "panic", "panic-in-thread", "kill", "early-error", "exit"].contains(&fault) {
                return Err(format!("no fault is called {fault}").into());
            }
            world.combine(Op::Sum, &mut numbers)?;
            return Err(format!("the fault had no effect: {numbers:?}").into());
        }
    };
    match outcome {
        Ok(()) => Err("the fault was not noticed".into()),
        Err(error) => Err(error.into()),
    }
}

/// One rank passes another argument, makes another call, or skips one.
fn differ<E: Engine<World>>(job: &Job<'_, E>, fault: &str, is_odd: bool) -> Result<(), Error> {
    let options = WriteOptions::default();
    let mut file = Writer::create(job.world, &job.engine, &job.path("fault"), b"", &options)?;
    let partition = match fault {
        "partition" if is_odd => Partition::Table(&[1; 4]),
        _ => Partition::Own(1),
    };
    match fault {
        "other-call" if is_odd => return file.close(),
        "skipped-call" if is_odd => {}
        _ => file.array(b"", partition, 2, Elements::Contiguous(b"ab"), fault == "encode" && is_odd)?,
    }
    file.block(b"", 0, 2, b"ab", true)
}

fn announce(is_own: bool) {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    if is_own {
        eprintln!("fault at {:.3}", now.as_secs_f64());
    }
}

fn write<E: Engine<World>>(job: &Job<'_, E>) -> Result<(), Error> {
    let content = content(1, LENGTH);
    let (mut session, ()) =
        Session::open(job.world, &job.engine, &job.path("fault"), Access::Write, |_| Ok(()))?;
    session.call(|comm, file| {
        let parts = parts(1, LENGTH, 300_000, job.rank(), job.size());
        file.write_all(comm, &pieces(&content, &parts, 0))
    })?;
    session.close()
}

/// A file that becomes shorter after it was opened.
fn truncated<E: Engine<World>>(job: &Job<'_, E>) -> Result<(), Error> {
    let path = job.path("fault");
    let system = |error: std::io::Error| Fault::system(None, &error);
    if job.rank() == 0 {
        let written = std::fs::write(&path, content(1, LENGTH)).map_err(system);
        linkstream_parallel::error::agree(job.world, written)?;
    } else {
        linkstream_parallel::error::agree(job.world, Ok(()))?;
    }
    let (mut session, ()) = Session::open(job.world, &job.engine, &path, Access::Read, |file| {
        let size = file.size()?;
        ensure(size == LENGTH as u64, || format!("the size is {size}"))?;
        let file = std::fs::OpenOptions::new().write(true).open(&path).map_err(system)?;
        file.set_len(LENGTH as u64 / 3).map_err(system)
    })?;
    announce(job.rank() == 0);
    let parts = parts(1, LENGTH, 300_000, job.rank(), job.size());
    let mut room: Vec<_> = parts.iter().map(|part| vec![0; part.len()]).collect();
    session.call(|comm, file| {
        let mut pieces: Vec<_> = parts
            .iter()
            .zip(&mut room)
            .map(|(part, bytes)| PieceMut { offset: part.start as u64, bytes })
            .collect();
        file.read_all(comm, &mut pieces)
    })?;
    session.close()
}
