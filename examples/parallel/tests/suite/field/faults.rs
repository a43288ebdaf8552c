//! Every request of every rank fails in turn: all ranks get the same error, and none waits for ever.

use std::path::Path;

use linkstream::field::{Form, Verdict};
use linkstream::lattice::Precision;
use linkstream::scidac::PrivateRecord;
use linkstream_parallel::comm::{Comm, Threads};
use linkstream_parallel::field::{FieldReader, Grid, Layout};
use linkstream_parallel::file::{Direct, Faulty, Injection, IoRanks, SystemDisk};
use linkstream_parallel::{Error, ErrorKind};

use super::support::{Memory, What, lattice, read, serial, write};

const RANKS: usize = 4;

/// More than 1 MiB of data, so that the second I/O rank has some.
fn fields() -> Vec<What> {
    let mut fields = vec![What::Record(PrivateRecord::propagator(Precision::F64)); 3];
    fields.insert(0, What::Gauge(Precision::F32, Form::Both));
    fields
}

/// Runs a job with a disturbance of one request of one rank. Returns the outcome of each rank and the number of its
/// requests.
fn disturbed(
    path: &Path,
    is_direct: bool,
    writes: bool,
    disturbance: Option<(usize, usize, Injection)>,
) -> Vec<(Result<(), Error>, usize)> {
    let (grid, fields) = (Grid::new(&lattice(), &[2, 1, 1, 2]).unwrap(), fields());
    Threads::on_nodes(RANKS, 2).run(|comm| {
        let injection = disturbance.filter(|(rank, ..)| *rank == comm.rank());
        let disk = Faulty::new(SystemDisk, injection.map(|(_, number, injection)| (number, injection)));
        let io = IoRanks::with(comm, disk.clone(), comm.node_leader() == comm.rank(), 0).unwrap();
        let direct = Direct { disk: disk.clone() };
        // Several rounds. What is written is read again.
        let (held, memory) = (Memory::F64, 60_000);
        let outcome = match (writes, is_direct) {
            (true, true) => write(comm, &direct, path, &grid, &fields, held, memory),
            (true, false) => write(comm, &io, path, &grid, &fields, held, memory),
            (false, true) => read(comm, &direct, path, &grid, &fields, held, memory).map(drop),
            (false, false) => read(comm, &io, path, &grid, &fields, held, memory).map(drop),
        };
        (outcome, disk.requests().list.len())
    })
}

#[test]
fn every_fault_of_a_request_is_the_same_error_on_all_ranks() {
    let directory = tempfile::tempdir().unwrap();
    let (path, whole) = (directory.path().join("file"), directory.path().join("whole"));
    let expected = serial(&fields());
    std::fs::write(&whole, &expected).unwrap();
    let mut faults = 0;
    for (is_direct, writes) in [(false, true), (false, false), (true, true), (true, false)] {
        let path = if writes { &path } else { &whole };
        let undisturbed = disturbed(path, is_direct, writes, None);
        for (rank, (_, requests)) in undisturbed.into_iter().enumerate() {
            // With `Direct`, each stretch of the file is a request: a sample of 16 for each rank.
            for number in (0..requests).step_by(requests.div_ceil(16).max(1)) {
                for injection in [Injection::Short, Injection::Interrupted] {
                    for (outcome, _) in disturbed(path, is_direct, writes, Some((rank, number, injection))) {
                        assert_eq!(outcome, Ok(()), "{injection:?} of request {number} of rank {rank}");
                    }
                    assert!(std::fs::read(path).unwrap() == expected);
                }
                for injection in [Injection::Error(5), Injection::Error(28), Injection::Ends] {
                    let outcomes = disturbed(path, is_direct, writes, Some((rank, number, injection)));
                    let outcomes: Vec<_> = outcomes.into_iter().map(|(outcome, _)| outcome).collect();
                    assert!(outcomes.iter().all(|outcome| *outcome == outcomes[0]), "{outcomes:?}");
                    match (&outcomes[0], injection) {
                        // Only requests that read can find the end of the file.
                        (Ok(()), Injection::Ends) => {}
                        (Err(_), Injection::Ends) => faults += 1,
                        (Err(error), _) => {
                            assert_eq!((error.rank, error.fault.kind), (rank, ErrorKind::System), "{error}");
                            faults += 1;
                        }
                        (Ok(()), _) => panic!("{injection:?} of request {number} of rank {rank}"),
                    }
                }
            }
        }
    }
    assert!(faults > 100, "{faults}");
}

/// After an error, the file has no checksum that would make it look complete.
#[test]
fn a_file_that_was_given_up_is_not_taken_for_complete() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("file");
    for number in 0.. {
        let outcomes = disturbed(&path, false, true, Some((2, number, Injection::Error(28))));
        if outcomes[0].0.is_ok() {
            assert!(number > 2);
            break;
        }
        let verdicts = Threads::new(1).run(|comm| {
            let grid = Grid::new(&lattice(), &[1]).unwrap();
            let mut file = FieldReader::open(comm, &Direct::<SystemDisk>::default(), &path)?;
            let mut numbers = vec![0.0_f64; 192 * 288];
            file.read(3, &Layout::grid(&grid, 0), &mut numbers[..])
        });
        // The last request waits for the storage device: everything has been written then.
        let is_last = outcomes[0].0.as_ref().is_err_and(|error| error.fault.offset.is_none());
        assert!(is_last || !verdicts[0].as_ref().is_ok_and(Verdict::is_match), "{number}: {verdicts:?}");
    }
}
